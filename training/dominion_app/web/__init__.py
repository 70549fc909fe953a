"""`dominion serve`: a table in the browser, for playing, watching, reviewing, comparing and puzzles.

Layers, from below: `limits` (bounds), `players` (which agents may be named from a browser), `link` (what makes a game, as an
address), `games` (a visitor's game, and what its seat sees), `puzzle` (which puzzle an address names), `workers` (processes
that think), `store` (SQLite) and `house` (all games of all visitors). None of these knows a web library. `markup`, `cards` and
`table_parts` write HTML; `lobby`, `table`, `review`, `compare` and `puzzle` are the pages; `command` starts the server.
"""
