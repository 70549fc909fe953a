"""Training: a MaskablePPO agent learns against an opponent and is judged; `command.py` is its command line."""

from __future__ import annotations

from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import LinearSchedule
from stable_baselines3.common.vec_env import VecMonitor

import dominion_agents
from dominion_agents.ppo_agent import PPOAgent
from dominion_env.views.sb3 import SB3VecEnv
from dominion_training import next_steps, runs
from dominion_training.callbacks import RunCallback
from dominion_training.config import TrainConfig
from dominion_training.evaluate.match import MatchResult, play_match
from dominion_training.policies import FastMaskablePolicy, Trunk
from dominion_training.rewards import LeadEnv

JUDGES = {"random": "random", "Big Money": "big-money"}  # the score against the last one is what a run is measured by
EVALUATION_SEED = 1_000_000_000  # far from the seeds of training


def train(config: TrainConfig, run: Path | None = None, resume: Path | None = None) -> Path | None:
    """Train an agent, or go on training one, save the model and print its scores.

    Args:
        config: settings of a new run.
        run: folder of the new run; None names one by time, kingdom and seed.
        resume: folder of an earlier run, which goes on with its own settings instead.

    Returns:
        The run's folder, or None if Ctrl-C stopped the run, which can then be resumed.

    Raises:
        InvalidOption: the run to resume is missing or damaged, or a setting is wrong; nothing has been changed then.
        DominionError: a file can't be written; the last checkpoint stays.
    """
    if resume is None:
        torch.set_num_threads(config.torch_threads)
        model, progress = new_model(config), runs.Progress()  # before the folder, which a wrong setting must not leave
        run = runs.new_run(config, run)
    else:
        run, config = resume, runs.read_config(resume)
        torch.set_num_threads(config.torch_threads)
        model, progress = runs.load_checkpoint(run)
    print(f"run folder: {run}")

    if not _learn(model, config, run, progress):
        runs.write_curve(run, progress.curve, _opponent(config))
        print(next_steps.after_interruption(run, progress.steps))
        return None
    runs.save_checkpoint(run, model, progress)
    runs.save_model(run, model)
    print(f"trained on {model.num_timesteps:,} decisions in {progress.seconds:.0f} s")

    results = judge(PPOAgent(model.policy), config)
    runs.write_result(run, {name: result.summary() for name, result in results.items()})
    opponent = _opponent(config)
    runs.write_curve(run, progress.curve, opponent, results[opponent].score if opponent in results else None)
    print(next_steps.after_training(run))
    for name, result in results.items():
        print(f"score against {name}: {result}")
    return run


def _opponent(config: TrainConfig) -> str:
    """Return what the learner's opponent is called in pictures: the judge's name if it is a judge."""
    return next((name for name, agent in JUDGES.items() if agent == config.opponent), config.opponent)


def new_model(config: TrainConfig) -> MaskablePPO:
    """Return an untrained model with its games."""
    lead = config.reward == "lead"
    env = (LeadEnv if lead else SB3VecEnv)(
        config.num_envs,
        opponents=config.opponent,
        seat="random",
        seed=config.seed,
        kingdom=config.kingdom,
        auto_treasures=True,
        reward="result" if lead else config.reward,
    )
    return MaskablePPO(
        FastMaskablePolicy,
        VecMonitor(env),
        learning_rate=LinearSchedule(config.learning_rate, config.learning_rate / 20, end_fraction=1.0),
        n_steps=config.rollout_steps,
        batch_size=config.batch_size,
        n_epochs=config.epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip_range,
        ent_coef=config.entropy,
        policy_kwargs={
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": {"width": config.trunk},
            "net_arch": list(config.hidden),
            "activation_fn": torch.nn.ReLU,
        },
        seed=config.seed,
        device="cpu",
        stats_window_size=1000,
    )


def judge(agent: dominion_agents.Agent, config: TrainConfig) -> dict[str, MatchResult]:
    """Return the agent's matches against the judges, by the judges' names."""
    return {
        name: play_match(
            agent,
            dominion_agents.make(judge),
            config.eval_games,
            seed=EVALUATION_SEED + config.seed,
            kingdom=config.kingdom,
            auto_treasures=True,
        )
        for name, judge in JUDGES.items()
    }


def _learn(model: MaskablePPO, config: TrainConfig, run: Path, progress: runs.Progress) -> bool:
    """Train until all decisions are made; False if Ctrl-C stopped it before."""
    steps_left = config.total_steps - model.num_timesteps
    if steps_left <= 0:
        return True
    callback = RunCallback(run, progress, config.total_steps, config.checkpoint_minutes)
    model.set_logger(configure(str(run / "tb"), ["tensorboard"]))
    try:
        # SB3 adds the decisions made so far to what it is asked for, so that a resumed schedule fits.
        model.learn(steps_left, callback=callback, reset_num_timesteps=False)
    finally:
        callback.close()
        model.logger.close()
    return not callback.interrupted
