from dominion_env.rules.words.vocabulary import (
    DISCARD, FINISHED, PASS, WAITING, WHOLE_HAND, ask_to_pick, discard_picked, draw_one_by_one, num_picked, pick, picks,
    row, text,
)  # fmt: skip

CARD = row("Cellar", cost=2, types="Action", actions=1, text="Discard any number of cards, then draw as many.")

DISCARDED = picks(DISCARD, WHOLE_HAND, may=True, words="discard {cards}; you draw as many")


@text
def cellar(game, me, step, action):
    pick(game, me, action)
    if action != PASS and ask_to_pick(game, me, DISCARDED) == WAITING:
        return WAITING
    discard_picked(game, me)
    draw_one_by_one(game, me, num_picked(game))
    return FINISHED
