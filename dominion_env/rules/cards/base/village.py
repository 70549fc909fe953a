from dominion_env.rules.words.vocabulary import row

CARD = row("Village", cost=3, types="Action", cards=1, actions=2)
