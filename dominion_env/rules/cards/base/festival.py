from dominion_env.rules.words.vocabulary import row

CARD = row("Festival", cost=5, types="Action", actions=2, buys=1, coins=2)
