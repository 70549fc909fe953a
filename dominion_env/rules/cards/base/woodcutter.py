from dominion_env.rules.words.vocabulary import row

CARD = row("Woodcutter", cost=3, types="Action", buys=1, coins=2, editions=(1,))
