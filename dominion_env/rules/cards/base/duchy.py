from dominion_env.rules.words.vocabulary import row

CARD = row("Duchy", cost=5, types="Victory", basic=True, points=3)
