from dominion_env.rules.vocabulary import (
    ANY, DISCARD_PILE, FINISHED, PASS, TOPDECK, card_of, may_choose, question, row, text, topdeck_from_discard,
)  # fmt: skip

CARD = row(
    "Harbinger", cost=3, types="Action", cards=1, actions=1, editions=(2,),
    text="Look through your discard pile; you may put a card from it onto your deck.",
)  # fmt: skip


@text(question(DISCARD_PILE, TOPDECK, may=True))
def harbinger(game, me, step, action):
    if step == 0:
        return may_choose(game, me, TOPDECK, DISCARD_PILE, ANY)
    if action != PASS:
        topdeck_from_discard(game, me, card_of(action))
    return FINISHED
