from dominion_env.rules.vocabulary import (
    DISCARD, FINISHED, SUBJECT, TOPDECK, attacker_must_do_one_of, card_of, discard_aside, newest_aside, one_of,
    question, reveal_cards, revealed_subject, row, text, topdeck_revealed, verb_of,
)  # fmt: skip

CARD = row(
    "Spy", cost=4, types="Action - Attack", cards=1, actions=1, editions=(1,),
    text="Each player, you included, reveals the top card of their deck; you choose whether it is discarded or put "
    "back.",
)  # fmt: skip

_EITHER = one_of(DISCARD, TOPDECK)


@text(question(SUBJECT, DISCARD, TOPDECK, asks_attacker=True, needs=revealed_subject))
def spy_each_player(game, victim, step, action):
    if step == 0:
        if reveal_cards(game, victim, 1) == 0:
            return FINISHED
        return attacker_must_do_one_of(game, victim, _EITHER, newest_aside(game, victim))
    if verb_of(action) == DISCARD:
        discard_aside(game, victim)
    else:
        topdeck_revealed(game, victim, card_of(action))
    return FINISHED
