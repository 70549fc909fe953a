from dominion_env.rules.vocabulary import (
    FINISHED, GAIN, SUPPLY, card_of, gain, is_replay, must_choose, question, row, text, trash_from_play, up_to,
)  # fmt: skip

CARD = row(
    "Feast", cost=4, types="Action", editions=(1,),
    gist="trash this, gain up to $5",
    text="Trash this card. Gain a card costing up to 5.",
)  # fmt: skip


@text(question(SUPPLY, GAIN, up_to=5))
def feast(game, me, step, action):
    if step == 0:
        if not is_replay(game):  # the first of two plays has trashed it already
            trash_from_play(game, me, CARD)
        return must_choose(game, me, GAIN, SUPPLY, up_to(5))
    gain(game, me, card_of(action))
    return FINISHED
