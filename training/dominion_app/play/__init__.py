"""Games for people in the terminal: `dominion play`, `dominion watch` and `dominion replay`.

`table` holds a game, its agents and its file; `screen` shows it with textual; `coaching` says what the coach thinks; `person`
(for `dominion play`), `watch` and `replay` are the commands.
"""
