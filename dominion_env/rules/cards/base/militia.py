from dominion_env.rules.words.vocabulary import (
    DISCARD, FINISHED, WAITING, ask_to_pick, discard_picked, down_to, pick, picks, row, text,
)  # fmt: skip

CARD = row(
    "Militia", cost=4, types="Action - Attack", coins=2,
    text="Each other player discards down to 3 cards in hand.",
)  # fmt: skip

DISCARDED = picks(DISCARD, down_to(3))


@text
def militia_victim(game, victim, step, action):
    pick(game, victim, action)
    if ask_to_pick(game, victim, DISCARDED) == WAITING:
        return WAITING
    discard_picked(game, victim)
    return FINISHED
