from dominion_env.rules.words.vocabulary import CURSE, FINISHED, gain, row, text

CARD = row("Witch", cost=5, types="Action - Attack", cards=2, text="Each other player gains a Curse.")


@text
def witch_victim(game, victim, step, action):
    gain(game, victim, CURSE)
    return FINISHED
