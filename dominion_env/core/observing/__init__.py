"""The observation: the table of its fields, what writes it, and the function that is called."""
