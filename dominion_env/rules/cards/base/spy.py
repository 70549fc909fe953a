from dominion_env.rules.words.vocabulary import (
    DISCARD, FINISHED, SUBJECT, TOPDECK, ask_about, card_of, discard_aside, newest_aside, question, reveal_cards,
    revealed_subject, row, text, topdeck_revealed, verb_of,
)  # fmt: skip

CARD = row(
    "Spy", cost=4, types="Action - Attack", cards=1, actions=1, editions=(1,),
    text="Each player, you included, reveals the top card of their deck; you choose whether it is discarded or put "
    "back.",
)  # fmt: skip

REVEALED = question(
    SUBJECT,
    DISCARD,
    TOPDECK,
    asks_attacker=True,
    needs=revealed_subject,
    words="discard {whose} {card}, or put it back",
)


@text
def spy_each_player(game, victim, step, action):
    if step == 0:
        if reveal_cards(game, victim, 1) == 0:
            return FINISHED
        return ask_about(game, victim, REVEALED, newest_aside(game, victim))
    if verb_of(action) == DISCARD:
        discard_aside(game, victim)
    else:
        topdeck_revealed(game, victim, card_of(action))
    return FINISHED
