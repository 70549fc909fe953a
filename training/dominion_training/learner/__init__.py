"""The learner: self-play in which every decision of every seat is a sample, and proximal policy optimisation."""

from dominion_env.compiled.notice import PARTS, Part

PARTS.append(Part("the loops of the learner", 5, "dominion_training.learner"))
