from dominion_env.rules.vocabulary import (
    ANY_STEP, DISCARD, FINISHED, HAND, PASS, WAITING, discard_picked, draw_one_by_one, hand_size, may_pick, num_picked,
    pick, picked_cards, question, row, text, whole_hand,
)  # fmt: skip

CARD = row("Cellar", cost=2, types="Action", actions=1, text="Discard any number of cards, then draw as many.")


@text(question(HAND, DISCARD, step=ANY_STEP, may=True, most=whole_hand, needs=picked_cards))
def cellar(game, me, step, action):
    pick(game, me, action)
    if action != PASS and may_pick(game, me, DISCARD, hand_size(game, me)) == WAITING:
        return WAITING
    discard_picked(game, me)
    draw_one_by_one(game, me, num_picked(game))
    return FINISHED
