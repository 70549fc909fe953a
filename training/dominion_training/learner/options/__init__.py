"""The settings of a run, and the presets."""
