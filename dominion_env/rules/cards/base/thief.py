from dominion_env.rules.words.vocabulary import (
    ALL_LOOT, ASIDE, FINISHED, GAIN, LOOT, PASS, TRASH, TREASURE, WAITING, ask, ask_several, card_of, discard_aside,
    forget_loot, gain_loot, loot_size, names_a_card, one_for_each_victim, question, reveal_cards, revealed_cards, row,
    text, trash_as_loot,
)  # fmt: skip

CARD = row(
    "Thief", cost=4, types="Action - Attack", editions=(1,),
    gist="steal Treasures",
    text="Each other player reveals the top 2 cards of their deck; you choose a Treasure among them, which is trashed, "
    "and the rest is discarded. You may gain any of the cards trashed this way.",
)  # fmt: skip

TRASHED = question(
    ASIDE, TRASH, types=TREASURE, asks_attacker=True, needs=revealed_cards, words="trash one of {whose} Treasures"
)
GAINED = question(
    LOOT, GAIN, step=range(1, 6), may=True, most=ALL_LOOT, needs=one_for_each_victim,
    words="gain any of the Treasures that were trashed, one by one",
)  # fmt: skip


@text
def thief(game, me, step, action):
    """Begin with no loot; each other player comes first."""
    forget_loot(game)
    return FINISHED


@text
def thief_victim(game, victim, step, action):
    if step == 0:
        reveal_cards(game, victim, 2)
        if ask(game, victim, TRASHED) == WAITING:
            return WAITING
    else:
        trash_as_loot(game, victim, card_of(action))
    discard_aside(game, victim)
    return FINISHED


@text
def thief_aftermath(game, me, step, action):
    if names_a_card(action):
        gain_loot(game, me, card_of(action))
    if action != PASS and ask_several(game, me, GAINED, picks=step, most=loot_size(game)) == WAITING:
        return WAITING
    forget_loot(game)
    return FINISHED
