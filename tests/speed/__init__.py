"""The speed bench, `dominion speed`: how fast games are played here and in other packages, in one run on one clock.

`clock.py` measures what `ours.py` and `others.py` play, and `start.py` the time until the first step. `report.py` and
`machine.py` make a page of the figures, and `bench.py` is the command. `python -m tests.speed.agents` measures how fast
scripted agents answer.
"""
