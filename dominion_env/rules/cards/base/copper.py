from dominion_env.rules.words.vocabulary import row

CARD = row("Copper", cost=0, types="Treasure", basic=True, coins=1)
