"""The trial of one mutant at a time in a copy of the checkout: whether a test detects it."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from changes import Change, statement_lines
from wheel import copy_tracked

__all__ = ["Copy", "Unchanged", "copied"]

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 6 << 30
MOST = 60
"""Total seconds of tests, with few random examples, to run for one mutant."""
ONE = 30
"""Longest test in seconds; slower ones are left out."""
PYTEST = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
TYPES = [sys.executable, "-m", "mypy"]
LIMITED = [*PYTEST, "-o", f"faulthandler_timeout={4 * ONE}"]
# With an engine that is not optimised at all, the Python tests are too slow.
OPTIMISED = ["--config", "profile.dev.opt-level=1"]
CARGO = ["cargo", "--config", "profile.dev.debug=false"]


class Unchanged(SystemExit):
    """The unchanged copy does not pass its own tests, or does not build."""


def copied(folder: Path) -> dict[str, str]:
    """Copy the checkout with its engine; return an environment in which the copy takes
    precedence."""
    copy_tracked(folder)
    for file in (ROOT / "lts").glob("_engine*.so"):
        shutil.copy2(file, folder / "lts")
    return {
        **os.environ,
        # The editable install points to the checkout; these paths precede it.
        "PYTHONPATH": os.pathsep.join(str(folder / inner) for inner in ("", "tools", "tools/dev")),
        "PYTHONDONTWRITEBYTECODE": "1",
        "CARGO_TARGET_DIR": str(folder / "engine" / "target"),
        "CI": "true",  # the same random examples every time
    }


class Copy:
    """A copy of the checkout with one mutated file at a time."""

    def __init__(
        self,
        folder: Path,
        tests: Mapping[str, Sequence[str]],
        until: float,
        learned: Path | None = None,
    ) -> None:
        self.folder = folder
        self.tests = tests
        self.until = until
        self.environment = copied(folder)
        self.lines: dict[str, dict[str, list[str]]] = {}
        self.seconds: dict[str, float] = {}
        rust = [room for room in tests if room.startswith("engine")]
        self.learn(learned or folder / "reached.json")
        if len(rust) < len(tests) and self.run(TYPES, folder, 600):
            raise Unchanged("types do not fit without any change, or time was up")
        if rust:
            modules = [f"{module(room)}::" for room in rust]
            if self.run(
                [*CARGO, "test", "--locked", "--lib", *("--", *modules)], folder / "engine", 3600
            ):
                raise Unchanged("the engine's tests fail without any change, or time was up")

    def learn(self, told: Path) -> None:
        """Measure which tests execute which lines of packages, and how long they take."""
        if not told.exists():
            self.environment["REACHED"] = str(told.resolve())
            self.environment["REACHED_SOURCE"] = "\n".join(str(self.folder / r) for r in self.tests)
            tests = sorted({test for own in self.tests.values() for test in own})
            command = [sys.executable, *PYTEST, "-p", "reached", "--hypothesis-profile=few", *tests]
            if self.run(command, self.folder, 7200):
                raise Unchanged(f"{' '.join(tests)}: tests fail without a change, or time was up")
        found = json.loads(told.read_text(encoding="utf-8"))
        self.lines, self.seconds = found["lines"], found["seconds"]

    def quick(self, tests: Iterable[str]) -> list[str]:
        """Return the fastest of some tests, fastest first, up to a total time."""
        found: list[str] = []
        left = float(MOST)
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            left -= self.seconds[test]
            if self.seconds[test] > ONE or left < 0:
                break
            found.append(test)
        return found

    def run(self, command: list[str], where: Path, seconds: float) -> int:
        """Run a command silently for at most this number of seconds; return its exit code."""

        def limited() -> None:
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))

        running = subprocess.Popen(
            command, cwd=where, env=self.environment, preexec_fn=limited, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            return running.wait(min(seconds, max(self.until - time.monotonic(), 0)))
        except subprocess.TimeoutExpired:
            return -signal.SIGKILL
        finally:
            # Also kills its child processes.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()

    def outcome(self, room: str, change: Change) -> str:
        """Return the outcome of a mutant; `late` if time was up before it was known."""
        file = self.folder / change.file
        source = file.read_bytes()
        file.write_bytes(change.applied(source))
        try:
            found = (self.of_rust if room.startswith("engine") else self.of_python)(
                room, change, source
            )
        finally:
            file.write_bytes(source)
        return found if time.monotonic() < self.until else "late"

    def of_python(self, room: str, change: Change, source: bytes) -> str:
        """Run the tests that execute the line, or all tests of the package if none does; then check
        types."""
        reached = self.lines.get(change.file, {})
        lines = statement_lines(source, change.line(source))
        tests = {test for line in lines for test in reached.get(str(line), [])}
        ordered = self.quick(tests or self.of_room(room))
        for profile in ("few", "ci"):
            command = [sys.executable, *LIMITED, f"--hypothesis-profile={profile}", *ordered]
            if self.run(command, self.folder, 60 + 8 * MOST):
                return "killed"
        return "killed" if self.run(TYPES, self.folder, 600) else "survived"

    def of_room(self, room: str) -> list[str]:
        """Return all tests of a package."""
        own = tuple(f"{test}/" for test in self.tests[room])
        return [test for test in self.seconds if test.startswith(own)]

    def of_rust(self, room: str, change: Change, source: bytes) -> str:
        """Run the engine's tests of the module, then the Python tests."""
        engine = self.folder / "engine"
        if self.run([*CARGO, "test", "--locked", "--lib", "--no-run"], engine, 600):
            return "does not build"
        command = [*CARGO, "test", "--locked", "--lib", f"{module(room)}::"]
        # These take some seconds.
        if self.run(command, engine, 120):
            return "killed"
        features = ["--locked", "--lib", "--features", "python"]
        if self.run([*CARGO, *OPTIMISED, "build", *features], engine, 1200):
            return "does not build"
        for file in (self.folder / "lts").glob("_engine*.so"):
            shutil.copy2(engine / "target" / "debug" / "lib_engine.so", file)
        command = [sys.executable, *LIMITED, "--hypothesis-profile=few"]
        command += self.quick(self.of_room(room))
        return "killed" if self.run(command, self.folder, 60 + 8 * MOST) else "survived"


def module(room: str) -> str:
    """Return the engine module of a package."""
    return room.rpartition("/")[2]
