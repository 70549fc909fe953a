from dominion_env.rules.vocabulary import FINISHED, GAIN, SUPPLY, card_of, gain, must_choose, question, text, up_to


@text(question(SUPPLY, GAIN, up_to=4))
def workshop(game, me, step, action):
    """Gain a card costing up to 4."""
    if step == 0:
        return must_choose(game, me, GAIN, SUPPLY, up_to(4))
    gain(game, me, card_of(action))
    return FINISHED
