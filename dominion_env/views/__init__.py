"""Thin views of the core for PettingZoo, Gymnasium and stable-baselines3; no view has rules."""
