from dominion_env.rules.words.vocabulary import (
    AGAIN, FINISHED, TREASURE, discard_aside, num_revealed, put_revealed_into_hand, reveal_cards, row, text,
)  # fmt: skip

CARD = row(
    "Adventurer", cost=6, types="Action", editions=(1,),
    gist="draw 2 Treasures",
    text="Reveal cards from your deck until two Treasures have come. Put these into your hand, discard the others.",
)  # fmt: skip


@text
def adventurer(game, me, step, action):
    if num_revealed(game, me, TREASURE) < 2 and reveal_cards(game, me, 1) > 0:
        return AGAIN
    put_revealed_into_hand(game, me, TREASURE)
    discard_aside(game, me)
    return FINISHED
