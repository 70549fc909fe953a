from dominion_env.rules.vocabulary import (
    ANY, DISCARD_PILE, FINISHED, PASS, TOPDECK, card_of, may_choose, question, text, topdeck_from_discard,
)  # fmt: skip


@text(question(DISCARD_PILE, TOPDECK, may=True))
def harbinger(game, me, step, action):
    """Look through your discard pile; you may put a card from it onto your deck."""
    if step == 0:
        return may_choose(game, me, TOPDECK, DISCARD_PILE, ANY)
    if action != PASS:
        topdeck_from_discard(game, me, card_of(action))
    return FINISHED
