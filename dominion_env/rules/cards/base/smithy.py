from dominion_env.rules.words.vocabulary import row

CARD = row("Smithy", cost=4, types="Action", cards=3)
