from dominion_env.rules.vocabulary import (
    ANY, FINISHED, GAIN, HAND, OWNER, SUPPLY, TOPDECK, WAITING, card_of, gain_to_hand, must_choose, names_a_card,
    question, row, text, topdeck_from_hand, up_to, verb_of,
)  # fmt: skip

CARD = row(
    "Artisan", cost=6, types="Action", editions=(2,),
    gist="gain to hand, up to $5",
    text="Gain a card costing up to 5 to your hand. Then put a card from your hand onto your deck.",
)  # fmt: skip


@text(question(SUPPLY, GAIN, up_to=5), question(HAND, TOPDECK, step=range(1, 3)))
def artisan(game, me, step, action):
    if step == 0 and must_choose(game, me, GAIN, SUPPLY, up_to(5)) == WAITING:
        return WAITING
    if names_a_card(action):
        if verb_of(action) == TOPDECK:
            topdeck_from_hand(game, me, card_of(action), known_to=OWNER)
            return FINISHED
        gain_to_hand(game, me, card_of(action))
    return must_choose(game, me, TOPDECK, HAND, ANY)
