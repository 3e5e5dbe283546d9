"""Workers as actors of Ray: on one machine, or on all of a cluster.

Each partition is an actor; batches go through the object store, from worker to worker. Ray says
when an actor or a node is there no more.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from lts.cluster.memory import ENVIRONMENT, keep_little
from lts.cluster.transport import Lost, Task
from lts.errors import LtsError

__all__ = ["OnRay", "connect", "ray"]

_PATIENCE = 10.0
"""Seconds until it is said that nobody listens at an address."""


def ray() -> Any:
    """Return the package `ray`, or say how to get it."""
    # Read when it is imported: nothing is sent to anybody.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Read when it is started: batches that were read are given up soon, and not all once a second.
    os.environ.setdefault("RAY_free_objects_period_milliseconds", "50")
    os.environ.setdefault("RAY_free_objects_batch_size", "16")
    try:
        import ray
    except ImportError:
        message = "a cluster needs the package ray: pip install 'ltstool[cluster]'"
        raise LtsError(message) from None
    return ray


def connect(address: str | None) -> int:
    """Connect to a cluster, or start one on this machine for as long as this process lives. Return
    how many processors it has.

    Raises `LtsError` where there is none.
    """
    engine = ray()
    quiet = {"logging_level": "error", "log_to_driver": False}
    try:
        if address is not None:
            _reach(address)
        if not engine.is_initialized():
            if address is None:
                engine.init(address="local", include_dashboard=False, **quiet)
            else:
                engine.init(address=address, **quiet)
    except (OSError, ValueError, RuntimeError) as error:
        what = "Ray does not start" if address is None else f"there is no cluster at `{address}`"
        raise LtsError(f"{what}: {_first_line(error)}") from None
    return max(1, int(engine.cluster_resources().get("CPU", 1)))


def _reach(address: str) -> None:
    """Raise `OSError` where nobody listens, which Ray would wait for much longer."""
    host, _, port = address.rpartition(":")
    if port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()


class _Actor:
    """A worker, as Ray has it."""

    def begin(self, job: Task, index: int, length: int, start: int) -> str:
        """Have the worker; return its version. What goes wrong is told as it is, by a method."""
        keep_little()
        self.worker = job.worker(index, length, start)
        return version("ltstool")

    def step(self, method: str, arguments: tuple[Any, ...], *inbox: bytes) -> Any:
        """Do a superstep: what was found, and the batches."""
        found, outbox = getattr(self.worker, method)(list(inbox), *arguments)
        return found if outbox is None else (found, *outbox)

    def call(self, method: str, arguments: tuple[Any, ...]) -> Any:
        """Call the worker."""
        return getattr(self.worker, method)(*arguments)


class OnRay:
    """Workers as actors, spread over the nodes that there are."""

    steps = None

    def __init__(self, job: Task) -> None:
        self._ray = ray()
        self._job = self._ray.put(job)
        self._partitions, self._silent = job.partitions, job.silent
        self._actors: list[Any] = []
        self._batches: list[list[Any]] = []

    def begin(self, lengths: Sequence[int], start: int) -> None:
        """Have new actors; those that there were are ended."""
        self.stop()
        processors = self._ray.cluster_resources().get("CPU", 1.0)
        # So that all are there at once, also where they are more than processors.
        share = min(1.0, int(1000 * processors / self._partitions) / 1000)
        actor = self._ray.remote(_Actor).options(
            num_cpus=share,
            scheduling_strategy="SPREAD",
            max_restarts=0,
            max_task_retries=0,
            runtime_env={"env_vars": ENVIRONMENT},
        )
        self._actors = [actor.remote() for _ in lengths]
        self._batches = [[] for _ in self._actors]
        versions = [
            worker.begin.remote(self._job, index, length, start)
            for index, (worker, length) in enumerate(zip(self._actors, lengths, strict=True))
        ]
        own = version("ltstool")
        for theirs in self._get(versions):
            if theirs != own:
                raise LtsError(f"a worker has version {theirs} of ltstool, and not {own}")

    def step(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Do a superstep."""
        sends = method not in self._silent
        returns = 1 + self._partitions if sends else 1
        answers = [
            actor.step.options(num_returns=returns).remote(method, own, *inbox)
            for actor, own, inbox in zip(self._actors, arguments, self._batches, strict=True)
        ]
        self._batches = [[] for _ in self._actors]
        if sends:
            for _, *outbox in answers:
                for inbox, batch in zip(self._batches, outbox, strict=True):
                    inbox.append(batch)
            answers = [found for found, *_ in answers]
        return self._get(answers)

    def call(self, which: int, method: str, *arguments: Any) -> Any:
        """Call one worker."""
        (answer,) = self._get([self._actors[which].call.remote(method, arguments)])
        return answer

    def call_all(self, method: str, *arguments: Any) -> list[Any]:
        """Call all workers alike."""
        return self._get([actor.call.remote(method, arguments) for actor in self._actors])

    def stop(self) -> None:
        """End the actors, whatever they do."""
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors, self._batches = [], []

    def _get(self, answers: list[Any]) -> list[Any]:
        errors = self._ray.exceptions
        try:
            found: list[Any] = self._ray.get(answers)
        except errors.RayTaskError as error:
            cause = error.cause
            # What a worker raised that waits for one that is lost.
            if isinstance(cause, errors.RayError):
                raise Lost(_first_line(cause)) from None
            raise cause from None
        except (errors.RayActorError, errors.ObjectLostError, errors.NodeDiedError) as error:
            raise Lost(_first_line(error)) from None
        return found


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]
