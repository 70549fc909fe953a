from dominion_env.rules.vocabulary import (
    FINISHED, GAIN, HAND, PASS, SUPPLY, TRASH, TREASURE, both, card_of, choose_by_edition, cost_of, gain_to_hand,
    must_gain_for, of_type, question, row, text, trash_from_hand, up_to,
)  # fmt: skip

CARD = row(
    "Mine", cost=5, types="Action",
    gist="Treasure into a better one",
    text="Trash a Treasure from your hand (second edition: you may). If you did, gain a Treasure costing up to 3 more "
    "to your hand.",
)  # fmt: skip


@text(
    question(HAND, TRASH, types=TREASURE, may="in the second edition"),
    question(SUPPLY, GAIN, step=2, types=TREASURE, above_trashed=3),
)
def mine(game, me, step, action):
    if step == 0:
        return choose_by_edition(game, me, TRASH, HAND, of_type(TREASURE))
    if action == PASS:
        return FINISHED
    card = card_of(action)
    if step == 1:
        trash_from_hand(game, me, card)
        return must_gain_for(game, me, card, both(of_type(TREASURE), up_to(cost_of(game, card) + 3)))
    gain_to_hand(game, me, card)
    return FINISHED
