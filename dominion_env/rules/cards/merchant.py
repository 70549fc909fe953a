from dominion_env.rules.vocabulary import FINISHED, text


@text()
def merchant(game, me, step, action):
    """The first Silver that you play this turn gives 1 coin more (see `play.play_treasures`)."""
    game.merchants += 1
    return FINISHED
