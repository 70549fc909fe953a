from dominion_env.rules.vocabulary import CURSE, FINISHED, gain, text


@text()
def witch_victim(game, victim, step, action):
    """Gain a Curse."""
    gain(game, victim, CURSE)
    return FINISHED
