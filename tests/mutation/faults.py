"""The faults: those of the rules, each of which breaks one rule by one small edit, and with them those of `outside.py`.

`old` must occur exactly once in its file (`test_faults.py`), so that an edit of the core that moves it is noticed; the
same fault then goes into the new text. A fault must change what a player can do, get or see: a fault that nobody could
notice in a game does not test the tests.
"""

from __future__ import annotations

from tests.mutation.fault import Fault
from tests.mutation.outside import OUTSIDE


def _near(*files: str) -> tuple[str, ...]:
    return files


_BASE = "dominion_env/rules/cards/base/"
_ADVENTURER = _BASE + "adventurer.py"
_ARTISAN = _BASE + "artisan.py"
_BANDIT = _BASE + "bandit.py"
_BUREAUCRAT = _BASE + "bureaucrat.py"
_CELLAR = _BASE + "cellar.py"
_CHANCELLOR = _BASE + "chancellor.py"
_CHAPEL = _BASE + "chapel.py"
_COUNCIL_ROOM = _BASE + "council_room.py"
_FEAST = _BASE + "feast.py"
_HARBINGER = _BASE + "harbinger.py"
_LIBRARY = _BASE + "library.py"
_MERCHANT = _BASE + "merchant.py"
_MILITIA = _BASE + "militia.py"
_MINE = _BASE + "mine.py"
_MOAT = _BASE + "moat.py"
_MONEYLENDER = _BASE + "moneylender.py"
_POACHER = _BASE + "poacher.py"
_REMODEL = _BASE + "remodel.py"
_SENTRY = _BASE + "sentry.py"
_SPY = _BASE + "spy.py"
_THIEF = _BASE + "thief.py"
_THRONE_ROOM = _BASE + "throne_room.py"
_VASSAL = _BASE + "vassal.py"
_WITCH = _BASE + "witch.py"
_WORKSHOP = _BASE + "workshop.py"
_CARDS = "dominion_env/tables/cards.py"
_DECISIONS = "dominion_env/rules/words/decisions.py"
_EVENTS = "dominion_env/rules/events.py"
_KNOWLEDGE = "dominion_env/rules/knowledge.py"
_PLAY = "dominion_env/rules/words/play.py"
_RANDOM = "dominion_env/rules/record/streams.py"
_REWARDS = "dominion_env/core/rewards.py"
_SCORING = "dominion_env/rules/scoring.py"
_SETUP = "dominion_env/rules/turns/setup.py"
_EFFECTS = "dominion_env/rules/turns/effects.py"
_STATE = "dominion_env/rules/record/state.py"
_TEXTS = "dominion_env/rules/words/texts.py"
_TURN = "dominion_env/rules/turns/turn.py"
_ZONES = "dominion_env/rules/zones.py"

_SEEN = _near("rules/knowledge")
_MOATS = _near("cards/moat", "rules/attacks_and_reactions")

TEXTS = (
    Fault("Adventurer stops at the first Treasure", _ADVENTURER, "< 2 and", "< 1 and"),
    Fault("Adventurer stops at the third Treasure", _ADVENTURER, "< 2 and", "< 3 and"),
    Fault(
        "Adventurer counts Victory cards", _ADVENTURER, "num_revealed(game, me, TREASURE)", "num_revealed(game, me, 4)"
    ),
    Fault(
        "Adventurer keeps Victory cards",
        _ADVENTURER,
        "put_revealed_into_hand(game, me, TREASURE)",
        "put_revealed_into_hand(game, me, 4)",
    ),
    Fault("Artisan gains up to 4", _ARTISAN, "up_to=5", "up_to=4"),
    Fault("Artisan gains up to 6", _ARTISAN, "up_to=5", "up_to=6"),
    Fault("Artisan shows the card that is put back", _ARTISAN, "known_to=OWNER)", "known_to=2)"),
    Fault(
        "Artisan puts nothing back if nothing can be gained",
        _ARTISAN,
        "    if step == 0 and ask(game, me, GAINED) == WAITING:\n        return WAITING\n",
        "    if step == 0:\n        return ask(game, me, GAINED)\n",
    ),
    Fault("Bandit gains a Silver", _BANDIT, "gain(game, me, GOLD)", "gain(game, me, 1)"),
    Fault("Bandit's victim may lose a Copper", _BANDIT, " barred=COPPER,", ""),
    Fault(
        "Bandit's victim reveals one card", _BANDIT, "reveal_cards(game, victim, 2)", "reveal_cards(game, victim, 1)"
    ),
    Fault("Bandit chooses for the victim", _BANDIT, "ask(game, victim,", "ask(game, game.turn_player,"),
    Fault("Bandit's victim may trash any card", _BANDIT, " types=TREASURE, barred=COPPER,", ""),
    Fault("Bureaucrat gains a Gold", _BUREAUCRAT, "gain_onto_deck(game, me, SILVER)", "gain_onto_deck(game, me, 2)"),
    Fault("Bureaucrat takes any card of the hand", _BUREAUCRAT, ", types=VICTORY", ""),
    Fault("Bureaucrat's victim need not show their hand", _BUREAUCRAT, "        show_hand(game, victim)\n", ""),
    Fault(
        "Bureaucrat's Victory card is seen by its owner alone",
        _BUREAUCRAT,
        "known_to=ALL)",
        "known_to=1)",
    ),
    Fault("Cellar draws one card less", _CELLAR, "me, num_picked(game))", "me, max(0, num_picked(game) - 1))"),
    Fault("Cellar draws one card more", _CELLAR, "me, num_picked(game))", "me, num_picked(game) + 1)"),
    Fault(
        "Cellar discards three cards at most",
        _CELLAR,
        "if action != PASS and ask",
        "if action != PASS and num_picked(game) < 3 and ask",
    ),
    Fault("Chancellor must discard the deck", _CHANCELLOR, "if action == DISCARD_DECK:", "if action >= 0:"),
    Fault("Chapel trashes three cards at most", _CHAPEL, "in_all(4)", "in_all(3)"),
    Fault("Chapel trashes five cards at most", _CHAPEL, "in_all(4)", "in_all(5)"),
    Fault(
        "Council Room's player draws a fifth card",
        _COUNCIL_ROOM,
        "range(1, game.num_players)",
        "range(game.num_players)",
    ),
    Fault(
        "Council Room gives the left neighbour alone a card",
        _COUNCIL_ROOM,
        "range(1, game.num_players)",
        "range(1, min(2, game.num_players))",
    ),
    Fault("Feast gains up to 6", _FEAST, "up_to=5", "up_to=6"),
    Fault("Feast gains up to 4", _FEAST, "up_to=5", "up_to=4"),
    Fault("Feast is not trashed", _FEAST, "            trash_from_play(game, me, CARD)", "            pass"),
    Fault("Feast played twice trashes another Feast in play", _FEAST, "if not is_replay(game):", "if step == 0:"),
    Fault("Harbinger offers Actions only", _HARBINGER, "TOPDECK, may=True", "TOPDECK, types=1, may=True"),
    Fault("Harbinger puts nothing back", _HARBINGER, "if action != PASS:", "if action < PASS:"),
    Fault("Library draws up to 6", _LIBRARY, "hand_size(game, me) < 7", "hand_size(game, me) < 6"),
    Fault("Library draws up to 8", _LIBRARY, "hand_size(game, me) < 7", "hand_size(game, me) < 8"),
    Fault("Library looks at Treasures too", _LIBRARY, "unless(game, me, ACTION)", "unless(game, me, 3)"),
    Fault(
        "Library keeps Actions beside the hand without asking",
        _LIBRARY,
        "if has_type(card, ACTION) else",
        "if has_type(card, 0) else",
    ),
    Fault(
        "Library shows every card that it draws",
        _TEXTS,
        "mark_of(entry) == ALL)",
        "True)",
        _near("cards/library", "rules/knowledge"),
    ),
    Fault("several Merchants count as one", _MERCHANT, "game.merchants += 1", "game.merchants = 1"),
    Fault("Militia leaves two cards", _MILITIA, "down_to(3)", "down_to(2)"),
    Fault("Militia leaves four cards", _MILITIA, "down_to(3)", "down_to(4)"),
    Fault("Mine gains up to 2 more", _MINE, "above_trashed=3", "above_trashed=2"),
    Fault("Mine gains up to 6 more", _MINE, "above_trashed=3", "above_trashed=6"),
    Fault(
        "Mine gains any card",
        _MINE,
        " types=TREASURE, above",
        " above",
    ),
    Fault("Mine trashes any card", _MINE, " types=TREASURE, may", " may"),
    Fault("Moneylender gives 2 coins", _MONEYLENDER, "game.coins += 3", "game.coins += 2"),
    Fault("Moneylender trashes any Treasure", _MONEYLENDER, "only=COPPER", "types=2"),
    Fault(
        "Moneylender pays although nothing was trashed",
        _MONEYLENDER,
        "        game.coins += 3",
        "    game.coins += 3 * (step > 0)",
    ),
    Fault(
        "Poacher counts one empty pile less",
        _TEXTS,
        "zones.empty_piles(game) - num",
        "zones.empty_piles(game) - 1 - num",
    ),
    Fault(
        "Poacher wants more cards than the hand holds",
        _TEXTS,
        "    left = min(left, hand_size(game, player))\n",
        "",
        _near("cards/poacher"),
    ),
    Fault("Remodel gains up to 3 more", _REMODEL, "above_trashed=2", "above_trashed=3"),
    Fault("Remodel gains up to 1 more", _REMODEL, "above_trashed=2", "above_trashed=1"),
    Fault(
        "Remodel cannot gain what was trashed",
        _DECISIONS,
        "question >> _WHICH_AT | up_to(limit)",
        "question >> _WHICH_AT | up_to(limit) | (int(trashed) + 1) << 24",
    ),
    Fault("Sentry looks at one card", _SENTRY, "look_at_cards(game, me, 2)", "look_at_cards(game, me, 1)"),
    Fault("Sentry cannot discard", _SENTRY, "ASIDE, TRASH, DISCARD, TOPDECK,", "ASIDE, TRASH, TOPDECK,"),
    Fault(
        "Sentry does not ask about the second card",
        _SENTRY,
        "if step == 1 and num_aside(game) == 2:",
        "if step == 1 and num_aside(game) == 3:",
    ),
    Fault("Sentry asks twice about the first card", _SENTRY, "other = newer if", "other = older if"),
    Fault(
        "Sentry discards before trashing",
        _SENTRY,
        "for verb in (TRASH, DISCARD, TOPDECK):",
        "for verb in (DISCARD, TRASH, TOPDECK):",
    ),
    Fault(
        "Spy's victim decides",
        _SPY,
        " asks_attacker=True,",
        "",
        _near("cards/spy"),
    ),
    Fault("Spy discards what should be put back", _SPY, "verb_of(action) == DISCARD", "verb_of(action) == TOPDECK"),
    Fault(
        "Spy's revealed card is forgotten",
        _ZONES,
        "    put_on_deck(game, player, card, ALL)\n",
        "    put_on_deck(game, player, card, NOBODY)\n",
        _near("cards/spy"),
    ),
    Fault("Thief sees three cards", _THIEF, "reveal_cards(game, victim, 2)", "reveal_cards(game, victim, 3)"),
    Fault(
        "Thief's victim chooses",
        _THIEF,
        " asks_attacker=True,",
        "",
        _near("cards/thief"),
    ),
    Fault("Thief trashes any card", _THIEF, " types=TREASURE,", ""),
    Fault("Thief gains one card at most", _THIEF, "if action != PASS and ask", "if step == 0 and ask"),
    Fault("Thief gains nothing", _TEXTS, "    game.loot[card] += 1\n", "", _near("cards/thief")),
    Fault("Thief may gain a card again and again", _TEXTS, "    game.loot[card] -= 1\n", "", _near("cards/thief")),
    Fault(
        "Thief's question does not name the victim",
        _DECISIONS,
        "    if attacker_chooses:\n        game.target = player\n",
        "",
        _near("cards/thief"),
    ),
    Fault("Throne Room plays the card once", _THRONE_ROOM, "if action == PASS:", "if action == PASS or step == 2:"),
    Fault("Throne Room plays any card", _THRONE_ROOM, " types=ACTION,", ""),
    Fault(
        "Throne Room takes an action for the second play",
        _THRONE_ROOM,
        "    play_again(",
        "    game.actions -= 1\n    play_again(",
    ),
    Fault(
        "Vassal leaves the played card in the discard pile",
        _VASSAL,
        "        put_into_play_from_discard(game, me, card_of(action))\n",
        "",
    ),
    Fault(
        "Vassal takes an action", _VASSAL, "        play(game, me,", "        game.actions -= 1\n        play(game, me,"
    ),
    Fault("Vassal may play Treasures", _VASSAL, "has_type(card, ACTION)", "has_type(card, 3)"),
    Fault("Witch hands out Coppers", _WITCH, "gain(game, victim, CURSE)", "gain(game, victim, 0)"),
    Fault("Workshop gains up to 3", _WORKSHOP, "up_to=4", "up_to=3"),
    Fault("Workshop gains up to 5", _WORKSHOP, "up_to=4", "up_to=5"),
)

NUMBERS = (
    Fault("Silver costs 2", _BASE + "silver.py", "cost=3", "cost=2", _near("rules/buy_phase")),
    Fault("Witch costs 4", _WITCH, "cost=5", "cost=4", _near("rules/buy_phase")),
    Fault("Gold gives 2 coins", _BASE + "gold.py", "coins=3", "coins=2", _near("cards/treasures")),
    Fault("Duchy is worth 2 points", _BASE + "duchy.py", "points=3", "points=2", _near("cards/victory_cards")),
    Fault("Curse costs no point", _BASE + "curse.py", "points=-1", "points=0"),
    Fault("Gardens can be played", _BASE + "gardens.py", '"Victory"', '"Action - Victory"'),
    Fault("Village gives 1 action", _BASE + "village.py", "actions=2", "actions=1"),
    Fault("Market gives no buy", _BASE + "market.py", "buys=1, ", ""),
    Fault("Laboratory draws 1 card", _BASE + "laboratory.py", "cards=2", "cards=1"),
    Fault("Smithy draws 2 cards", _BASE + "smithy.py", "cards=3", "cards=2"),
    Fault("Council Room gives no buy", _COUNCIL_ROOM, ", buys=1", ""),
    Fault("Militia gives 1 coin", _MILITIA, "coins=2", "coins=1"),
    Fault("Bureaucrat is no Attack", _BUREAUCRAT, '"Action - Attack"', '"Action"'),
    Fault(
        "+Buys are read from the column of +Actions",
        _CARDS,
        "PLUS_BUYS = _column([info.buys",
        "PLUS_BUYS = _column([info.actions",
        _near("cards/market"),
    ),
)

PHASES = (
    Fault("a turn starts with two actions", _TURN, "game.actions = 1", "game.actions = 2", _near("rules/action_phase")),
    Fault(
        "buys left over are kept",
        _TURN,
        "    game.buys = 1\n",
        "    game.buys = max(1, int(game.buys))\n",
        _near("rules/clean_up", "rules/buy_phase"),
    ),
    Fault("coins left over are kept", _TURN, "    game.coins = 0\n", "", _near("rules/buy_phase", "rules/clean_up")),
    Fault(
        "Merchants count in the next turn too",
        _TURN,
        "    game.merchants = 0\n",
        "",
        _near("cards/merchant", "rules/clean_up"),
    ),
    Fault(
        "the first Silver counts once a game",
        _TURN,
        "    game.silver_played = 0\n",
        "",
        _near("cards/merchant", "rules/clean_up"),
    ),
    Fault(
        "after the first buy no Treasure is ever played again",
        _TURN,
        "    game.bought = 0\n",
        "",
        _near("rules/buy_phase"),
    ),
    Fault(
        "playing an Action uses no action", _TURN, "            game.actions -= 1\n", "", _near("rules/action_phase")
    ),
    Fault("a buy costs nothing", _TURN, "        game.coins -= cost_of(game, card)\n", "", _near("rules/buy_phase")),
    Fault("buying uses no buy", _TURN, "        game.buys -= 1\n", "", _near("rules/buy_phase")),
    Fault("Treasures may be played after a buy", _TURN, "        game.bought = 1\n", "", _near("rules/buy_phase")),
    Fault(
        "the engine plays Treasures after a buy",
        _TURN,
        "game.auto_treasures and not game.bought",
        "game.auto_treasures",
        _near("rules/buy_phase"),
    ),
    Fault(
        "turns go counter-clockwise",
        _TURN,
        "(me + 1) % game.num_players",
        "(me + game.num_players - 1) % game.num_players",
        _near("rules/clean_up"),
    ),
    Fault("the next hand has six cards", _TURN, "HAND_SIZE = 5", "HAND_SIZE = 6", _near("rules/clean_up")),
    Fault(
        "the limit of turns is one too many",
        _TURN,
        "game.turns[player] >= game.max_turns",
        "game.turns[player] > game.max_turns",
        _near("rules/game_end"),
    ),
    Fault(
        "the first Silver gives 1 coin for all Merchants together",
        _PLAY,
        "game.coins += game.merchants",
        "game.coins += min(1, int(game.merchants))",
        _near("cards/merchant"),
    ),
    Fault("every Silver counts for Merchant", _PLAY, " and not game.silver_played", "", _near("cards/merchant")),
    Fault(
        "the bonuses of a card come without its coins",
        _PLAY,
        "    game.coins += PLUS_COINS[card]\n\n",
        "\n",
        _near("cards/market"),
    ),
    Fault(
        "nobody draws at Clean-up", _TURN, "    zones.draw_cards(game, me, HAND_SIZE)\n", "", _near("rules/clean_up")
    ),
    Fault(
        "the end is checked before the new hand is drawn",
        _TURN,
        "    zones.draw_cards(game, me, HAND_SIZE)\n    reason = why_ended(game)\n",
        "    reason = why_ended(game)\n    if reason == NOT_ENDED:\n        zones.draw_cards(game, me, HAND_SIZE)\n",
        _near("rules/game_end"),
    ),
)

END = (
    Fault(
        "Provinces do not end the game",
        _TURN,
        "if zones.pile_is_empty(game, _PROVINCE):",
        "if zones.pile_is_empty(game, _PROVINCE) and game.turns[0] < 0:",
        _near("rules/game_end"),
    ),
    Fault(
        "it takes four piles with two players",
        _STATE,
        "[0, 3, 3, 3, 3, 4, 4]",
        "[0, 4, 4, 4, 4, 4, 4]",
        _near("rules/game_end"),
    ),
    Fault(
        "it takes three piles with five players",
        _STATE,
        "[0, 3, 3, 3, 3, 4, 4]",
        "[0, 3, 3, 3, 3, 3, 4]",
        _near("rules/game_end"),
    ),
    Fault(
        "it takes four piles with four players",
        _STATE,
        "[0, 3, 3, 3, 3, 4, 4]",
        "[0, 3, 3, 3, 4, 4, 4]",
        _near("rules/game_end"),
    ),
    Fault(
        "an empty pile is not counted",
        _ZONES,
        "NUM_PILES - how_many(",
        "NUM_PILES - 1 - how_many(",
        _near("rules/game_end"),
    ),
    Fault("Gardens need 11 cards each", _SCORING, "cards // 10", "cards // 11", _near("rules/scoring")),
    Fault(
        "Gardens are rounded up",
        _SCORING,
        "(cards // 10)",
        "((cards + 9) // 10)",
        _near("rules/scoring"),
    ),
    Fault(
        "all Gardens together score once",
        _SCORING,
        "gardens * (cards",
        "min(1, gardens) * (cards",
        _near("rules/scoring"),
    ),
    Fault(
        "turns do not break a tie",
        _SCORING,
        "game.turns[other] < game.turns[player]",
        "game.turns[other] < 0",
        _near("rules/game_end", "rules/scoring"),
    ),
    Fault(
        "of tied players the one with more turns wins",
        _SCORING,
        "game.turns[other] < game.turns[player]",
        "game.turns[other] > game.turns[player]",
        _near("rules/game_end", "rules/scoring"),
    ),
    Fault(
        "a tie has no winner",
        _SCORING,
        "if theirs > mine or (",
        "if (theirs >= mine and other != player) or (",
        _near("rules/game_end", "rules/scoring"),
    ),
    Fault(
        "gained cards count for nobody",
        _ZONES,
        "    game.owned[player, card] += 1\n\n\n@primitive\ndef into_trash",
        "\n\n@primitive\ndef into_trash",
        _near("rules/scoring", "cards/victory_cards"),
    ),
    Fault(
        "trashed cards still count",
        _ZONES,
        "    game.owned[player, card] -= 1\n",
        "",
        _near("rules/scoring", "cards/chapel"),
    ),
)

ATTACKS = (
    Fault(
        "an Attack's bonuses come before the windows",
        _PLAY,
        "        push(game, effect, card, me, 0)\n        push(game, WINDOWS, card, me, 0)\n",
        "        push(game, WINDOWS, card, me, 0)\n        push(game, effect, card, me, 0)\n",
        _MOATS,
    ),
    Fault(
        "the victims come before the attacker's own part",
        _PLAY,
        "        push(game, EACH_PLAYER, card, me, 0)\n        push(game, effect, card, me, 0)\n",
        "        push(game, effect, card, me, 0)\n        push(game, EACH_PLAYER, card, me, 0)\n",
        _near("cards/bandit", "cards/spy", "rules/attacks_and_reactions"),
    ),
    Fault(
        "Thief gains before the last victim",
        _PLAY,
        "        push(game, AFTERMATH, card, me, 0)\n        push(game, EACH_PLAYER, card, me, 0)\n",
        "        push(game, EACH_PLAYER, card, me, 0)\n        push(game, AFTERMATH, card, me, 0)\n",
        _near("cards/thief"),
    ),
    Fault("a revealed Moat does nothing", _MOAT, "    be_unaffected(game, me)\n", ""),
    Fault(
        "one Moat protects everybody",
        _TEXTS,
        "game.immune |= 1 << player",
        "game.immune |= 255 & ~(1 << int(game.turn_player))",
        _MOATS,
    ),
    Fault(
        "a declined Moat protects all the same",
        _EFFECTS,
        "        if action == PASS:\n",
        "        if action == PASS:\n            game.immune |= 1 << holder\n",
        _MOATS,
    ),
    Fault(
        "the attacker's own Moat is asked for",
        _EFFECTS,
        "range(stack.distance_so_far(game) + 1, game.num_players)",
        "range(stack.distance_so_far(game) + 1, game.num_players + 1)",
        _MOATS,
    ),
    Fault(
        "only the left neighbour may reveal a Moat",
        _EFFECTS,
        "range(stack.distance_so_far(game) + 1, game.num_players)",
        "range(stack.distance_so_far(game) + 1, min(2, int(game.num_players)))",
        _MOATS,
    ),
    Fault(
        "Moats are asked for from the right",
        _EFFECTS,
        "holder = (attacker + distance) % game.num_players",
        "holder = (attacker + game.num_players - distance) % game.num_players",
        _MOATS,
    ),
    Fault(
        "every player is asked for a Moat",
        _EFFECTS,
        "int(game.hand_set[holder]) & _REACTIONS",
        "_REACTIONS",
        _MOATS,
    ),
    Fault(
        "victims come in the wrong order",
        _EFFECTS,
        "stack.push(game, stack.VICTIM, attack, (attacker + distance) % game.num_players, 0)",
        "stack.push(game, stack.VICTIM, attack, (attacker + game.num_players - distance) % game.num_players, 0)",
        _near("rules/attacks_and_reactions", "cards/witch"),
    ),
    Fault(
        "Spy leaves himself out",
        _EFFECTS,
        "ON_THE_ATTACKER_TOO), 0, 1)",
        "ON_THE_ATTACKER_TOO), 1, 1)",
        _near("cards/spy"),
    ),
    Fault(
        "Witch curses herself too",
        _EFFECTS,
        "ON_THE_ATTACKER_TOO), 0, 1)",
        "[*ON_THE_ATTACKER_TOO, 36]), 0, 1)",
        _near("cards/witch"),
    ),
    Fault(
        "a Moat that was declined is told to all",
        _EFFECTS,
        "reaction, 1, only(holder), only(holder))",
        "reaction, 1, 255, 255)",
        _SEEN,
    ),
    Fault(
        "a revealed Moat is forgotten",
        _ZONES,
        "    knowledge.seen_in_hand(game, player, card, 1)\n",
        "",
        _MOATS,
    ),
    Fault(
        "the windows do not name the Attack",
        _DECISIONS,
        "only_card(reaction), 1, int(attack)",
        "only_card(reaction), 1, NONE",
        _MOATS,
    ),
    Fault(
        "a deep stack of effects is cut off",
        _STATE,
        "MAX_EFFECTS = MAX_COPIES + 9",
        "MAX_EFFECTS = 9",
        _near("cards/throne_room"),
    ),
)

QUESTIONS = (
    Fault(
        "Actions are played without actions",
        _DECISIONS,
        "if game.actions > 0:",
        "if game.actions >= 0:",
        _near("rules/action_phase"),
    ),
    Fault(
        "buys are made without buys",
        _DECISIONS,
        " if game.buys > 0 else 0",
        " if game.buys >= 0 else 0",
        _near("rules/buy_phase"),
    ),
    Fault(
        "Treasures are offered after a buy",
        _DECISIONS,
        "return 0 if game.bought else",
        "return 0 if game.bought > 1 else",
        _near("rules/buy_phase"),
    ),
    Fault(
        "a card is bought for one coin less",
        _DECISIONS,
        "costing_up_to(game, game.coins)",
        "costing_up_to(game, int(game.coins) + 1)",
        _near("rules/buy_phase"),
    ),
    Fault(
        "limits of cost are one too high",
        _DECISIONS,
        "costing_up_to(game, limit - 1)",
        "costing_up_to(game, limit)",
        _near("cards/workshop"),
    ),
    Fault(
        "no attention is paid to types",
        _DECISIONS,
        "types == 0 or TYPES[card] & types",
        "types >= 0",
        _near("cards/mine"),
    ),
    Fault(
        "the second wording holds in the first edition",
        _DECISIONS,
        "int(game.edition) - 1",
        "1",
        _near("cards/throne_room", "cards/mine"),
    ),
    Fault(
        "the first wording holds in the second edition",
        _DECISIONS,
        "int(game.edition) - 1",
        "0",
        _near("cards/throne_room", "cards/mine"),
    ),
    Fault(
        "questions without a candidate are asked",
        _DECISIONS,
        "game.num_legal > optional",
        "game.num_legal > 0",
        _near("cards/harbinger", "cards/moneylender"),
    ),
    Fault(
        "any number of cards means at least one",
        _DECISIONS,
        "    game.min_left = 0 if optional else most\n",
        "    game.min_left = 0 if optional and picks == 0 else most\n",
        _near("cards/cellar", "cards/chapel"),
    ),
    Fault(
        "how many must still be chosen is told wrong",
        _DECISIONS,
        "0 if optional else most",
        "0 if optional else 1",
        _near("cards/militia"),
    ),
    Fault(
        "how many may still be chosen is told wrong",
        _DECISIONS,
        "game.max_left = most",
        "game.max_left = 1 if optional else most",
        _near("cards/chapel", "cards/cellar"),
    ),
    Fault(
        "a question names the victim of the one before",
        _DECISIONS,
        "    game.target = NO_SEAT\n",
        "",
        _near("cards/thief", "cards/spy"),
    ),
    Fault(
        "an empty pile is offered",
        _DECISIONS,
        "        return int(game.supply_set)\n",
        "        return int(game.supply_set) | 1 << 6\n",
        _near("cards/workshop", "cards/remodel"),
    ),
    Fault(
        "Treasures to play are not counted among the choices",
        _DECISIONS,
        " + how_many(treasures)",
        "",
        _near("rules/buy_phase"),
    ),
    Fault(
        "a forced answer is lost while the log is emptied",
        _TURN,
        "                game.answer_is_due = 1\n",
        "",
        _near("properties/events"),
    ),
    Fault(
        "passing is offered where it is not",
        _DECISIONS,
        "1 << PASS if game.optional else 0",
        "1 << PASS",
        _near("cards/militia"),
    ),
    Fault(
        "the first copy of each kind is never drawn first",
        _ZONES,
        "stop\n        candidate = lowest(cards)\n        card = candidate if left >= 0 else",
        "stop\n        candidate = lowest(cards)\n        card = candidate if left > 0 else",
        _near("rules/shuffling", "reference/lockstep"),
    ),
    Fault(
        "decisions with one answer are always asked",
        _TURN,
        "game.num_legal > 1 or game.ask_forced",
        "game.num_legal > 0",
        _near("rules/action_phase"),
    ),
    Fault(
        "decisions with one answer are never asked",
        _TURN,
        "game.num_legal > 1 or game.ask_forced",
        "game.num_legal > 1",
        _near("rules/action_phase"),
    ),
    Fault(
        "Sentry is told that one card is left to sort",
        _SENTRY,
        "most=num_aside(game)",
        "most=1",
        _near("cards/sentry"),
    ),
    Fault(
        "picks made are not counted",
        _TEXTS,
        "question, num_picked(game), left)",
        "question, 0, left)",
        _near("cards/militia", "cards/poacher", "rules/knowledge"),
    ),
    Fault(
        "the second questions of Mine and Remodel do not name the trashed card",
        _DECISIONS,
        "up_to(limit), int(trashed)",
        "up_to(limit), NONE",
        _near("cards/mine", "cards/remodel"),
    ),
    Fault(
        "the engine plays Treasures in another order",
        _TURN,
        "(int(Card.COPPER), int(Card.SILVER), int(Card.GOLD))",
        "(int(Card.GOLD), int(Card.SILVER), int(Card.COPPER))",
        _near("rules/buy_phase"),
    ),
)

ZONES = (
    Fault(
        "a deck is shuffled as soon as it is empty",
        _ZONES,
        "        game.top_size[player] = size - 1\n",
        "        game.top_size[player] = size - 1\n        if size == 1 and game.bag_size[player] == 0:\n"
        "            shuffle(game, player)\n",
        _near("rules/shuffling"),
    ),
    Fault(
        "a deck is never shuffled",
        _ZONES,
        "        if game.discard_size[player] == 0:\n            return NONE\n        shuffle(game, player)\n",
        "        return NONE\n",
        _near("rules/shuffling"),
    ),
    Fault(
        "the deck is not shuffled: the lowest card comes first",
        _ZONES,
        "left = below(game, player, int(game.bag_size[player]))",
        "left = 0",
        _near("rules/shuffling"),
    ),
    Fault(
        "of a shuffled deck each kind is equally likely",
        _ZONES,
        "left = below(game, player, int(game.bag_size[player]))",
        "left = below(game, player, int(game.bag_size[player])) // 2",
        _near("rules/shuffling"),
    ),
    Fault(
        "a gain from an empty pile succeeds",
        _ZONES,
        "    if game.supply[card] > 0:\n        _gain(",
        "    if game.supply[card] > -9:\n        _gain(",
        _near("cards/witch", "cards/bandit"),
    ),
    Fault(
        "a gain onto the deck from an empty pile succeeds",
        _ZONES,
        "    if game.supply[card] > 0:\n        out_of_supply(game, player, card)\n        size",
        "    if game.supply[card] > -9:\n        out_of_supply(game, player, card)\n        size",
        _near("cards/bureaucrat"),
    ),
    Fault(
        "gains go beneath the discard pile's top card",
        _ZONES,
        "    onto_discard(game, player, card)\n"
        "    knowledge.seen_entering_discard(game, player, card)\n"
        "    note(game, event, player",
        "    onto_discard(game, player, card)\n    at = int(game.discard_size[player]) - 1\n    if at > 0:\n"
        "        game.pile[player, at] = game.pile[player, at - 1]\n        game.pile[player, at - 1] = card\n"
        "    knowledge.seen_entering_discard(game, player, card)\n    note(game, event, player",
        _near("rules/buy_phase"),
    ),
    Fault(
        "Chancellor leaves the bottom card of the deck",
        _ZONES,
        "while draw_pile_size(game, player) > 0:",
        "while draw_pile_size(game, player) > 1:",
        _near("cards/chancellor"),
    ),
    Fault(
        "Vassal and Harbinger take the oldest copy",
        _ZONES,
        "    at = int(game.discard_size[player]) - 1\n"
        "    while at > 0 and game.pile[player, at] != card:\n"
        "        at -= 1\n",
        "    at = 0\n    while game.pile[player, at] != card:\n        at += 1\n",
        _near("cards/vassal", "cards/harbinger"),
    ),
    Fault(
        "taking a card out of the discard pile mixes up the rest",
        _ZONES,
        "    for i in range(at, int(game.discard_size[player])):\n"
        "        game.pile[player, i] = game.pile[player, i + 1]\n",
        "    game.pile[player, at] = game.pile[player, game.discard_size[player]]\n",
        _near("cards/harbinger"),
    ),
    Fault(
        "revealed cards are discarded the other way round",
        _ZONES,
        "        card = aside(game, player, cards, i)\n        onto_discard",
        "        card = aside(game, player, cards, cards - 1 - i)\n        onto_discard",
        _near("cards/adventurer", "cards/thief"),
    ),
    Fault(
        "chosen cards are discarded the other way round",
        _ZONES,
        "onto_discard(game, player, aside(game, player, cards, i))",
        "onto_discard(game, player, aside(game, player, cards, cards - 1 - i))",
        _near("cards/cellar", "cards/militia"),
    ),
    Fault(
        "Sentry's cards are placed the other way round",
        _ZONES,
        "for card in (first, second):",
        "for card in (second, first):",
        _near("cards/sentry"),
    ),
    Fault(
        "at Clean-up the cards in play are laid the other way round",
        _ZONES,
        "card = int(game.table[player, i])",
        "card = int(game.table[player, in_play - 1 - i])",
        _near("rules/clean_up"),
    ),
    Fault(
        "the cards in play stay there",
        _ZONES,
        "    in_play = int(game.play_size[player])\n    for i in range(in_play):",
        "    in_play = int(game.play_size[player])\n    for i in range(0):",
        _near("rules/clean_up"),
    ),
    Fault(
        "a Treasure played lies on the table twice",
        _ZONES,
        "    for _ in range(copies):\n        into_play",
        "    into_play(game, player, card) if card < 3 else None\n    for _ in range(copies):\n        into_play",
        _near("rules/buy_phase"),
    ),
    Fault(
        "of several Treasures played at once one lies on the table",
        _ZONES,
        "    for _ in range(copies):\n        into_play",
        "    for _ in range(1):\n        into_play",
        _near("rules/buy_phase"),
    ),
    Fault(
        "of several Treasures played at once one leaves the hand",
        _ZONES,
        "    game.hand[player, card] -= copies\n",
        "    game.hand[player, card] -= 1\n",
        _near("rules/buy_phase"),
    ),
    Fault(
        "of several Treasures played at once one leaves what is known of the hand",
        _KNOWLEDGE,
        "int(game.known_hand[player, card]) - copies)\n\n\n@rule",
        "int(game.known_hand[player, card]) - 1)\n\n\n@rule",
        _near("rules/knowledge", "rules/buy_phase"),
    ),
    Fault(
        "the Buy phase ends with Treasures that could be played and no Buy",
        _TURN,
        "cards_to_buy(game) | treasures_to_play(game, me)",
        "cards_to_buy(game)",
        _near("rules/buy_phase"),
    ),
    Fault(
        "passing alone is not asked in the Buy phase either",
        _TURN,
        "        if game.ask_forced or cards_to_buy(game)",
        "        if cards_to_buy(game)",
        _near("rules/buy_phase"),
    ),
    Fault(
        "when a game ends without a question in the Buy phase it is still an opponent who was asked last",
        _TURN,
        "        game.asked = me\n        return clean_up",
        "        return clean_up",
        _near("rules/game_end"),
    ),
    Fault("what Thief gains stays in the trash too", _ZONES, "    game.trash[card] -= 1\n", "", _near("cards/thief")),
    Fault(
        "+N Cards stops one short",
        _ZONES,
        "    for _ in range(cards):\n        if not draw",
        "    for _ in range(cards - (cards > 1)):\n        if not draw",
        _near("cards/smithy"),
    ),
)

KNOWLEDGE = (
    Fault(
        "drawn cards are shown to all",
        _ZONES,
        "note(game, events.DRAW, player, card, 1, EVERYONE, EVERYONE if all_knew else only(player))",
        "note(game, events.DRAW, player, card, 1, EVERYONE, EVERYONE)",
        _SEEN,
    ),
    Fault(
        "a card drawn from a place that all knew is forgotten",
        _ZONES,
        "    if all_knew:\n        knowledge.seen_entering_hand",
        "    if False:\n        knowledge.seen_entering_hand",
        _near("cards/village", "rules/knowledge"),
    ),
    Fault(
        "a card drawn that its owner alone knew is known to all",
        _ZONES,
        "mark_of(entry) == ALL)\n    return True",
        "mark_of(entry) > 0)\n    return True",
        _near("cards/village", "rules/knowledge"),
    ),
    Fault(
        "what is put onto the deck is always shown",
        _ZONES,
        "EVERYONE, EVERYONE if known_to == ALL else only(player))",
        "EVERYONE, EVERYONE)",
        _SEEN,
    ),
    Fault(
        "cards that Chancellor turns over are forgotten",
        _ZONES,
        "        if all_knew:\n            knowledge.seen_entering_discard(game, player, bottom)\n",
        "",
        _near("rules/knowledge"),
    ),
    Fault(
        "the top card that Chancellor leaves does not count as known",
        _ZONES,
        "    if cards > 0 and not all_knew:\n        knowledge.seen_entering_discard(game, player, bottom)\n",
        "",
        _near("cards/chancellor", "rules/knowledge"),
    ),
    Fault(
        "what Harbinger takes is betrayed by what is known",
        _ZONES,
        "    knowledge.unseen_leaving_discard(game, player)\n",
        "    knowledge.seen_leaving_discard(game, player, card)\n",
        _SEEN,
    ),
    Fault(
        "what Harbinger puts back is known to all",
        _ZONES,
        "    put_on_deck(game, player, card, OWNER)\n    if top_of_discard",
        "    put_on_deck(game, player, card, ALL)\n    if top_of_discard",
        _near("cards/harbinger", "rules/knowledge"),
    ),
    Fault(
        "the card beneath the one that Harbinger takes does not count as known",
        _ZONES,
        "        knowledge.top_of_discard_is_seen(game, player, top_of_discard(game, player))\n    put_on_deck",
        "        pass\n    put_on_deck",
        _near("rules/knowledge"),
    ),
    Fault(
        "the card that Vassal plays still counts in the discard pile",
        _ZONES,
        "    knowledge.seen_leaving_discard(game, player, card)\n",
        "",
        _near("cards/vassal"),
    ),
    Fault(
        "the card that Vassal discards is not known",
        _ZONES,
        "    onto_discard(game, player, card)\n"
        "    knowledge.seen_entering_discard(game, player, card)\n"
        "    note(game, events.DISCARD, player, card",
        "    onto_discard(game, player, card)\n    note(game, events.DISCARD, player, card",
        _near("cards/vassal", "cards/spy"),
    ),
    Fault(
        "a card gained to hand is not known there",
        _ZONES,
        "        knowledge.seen_entering_hand(game, player, card)\n        note(game, events.GAIN_TO_HAND",
        "        note(game, events.GAIN_TO_HAND",
        _near("cards/mine", "cards/artisan"),
    ),
    Fault(
        "Bureaucrat's Silver on the deck is not known",
        _ZONES,
        "= marked(card, ALL)",
        "= marked(card, NOBODY)",
        _near("cards/bureaucrat"),
    ),
    Fault(
        "a card trashed from hand still counts as known there",
        _ZONES,
        "    knowledge.seen_leaving_hand(game, player, card, 1)\n    into_trash(game, player, card)\n\n",
        "    into_trash(game, player, card)\n\n",
        _near("cards/remodel", "cards/moneylender", "cards/mine"),
    ),
    Fault(
        "cards that Chapel trashes still count as known in hand",
        _ZONES,
        "        knowledge.seen_leaving_hand(game, player, card, 1)\n        into_trash",
        "        into_trash",
        _near("cards/chapel", "rules/knowledge"),
    ),
    Fault(
        "a card played from hand still counts as known there",
        _ZONES,
        "    knowledge.seen_leaving_hand(game, player, card, copies)\n    for",
        "    for",
        _near("cards/moat", "rules/knowledge"),
    ),
    Fault(
        "of a hand that is shown one copy of each card is remembered",
        _ZONES,
        "knowledge.seen_in_hand(game, player, card, copies)",
        "knowledge.seen_in_hand(game, player, card, 1)",
        _near("cards/bureaucrat", "rules/knowledge"),
    ),
    Fault(
        "what Artisan puts back is betrayed by what is known",
        _ZONES,
        "        knowledge.unseen_leaving_hand(game, player, 1)\n",
        "        knowledge.seen_leaving_hand(game, player, card, 1)\n",
        _near("cards/artisan", "rules/knowledge"),
    ),
    Fault(
        "a card that all knew is hidden again when its owner looks at it",
        _ZONES,
        "REVEALED if mark_of(entry) == ALL else LOOKED_AT",
        "LOOKED_AT",
        _near("cards/sentry", "cards/library"),
    ),
    Fault(
        "cards that Sentry looks at are shown to all",
        _ZONES,
        "EVERYONE, only(player))\n    return card_in(entry)",
        "EVERYONE, EVERYONE)\n    return card_in(entry)",
        _SEEN,
    ),
    Fault(
        "what Sentry puts back is known to all",
        _ZONES,
        "                put_on_deck(game, player, card, OWNER)",
        "                put_on_deck(game, player, card, ALL)",
        _near("cards/sentry"),
    ),
    Fault(
        "cards are seen while they are chosen",
        _ZONES,
        "note(game, events.CHOOSE, player, card, 1, only(player), only(player))",
        "note(game, events.CHOOSE, player, card, 1, EVERYONE, EVERYONE)",
        _SEEN,
    ),
    Fault(
        "cards discarded face down stay known in hand",
        _ZONES,
        "    knowledge.unseen_leaving_hand(game, player, cards - 1)\n",
        "",
        _SEEN,
    ),
    Fault(
        "the top one of several discards counts as unseen",
        _ZONES,
        "knowledge.unseen_leaving_hand(game, player, cards - 1)",
        "knowledge.unseen_leaving_hand(game, player, cards)",
        _SEEN,
    ),
    Fault(
        "the top one of several discards is not known",
        _ZONES,
        "    knowledge.seen_entering_discard(game, player, last)\n",
        "",
        _SEEN,
    ),
    Fault(
        "a card that Library keeps is shown to all",
        _ZONES,
        "note(game, events.KEEP, player, card, 1, only(player), only(player))",
        "note(game, events.KEEP, player, card, 1, EVERYONE, EVERYONE)",
        _SEEN,
    ),
    Fault(
        "a kept Library card counts as known",
        _ZONES,
        "int(game.aside_size[player])]) == REVEALED",
        "int(game.aside_size[player])]) > 0",
        _near("cards/library", "rules/knowledge"),
    ),
    Fault(
        "the hand's top card at Clean-up does not count as known",
        _ZONES,
        "    if in_play == 0 and highest != NONE and highest_known == 0:",
        "    if in_play < 0:",
        _near("rules/clean_up"),
    ),
    Fault(
        "the hand's top card at Clean-up is counted twice",
        _ZONES,
        "highest != NONE and highest_known == 0",
        "highest != NONE",
        _near("rules/clean_up", "rules/knowledge"),
    ),
    Fault(
        "cards that were in play are forgotten at Clean-up",
        _ZONES,
        "        knowledge.seen_entering_discard(game, player, card)\n    game.discard_size[player] = at + in_play",
        "    game.discard_size[player] = at + in_play",
        _near("rules/clean_up", "rules/knowledge"),
    ),
    Fault(
        "what was known of the hand is forgotten at Clean-up",
        _KNOWLEDGE,
        "    game.known_discard[player, card] += game.known_hand[player, card]\n",
        "",
        _SEEN,
    ),
    Fault(
        "after Clean-up the old hand still counts as known",
        _KNOWLEDGE,
        "    game.known_hand[player, card] = 0\n",
        "",
        _SEEN,
    ),
    Fault(
        "a second reveal adds to what is known",
        _KNOWLEDGE,
        "        game.known_hand[player, card] = copies\n",
        "        game.known_hand[player, card] += copies\n",
        _SEEN,
    ),
    Fault(
        "a reveal lowers what is known",
        _KNOWLEDGE,
        "    if game.known_hand[player, card] < copies:\n",
        "    if copies > 0:\n",
        _MOATS,
    ),
    Fault(
        "several cards that leave unseen count as one",
        _KNOWLEDGE,
        "int(game.known_hand[player, card]) - cards)",
        "int(game.known_hand[player, card]) - 1)",
        _SEEN,
    ),
    Fault(
        "cards that leave unseen are forgotten for good",
        _KNOWLEDGE,
        "max(0, int(game.known_hand[player, card]) - cards)",
        "0",
        _SEEN,
    ),
    Fault(
        "after a shuffle the discard pile is still known",
        _KNOWLEDGE,
        "        game.known_discard[player, card] = 0\n",
        "        pass\n",
        _near("rules/shuffling", "rules/knowledge"),
    ),
    Fault(
        "an unseen card leaves what is known of the discard pile alone",
        _KNOWLEDGE,
        "        if game.known_discard[player, card] > 0:\n            game.known_discard[player, card] -= 1\n",
        "        pass\n",
        _SEEN,
    ),
    Fault(
        "a card that comes to light counts a second time",
        _KNOWLEDGE,
        "    if game.known_discard[player, card] < 1:\n        game.known_discard[player, card] = 1",
        "    if game.known_discard[player, card] >= 0:\n        game.known_discard[player, card] += 1",
        _near("cards/vassal", "cards/harbinger", "rules/knowledge"),
    ),
    Fault("events of a long effect are lost", _EVENTS, "ROOM = NUM_CARDS + 5", "ROOM = 0", _SEEN),
    Fault(
        "the second play by Throne Room is not told",
        _PLAY,
        "    note(game, events.PLAY, me, card, 1, EVERYONE, EVERYONE)\n",
        "    if effect == TEXT:\n        note(game, events.PLAY, me, card, 1, EVERYONE, EVERYONE)\n",
        _near("cards/throne_room", "rules/knowledge"),
    ),
    Fault(
        "a gain from the trash is told as one from the Supply",
        _ZONES,
        "note(game, events.GAIN_FROM_TRASH,",
        "note(game, events.GAIN,",
        _SEEN,
    ),
    Fault(
        "what Harbinger uncovers is told even if it looks the same",
        _ZONES,
        "    if top_of_discard(game, player) != seen_before:\n",
        "    if seen_before != NONE:\n",
        _SEEN,
    ),
    Fault(
        "a Moat does not last until the Attack is over",
        _EFFECTS,
        "    if distance >= game.num_players:\n        return FINISHED\n",
        "    if distance >= game.num_players:\n        game.immune = 0\n        return FINISHED\n",
        _SEEN,
    ),
    Fault(
        "a gain is told as a buy",
        _ZONES,
        "_gain(game, player, card, events.GAIN)",
        "_gain(game, player, card, events.BUY)",
        _near("cards/witch", "cards/workshop", "rules/knowledge"),
    ),
    Fault(
        "several discards are told as one",
        _ZONES,
        "note(game, events.DISCARD, player, last, cards, EVERYONE",
        "note(game, events.DISCARD, player, last, 1, EVERYONE",
        _SEEN,
    ),
    Fault(
        "Sentry looks at cards unnoticed",
        _ZONES,
        "    note(game, events.LOOK_AT, player, card_in(entry), 1, EVERYONE, only(player))\n",
        "",
        _SEEN,
    ),
    Fault(
        "how many cards are shuffled is not told",
        _ZONES,
        "NO_CARD, cards, EVERYONE, 0)",
        "NO_CARD, 0, EVERYONE, 0)",
        _near("rules/shuffling", "rules/knowledge"),
    ),
    Fault(
        "how many cards Chancellor turns over is not told",
        _ZONES,
        "note(game, events.DISCARD_DECK, player, bottom, cards",
        "note(game, events.DISCARD_DECK, player, bottom, 1",
        _near("cards/chancellor", "rules/knowledge"),
    ),
    Fault(
        "a card set aside by Library is not told",
        _ZONES,
        "    note(game, events.SET_ASIDE, player, card, 1, EVERYONE, EVERYONE)\n",
        "",
        _near("cards/library", "rules/knowledge"),
    ),
)

SETUP = (
    Fault("five players have the Coppers of one box", _SETUP, "(120 if n > 4", "(120 if n > 5", _near("rules/setup")),
    Fault("five players have the Silvers of one box", _SETUP, "80 if n > 4", "80 if n > 5", _near("rules/setup")),
    Fault("six players have the Golds of one box", _SETUP, "60 if n > 4 else 30", "30", _near("rules/setup")),
    Fault(
        "three players have 8 Estates",
        _SETUP,
        "Card.ESTATE: [8 if n <= 2",
        "Card.ESTATE: [8 if n <= 3",
        _near("rules/setup"),
    ),
    Fault(
        "two players have 12 Duchies",
        _SETUP,
        "Card.DUCHY: [8 if n <= 2",
        "Card.DUCHY: [8 if n <= 1",
        _near("rules/setup"),
    ),
    Fault("five and six players have 12 Provinces", _SETUP, "12, 12, 15, 18", "12, 12, 12, 12", _near("rules/setup")),
    Fault("there are 10 Curses per player", _SETUP, "10 * max(1, n - 1)", "10 * n", _near("rules/setup")),
    Fault(
        "Gardens piles hold 10",
        _SETUP,
        "_VICTORY_PILE[num_players - 1] if _IS_VICTORY[card] else _OTHER_PILE",
        "_OTHER_PILE",
        _near("rules/setup"),
    ),
    Fault(
        "a deck starts with 6 Coppers",
        _SETUP,
        "STARTING_COPPERS, STARTING_ESTATES = 7, 3",
        "STARTING_COPPERS, STARTING_ESTATES = 6, 3",
        _near("rules/setup"),
    ),
    Fault(
        "a random kingdom prefers the first cards of the pool",
        _SETUP,
        "setup_below(game, pool.shape[0] - drawn)",
        "setup_below(game, (pool.shape[0] - drawn) // 2)",
        _near("rules/kingdoms"),
    ),
    Fault(
        "a random kingdom holds a card twice",
        _SETUP,
        "            game.piles[place] = pool[at]\n",
        "            game.piles[place] = pool[0]\n",
        _near("rules/kingdoms"),
    ),
    Fault(
        "the winner starts the next game",
        _SETUP,
        "return (seat + 1) % players",
        "return seat",
        _near("rules/first_player"),
    ),
    Fault(
        "after a shared victory anybody may start",
        _SETUP,
        "losers = everyone & ~last_winners",
        "losers = everyone",
        _near("rules/first_player"),
    ),
    Fault(
        "after a shared victory the lowest other seat starts",
        _SETUP,
        "left = setup_below(game, players - winners)",
        "left = 0",
        _near("rules/first_player"),
    ),
    Fault(
        "the first seat always starts",
        _SETUP,
        "        return setup_below(game, players)\n",
        "        return 0\n",
        _near("rules/first_player"),
    ),
    Fault(
        "all seats have the same luck",
        _RANDOM,
        "derived(key, np.uint64(seat + 1))",
        "derived(key, np.uint64(1))",
        _near("rules/shuffling"),
    ),
    Fault(
        "one seat's draws use up another's luck",
        _RANDOM,
        "    game.streams[seat] += GAMMA\n    return scaled(mix(game.streams[seat]), n)",
        "    game.streams[0] += GAMMA\n    return scaled(mix(game.streams[0]), n)",
        _near("rules/shuffling"),
    ),
)

_ENDS = _near("rules/game_end")

REWARDS = (
    Fault(
        "the winner's reward has the wrong sign",
        _REWARDS,
        "return (players - winners) /",
        "return -(players - winners) /",
        _ENDS,
    ),
    Fault(
        "the reward goes to another seat",
        _REWARDS,
        "    if not outcome.winners[player]:\n",
        "    if not outcome.winners[players - 1 - player]:\n",
        _ENDS,
    ),
    Fault(
        "each winner of a shared victory gets a whole reward",
        _REWARDS,
        "(players - winners) / (winners * (players - 1))",
        "1.0",
        _ENDS,
    ),
    Fault(
        "those who lose pay nothing",
        _REWARDS,
        "        return -1.0 / (players - 1)\n",
        "        return 0.0\n",
        _ENDS,
    ),
    Fault(
        "the lead is over the points of all other players", _REWARDS, "others / max(1, players - 1)", "others", _ENDS
    ),
    Fault("the lead is paid with the whole result", _REWARDS, "0.5 * _result(", "1.0 * _result(", _ENDS),
    Fault(
        "a truncated game has winners",
        _REWARDS,
        "by_the_rules and is_winner(game, player)",
        "is_winner(game, player)",
        _ENDS,
    ),
    Fault(
        "a truncated game is a terminated one",
        _REWARDS,
        "outcome.terminated = game.ended != TRUNCATED",
        "outcome.terminated = 1",
        _ENDS,
    ),
)

# --- what search is given: dealing again what a seat can't know, and situations ---------------------------------------

_REDEAL, _SITUATION = "dominion_env/rules/turns/redeal.py", "dominion_env/players/situation.py"
_WORLDS = _near("properties/worlds", "properties/knowledge_redeal", "contracts/situation")
_POSSIBLE = _near("properties/possible_worlds")
_SITUATIONS = _near("contracts/situation")

SEARCH: tuple[Fault, ...] = (
    Fault(
        "a world keeps the cards on top of a deck that another seat alone knows",
        _REDEAL,
        "mark_of(entry) == state.NOBODY if own else mark_of(entry) != state.ALL",
        "mark_of(entry) == state.NOBODY",
        _WORLDS,
    ),
    Fault(
        "a world keeps what nobody knows on top of the own deck",
        _REDEAL,
        "mark_of(entry) == state.NOBODY if own else mark_of(entry) != state.ALL",
        "(not own) and mark_of(entry) != state.ALL",
        _WORLDS,
    ),
    Fault(
        "a world keeps the hands of the others",
        _REDEAL,
        "            places[seat, IN_HAND] = _empty_hand(game, seat)\n",
        "",
        _WORLDS,
    ),
    Fault(
        "a world deals known cards of a hand again",
        _REDEAL,
        "hidden = max(0, copies - int(game.known_hand[seat, card]))",
        "hidden = copies",
        _WORLDS,
    ),
    Fault(
        "a world keeps the discard piles of the others",
        _REDEAL,
        "            places[seat, IN_DISCARD] = _empty_discard(game, seat)\n",
        "",
        _WORLDS,
    ),
    Fault(
        "a world loses the known cards of a discard pile",
        _REDEAL,
        "        for _ in range(int(game.known_discard[seat, card]) - int(card == top)):\n            at -= 1\n",
        "        for _ in range(0):\n            at -= 1\n",
        _WORLDS,
    ),
    Fault(
        "a world keeps the cards that another player looks at alone",
        _REDEAL,
        "            _empty_aside(game, seat)\n",
        "",
        _WORLDS,
    ),
    Fault(
        "a world keeps the luck of its game",
        _REDEAL,
        "    game.seed = seed\n    game.index = index\n",
        "",
        _WORLDS,
    ),
    Fault(
        "a world tells how often each seat was asked",
        _REDEAL,
        "        game.decisions[seat] = 0",
        "        pass",
        _WORLDS,
    ),
    Fault(
        "a world tells its game's episode",
        _REDEAL,
        "    game.episode = 0\n    for seat",
        "    for seat",
        _WORLDS,
    ),
    Fault(
        "a world keeps the traces of cards that lay in a pile",
        _REDEAL,
        "            game.pile[seat, i] = 0\n",
        "            pass\n",
        _WORLDS,
    ),
    Fault(
        "a world keeps the log of its game",
        _REDEAL,
        "    if game.recording:\n        _wipe_log(game)\n",
        "",
        _WORLDS,
    ),
    Fault(
        "a world may hold Treasures that all would have seen played",
        _TURN,
        "            all_treasures_are_played(game, me)\n",
        "",
        _POSSIBLE,
    ),
    Fault(
        "a hand in which a card finds nothing may hold it in a world",
        _DECISIONS,
        "        none_is_in_hand(game, player, that_will_do(game, which))\n",
        "        pass\n",
        _POSSIBLE,
    ),
    Fault(
        "who may decline is taken to have nothing in hand",
        _DECISIONS,
        "may == MAY_IN_SECOND_EDITION and not optional",
        "may == MAY_IN_SECOND_EDITION",
        _POSSIBLE,
    ),
    Fault(
        "at Clean-up all forget what the unseen cards of the hand are not",
        _KNOWLEDGE,
        "        game.lacking_discard[player, i] = min(MOST_LACKING, cards)\n",
        "",
        _POSSIBLE,
    ),
    Fault(
        "a second thing that a hand does not hold is forgotten",
        _KNOWLEDGE,
        "        _hand_lacks(game, player, _WITH[which, i], cards)\n",
        "        _hand_lacks(game, player, i, cards)\n",
        _POSSIBLE,
    ),
    Fault(
        "what a card that has gone was not is kept",
        _KNOWLEDGE,
        "            lacking[player, i] -= 1\n",
        "            pass\n",
        _POSSIBLE,
    ),
    Fault(
        "what the cards of a shuffled discard pile are not is kept",
        _KNOWLEDGE,
        "    if game.lacking_discard_set[player] != 0:\n        game",
        "    if False:\n        game",
        _POSSIBLE,
    ),
    Fault(
        "a hand drawn before a shuffle may hold cards that came with it",
        _KNOWLEDGE,
        "    _hand_lacks(game, player, BEFORE_SHUFFLE - 1, unseen)\n",
        "",
        _POSSIBLE,
    ),
    Fault(
        "known cards that are shuffled in may have been drawn before",
        _KNOWLEDGE,
        "        seen = int(game.known_discard[player, card]) + int(game.known_hand[player, card])\n",
        "        seen = int(game.known_hand[player, card])\n",
        _POSSIBLE,
    ),
    Fault(
        "cards that came with a shuffle can't be in a hand that was drawn later",
        _REDEAL,
        "if i < state.BEFORE_SHUFFLE else 0\n",
        "if i < 99 else 0\n",
        _POSSIBLE,
    ),
    Fault(
        "places that not all cards can take are filled last",
        _REDEAL,
        "if seat != me and places[seat, KINDS] != 0 and _deal_lacking(game, seat, places):",
        "if seat > 99:",
        _POSSIBLE,
    ),
    Fault(
        "deals that can be completed in fewer ways are as likely as others",
        _REDEAL,
        "_take_lacking(game, seat, i, most - place, places) if place < most else NONE\n",
        "_take_lacking(game, seat, i, max(1, _cards_for(game, seat, i, places)), places)\n",
        _POSSIBLE,
    ),
    Fault(
        "a card that is trashed and gained in one step is no gain",
        _SITUATION,
        "gained[rows, self._asked[rows], cards] += unseen[rows, cards]",
        "pass",
        _SITUATIONS,
    ),
    Fault(
        "the gains of a game stay when it begins again",
        _SITUATION,
        "        self._number[rows] = 0\n        self._cards[rows] = _NO_CARD\n",
        "",
        _SITUATIONS,
    ),
    Fault(
        "a gain is noted a turn late",
        _SITUATION,
        "= self._begun[row, seat]",
        "= self._begun[row, seat] + 1",
        _SITUATIONS,
    ),
    Fault(
        "a situation holds the games themselves",
        _SITUATION,
        "cards, turns, batch.worlds(rows, 1, 0), events)",
        "cards, turns, batch.take(rows), events)",
        _SITUATIONS,
    ),
)

FAULTS: tuple[Fault, ...] = (
    *TEXTS,
    *NUMBERS,
    *PHASES,
    *END,
    *ATTACKS,
    *QUESTIONS,
    *ZONES,
    *KNOWLEDGE,
    *SETUP,
    *REWARDS,
    *SEARCH,
    *OUTSIDE,
)
