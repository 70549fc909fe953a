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

from dominion_agents.own_code.loading import module_of
from dominion_agents.strategies.strategy import Strategy
from dominion_agents.trained.agent import TrainedAgent
from dominion_agents.trained.inputs import Layout, layout
from dominion_agents.trained.model import Model
from dominion_agents.trained.more_players import for_players
from dominion_env import make_agent
from dominion_env.common.checks import shown, whole_number
from dominion_env.common.errors import DominionError, InvalidAgent, InvalidOption
from dominion_env.players.agent import Agent, check_players
from dominion_env.tables.cards import CARDS
from dominion_env.tables.kingdoms import resolve
from dominion_training.executors.executor import Executor
from dominion_training.learner.opponents import exploiters
from dominion_training.learner.opponents.earlier_versions import is_promoted
from dominion_training.learner.optimiser.fused import fused_ppo_loss
from dominion_training.learner.optimiser.networks import new_network
from dominion_training.learner.optimiser.update import (
    Batch,
    LossWeights,
    Statistics,
    Updater,
    batches,
    clone_loss,
    ppo_loss,
    thinned,
)
from dominion_training.learner.options.settings import Settings
from dominion_training.learner.rollouts.processes import Processes, packed
from dominion_training.learner.rollouts.shard import PARTS, Shard, meant_for, shard_of
from dominion_training.learner.rollouts.stage import OnExecutor, Stage, Threads
from dominion_training.learner.self_play import metrics
from dominion_training.play.entrants import make_entrant

SNAPSHOT, ATTACK = (
    "snapshot",
    "attack",
)  # first words of the names of opponents that join during the run; saved runs have them
SNAPSHOTS_MET, EXPLOITERS_MET = 6, 24  # how many of the newest ones are met
LEAST_FACTOR, MOST_FACTOR = 0.3, 1.7  # of the weight of an opponent that hardly ever wins, or nearly always
TEACHER_RATE, TEACHER_RATE_WITH_WEIGHTS = 1e-3, 3e-4  # while cloning: of a new network, and of one that plays well


class SelfPlayPPO:
    """Proximal policy optimisation by self-play, in which every decision of every seat is a sample.

    It takes the callbacks of stable-baselines3 and its logger. A callback's step is a rollout: `on_step` is called once
    after each, with the network as it will be for the next one. After that, the logger writes what the learner and the
    callback have recorded.

    Args:
        settings: all of its settings.
        executor: what plays the shards' games; by default it is processes or threads of this machine. The result does not
            depend on it, on processors of the same kind.
        workers: number of processes that play, up to the number of shards, and of threads that learn; 1 plays in this
            process. 0 is one for each core, which are threads where an agent can't be pickled. The result does not depend on
            it.
        device: device of the updates: "cpu", "cuda", or "auto" for CUDA where there is one.

    Attributes:
        network: the network, in torch.
        num_timesteps: number of decisions that it has learned from.
        logger: logger of stable-baselines3, to which each rollout is written; the first one has no output.
        statistics: means over the samples of the last update.
        exploiters: the buy lists that attacks on it have found so far, by the names of the opponents that play them.
        seconds: seconds so far of playing, of updating, and of being attacked.
    """

    def __init__(
        self, settings: Settings, executor: Executor | None = None, workers: int = 1, device: str = "auto"
    ) -> None:
        whole_number("workers", workers, 0)
        self.settings = settings
        self.num_timesteps = 0
        self.rollouts = 0
        self.refused = 0  # number of versions in a row that did not join the opponents
        self.logger = Logger(None, [])
        self.statistics: Statistics | None = None
        self.explained = 0.0
        self.exploiters: dict[str, list[Strategy]] = {}
        self.seconds = {"playing": 0.0, "updating": 0.0, "attacking": 0.0}
        kingdoms = np.unique(resolve(settings.kingdoms_met()).kingdoms, axis=0)
        before = None if settings.start_from is None else for_players(_trained(settings.start_from), settings.players)
        torch.manual_seed(settings.seed)
        self.layout = layout(settings.slots if before is None else before.layout.slots, settings.players)
        self.network = new_network(settings.network, self.layout, settings.net_arch, settings.card_units)
        if before is not None:
            self.network.load(before)
        updates_on = _device(device)
        self.network.precision = _precision(settings.precision, updates_on)
        self.teacher: Agent | None = None
        if settings.teacher is not None and settings.teacher_samples:
            self.teacher = _opponent(settings.teacher, settings.players)
        self.names = [name for name, _ in settings.opponents_met()]
        self.opponents: list[Agent] = [_opponent(name, settings.players) for name in self.names]
        for name, cards in zip(self.names, map(meant_for, self.opponents), strict=True):
            if cards is not None and len(kingdoms) and not (kingdoms == cards).all(axis=1).any():
                raise InvalidOption(
                    f"opponents: expected agents that can play some kingdom of the training, got {shown(name)}, which is for "
                    f"{', '.join(card.title for card in cards)}"
                )
        try:
            self.shards = [shard_of(settings, self.layout, number, self.opponents) for number in range(settings.shards)]
        except MemoryError as error:
            raise InvalidOption(
                f"num_envs, n_steps: expected as many games and samples as memory has room for, got {settings.num_envs:,} games "
                f"and {settings.rollout:,} samples"
            ) from error
        self.record = np.zeros((1 + len(self.opponents), 2))  # games and shares against each, faded
        self.is_cloning = self.teacher is not None
        self._threads = threads = min(workers or os.cpu_count() or 1, settings.shards)
        self.updater = Updater(
            self.network, settings.shards, threads, settings.learning_rate.start, updates_on, settings.max_grad_norm
        )
        self._policy_loss = fused_ppo_loss if self.updater.device.type == "cpu" else ppo_loss
        self._workers = ThreadPoolExecutor(threads, initializer=partial(torch.set_num_threads, 1))
        agents = [each for each in (*self.opponents, self.teacher) if each is not None]
        self._stage = _stage(settings, self.layout, agents, self._workers, executor, workers)
        self._learning_rate = LinearSchedule(*settings.learning_rate, 1.0)
        self._ent_coef = LinearSchedule(*settings.ent_coef, 1.0)
        self._lead_weight = LinearSchedule(*settings.lead_weight, 1.0)
        self._batch_size = LinearSchedule(*settings.batch_size, 1.0)
        self._attack_games = LinearSchedule(*settings.attacks.games, 1.0)
        if not self.is_cloning:
            self._begin_alone()
        self.choose_weights()

    # --- what callbacks of stable-baselines3 look for ------------------------------------------------------------------

    def get_env(self) -> None:
        """Return None: the games are not an environment of stable-baselines3."""
        return

    def learn(self, callback: BaseCallback | None = None) -> SelfPlayPPO:
        """Train until the number of decisions of the settings is reached, or a callback returns False."""
        if callback is not None:
            callback.init_callback(self)  # type: ignore[arg-type]  # it takes only what this class has of BaseAlgorithm
            callback.on_training_start(locals(), globals())
        try:
            while self.num_timesteps < self.settings.samples:
                if callback is not None:
                    callback.on_rollout_start()
                self.rollout()
                self._record()
                goes_on = True
                if callback is not None:
                    callback.on_rollout_end()
                    callback.update_locals(locals())
                    goes_on = callback.on_step()
                self.logger.dump(self.num_timesteps)  # with what the callback has recorded
                if not goes_on:
                    break
        except BaseException:
            with suppress(DominionError):  # which would hide this error
                self._stage.stop()
            raise
        self._stage.stop()
        if callback is not None:
            callback.on_training_end()
        return self

    def _record(self) -> None:
        """Record the metrics of the last rollout in the logger."""
        assert self.statistics is not None
        kind = "clone" if self.is_cloning else "update"
        found = {f"{kind}/{name}": value for name, value in self.statistics._asdict().items()}
        found["update/explained_variance"] = self.explained
        for name, score in zip(self.names, self.scores(), strict=True):
            if not name.startswith((SNAPSHOT, ATTACK)):
                found[f"while training/{name}"] = float(score)
        found |= metrics.of_games(self.shards)
        for shard in self.shards:
            shard.forget_lengths()
        for name, value in found.items():
            self.logger.record(name, value)

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
        if settings.keep_certain < 1 and not self.is_cloning:
            data = [thinned(each, settings.keep_certain, rng) for each in data]
        teacher_rate = TEACHER_RATE if settings.start_from is None else TEACHER_RATE_WITH_WEIGHTS
        self.statistics = self.updater.run(
            data,
            clone_loss if self.is_cloning else self._policy_loss,
            LossWeights(settings.clip_range, self._ent_coef(left), settings.vf_coef, settings.vf_coef / 2),
            settings.n_epochs,
            round(self._batch_size(left)),
            rng,
            teacher_rate if self.is_cloning else self._learning_rate(left),
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
        if self.is_cloning and self.num_timesteps >= settings.teacher_samples:
            self.is_cloning = False
            self._begin_alone()
        if not self.is_cloning:
            every = settings.snapshot_every
            if settings.snapshots and before // every < self.num_timesteps // every:
                self._offer_version()
            every = settings.attacks.every
            # An attack at the end would find what nobody learns from any more.
            if every and before // every < self.num_timesteps // every and self.num_timesteps < settings.samples:
                self._be_attacked()
        self.choose_weights()

    def _played(self, teacher: Agent | None) -> list[Batch]:
        """Play a rollout, and return its samples with advantages, a batch for each shard."""
        settings, network = self.settings, self.network.exported()
        self._stage.play(self.shards, network, teacher)
        gae_lambda = settings.gae_lambda if teacher is None else 1.0  # with a teacher only results count
        samples = [shard.samples for shard in self.shards]
        lead_weight = self._lead_weight(self.progress_remaining)
        data, self.explained = batches(samples, gae_lambda, lead_weight, self._workers.map)
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
        """Return the current network."""
        kingdom = None
        if self.layout.slots == "kingdom":
            kingdom = tuple(CARDS[card].name for card in resolve(self.settings.kingdom[0]).kingdoms[0])
        return self.network.model(kingdom, card)

    def agent(self) -> TrainedAgent:
        """Return the current network as an agent that plays the likeliest action."""
        return TrainedAgent(self.model())

    # --- opponents -------------------------------------------------------------------------------------------------------

    def add_opponent(self, name: str, agent: Agent) -> None:
        """Add an agent that the network meets from its next games on."""
        self.names.append(name)
        self.opponents.append(agent)
        self.record = np.concatenate([self.record, np.zeros((1, 2))])
        for shard in self.shards:
            shard.add(agent)

    def add_exploiter(self, name: str, lists: Sequence[Strategy]) -> None:
        """Add an opponent that plays these lists, each where its cards are in the game."""
        self.exploiters[name] = list(lists)
        self.add_opponent(name, exploiters.opponent(lists))

    def _offer_version(self) -> None:
        """Add the current network to the opponents, if it is better than the newest earlier version among them."""
        candidate, earlier = TrainedAgent(self.model(), deterministic=False), self._joined(SNAPSHOT)
        newest = self.opponents[earlier[-1]] if earlier else None
        if is_promoted(candidate, newest, self.refused, self.settings, self.rollouts):
            self.add_opponent(f"{SNAPSHOT} at {self.num_timesteps}", candidate)
            self.refused = 0
        else:
            self.refused += 1

    def _be_attacked(self) -> None:
        """Search for buy lists that beat the current network, and add them to the opponents."""
        started, number = time.perf_counter(), self.num_timesteps // self.settings.attacks.every
        batch, before = self.shards_now()[0].batch, list(chain.from_iterable(self.exploiters.values()))
        games = round(self._attack_games(self.progress_remaining))
        found = exploiters.find_exploiters(self.agent(), batch, before, self.settings, number, games, self._threads)
        for rank, lists in reversed([*enumerate(found, 1)]):  # the strongest is the newest
            self.add_exploiter(f"{ATTACK} at {self.num_timesteps}, number {rank}", lists)
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
                (SNAPSHOT, settings.snapshots, SNAPSHOTS_MET),
                (ATTACK, settings.attacks.weight, EXPLOITERS_MET),
            ):
                met = self._joined(kind)[-most:]
                weights[[1 + number for number in met]] = weight / max(len(met), 1)
            weights[1:] *= np.clip(
                settings.players * (1 - self.scores()) / (settings.players - 1), LEAST_FACTOR, MOST_FACTOR
            )
        if weights.sum() == 0:
            weights[0] = 1.0
        for shard in self.shards:
            shard.weights = weights

    def _begin_alone(self) -> None:
        self.choose_weights()
        for shard in self.shards_now():
            shard.learn_alone()


def _stage(
    settings: Settings, layout: Layout, agents: Sequence[Agent], threads: ThreadPoolExecutor, executor: Executor | None,
    workers: int,
) -> Stage:  # fmt: skip
    """Return the place where the shards play with these agents.

    Raises:
        InvalidAgent: several processes are to play, and an agent can't be pickled.
    """
    if executor is not None:
        return OnExecutor(executor, settings, layout)
    processes = min(workers or os.cpu_count() or 1, settings.shards)
    if processes > 1:
        try:
            packed(agents)
        except InvalidAgent:
            if workers:
                raise
            processes = 1
    return Threads(threads) if processes == 1 else Processes(processes, settings, layout)


def _opponent(name: str, players: int) -> Agent:
    """Make an agent to learn from or to meet, code of the user's own among them; it must answer alike in a resumed run."""
    agent = make_entrant(name)
    check_players(name, agent, players)
    if (module := module_of(name)) is not None:
        cloudpickle.register_pickle_by_value(module)  # other processes may lack it, so its code goes with the agent
    return agent


def _trained(name: str) -> Model:
    """Return the model of a trained agent, of its path or its name.

    Raises:
        InvalidOption: it is another agent.
        DominionError: there is no such agent.
    """
    agent = make_agent(name)
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
