from dominion_env.rules.vocabulary import row

CARD = row("Duchy", cost=5, types="Victory", basic=True, points=3)
