from dominion_env.rules.words.vocabulary import (
    DISCARD, FINISHED, ONE_FOR_EACH_EMPTY_PILE, WAITING, ask_to_pick, discard_picked, pick, picks, row, text,
)  # fmt: skip

CARD = row(
    "Poacher", cost=4, types="Action", cards=1, actions=1, coins=1, editions=(2,),
    text="Discard a card for each empty pile of the Supply.",
)  # fmt: skip

DISCARDED = picks(DISCARD, ONE_FOR_EACH_EMPTY_PILE)


@text
def poacher(game, me, step, action):
    pick(game, me, action)
    if ask_to_pick(game, me, DISCARDED) == WAITING:
        return WAITING
    discard_picked(game, me)
    return FINISHED
