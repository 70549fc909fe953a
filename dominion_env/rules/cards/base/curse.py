from dominion_env.rules.words.vocabulary import row

CARD = row("Curse", cost=0, types="Curse", basic=True, points=-1)
