from dominion_env.rules.vocabulary import (
    ASIDE, COPPER, FINISHED, GOLD, TRASH, TREASURE, WAITING, both, card_of, discard_aside, except_card, gain,
    must_choose, of_type, question, reveal_cards, revealed_cards, text, trash_revealed,
)  # fmt: skip


@text()
def bandit(game, me, step, action):
    """Gain a Gold."""
    gain(game, me, GOLD)
    return FINISHED


@text(question(ASIDE, TRASH, types=TREASURE, barred=COPPER, needs=revealed_cards))
def bandit_victim(game, victim, step, action):
    """Reveal the top 2 cards of your deck, trash a revealed Treasure other than Copper, discard the rest."""
    if step == 0:
        reveal_cards(game, victim, 2)
        if must_choose(game, victim, TRASH, ASIDE, both(of_type(TREASURE), except_card(COPPER))) == WAITING:
            return WAITING
    else:
        trash_revealed(game, victim, card_of(action))
    discard_aside(game, victim)
    return FINISHED
