from dominion_env.rules.vocabulary import (
    ANY, FINISHED, GAIN, HAND, SUPPLY, TRASH, card_of, cost_of, gain, must_choose, must_gain_for, question, row, text,
    trash_from_hand, up_to,
)  # fmt: skip

CARD = row(
    "Remodel", cost=4, types="Action",
    gist="trash, gain up to $2 more",
    text="Trash a card from your hand. Gain a card costing up to 2 more than it.",
)  # fmt: skip


@text(question(HAND, TRASH), question(SUPPLY, GAIN, step=2, above_trashed=2))
def remodel(game, me, step, action):
    if step == 0:
        return must_choose(game, me, TRASH, HAND, ANY)
    card = card_of(action)
    if step == 1:
        trash_from_hand(game, me, card)
        return must_gain_for(game, me, card, up_to(cost_of(game, card) + 2))
    gain(game, me, card)
    return FINISHED
