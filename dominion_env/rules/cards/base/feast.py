from dominion_env.rules.words.vocabulary import (
    FINISHED, GAIN, SUPPLY, ask, card_of, gain, is_replay, question, row, text, trash_from_play,
)  # fmt: skip

CARD = row(
    "Feast", cost=4, types="Action", editions=(1,),
    gist="trash this, gain up to $5",
    text="Trash this card. Gain a card costing up to 5.",
)  # fmt: skip

GAINED = question(SUPPLY, GAIN, up_to=5)


@text
def feast(game, me, step, action):
    if step == 0:
        if not is_replay(game):  # the first of two plays has trashed it already
            trash_from_play(game, me, CARD)
        return ask(game, me, GAINED)
    gain(game, me, card_of(action))
    return FINISHED
