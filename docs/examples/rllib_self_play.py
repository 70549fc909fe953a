"""PPO with action masks by RLlib: one network plays all seats of the PettingZoo view, on remote runners if you like.

    python -m venv rllib && rllib/bin/pip install dominion_env "ray[rllib]==2.60.0" torch
    rllib/bin/python docs/examples/rllib_self_play.py                                    # about seven minutes of one core
    rllib/bin/python docs/examples/rllib_self_play.py --runners 2 --cluster auto         # games on a Ray cluster
    rllib/bin/python docs/examples/rllib_self_play.py --iterations 2 --games 100         # a try

RLlib asks for an older Gymnasium than this project's other extras, so it has an environment of its own. At the end the network
meets itself as it was before, by the rules of `dominion compare`: every game is played from both seats with the same luck,
and no game was seen in training.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from dominion_env import dominion_v0, make_agent
from dominion_training import MatchResult, play_match

NETWORK = "network"
OPTIONS = {"kingdom": "first-game-2e", "auto_treasures": True}


class Table(PettingZooEnv):
    """One game for RLlib, whose module for masked actions reads observations under the name `observations`."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(dominion_v0.env(illegal="raise", mask_in="observation", reward="margin", **OPTIONS))
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(_named(space)) for agent, space in self.observation_spaces.items()
        }
        self.observation_space = gymnasium.spaces.Dict(self.observation_spaces)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """See RLlib's MultiAgentEnv."""
        observations, infos = super().reset(seed=seed, options=options)
        return {agent: _named(seen) for agent, seen in observations.items()}, infos

    def step(self, action: dict[str, Any]) -> Any:
        """See RLlib's MultiAgentEnv."""
        observations, *rest = super().step(action)
        return {agent: _named(seen) for agent, seen in observations.items()}, *rest


def _named(parts: Any) -> dict[str, Any]:
    """Return the parts of an observation, or of its space, by the names that RLlib's module expects."""
    mask = parts["action_mask"]
    if isinstance(mask, np.ndarray):
        mask = mask.astype(np.float32)
    else:
        mask = gymnasium.spaces.Box(0.0, 1.0, mask.shape, np.float32)
    return {"observations": parts["observation"], "action_mask": mask}


class Player:
    """RLlib's network as an agent of this project, which draws its actions by the keys of the games."""

    def __init__(self, module: RLModule) -> None:
        self._module = copy.deepcopy(module)

    def act(self, observations: np.ndarray, masks: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """See `dominion_env.Agent`."""
        seen = {"observations": torch.as_tensor(observations), "action_mask": torch.as_tensor(masks.astype(np.float32))}
        with torch.no_grad():
            scores = self._module.forward_inference({"obs": seen})["action_dist_inputs"]
        chances = torch.softmax(scores, -1).double().cumsum(-1).numpy()
        drawn = (keys >> np.uint64(11)) * 2.0**-53 * chances[:, -1]
        return (chances > drawn[:, None]).argmax(axis=1)


def train(iterations: int, runners: int, batch: int, seed: int = 0) -> tuple[Player, Player, float]:
    """Train by self-play; return the network as it was and as it is, and its decisions a second.

    The seconds are those of the clock with remote runners, and CPU seconds without.
    """
    register_env("dominion", Table)
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [256, 256], "head_fcnet_hiddens": [], "vf_share_layers": False},
    )
    config = (
        PPOConfig()
        .environment("dominion", disable_env_checking=True)  # the check draws actions without the mask
        .multi_agent(policies={NETWORK}, policy_mapping_fn=lambda agent, episode, **_: NETWORK)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={NETWORK: module}))
        .env_runners(num_env_runners=runners, rollout_fragment_length="auto")
        .training(
            train_batch_size_per_learner=batch, minibatch_size=1024, num_epochs=4, lr=5e-4, gamma=1.0, lambda_=0.98,
            entropy_coeff=0.005, clip_param=0.2, grad_clip=0.5, vf_loss_coeff=1.0, vf_clip_param=10.0,
        )
        .debugging(seed=seed)
    )  # fmt: skip
    algorithm = config.build_algo()
    before = Player(algorithm.get_module(NETWORK))
    now = time.monotonic if runners else time.process_time
    begun, decisions = now(), 0
    for number in range(1, iterations + 1):
        result = algorithm.train()["env_runners"]
        decisions = int(result["num_env_steps_sampled_lifetime"])
        print(
            f"{number} of {iterations}: {decisions:,} decisions, {result['episode_len_mean']:.0f} in a game", flush=True
        )
    speed = decisions / (now() - begun)
    after = Player(algorithm.get_module(NETWORK))
    algorithm.stop()
    return before, after, speed


def main(arguments: Sequence[str] | None = None) -> MatchResult:
    """Train, compare, print, and return the games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--iterations", type=int, default=30, help="updates [%(default)s]")
    parser.add_argument("--batch", type=int, default=4096, help="decisions between two updates [%(default)s]")
    parser.add_argument(
        "--runners", type=int, default=0, help="remote processes that play; 0 for this one [%(default)s]"
    )
    parser.add_argument("--cluster", help="address of a Ray cluster, or auto; one of its own by default")
    parser.add_argument("--games", type=int, default=2000, help="games that compare [%(default)s]")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    ray.init(address=chosen.cluster, include_dashboard=False, log_to_driver=False)
    before, after, speed = train(chosen.iterations, chosen.runners, chosen.batch, chosen.seed)
    result = play_match(after, before, chosen.games, 1_000_000_000, 2, **OPTIONS)
    print(f"decisions a {'second' if chosen.runners else 'CPU second'}, playing and learning: {speed:,.0f}")
    print(f"trained against untrained: {result}")
    big_money = make_agent("big-money")
    print(f"trained against Big Money: {play_match(after, big_money, chosen.games, 1_000_000_000, 2, **OPTIONS)}")
    ray.shutdown()
    return result


if __name__ == "__main__":
    main()
