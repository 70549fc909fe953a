from dominion_env.rules.words.vocabulary import (
    ACTION, FINISHED, PASS, PLAY, SUBJECT, action_on_discard_pile, ask_about, card_of, discard_top, has_type, play,
    put_into_play_from_discard, question, row, text,
)  # fmt: skip

CARD = row(
    "Vassal", cost=3, types="Action", coins=2, editions=(2,),
    text="Discard the top card of your deck. If it is an Action card, you may play it.",
)  # fmt: skip

PLAYED = question(
    SUBJECT, PLAY, may=True, needs=action_on_discard_pile, words="play {card} that you discarded, or don't"
)


@text
def vassal(game, me, step, action):
    if step == 0:
        card = discard_top(game, me)
        return ask_about(game, me, PLAYED, card) if has_type(card, ACTION) else FINISHED
    if action != PASS:
        put_into_play_from_discard(game, me, card_of(action))
        play(game, me, card_of(action))
    return FINISHED
