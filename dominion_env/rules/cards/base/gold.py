from dominion_env.rules.vocabulary import row

CARD = row("Gold", cost=6, types="Treasure", basic=True, coins=3)
