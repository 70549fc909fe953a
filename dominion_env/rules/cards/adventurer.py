from dominion_env.rules.vocabulary import (
    AGAIN, FINISHED, TREASURE, discard_aside, num_revealed, put_revealed_into_hand, reveal_cards, text,
)  # fmt: skip


@text()
def adventurer(game, me, step, action):
    """Reveal cards from your deck until two Treasures have come. Put these into your hand, discard the others."""
    if num_revealed(game, me, TREASURE) < 2 and reveal_cards(game, me, 1) > 0:
        return AGAIN
    put_revealed_into_hand(game, me, TREASURE)
    discard_aside(game, me)
    return FINISHED
