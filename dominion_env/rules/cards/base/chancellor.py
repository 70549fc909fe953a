from dominion_env.rules.words.vocabulary import DECK, DISCARD_DECK, FINISHED, ask, discard_deck, question, row, text

CARD = row(
    "Chancellor", cost=3, types="Action", coins=2, editions=(1,),
    text="You may put your whole deck into your discard pile.",
)  # fmt: skip

WHOLE_DECK = question(DECK, may=True, words="put your whole deck into your discard pile, or keep it")


@text
def chancellor(game, me, step, action):
    if step == 0:
        return ask(game, me, WHOLE_DECK)
    if action == DISCARD_DECK:
        discard_deck(game, me)
    return FINISHED
