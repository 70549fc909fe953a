"""What visitors may do, and how often."""
