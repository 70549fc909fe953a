"""How a scripted agent answers everything that a card or a phase asks: a function for each kind of decision.

Each function takes what the agent sees (`sight.SIGHT`) and the lines of the buy lists, and returns a legal action. Where
there is a choice of ways (`ways.WAYS`), a field says which one the strategy has chosen (`see.trash_way`). Ways that bear a
program's name there follow that program; the others are good practice, with the reason here or in `judging.py`.
"""

from __future__ import annotations

from typing import Any

from dominion_agents.scripted.book import SCRIPTED_HASH
from dominion_agents.scripted.buying import NO_LIMIT, SUPPOSED, any_of, wanted, would_take
from dominion_agents.scripted.judging import (
    cellar_choices,
    chapel_choice,
    coins_in_hand,
    doubles_throne_room,
    highest_of,
    in_the_way,
    lowest_of,
    mine_choice,
    remodel_choice,
    short_of_actions,
    terminals_in_hand,
    throne_choice,
    to_give_up,
    worth_playing,
)
from dominion_agents.scripted.ranks import (
    ACTIONS,
    DEAD,
    FIRST_OF_ALL,
    GAIN_RANK,
    IS_DEAD,
    IS_TERMINAL,
    IS_TREASURE,
    IS_VICTORY,
    PLAY_RANK,
    PROVINCIAL_RANK,
    THRONE_OR_TERMINAL,
    THRONE_RANK,
)
from dominion_agents.scripted.sight import NOTHING, can, offered
from dominion_agents.strategies.ways import number_of
from dominion_env.compiled.jit import layer, rule, shared
from dominion_env.rules.record.card_sets import lowest, without_card
from dominion_env.rules.words.decisions import ASK_ACTION, ASK_DISCARD_DECK, action_for
from dominion_env.tables.actions import DISCARD_DECK, NUM_ACTIONS, PASS, Verb
from dominion_env.tables.cards import COST, PLUS_COINS, Card

_PLAY, _BUY, _GAIN, _TRASH, _DISCARD, _TOPDECK, _REVEAL, _SET_ASIDE = (int(verb) for verb in Verb)
_COPPER, _SILVER, _GOLD, _ESTATE, _CURSE = (
    int(card) for card in (Card.COPPER, Card.SILVER, Card.GOLD, Card.ESTATE, Card.CURSE)
)
_ARTISAN, _CELLAR, _CHAPEL, _FEAST, _HARBINGER, _MINE, _MOAT = (
    int(card) for card in (Card.ARTISAN, Card.CELLAR, Card.CHAPEL, Card.FEAST, Card.HARBINGER, Card.MINE, Card.MOAT)
)
_MONEYLENDER, _REMODEL, _SENTRY, _SMITHY, _SPY, _THIEF, _THRONE_ROOM = (
    int(card)
    for card in (
        Card.MONEYLENDER, Card.REMODEL, Card.SENTRY, Card.SMITHY, Card.SPY, Card.THIEF, Card.THRONE_ROOM,
    )
)  # fmt: skip

_ACTIONS_SMITHY, _ACTIONS_THRONE = number_of("actions", "smithy-first"), number_of("actions", "throne-first")
_ACTIONS_DEAREST = number_of("actions", "dearest-first")
_ACTIONS_NEVER, _ACTIONS_PROVINCIAL = number_of("actions", "never"), number_of("actions", "provincial")
_GAIN_DEAREST, _GAIN_PROVINCIAL = number_of("gain", "dearest"), number_of("gain", "provincial")
_TOPDECK_NEVER = number_of("topdeck", "never")
_LIBRARY_KEEP, _LIBRARY_PROVINCIAL = number_of("library", "keep"), number_of("library", "provincial")
_CHANCELLOR_ALWAYS, _CHANCELLOR_NEVER = number_of("chancellor", "always"), number_of("chancellor", "never")
_SPY_FEEDS_THIEF, _SPY_PROVINCIAL = number_of("spy", "feed-thief"), number_of("spy", "provincial")
_MOAT_NEVER = number_of("moat", "never")


@rule
def _can_pass(see: Any) -> Any:
    """Return whether "no card" is an answer."""
    return see.legal[PASS] != 0


# --- the phases ------------------------------------------------------------------------------------------------------


@layer
def _play_rank(see: Any, lines: Any, card: Any) -> Any:
    """Return how soon this Action is played if it does any good, 0 for not at all."""
    if see.actions_way == _ACTIONS_DEAREST:
        return 1 + COST[card]
    if see.actions_way == _ACTIONS_PROVINCIAL:
        return 0 if card == _MONEYLENDER and see.hand[_COPPER] == 0 else PROVINCIAL_RANK[card]
    if card == _THRONE_ROOM:
        # It waits for the cards that cost no Action if a terminal is left for it that takes no Action from another one,
        # else it doubles the best of them.
        waits = see.actions_way != _ACTIONS_THRONE and not doubles_throne_room(see, lines) and not short_of_actions(see)
        if waits and throne_choice(see, lines, 1) != NOTHING:
            return PLAY_RANK[card]
        return FIRST_OF_ALL if throne_choice(see, lines, 0) != NOTHING else 0
    if card == _SMITHY and see.actions_way == _ACTIONS_SMITHY:
        return PLAY_RANK[_THRONE_ROOM]
    if card == _CHAPEL and see.hand[_CURSE] + see.hand[_ESTATE] > 1:
        return PLAY_RANK[_THRONE_ROOM]  # two or more bad cards at once are what it was bought for
    return PLAY_RANK[card]


@layer
def _first_to_play(see: Any, lines: Any, playable: Any) -> Any:
    """Return the Action of a set that is first in rank, or NOTHING."""
    best, best_rank = NOTHING, 0
    while playable:
        card = lowest(playable)
        playable &= playable - 1
        rank = _play_rank(see, lines, card)
        if rank > best_rank:
            best, best_rank = card, rank
    return best


@layer
def action_phase(see: Any, lines: Any) -> Any:
    """Play the Action that is first in rank among those that do any good, or none."""
    if see.actions_way == _ACTIONS_NEVER:
        return PASS
    as_it_comes = see.actions_way == _ACTIONS_DEAREST or see.actions_way == _ACTIONS_PROVINCIAL
    playable = offered(see, _PLAY)
    while playable:
        best = _first_to_play(see, lines, playable)
        if best == NOTHING:
            return PASS
        # Judging whether a card does any good can take as long as all else, so only the best one is judged.
        if best == _THRONE_ROOM or as_it_comes or worth_playing(see, lines, best):
            return action_for(_PLAY, best)
        playable = without_card(playable, best)
    return PASS


@shared(SCRIPTED_HASH)
def buy_phase(see: Any, lines: Any) -> Any:
    """Play all Treasures, then buy by the list."""
    for card in range(_GOLD + 1):
        if can(see, _PLAY, card):
            return action_for(_PLAY, card)
    card = wanted(see, lines, _BUY, see.coins, NO_LIMIT)
    return PASS if card == NOTHING else action_for(_BUY, card)


# --- playing a card because another one says so ----------------------------------------------------------------------


@layer
def _vassal_choice(see: Any, lines: Any) -> Any:
    """Return the card that Vassal has found if it does any good, as playing it costs no Action."""
    card = int(see.subject)
    if card == NOTHING:
        return NOTHING
    if card == _THRONE_ROOM:
        return card if throne_choice(see, lines, 0) != NOTHING else NOTHING
    return card if worth_playing(see, lines, card) else NOTHING


@layer
def play_another(see: Any, lines: Any) -> Any:
    """Choose the card that Throne Room plays twice, or whether to play the card that Vassal has found."""
    if see.source == _THRONE_ROOM:
        card = throne_choice(see, lines, 0)
    else:
        card = _vassal_choice(see, lines)
    if card != NOTHING and can(see, _PLAY, card):
        return action_for(_PLAY, card)
    if _can_pass(see):
        return PASS
    return action_for(_PLAY, highest_of(offered(see, _PLAY), THRONE_RANK))  # one must be played in the first edition


# --- gaining ---------------------------------------------------------------------------------------------------------


@layer
def gain(see: Any, lines: Any) -> Any:
    """Choose the card that Workshop, Feast, Remodel, Artisan, Mine or Thief gains."""
    if see.source == _THIEF:
        return _gain_of_the_spoils(see, lines)
    if see.gain_way == _GAIN_PROVINCIAL:
        return _provincials_gain(see, lines)
    if see.source == _MINE:  # the Mine was bought for better Treasures, whatever the list says of Silver
        return action_for(_GAIN, highest_of(offered(see, _GAIN), COST))
    if see.gain_way != _GAIN_DEAREST:
        card = wanted(see, lines, _GAIN, see.coins, NO_LIMIT)
        if card != NOTHING:
            return action_for(_GAIN, card)
        if can(see, _GAIN, _GOLD):  # never a burden
            return action_for(_GAIN, _GOLD)
        if can(see, _GAIN, _SILVER):
            return action_for(_GAIN, _SILVER)
    return _gain_dearest(see)


@layer
def _gain_of_the_spoils(see: Any, lines: Any) -> Any:
    """Gain what Thief has trashed, but no Copper: it makes the deck worse unless the list buys Copper (Gardens)."""
    if can(see, _GAIN, _GOLD):
        return action_for(_GAIN, _GOLD)
    if can(see, _GAIN, _SILVER):
        return action_for(_GAIN, _SILVER)
    return action_for(_GAIN, _COPPER) if can(see, _GAIN, _COPPER) and would_take(see, lines, _COPPER) else PASS


@layer
def _provincials_gain(see: Any, lines: Any) -> Any:
    """Gain by the list, as Provincial does, else the dearest card, of equal ones one by lot."""
    if see.source == _FEAST:
        see.owned[_FEAST] += 1  # in that program it is trashed after the gain
    card = wanted(see, lines, _GAIN, see.coins, NO_LIMIT)
    if card != NOTHING:
        return action_for(_GAIN, card)
    highest, equals = -1, 0
    cards = offered(see, _GAIN)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        value = 2 * COST[card] + 1 - IS_VICTORY[card]
        if value > highest:
            highest, equals = value, 0
        if value == highest:
            equals |= 1 << card
    return PASS if equals == 0 else action_for(_GAIN, any_of(see, equals))


@layer
def _gain_dearest(see: Any) -> Any:
    """Gain the dearest card; a Copper or a Curse only if there is nothing else."""
    best = highest_of(offered(see, _GAIN), GAIN_RANK)
    return PASS if best == NOTHING else action_for(_GAIN, best)


# --- trashing --------------------------------------------------------------------------------------------------------


@layer
def trash(see: Any, lines: Any) -> Any:
    """Trash for Chapel, Remodel, Mine, Moneylender, Sentry and Thief, and as a victim of Bandit."""
    if see.source == _SENTRY:
        return sentry(see, lines)
    choice = _trash_choice(see, lines)
    if choice != NOTHING and can(see, _TRASH, choice):
        return action_for(_TRASH, choice)
    return PASS if _can_pass(see) else action_for(_TRASH, to_give_up(see, lines, _TRASH))


@layer
def _trash_choice(see: Any, lines: Any) -> Any:
    """Return the card that is best trashed by the card that asks, or NOTHING."""
    if see.source == _CHAPEL:
        return chapel_choice(see, lines)
    if see.source == _REMODEL:
        return remodel_choice(see, lines)
    if see.source == _MINE:
        return _mine_choice_or_gold(see)
    if see.source == _MONEYLENDER:
        return _COPPER  # 3 coins now for a card that gives 1
    if see.source == _THIEF:
        return highest_of(offered(see, _TRASH), COST)  # the victim's best Treasure
    return NOTHING


@layer
def _mine_choice_or_gold(see: Any) -> Any:
    """Return what Mine should trash; if it must trash a Gold (first edition), that comes back as a new one."""
    choice = mine_choice(see)
    if choice == NOTHING and not _can_pass(see) and can(see, _TRASH, _GOLD) and see.supply[_GOLD] > 0:
        return _GOLD
    return choice


@layer
def sentry(see: Any, lines: Any) -> Any:
    """Trash what is in the way, discard what is dead, and put back the rest, the best card last and so on top."""
    cards = offered(see, _TRASH)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if in_the_way(see, lines, card):
            return action_for(_TRASH, card)
    dead = offered(see, _DISCARD) & DEAD
    return action_for(_DISCARD, lowest(dead)) if dead else action_for(_TOPDECK, lowest_of(offered(see, _TOPDECK), COST))


# --- discarding ------------------------------------------------------------------------------------------------------


@layer
def discard(see: Any, lines: Any) -> Any:
    """Discard to Militia and Poacher what is missed least, for Cellar what a new card is better than, and by Spy."""
    if see.source == _SPY:
        return spy(see)
    if see.source != _CELLAR:
        return action_for(_DISCARD, to_give_up(see, lines, _DISCARD))
    cards = offered(see, _DISCARD) & cellar_choices(see, lines)
    return action_for(_DISCARD, lowest(cards)) if cards else PASS


@layer
def spy(see: Any) -> Any:
    """Discard bad cards from the top of my deck and good ones from the others', and leave the rest there."""
    card = int(see.subject)
    bad = IS_DEAD[card]
    if see.about_me == 0 and see.hand[_THIEF] > 0 and see.spy_way == _SPY_FEEDS_THIEF:
        bad |= IS_TREASURE[card] and card != _COPPER  # what stays there can be stolen
    if card == _COPPER:  # it is below the average of my deck once that is above one coin a card
        coins, cards = 0, 0
        for each in range(see.cards):
            coins += PLUS_COINS[each] * see.owned[each]
            cards += see.owned[each]
        bad = coins >= cards or not see.about_me or see.spy_way == _SPY_PROVINCIAL
    return action_for(_DISCARD if bad == (see.about_me != 0) else _TOPDECK, card)


@layer
def discard_deck(see: Any) -> Any:
    """Discard the deck for Chancellor if its cards give fewer coins each than all my cards do.

    The next shuffle then comes sooner, with the good cards that were bought since the last one.
    """
    if see.chancellor_way == _CHANCELLOR_NEVER:
        return PASS
    if see.chancellor_way == _CHANCELLOR_ALWAYS:
        return DISCARD_DECK
    coins, cards, pile_coins, pile_cards = 0, 0, 0, 0
    for card in range(see.cards):
        cards += see.owned[card]
        coins += PLUS_COINS[card] * see.owned[card]
        pile_cards += see.draw_pile[card]
        pile_coins += PLUS_COINS[card] * see.draw_pile[card]
    return DISCARD_DECK if pile_coins * cards < coins * pile_cards else PASS


# --- onto the deck ---------------------------------------------------------------------------------------------------


@layer
def topdeck(see: Any, lines: Any) -> Any:
    """Put the best card of the discard pile onto the deck for Harbinger, else a card that is missed least."""
    if see.source == _ARTISAN:
        return artisan(see, lines)
    if see.source == _HARBINGER:
        best = highest_of(without_card(offered(see, _TOPDECK) & ~DEAD, _COPPER), COST)
        return PASS if best == NOTHING or see.topdeck_way == _TOPDECK_NEVER else action_for(_TOPDECK, best)
    return action_for(_TOPDECK, to_give_up(see, lines, _TOPDECK))


@layer
def artisan(see: Any, lines: Any) -> Any:
    """Put an Action that can't be played onto the deck, else a Treasure too many, else a dead card.

    The first two are not lost, as they are drawn again next turn.
    """
    card = _unplayable(see)
    if card == NOTHING:
        card = _spare_treasure(see, lines)
    return action_for(_TOPDECK, to_give_up(see, lines, _TOPDECK) if card == NOTHING else card)


@layer
def _unplayable(see: Any) -> Any:
    """Return the dearest Action for which no Action is left this turn, or NOTHING."""
    cards = offered(see, _TOPDECK) & ACTIONS
    if see.actions > 0:
        cards &= THRONE_OR_TERMINAL if terminals_in_hand(see) > see.actions else 0
    return highest_of(cards, COST)


@layer
def _spare_treasure(see: Any, lines: Any) -> Any:
    """Return a Gold or Silver without which this turn buys the same, or NOTHING."""
    coins = coins_in_hand(see)
    buys = wanted(see, lines, SUPPOSED, coins, coins)
    for card in range(_GOLD, _COPPER, -1):
        less = coins - PLUS_COINS[card]
        if can(see, _TOPDECK, card) and wanted(see, lines, SUPPOSED, less, less) == buys:
            return card
    return NOTHING


# --- revealing and setting aside -------------------------------------------------------------------------------------


@layer
def reveal(see: Any) -> Any:
    """Reveal Moat, as there is next to no Attack by which one is better off."""
    return action_for(_REVEAL, _MOAT) if can(see, _REVEAL, _MOAT) and see.moat_way != _MOAT_NEVER else PASS


@layer
def set_aside(see: Any) -> Any:
    """Set aside, for Library, an Action that can't be played this turn, as it would only take a place in the hand."""
    card = int(see.subject)
    terminals = terminals_in_hand(see)
    surplus = IS_TERMINAL[card] and card != _THRONE_ROOM and terminals >= see.actions
    dead = see.actions == 0 or (surplus and see.library_way != _LIBRARY_PROVINCIAL)
    return action_for(_SET_ASIDE, card) if dead and see.library_way != _LIBRARY_KEEP else PASS


# --- all of it -------------------------------------------------------------------------------------------------------


@shared(SCRIPTED_HASH)
def answer(see: Any, lines: Any) -> Any:
    """Return a legal action for every question but that of the Buy phase."""
    kind = int(see.kind)
    if kind == ASK_ACTION:
        return action_phase(see, lines)
    if kind == _PLAY:
        return play_another(see, lines)
    if kind == _GAIN:
        return gain(see, lines)
    if kind == _TRASH:
        return trash(see, lines)
    if kind == _DISCARD:
        return discard(see, lines)
    if kind == _TOPDECK:
        return topdeck(see, lines)
    if kind == _REVEAL:
        return reveal(see)
    if kind == _SET_ASIDE:
        return set_aside(see)
    if kind == ASK_DISCARD_DECK:
        return discard_deck(see)
    return _first_legal(see)


@layer
def _first_legal(see: Any) -> Any:
    """Return PASS in a game that is over, else, if the observation shows no question, the first legal action."""
    action = 0
    while action < NUM_ACTIONS - 1 and not see.legal[action]:
        action += 1
    return action
