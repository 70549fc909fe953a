from dominion_env.rules.vocabulary import (
    ANY_STEP, DISCARD, FINISHED, HAND, WAITING, discard_picked, down_to, hand_size, must_pick, pick, picked_cards,
    question, row, text,
)  # fmt: skip

CARD = row(
    "Militia", cost=4, types="Action - Attack", coins=2,
    text="Each other player discards down to 3 cards in hand.",
)  # fmt: skip


@text(question(HAND, DISCARD, step=ANY_STEP, most=down_to(3), needs=picked_cards))
def militia_victim(game, victim, step, action):
    pick(game, victim, action)
    if must_pick(game, victim, DISCARD, hand_size(game, victim) - 3) == WAITING:
        return WAITING
    discard_picked(game, victim)
    return FINISHED
