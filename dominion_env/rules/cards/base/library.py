from dominion_env.rules.words.vocabulary import (
    ACTION, AGAIN, ANY_STEP, FINISHED, NONE, NOTHING, PASS, SET_ASIDE, SUBJECT, action_looked_at, ask_about,
    discard_aside, hand_size, has_type, keep_looked_at, look_and_draw_unless, question, row, set_aside_looked_at, text,
)  # fmt: skip

CARD = row(
    "Library", cost=5, types="Action",
    gist="draw up to 7 in hand",
    text="Draw until you have 7 cards in hand. You may set aside each Action as you draw it; discard these afterwards.",
)  # fmt: skip

LEFT_OUT = question(
    SUBJECT, SET_ASIDE, step=ANY_STEP, may=True, needs=action_looked_at, words="set aside {card}, or keep it"
)


@text
def library(game, me, step, action):
    if action == PASS:
        keep_looked_at(game, me)
    elif action != NOTHING:
        set_aside_looked_at(game, me)
    if hand_size(game, me) < 7:
        card = look_and_draw_unless(game, me, ACTION)
        if card != NONE:
            return ask_about(game, me, LEFT_OUT, card) if has_type(card, ACTION) else AGAIN
    discard_aside(game, me)
    return FINISHED
