from dominion_env.rules.words.vocabulary import (
    ASIDE, COPPER, FINISHED, GOLD, TRASH, TREASURE, WAITING, ask, card_of, discard_aside, gain, question, reveal_cards,
    revealed_cards, row, text, trash_revealed,
)  # fmt: skip

CARD = row(
    "Bandit", cost=5, types="Action - Attack", editions=(2,),
    gist="gain a Gold",
    text="Gain a Gold. Each other player reveals the top 2 cards of their deck, trashes a revealed Treasure of their "
    "choice other than Copper, and discards the rest.",
)  # fmt: skip

TRASHED = question(
    ASIDE, TRASH, types=TREASURE, barred=COPPER, needs=revealed_cards,
    words="trash one of the Treasures that you revealed",
)  # fmt: skip


@text
def bandit(game, me, step, action):
    gain(game, me, GOLD)
    return FINISHED


@text
def bandit_victim(game, victim, step, action):
    if step == 0:
        reveal_cards(game, victim, 2)
        if ask(game, victim, TRASHED) == WAITING:
            return WAITING
    else:
        trash_revealed(game, victim, card_of(action))
    discard_aside(game, victim)
    return FINISHED
