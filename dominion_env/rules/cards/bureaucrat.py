from dominion_env.rules.vocabulary import (
    ALL, FINISHED, HAND, SILVER, TOPDECK, VICTORY, WAITING, card_of, gain_onto_deck, must_choose, of_type, question,
    show_hand, text, topdeck_from_hand,
)  # fmt: skip


@text()
def bureaucrat(game, me, step, action):
    """Gain a Silver onto your deck."""
    gain_onto_deck(game, me, SILVER)
    return FINISHED


@text(question(HAND, TOPDECK, types=VICTORY))
def bureaucrat_victim(game, victim, step, action):
    """Reveal a Victory card from your hand and put it onto your deck, or show a hand without one."""
    if step == 0:
        if must_choose(game, victim, TOPDECK, HAND, of_type(VICTORY)) == WAITING:
            return WAITING
        show_hand(game, victim)
    else:
        topdeck_from_hand(game, victim, card_of(action), known_to=ALL)
    return FINISHED
