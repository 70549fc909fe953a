from dominion_env.rules.vocabulary import (
    ASIDE, DISCARD, FINISHED, NOTHING, SUBJECT, TOPDECK, TRASH, all_aside, aside, card_of, first_answer, look_at_cards,
    looked_at_cards, must_do_one_of, must_sort, num_aside, one_of, one_of_two_answered, place_looked_at, question,
    remember, row, text, the_last,
)  # fmt: skip

CARD = row(
    "Sentry", cost=5, types="Action", cards=1, actions=1, editions=(2,),
    text="Look at the top 2 cards of your deck. Trash any of them, discard any of them, put the rest back in any "
    "order.",
)  # fmt: skip

_ONE_OF_THREE = one_of(TRASH, DISCARD, TOPDECK)


@text(
    question(ASIDE, TRASH, DISCARD, TOPDECK, most=all_aside, needs=looked_at_cards),
    question(
        SUBJECT, TRASH, DISCARD, TOPDECK, step=2, most=the_last, needs=one_of_two_answered(TRASH, DISCARD, TOPDECK)
    ),
)
def sentry(game, me, step, action):
    if step == 0:
        look_at_cards(game, me, 2)
        return must_sort(game, me, _ONE_OF_THREE, num_aside(game))
    if step == 1 and num_aside(game) == 2:
        older, newer = aside(game, me, cards=2, i=0), aside(game, me, cards=2, i=1)
        other = newer if card_of(action) == older else older
        remember(game, action)
        return must_do_one_of(game, me, _ONE_OF_THREE, other, picks=1)
    first = action if step == 1 else first_answer(game)
    second = NOTHING if step == 1 else action
    for verb in (TRASH, DISCARD, TOPDECK):  # the card named last is put back last
        place_looked_at(game, me, verb, first, second)
    return FINISHED
