from dominion_env.rules.vocabulary import (
    ALL, FINISHED, HAND, SILVER, TOPDECK, VICTORY, WAITING, card_of, gain_onto_deck, must_choose, of_type, question,
    row, show_hand, text, topdeck_from_hand,
)  # fmt: skip

CARD = row(
    "Bureaucrat", cost=4, types="Action - Attack",
    gist="gain a Silver onto deck",
    text="Gain a Silver onto your deck. Each other player reveals a Victory card from their hand and puts it onto "
    "their deck, or shows a hand without one.",
)  # fmt: skip


@text()
def bureaucrat(game, me, step, action):
    gain_onto_deck(game, me, SILVER)
    return FINISHED


@text(question(HAND, TOPDECK, types=VICTORY))
def bureaucrat_victim(game, victim, step, action):
    if step == 0:
        if must_choose(game, victim, TOPDECK, HAND, of_type(VICTORY)) == WAITING:
            return WAITING
        show_hand(game, victim)
    else:
        topdeck_from_hand(game, victim, card_of(action), known_to=ALL)
    return FINISHED
