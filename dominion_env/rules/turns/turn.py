"""The turn with its phases, the end of the game, and the loop that runs until a player must decide."""

from typing import Any

from dominion_env.compiled.jit import layer, rule, shared
from dominion_env.rules import events, zones
from dominion_env.rules.events import EVERYONE, NO_CARD, log_is_filling, note
from dominion_env.rules.knowledge import all_treasures_are_played
from dominion_env.rules.record import state
from dominion_env.rules.record.costs import cost_of
from dominion_env.rules.sources import RULES_HASH
from dominion_env.rules.turns.effects import continue_effect
from dominion_env.rules.words.decisions import (
    ACTIONS_TO_PLAY,
    AGAIN,
    ASK_ACTION,
    ASK_BUY,
    FINISHED,
    NOTHING,
    PLAY,
    TREASURES_AND_SUPPLY,
    WAITING,
    ask_phase,
    can_play_action,
    card_of,
    cards_to_buy,
    offer_answers,
    only_passing_is_legal,
    treasures_to_play,
    verb_of,
)
from dominion_env.rules.words.play import play_from_hand, play_treasures
from dominion_env.tables.actions import PASS
from dominion_env.tables.cards import Card

_TREASURES = (int(Card.COPPER), int(Card.SILVER), int(Card.GOLD))
_PROVINCE = int(Card.PROVINCE)
HAND_SIZE = 5


@rule
def begin_turn(game: Any, player: Any) -> None:
    """Begin a turn with 1 action, 1 buy and 0 coins, or cut the game if the turn would be beyond the limit."""
    if game.turns[player] >= game.max_turns:
        end_game(game, state.TRUNCATED)
        return
    game.turn_player = player
    game.turns[player] += 1
    game.phase = state.ACTION_PHASE
    game.actions = 1
    game.buys = 1
    game.coins = 0
    game.merchants = 0
    game.silver_played = 0
    game.bought = 0
    note(game, events.TURN, player, NO_CARD, game.turns[player], EVERYONE, 0)


@layer
def continue_turn(game: Any, action: Any) -> Any:
    """Go on with the phase between two effects, with the answer that was asked for, or `NOTHING`."""
    me = int(game.turn_player)
    if game.phase == state.ACTION_PHASE:
        if action == NOTHING and (game.ask_forced or can_play_action(game, me)):
            return ask_phase(game, me, ASK_ACTION, ACTIONS_TO_PLAY)
        if action in (NOTHING, PASS):
            game.phase = state.BUY_PHASE
        else:
            game.actions -= 1
            play_from_hand(game, me, card_of(action))
        return AGAIN
    if action == NOTHING:
        if game.auto_treasures and not game.bought:
            for card in _TREASURES:
                if game.hand[me, card] > 0:
                    play_treasures(game, me, card, int(game.hand[me, card]))
            all_treasures_are_played(game, me)
        if game.ask_forced or cards_to_buy(game) | treasures_to_play(game, me):
            return ask_phase(game, me, ASK_BUY, TREASURES_AND_SUPPLY)
        game.asked = me
        return clean_up(game, me)
    if action == PASS:
        return clean_up(game, me)
    card = card_of(action)
    if verb_of(action) == PLAY:
        play_treasures(game, me, card, 1)
    else:
        game.coins -= cost_of(game, card)
        game.buys -= 1
        game.bought = 1
        zones.buy(game, me, card)
    return AGAIN


@rule
def clean_up(game: Any, me: Any) -> Any:
    """Discard all cards in hand and in play and draw 5; then check whether the game ends."""
    zones.discard_hand_and_play_area(game, me)
    zones.draw_cards(game, me, HAND_SIZE)
    reason = why_ended(game)
    if reason != state.NOT_ENDED:
        end_game(game, reason)
    else:
        begin_turn(game, (me + 1) % game.num_players)
    return FINISHED if game.over else AGAIN


@rule
def why_ended(game: Any) -> Any:
    """Return why the game ends: the Province pile is empty, or any three piles are (four with 5 or 6 players)."""
    if zones.pile_is_empty(game, _PROVINCE):
        return state.PROVINCES
    if zones.empty_piles(game) >= state.PILES_TO_END[game.num_players]:
        return state.PILES
    return state.NOT_ENDED


@rule
def end_game(game: Any, reason: Any) -> None:
    """End the game. Nobody moves any more, and the one action left, passing, changes nothing."""
    game.over = 1
    game.ended = reason
    game.stack_size = 0
    only_passing_is_legal(game)
    note(game, events.END, game.turn_player, NO_CARD, reason, EVERYONE, 0)


@rule
def reopen(game: Any) -> Any:
    """Ask the question again that a loaded position waits for. Returns whether the game must run.

    It must if there is no question, or if it has one answer only, which is carried out as everywhere. A position whose
    question has no answer but passing is left as it is, for the caller to refuse: the rules ask no such question.
    """
    if game.over:
        only_passing_is_legal(game)
        return False
    if game.stack_size > 0:
        offer_answers(game)
        game.answer_is_due = game.num_legal == 1 and not game.optional and not game.ask_forced
        return game.answer_is_due
    return True


@shared(RULES_HASH)
def run(game: Any, action: Any) -> Any:
    """Carry out an answer and all that follows, until a player has a choice or the game is over.

    Returns FINISHED then, and AGAIN if the log must be emptied first: call again with `NOTHING`.
    """
    if game.answer_is_due:
        game.answer_is_due = 0
        action = int(game.only_legal)
    while not game.over:
        status = continue_effect(game, action) if game.stack_size > 0 else continue_turn(game, action)
        action = NOTHING
        if status == WAITING:
            if game.num_legal > 1 or game.ask_forced:
                return FINISHED
            if log_is_filling(game):
                game.answer_is_due = 1
                return AGAIN
            action = int(game.only_legal)
        elif log_is_filling(game):
            return AGAIN
    return FINISHED
