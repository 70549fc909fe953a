"""`dominion review`: a person's saved game, decision by decision, with a table and a picture."""
