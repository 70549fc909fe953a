"""Networks of stable-baselines3 as agents; they need its package."""
