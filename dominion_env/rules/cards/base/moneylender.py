from dominion_env.rules.words.vocabulary import (
    COPPER, FINISHED, HAND, PASS, TRASH, ask, card_of, question, row, text, trash_from_hand,
)  # fmt: skip

CARD = row(
    "Moneylender", cost=4, types="Action",
    gist="trash a Copper for +$3",
    text="Trash a Copper from your hand (second edition: you may). If you did, +3 coins.",
)  # fmt: skip

TRASHED = question(
    HAND, TRASH, only=COPPER, may="in the second edition", words="trash a Copper from your hand for $3, or don't"
)


@text
def moneylender(game, me, step, action):
    if step == 0:
        return ask(game, me, TRASHED)
    if action != PASS:
        trash_from_hand(game, me, card_of(action))
        game.coins += 3
    return FINISHED
