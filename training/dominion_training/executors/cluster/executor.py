"""A Ray cluster as a place where parts are played."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import ray
from ray import cloudpickle, exceptions

from dominion_agents.own_code.loading import module_of
from dominion_env.common.errors import DominionError, InvalidAgent
from dominion_training.executors.cluster.head import answers, place_of
from dominion_training.executors.cluster.tasks import Tasks
from dominion_training.executors.executor import Playing
from dominion_training.executors.work import Part, agents_of
from dominion_training.play import roster


class Cluster:
    """A Ray cluster that is running: an `Executor`.

    Results are the same as on one machine if all nodes have the same kind of processor. Agents travel to the nodes by
    value. This package and the modules that an agent imports must be installed there.

    Args:
        address: "auto" for the cluster that this machine belongs to, or HOST:PORT of its head. A node of the cluster must
            run on this machine in either case.

    Raises:
        InvalidOption: the address is none.
    """

    def __init__(self, address: str = "auto") -> None:
        if address != "auto":
            place_of(address)
        self._address = address

    def start(self, parts: Sequence[Part]) -> Playing:
        """See `Executor`.

        Raises:
            DominionError: there is no cluster at this address, or its Python or Ray is another.
            InvalidAgent: an agent can't be pickled.
        """
        packed = {spec: _packed(spec) for spec in agents_of(part.work for part in parts)}
        begun_here = not ray.is_initialized()
        if begun_here:
            _connect(self._address)
        return Tasks(packed, _packed, begun_here)


def _connect(address: str) -> None:
    missing = f"cluster {address}: expected a Ray cluster, got no answer; `ray start --head` starts one"
    if address != "auto" and not answers(place_of(address)):
        raise DominionError(missing)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        if "AuthToken" in str(error.__cause__):
            raise DominionError(
                f"cluster {address}: it asks for Ray's token; set RAY_AUTH_MODE=token, with the head's token on this machine"
            ) from error
        raise DominionError(missing) from error
    except (ValueError, RuntimeError, OSError, exceptions.RayError) as error:  # such as another version of Ray
        raise DominionError(f"cluster {address}: Ray says: {' '.join(str(error).split())}") from error


def _packed(spec: str) -> bytes:
    """Return an agent as bytes that another machine can unpack.

    Raises:
        InvalidAgent: it can't be pickled.
    """
    agent = roster.HERE.agent(spec)
    try:
        with _with_its_module(spec):
            content: bytes = cloudpickle.dumps(agent)
    except Exception as error:  # whatever pickling the code of others raises
        raise InvalidAgent(
            f"agent {spec}: it can't travel to other machines, as pickling it raised {type(error).__name__}: {error}; it "
            "plays without --cluster"
        ) from error
    return content


@contextmanager
def _with_its_module(spec: str) -> Iterator[None]:
    """Let classes and functions of the agent's own module be pickled with their code, as nodes don't have that module."""
    module = module_of(spec)
    if module is None:
        yield
        return
    cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        cloudpickle.unregister_pickle_by_value(module)
