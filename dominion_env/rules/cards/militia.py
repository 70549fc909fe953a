from dominion_env.rules.vocabulary import (
    ANY_STEP, DISCARD, FINISHED, HAND, WAITING, discard_picked, down_to, hand_size, must_pick, pick, picked_cards,
    question, text,
)  # fmt: skip


@text(question(HAND, DISCARD, step=ANY_STEP, most=down_to(3), needs=picked_cards))
def militia_victim(game, victim, step, action):
    """Discard down to 3 cards in hand."""
    pick(game, victim, action)
    if must_pick(game, victim, DISCARD, hand_size(game, victim) - 3) == WAITING:
        return WAITING
    discard_picked(game, victim)
    return FINISHED
