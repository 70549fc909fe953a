from dominion_env.rules.vocabulary import row

CARD = row("Silver", cost=3, types="Treasure", basic=True, coins=2)
