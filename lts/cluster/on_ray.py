"""Workers as actors of Ray, on one machine or on all machines of a cluster.

Each partition is an actor; batches go through the object store, from worker to worker. Ray reports
when an actor or a node is lost.

All calls of Ray are made in separate threads: signal handlers raise exceptions in the main thread
at any point, and an exception within Ray can leave processes behind or end this process.
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.metadata import version
from threading import Event, Thread
from typing import Any, TypeVar

from lts.base.lazy import optional
from lts.cluster.memory import ENVIRONMENT, keep_little
from lts.cluster.transport import Lost, Task
from lts.errors import LtsError

__all__ = ["OnRay", "connect", "connected", "disconnect", "ray"]

_T = TypeVar("_T")

_PATIENCE = 10.0
"""Seconds to wait for a connection to an address, and for processes to end before they are
killed."""

_LOOK = 0.1
"""Seconds between checks whether the caller still waits for an answer."""


def ray(*, private: bool = False) -> Any:
    """Return the package `ray`; if it is missing, raise an error that says how to install it.

    If it is imported for a `private` cluster, that of this process alone, this cluster listens on
    this machine only and asks for a token, which its processes have in their environment; unless
    the user has chosen another mode. Ray reads these variables when it is imported.
    """
    if private and "ray" not in sys.modules:
        # Otherwise an address that other machines can reach replaces `_node_ip_address`. The
        # variable is meant for systems where Ray forms no clusters.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
        if "RAY_AUTH_MODE" not in os.environ:
            os.environ["RAY_AUTH_MODE"] = "token"
            os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    # Read when Ray is imported: send no usage statistics.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Read when Ray starts: free consumed batches soon, and not only once a second.
    os.environ.setdefault("RAY_free_objects_period_milliseconds", "50")
    os.environ.setdefault("RAY_free_objects_batch_size", "16")
    # Its handler would print a traceback on SIGTERM, and set an alarm.
    os.environ.setdefault("RAY_DISABLE_FAILURE_SIGNAL_HANDLER", "1")
    return optional("ray", "a cluster needs")


@contextmanager
def connected(address: str | None) -> Iterator[int]:
    """Connect to a cluster, as `connect` does, for the duration of a `with` block."""
    try:
        yield connect(address)
    finally:
        disconnect()


def connect(address: str | None) -> int:
    """Connect to a cluster, or start one on this machine, until `disconnect` is called or this
    process ends. Return its number of processors.

    Raises `LtsError` if there is no cluster at the address.
    """
    global _connection
    engine = ray(private=address is None)
    try:
        if address is not None:
            _reach(address)
        if not engine.is_initialized():
            disconnect()
            _connection = _Connection(engine, address)
            _connection.start()
            _connection.begun.result()
    except (OSError, ValueError, RuntimeError) as error:
        what = (
            "Ray cannot be started"
            if address is None
            else f"no Ray cluster was found at `{address}`"
        )
        raise LtsError(f"{what}: {_first_line(error)}") from None
    return max(1, int(_aside(lambda _: engine.cluster_resources()).get("CPU", 1)))


def disconnect() -> None:
    """Disconnect from the cluster of `connect`; a cluster that it started ends, with its
    processes."""
    global _connection
    if _connection is not None:
        _connection.left.set()
        _wait_for(_connection)
        _connection = None


class _Connection(Thread):
    """The thread that connects to a cluster and disconnects.

    It lives as long as the connection, since the system ends Ray's processes when the thread that
    started them ends.
    """

    def __init__(self, engine: Any, address: str | None) -> None:
        super().__init__(daemon=True)
        self._ray, self._address = engine, address
        self.begun: Future[None] = Future()
        self.left = Event()

    def run(self) -> None:
        """Connect, and disconnect on request."""
        # Ray depends on psutil.
        import psutil

        before = set(psutil.Process().children())
        quiet = {"logging_level": "error", "log_to_driver": False}
        cluster: AbstractContextManager[dict[str, Any]] = nullcontext({})
        if self._address is None:
            cluster = _private_cluster()
        with cluster as local:
            try:
                self._ray.init(address=self._address or "local", **local, **quiet)
                if local:
                    self._refuse_others()
            except BaseException as error:
                self.begun.set_exception(error)
            else:
                self.begun.set_result(None)
                self.left.wait()
            own = set(psutil.Process().children()) - before if local else set()
            there = [one for parent in own for one in (parent, *parent.children(recursive=True))]
            self._ray.shutdown()
            _, still = psutil.wait_procs(there, timeout=_PATIENCE)
            for process in still:
                process.kill()

    def _refuse_others(self) -> None:
        """Raise `RuntimeError` if a cluster started here could be reached from other machines."""
        address = self._ray.get_runtime_context().gcs_address
        if not address.startswith(f"{_LOOPBACK}:"):
            message = f"it listens at {address}, for other machines, too: import ray later"
            raise RuntimeError(message)


@contextmanager
def _private_cluster() -> Iterator[dict[str, Any]]:
    """Yield the arguments with which Ray starts a cluster for this process alone.

    It listens on this machine only. The files of its session are in a folder that is removed at the
    end and that nobody else can enter: Ray itself makes its folders accessible to all.
    """
    base = tempfile.gettempdir()
    base = "/tmp" if len(base) > _LONGEST_BASE and os.path.isdir("/tmp") else base
    with tempfile.TemporaryDirectory(prefix="lts-", dir=base, ignore_cleanup_errors=True) as folder:
        yield {
            "include_dashboard": False,
            "_node_ip_address": _LOOPBACK,
            "_temp_dir": os.path.join(folder, "ray"),
        }


_LOOPBACK = "127.0.0.1"
_LONGEST_BASE = 16
"""Most characters of the folder of temporary files, which the paths of Ray's sockets begin with."""


_connection: _Connection | None = None


def _aside(work: Callable[[Event], _T]) -> _T:
    """Return the result of `work`, run in another thread. The event it gets is set once the caller
    no longer waits for it. The thread has ended when this function returns or raises."""
    result: Future[_T] = Future()
    left = Event()

    def run() -> None:
        try:
            result.set_result(work(left))
        except BaseException as error:
            result.set_exception(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        return result.result()
    finally:
        left.set()
        _wait_for(thread)


def _wait_for(thread: Thread) -> None:
    """Wait until a thread has ended, deferring exceptions raised by signals until then."""
    raised = None
    while thread.is_alive():
        try:
            thread.join()
        except BaseException as error:
            raised = error
    if raised is not None:
        raise raised


def _reach(address: str) -> None:
    """Raise `OSError` if nothing listens at an address; Ray itself would wait much longer."""
    host, _, port = address.rpartition(":")
    if port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()


class _Actor:
    """The actor of Ray that holds a worker."""

    def begin(self, job: Task, index: int, length: int, start: int) -> str:
        """Create the worker; return its version. A method and not the constructor, so that Ray
        reports its exceptions unchanged."""
        keep_little()
        self.worker = job.worker(index, length, start)
        return version("ltstool")

    def step(self, method: str, arguments: tuple[Any, ...], *inbox: bytes) -> Any:
        """Perform a superstep; return its result and the batches."""
        found, outbox = getattr(self.worker, method)(list(inbox), *arguments)
        return found if outbox is None else (found, *outbox)

    def call(self, method: str, arguments: tuple[Any, ...]) -> Any:
        """Call the worker."""
        return getattr(self.worker, method)(*arguments)


class OnRay:
    """Workers as actors, spread over the available nodes."""

    steps = None
    bound = None

    def __init__(self, job: Task) -> None:
        self._ray = ray()
        self._job = _aside(lambda _: self._ray.put(job))
        self._partitions, self._silent = job.partitions, job.silent
        self._actors: list[Any] = []
        self._batches: list[list[Any]] = []

    def begin(self, lengths: Sequence[int], start: int) -> None:
        """Start new actors, ending the existing ones."""
        _aside(lambda left: self._begin(lengths, start, left))

    def _begin(self, lengths: Sequence[int], start: int, left: Event) -> None:
        self._end()
        processors = self._ray.cluster_resources().get("CPU", 1.0)
        # Request a share of a processor each, so that all actors can run at once even if they
        # outnumber the processors.
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
        for theirs in self._get(versions, left):
            if theirs != own:
                raise LtsError(f"a worker has version {theirs} of ltstool instead of {own}")

    def step(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Perform a superstep."""
        return _aside(lambda left: self._step(method, arguments, left))

    def _step(self, method: str, arguments: Sequence[tuple[Any, ...]], left: Event) -> list[Any]:
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
        return self._get(answers, left)

    def call(self, which: int, method: str, *arguments: Any) -> Any:
        """Call one worker."""
        actors = self._actors[which : which + 1]
        (answer,) = _aside(lambda left: self._call(actors, method, arguments, left))
        return answer

    def call_all(self, method: str, *arguments: Any) -> list[Any]:
        """Call all workers with the same arguments."""
        return _aside(lambda left: self._call(self._actors, method, arguments, left))

    def _call(
        self, actors: list[Any], method: str, arguments: tuple[Any, ...], left: Event
    ) -> list[Any]:
        return self._get([actor.call.remote(method, arguments) for actor in actors], left)

    def stop(self) -> None:
        """End the actors, even if they are busy."""
        _aside(lambda _: self._end())

    def _end(self) -> None:
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors, self._batches = [], []

    def _get(self, answers: list[Any], left: Event) -> list[Any]:
        errors = self._ray.exceptions
        while True:
            try:
                found: list[Any] = self._ray.get(answers, timeout=_LOOK)
            except errors.GetTimeoutError:
                if left.is_set():
                    raise Lost("nobody waits for it") from None
            except errors.RayTaskError as error:
                cause = error.cause
                # Raised by a worker that waits for a batch of a lost worker.
                if isinstance(cause, errors.RayError):
                    raise Lost(_first_line(cause)) from None
                raise cause from None
            except (errors.RayActorError, errors.ObjectLostError, errors.NodeDiedError) as error:
                raise Lost(_first_line(error)) from None
            else:
                return found


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]
