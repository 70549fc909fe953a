from dominion_env.rules.vocabulary import FINISHED, draw, text


@text()
def council_room(game, me, step, action):
    """Each other player draws a card."""
    for distance in range(1, game.num_players):
        draw(game, (me + distance) % game.num_players)
    return FINISHED
