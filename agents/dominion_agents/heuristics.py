"""How a scripted agent answers everything that a card or a phase asks: a function for each kind of decision.

Each takes what the agent sees (`sight.SIGHT`) and the lines of the buy lists, and returns a legal action. Where there
is a choice of ways (`play.WAYS`), a field says which one the strategy has chosen (`see.trash_way`). Ways that bear a
program's name there follow that program; the others are plain good practice, with the reason here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dominion_agents.buying import NO_LIMIT, SUPPOSED, gains_to_end, wanted, would_take
from dominion_agents.sight import NOTHING, can, offered
from dominion_agents.ways import number_of
from dominion_env.actions import DISCARD_DECK, NUM_ACTIONS, PASS, Verb
from dominion_env.cards import COST, NUM_CARDS, PLUS_ACTIONS, PLUS_COINS, TYPES, Card, Type
from dominion_env.rules.card_sets import lowest, without_card
from dominion_env.rules.decisions import ASK_ACTION, ASK_DISCARD_DECK, action_for
from dominion_env.rules.jit import layer, rule

_PLAY, _BUY, _GAIN, _TRASH, _DISCARD, _TOPDECK, _REVEAL, _SET_ASIDE = (int(verb) for verb in Verb)
_COPPER, _SILVER, _GOLD, _ESTATE, _DUCHY, _PROVINCE, _CURSE = range(7)
_ARTISAN, _BANDIT, _BUREAUCRAT, _CELLAR, _CHAPEL, _FEAST, _HARBINGER, _LIBRARY, _MINE, _MOAT = (
    int(Card.named(name))
    for name in (
        "Artisan", "Bandit", "Bureaucrat", "Cellar", "Chapel", "Feast", "Harbinger", "Library", "Mine", "Moat",
    )
)  # fmt: skip
_MONEYLENDER, _REMODEL, _SENTRY, _SMITHY, _SPY, _THIEF, _THRONE_ROOM, _WITCH, _WORKSHOP = (
    int(Card.named(name))
    for name in (
        "Moneylender", "Remodel", "Sentry", "Smithy", "Spy", "Thief", "Throne Room", "Witch", "Workshop",
    )
)  # fmt: skip

_IS_ACTION = TYPES & int(Type.ACTION) != 0
_IS_TREASURE = TYPES & int(Type.TREASURE) != 0
_IS_DEAD = ~(_IS_ACTION | _IS_TREASURE)  # of no use in a hand
_IS_TERMINAL = _IS_ACTION & (PLUS_ACTIONS == 0)


def _bits(cards: np.ndarray[Any, Any]) -> int:
    """A set of cards, a bit each."""
    return sum(1 << card for card in range(NUM_CARDS) if cards[card])


_ACTIONS, _DEAD, _CHEAP, _DEAR = _bits(_IS_ACTION), _bits(_IS_DEAD), _bits(COST <= 2), _bits(COST >= 6)
_THRONE_OR_TERMINAL = _bits(_IS_TERMINAL)
_TERMINALS = _THRONE_OR_TERMINAL & ~(1 << _THRONE_ROOM)

_ANY_NUMBER = 1 << 20
_FIRST_OF_ALL = 1000  # above every rank


def _ranks(names: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Highest for the first of these cards, 0 for cards that are not among them."""
    cards = [Card.named(name) for name in names.split(", ")]
    ranks = np.zeros(NUM_CARDS, dtype=np.int64)
    ranks[cards] = np.arange(len(cards), 0, -1)
    return ranks


# Cards that give an Action back cost nothing: those with more Actions first, as what they draw may need them; Cellar
# last of these, when the hand is known. Then terminals: what hurts or draws most first.
_PLAY_RANK = _ranks(
    "Village, Festival, Laboratory, Market, Spy, Sentry, Harbinger, Merchant, Poacher, Cellar, Throne Room, Witch, "
    "Council Room, Smithy, Library, Bandit, Adventurer, Mine, Artisan, Militia, Moneylender, Bureaucrat, Remodel, "
    "Thief, Feast, Workshop, Vassal, Woodcutter, Chancellor, Moat, Chapel"
)
# With Throne Room: what is worth most when it is done twice.
_THRONE_RANK = _ranks(
    "Witch, Council Room, Bandit, Laboratory, Smithy, Festival, Market, Adventurer, Artisan, Militia, Bureaucrat, Sentry, "
    "Mine, Village, Thief, Poacher, Spy, Merchant, Vassal, Woodcutter, Harbinger, Library, Moat, Chancellor, Workshop, "
    "Feast, Cellar, Moneylender, Remodel, Chapel, Throne Room"
)

_ACTIONS_SMITHY = number_of("actions", "smithy-first")
_ACTIONS_DEAREST = number_of("actions", "dearest-first")
_ACTIONS_NEVER = number_of("actions", "never")
_DISCARD_TREASURES = number_of("discard", "treasures-first")
_CELLAR_CHEAP = number_of("cellar", "cheap")
_TRASH_KEEP_6, _TRASH_KEEP_4 = number_of("trash", "keep-6"), number_of("trash", "keep-4")
_TRASH_DOMINIATE, _TRASH_CURSES = number_of("trash", "dominiate"), number_of("trash", "curses")
_REMODEL_JUNK = number_of("remodel", "junk")
_MINE_COPPER = number_of("mine", "copper-first")
_GAIN_DEAREST = number_of("gain", "dearest")
_TOPDECK_NEVER = number_of("topdeck", "never")
_LIBRARY_KEEP = number_of("library", "keep")
_CHANCELLOR_ALWAYS, _CHANCELLOR_NEVER = number_of("chancellor", "always"), number_of("chancellor", "never")
_MOAT_NEVER = number_of("moat", "never")

_START_PROVINCES = np.array([8, 8, 8, 12, 12, 15, 18])  # by number of players


# --- what is in the way, and what is worth playing -------------------------------------------------------------------


@rule
def _treasure_value(see: Any) -> Any:
    """Coins on all my Treasures that are not about to be trashed."""
    value = 0
    for card in range(_GOLD + 1):
        value += PLUS_COINS[card] * (see.owned[card] - see.chosen[card])
    return value


@rule
def _coins_in_hand(see: Any) -> Any:
    """Coins that this turn will bring as things are."""
    coins = int(see.coins)
    for card in range(_GOLD + 1):
        coins += PLUS_COINS[card] * see.hand[card]
    return coins


@rule
def _least_value(see: Any) -> Any:
    """What the Treasures must be worth for a Copper to go."""
    if see.trash_way == _TRASH_CURSES:
        return _ANY_NUMBER
    return 5 if see.trash_way == _TRASH_KEEP_4 or see.trash_way == _TRASH_DOMINIATE else 7


@rule
def _in_the_way(see: Any, lines: Any, card: Any) -> Any:
    """Whether I am better off without a copy of this card."""
    if card == _CURSE:
        return True
    if card == _ESTATE and see.trash_way == _TRASH_DOMINIATE:
        return gains_to_end(see) > 2
    if card == _ESTATE:  # an Estate is wanted as soon as the buy list would take one
        return see.trash_way != _TRASH_CURSES and not would_take(see, lines, _ESTATE)
    if card == _COPPER:
        return _treasure_value(see) >= _least_value(see) and not would_take(see, lines, _COPPER)
    return False


@layer
def _purchase_suffers(see: Any, lines: Any) -> Any:
    """Whether one coin less buys something else this turn."""
    coins = _coins_in_hand(see)
    return wanted(see, lines, SUPPOSED, coins, coins) != wanted(see, lines, SUPPOSED, coins - 1, coins - 1)


@layer
def _dominiates_chapel_choice(see: Any, lines: Any) -> Any:
    """Early on Estates go first, later the Coppers, as Estates are points."""
    end = gains_to_end(see)
    if see.hand[_ESTATE] > 0 and end > 4:
        return _ESTATE
    if see.hand[_COPPER] > 0 and _in_the_way(see, lines, _COPPER):
        buys = wanted(see, lines, SUPPOSED, 5, 5)
        if not (_coins_in_hand(see) == 5 and buys != NOTHING and COST[buys] == 5):
            return _COPPER
    return _ESTATE if see.hand[_ESTATE] > 0 and end > 2 else NOTHING


@rule
def _chapel_choice(see: Any, lines: Any) -> Any:
    """The card in hand that Chapel should trash next, or NOTHING."""
    if see.hand[_CURSE] > 0:
        return _CURSE
    if see.trash_way == _TRASH_DOMINIATE:
        return _dominiates_chapel_choice(see, lines)
    if see.hand[_ESTATE] > 0 and _in_the_way(see, lines, _ESTATE):
        return _ESTATE
    if see.hand[_COPPER] == 0 or not _in_the_way(see, lines, _COPPER):
        return NOTHING
    if see.trash_way == _TRASH_KEEP_6 or see.trash_way == _TRASH_KEEP_4:
        going = see.chosen[_CURSE] + see.chosen[_ESTATE] + see.chosen[_COPPER]
        going += min(int(see.hand[_COPPER]), _treasure_value(see) - _least_value(see) + 1)
        enough = 4 if see.trash_way == _TRASH_KEEP_6 else 3
        if going < enough and _purchase_suffers(see, lines):
            return NOTHING
    return _COPPER


@rule
def _remodel_choice(see: Any, lines: Any) -> Any:
    """The card in hand that Remodel should trash, or NOTHING."""
    gone = see.supply[_PROVINCE] < _START_PROVINCES[see.players]
    if see.remodel_way != _REMODEL_JUNK and gone and see.supply[_PROVINCE] > 0 and would_take(see, lines, _PROVINCE):
        dear = without_card(see.held & _DEAR, _PROVINCE)
        if dear:
            return lowest(dear)  # Gold has the lowest number
    if see.hand[_CURSE] > 0:
        return _CURSE
    if see.hand[_ESTATE] > 0 and _in_the_way(see, lines, _ESTATE):
        return _ESTATE
    best = NOTHING
    if see.remodel_way != _REMODEL_JUNK:
        cards = see.held & ~_DEAD
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            left = see.hand[card] - (card == _REMODEL and see.kind == ASK_ACTION)  # it can't trash itself
            if left > 0 and (best == NOTHING or COST[card] < COST[best]):
                gain = wanted(see, lines, SUPPOSED, see.coins, COST[card] + 2)
                if gain != NOTHING and COST[gain] > COST[card]:
                    best = card
    return best


@rule
def _mine_choice(see: Any) -> Any:
    """The Treasure in hand that Mine should trash, or NOTHING if none becomes better."""
    silver = see.hand[_SILVER] > 0 and see.supply[_GOLD] > 0
    copper = see.hand[_COPPER] > 0 and see.supply[_SILVER] > 0
    if silver and not (copper and see.mine_way == _MINE_COPPER):
        return _SILVER
    return _COPPER if copper else NOTHING


@rule
def _in_hand(see: Any, cards: Any) -> Any:
    """Copies in hand of the cards of a set."""
    number, left = 0, see.held & cards
    while left:
        number += see.hand[lowest(left)]
        left &= left - 1
    return number


@rule
def _terminals_in_hand(see: Any) -> Any:
    return _in_hand(see, _TERMINALS)


@rule
def _worth_playing(see: Any, lines: Any, card: Any) -> Any:
    """Whether this Action (not Throne Room) does me any good now."""
    if card == _CHAPEL:
        return _chapel_choice(see, lines) != NOTHING
    if card == _REMODEL:  # it must trash something
        return _remodel_choice(see, lines) != NOTHING
    if card == _MONEYLENDER:
        return see.hand[_COPPER] > 0
    if card == _MINE:
        return _mine_choice(see) != NOTHING
    if card == _WORKSHOP:  # it must gain something
        return wanted(see, lines, SUPPOSED, see.coins, 4) != NOTHING
    if card == _FEAST:  # it is trashed itself
        gain = wanted(see, lines, SUPPOSED, see.coins, 5)
        return gain != NOTHING and gain != _FEAST
    if card == _LIBRARY:
        return see.hand_size - (see.kind == ASK_ACTION) < 7
    return card != _THRONE_ROOM


@rule
def _throne_choice(see: Any, lines: Any, only_terminals: Any) -> Any:
    """The Action in hand that should be played twice, or NOTHING."""
    best, best_rank = NOTHING, 0
    # Without an Action left, one that gives Actions keeps the others in hand alive.
    need_actions = see.actions == 0 and _in_hand(see, _ACTIONS) > 1
    cards = see.held & _ACTIONS
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if not (only_terminals and not _IS_TERMINAL[card]):
            rank = _THRONE_RANK[card] + (_FIRST_OF_ALL if need_actions and not _IS_TERMINAL[card] else 0)
            if rank > best_rank and _worth_playing(see, lines, card):
                best, best_rank = card, rank
    return best


# --- the phases ------------------------------------------------------------------------------------------------------


@layer
def _play_rank(see: Any, lines: Any, card: Any) -> Any:
    """How soon this Action is to be played, if it does any good; 0: not at all."""
    if see.actions_way == _ACTIONS_DEAREST:
        return 1 + COST[card]
    if card == _THRONE_ROOM:
        # After the cards that cost no Action, if a terminal is left for it; else it doubles the best of them.
        if _throne_choice(see, lines, 1) != NOTHING:
            return _PLAY_RANK[card]
        return _FIRST_OF_ALL if _throne_choice(see, lines, 0) != NOTHING else 0
    if card == _SMITHY and see.actions_way == _ACTIONS_SMITHY:
        return _PLAY_RANK[_THRONE_ROOM]
    if card == _CHAPEL and see.hand[_CURSE] + see.hand[_ESTATE] > 1:
        return _PLAY_RANK[_THRONE_ROOM]  # two and more bad cards at once: what it was bought for
    return _PLAY_RANK[card]


@layer
def action_phase(see: Any, lines: Any) -> Any:
    """Which Action to play next, or none: the first in rank that does any good."""
    if see.actions_way == _ACTIONS_NEVER:
        return PASS
    playable = offered(see, _PLAY)
    while playable:
        best, best_rank, others = NOTHING, 0, playable
        while others:
            card = lowest(others)
            others &= others - 1
            rank = _play_rank(see, lines, card)
            if rank > best_rank:
                best, best_rank = card, rank
        if best == NOTHING:
            return PASS
        # Whether a card does any good can take as long as all else, so only the best is asked.
        if best == _THRONE_ROOM or see.actions_way == _ACTIONS_DEAREST or _worth_playing(see, lines, best):
            return action_for(_PLAY, best)
        playable = without_card(playable, best)
    return PASS


@layer
def buy_phase(see: Any, lines: Any) -> Any:
    """All Treasures, then by the list."""
    for card in range(_GOLD + 1):
        if can(see, _PLAY, card):
            return action_for(_PLAY, card)
    card = wanted(see, lines, _BUY, see.coins, NO_LIMIT)
    return PASS if card == NOTHING else action_for(_BUY, card)


@layer
def play_another(see: Any, lines: Any) -> Any:
    """Throne Room: the card to play twice; Vassal: the card that it has found, which costs no Action."""
    if see.source == _THRONE_ROOM:
        card = _throne_choice(see, lines, 0)
        if card != NOTHING and can(see, _PLAY, card):
            return action_for(_PLAY, card)
    elif see.subject != NOTHING and can(see, _PLAY, see.subject):
        targets = see.subject == _THRONE_ROOM and _throne_choice(see, lines, 0) != NOTHING
        if targets or _worth_playing(see, lines, see.subject):
            return action_for(_PLAY, see.subject)
    if can_pass(see):
        return PASS
    best, best_rank = NOTHING, -1  # first edition: one of them must be played
    cards = offered(see, _PLAY)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if _THRONE_RANK[card] > best_rank:
            best, best_rank = card, _THRONE_RANK[card]
    return action_for(_PLAY, best)


@rule
def can_pass(see: Any) -> Any:
    """Whether "no card" is an answer."""
    return see.legal[PASS] != 0


# --- gaining ---------------------------------------------------------------------------------------------------------


@layer
def gain(see: Any, lines: Any) -> Any:
    """Workshop, Feast, Remodel, Artisan and Mine: one card that can be had; Thief: any of what was trashed."""
    if see.source == _THIEF:
        if can(see, _GAIN, _GOLD):
            return action_for(_GAIN, _GOLD)
        if can(see, _GAIN, _SILVER):
            return action_for(_GAIN, _SILVER)
        # A stolen Copper makes the deck worse, unless the list buys Copper (Gardens).
        return action_for(_GAIN, _COPPER) if can(see, _GAIN, _COPPER) and would_take(see, lines, _COPPER) else PASS
    if see.source == _MINE:  # it is bought for this, whatever the list says of Silver
        return action_for(_GAIN, _dearest(see, _GAIN))
    card = NOTHING if see.gain_way == _GAIN_DEAREST else wanted(see, lines, _GAIN, see.coins, NO_LIMIT)
    if card != NOTHING:
        return action_for(_GAIN, card)
    if see.gain_way != _GAIN_DEAREST and can(see, _GAIN, _GOLD):  # never a burden
        return action_for(_GAIN, _GOLD)
    if see.gain_way != _GAIN_DEAREST and can(see, _GAIN, _SILVER):
        return action_for(_GAIN, _SILVER)
    best, best_value = NOTHING, -_ANY_NUMBER
    cards = offered(see, _GAIN)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        value = COST[card]
        if card == _CURSE or card == _COPPER:  # noqa: SIM109  a tuple would be slower to compile
            value -= 1 + (card == _CURSE)
        if value > best_value:
            best, best_value = card, value
    return PASS if best == NOTHING else action_for(_GAIN, best)


# --- trashing --------------------------------------------------------------------------------------------------------


@layer
def trash(see: Any, lines: Any) -> Any:
    """Chapel, Remodel, Mine, Moneylender, Sentry; Thief and the victim of Bandit."""
    if see.source == _SENTRY:
        return sentry(see, lines)
    choice = NOTHING
    if see.source == _CHAPEL:
        choice = _chapel_choice(see, lines)
    elif see.source == _REMODEL:
        choice = _remodel_choice(see, lines)
    elif see.source == _MINE:
        choice = _mine_choice(see)
        if choice == NOTHING and not can_pass(see) and can(see, _TRASH, _GOLD) and see.supply[_GOLD] > 0:
            choice = _GOLD  # first edition: it must go, and comes back as a new one
    elif see.source == _MONEYLENDER:
        choice = _COPPER  # 3 coins now for a card that gives 1
    elif see.source == _THIEF:
        choice = _dearest(see, _TRASH)  # the victim's best Treasure
    if choice != NOTHING and can(see, _TRASH, choice):
        return action_for(_TRASH, choice)
    return PASS if can_pass(see) else action_for(_TRASH, _to_give_up(see, _TRASH))


@layer
def sentry(see: Any, lines: Any) -> Any:
    """Of the cards looked at: trash what is in the way, discard what is dead, put back the rest, the best one last."""
    cards = offered(see, _TRASH)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if _in_the_way(see, lines, card):
            return action_for(_TRASH, card)
    dead = offered(see, _DISCARD) & _DEAD
    return action_for(_DISCARD, lowest(dead)) if dead else action_for(_TOPDECK, _cheapest_of(offered(see, _TOPDECK)))


# --- discarding ------------------------------------------------------------------------------------------------------


@rule
def _surplus_terminal(see: Any) -> Any:
    """The least of the terminals in hand if there are more than can be played, else NOTHING."""
    actions = see.actions if see.my_turn else 1
    worst = NOTHING
    number = 0
    cards = see.held & _ACTIONS
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if PLUS_ACTIONS[card] > 1 and actions > 0:
            actions += (PLUS_ACTIONS[card] - 1) * see.hand[card]
        if _TERMINALS >> card & 1:
            number += see.hand[card]
            if worst == NOTHING or _PLAY_RANK[card] < _PLAY_RANK[worst]:
                worst = card
    return worst if number > actions else NOTHING


@rule
def _worth_keeping(see: Any, card: Any, surplus: Any) -> Any:
    """How late a card is given up."""
    if _IS_DEAD[card]:
        return 0
    if card == surplus:
        return 1
    # At equal cost the Treasure goes first.
    value = 2 + 2 * COST[card] + _IS_ACTION[card]
    if see.discard_way == _DISCARD_TREASURES and not _IS_TREASURE[card]:
        value += _ANY_NUMBER
    return value


@rule
def _to_give_up(see: Any, verb: Any) -> Any:
    """The card that is missed least, among those that the verb is legal for."""
    surplus = _surplus_terminal(see)
    least, least_value = NOTHING, _ANY_NUMBER * 4
    cards = offered(see, verb)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        value = _worth_keeping(see, card, surplus)
        if value < least_value:
            least, least_value = card, value
    return least


@layer
def discard(see: Any, lines: Any) -> Any:
    """Militia and Poacher: what is missed least; Cellar: what a new card is better than; Spy."""
    if see.source == _SPY:
        return spy(see)
    if see.source != _CELLAR:
        return action_for(_DISCARD, _to_give_up(see, _DISCARD))
    cards = offered(see, _DISCARD) & (_DEAD | (_CHEAP if see.cellar_way == _CELLAR_CHEAP else 0))
    return action_for(_DISCARD, lowest(cards)) if cards else PASS


@layer
def spy(see: Any) -> Any:
    """The top card of a deck: bad ones are discarded from mine and stay on the others'."""
    card = int(see.subject)
    bad = _IS_DEAD[card]
    if card == _COPPER:  # below the average of my deck, once that is above one coin a card
        coins, cards = 0, 0
        for each in range(see.cards):
            coins += PLUS_COINS[each] * see.owned[each]
            cards += see.owned[each]
        bad = coins >= cards or not see.about_me
    return action_for(_DISCARD if bad == (see.about_me != 0) else _TOPDECK, card)


@layer
def discard_deck(see: Any) -> Any:
    """Chancellor: whether new cards soon, shuffled with the good ones bought since, beat what is left of the deck."""
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


# --- onto the deck, revealing, setting aside -------------------------------------------------------------------------


@rule
def _dearest(see: Any, verb: Any) -> Any:
    """The dearest card that the verb is legal for."""
    return _dearest_of(offered(see, verb))


@rule
def _dearest_of(cards: Any) -> Any:
    """The dearest card of a set, the first of several; NOTHING of none."""
    best = NOTHING
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if best == NOTHING or COST[card] > COST[best]:
            best = card
    return best


@rule
def _cheapest_of(cards: Any) -> Any:
    """The cheapest card of a set, the first of several; NOTHING of none."""
    best = NOTHING
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if best == NOTHING or COST[card] < COST[best]:
            best = card
    return best


@layer
def topdeck(see: Any, lines: Any) -> Any:
    """Harbinger: the best card of the discard pile; Artisan and the victim of Bureaucrat: what is missed least."""
    if see.source == _ARTISAN:
        return artisan(see, lines)
    if see.source == _HARBINGER:
        best = _dearest_of(without_card(offered(see, _TOPDECK) & ~_DEAD, _COPPER))
        return PASS if best == NOTHING or see.topdeck_way == _TOPDECK_NEVER else action_for(_TOPDECK, best)
    return action_for(_TOPDECK, _to_give_up(see, _TOPDECK))


@layer
def artisan(see: Any, lines: Any) -> Any:
    """A card from the hand onto the deck: an Action that can't be played, a Treasure too many, else a dead card.

    The first two lose nothing: they are drawn again next turn.
    """
    unplayable = offered(see, _TOPDECK) & _ACTIONS
    if see.actions > 0:
        unplayable &= _THRONE_OR_TERMINAL if _terminals_in_hand(see) > see.actions else 0
    best = _dearest_of(unplayable)
    if best != NOTHING:
        return action_for(_TOPDECK, best)
    coins = _coins_in_hand(see)
    buys = wanted(see, lines, SUPPOSED, coins, coins)
    for card in range(_GOLD, _COPPER, -1):
        less = coins - PLUS_COINS[card]
        if can(see, _TOPDECK, card) and wanted(see, lines, SUPPOSED, less, less) == buys:
            return action_for(_TOPDECK, card)
    return action_for(_TOPDECK, _to_give_up(see, _TOPDECK))


@layer
def reveal(see: Any) -> Any:
    """Moat: there is next to no Attack by which one is better off."""
    return action_for(_REVEAL, _MOAT) if can(see, _REVEAL, _MOAT) and see.moat_way != _MOAT_NEVER else PASS


@layer
def set_aside(see: Any) -> Any:
    """Library: an Action that can't be played any more only takes a place in the hand."""
    card = int(see.subject)
    terminals = _terminals_in_hand(see)
    dead = see.actions == 0 or (_IS_TERMINAL[card] and card != _THRONE_ROOM and terminals >= see.actions)
    return action_for(_SET_ASIDE, card) if dead and see.library_way != _LIBRARY_KEEP else PASS


# --- all of it -------------------------------------------------------------------------------------------------------


@layer
def answer(see: Any, lines: Any) -> Any:
    """A legal action for whatever is asked but the Buy phase."""
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
    action = 0  # PASS in a game that is over; else the observation lacks its question
    while action < NUM_ACTIONS - 1 and not see.legal[action]:
        action += 1
    return action
