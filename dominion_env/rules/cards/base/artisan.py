from dominion_env.rules.words.vocabulary import (
    FINISHED, GAIN, HAND, OWNER, SUPPLY, TOPDECK, WAITING, ask, card_of, gain_to_hand, names_a_card, question, row,
    text, topdeck_from_hand, verb_of,
)  # fmt: skip

CARD = row(
    "Artisan", cost=6, types="Action", editions=(2,),
    gist="gain to hand, up to $5",
    text="Gain a card costing up to 5 to your hand. Then put a card from your hand onto your deck.",
)  # fmt: skip

GAINED = question(SUPPLY, GAIN, up_to=5, words="gain a card costing up to ${most} to your hand")
PUT_BACK = question(HAND, TOPDECK, step=range(1, 3))


@text
def artisan(game, me, step, action):
    if step == 0 and ask(game, me, GAINED) == WAITING:
        return WAITING
    if names_a_card(action):
        if verb_of(action) == TOPDECK:
            topdeck_from_hand(game, me, card_of(action), known_to=OWNER)
            return FINISHED
        gain_to_hand(game, me, card_of(action))
    return ask(game, me, PUT_BACK)
