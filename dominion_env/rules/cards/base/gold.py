from dominion_env.rules.words.vocabulary import row

CARD = row("Gold", cost=6, types="Treasure", basic=True, coins=3)
