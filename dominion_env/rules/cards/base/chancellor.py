from dominion_env.rules.vocabulary import (
    DECK, DISCARD_DECK, FINISHED, discard_deck, may_discard_deck, question, row, text,
)  # fmt: skip

CARD = row(
    "Chancellor", cost=3, types="Action", coins=2, editions=(1,),
    text="You may put your whole deck into your discard pile.",
)  # fmt: skip


@text(question(DECK, may=True))
def chancellor(game, me, step, action):
    if step == 0:
        return may_discard_deck(game, me)
    if action == DISCARD_DECK:
        discard_deck(game, me)
    return FINISHED
