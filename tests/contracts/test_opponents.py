"""Opponents in the views for learners: what they are shown, and what happens when one of them fails."""

import numpy as np
import pytest

from dominion_app.play.table import GameTable
from dominion_env import (
    NUM_ACTIONS,
    PASS,
    DominionEnv,
    DominionVectorEnv,
    Game,
    GameBatch,
    IllegalAction,
    InvalidOption,
    WrongOrder,
    make_agent,
    register_agent,
)
from dominion_env.players.agent import observation_read_by
from dominion_env.views.learner import LearnerBatch
from tests.agents.networks import names_for_any_game

FIRST_GAME = {"kingdom": "first-game-2e", "auto_treasures": True}
# the game (0, 0, 0), for views that else draw a seed
SEEDED = FIRST_GAME | {"seed": 0}


def sb3(num_envs, **options):
    pytest.importorskip("stable_baselines3", reason="needs the extra `train`")
    from dominion_env.views.sb3 import SB3VecEnv

    return SB3VecEnv(num_envs, **options)


VIEWS = {
    "one": lambda **options: DominionEnv(**options),
    "vector, NextStep": lambda **options: DominionVectorEnv(3, autoreset_mode="NextStep", **options),
    "vector, SameStep": lambda **options: DominionVectorEnv(3, autoreset_mode="SameStep", **options),
    "vector, Disabled": lambda **options: DominionVectorEnv(3, autoreset_mode="Disabled", **options),
    "sb3": lambda **options: sb3(3, **options),
}


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({"opponents": "big-money"}, 0.5 + 9 / 50),
        ({"opponents": None}, 1.0),  # in self-play somebody wins
        ({"opponents": None, "reward": "lead"}, 0.5 + 9 / 50),
        ({"opponents": "big-money", "reward": "result"}, 1.0),
        ({"opponents": "big-money", "reward": "margin"}, 1.0 + 9 / 60),
        ({"opponents": "big-money", "reward": "points"}, 9.0),
    ],
)
@pytest.mark.parametrize("view", VIEWS)
def test_with_opponents_the_lead_is_paid_unless_told_otherwise(view, options, wanted):
    start = {"supply": {"Province": 0}, "phase": "buy", "players": [{"deck_bag": {"Duchy": 3}, "turns": 1}, {}]}
    env = VIEWS[view](start=start, ask_forced=True, **options)
    env.reset()
    paid = env.step(PASS if view == "one" else np.full(3, PASS))[1]
    np.testing.assert_allclose(paid, wanted, rtol=1e-6)


class Passing:
    """Never does anything that it need not."""

    def act(self, observations, action_masks, keys):
        return np.argmax(action_masks, axis=1)


class Seeing(Passing):
    """Keeps what it is shown first."""

    def __init__(self, reads=None):
        self.seen = None
        if reads is not None:
            self.observation = reads

    def act(self, observations, action_masks, keys):
        if self.seen is None:
            self.seen = observations.copy()
        return super().act(observations, action_masks, keys)


def at_the_start(observation):
    return GameBatch(1, first_player=1, observation=observation, **FIRST_GAME).observe()


@pytest.mark.parametrize("chosen", ["recall", "strict"])
@pytest.mark.parametrize("reads", ["recall", "strict", None])
def test_an_opponent_is_shown_what_it_says_it_reads_else_what_the_learner_sees(reads, chosen):
    assert (at_the_start("recall") != at_the_start("strict")).any()
    opponent = Seeing(reads)
    env = DominionEnv(opponents=opponent, first_player=1, observation=chosen, **SEEDED)
    seen, _ = env.reset(seed=0)
    np.testing.assert_array_equal(opponent.seen, at_the_start(reads or chosen))
    np.testing.assert_array_equal(seen, Game.from_dict(env.game.to_dict(), observation=chosen).observe(0))


@pytest.mark.parametrize(
    ("reads", "in_type", "shown"),
    [
        (None, None, ("kingdom", "uint8")),
        (None, "int16", ("kingdom", "int16")),
        ("recall", None, ("recall", "float32")),
        ("kingdom", "uint8", ("kingdom", "uint8")),
    ],
)
def test_an_opponent_is_shown_the_type_that_it_names_else_float32_or_the_learners_own(reads, in_type, shown):
    opponent = Seeing(reads)
    opponent.observation_dtype = in_type
    learners = {"observation": "kingdom", "observation_dtype": "uint8"}
    DominionEnv(opponents=opponent, first_player=1, **learners, **SEEDED).reset(seed=0)
    expected = GameBatch(1, first_player=1, observation=shown[0], observation_dtype=shown[1], **FIRST_GAME).observe()
    assert opponent.seen.dtype == expected.dtype
    np.testing.assert_array_equal(opponent.seen, expected)


def test_opponents_that_read_different_observations_play_side_by_side():
    pool = [Seeing("recall"), Seeing("strict")]
    envs = DominionVectorEnv(8, opponents=pool, first_player=1, observation="strict", **SEEDED)
    envs.reset(seed=0)
    for opponent in pool:
        assert opponent.seen is not None
        everybody = GameBatch(
            8, seed=range(8), first_player=1, observation=opponent.observation, **FIRST_GAME
        ).observe()
        assert all((row == everybody).all(axis=1).any() for row in opponent.seen)


@pytest.mark.parametrize(
    "name", [*sorted({*names_for_any_game()} - {"random"}), "random-menu:3", "Province; Gold; Silver"]
)
def test_all_scripted_agents_read_the_recall_observation(name):
    assert observation_read_by(make_agent(name), "strict") == "recall"


def test_scripted_opponents_play_the_same_whatever_the_learner_sees():
    def played(**options):
        envs = DominionVectorEnv(3, opponents=["first-game", "random-menu:2"], **SEEDED, **options)
        envs.reset(seed=0)
        for _ in range(12):
            envs.step(np.full(3, PASS))
        return envs.games.batch.state.tobytes()

    assert played(observation="strict") == played(observation="recall")


def test_an_agent_at_a_table_is_shown_what_it_reads():
    for reads in ("recall", "strict"):
        opponent = Seeing(reads)
        GameTable(Game(first_player=1, observation="strict", **FIRST_GAME), {1: opponent}).forward()
        np.testing.assert_array_equal(opponent.seen, at_the_start(reads))


def test_an_agent_that_reads_something_else_is_refused():
    with pytest.raises(
        InvalidOption, match=r"`observation`: expected 'recall', 'strict', 'kingdom' or None, got 'all'"
    ):
        DominionEnv(opponents=Seeing("all"))


class Failing(Passing):
    """Fails at its third decision, once; then it plays on."""

    observation = None

    def __init__(self, how):
        self.how = how
        self.calls = 0

    def __repr__(self):
        return "Failing()"

    def act(self, observations, action_masks, keys):
        self.calls += 1
        good = super().act(observations, action_masks, keys)
        if self.calls != 3:
            return good
        if isinstance(self.how, type):
            raise self.how("out of ideas")
        return self.how(good)


def another(action, dtype=np.int64):
    return lambda good: np.full(len(good), action, dtype)


FAILURES = {
    "it raises": (RuntimeError, RuntimeError, "out of ideas"),
    "Ctrl-C": (KeyboardInterrupt, KeyboardInterrupt, "out of ideas"),
    "one too many": (
        lambda good: [*good, PASS],
        IllegalAction,
        r"opponent Failing\(\) was asked for actions: expected ints of shape",
    ),
    "floats": (
        lambda good: good * 1.0,
        IllegalAction,
        r"opponent Failing\(\) was asked for actions: expected ints of .*, got float64 of",
    ),
    "nothing": (
        lambda good: None,
        IllegalAction,
        r"opponent Failing\(\) was asked for actions: expected ints of shape",
    ),
    "ragged": (
        lambda good: [[0], [0, 1]],
        IllegalAction,
        r"opponent Failing\(\) was asked .*, got \[\[0\], \[0, 1\]\]",
    ),
    "no action": (
        another(-1),
        IllegalAction,
        rf"opponent Failing\(\) in game .*: got -1 \(actions are 0 to {NUM_ACTIONS - 1}\)",
    ),
    "a large number": (
        another(2**63 + 5, np.uint64),
        IllegalAction,
        rf": got 9223372036854775813 \(actions are 0 to {NUM_ACTIONS - 1}\)",
    ),
    "an illegal one": (
        another(NUM_ACTIONS - 1),
        IllegalAction,
        r"opponent Failing\(\) in game 0: got 'set aside Workshop', but player_1 is asked .*legal: ",
    ),
}


def step(env, view):
    """One step of a learner that passes."""
    env.step(PASS if view == "one" else np.full(3, PASS))


def several(times, call):
    for _ in range(times):
        call()


@pytest.mark.parametrize("illegal", ["lose", "raise"])
@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("view", VIEWS)
def test_after_an_opponent_has_failed_nothing_but_a_reset_goes_on(view, failure, illegal):
    how, error, message = FAILURES[failure]
    env = VIEWS[view](opponents=Failing(how), illegal=illegal, first_player=0, **SEEDED)
    env.reset()
    with pytest.raises(error, match=message):
        several(4, lambda: step(env, view))
    before = env.games.batch.state.tobytes()
    refused = [lambda: step(env, view), env.action_masks]
    if view.startswith("vector"):
        refused += [env.sample_actions, lambda: env.reset(options={"reset_mask": np.array([True, True, False])})]
    for call in refused:
        with pytest.raises(
            WrongOrder, match=r"opponent Failing\(\) failed, so .* middle of a step; reset\(\) of all rows must"
        ):
            call()
    assert env.games.batch.state.tobytes() == before

    env.reset()  # the next episode, as if nothing had happened
    sound = VIEWS[view](opponents=Passing(), illegal=illegal, first_player=0, episode=1, **SEEDED)
    sound.reset()
    for _ in range(3):
        step(env, view)
        step(sound, view)
    assert env.games.batch.state.tobytes() == sound.games.batch.state.tobytes()


@pytest.mark.parametrize("view", VIEWS)
def test_an_opponent_can_fail_in_a_reset_too(view):
    env = VIEWS[view](opponents=Failing(RuntimeError), first_player=1, **SEEDED)
    with pytest.raises(RuntimeError):
        several(3, lambda: env.reset())
    with pytest.raises(WrongOrder, match=r"opponent Failing\(\) failed, so"):
        step(env, view)
    env.reset()
    step(env, view)


def test_a_failure_in_the_reset_of_some_rows_stops_all():
    envs = DominionVectorEnv(2, opponents=Failing(RuntimeError), first_player=1, **SEEDED)
    envs.reset(seed=0)
    some = {"reset_mask": np.array([False, True])}
    with pytest.raises(RuntimeError):
        several(3, lambda: envs.reset(options=some))
    with pytest.raises(WrongOrder, match=r"reset\(\) of some rows: opponent Failing\(\) failed, so"):
        envs.reset(options=some)
    told, _ = envs.reset(seed=[0, None])  # all rows, though not all by a seed
    np.testing.assert_array_equal(told[0], DominionEnv(opponents=Passing(), first_player=1, **SEEDED).reset()[0])
    envs.step(np.full(2, PASS))


def test_what_an_opponent_raises_names_it_and_the_decision():
    env = DominionEnv(opponents=Failing(RuntimeError), first_player=0, **SEEDED)
    env.reset(seed=4)
    with pytest.raises(RuntimeError) as raised:
        several(4, lambda: env.step(PASS))
    (note,) = raised.value.__notes__
    assert "opponent Failing(); the first decision it was asked for: game 0: player_1 is asked" in note
    with pytest.raises(WrongOrder, match="failed"):
        env.step(PASS)
    assert env.game.current_player == 1  # what is there can be looked at


@pytest.mark.parametrize(
    ("where", "call"),
    [
        ("dominion_env.views.learner.LearnerBatch._step_opponents", lambda env: env.step(PASS)),
        ("dominion_env.core.batch.GameBatch.step", lambda env: env.step(PASS)),
        ("dominion_env.core.batch.GameBatch.reset", lambda env: env.reset()),
    ],
)
def test_an_interruption_anywhere_else_says_so(where, call, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    env = DominionEnv(opponents=Passing(), first_player=0, **SEEDED)
    env.reset(seed=0)
    with monkeypatch.context() as patched:
        patched.setattr(where, interrupted)
        with pytest.raises(KeyboardInterrupt):
            several(4, lambda: call(env))
    with pytest.raises(WrongOrder, match=r"step\(\): the last call was interrupted, so the games stand in the middle"):
        env.step(PASS)
    env.reset()
    env.step(PASS)


def test_a_learners_wrong_action_breaks_nothing_off():
    env = DominionEnv(opponents=Passing(), illegal="raise", **SEEDED)
    env.reset(seed=0)
    with pytest.raises(IllegalAction):
        env.step(NUM_ACTIONS - 1)
    with pytest.raises(
        IllegalAction,
        match=rf"expected an action from 0 to {NUM_ACTIONS - 1}, got \[\[0\], \[0, 1\]\]; player_\d is asked",
    ):
        env.step([[0], [0, 1]])
    env.step(PASS)


@pytest.mark.usefixtures("forgotten_agents")
def test_an_opponent_is_called_as_the_user_has_named_it():
    register_agent("broken", lambda: Failing(RuntimeError))
    env = DominionEnv(opponents=["broken"], first_player=0, **SEEDED)
    env.reset()
    with pytest.raises(RuntimeError):
        several(4, lambda: env.step(PASS))
    with pytest.raises(WrongOrder, match=r"step\(\): opponent 'broken' failed"):
        env.step(PASS)


@pytest.mark.parametrize("opponents", ["big-money", None])
@pytest.mark.parametrize("view", VIEWS)
def test_a_start_position_in_which_the_game_is_over_is_refused(view, opponents):
    game = Game(max_turns=1, auto_treasures=True)
    while not game.is_over:
        game.apply("pass")
    with pytest.raises(InvalidOption, match="start: expected running games, but the game is over in position 0"):
        VIEWS[view](start=game.to_dict(), opponents=opponents)


@pytest.mark.parametrize("seat", [np.array([0, 1]), np.array(["random"]), {}, 2.0])
def test_a_seat_of_any_other_kind_is_refused(seat):
    with pytest.raises(InvalidOption, match="seat: expected 'random', 'alternate' or a seat from 0 to 1, got"):
        DominionEnv(seat=seat)


def test_in_the_first_game_of_a_seed_the_alternating_seat_is_0():
    envs = DominionVectorEnv(3, seat="alternate", opponents=Passing(), **SEEDED)
    for seed in (0, 1, [7, 8, 9]):
        assert envs.reset(seed=seed)[1]["seat"].tolist() == [0, 0, 0]
    assert envs.reset()[1]["seat"].tolist() == [1, 1, 1]


def test_alternating_seats_go_by_row_and_episode():
    games = LearnerBatch(4, Passing(), "alternate", seed=5, **FIRST_GAME)
    games.reset()
    assert games.seats.tolist() == [0, 1, 0, 1]
    games.reset()
    assert games.seats.tolist() == [1, 0, 1, 0]


def test_each_seat_draws_an_opponent_of_its_own_in_each_episode():
    games = LearnerBatch(40, [Passing(), Passing()], num_players=3, seed=5, **FIRST_GAME)
    drawn = []
    for _ in range(2):
        games.reset()
        drawn += [tuple(seat) for seat in games._opponents.T.tolist()]
    assert len(set(drawn)) == 6


def test_seats_are_drawn_anew_for_the_games_that_follow_by_themselves():
    games = LearnerBatch(20, Passing(), "random", seed=5, max_turns=1, **FIRST_GAME)
    games.reset()
    before, ended = games.seats.copy(), np.zeros(20, bool)
    while not ended.all():
        _, terminated, truncated = games.step(np.where(ended, games.batch.sample_actions(), PASS))
        ended |= terminated | truncated
    assert games.seats.tolist() != before.tolist()


@pytest.mark.parametrize(("duchies", "success"), [((1, 0), 1.0), ((1, 1), 0.5), ((0, 1), 0.0)])
def test_a_shared_win_is_half_a_success(duchies, success):
    players = [{"discard": {"Duchy": number}, "turns": 1} for number in duchies]
    start = {"kingdom": "first-game-2e", "supply": {"Province": 0}, "phase": "buy", "players": players}
    games = LearnerBatch(1, Passing(), start=start, autoreset=False)
    games.reset()
    games.step([PASS])
    assert games.final_facts()["is_success"].tolist() == [success]


def test_each_opponent_answers_for_its_own_seats():
    class Sitting(Passing):
        def act(self, observations, action_masks, keys):
            assert games.batch.current_player[0] == self.seat
            return super().act(observations, action_masks, keys)

    agents = [Sitting(), Sitting()]
    agents[0].seat, agents[1].seat = 1, 2
    games = LearnerBatch(1, agents, num_players=3, seed=5, first_player=0, **FIRST_GAME)
    games.reset()
    games._opponents[:] = 0, 0, 1
    while games.batch.turns[0, 0] < 2:
        games.step([PASS])


@pytest.mark.parametrize(
    ("named", "message"),
    [(("my_hans",), "did you mean 'my_hand'"), (3, "`fields`: expected names from FIELD_NAMES, got 3")],
)
def test_an_opponent_that_names_no_fields_is_refused_before_the_first_game(named, message):
    opponent = Passing()
    opponent.fields = named
    with pytest.raises(InvalidOption, match=message):
        DominionEnv(opponents=opponent, **SEEDED)
