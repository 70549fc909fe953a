from dominion_env.rules.vocabulary import (
    DISCARD, FINISHED, HAND, NUM_PILES, WAITING, discard_picked, empty_piles, must_pick, num_picked,
    one_for_each_empty_pile, pick, picked_cards, question, row, text,
)  # fmt: skip

CARD = row(
    "Poacher", cost=4, types="Action", cards=1, actions=1, coins=1, editions=(2,),
    text="Discard a card for each empty pile of the Supply.",
)  # fmt: skip


@text(question(HAND, DISCARD, step=range(1, NUM_PILES + 1), most=one_for_each_empty_pile, needs=picked_cards))
def poacher(game, me, step, action):
    pick(game, me, action)
    if must_pick(game, me, DISCARD, empty_piles(game) - num_picked(game)) == WAITING:
        return WAITING
    discard_picked(game, me)
    return FINISHED
