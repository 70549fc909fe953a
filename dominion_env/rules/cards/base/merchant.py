from dominion_env.rules.words.vocabulary import FINISHED, row, text

CARD = row(
    "Merchant", cost=3, types="Action", cards=1, actions=1, editions=(2,),
    text="The first Silver that you play this turn gives 1 coin more.",
)  # fmt: skip


@text
def merchant(game, me, step, action):
    game.merchants += 1  # paid by `play_treasures` in `words/play.py`
    return FINISHED
