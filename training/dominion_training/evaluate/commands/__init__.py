"""The commands `dominion compare`, `benchmark`, `baselines` and `validate`: a module each, with its options and `main`."""
