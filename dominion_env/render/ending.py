"""The end of a game in words: the reason, the winners and what decided a tie."""

from collections.abc import Sequence

from dominion_env.render.log import counted
from dominion_env.render.view import PlayerView, View


def ending(view: View) -> str:
    """Return the reason for the end in a sentence."""
    return f"The game is over: {view.ended}."


def verdict(view: View) -> str:
    """Return the winners in a sentence or two, with the turns where they decide between equal points."""
    winners = [view.players[seat] for seat in view.winners]
    if not winners:
        return "Nobody has won."
    first = winners[0]
    level = [player for player in view.players if player.points == first.points]
    points, turns = counted(first.points, "point"), counted(first.turns, "turn")
    if len(level) == 1 or len(view.players) == 1:
        return f"{first.name} has won with {points}."
    tie = f"{_listed(level)} have {points} each."
    losers = [player for player in level if player not in winners]
    if len(winners) > 1:
        won = f"{_listed(winners)} share the victory with {turns} each"
    else:
        won = f"{first.name} has won with {turns}"
    others = " and ".join(f"{player.name} had {player.turns}" for player in losers)
    return f"{tie} {won}{f', the fewest; {others}' if losers else ''}."


def standing(player: PlayerView) -> str:
    """Return points and turns of a player."""
    return f"{counted(player.points, 'point')}, {counted(player.turns, 'turn')}"


def _listed(players: Sequence[PlayerView]) -> str:
    *others, last = [player.name for player in players]
    return f"{', '.join(others)} and {last}" if others else last
