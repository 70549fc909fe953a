from dominion_env.rules.vocabulary import (
    ASIDE, FINISHED, GAIN, LOOT, PASS, TRASH, TREASURE, WAITING, all_loot, attacker_must_choose, card_of, discard_aside,
    forget_loot, gain_loot, loot_size, may_choose_several, names_a_card, of_type, one_for_each_victim, question,
    reveal_cards, revealed_cards, row, text, trash_as_loot,
)  # fmt: skip

CARD = row(
    "Thief", cost=4, types="Action - Attack", editions=(1,),
    gist="steal Treasures",
    text="Each other player reveals the top 2 cards of their deck; you choose a Treasure among them, which is trashed, "
    "and the rest is discarded. You may gain any of the cards trashed this way.",
)  # fmt: skip


@text()
def thief(game, me, step, action):
    """Begin with no loot; each other player comes first."""
    forget_loot(game)
    return FINISHED


@text(question(ASIDE, TRASH, types=TREASURE, asks_attacker=True, needs=revealed_cards))
def thief_victim(game, victim, step, action):
    if step == 0:
        reveal_cards(game, victim, 2)
        if attacker_must_choose(game, victim, TRASH, ASIDE, of_type(TREASURE)) == WAITING:
            return WAITING
    else:
        trash_as_loot(game, victim, card_of(action))
    discard_aside(game, victim)
    return FINISHED


@text(question(LOOT, GAIN, step=range(1, 6), may=True, most=all_loot, needs=one_for_each_victim))
def thief_aftermath(game, me, step, action):
    if names_a_card(action):
        gain_loot(game, me, card_of(action))
    if action != PASS and may_choose_several(game, me, GAIN, LOOT, step, loot_size(game)) == WAITING:
        return WAITING
    forget_loot(game)
    return FINISHED
