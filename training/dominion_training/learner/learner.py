"""The learner: it plays, learns from what it has played, and meets its opponents and its earlier versions."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any

import cloudpickle
import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import LinearSchedule

from dominion_agents import make
from dominion_agents.strategy import Strategy
from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.inputs import layout
from dominion_agents.trained.model import Model
from dominion_agents.trained.more_players import for_players
from dominion_env.agent import Agent
from dominion_env.cards import CARDS
from dominion_env.checks import shown
from dominion_env.errors import DominionError, InvalidAgent, InvalidOption
from dominion_env.kingdoms import resolve
from dominion_training.evaluate.entrants import make_agent, module_of
from dominion_training.evaluate.executor import Executor
from dominion_training.learner import attackers
from dominion_training.learner.averaging import Average
from dominion_training.learner.fused import fused_ppo_loss
from dominion_training.learner.league import is_promoted
from dominion_training.learner.networks import new_network
from dominion_training.learner.processes import Processes, packed
from dominion_training.learner.settings import Settings
from dominion_training.learner.shard import PARTS, Shard, meant_for, shard_of
from dominion_training.learner.stage import Elsewhere, Stage, Threads
from dominion_training.learner.update import (
    Batch,
    Losses,
    Statistics,
    Updater,
    batches,
    clone_loss,
    ppo_loss,
    thinned,
)

SNAPSHOT, ATTACK = "snapshot", "attack"  # how the names of those begin that join while it learns
LEAST, MOST = 0.3, 1.7  # factors of how often an opponent is met that never wins, or always does


class SelfPlayPPO:
    """Proximal policy optimisation by self-play, in which every decision of every seat is a sample.

    It takes the callbacks of stable-baselines3 and its logger. A callback's step is a rollout: `on_step` is called once
    after each, with the network as it will be for the next one.

    Args:
        settings: all of its settings.
        executor: what plays the shards' games; by default it is processes or threads of this machine, as the settings say. The
            result does not depend on it, on processors of the same kind.

    Attributes:
        network: the network, in torch.
        average: the mean of its weights over the end of the run, which is what the run leaves.
        num_timesteps: number of decisions that it has learned from.
        logger: logger of stable-baselines3.
        statistics: what the last update said.
        attackers: the buy lists that attacks on it have found so far, by the names of the opponents that play them.
        seconds: seconds so far of playing, of updating, and of being attacked.
    """

    def __init__(self, settings: Settings, executor: Executor | None = None) -> None:
        self.settings = settings
        self.num_timesteps = 0
        self.rollouts = 0
        self.refused = 0  # versions in a row that did not join those that it meets
        self.logger = Logger(None, [])
        self.statistics: Statistics | None = None
        self.explained = 0.0
        self.attackers: dict[str, list[Strategy]] = {}
        self.seconds = {"playing": 0.0, "updating": 0.0, "attacking": 0.0}
        kingdoms = np.unique(resolve(settings.kingdoms_met()).kingdoms, axis=0)
        if settings.slots == "kingdom" and len(kingdoms) != 1:
            meant = shown(settings.kingdom) + (" and those beside them" if settings.beside else "")
            raise InvalidOption(
                f"slots: expected all (for a plain network) or piles (for one with card vectors), for the kingdoms of {meant}, "
                "got kingdom, which is for a single one"
            )
        torch.manual_seed(settings.seed)
        self.layout = layout(settings.slots, settings.players)
        self.network = new_network(settings.network, self.layout, settings.units, settings.card_units)
        if settings.start_from is not None:
            self.network.load(for_players(_trained(settings.start_from), settings.players))
        device = _device(settings.device)
        self.network.precision = _precision(settings.precision, device)
        self.teacher: Agent | None = None
        if settings.teacher is not None and settings.teacher_samples:
            self.teacher = _opponent(settings.teacher)
        self.names = [name for name, _ in settings.opponents_met()]
        self.opponents: list[Agent] = [_opponent(name) for name in self.names]
        for name, cards in zip(self.names, map(meant_for, self.opponents), strict=True):
            if cards is not None and len(kingdoms) and not (kingdoms == cards).all(axis=1).any():
                raise InvalidOption(
                    f"opponents: expected agents that can play some kingdom of the training, got {shown(name)}, which is for "
                    f"{', '.join(card.title for card in cards)}"
                )
        self.shards = [shard_of(settings, number, self.opponents) for number in range(settings.shards)]
        self.record = np.zeros((1 + len(self.opponents), 2))  # games and shares against each, faded
        self.is_cloning = self.teacher is not None
        self._threads = threads = min(settings.threads or os.cpu_count() or 1, settings.shards)
        self.updater = Updater(self.network, settings.shards, threads, settings.learning_rate, device)
        self._policy_loss = fused_ppo_loss if self.updater.device.type == "cpu" else ppo_loss
        self.average = Average(self.network)
        self._workers = ThreadPoolExecutor(threads, initializer=partial(torch.set_num_threads, 1))
        agents = [each for each in (*self.opponents, self.teacher) if each is not None]
        self._stage = _stage(settings, agents, self._workers, executor)
        self._learning_rate = LinearSchedule(settings.learning_rate, settings.last_learning_rate, 1.0)
        self._entropy = LinearSchedule(settings.entropy, settings.last_entropy, 1.0)
        self._lead_weight = LinearSchedule(settings.lead_weight, settings.last_lead_weight, 1.0)
        self._minibatch = LinearSchedule(settings.minibatch, settings.last_minibatch or settings.minibatch, 1.0)
        attack_games = settings.attack_games
        self._attack_games = LinearSchedule(attack_games, settings.last_attack_games or attack_games, 1.0)
        if not self.is_cloning:
            self._begin_alone()
        self.choose_weights()

    # --- what callbacks of stable-baselines3 look for ------------------------------------------------------------------

    def get_env(self) -> None:
        """Return None: the games are not an environment of stable-baselines3."""
        return

    def learn(self, callback: BaseCallback | None = None) -> SelfPlayPPO:
        """Learn until the number of decisions of the settings is reached, or a callback returns False."""
        if callback is not None:
            callback.init_callback(self)  # type: ignore[arg-type]  # it takes only what this class has of BaseAlgorithm
            callback.on_training_start(locals(), globals())
        try:
            while self.num_timesteps < self.settings.samples:
                if callback is not None:
                    callback.on_rollout_start()
                self.rollout()
                if callback is not None:
                    callback.on_rollout_end()
                    callback.update_locals(locals())
                    if not callback.on_step():
                        break
        except BaseException:
            with suppress(DominionError):  # which would hide this error
                self._stage.stop()
            raise
        self._stage.stop()
        if callback is not None:
            callback.on_training_end()
        return self

    # --- one rollout -----------------------------------------------------------------------------------------------------

    @property
    def progress_remaining(self) -> float:
        """Share of the run that is left after the cloning, 1 to 0."""
        first = self.settings.teacher_samples if self.teacher is not None else 0
        return 1 - min(max(self.num_timesteps - first, 0) / max(self.settings.samples - first, 1), 1.0)

    def rollout(self) -> None:
        """Play a rollout, and learn from it.

        Raises:
            FloatingPointError: the loss is not finite.
        """
        settings, left = self.settings, self.progress_remaining
        started = time.perf_counter()
        teacher = self.teacher if self.is_cloning else None
        data = self._played(teacher)
        played = time.perf_counter()
        decisions = sum(len(each.actions) for each in data)
        rng = np.random.default_rng([settings.seed, self.rollouts])
        if settings.certain < 1 and not self.is_cloning:
            data = [thinned(each, settings.certain, rng) for each in data]
        self.statistics = self.updater.run(
            data,
            clone_loss if self.is_cloning else self._policy_loss,
            Losses(settings.clip, self._entropy(left)),
            settings.epochs,
            round(self._minibatch(left)),
            rng,
            settings.teacher_learning_rate if self.is_cloning else self._learning_rate(left),
        )
        self.seconds["playing"] += played - started
        self.seconds["updating"] += time.perf_counter() - played
        before = self.num_timesteps
        self.num_timesteps += decisions
        self.rollouts += 1
        for shard in self.shards:
            self.record += shard.met
            shard.met[:] = 0
        self.record *= 0.97
        if self.progress_remaining < settings.averaged:
            self.average.add(self.network)
        else:  # also where a run that had ended goes on
            self.average.forget()
        if self.is_cloning and self.num_timesteps >= settings.teacher_samples:
            self.is_cloning = False
            self._begin_alone()
        if not self.is_cloning:
            if before // settings.snapshot_every < self.num_timesteps // settings.snapshot_every:
                self._offer_version()
            every = settings.attack_every
            # An attack at the end would find what nobody learns from any more.
            if every and before // every < self.num_timesteps // every and self.num_timesteps < settings.samples:
                self._be_attacked()
        self.choose_weights()

    def _played(self, teacher: Agent | None) -> list[Batch]:
        """Play a rollout, and return what it teaches."""
        settings, network = self.settings, self.network.exported()
        self._stage.play(self.shards, network, teacher)
        decay = settings.decay if teacher is None else 1.0  # with a teacher only results count
        samples = [shard.samples for shard in self.shards]
        lead_weight = self._lead_weight(self.progress_remaining)
        data, self.explained = batches(samples, decay, lead_weight, self._workers.map)
        return data

    def shards_now(self) -> list[Shard]:
        """Return the shards with their games as they are now, wherever these are played."""
        self._stage.bring_home()
        return self.shards

    def split(self) -> dict[str, float]:
        """Return the seconds so far by what they went into, for the parts of playing summed over threads or processes."""
        playing = sum((shard.seconds for shard in self.shards), np.zeros(len(PARTS)))
        others = {"updates": self.seconds["updating"], "attacks": self.seconds["attacking"]}
        return dict(zip(PARTS, playing.tolist(), strict=True)) | others

    def model(self, card: dict[str, Any] | None = None) -> Model:
        """Return the network as it is now, with the mean of its last weights where the run is averaging them."""
        kingdom = None
        if self.settings.slots == "kingdom":
            kingdom = tuple(CARDS[card].name for card in resolve(self.settings.kingdom).kingdoms[0])
        return (self.average.network if self.average.number else self.network).model(kingdom, card)

    def agent(self) -> TrainedAgent:
        """Return the network as it is now as an agent that plays the likeliest action."""
        return TrainedAgent(self.model())

    # --- opponents -------------------------------------------------------------------------------------------------------

    def add_opponent(self, name: str, agent: Agent) -> None:
        """Add an agent that the network meets from its next games on."""
        self.names.append(name)
        self.opponents.append(agent)
        self.record = np.concatenate([self.record, np.zeros((1, 2))])
        for shard in self.shards:
            shard.add(agent)

    def add_attackers(self, name: str, lists: Sequence[Strategy]) -> None:
        """Add an opponent that plays these lists, each where its cards are in the game."""
        self.attackers[name] = list(lists)
        self.add_opponent(name, attackers.opponent(lists))

    def _offer_version(self) -> None:
        """Let the network as it is now become one that it meets, if it is better than the one before."""
        candidate, earlier = TrainedAgent(self.model(), deterministic=False), self._joined(SNAPSHOT)
        newest = self.opponents[earlier[-1]] if earlier else None
        if is_promoted(candidate, newest, self.refused, self.settings, self.rollouts):
            self.add_opponent(f"{SNAPSHOT} at {self.num_timesteps}", candidate)
            self.refused = 0
        else:
            self.refused += 1

    def _be_attacked(self) -> None:
        """Let buy lists be sought that beat the network as it is now, which then meets them."""
        started, number = time.perf_counter(), self.num_timesteps // self.settings.attack_every
        batch, before = self.shards_now()[0].batch, list(chain.from_iterable(self.attackers.values()))
        games = round(self._attack_games(self.progress_remaining))
        found = attackers.attackers(self.agent(), batch, before, self.settings, number, games, self._threads)
        for rank, lists in reversed([*enumerate(found, 1)]):  # the strongest is the newest
            self.add_attackers(f"{ATTACK} at {self.num_timesteps}, number {rank}", lists)
        self.seconds["attacking"] += time.perf_counter() - started

    def _joined(self, kind: str) -> list[int]:
        """Return the numbers of the opponents of this kind that have joined, in the order of joining."""
        first = len(self.settings.opponents)
        return [first + number for number, name in enumerate(self.names[first:]) if name.startswith(kind)]

    def scores(self) -> NDArray[np.float64]:
        """Return the network's recent score against each opponent while it explores, between 0 and 1, float64 (opponents,).

        Ten games at even are added, so that few games say little.
        """
        even = 1 / self.settings.players
        games, shares = self.record[1:].T
        found: NDArray[np.float64] = (shares + 10 * even) / (games + 10)
        return found

    def choose_weights(self) -> None:
        """Set how often each opponent is met: by the settings, and more often if it wins more."""
        settings = self.settings
        weights = np.zeros(1 + len(self.opponents))
        weights[0] = settings.self_play
        if not self.is_cloning:
            fixed = len(settings.opponents)
            weights[1 : 1 + fixed] = [weight for _, weight in settings.opponents_met()]
            for kind, weight, most in (
                (SNAPSHOT, settings.snapshots, settings.snapshots_met),
                (ATTACK, settings.attackers, settings.attackers_met),
            ):
                met = self._joined(kind)[-most:]
                weights[[1 + number for number in met]] = weight / max(len(met), 1)
            if settings.prioritised:
                weights[1:] *= np.clip(settings.players * (1 - self.scores()) / (settings.players - 1), LEAST, MOST)
        if weights.sum() == 0:
            weights[0] = 1.0
        for shard in self.shards:
            shard.weights = weights
            shard.openings = 0.0 if self.is_cloning else settings.openings
            shard.openers, shard.opening_turns = len(settings.opponents), settings.opening_turns

    def _begin_alone(self) -> None:
        self.choose_weights()
        for shard in self.shards_now():
            shard.learn_alone()


def _stage(
    settings: Settings, agents: Sequence[Agent], workers: ThreadPoolExecutor, executor: Executor | None
) -> Stage:
    """Return the place where the shards play with these agents.

    Raises:
        InvalidAgent: several processes are to play, and an agent can't be pickled.
    """
    if executor is not None:
        return Elsewhere(executor, settings)
    processes = min(settings.processes or os.cpu_count() or 1, settings.shards)
    if processes > 1:
        try:
            packed(agents)
        except InvalidAgent:
            if settings.processes:
                raise
            processes = 1
    return Threads(workers) if processes == 1 else Processes(processes, settings)


def _opponent(name: str) -> Agent:
    """Make an agent to learn from or to meet, code of the user's own among them; it must answer alike in a resumed run."""
    agent = make_agent(name)
    if (module := module_of(name)) is not None:
        cloudpickle.register_pickle_by_value(module)  # other processes may lack it, so its code goes with the agent
    return agent


def _trained(name: str) -> Model:
    """Return the model of a trained agent, which its path or its name stands for.

    Raises:
        InvalidOption: it is another agent.
        DominionError: there is no such agent.
    """
    agent = make(name)
    if not isinstance(agent, TrainedAgent):
        raise InvalidOption(f"start_from: expected a trained network, as its path or its name, got {shown(name)}")
    return agent.model


def _device(name: str) -> torch.device:
    """Return the device of that name.

    Raises:
        InvalidOption: there is no such device here.
    """
    try:
        device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise InvalidOption(
            f"device: expected cpu, cuda or auto, as this machine has them, got {shown(name)}"
        ) from error
    return device


def _precision(name: str, device: torch.device) -> torch.dtype:
    if name == "auto":
        # older versions of torch can't tell
        of_processor = getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)
        on_device = partial(torch.cuda.is_bf16_supported, including_emulation=False)
        supported = on_device if device.type == "cuda" else of_processor
        name = "bfloat16" if supported() else "float32"
    return torch.bfloat16 if name == "bfloat16" else torch.float32
