"""What several cards do, on top of the verbs of `zones.py` and the questions of `decisions.py`.

These functions also keep the number that a text remembers between its steps: how many cards the player has picked, or how
many cards of the effect lie beside the play area.
"""

from typing import Any

from dominion_env.compiled.jit import primitive, rule
from dominion_env.rules import zones
from dominion_env.rules.record.state import ALL
from dominion_env.rules.words import decisions
from dominion_env.rules.words.stack import DRAWING, num_aside, num_picked, push, remember, whose_text
from dominion_env.rules.zones import NONE, aside, card_in, mark_of
from dominion_env.tables.cards import NUM_CARDS


@primitive
def hand_size(game: Any, player: Any) -> Any:
    """Return the number of cards in hand, without those that are picked."""
    return int(game.hand_size[player])


# --- picking several cards of the hand -------------------------------------------------------------------------------
# Each is laid beside the play area as it is picked; when picking ends, all are discarded or trashed at once.


@primitive
def pick(game: Any, player: Any, action: Any) -> None:
    """Pick the card that an answer names, if it names one."""
    if decisions.names_a_card(action):
        zones.choose(game, player, decisions.card_of(action))
        remember(game, num_picked(game) + 1)


@primitive
def ask_to_pick(game: Any, player: Any, question: Any) -> Any:
    """Ask for the next card of the hand to pick, as far as the hand reaches and the question wants more."""
    left, counts = decisions.number_in(question) - num_picked(game), decisions.counts_in(question)
    if counts == decisions.DOWN_TO:
        left = hand_size(game, player) - decisions.number_in(question)
    elif counts == decisions.EACH_EMPTY_PILE:
        left = zones.empty_piles(game) - num_picked(game)
    left = min(left, hand_size(game, player))
    return decisions.ask_several(game, player, question, num_picked(game), left) if left > 0 else decisions.UNASKED


@primitive
def discard_picked(game: Any, player: Any) -> None:
    """Discard the picked cards."""
    zones.discard_chosen(game, player, num_picked(game))


@primitive
def trash_picked(game: Any, player: Any) -> None:
    """Trash the picked cards."""
    zones.trash_chosen(game, player, num_picked(game))


# --- drawing ---------------------------------------------------------------------------------------------------------


@primitive
def draw_one_by_one(game: Any, player: Any, cards: Any) -> None:
    """Draw any number of cards once this text is finished, in steps of one so that the log of events has room."""
    push(game, DRAWING, whose_text(game), player, cards)


@rule
def look_and_draw_unless(game: Any, player: Any, types: Any) -> Any:
    """Look at the top card, and draw it unless it is of one of these types. Returns it, or NONE if there is none."""
    entry = zones.take_top(game, player)
    if entry == NONE:
        return NONE
    card = card_in(entry)
    if decisions.has_type(card, types):
        zones.look_at(game, player, entry)
    else:
        zones.take_into_hand(game, player, card, mark_of(entry) == ALL)
    return card


# --- cards of the effect beside the play area ------------------------------------------------------------------------


@rule
def reveal_cards(game: Any, player: Any, cards: Any) -> Any:
    """Reveal `cards` more cards from the top of the deck. Returns how many there were."""
    revealed = 0
    while revealed < cards and zones.reveal_top(game, player) != NONE:
        revealed += 1
    remember(game, num_aside(game) + revealed)
    return revealed


@rule
def look_at_cards(game: Any, player: Any, cards: Any) -> None:
    """Look at `cards` cards from the top of the deck, or as many as there are."""
    looked_at = 0
    while looked_at < cards and zones.look_at_top(game, player) != NONE:
        looked_at += 1
    remember(game, looked_at)


@rule
def num_revealed(game: Any, player: Any, types: Any) -> Any:
    """Return how many of the revealed cards are of one of these types."""
    found, cards = 0, num_aside(game)
    for i in range(cards):
        found += decisions.has_type(aside(game, player, cards, i), types)
    return found


@rule
def put_revealed_into_hand(game: Any, player: Any, types: Any) -> None:
    """Put the revealed cards of these types into the hand, oldest first."""
    cards, i = num_aside(game), 0
    while i < cards:
        card = aside(game, player, cards, i)
        if decisions.has_type(card, types):
            zones.take_revealed_into_hand(game, player, card)
            cards -= 1
        else:
            i += 1
    remember(game, cards)


@primitive
def trash_revealed(game: Any, player: Any, card: Any) -> None:
    """Trash one of the revealed cards."""
    zones.trash_revealed(game, player, card)
    remember(game, num_aside(game) - 1)


@primitive
def set_aside_looked_at(game: Any, player: Any) -> None:
    """Set the card just looked at aside, with those set aside before."""
    zones.set_aside_newest(game, player)
    remember(game, num_aside(game) + 1)


@primitive
def discard_aside(game: Any, player: Any) -> None:
    """Discard the cards of the effect that lie face up beside the play area."""
    zones.discard_revealed(game, player, num_aside(game))


@rule
def place_looked_at(game: Any, player: Any, verb: Any, first: Any, second: Any) -> None:
    """Put cards that the player has looked at where this verb says, as far as their two answers name it."""
    one = first != decisions.NOTHING and decisions.verb_of(first) == verb
    two = second != decisions.NOTHING and decisions.verb_of(second) == verb
    zones.place_looked_at(
        game, player, verb, decisions.card_of(first) if one else NONE, decisions.card_of(second) if two else NONE
    )


# --- loot: cards that an Attack has trashed and its player may gain --------------------------------------------------


@primitive
def forget_loot(game: Any) -> None:
    """Leave all cards in the trash that were trashed so far."""
    game.loot[:] = 0


@primitive
def trash_as_loot(game: Any, victim: Any, card: Any) -> None:
    """Trash one of the victim's revealed cards, which the attacker may gain afterwards."""
    trash_revealed(game, victim, card)
    game.loot[card] += 1


@primitive
def gain_loot(game: Any, player: Any, card: Any) -> None:
    """Gain one of the cards trashed by this Attack."""
    zones.gain_from_trash(game, player, card)
    game.loot[card] -= 1


@rule
def loot_size(game: Any) -> Any:
    """Return how many cards trashed by this Attack can still be gained."""
    cards = 0
    for card in range(NUM_CARDS):
        cards += int(game.loot[card])
    return cards


# --- Reactions -------------------------------------------------------------------------------------------------------


@primitive
def be_unaffected(game: Any, player: Any) -> None:
    """Leave the player out of the Attack in progress."""
    game.immune |= 1 << player
