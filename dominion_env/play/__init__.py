"""Games for people, in the terminal: `dominion play`, `dominion watch` and `dominion replay`.

`table` knows games, agents and files; `screen` shows them with textual; the other modules are the commands.
"""
