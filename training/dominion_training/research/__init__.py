"""Strategy research: games as tables, and what they show about cards, openings, decks and seats."""

from dominion_env.compiled.notice import PARTS, Part

PARTS.append(Part("the loops that record games for research", 10, "dominion_training.research"))
