from dominion_env.rules.words.vocabulary import row

CARD = row("Laboratory", cost=5, types="Action", cards=2, actions=1)
