"""Learners, and how agents are compared; `dominion train` trains one."""
