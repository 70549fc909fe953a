"""Seeing a game: every mode shows what one seat may see and no more, and nothing overlaps in the pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import ImageFont

from dominion_env import Card, Game, GameBatch, InvalidOption
from dominion_env.render import MODES, render, view_of
from dominion_env.render.ending import ending, verdict
from dominion_env.render.picture import ASKED, CARD_COLOURS, PANEL, TURN, Box, Scene, TextLine, rgb_array, scene_of, svg
from dominion_env.render.view import CARD_STYLES, LOG_LINES, CardGroup, style_of
from dominion_env.tables.cards import KINGDOM_CARDS, NUM_BASE_CARDS
from tests.properties import dealt_again, play, strange_positions
from tests.properties.test_knowledge_redeal import asking_one_seat

KINGDOM = "first-game-2e"
ALL_CARDS = {card.title: 2 for card in Card}
HUGE = {
    "hand": ALL_CARDS,
    "deck_top": ["Throne Room", "Council Room", "Adventurer"],
    "deck_known": ["all"] * 3,
    "in_play": [card.title for card in Card],
    "set_aside": ["Moneylender"] * 3,
    "revealed": ["Bureaucrat", "Chancellor"],
    "discard": ["Council Room"] * 20,
}


def at_table(*players: dict[str, Any], kingdom: Any = KINGDOM, **more: Any) -> Game:
    return Game.from_dict({"kingdom": kingdom, "players": list(players), **more}, ask_forced=True)


def militia_asks(swapped: bool = False) -> Game:
    """Return a game after Militia, in which player_1 holds 5 cards, a Silver that all have seen, and must discard 2.

    `swapped`: what nobody but player_1 can know is the other way round.
    """
    cards = [{"Duchy": 1, "Silver": 3, "Village": 1}, {"Silver": 1, "Estate": 1, "Gold": 2, "Witch": 1}]
    hand, bag = reversed(cards) if swapped else cards
    game = at_table(
        {"hand": {"Militia": 1, "Gold": 2, "Smithy": 1}, "deck_bag": {"Estate": 3}},
        {"hand": hand, "deck_bag": bag, "known_hand": {"Silver": 1}, "discard": ["Curse"]},
    )
    game.apply("play Militia")
    return game


def finished() -> Game:
    game = Game(seed=2, num_players=3, max_turns=2)
    while not game.is_over:
        game.apply("pass")
    return game


ODD: dict[str, Callable[[], Game]] = {
    "six players, one with two of every card": lambda: at_table(HUGE, *({} for _ in range(5)), kingdom="deck-top-2e"),
    "no cards at all": lambda: at_table(
        {}, {}, supply={card.title: 0 for card in [*Game().kingdom, *list(Card)[:NUM_BASE_CARDS]]}, phase="buy"
    ),
    "sixty cards in hand": lambda: at_table({"hand": {"Copper": 60}}, {"hand": {"Moat": 60}}),
    "much of everything": lambda: at_table(
        {"hand": ALL_CARDS, "turns": 30000}, HUGE, {}, trash=ALL_CARDS, actions=1000, buys=1000, coins=1000, phase="buy"
    ),
    "one player": lambda: Game(num_players=1),
    "the end": finished,
    "the middle of an Attack": militia_asks,
}


def labels_and_boxes(scene: Scene) -> tuple[list[TextLine], list[Box]]:
    return [s for s in scene.shapes if isinstance(s, TextLine)], [s for s in scene.shapes if isinstance(s, Box)]


@cache
def letters(text: str, size: float) -> tuple[float, float, float, float]:
    """Return the box of the letters in the font that paints them, from the left end of the baseline."""
    return ImageFont.load_default(size).getbbox(text, anchor="ls")


def extent(shape: TextLine | Box) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of what is painted, in pixels."""
    if isinstance(shape, Box):
        return shape.x, shape.y, shape.right, shape.bottom
    left, top, right, bottom = letters(shape.text, shape.size)
    return shape.x + left, shape.y + top, shape.x + right, shape.y + bottom


def apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return whether extents of `one` and `other` do not touch, bool (m, n)."""
    one, other = one[:, None], other[None]
    return ((one[..., 2:] <= other[..., :2]) | (other[..., 2:] <= one[..., :2])).any(axis=2)


def within(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Bool (m, n): whether extents of `one` lie in those of `other`."""
    one, other = one[:, None], other[None]
    return ((one[..., :2] >= other[..., :2]) & (one[..., 2:] <= other[..., 2:])).all(axis=2)


def check_scene(scene: Scene) -> None:
    """Nothing leaves the picture, no text lies on another, and no text or box crosses the edge of a box."""
    shapes = [shape for shape in scene.shapes if isinstance(shape, Box) or shape.text.strip()]
    extents = np.array([extent(shape) for shape in shapes])
    is_box = np.array([isinstance(shape, Box) for shape in shapes])
    outside = ~within(extents, np.array([[0, 0, scene.width, scene.height]]))[:, 0]
    assert not outside.any(), [shapes[i] for i in np.flatnonzero(outside)]
    touching = np.triu(~apart(extents, extents), 1)  # [a, b]: b is drawn after a
    wrong = touching & ~(within(extents, extents).T & is_box[:, None])
    assert not wrong.any(), [(shapes[a], shapes[b]) for a, b in np.argwhere(wrong)]


@pytest.mark.parametrize("name", ODD)
def test_nothing_overflows_or_overlaps_in_a_picture_of(name: str) -> None:
    game = ODD[name]()
    for seat in (None, *range(game.num_players)):
        check_scene(scene_of(view_of(game, seat)))
    long = [f"An agent with a rather long name, number {seat}" for seat in range(game.num_players)]
    check_scene(scene_of(view_of(game, None, long)))


@pytest.mark.compiled
@pytest.mark.parametrize("players", range(1, 7))
def test_nothing_overflows_or_overlaps_in_strange_positions(players: int) -> None:
    for number, position in enumerate(strange_positions(players, 12, seed=3)):
        game = Game.from_dict(position)
        check_scene(scene_of(view_of(game, (None, game.current_player)[number % 2])))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ODD)
def test_every_position_can_be_shown_in_every_mode(name: str, mode: str) -> None:
    game = ODD[name]()
    before = game.to_dict()
    shown = render(game, None, mode)
    assert isinstance(shown, np.ndarray if mode == "rgb_array" else str)
    assert len(shown) > 0
    assert game.to_dict() == before


def test_pictures_are_of_one_size_through_a_game() -> None:
    sizes = set()
    game = Game(seed=5, num_players=3, kingdom="interaction-1e", max_turns=6)
    batch = GameBatch(1, seed=5, num_players=3, kingdom="interaction-1e", max_turns=6, autoreset=False)
    while not game.is_over:
        scene = scene_of(view_of(game, 1))
        sizes.add((scene.width, scene.height))
        game.apply(int(batch.sample_actions()[0]))
        batch.step(batch.sample_actions())
    picture = render(game, 1, "rgb_array")
    assert (picture.dtype, picture.shape[2]) == (np.uint8, 3)
    assert sizes == {(picture.shape[1], picture.shape[0])}


@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("seat", [None, 0])
def test_width_and_height_are_even_as_encoders_of_films_ask(players: int, seat: int | None) -> None:
    scene = scene_of(view_of(Game(seed=5, num_players=players), seat))
    assert (scene.width % 2, scene.height % 2) == (0, 0)


def test_an_svg_is_well_formed_and_says_what_the_painted_picture_says() -> None:
    game = militia_asks()
    scene = scene_of(view_of(game, 1, ["<&>", "Bob"]))
    svg = render(game, 1, "svg", ["<&>", "Bob"])
    root = ET.fromstring(svg)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [label.text for label in labels_and_boxes(scene)[0]]
    assert len(list(root.iter("{http://www.w3.org/2000/svg}rect"))) == len(labels_and_boxes(scene)[1])
    assert svg in render(game, 1, "html", ["<&>", "Bob"])


def test_what_lies_in_a_box_is_painted_there() -> None:
    scene = Scene(60, 40, "")
    scene.box(Box(0, 0, 60, 40, "#ffffff", radius=0))
    scene.box(Box(10, 10, 20, 20, "#ff0000", radius=0))
    pixels = rgb_array(scene)
    red = (pixels == (255, 0, 0)).all(axis=2)
    assert red[10:30, 10:30].all()
    assert red.sum() == 400
    scene.text(32, 12, "I", 16, 20, "#0000ff")
    changed = (rgb_array(scene) != pixels).any(axis=2)
    label = labels_and_boxes(scene)[0][0]
    rows, columns = np.nonzero(changed)
    assert changed.any()
    place = np.array([[label.x - 1, label.top - 1, label.x + label.width + 1, label.bottom + 1]])
    assert within(np.array([[columns.min(), rows.min(), columns.max(), rows.max()]]), place).all()


# --- what a seat may see ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("players", "kingdom"), [(2, "random"), (2, "deck-top-2e"), (3, "interaction-1e"), (4, "sleight-of-hand-2e")]
)
def test_a_picture_does_not_depend_on_what_the_seat_can_not_know(players: int, kingdom: str) -> None:
    batch = GameBatch(6, num_players=players, kingdom=kingdom, seed=61)
    changed = 0
    for step in play(batch, 120, seed=61):
        if step % 12:
            continue
        for seat, part in asking_one_seat(batch):
            world = dealt_again(part, step, seat)
            for row in range(len(part)):
                one, other = Game.from_dict(part.to_dict(row)), Game.from_dict(world.to_dict(row))
                assert view_of(one, seat) == view_of(other, seat)
                assert render(one, seat, "text") == render(other, seat, "text")
                assert one._repr_svg_() == other._repr_svg_()
                changed += view_of(one, None) != view_of(other, None)
    assert changed > 0, "the deals never differed"


@pytest.mark.parametrize("mode", MODES)
def test_others_see_whose_answer_is_awaited_and_neither_question_nor_hand(mode: str) -> None:
    worlds = militia_asks(), militia_asks(swapped=True)
    assert np.array_equal(*(render(game, 0, mode) for game in worlds))
    assert not np.array_equal(*(render(game, 1, mode) for game in worlds))
    assert not np.array_equal(*(render(game, None, mode) for game in worlds))


def test_a_view_of_another_seat_says_who_is_asked_by_what_without_the_details() -> None:
    game = militia_asks()
    mine, theirs, everything = (view_of(game, seat) for seat in (1, 0, None))
    assert (theirs.asked, theirs.question, theirs.legal) == (1, "player_1 is asked by Militia", ())
    assert mine.question == everything.question == "player_1 is asked by Militia to discard 2 cards"
    assert mine.legal == everything.legal == tuple(game.legal_actions())
    assert theirs.players[1].hand == (CardGroup(Card.SILVER, 1), CardGroup(None, 4))
    assert mine.players[1].hand == (CardGroup(Card.SILVER, 3), CardGroup(Card.DUCHY, 1), CardGroup(Card.VILLAGE, 1))
    assert mine.players[0].hand == (CardGroup(None, 3),)


def test_a_moat_that_may_be_revealed_is_not_told_to_the_others() -> None:
    questions = []
    for card in ("Moat", "Estate"):
        victim = {"hand": {card: 1, "Copper": 4}, "deck_bag": {"Silver": 5}}
        game = at_table({"hand": {"Militia": 1}, "deck_bag": {"Estate": 3}}, victim)
        game.apply("play Militia")
        questions.append(view_of(game, 0).question)
    assert questions == ["player_1 is asked by Militia"] * 2


def test_cards_that_are_being_chosen_count_as_hand_for_the_others() -> None:
    game = militia_asks()
    game.apply("discard Duchy")
    assert view_of(game, 1).players[1].chosen == (CardGroup(Card.DUCHY, 1),)
    assert view_of(game, 1).players[1].hand_size == 4
    assert view_of(game, 0).players[1].chosen == ()
    assert view_of(game, 0).players[1].hand_size == 5


def test_known_cards_on_a_deck_are_shown_to_who_knows_them() -> None:
    deck = {"deck_top": ["Gold", "Silver", "Duchy", "Curse"], "deck_known": ["nobody", "owner", "all", "nobody"]}
    game = at_table(deck, {"hand": {"Copper": 1}})
    tops = [[group.name for group in view_of(game, seat).players[0].deck_top] for seat in (0, 1, None)]
    assert tops == [["?", "Silver", "Duchy"], ["?", "?", "Duchy"], ["Gold", "Silver", "Duchy", "Curse"]]


def test_cards_looked_at_in_secret_are_unknown_to_the_others() -> None:
    start = {"hand": {"Sentry": 1}, "deck_top": ["Copper", "Gold", "Duchy", "Curse"]}
    game = at_table(start, {"hand": {"Copper": 1}}, kingdom=_with("Sentry"))
    game.apply("play Sentry")
    views = [view_of(game, seat).players[0] for seat in (0, 1)]
    assert [[group.name for group in player.looked_at] for player in views] == [["Gold", "Duchy"], ["?", "?"]]
    assert [player.revealed for player in views] == [(), ()]


def test_what_sentry_looks_at_in_secret_is_not_called_revealed() -> None:
    game = at_table({"hand": {"Sentry": 1}, "deck_bag": {"Gold": 3}}, {}, kingdom=_with("Sentry"))
    game.apply("play Sentry")
    for mode in ("text", "svg"):
        shown = render(game, 0, mode)
        assert "looked at" in shown
        assert "revealed" not in shown


def test_what_all_players_see_is_called_revealed() -> None:
    victim = {"hand": {"Copper": 1}, "deck_bag": {"Gold": 1, "Silver": 1}}
    game = at_table({"hand": {"Thief": 1}}, victim, kingdom=_with("Thief"))
    game.apply("play Thief")
    for mode in ("text", "svg"):
        shown = render(game, 0, mode)
        assert "revealed" in shown
        assert "looked at" not in shown


def _with(*names: str) -> list[str]:
    """Return a kingdom with these cards."""
    others = [card.title for card in Game().kingdom if card.title not in names]
    return [*names, *others][:10]


# --- how it looks ----------------------------------------------------------------------------------------------------


def test_cards_are_coloured_by_their_type() -> None:
    kinds = {
        "Smithy": "action", "Militia": "attack", "Moat": "reaction", "Gold": "treasure", "Province": "victory",
        "Gardens": "victory", "Curse": "curse",
    }  # fmt: skip
    assert {name: style_of(Card.named(name)) for name in kinds} == kinds
    assert len({CARD_COLOURS[kind] for kind in (*CARD_STYLES, "unknown")}) == 7


def test_a_picture_shows_every_pile_with_cost_and_count() -> None:
    game = Game(seed=1)
    texts = [label.text for label in labels_and_boxes(scene_of(view_of(game, 0)))[0]]
    for card in [*list(Card)[:NUM_BASE_CARDS], *game.kingdom]:
        at = texts.index(card.title)
        assert texts[at + 1] == f"x{game.to_dict()['supply'][card.title]}"
        assert texts[at + 2] == str(card.info.cost)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_the_heavy_frame_is_around_the_player_who_must_decide_and_the_sign_beside_the_one_on_turn(
    seat: int | None,
) -> None:
    scene = scene_of(view_of(militia_asks(), seat))
    labels, boxes = labels_and_boxes(scene)
    (frame,) = (box for box in boxes if box.line == ASKED and box.fill == PANEL)
    (sign,) = (box for box in boxes if box.fill == TURN)
    assert [label.text for label in labels if inside(label, frame) and label.text.startswith("player_")] == ["player_1"]
    assert [label.text for label in labels if inside(label, sign)] == ["turn 1"]
    assert not inside(sign, frame)
    heavy = [line for line in svg(scene).splitlines() if 'stroke-width="3"' in line]
    assert len(heavy) == 1
    assert f'fill="{PANEL}"' in heavy[0]


def inside(shape: TextLine | Box, box: Box) -> bool:
    return bool(within(np.array([extent(shape)]), np.array([extent(box)]))[0, 0])


def test_at_the_end_no_player_is_marked() -> None:
    boxes = labels_and_boxes(scene_of(view_of(finished(), 0)))[1]
    assert not any(box.line == ASKED or box.fill == TURN for box in boxes)


@pytest.mark.parametrize("card", KINGDOM_CARDS, ids=lambda card: card.title)
def test_the_tile_of_a_card_says_what_it_does(card: Card) -> None:
    game = Game(kingdom=_with(card.title))
    labels, boxes = labels_and_boxes(scene_of(view_of(game, 0)))
    name = next(label for label in labels if label.text == card.title)
    tile = min((box for box in boxes if inside(name, box)), key=lambda box: box.width)
    words = [label.text for label in labels if inside(label, tile)][3:]  # after name, copies and cost
    assert not {"", "Attack", "Reaction"} >= {" ".join(words)}
    assert not any(word.endswith("...") for word in words)
    assert all(label.size >= 11 for label in labels if inside(label, tile) and label.text in words)


def test_too_many_chips_are_counted() -> None:
    scene = scene_of(view_of(at_table(HUGE, *({} for _ in range(5))), 1))
    counted = [
        int(match[1]) for label in labels_and_boxes(scene)[0] if (match := re.match(r"\+(\d+) more", label.text))
    ]
    assert counted, "39 kinds of cards in play can't all be shown"


def test_ansi_is_the_plain_text_with_colours_and_the_newest_events() -> None:
    game = militia_asks()
    shown = render(game, 1, "ansi")
    without = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "\x1b[" in shown
    words = " ".join(without.split())
    assert " ".join(game.render(1).split()) in words
    assert "player_0 plays Militia" in words
    assert "\x1b" not in render(game, 1, "text") == game.render(1)


def test_the_end_of_a_game_names_points_and_winners() -> None:
    game = at_table({"hand": {"Province": 1}}, {"hand": {"Gold": 1}}, over=True, ended="provinces")
    view = view_of(game, 1)
    assert (view.over, view.ended, view.winners, view.asked) == (True, "the Provinces have run out", (0,), None)
    assert "The game is over: the Provinces have run out.\nplayer_0 has won with 6 points." in render(game, 1, "text")
    texts = [label.text for label in labels_and_boxes(scene_of(view))[0]]
    assert "has won" in texts


def test_the_end_names_the_winner_in_any_seat() -> None:
    game = at_table({"hand": {"Gold": 1}}, {"hand": {"Province": 1}}, over=True, ended="provinces")
    assert verdict(view_of(game, 0)) == "player_1 has won with 6 points."


def test_the_newest_events_stand_below_the_coloured_table() -> None:
    game = Game(seed=3, kingdom=KINGDOM, auto_treasures=True)
    while len(view_of(game, 0).events) < LOG_LINES:
        game.apply(game.legal_actions()[0])
    events = view_of(game, 0).events
    told = re.sub(r"\x1b\[[0-9;]*m", "", render(game, 0, "ansi"))
    assert told.rstrip().endswith(events[-1].strip())
    assert len([line for line in events[:-20] if line in told]) < len(events[:-20])


@pytest.mark.parametrize(
    ("turns", "points", "said"),
    [
        ((9, 9), (1, 1), "Ann and Ben have 6 points each. Ann and Ben share the victory with 9 turns each."),
        ((9, 8), (1, 1), "Ann and Ben have 6 points each. Ben has won with 8 turns, the fewest; Ann had 9."),
        ((9, 8), (2, 1), "Ann has won with 12 points."),
        ((9, 8, 8), (1, 1, 1), ("Ann, Ben and Cy have 6 points each. "
                               "Ben and Cy share the victory with 8 turns each, the fewest; Ann had 9.")),
        ((3,), (1,), "Ann has won with 6 points."),
    ],
)  # fmt: skip
def test_the_end_of_a_game_explains_a_tie_by_turns(turns: tuple[int, ...], points: tuple[int, ...], said: str) -> None:
    players = [{"hand": {"Province": n}, "turns": t} for n, t in zip(points, turns, strict=True)]
    game = at_table(*players, over=True, ended="piles")
    view = view_of(game, 0, ["Ann", "Ben", "Cy"][: len(turns)])
    assert verdict(view) == said
    assert ending(view) == "The game is over: piles have run out."
    words = " ".join(label.text for label in labels_and_boxes(scene_of(view))[0])
    assert ending(view) in words
    assert said in words
    check_scene(scene_of(view))


def test_the_end_of_a_game_shows_all_decks_to_everybody() -> None:
    loser = {"hand": {"Estate": 1}, "deck_bag": {"Gold": 2}, "discard": ["Silver"], "turns": 8}
    game = at_table({"hand": {"Province": 1}, "turns": 9}, loser, over=True, ended="provinces")
    assert "player_1   1 point, 8 turns: Silver, 2 Gold, Estate" in render(game, 0, "text").splitlines()
    texts = [label.text for label in labels_and_boxes(scene_of(view_of(game, 0)))[0]]
    assert {"Silver", "Gold x2", "Estate", "8 turns", "9 turns"} <= set(texts)


NASTY = "\x1b[31mA\x07\u202e\nB\x00\ufffe\ud800"


@pytest.mark.parametrize("mode", ["text", "ansi", "svg", "html"])
def test_names_carry_no_control_characters_into_text_or_picture(mode: str) -> None:
    game = militia_asks()
    shown = render(game, 0, mode, [NASTY, "Ben"])
    bare = re.sub(r"\x1b\[[0-9;]*m", "", shown) if mode == "ansi" else shown
    assert all(letter.isprintable() or letter == "\n" for letter in bare)
    assert "?[31mA???B???" in " ".join(bare.split())
    shown.encode()
    if mode == "svg":
        ET.fromstring(shown)


def test_names_carry_no_control_characters_into_the_log() -> None:
    log = militia_asks().log(None, [NASTY, "Ben"])
    assert all(letter.isprintable() or letter == "\n" for letter in log)
    assert "?[31mA???B??? plays Militia" in log


def test_a_turn_in_the_log_tells_the_coins_of_treasures_and_no_clean_up() -> None:
    game = Game(seed=4, auto_treasures=True, first_player=0)
    game.apply("pass")
    turn = game.log(0).split("Turn 1 of player_1")[0]
    assert re.search(r"player_0 plays (\d )?Copper for \d coins?\n", turn)
    assert "clean" not in turn
    assert turn.rstrip().splitlines()[-1].startswith("  player_0 draws ")


def test_treasures_played_together_share_a_line_with_their_coins() -> None:
    game = at_table({"hand": {"Copper": 2, "Silver": 1, "Gold": 1}}, {}, phase="buy")
    for answer in ("play Silver", "play Copper", "play Copper", "play Gold"):
        game.apply(answer)
    assert "player_0 plays Silver, 2 Copper and Gold for 7 coins" in game.log()


@pytest.mark.parametrize("seat", [-1, 2, "0", True])
def test_no_such_seat_is_refused(seat: Any) -> None:
    with pytest.raises(InvalidOption, match="seat"):
        render(Game(), seat, "svg")


@pytest.mark.parametrize("mode", ["png", "", None])
def test_no_such_mode_is_refused(mode: Any) -> None:
    with pytest.raises(InvalidOption, match="mode"):
        render(Game(), 0, mode)


def test_names_are_one_a_player() -> None:
    with pytest.raises(InvalidOption, match="names"):
        render(Game(), 0, "text", ["Alice"])
    assert "Alice" in render(Game(), 0, "text", ["Alice", "Bob"])


# --- the log ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_the_newest_events_are_the_end_of_the_log(seat: int | None) -> None:
    game = Game(seed=4, kingdom="sleight-of-hand-2e")
    for number in range(60):
        legal = game.legal_actions()
        game.apply(legal[number % len(legal)])
        whole = [line.strip() for line in game.log(seat).splitlines() if line.strip()]
        for lines in (1, 2, 5, 1000):
            assert game.newest_events(seat, lines) == whole[-lines:]
        assert view_of(game, seat).events == tuple(whole[-LOG_LINES:])


def test_a_line_about_several_decisions_is_not_cut() -> None:
    game = at_table({"hand": {"Cellar": 1, "Copper": 4}}, {})
    game.apply("play Cellar")
    for _ in range(3):
        game.apply("discard Copper")
    assert game.newest_events(0, 1) == ["player_0 chooses 3 Copper"]


def test_the_log_calls_the_players_by_their_names() -> None:
    game = Game(seed=4)
    names = ["Ann", "Ben"]
    assert game.log(0, names) == game.log(0).replace("player_0", "Ann").replace("player_1", "Ben")
    assert view_of(game, 0, names).events[-1].endswith(names[game.turn_player])
