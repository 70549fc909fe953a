from dominion_env.rules.words.vocabulary import FINISHED, draw, row, text

CARD = row("Council Room", cost=5, types="Action", cards=4, buys=1, text="Each other player draws a card.")


@text
def council_room(game, me, step, action):
    for distance in range(1, game.num_players):
        draw(game, (me + distance) % game.num_players)
    return FINISHED
