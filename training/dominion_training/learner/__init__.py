"""The learner: self-play in which every decision of every seat is a sample, and proximal policy optimisation."""
