from dominion_env.rules.words.vocabulary import (
    FINISHED, PASS, TRASH, WAITING, ask_to_pick, in_all, pick, picks, row, text, trash_picked,
)  # fmt: skip

CARD = row("Chapel", cost=2, types="Action", gist="trash up to 4 cards", text="Trash up to 4 cards from your hand.")

TRASHED = picks(TRASH, in_all(4), may=True)


@text
def chapel(game, me, step, action):
    pick(game, me, action)
    if action != PASS and ask_to_pick(game, me, TRASHED) == WAITING:
        return WAITING
    trash_picked(game, me)
    return FINISHED
