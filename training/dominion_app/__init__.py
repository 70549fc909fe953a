"""The programs for people, on top of everything: the command `dominion`, tables in the terminal and the browser, reviews."""
