"""The learner: rollouts, updates and checkpoints."""
