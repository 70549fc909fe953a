"""What an agent is, what it is given, and how one is made by name."""
