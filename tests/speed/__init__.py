"""The speed card, `dominion speed`: how fast games are played here and in other packages, in one run on one clock.

`clock` measures, `ours` and `others` say what is played, `start` how long it takes until the first step, `report` and
`machine` make a page of it, `card` is the command. How fast scripted agents answer tells `python -m tests.speed.agents`.
"""
