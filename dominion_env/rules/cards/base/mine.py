from dominion_env.rules.words.vocabulary import (
    FINISHED, GAIN, HAND, PASS, SUPPLY, TRASH, TREASURE, ask, ask_to_gain_for, card_of, gain_to_hand, question, row,
    text, trash_from_hand,
)  # fmt: skip

CARD = row(
    "Mine", cost=5, types="Action",
    gist="Treasure into a better one",
    text="Trash a Treasure from your hand (second edition: you may). If you did, gain a Treasure costing up to 3 more "
    "to your hand.",
)  # fmt: skip

TRASHED = question(
    HAND, TRASH, types=TREASURE, may="in the second edition",
    words="{may}trash a Treasure from your hand, and gain a better one",
)  # fmt: skip
GAINED = question(
    SUPPLY, GAIN, step=2, types=TREASURE, above_trashed=3,
    words="gain a Treasure costing up to ${most} to your hand (you trashed {card})",
)  # fmt: skip


@text
def mine(game, me, step, action):
    if step == 0:
        return ask(game, me, TRASHED)
    if action == PASS:
        return FINISHED
    card = card_of(action)
    if step == 1:
        trash_from_hand(game, me, card)
        return ask_to_gain_for(game, me, GAINED, card)
    gain_to_hand(game, me, card)
    return FINISHED
