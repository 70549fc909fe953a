from dominion_env.rules.vocabulary import (
    FINISHED, HAND, PASS, TRASH, WAITING, in_all, may_pick, num_picked, pick, picked_cards, question, row, text,
    trash_picked,
)  # fmt: skip

CARD = row("Chapel", cost=2, types="Action", gist="trash up to 4 cards", text="Trash up to 4 cards from your hand.")


@text(question(HAND, TRASH, step=range(1, 5), may=True, most=in_all(4), needs=picked_cards))
def chapel(game, me, step, action):
    pick(game, me, action)
    if action != PASS and may_pick(game, me, TRASH, 4 - num_picked(game)) == WAITING:
        return WAITING
    trash_picked(game, me)
    return FINISHED
