from dominion_env.rules.vocabulary import DECK, DISCARD_DECK, FINISHED, discard_deck, may_discard_deck, question, text


@text(question(DECK, may=True))
def chancellor(game, me, step, action):
    """You may put your whole deck into your discard pile."""
    if step == 0:
        return may_discard_deck(game, me)
    if action == DISCARD_DECK:
        discard_deck(game, me)
    return FINISHED
