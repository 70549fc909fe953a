"""Infos can be stored in arrays: in every view, from reset to the last step, the same keys, shapes and dtypes."""

from collections import defaultdict

import numpy as np
import pytest

from dominion_env import (
    DISCARD_DECK,
    KINGDOMS,
    NUM_ACTIONS,
    PASS,
    DominionEnv,
    DominionVectorEnv,
    action_id,
    dominion_v0,
)

BUY_PROVINCE = action_id("buy Province")
KINGDOM = {"kingdom": "first-game-2e", "auto_treasures": True}
# player_1 can buy the last Province; then both have equally many points and turns
TIED = {
    "kingdom": [card.title for card in KINGDOMS["first-game-2e"]], "num_players": 2, "turn_player": 1, "phase": "buy",
    "coins": 8, "supply": {"Province": 1},
    "players": [{"hand": {"Province": 1}, "turns": 1}, {"hand": {"Copper": 1}, "turns": 1}],
}  # fmt: skip
ENDS = {
    "a truncation": KINGDOM | {"max_turns": 2},
    "an illegal action": KINGDOM | {"illegal": "lose"},
    "a tie": {"start": TIED, "auto_treasures": True},
    "one winner": {"start": TIED | {"turn_player": 0}, "auto_treasures": True},
}


def chosen(end, mask):
    """Return what leads to that end: an action that no phase offers, a Province, or no card."""
    if end == "an illegal action":
        return DISCARD_DECK
    return BUY_PROVINCE if mask[BUY_PROVINCE] else PASS


def form(value):
    """Shape and dtype of a value, as a storage sees them; it must be of numpy."""
    assert isinstance(value, np.ndarray | np.generic), f"{value!r} is no value of numpy"
    assert value.dtype != object
    return value.shape, str(value.dtype)


class Forms:
    """What infos looked like in each phase, by view; a recorder such as Minari's writes the infos of an episode as rows."""

    def __init__(self):
        self.seen = defaultdict(set)

    def note(self, phase, info):
        self.seen[phase].add(tuple(sorted((key, form(value)) for key, value in info.items())))

    def check(self, *phases):
        assert set(self.seen) == set(phases)
        first, *others = set().union(*self.seen.values())
        assert not others, f"infos vary: {first}, {others}"


@pytest.mark.parametrize("mask_in", ["both", "observation", "info"])
def test_infos_of_pettingzoos_view(mask_in):
    forms, winners = Forms(), set()
    for end, options in ENDS.items():
        env = dominion_v0.env(mask_in=mask_in, **options)
        for _ in range(2):
            env.reset(seed=1)
            while not any((*env.terminations.values(), *env.truncations.values())):
                forms.note("running", env.infos[env.agent_selection])
                env.step(chosen(end, env.unwrapped._masks[env.agent_selection]))
            for agent in env.possible_agents:
                forms.note("over", env.infos[agent])
            winners.add(int(env.infos["player_0"]["winners"].sum()))
    forms.check("running", "over")
    assert winners == {0, 1, 2}


def test_infos_of_pettingzoos_parallel_view():
    forms = Forms()
    for end, options in ENDS.items():
        env = dominion_v0.parallel_env(**options)
        (_, infos), begun = env.reset(seed=1), False
        while env.agents:
            for info in infos.values():
                forms.note("running" if begun else "reset", info)
                assert {np.asarray(value).dtype.kind for value in info.values()} <= set("bif"), "no text"
            begun = True
            mask = infos[env.aec_env.agent_selection]["action_mask"]
            *_, infos = env.step(dict.fromkeys(env.agents, chosen(end, mask)))
        for info in infos.values():
            forms.note("over", info)
    forms.check("reset", "running", "over")


@pytest.mark.parametrize("mask_in", ["both", "observation", "info"])
def test_infos_of_gymnasiums_view(mask_in):
    forms = Forms()
    for end, options in ENDS.items():
        env = DominionEnv(opponents=None, mask_in=mask_in, **options)
        for _ in range(2):
            _, info = env.reset(seed=1)
            over = False
            while not over:
                forms.note("running", info)
                *_, terminated, truncated, info = env.step(chosen(end, env.action_masks()))
                over = terminated or truncated
            forms.note("over", info)
            assert info["winners"].shape == (2,)
            assert info["winners"].dtype == np.bool_
    forms.check("running", "over")


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("mask_in", ["both", "observation", "info"])
def test_infos_of_gymnasiums_vector_view(mode, mask_in):
    forms = Forms()
    for end, options in ENDS.items():
        envs = DominionVectorEnv(2, opponents=None, autoreset_mode=mode, mask_in=mask_in, **options)
        _, infos = envs.reset(seed=1)
        for _ in range(8):
            if "final_info" in infos:  # of the old games, beside the infos of the new ones
                last = infos.pop("final_info")
                forms.note("a game over", last)
                assert last["ended"].any()
                assert infos.pop("final_obs").shape == infos.pop("_final_obs").shape == infos.pop("_final_info").shape
            forms.note("a game over" if infos["ended"].any() else "running", infos)
            if mode == "Disabled" and envs.games.over.any():
                _, infos = envs.reset(options={"reset_mask": envs.games.over.copy()})
            *_, infos = envs.step(np.array([chosen(end, mask) for mask in envs.action_masks()]))
    forms.check("a game over", "running")


def test_infos_of_stable_baselines_view():
    pytest.importorskip("stable_baselines3", reason="needs the extra `train`")
    from dominion_env import SB3VecEnv

    forms = Forms()
    for end, options in ENDS.items():
        env = SB3VecEnv(2, seed=1, **options)
        env.reset()
        for info in env.reset_infos:
            forms.note("reset", info)
        for _ in range(8):
            *_, dones, infos = env.step(np.array([chosen(end, mask) for mask in env.action_masks()]))
            for done, info in zip(dones, infos, strict=True):
                assert ("terminal_observation" in info) == done  # as stable-baselines3 wants it
                info.pop("terminal_observation", None)
                forms.note("over" if done else "running", info)
    forms.check("over", "reset", "running")


def test_masks_have_one_form_everywhere():
    env = DominionEnv(mask_in="both", **KINGDOM)
    observation, info = env.reset(seed=0)
    assert form(info["action_mask"]) == form(observation["action_mask"]) == ((NUM_ACTIONS,), "int8")
