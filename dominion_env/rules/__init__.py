"""The rules, compiled: what happens when a card is played, what a player is asked, when a game ends.

Knows no reward, no learner and no text. One record of `state.GAME` is one game; functions take that record first.
"""
