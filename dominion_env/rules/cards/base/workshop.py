from dominion_env.rules.words.vocabulary import FINISHED, GAIN, SUPPLY, ask, card_of, gain, question, row, text

CARD = row("Workshop", cost=3, types="Action", gist="gain up to $4", text="Gain a card costing up to 4.")

GAINED = question(SUPPLY, GAIN, up_to=4)


@text
def workshop(game, me, step, action):
    if step == 0:
        return ask(game, me, GAINED)
    gain(game, me, card_of(action))
    return FINISHED
