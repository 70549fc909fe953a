"""What can be named, as lists on the terminal or as JSON: `dominion agents`, `dominion kingdoms`, `dominion cards`."""
