"""The processes that examine texts, each with a limit of time and memory.

The jobs of one text are done one after the other. A text that takes long has a process of its own,
so others are answered meanwhile.
"""

from __future__ import annotations

import asyncio
import pickle
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import defaultdict
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from lts.base.bounds import EXAMINED_MEMORY, EXAMINED_TIME
from ltstool.editor.answers import ShownText
from ltstool.editor.worker import COMMAND, packed

__all__ = ["Outdated", "Stopped", "Workers"]

_MOST = 4
"""Most processes at a time."""
_PATIENCE = 1.0
"""Seconds that a job may go on after its text has changed; mostly less than a process's start."""
_LIMIT = 3
"""The exit code of a process that exceeds a limit."""


class Stopped(Exception):
    """A text was not examined to the end; the message says why."""


class Outdated(Exception):
    """The text has changed since."""


@dataclass(eq=False)
class _Job:
    """The job of a text that is being done."""

    process: Process
    begin: float
    version: int
    is_outdated: bool = False


@dataclass(eq=False)
class _State:
    """What is known of a text."""

    version: int = 0
    """How many times it has changed."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    job: _Job | None = None
    stopped: str = ""
    """Why this version was not examined to the end."""


class Workers:
    """Processes that examine texts."""

    def __init__(self) -> None:
        self._texts: dict[str, _State] = defaultdict(_State)
        self._free: list[Process] = []
        self._slots = asyncio.Semaphore(_MOST)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._starting = 0
        self._is_over = False

    def end(self) -> None:
        """Start no more processes, and wait, in another thread than the event loop's, for those
        that are being started: asyncio waits for ever if it is cancelled while it starts one."""
        self._is_over = True
        while self._starting:
            time.sleep(0.005)

    def warm(self) -> None:
        """Start a process for the first job."""
        self._run(self._warm())

    def changed(self, uri: str) -> None:
        """Note that a text has changed: jobs about it are outdated, and stop soon."""
        state = self._texts[uri]
        state.version += 1
        state.stopped = ""
        if state.job is not None:
            self._run(self._outdate(state, state.job))

    def closed(self, uri: str) -> None:
        """Forget a text."""
        self.changed(uri)
        del self._texts[uri]

    def retry(self) -> None:
        """Note that files may have changed: try again what was stopped."""
        for state in self._texts.values():
            state.stopped = ""

    async def answer(self, name: str, text: ShownText, *arguments: object) -> Any:
        """Return an answer of `ltstool.editor.answers`.

        Raises `Stopped` if a limit is exceeded, `Outdated` if the text changes before, and the
        error of the answer. A process works on if the caller is cancelled.
        """
        state = self._texts[text.uri]
        task = self._run(self._answer(state, state.version, packed((name, (text, *arguments)))))
        return await asyncio.shield(task)

    def _run(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # its caller may be gone

    async def _warm(self) -> None:
        async with self._slots:
            self._leave(await self._started())

    async def _answer(self, state: _State, version: int, job: bytes) -> Any:
        async with state.lock, self._slots:
            for attempt in (1, 2):
                if state.stopped:
                    raise Stopped(state.stopped)
                if state.version != version:
                    raise Outdated
                process = self._free.pop() if self._free else await self._started()
                if state.version != version:  # it has changed while the process started
                    self._leave(process)
                    raise Outdated
                state.job = _Job(process, asyncio.get_running_loop().time(), version)
                try:
                    is_good, result = await self._result(process, job)
                except TimeoutError:
                    await self._end(process)
                    state.stopped = f"after {EXAMINED_TIME.amount()}"
                except (OSError, EOFError):
                    # It has ended; to kill it could lose its exit code.
                    code = await process.wait()
                    if state.job.is_outdated:
                        raise Outdated from None
                    if code == _LIMIT:
                        state.stopped = f"at {EXAMINED_MEMORY.amount()} of memory"
                    elif attempt == 2:
                        state.stopped = f"twice: its process ended with code {code}"
                else:
                    self._leave(process)
                    if not is_good:
                        raise result
                    return result
                finally:
                    state.job = None
        raise Stopped(state.stopped)

    async def _started(self) -> Process:
        """Start a process, and wait until it is ready."""
        words = map(str, (EXAMINED_TIME.default, EXAMINED_MEMORY.default))
        self._starting += 1
        try:
            if self._is_over:
                raise Stopped("as the server ends")
            process = await asyncio.create_subprocess_exec(
                *COMMAND, *words, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
            )
        except OSError as error:
            raise Stopped(f"as no process can be started: {error.strerror}") from None
        finally:
            self._starting -= 1
        with suppress(EOFError):  # found by its first job
            await _read(process)
        return process

    async def _result(self, process: Process, job: bytes) -> Any:
        assert process.stdin is not None
        process.stdin.write(job)
        async with asyncio.timeout(EXAMINED_TIME.default):
            await process.stdin.drain()
            return await _read(process)

    def _leave(self, process: Process) -> None:
        """Leave a process for the next job, unless another one is free."""
        if self._free:
            assert process.stdin is not None
            process.stdin.close()
            self._run(process.wait())
        else:
            self._free.append(process)

    async def _end(self, process: Process) -> int:
        """Kill a process, and return its exit code, which is its own if it had ended."""
        with suppress(ProcessLookupError):
            process.kill()
        return await process.wait()

    async def _outdate(self, state: _State, job: _Job) -> None:
        """Kill the process of an outdated job, unless it is done soon."""
        await asyncio.sleep(job.begin + _PATIENCE - asyncio.get_running_loop().time())
        if state.job is job:
            job.is_outdated = True
            await self._end(job.process)


async def _read(process: Process) -> Any:
    assert process.stdout is not None
    head = await process.stdout.readexactly(8)
    return pickle.loads(await process.stdout.readexactly(int.from_bytes(head, "little")))
