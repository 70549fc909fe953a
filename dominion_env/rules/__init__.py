"""The rules, compiled: what happens when a card is played, what a player is asked, when a game ends.

They know no reward and no learner. One record of `state.GAME` is one game, and functions take that record first.
`cards/__init__.py` is the page to begin with.
"""
