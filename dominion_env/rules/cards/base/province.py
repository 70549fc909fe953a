from dominion_env.rules.words.vocabulary import row

CARD = row("Province", cost=8, types="Victory", basic=True, points=6)
