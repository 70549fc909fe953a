from dominion_env.rules.words.vocabulary import (
    DISCARD_PILE, FINISHED, PASS, TOPDECK, ask, card_of, question, row, text, topdeck_from_discard,
)  # fmt: skip

CARD = row(
    "Harbinger", cost=3, types="Action", cards=1, actions=1, editions=(2,),
    text="Look through your discard pile; you may put a card from it onto your deck.",
)  # fmt: skip

PUT_BACK = question(DISCARD_PILE, TOPDECK, may=True, words="put a card from your discard pile onto your deck, or none")


@text
def harbinger(game, me, step, action):
    if step == 0:
        return ask(game, me, PUT_BACK)
    if action != PASS:
        topdeck_from_discard(game, me, card_of(action))
    return FINISHED
