"""Every view shows what was just done: the log of the running episode, as far as the seat that looks has seen it."""

import copy
import itertools
import pickle
import re

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from dominion_env import PASS, DominionEnv, DominionVectorEnv, Game, GameBatch, InvalidOption, dominion_v0
from dominion_env.compiled.jit import COMPILED
from dominion_env.render import render

ATTACKS = {"kingdom": "interaction-1e", "auto_treasures": True}
SHORT = ATTACKS | {"max_turns": 3 if COMPILED else 1}
NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode


def pick(mask, step):
    """Some legal action, depending on nothing but the mask and the number of the step."""
    legal = np.flatnonzero(mask)
    return int(legal[step * 7919 % len(legal)])


class Picking:
    """An opponent whose choice depends on nothing but the mask."""

    def act(self, observations, action_masks, keys):
        return np.array([pick(mask, 3) for mask in action_masks])


def follow(game, seat):
    """Let `Picking` play the other seats of a game until this one is asked, or to the end."""
    while not game.is_over and game.current_player != seat:
        game.apply(pick(game.action_mask, 3))


def words(shown):
    """Coloured text as plain words."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", shown).split())


def check_same(shown, env_game, game, seat):
    assert shown == render(game, seat, "ansi")
    for eyes in (None, *range(game.num_players)):
        assert env_game.log(eyes) == game.log(eyes)


@pytest.mark.parametrize("seat", [None, 1, "all"])
def test_pettingzoos_view_shows_what_a_game_shows(seat):
    env = dominion_v0.env(num_players=3, render_mode="ansi", render_seat=seat, **SHORT)
    for episode in range(2):
        env.reset(seed=8 if episode == 0 else None)
        game = Game(num_players=3, seed=8, episode=episode, **SHORT)
        for step in itertools.count():
            eyes = {None: game.current_player, "all": None}.get(seat, seat)
            check_same(env.render(), env.unwrapped.game, game, eyes)
            if game.is_over:
                break
            action = pick(game.action_mask, step)
            game.apply(action)
            env.step(action)
        assert game.log(0).count("Turn ") > 2


@pytest.mark.parametrize("seat", [0, 1])
def test_gymnasiums_view_shows_also_what_the_opponents_did(seat):
    env = DominionEnv(Picking(), seat, render_mode="ansi", **SHORT)
    for episode in range(2):
        env.reset(seed=5 if episode == 0 else None)
        game = Game(seed=5, episode=episode, **SHORT)
        for step in itertools.count():
            follow(game, seat)
            check_same(env.render(), env.game, game, seat)
            if game.is_over:
                break
            action = pick(game.action_mask, step)
            game.apply(action)
            env.step(action)
        assert f"Turn 1 of player_{1 - seat}" in game.log(seat)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("mode", [NEXT_STEP, SAME_STEP, DISABLED])
@pytest.mark.parametrize("options", [{}, {"opponents": None}, {"num_players": 3, "seat": "alternate"}])
def test_each_game_of_a_vector_environment_shows_its_own_episode(mode, options):
    options = SHORT | {"opponents": Picking(), "render_mode": "ansi"} | options
    envs = DominionVectorEnv(3, autoreset_mode=mode, **options)
    singles = [DominionEnv(**options) for _ in range(3)]
    envs.reset(seed=6)
    for row, single in enumerate(singles):
        single.reset(seed=6 + row)
    episodes = 0
    for step in range(40):
        if step % 4 == 0 or episodes > 6:  # to see the logs as an episode begins, too
            assert envs.render() == tuple(single.render() for single in singles)
        actions = [pick(mask, step) for mask in envs.action_masks()]
        if mode == DISABLED and (over := envs.games.over.copy()).any():
            envs.reset(options={"reset_mask": over})
            for row in np.flatnonzero(over):
                singles[row].reset()
            continue
        waiting = envs.games.over.copy()
        envs.step(np.array(actions))
        for row, single in enumerate(singles):
            ended = waiting[row]
            if not waiting[row]:
                *_, terminated, truncated, _ = single.step(actions[row])
                ended = (terminated or truncated) and mode == SAME_STEP
                episodes += terminated or truncated
            if ended:
                single.reset()
    assert episodes > 6


@pytest.mark.compiled
def test_stable_baselines_view_shows_each_games_own_episode():
    pytest.importorskip("stable_baselines3")
    from dominion_env.views.sb3 import SB3VecEnv

    env = SB3VecEnv(2, Picking(), 1, seed=6, render_mode="rgb_array", **SHORT)
    single = DominionEnv(Picking(), 1, seed=7, render_mode="rgb_array", illegal="raise", **SHORT)
    env.reset()
    single.reset()
    episodes = 0
    for step in range(60):
        assert env.games.logs.game(1).log(1) == single.game.log(1)
        if step % 20 == 0:
            np.testing.assert_array_equal(env.get_images()[1], single.render())
        actions = np.array([pick(mask, step) for mask in env.action_masks()])
        _, _, dones, _ = env.step(actions)
        single.step(actions[1])
        if dones[1]:
            single.reset()
            episodes += 1
    assert episodes > 1


@pytest.mark.compiled
def test_events_of_so_many_games_that_they_do_not_fit_at_once_are_all_told():
    options = {"opponents": Picking(), "num_players": 4, "record": True} | ATTACKS
    many, few = DominionVectorEnv(400, seed=3, **options), DominionVectorEnv(4, seed=399, **options)
    for envs in (many, few):
        envs.reset()
        for _ in range(3):
            envs.step(np.full(envs.num_envs, PASS))
    for row in range(4):
        log = many.games.logs.game(396 + row).log()
        assert log == few.games.logs.game(row).log()
        assert log.count("Turn ") > 8


def views_of_seat_0(mode):
    """Return what each view shows after player_0 has ended its first turn, and player_1 has played and drawn cards."""
    options = ATTACKS | {"first_player": 0, "seed": 4, "render_mode": mode, "render_seat": 0}
    aec = dominion_v0.env(**options)
    aec.reset()
    while aec.unwrapped.game.turn < 2:
        aec.step(PASS)
    single = DominionEnv(Picking(), 0, **options)
    single.reset()
    single.step(PASS)
    envs = DominionVectorEnv(2, Picking(), 0, **options)
    envs.reset()
    envs.step(np.full(2, PASS))
    return [aec.render(), single.render(), *envs.render()]


def test_no_hidden_card_reaches_the_text_or_picture_of_a_seat():
    for shown in (*map(words, views_of_seat_0("ansi")), *views_of_seat_0("svg")):
        drawn = re.findall(r"player_1 draws ([\w ,]+?)(?: Turn|<)", shown)
        assert set(drawn) == {"5 cards"}
        assert re.search(r"player_0 draws \d? ?(Copper|Estate)", shown), "its own cards are named"
        assert "Turn 1 of player_1" in shown
    env = dominion_v0.env(render_mode="ansi", render_seat="all", seed=4, **ATTACKS)
    env.reset()
    assert re.search(r"player_1 draws \d? ?(Copper|Estate)", words(env.render())), "all sees everything"


def test_a_picture_has_the_log_in_it():
    with_log, without = (DominionEnv(render_mode="rgb_array", record=record, **ATTACKS) for record in (True, False))
    for env in (with_log, without):
        env.reset(seed=1)
    assert without.game.log() == ""
    assert not np.array_equal(with_log.render(), without.render())


@pytest.mark.parametrize("make", [dominion_v0.raw_env, DominionEnv, lambda **options: DominionVectorEnv(1, **options)])
def test_without_a_render_mode_nothing_is_recorded_unless_it_is_wished(make):
    def batch_and_log(**options):
        env = make(**ATTACKS, **options)
        env.reset()
        logs = env._logs if hasattr(env, "_logs") else env.games.logs
        return logs._batch, logs.game(0).log()

    batch, log = batch_and_log()
    assert log == ""
    with pytest.raises(InvalidOption, match="record=True"):
        batch.events()
    assert not batch.state["recording"].any()
    assert "player_0 draws" in batch_and_log(record=True)[1]
    assert batch_and_log(record=False, render_mode="ansi")[1] == ""


@pytest.mark.compiled
@pytest.mark.parametrize("opponents", [None, Picking()])
def test_events_do_not_pile_up_while_nobody_looks(opponents):
    envs = DominionVectorEnv(2, opponents, render_mode="ansi", autoreset_mode=SAME_STEP, **SHORT)
    envs.reset(seed=2)
    kept = []
    for step in range(300):
        envs.step(np.array([pick(mask, step) for mask in envs.action_masks()]))
        kept.append(sum(map(len, envs.games.logs._parts[0])))
        assert len(envs.games.batch.events()) == 0
    assert max(kept) < 200, "an episode of three rounds is short"


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_in_the_middle_go_on_with_the_same_log(copied):
    for env in (
        dominion_v0.raw_env(render_mode="ansi", render_seat=0, **ATTACKS),
        DominionEnv("random", render_mode="ansi", **ATTACKS),
    ):
        env.reset(seed=3)
        for _ in range(3):
            env.step(PASS)
        before = env.render()
        twin = copied(env)
        assert twin.render() == before
        twin.step(PASS)
        assert env.render() == before != twin.render()
        env.step(PASS)
        assert twin.render() == env.render()
        assert twin.game.log() == env.game.log()


def test_a_reset_clears_the_log_in_the_middle_of_an_episode():
    for env in (dominion_v0.raw_env(render_mode="ansi", **ATTACKS), DominionEnv(render_mode="ansi", **ATTACKS)):
        env.reset(seed=3)
        first = env.game.log()
        assert "draws" in first
        env.step(PASS)
        assert len(env.game.log()) > len(first)
        env.reset(seed=3)
        assert env.game.log() == first
        env.step(PASS)
        with pytest.raises((InvalidOption, TypeError)):
            env.reset(seed="three")
        assert len(env.game.log()) > len(first), "a refused reset changes nothing"


def test_rows_that_do_not_start_anew_keep_their_logs():
    envs = DominionVectorEnv(3, Picking(), render_mode="ansi", **ATTACKS)
    envs.reset(seed=3)
    envs.step(np.full(3, PASS))
    before = [envs.games.logs.game(row).log() for row in range(3)]
    envs.reset(seed=3, options={"reset_mask": np.array([False, True, False])})
    after = [envs.games.logs.game(row).log() for row in range(3)]
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, True]
    assert len(after[1]) < len(before[1])


def test_an_episode_that_starts_without_any_event_starts_with_an_empty_log():
    """A position in the middle of the Buy phase: the last Province is bought at once."""
    start = {
        "kingdom": "first-game-2e", "phase": "buy", "coins": 8, "supply": {"Province": 1},
        "players": [{"hand": {"Estate": 5}}, {"hand": {"Estate": 5}}],
    }  # fmt: skip
    buy = Game.from_dict(start).legal_actions().index("buy Province")
    province = int(np.flatnonzero(Game.from_dict(start).action_mask)[buy])
    for mode in (NEXT_STEP, SAME_STEP):
        envs = DominionVectorEnv(1, None, start=start, render_mode="ansi", autoreset_mode=mode, kingdom="first-game-2e")
        envs.reset()
        assert envs.games.logs.game(0).log() == ""
        envs.step(np.array([province]))
        log = envs.games.logs.game(0).log()
        if mode == NEXT_STEP:
            assert "buys Province" in log
            assert "The game ends" in log
            envs.step(np.array([PASS]))
            log = envs.games.logs.game(0).log()
        assert log == ""


def test_what_was_just_done_is_printed_after_each_step(capsys):
    env = DominionEnv("big-money", 0, render_mode="human", first_player=0, num_players=4, **ATTACKS)
    env.reset(seed=1)
    assert "player_0 draws" in words(capsys.readouterr().out)
    silver = env.game.legal_actions().index("buy Copper")
    env.step(int(np.flatnonzero(env.action_masks())[silver]))
    printed = words(capsys.readouterr().out)
    for what in ("player_0 buys Copper", *(f"Turn 1 of player_{seat}" for seat in (1, 2, 3)), "Turn 2 of player_0"):
        assert what in printed
    agent = dominion_v0.env(render_mode="human", **ATTACKS)
    agent.reset(seed=1)
    agent.step(PASS)
    assert re.search(r"draws .* Turn 1 of player_\d", words(capsys.readouterr().out))


def test_the_log_is_that_of_a_batch_played_by_itself():
    """The same events come from `GameBatch.events`, whatever the views do with them."""
    batch = GameBatch(1, seed=[9], record=True, autoreset=False, **ATTACKS)
    env = dominion_v0.raw_env(render_mode="ansi", seed=9, **ATTACKS)
    env.reset()
    env.step(PASS)
    batch.step([PASS])
    assert len(batch.events()) == sum(map(len, env.game._events)) > 10


def test_agents_play_the_same_whether_pictures_are_wanted_or_not():
    def end(**options):
        env = DominionEnv("random", **SHORT, **options)
        env.reset(seed=4)
        step = 0
        while not env.games.over[0]:
            env.step(pick(env.action_masks(), step))
            step += 1
        return env.game.to_dict()

    assert end() == end(render_mode="ansi")
