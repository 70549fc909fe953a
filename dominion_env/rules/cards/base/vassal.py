from dominion_env.rules.vocabulary import (
    ACTION, FINISHED, PASS, PLAY, SUBJECT, action_on_discard_pile, card_of, discard_top, has_type, may_do, play,
    put_into_play_from_discard, question, row, text,
)  # fmt: skip

CARD = row(
    "Vassal", cost=3, types="Action", coins=2, editions=(2,),
    text="Discard the top card of your deck. If it is an Action card, you may play it.",
)  # fmt: skip


@text(question(SUBJECT, PLAY, may=True, needs=action_on_discard_pile))
def vassal(game, me, step, action):
    if step == 0:
        card = discard_top(game, me)
        return may_do(game, me, PLAY, card) if has_type(card, ACTION) else FINISHED
    if action != PASS:
        put_into_play_from_discard(game, me, card_of(action))
        play(game, me, card_of(action))
    return FINISHED
