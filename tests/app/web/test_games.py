"""A visitor's game without a browser: answers, several cards at once, undo, agents, and what is kept."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from dominion_app.web.house.games import Kept, Seen, VisitorGame
from dominion_app.web.house.link import pack
from dominion_app.web.pages import table_parts
from dominion_env.common.errors import DominionError, IllegalAction
from tests.app.web import CARDS, game_of, link_of


def position(*cards: str, kingdom: str = CARDS, **others: Any) -> dict[str, Any]:
    """Return values of a link at which the first player holds these cards in the Action phase."""
    hand = {card: cards.count(card) for card in cards}
    decks = {"deck_top": ["Silver", "Gold", "Estate", "Copper", "Silver"]}
    mine = {"hand": hand, **decks} | others.pop("mine", {})
    other = {"hand": {"Copper": 3, "Estate": 2}, **decks}
    return {
        "position": pack({"players": [mine, other], "turn_player": 0, "phase": "action", **others}),
        "kingdom": kingdom,
    }


def asked(game: VisitorGame) -> Seen:
    game.agents_answer()
    return game.seen()


def test_all_treasures_are_played_by_one_answer_and_taken_back_by_one():
    game = game_of()
    seen = asked(game)
    before = game.game.to_dict()
    assert seen.treasures == ("play Copper",)
    game.play_treasures(game.state)
    hand = game.seen().view.players[0].hand
    assert all(group.name != "Copper" for group in hand)
    assert game.game.coins == sum(action == "play Copper" for action in game.table.played)
    game.undo(game.state)
    assert game.game.to_dict() == before
    with pytest.raises(IllegalAction, match="nothing to take back"):
        game.undo(game.state)


def test_cards_are_picked_and_taken_back_before_they_are_confirmed():
    game = game_of(**position("Chapel", "Copper", "Copper", "Estate", "Curse"))
    game.answer(game.state, "play Chapel")
    seen = asked(game)
    assert (seen.several, seen.least, seen.most) == (True, 0, 4)
    step = seen.step
    for action in ("trash Copper", "trash Estate", "trash Copper"):
        game.pick(game.state, action)
    with pytest.raises(IllegalAction, match="left in the hand"):
        game.pick(game.state, "trash Copper")  # there are two
    game.take_back(game.state, "trash Copper")
    assert game.seen().picked == ("trash Copper", "trash Estate")
    assert not game.seen().view.trash, "nothing has happened yet"
    game.pick(game.state, "trash Curse")
    game.take_back(game.state)
    game.confirm(game.state)
    assert [group.name for group in game.seen().view.trash] == ["Copper", "Estate"]
    game.undo(game.state)
    assert game.seen().step == step, "all of them are one answer"
    assert not game.seen().view.trash


def test_no_card_can_be_confirmed_where_none_must_be_picked():
    game = game_of(**position("Cellar", "Copper", "Estate"))
    game.answer(game.state, "play Cellar")
    asked(game)
    game.confirm(game.state)
    assert game.seen().view.players[0].hand_size == 2


def test_a_number_of_cards_that_must_be_discarded_is_asked_for():
    game = game_of(**position("Poacher", "Copper", "Copper", "Copper", "Estate", supply={"Moat": 0, "Curse": 0}))
    game.answer(game.state, "play Poacher")
    seen = asked(game)
    assert (seen.several, seen.least, seen.most) == (True, 2, 2)
    game.pick(game.state, "discard Estate")
    assert not game.seen().can_confirm
    with pytest.raises(IllegalAction, match="expected 2 to 2 cards, got 1"):
        game.confirm(game.state)
    game.pick(game.state, "discard Copper")
    with pytest.raises(IllegalAction, match="at most 2 cards"):
        game.pick(game.state, "discard Copper")
    game.confirm(game.state)
    assert game.seen().view.players[0].discard_size == 2


def test_cards_whose_rest_the_rules_pick_themselves_can_be_confirmed():
    """After the Estate only Copper is left to discard, and the rules don't ask for that any more."""
    game = game_of(
        **position("Poacher", "Copper", "Estate", mine={"deck_top": ["Copper"]}, supply={"Moat": 0, "Curse": 0})
    )
    game.answer(game.state, "play Poacher")
    seen = asked(game)
    assert seen.several
    game.pick(game.state, "discard Estate")
    game.pick(game.state, "discard Copper")
    game.confirm(game.state)
    discarded = game.game.to_dict()["players"][0]["discard"]
    assert sorted(discarded) == ["Copper", "Estate"]


def test_cards_looked_at_are_answered_one_by_one():
    game = game_of(**position("Sentry", "Copper"))
    game.answer(game.state, "play Sentry")
    seen = asked(game)
    assert seen.view.request == (
        "Sentry: trash, discard or put back the 2 cards that you looked at, one by one; of two put back, the second lies on top"
    )
    assert not seen.several
    assert any(answer.startswith("topdeck") for answer in seen.answers)


def test_an_answer_from_another_tab_that_comes_too_late_changes_nothing():
    game = game_of()
    seen = asked(game)
    game.answer(game.state, "play Copper")
    before = game.kept, game.state
    for late in (
        lambda: game.answer(seen.state, "play Copper"),
        lambda: game.answer(seen.state, "pass"),
        lambda: game.play_treasures(seen.state),
        lambda: game.pick(seen.state, "x"),
        lambda: game.take_back(seen.state),
        lambda: game.confirm(seen.state),
        lambda: game.undo(seen.state),
        lambda: game.begin_anew(seen.state),
    ):
        with pytest.raises(IllegalAction, match="changed meanwhile"):
            late()
    assert (game.kept, game.state) == before
    game.undo(game.state)
    game.answer(game.state, "play Copper")
    with pytest.raises(IllegalAction, match="changed meanwhile"):
        game.undo(before[1])  # the same position, but another answer than the one that the page showed


def test_a_second_click_takes_back_or_picks_no_second_card_and_undo_takes_back_the_last_one():
    game = game_of(**position("Chapel", "Copper", "Copper", "Estate", "Curse"))
    game.answer(game.state, "play Chapel")
    shown = asked(game).state
    for action in ("trash Copper", "trash Estate"):
        game.pick(shown, action)  # two quick clicks on two cards
    with pytest.raises(IllegalAction, match="changed meanwhile"):
        game.pick(shown, "trash Copper")
    with pytest.raises(IllegalAction, match="changed meanwhile"):
        game.confirm(shown)
    game.pick(game.state, "trash Copper")
    shown = game.state
    game.take_back(shown, "trash Copper")
    for late in (lambda: game.take_back(shown, "trash Copper"), lambda: game.take_back(shown)):
        with pytest.raises(IllegalAction, match="changed meanwhile"):
            late()
    game.undo(game.state)
    assert game.seen().picked == ("trash Copper",), "as the button says"
    game.undo(game.state)
    game.undo(game.state)
    assert "play Chapel" in game.seen().answers


@pytest.mark.parametrize("words", ["buy Province", "<b>", "", "pass\0", "play Village"])
def test_an_answer_that_is_not_offered_changes_nothing(words: str):
    game = game_of()
    asked(game)
    before = game.kept
    with pytest.raises(IllegalAction):
        game.answer(game.state, words)
    assert game.kept == before


def test_agents_play_all_treasures_though_the_visitor_is_asked_for_each():
    game = game_of(**position("Copper", "Copper"))
    step = asked(game).step
    game.answer(game.state, "pass")
    game.agents_answer()
    bought = [action for action in game.table.played[step + 1 :] if action.startswith("buy")]
    assert bought == ["buy Silver"], "three Coppers are worth a Silver"


def test_what_is_kept_goes_on_as_it_was_with_undo():
    game = game_of(agent="random")
    for _ in range(6):
        seen = asked(game)
        game.answer(game.state, seen.answers[-1])
    again = VisitorGame(game.link, game._agents, game.kept)
    assert again.seen() == game.seen()
    for _ in range(3):
        game.undo(game.state)
        again.undo(again.state)
    assert again.seen() == game.seen()
    assert again.kept == game.kept


def test_a_game_of_other_rules_or_with_actions_that_do_not_fit_is_refused():
    link = link_of()
    with pytest.raises(IllegalAction, match="by version 0 of the rules"):
        VisitorGame(link, {}, Kept(rules=0))
    with pytest.raises(DominionError):
        VisitorGame(link, {}, Kept(played=("buy Province",)))


class Broken:
    """An agent that answers as it is told."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, observations: Any, action_masks: Any, keys: Any) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return np.array([self.answer])


@pytest.mark.parametrize("answer", [ValueError("no <i>idea</i>"), 9999, -1, "?", 4])
def test_a_mistake_of_an_agent_is_told_and_the_game_stays_as_it_was(answer: Any):
    link = link_of()
    game = VisitorGame(link, {1: Broken(answer)})
    game._forced = lambda: None  # type: ignore[method-assign]
    while game.game.current_player == 0:
        game.answer(game.state, "pass")
    before = game.kept
    assert not game.agents_answer()
    assert game.seen().failure.startswith("“big-money” has not answered: ")
    assert game.kept == before
    game.undo(game.state)
    assert game.seen().failure == ""


def test_a_watched_game_goes_forward_and_back_and_shows_each_seat():
    game = game_of(seat="watch", agent="big-money", players=3)
    for _ in range(5):
        assert game.agent_answers_at_once()
    assert game.seen().view.seat is None
    assert game.seen().answers == ()
    game.table.go_to(2)
    assert (game.seen().step, game.seen().length) == (2, 5)
    assert game.asked is None, "what comes next is known"
    game.spectated = 1
    assert game.seen().view.seat == 1
    assert not game.seen().view.players[0].open
    with pytest.raises(IllegalAction, match="not your turn"):
        game.answer(game.state, "pass")


def test_a_saved_game_is_watched_from_its_start_and_can_be_played_on():
    game = game_of(agent="random")
    for _ in range(4):
        seen = asked(game)
        game.answer(game.state, seen.answers[-1])
    packed = pack(game.replay())
    watched = game_of(replay=packed, seat="watch")
    assert (watched.seen().step, watched.seen().length) == (0, game.table.length)
    on = game_of(replay=packed, seat=0, agent="random")
    assert on.seen().view.events == game.seen().view.events


def pick_some(game: VisitorGame, seen: Seen, random: np.random.Generator) -> None:
    """Pick as many of the answers as may be confirmed, those that go together."""
    offered = [answer for answer in seen.answers if answer != "pass"]
    for _ in range(int(random.integers(seen.least, seen.most + 1))):
        with suppress(IllegalAction):
            game.pick(game.state, str(random.choice(offered)))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 6])
def test_whole_games_of_every_question_by_what_a_visitor_can_do(players: int):
    random, questions = np.random.default_rng(1), set()
    for seed in range(12):
        game = game_of(kingdom="random", players=players, seed=seed, agent="auto", seat=seed % players)
        for _ in range(3000):
            seen = asked(game)
            if seen.view.over:
                break
            assert seen.mine
            assert not seen.failure
            questions.add(seen.view.question)
            if seen.treasures and random.random() < 0.8:
                game.play_treasures(game.state)
            elif seen.several:
                pick_some(game, seen, random)
                picked = game.seen().picked
                if game.seen().can_confirm:
                    before = game.game.to_dict()["players"][game.seat or 0]["hand"]
                    game.confirm(game.state)
                    assert game.table.length > seen.step or not before
                elif picked:
                    game.take_back(game.state)
            else:
                best = [each for each in seen.answers if "Province" in each]
                game.answer(
                    game.state,
                    str(random.choice(best or [each for each in seen.answers if "Curse" not in each] or seen.answers)),
                )
        else:
            pytest.fail("the game does not end")
        assert seen.view.ended
    assert len(questions) > 25


def test_what_is_saved_before_the_end_is_the_link_alone():
    game = game_of(**position("Chapel", "Copper"))
    asked(game)
    assert game.saved() == {"link": game.link.query}
    assert game_of(seat="watch").saved()["actions"] == []
    over = game_of(**position("Copper", supply={"Province": 0}))
    asked(over)
    over.answer(over.state, "pass")
    assert over.game.is_over
    assert over.saved() == over.replay()
    assert "has won" in over.kept.outcome or "share" in over.kept.outcome


def test_the_button_that_ends_a_phase_says_what_is_lost_and_is_not_the_main_one_then():
    def ending(game: VisitorGame) -> tuple[str, bool]:
        """Return what the button says, and whether it is the main one."""
        page = str(table_parts.question(asked(game)))
        button = next(each for each in page.split("<button")[1:] if "|answer|pass" in each)
        return button.partition(">")[2].partition("<")[0], 'class="main"' in button

    game = game_of(**position("Moat", "Copper", "Copper", "Gold"))
    assert ending(game) == ("Go on to the Buy phase (1 action left)", False)
    game.answer(game.state, "pass")
    assert ending(game) == ("End the turn (3 Treasures not played)", False)
    game.play_treasures(game.state)
    assert ending(game) == ("End the turn (5 coins left)", False)
    assert ending(game_of(**position("Estate"))) == ("End the turn", True)


def test_a_page_says_that_an_agent_is_compiled_and_not_that_it_thinks():
    game = game_of(agent="planner:8")
    game._agents.clear()
    game.answer(game.state, "pass")
    assert "“planner:8” is thinking" in table_parts.question(asked(game))
    assert "“planner:8” is being compiled, which takes about" in table_parts.question(asked(game), compiling=True)
