from dominion_env.rules.vocabulary import (
    COPPER, FINISHED, HAND, PASS, TRASH, card_of, choose_by_edition, only_card, question, row, text, trash_from_hand,
)  # fmt: skip

CARD = row(
    "Moneylender", cost=4, types="Action",
    gist="trash a Copper for +$3",
    text="Trash a Copper from your hand (second edition: you may). If you did, +3 coins.",
)  # fmt: skip


@text(question(HAND, TRASH, only=COPPER, may="in the second edition"))
def moneylender(game, me, step, action):
    if step == 0:
        return choose_by_edition(game, me, TRASH, HAND, only_card(COPPER))
    if action != PASS:
        trash_from_hand(game, me, card_of(action))
        game.coins += 3
    return FINISHED
