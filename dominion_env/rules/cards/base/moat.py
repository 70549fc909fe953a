from dominion_env.rules.words.vocabulary import FINISHED, be_unaffected, react_with, reaction, row

CARD = row(
    "Moat", cost=2, types="Action - Reaction", cards=2,
    text="When another player plays an Attack, you may reveal this from your hand: that play does not affect you.",
)  # fmt: skip


@reaction(words="reveal it, so that {card} does nothing to you, or don't")
def moat_reaction(game, me, step, action):
    react_with(game, me, CARD)
    be_unaffected(game, me)
    return FINISHED
