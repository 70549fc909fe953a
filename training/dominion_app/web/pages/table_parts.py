"""The parts of the table as HTML, each made from what the seat sees.

A button carries in `data-do` what it asks for: the state in which it was shown, a word and, for most, an answer. Those of
the bar stay as they are, so the browser puts in the state that the heading has.
"""

from __future__ import annotations

from collections import Counter

from markupsafe import Markup

from dominion_app.play.compiling import TOLD
from dominion_app.web.house.games import PASS, Seen
from dominion_app.web.pages import cards
from dominion_app.web.pages.labels import label_of
from dominion_app.web.pages.markup import Content, join, tag
from dominion_env.render.ending import ending, standing, verdict
from dominion_env.render.log import counted
from dominion_env.render.view import PlayerView, View, card_in
from dominion_env.tables.cards import Card

# The keys of answers, without those that always mean the same; a person sees the key beside each answer.
ANSWER_KEYS = "1234567890abefgijklmnoqrsvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOG_LINES = 40
_FROM_SUPPLY = ("buy ", "gain ")


# What the bar offers: what each button asks for, the key as browsers call it, and its label.
_OF_WATCHING = (
    ("back", "ArrowLeft", "Back"), ("next", "ArrowRight", "Next"), ("next turn", "ArrowDown", "Next turn"),
    ("previous turn", "ArrowUp", "Turn back"), ("start", "Home", "Start"), ("end", "End", "End"), ("play", "", "Play on"),
    ("view", "v", "View"), ("bars", "b", "Values"),
)  # fmt: skip
_OF_PLAYING = (("undo", "u", "Undo"), ("hint", "h", "Hint"), ("anew", "", "Begin anew"))
_OF_ALL = (("decks", "d", "Decks"), ("help", "?", "Help"), ("save", "", "Save"))
_SIGNS = {"ArrowLeft": "←", "ArrowRight": "→", "ArrowDown": "↓", "ArrowUp": "↑", "Escape": "Esc"}


def bar_buttons(watched: bool, sure: bool) -> list[Markup]:
    """Return the buttons of the bar.

    Args:
        watched: whether the visitor has no seat.
        sure: whether the next press of "Begin anew" does it.
    """
    found = []
    for do, key, label in (*(_OF_WATCHING if watched else _OF_PLAYING), *_OF_ALL):
        if sure and do == "anew":
            do, label = "really anew", "Really begin anew?"
        found.append(tag(
            "button", label, _key(key), type="button", data_do=f"|{do}|", aria_keyshortcuts=key or None
        ))  # fmt: skip
    return found


def _key(key: str) -> Content:
    """Return the sign of a key, to stand on its button."""
    return tag("kbd", _SIGNS.get(key, key), aria_hidden="true") if key else ""


def value(seen: Seen, do: str, what: str = "") -> str:
    """Return what a button sends."""
    return f"{seen.state}|{do}|{what}"


def heading(seen: Seen) -> Markup:
    """Return whose turn it is, and what is left of it."""
    view = seen.view
    if view.over:
        return tag("h1", "The game is over", data_state=seen.state)
    left = [
        tag("span", counted(number, word), class_="count")
        for number, word in ((view.actions, "action"), (view.buys, "buy"), (view.coins, "coin"))
    ]
    return tag("h1", view.heading, data_state=seen.state) + tag("p", left, class_="counts")


def question(seen: Seen, compiling: bool = False) -> Markup:
    """Return the question with its answers, or the end, or who is thinking.

    Args:
        seen: what the seat sees.
        compiling: whether the process that thinks compiles now.
    """
    view = seen.view
    if view.over:
        return over(view)
    if seen.failure:
        again = tag("button", "Ask again", type="button", data_do=value(seen, "again"))
        return tag("h2", "An agent has failed") + tag("p", seen.failure, class_="wrong") + again
    if seen.watched:
        known = f" of {seen.length}" if seen.step < seen.length else ""
        who = "all cards" if view.seat is None else f"as {view.players[view.seat].name} sees it"
        legal = [label_of(each, view.question) for each in sorted(view.legal, key=_place)]
        can = [tag("span", cards.in_colours(each), class_="count") for each in legal]
        told = tag("p", f"Decision {seen.step}{known}, {who}", class_="quiet")
        return told + tag("h2", cards.in_colours(view.question)) + tag("div", can, class_="answers")
    if not seen.mine:
        doing = TOLD if compiling else "is thinking"
        waits = f"{seen.thinking} {doing} …" if seen.thinking else view.question
        return tag("h2", waits, tabindex="-1")
    asked = tag("h2", cards.in_colours(view.request), tabindex="-1")
    return asked + _circumstances(view) + tag("div", _answers(seen), class_="answers")


def _circumstances(view: View) -> Markup:
    """Return who attacks the player who is asked, and what others have revealed to them; nothing in most questions."""
    attacker = view.players[view.turn_player].name
    lines = [tag("p", f"{attacker} attacks you.")] if view.asked != view.turn_player else []
    lines += [
        tag("p", f"{player.name} has revealed ", cards.groups(player.revealed), ".")
        for player in view.players
        if player.revealed and player.seat != view.seat
    ]
    return join(lines)


def _answers(seen: Seen) -> list[Markup]:
    if seen.several:
        return _several(seen)
    buttons = []
    if len(seen.treasures) > 0:
        buttons.append(_button(seen, "treasures", "", "Play all Treasures", "t", "main"))
    for key, answer in _keyed(seen):
        ends_phase, lost = answer == PASS and seen.phase_of_turn, _lost(seen)
        main = "main" if ends_phase and not seen.treasures and not lost else ""  # one at most, and never one that loses
        label = label_of(answer, seen.view.question)
        buttons.append(
            _button(seen, "answer", answer, f"{label} ({lost})" if ends_phase and lost else label, key, main)
        )
    return buttons


def _lost(seen: Seen) -> str:
    """Return what is lost if the phase is ended now, "" if that is nothing that could be used."""
    view = seen.view
    if seen.treasures:
        held = {group.card: group.copies for group in view.players[view.seat or 0].hand}
        return f"{counted(sum(held.get(card_in(play), 0) for play in seen.treasures), 'Treasure')} not played"
    if any(answer.startswith("buy ") for answer in seen.answers):
        return f"{counted(view.coins, 'coin')} left" if view.coins else ""
    return f"{counted(view.actions, 'action')} left" if len(seen.answers) > 1 else ""


def _several(seen: Seen) -> list[Markup]:
    """Return the buttons that pick cards, and the one that confirms them."""
    hand = seen.view.players[seen.view.seat or 0].hand
    held, counts, buttons = {group.card: group.copies for group in hand}, Counter(seen.picked), []
    for key, answer in _keyed(seen):
        if answer != PASS:
            times = f" ({counts[answer]})" if counts[answer] else ""
            all_picked = counts[answer] == held[card_in(answer)] or len(seen.picked) == seen.most
            label = f"{label_of(answer, seen.view.question)}{times}"
            buttons.append(_button(seen, "pick", answer, label, key, disabled=all_picked))
    if seen.picked:
        buttons.append(_button(seen, "take back", "", "Take back the last one", "u"))
    number = len(seen.picked)
    told = f"Confirm {counted(number, 'card')}" if number else "Confirm none"
    if not seen.can_confirm:
        told = f"Pick {seen.least - number} more"
    button = _button(seen, "confirm", "", told, "c", "main", disabled=not seen.can_confirm)
    return [button, *buttons]


def _keyed(seen: Seen) -> list[tuple[str, str]]:
    """Return the answers with their keys: "p" passes, and the others have digits and letters.

    Treasures that can be played come before cards to buy, and of those and of cards to gain the dearest first.
    """
    others = sorted((answer for answer in seen.answers if answer != PASS), key=_place)
    keys = [*ANSWER_KEYS[: len(others)], *[""] * (len(others) - len(ANSWER_KEYS))]
    passing = [("p", PASS)] if PASS in seen.answers else []
    return [*passing, *zip(keys, others, strict=True)]


def _place(answer: str) -> tuple[bool, int]:
    """Return by what answers are sorted; those that are equal stay in the order of the rules."""
    card = card_in(answer)
    from_supply = card is not None and answer.startswith(_FROM_SUPPLY)
    return from_supply, -card.info.cost if card is not None and from_supply else 0


def _button(seen: Seen, do: str, what: str, label: str, key: str, class_: str = "", disabled: bool = False) -> Markup:
    return tag(
        "button", cards.in_colours(label), _key(key), type="button", class_=class_ or None, data_do=value(seen, do, what),
        disabled=disabled, aria_keyshortcuts=key or None,
    )  # fmt: skip


def over(view: View) -> Markup:
    """Return why the game has ended, who has won, and the final decks."""
    rows = [tag("tr", [tag("th", each, scope="col") for each in ("player", "points and turns", "deck")])]
    for player in view.players:
        won = " ★" if player.seat in view.winners else ""
        cells = [
            tag("th", f"{player.name}{won}", scope="row"),
            tag("td", standing(player)),
            tag("td", cards.groups(player.owned)),
        ]
        rows.append(tag("tr", cells))
    return (
        tag("h2", verdict(view), tabindex="-1") + tag("p", ending(view))
        + tag("div", tag("table", rows, class_="decks"), class_="wide")
    )  # fmt: skip


def supply(seen: Seen) -> Markup:
    """Return the piles: the Kingdom, dearest last, and the base cards."""
    offers = {card_in(answer): answer for answer in seen.answers if answer.startswith(_FROM_SUPPLY) and seen.of_supply}

    def piles(which: str) -> list[Markup]:
        shown = sorted(getattr(seen.view, which), key=lambda each: each.card.info.cost)
        found = []
        for each in shown:
            answer = offers.get(each.card, "")
            label = answer and label_of(answer, seen.view.question)
            found.append(cards.pile(each, label, value(seen, "answer", answer)))
        return found

    return (
        tag("h2", "Supply", class_="for-readers")
        + tag("div", piles("kingdom"), class_="piles kingdom")
        + tag("div", piles("base"), class_="piles base")
        + tag("p", ["Trash: ", cards.groups(seen.view.trash)], class_="trash")
    )


def others(seen: Seen) -> Markup:
    """Return the other players: the number of their cards, and those that all have seen."""
    own = None if seen.view.seat is None else seen.view.seat
    shown = [player for player in seen.view.players if player.seat != own]
    return tag("h2", "Players", class_="for-readers") + tag(
        "div", [_player(player, seen.view) for player in shown], class_=f"players of-{len(shown)}"
    )


def _player(player: PlayerView, view: View) -> Markup:
    known = [group for group in player.hand if group.card is not None]
    hand: list[Content] = [counted(player.hand_size, "card")]
    if known:
        hand += [": " if player.open else ", among them ", cards.groups(known)]
    lines = [
        _line("Hand", join(hand)),
        _line("Deck", counted(player.deck_size, "card")),
        _line("Discard", _discard(player)),
    ]
    lines += [_line("In play", cards.groups(player.in_play))] if player.in_play else []
    lines += [_line(place.capitalize(), cards.groups(groups)) for place, groups in player.aside.items()]
    turn = " (turn)" if player.seat == view.turn_player and not view.over else ""
    style = f"player seat-{player.seat}{' active' if turn else ''}"
    return tag("section", tag("h3", f"{player.name}{turn}"), lines, class_=style)


def _line(label: str, content: Content) -> Markup:
    return tag("p", tag("span", label, class_="label"), " ", content)


def _discard(player: PlayerView) -> Markup:
    if player.discard_top is None:
        return tag("span", "empty", class_="quiet")
    return join([f"{counted(player.discard_size, 'card')}, ", cards.name_of(player.discard_top), " on top"])


def own(seen: Seen) -> Markup:
    """Return the cards of the visitor, or of the player they look at: hand, play area, piles, and what lies aside."""
    view = seen.view
    if view.seat is None:
        return Markup("")
    player = view.players[view.seat]
    lines = [_line("In play", cards.groups(player.in_play))]
    lines += [_line(place.capitalize(), cards.groups(groups)) for place, groups in player.aside.items()]
    whose = f"Hand of {player.name}" if seen.watched else "Your hand"
    lines.append(_line("Deck", join([counted(player.deck_size, "card"), " · discard pile: ", _discard(player)])))
    return (
        tag("h2", f"{whose} ({counted(player.hand_size, 'card')})")
        + tag("div", _hand(seen, player), class_="hand")
        + tag("div", lines, class_="beside")
    )


def _hand(seen: Seen, player: PlayerView) -> list[Markup]:
    """Return the cards of the hand; those that are picked come last among their copies, and a click takes them back."""
    counts, full = Counter(seen.picked), seen.several and len(seen.picked) == seen.most
    shown: list[Markup] = []
    for group in player.hand:
        if group.card is None:
            continue
        answer = _answer_with(seen, group.card)
        label = answer and label_of(answer, seen.view.question)
        chosen = counts[answer] if seen.several else 0
        for copy in range(group.copies):
            picked = copy >= group.copies - chosen
            if not answer or (full and not picked):
                shown.append(cards.held(group.card, "", ""))
            elif picked:
                shown.append(cards.held(group.card, value(seen, "take back", answer), f"Take back: {label}", True))
            else:
                do = "pick" if seen.several else "answer"
                shown.append(cards.held(group.card, value(seen, do, answer), label))
    return shown or [tag("p", "no card", class_="quiet")]


def _answer_with(seen: Seen, card: Card) -> str:
    """Return the one answer that a click on a card of the hand gives, "" if there is none or more than one."""
    found = [answer for answer in seen.answers if card_in(answer) == card and not answer.startswith(_FROM_SUPPLY)]
    return found[0] if len(found) == 1 and seen.of_hand else ""


def log(seen: Seen) -> Markup:
    """Return the newest events, turn by turn."""
    lines = [
        tag("li", cards.in_colours(line), class_="turn" if line.startswith("Turn ") else None)
        for line in seen.view.events[-LOG_LINES:]
    ]
    return tag("div", tag("h2", "Log") + tag("ol", lines))


def decks(view: View) -> Markup:
    """Return what each player owns, with points; the own deck comes first. All of it is public."""
    players = sorted(view.players, key=lambda player: player.seat != view.seat)
    return tag("h2", "Decks and points") + join(
        tag(
            "section",
            tag("h3", player.name),
            tag("p", standing(player), ", ", counted(_size(player), "card")),
            tag("p", cards.groups(player.owned)),
        )
        for player in players
    )


def _size(player: PlayerView) -> int:
    return sum(group.copies for group in player.owned)


_KEYS_PLAYING = (
    ("the key beside an answer", "gives it"), ("p", "ends the phase or the turn, or declines"), ("t", "plays all Treasures"),
    ("c", "confirms what is picked"), ("u", "takes back the last card that is picked, or else the last answer"), ("h", "hint"),
)  # fmt: skip
_KEYS_WATCHING = (
    ("→", "next decision"), ("←", "decision before"), ("↓", "next turn"), ("↑", "turn before"), ("Home", "start"),
    ("End", "end; once more stops on the way"), ("v", "all cards, or those that one seat sees"), ("b", "values of the agent"),
)  # fmt: skip
_KEYS_ALWAYS = (("d", "decks and points"), ("?", "this page"), ("Esc", "closes what is open"))


def explanation(seen: Seen) -> Markup:
    """Return the page with the keys and the cards of this game."""
    keys = (*(_KEYS_WATCHING if seen.watched else _KEYS_PLAYING), *_KEYS_ALWAYS)
    rows = [tag("tr", tag("th", tag("kbd", key), scope="row"), tag("td", does)) for key, does in keys]
    shown = [each.card for each in (*seen.view.kingdom, *seen.view.base)]
    return tag("h2", "Keys and cards") + tag("table", rows) + cards.glossary(shown)


def hint(found: dict[str, object], view: View) -> Markup:
    """Return what the coach says of each answer, which is called as at the table."""
    rows = [
        tag("tr", [tag("th", each, scope="col") for each in ("action", "chance to win", "as a bar", "if you go on as")])
    ]
    actions: list[dict[str, object]] = found["actions"]  # type: ignore[assignment]
    for each in actions:
        chance, low, high = (round(100 * float(str(each[key]))) for key in ("chance", "low", "high"))
        rows.append(tag("tr", [
            tag("th", cards.in_colours(label_of(str(each["action"]), view.question)), scope="row"),
            tag("td", f"{chance}% [{low}, {high}]"), tag("td", bar(float(str(each["chance"])))), tag("td", str(each["plan"])),
        ]))  # fmt: skip
    words = (
        "In brackets: the interval of 95%. Each action counts as much as with the best of several plans. "
        "All Treasures are played first."
    )
    return tag("h2", "The coach") + tag("table", rows, class_="hints") + tag("p", words)


def bar(share: float) -> Markup:
    """Return a share of one as a bar."""
    return tag("meter", f"{share:.0%}", min="0", max="1", value=f"{share:.4f}")


def bars(name: str, found: dict[str, object], question: str) -> Markup:
    """Return the probabilities of an agent's answers to a question, and its chance to win, if it tells them."""
    shares: list[tuple[str, float]] = found["bars"]  # type: ignore[assignment]
    if not shares:
        return tag("p", f"{name} tells no probabilities.", class_="quiet")
    rows = [
        tag(
            "tr",
            [
                tag("th", cards.in_colours(label_of(action, question)), scope="row"),
                tag("td", bar(share)),
                tag("td", f"{share:.0%}"),
            ],
        )
        for action, share in shares[:8]
    ]
    chance = found["chance"]
    told = "" if chance is None else f": expects {float(str(chance)):.0%} of the win"
    return tag("h2", f"{name}{told}") + tag("table", rows, class_="hints")
