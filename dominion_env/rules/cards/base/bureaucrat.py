from dominion_env.rules.words.vocabulary import (
    ALL, FINISHED, HAND, SILVER, TOPDECK, VICTORY, WAITING, ask, card_of, gain_onto_deck, question, row, show_hand,
    text, topdeck_from_hand,
)  # fmt: skip

CARD = row(
    "Bureaucrat", cost=4, types="Action - Attack",
    gist="gain a Silver onto deck",
    text="Gain a Silver onto your deck. Each other player reveals a Victory card from their hand and puts it onto "
    "their deck, or shows a hand without one.",
)  # fmt: skip

PUT_BACK = question(HAND, TOPDECK, types=VICTORY)


@text
def bureaucrat(game, me, step, action):
    gain_onto_deck(game, me, SILVER)
    return FINISHED


@text
def bureaucrat_victim(game, victim, step, action):
    if step == 0:
        if ask(game, victim, PUT_BACK) == WAITING:
            return WAITING
        show_hand(game, victim)
    else:
        topdeck_from_hand(game, victim, card_of(action), known_to=ALL)
    return FINISHED
