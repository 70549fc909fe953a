from dominion_env.rules.vocabulary import FINISHED, GAIN, SUPPLY, card_of, gain, must_choose, question, row, text, up_to

CARD = row("Workshop", cost=3, types="Action", gist="gain up to $4", text="Gain a card costing up to 4.")


@text(question(SUPPLY, GAIN, up_to=4))
def workshop(game, me, step, action):
    if step == 0:
        return must_choose(game, me, GAIN, SUPPLY, up_to(4))
    gain(game, me, card_of(action))
    return FINISHED
