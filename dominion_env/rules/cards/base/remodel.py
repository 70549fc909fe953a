from dominion_env.rules.words.vocabulary import (
    FINISHED, GAIN, HAND, SUPPLY, TRASH, ask, ask_to_gain_for, card_of, gain, question, row, text, trash_from_hand,
)  # fmt: skip

CARD = row(
    "Remodel", cost=4, types="Action",
    gist="trash, gain up to $2 more",
    text="Trash a card from your hand. Gain a card costing up to 2 more than it.",
)  # fmt: skip

TRASHED = question(HAND, TRASH, words="trash a card from your hand, and gain one costing up to $2 more")
GAINED = question(SUPPLY, GAIN, step=2, above_trashed=2)


@text
def remodel(game, me, step, action):
    if step == 0:
        return ask(game, me, TRASHED)
    card = card_of(action)
    if step == 1:
        trash_from_hand(game, me, card)
        return ask_to_gain_for(game, me, GAINED, card)
    gain(game, me, card)
    return FINISHED
