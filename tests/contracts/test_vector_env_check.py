"""`check_vector_env` passes environments that keep the rules, and names the rule that another one breaks."""

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.envs.classic_control.cartpole import CartPoleVectorEnv
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from dominion_env.testing import check_vector_env

NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode


class Countdown(gymnasium.Env):
    """Ends after 5 to 8 steps; what it shows and pays depends on its luck."""

    observation_space = spaces.Box(0, 100, (2,), np.float32)
    action_space = spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.left = int(self.np_random.integers(5, 9))
        return self._told()

    def step(self, action):
        self.left -= 1
        self.luck = self.np_random.random() + action
        observation, info = self._told()
        return observation, float(self.luck), self.left == 0, False, info

    def _told(self):
        return np.array([self.left, 10 * self.np_random.random()], np.float32), {"left": self.left}


class Honest(SyncVectorEnv):
    """Many of them; as Gymnasium's, but `reset` leaves its options alone."""

    def __init__(self, num_envs, mode, **options):
        super().__init__([Countdown] * num_envs, autoreset_mode=mode, **options)

    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed, options=None if options is None else dict(options))

    def done(self, told):
        return told[2] | told[3]


def check(make, modes=tuple(AutoresetMode), **options):
    check_vector_env(make, Countdown, autoreset_modes=modes, **options)


def test_gymnasiums_own_vector_env_of_cartpole_passes():
    def cartpole():
        return gymnasium.make("CartPole-v1")

    check_vector_env(
        lambda n, mode: SyncVectorEnv([cartpole] * n, autoreset_mode=mode), cartpole, keeps_reset_mask=False
    )


def test_rows_that_share_their_luck_pass_without_a_single_environment():
    class Closing(CartPoleVectorEnv):
        """Gymnasium 1.4's own forgets to say that it is closed."""

        def close(self):
            self.closed = True

    check_vector_env(lambda n, mode: Closing(n), autoreset_modes=[NEXT_STEP])


def test_an_honest_environment_passes():
    check(Honest)
    check(lambda n, mode: Honest(n, mode, copy=False), copies=False)


class UnbatchedSpace(Honest):
    def __init__(self, *args):
        super().__init__(*args)
        self.observation_space = self.single_observation_space


class ForeignSpace(Honest):
    def __init__(self, *args):
        super().__init__(*args)
        self.single_action_space = spaces.Discrete(4)
        self.action_space = spaces.MultiDiscrete([4] * self.num_envs)


class WrongNumber(Honest):
    def __init__(self, *args):
        super().__init__(*args)
        self.num_envs += 1


class NoModeInMetadata(Honest):
    def __init__(self, *args):
        super().__init__(*args)
        del self.metadata["autoreset_mode"]


class NeverClosed(Honest):
    def close(self, **options):
        pass


class BareReset(Honest):
    def reset(self, **options):
        return super().reset(**options)[0]


class Doubles(Honest):
    def step(self, actions):
        told = super().step(actions)
        return told[0].astype(np.float64), *told[1:]


class WideReset(Honest):
    def reset(self, **options):
        observations, infos = super().reset(**options)
        return observations[:, :1], infos


class InfoWithoutRows(Honest):
    def step(self, actions):
        told = super().step(actions)
        del told[4]["_left"]
        return told


class ShortInfo(Honest):
    def step(self, actions):
        told = super().step(actions)
        told[4]["left"] = told[4]["left"][:-1]
        return told


class ListOfRewards(Honest):
    def step(self, actions):
        observations, rewards, *rest = super().step(actions)
        return observations, rewards.tolist(), *rest


class NumbersForEnds(Honest):
    def step(self, actions):
        observations, rewards, terminations, *rest = super().step(actions)
        return observations, rewards, terminations.astype(np.int64), *rest


class FourThings(Honest):
    def step(self, actions):
        return super().step(actions)[:4]


class ListOfInfos(Honest):
    def step(self, actions):
        *rest, infos = super().step(actions)
        return *rest, [infos]


class ChangesActions(Honest):
    def step(self, actions):
        told = super().step(actions)
        actions[:] = 0
        return told


class SameSeedForAll(Honest):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=[seed] * self.num_envs if seed is not None else None, options=options)


class RewardsOfOthers(Honest):
    def step(self, actions):
        observations, rewards, *rest = super().step(actions)
        return observations, rewards[::-1].copy(), *rest


class NeverTerminates(Honest):
    def step(self, actions):
        observations, rewards, terminations, truncations, infos = super().step(actions)
        return observations, rewards, truncations, terminations, infos


class NoInfo(Honest):
    def step(self, actions):
        *rest, infos = super().step(actions)
        return *rest, {name: infos[name] for name in infos if "final" in name}


class InfoOfOthers(Honest):
    def step(self, actions):
        told = super().step(actions)
        told[4]["left"] = told[4]["left"] + 1
        return told


class PaysForReset(Honest):
    waiting = np.zeros(3, np.bool_)

    def step(self, actions):
        told = super().step(actions)
        told[1][self.waiting] = 1
        self.waiting = self.done(told)
        return told


class StepsOnAfterEnd(Honest):
    """Shows the next episode's second observation first."""

    def step(self, actions):
        waiting = self._autoreset_envs.copy()
        told = super().step(actions)
        for row in np.flatnonzero(waiting):
            told[0][row] = self.envs[row].step(0)[0]
        return told


class NoFinals(Honest):
    def step(self, actions):
        *rest, infos = super().step(actions)
        return *rest, {name: infos[name] for name in infos if "final" not in name}


class NoFinalInfo(Honest):
    def step(self, actions):
        *rest, infos = super().step(actions)
        return *rest, {name: infos[name] for name in infos if "final_info" not in name}


class FinalsEverywhere(Honest):
    def step(self, actions):
        told = super().step(actions)
        if "final_obs" in told[4]:
            for row in range(self.num_envs):
                told[4]["final_obs"][row] = told[0][row]
        return told


class FinalsOfTheNextGame(Honest):
    def step(self, actions):
        told = super().step(actions)
        for row in np.flatnonzero(self.done(told)) if "final_obs" in told[4] else []:
            told[4]["final_obs"][row] = told[0][row]
        return told


class FinalsAsOneArray(Honest):
    def step(self, actions):
        told = super().step(actions)
        if "final_obs" in told[4]:
            told[4]["final_obs"] = told[0].copy()
        return told


class FinalsMarkedEverywhere(Honest):
    def step(self, actions):
        told = super().step(actions)
        if "final_obs" in told[4]:
            told[4]["_final_obs"][:] = True
        return told


class FinalsInAnotherMode(Honest):
    def step(self, actions):
        *rest, infos = super().step(actions)
        everywhere = np.ones(self.num_envs, np.bool_)
        return *rest, infos | {"final_obs": np.full(self.num_envs, None), "_final_obs": everywhere}


class WrongFinalInfo(Honest):
    def step(self, actions):
        told = super().step(actions)
        if "final_info" in told[4]:
            told[4]["final_info"]["left"] += 1
        return told


class ShowsTheEndInstead(Honest):
    """SAME_STEP, but the observation is still the last one."""

    def step(self, actions):
        told = super().step(actions)
        for row in np.flatnonzero(self.done(told)):
            told[0][row] = told[4]["final_obs"][row]
        return told


class ResetsAll(Honest):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed)


class ResetsAllIfMaskIsRight(Honest):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed, options=options)
        return super().reset(seed=seed)


class MovesOthers(Honest):
    """Rows that are not reset are shown unchanged, but their luck is another."""

    def reset(self, *, seed=None, options=None):
        told = super().reset(seed=seed, options=options)
        if options is not None:
            self.envs[-1].np_random.random()
        return told


class IgnoresTheSeed(Honest):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed if options is None else None, options=options)


class TakesAnyMask(Honest):
    def reset(self, *, seed=None, options=None):
        try:
            return super().reset(seed=seed, options=options)
        except (TypeError, ValueError):
            return self._observations, {}


class TakesEmptyMasks(Honest):
    def reset(self, *, seed=None, options=None):
        if options is not None and not np.any(options["reset_mask"]):
            return self._observations, {}
        return super().reset(seed=seed, options=options)


class Popping(SyncVectorEnv):
    def __init__(self, num_envs, mode):
        super().__init__([Countdown] * num_envs, autoreset_mode=mode)


class HandsOutItsBuffer(Honest):
    def __init__(self, *args):
        super().__init__(*args, copy=False)


class HandsOutItsRewards(Honest):
    def step(self, actions):
        observations, _, *rest = super().step(actions)
        return observations, self._rewards, *rest


class BelievesWhatItReturned(Honest):
    """Keeps its count of steps in an array that it has returned (and copied before changing it)."""

    def step(self, actions):
        told = super().step(actions)
        steps = getattr(self, "steps", np.zeros(self.num_envs)) + 1
        told[4]["steps"], told[4]["_steps"] = steps, np.ones(self.num_envs, np.bool_)
        self.steps = steps
        return told


class OtherLuckEachTime(Honest):
    made = 0

    def __init__(self, *args):
        super().__init__(*args)
        type(self).made += 1
        self.number = type(self).made

    def step(self, actions):
        told = super().step(actions)
        told[4]["luck"], told[4]["_luck"] = np.full(self.num_envs, self.number), np.ones(self.num_envs, np.bool_)
        return told


@pytest.mark.parametrize(
    ("broken", "modes", "message"),
    [
        (UnbatchedSpace, [NEXT_STEP], r"observation_space: batch_space\(single_observation_space"),
        (ForeignSpace, [NEXT_STEP], r"single_action_space: Discrete\(3\) is that of the single environment"),
        (WrongNumber, [NEXT_STEP], "num_envs: 3 games were asked for, the attribute says 4"),
        (NoModeInMetadata, [NEXT_STEP], "autoreset_mode"),
        (NeverClosed, [NEXT_STEP], "`closed` must be True"),
        (BareReset, [NEXT_STEP], "expected observations and a dictionary of infos"),
        (WideReset, [NEXT_STEP], r"reset\(seed=0\): the observations are not in observation_space"),
        (Doubles, [NEXT_STEP], "step 1: the observations are not in observation_space"),
        (InfoWithoutRows, [NEXT_STEP], r"infos\['left'\] needs infos\['_left'\]"),
        (ShortInfo, [NEXT_STEP], r"infos\['left'\] must have a row per game, not 2"),
        (ListOfRewards, [NEXT_STEP], "rewards: expected an array of 3 numbers"),
        (NumbersForEnds, [NEXT_STEP], "terminations: expected an array of 3 bools"),
        (FourThings, [NEXT_STEP], "expected five things"),
        (ListOfInfos, [NEXT_STEP], "infos: expected a dictionary"),
        (ChangesActions, [NEXT_STEP], "the caller's actions have been changed"),
        (SameSeedForAll, [NEXT_STEP], r"row 1: the observation must be that of the single environment's reset\(1\)"),
        (RewardsOfOthers, [NEXT_STEP], "row 0: reward must be the single environment's"),
        (NeverTerminates, [NEXT_STEP], "terminated must be the single environment's, True, not False"),
        (NoInfo, [NEXT_STEP], "the single environment's info has 'left', infos must have it too"),
        (InfoOfOthers, [NEXT_STEP], r"infos\['left'\] must be"),
        (PaysForReset, [NEXT_STEP], "the step after an end starts the next episode: it pays 0 and ends nothing"),
        (StepsOnAfterEnd, [NEXT_STEP], r"the observation must be that of the next episode's reset\(\)"),
        (NoFinals, [SAME_STEP], r"an episode ended, so infos\['final_obs'\] is expected"),
        (NoFinalInfo, [SAME_STEP], r"an episode ended, so infos\['final_info'\] is expected"),
        (FinalsEverywhere, [SAME_STEP], "final_obs must be None where no episode ended"),
        (FinalsOfTheNextGame, [SAME_STEP], "final_obs must be the last observation of the episode"),
        (FinalsAsOneArray, [SAME_STEP], "final_obs must be an object array"),
        (FinalsMarkedEverywhere, [SAME_STEP], r"infos\['_final_obs'\] must be where episodes ended"),
        (FinalsInAnotherMode, [NEXT_STEP], "final_obs belongs to SAME_STEP"),
        (WrongFinalInfo, [SAME_STEP], r"final_info\['left'\] must be"),
        (ShowsTheEndInstead, [SAME_STEP], r"the observation must be that of the next episode's reset\(\)"),
        (ResetsAll, [DISABLED], "reset_mask is False, but the observation is another"),
        (ResetsAllIfMaskIsRight, [DISABLED], "reset_mask is False, but the observation is another"),
        (MovesOthers, [DISABLED], "row 2: (reward|the observation) must be"),
        (IgnoresTheSeed, [DISABLED], "reset_mask is True, but it did not start from the seed"),
        (TakesAnyMask, [DISABLED], "a reset_mask a list must be refused"),
        (TakesEmptyMasks, [DISABLED], "a reset_mask without any row must be refused"),
        (Popping, [DISABLED], "reset_mask must stay in the options"),
        (HandsOutItsBuffer, [NEXT_STEP], "what it returned has been changed by a later call"),
        (HandsOutItsRewards, [SAME_STEP], "what it returned has been changed by a later call"),
        (BelievesWhatItReturned, [NEXT_STEP], "writing into returned arrays must not change the game"),
        (OtherLuckEachTime, [SAME_STEP], "the same seed and actions must give the same"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_broken_rule_is_named(broken, modes, message):
    with pytest.raises(AssertionError, match=message):
        check(broken, modes)


def test_a_row_that_was_not_reset_must_go_on_even_if_there_is_nothing_to_compare_it_with():
    with pytest.raises(AssertionError, match="row 2: a row that was not reset must go on as if nothing had happened"):
        check_vector_env(MovesOthers, autoreset_modes=[DISABLED])


def test_it_says_so_if_too_little_happens():
    with pytest.raises(AssertionError, match=r"[01] of 6 episodes ended in 5 steps: allow more"):
        check(Honest, max_steps=5)
    with pytest.raises(AssertionError, match="num_envs: expected 2 or more, got 1"):
        check(Honest, num_envs=1)
    with pytest.raises(AssertionError, match=r"expected a gymnasium\.vector\.VectorEnv, got Countdown"):
        check(lambda n, mode: Countdown())
