from dominion_env.rules.vocabulary import FINISHED, MOAT, be_unaffected, react_with, text


@text()
def moat_reaction(game, me, step, action):
    """When another player plays an Attack, you may reveal this from your hand: that play does not affect you."""
    react_with(game, me, MOAT)
    be_unaffected(game, me)
    return FINISHED
