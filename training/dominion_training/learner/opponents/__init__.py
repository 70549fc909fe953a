"""Whom the learner meets besides itself."""
