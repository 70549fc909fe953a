from dominion_env.rules.words.vocabulary import (
    ALL_ASIDE, ASIDE, DISCARD, FINISHED, NOTHING, SUBJECT, THE_LAST, TOPDECK, TRASH, aside, ask_about_next, ask_several,
    card_of, first_answer, look_at_cards, looked_at_cards, num_aside, one_of_two_answered, place_looked_at, question,
    remember, row, text,
)  # fmt: skip

CARD = row(
    "Sentry", cost=5, types="Action", cards=1, actions=1, editions=(2,),
    text="Look at the top 2 cards of your deck. Trash any of them, discard any of them, put the rest back in any "
    "order.",
)  # fmt: skip

FIRST = question(
    ASIDE, TRASH, DISCARD, TOPDECK, most=ALL_ASIDE, needs=looked_at_cards,
    words=(
        "trash, discard or put back the card that you looked at",
        "trash, discard or put back the {number} cards that you looked at, one by one; of two put back, the second lies on top",
    ),
)  # fmt: skip
SECOND = question(
    SUBJECT, TRASH, DISCARD, TOPDECK, step=2, most=THE_LAST, needs=one_of_two_answered(TRASH, DISCARD, TOPDECK),
    words="trash, discard or put back {card} (before: {before})",
)  # fmt: skip


@text
def sentry(game, me, step, action):
    if step == 0:
        look_at_cards(game, me, 2)
        return ask_several(game, me, FIRST, picks=0, most=num_aside(game))
    if step == 1 and num_aside(game) == 2:
        older, newer = aside(game, me, cards=2, i=0), aside(game, me, cards=2, i=1)
        other = newer if card_of(action) == older else older
        remember(game, action)
        return ask_about_next(game, me, SECOND, other, picks=1)
    first = action if step == 1 else first_answer(game)
    second = NOTHING if step == 1 else action
    for verb in (TRASH, DISCARD, TOPDECK):  # the card named last is put back last
        place_looked_at(game, me, verb, first, second)
    return FINISHED
