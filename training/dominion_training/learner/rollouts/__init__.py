"""Samples: what the learner's networks decide in many games, in one process or several."""
