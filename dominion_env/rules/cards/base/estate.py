from dominion_env.rules.words.vocabulary import row

CARD = row("Estate", cost=2, types="Victory", basic=True, points=1)
