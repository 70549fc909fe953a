from dominion_env.rules.words.vocabulary import row

CARD = row("Market", cost=5, types="Action", cards=1, actions=1, buys=1, coins=1)
