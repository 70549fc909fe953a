from dominion_env.rules.words.vocabulary import row

CARD = row("Silver", cost=3, types="Treasure", basic=True, coins=2)
