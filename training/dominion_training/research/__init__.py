"""Strategy research: games as tables, and what they tell about cards, openings, decks and seats."""
