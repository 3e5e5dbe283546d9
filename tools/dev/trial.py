"""The trial of one mutant at a time in a copy of the checkout: which tests detect it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from changes import Change, statement_lines
from switched import CHOICE, VARIABLE, RustChange, switched
from wheel import copy_tracked

__all__ = ["BY_CHECK", "BY_TEST", "BY_TYPES", "SURVIVED", "Copy", "Outcome", "Unchanged", "copied"]

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 6 << 30
MOST = 60
"""Total seconds of tests, with few random examples, to run for one mutant: of those that `make
test` runs, and of all."""
MOST_OF_ROOM = 300
"""The same for a mutant of the engine, in tests that `make test` runs: which reach it is not
known."""
ONE = 30
"""Longest test in seconds; slower ones are left out."""
PYTEST = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
OUTPUT = "output-of-trial.txt"
TYPES = [sys.executable, "-m", "mypy"]
# With an engine that is not optimised at all, the Python tests are too slow.
OPTIMISED = ["--config", "profile.dev.opt-level=1"]
CARGO = ["cargo", "--config", "profile.dev.debug=false"]
FEW_EXAMPLES = {"PROPTEST_CASES": "32"}
"""What `make test` sets for the engine's random tests."""

BY_TEST = "killed by make test"
BY_CHECK = "killed by make check only"
BY_TYPES = "killed by mypy only"
SURVIVED = "survived"
NO_BUILD = "does not build"


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant, and the first test that failed, if tests failed."""

    kind: str
    test: str = ""

    def __str__(self) -> str:
        return f"{self.kind} ({self.test})" if self.test else self.kind


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
        "CI": "true",  # the same random examples every time, also of the engine's tests
        "PROPTEST_RNG_SEED": "1",
    }


Choice = Mapping[str, str] | None
"""The variable of the environment that chooses a mutant of the engine."""


class Copy:
    """A copy of the checkout with one mutated Python file at a time, and an engine with many
    mutants, of which at most one runs."""

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
        self.in_make_test: set[str] = set()
        self.built: dict[Change, int | None] = {}
        """The numbers of the mutants in the engine; None for those that do not compile."""
        self.tests_of_engine = ""
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
            few = ["-p", "reached", "--maxfail=0", "--hypothesis-profile=few"]
            if self.run([sys.executable, *PYTEST, *few, *tests], self.folder, 7200) not in (0, 1):
                raise Unchanged(f"{' '.join(tests)}: the tests do not run, or time was up")
        found = json.loads(told.read_text(encoding="utf-8"))
        if found["failed"]:
            raise Unchanged(f"{' '.join(found['failed'])}: fail without a change")
        self.lines, self.seconds = found["lines"], found["seconds"]
        self.in_make_test = set(found["in_make_test"])

    def quick(self, tests: Iterable[str], most: float = MOST) -> list[str]:
        """Return the fastest of some tests, fastest first, up to a total time."""
        found: list[str] = []
        left = most
        for test in sorted(tests, key=lambda test: (self.seconds[test], test)):
            left -= self.seconds[test]
            if self.seconds[test] > ONE or left < 0:
                break
            found.append(test)
        return found

    def run(
        self, command: list[str], where: Path, seconds: float, more: Mapping[str, str] | None = None
    ) -> int:
        """Run a command for at most this number of seconds, more on a busy machine; return its exit
        code. Its output goes to a file."""

        def limited() -> None:
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))

        with (self.folder / OUTPUT).open("wb") as output:
            running = subprocess.Popen(
                command, cwd=where, env={**self.environment, **(more or {})}, preexec_fn=limited,
                start_new_session=True, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            )  # fmt: skip
        try:
            return running.wait(min(seconds * slowness(), max(self.until - time.monotonic(), 0)))
        except subprocess.TimeoutExpired:
            return -signal.SIGKILL
        finally:
            # Also kills its child processes.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()

    def failing(
        self, command: list[str], where: Path, seconds: float, more: Mapping[str, str] | None = None
    ) -> str | None:
        """Run tests; return the first that fails, or how the run ended without naming a test;
        None if all pass."""
        code = self.run(command, where, seconds, more)
        if code == 0:
            return None
        output = (self.folder / OUTPUT).read_text(encoding="utf-8", errors="replace")
        if test := failed_test(output):
            return test
        return "took too long" if code == -signal.SIGKILL else f"exit code {code}"

    def outcome(self, room: str, change: Change) -> Outcome:
        """Return the outcome of a mutant; `late` if time was up before it was known."""
        if isinstance(change, RustChange):
            found = self.of_rust(room, change)
        else:
            file = self.folder / change.file
            source = file.read_bytes()
            file.write_bytes(change.applied(source))
            try:
                found = self.of_python(room, change, source)
            finally:
                file.write_bytes(source)
        return found if time.monotonic() < self.until else Outcome("late")

    def of_python(self, room: str, change: Change, source: bytes) -> Outcome:
        """Run the tests that execute the line, or all tests of the package if none does: first as
        `make test` does, then as `make check` does, which also checks types."""
        reached = self.lines.get(change.file, {})
        lines = statement_lines(source, change.line(source))
        tests = {test for line in lines for test in reached.get(str(line), [])}
        tests = tests or self.of_room(room)
        if test := self.fails_in_make_test(tests):
            return Outcome(BY_TEST, test)
        if self.run(TYPES, self.folder, 600):
            return Outcome(BY_TYPES)
        test = self.fails_in_make_check(tests)
        return Outcome(BY_CHECK, test) if test else Outcome(SURVIVED)

    def fails_in_make_test(
        self, tests: set[str], more: Choice = None, most: float = MOST
    ) -> str | None:
        """Return a test of these that fails in `make test`, if there is one."""
        fast = self.quick(tests & self.in_make_test, most)
        return self.failing_python("few", fast, more, "-m", "not slow")

    def fails_in_make_check(self, tests: set[str], more: Choice = None) -> str | None:
        """Return a test of these that fails in `make check`, if there is one."""
        return self.failing_python("ci", self.quick(tests), more)

    def failing_python(
        self, profile: str, tests: list[str], more: Choice, *options: str
    ) -> str | None:
        """Return the first Python test that fails, if there is one."""
        if not tests:
            return None
        command = [
            sys.executable, *PYTEST, "-o", f"faulthandler_timeout={4 * ONE * slowness():.0f}",
            f"--hypothesis-profile={profile}", *options, *tests,
        ]  # fmt: skip
        total = sum(self.seconds[test] for test in tests)
        return self.failing(command, self.folder, 60 + 8 * total, more)

    def of_room(self, room: str) -> set[str]:
        """Return all tests of a package."""
        own = tuple(f"{tests}{mark}" for tests in self.tests[room] for mark in "/:")
        return {test for test in self.seconds if test.startswith(own)}

    def of_rust(self, room: str, change: RustChange) -> Outcome:
        """Run the engine's tests of the module and then the Python tests, as `make test` does, and
        then both as `make check` does."""
        number = self.built[change]
        if number is None:
            return Outcome(NO_BUILD)
        chosen = {VARIABLE: str(number)}
        command = [self.tests_of_engine, f"{module(room)}::"]
        engine = self.folder / "engine"
        # These take some seconds.
        if test := self.failing(command, engine, 120, FEW_EXAMPLES | chosen):
            return Outcome(BY_TEST, test)
        if test := self.fails_in_make_test(self.of_room(room), chosen, MOST_OF_ROOM):
            return Outcome(BY_TEST, test)
        test = self.failing(command, engine, 300, chosen)
        test = test or self.fails_in_make_check(self.of_room(room), chosen)
        return Outcome(BY_CHECK, test) if test else Outcome(SURVIVED)

    def build(self, changes: Sequence[RustChange]) -> None:
        """Build the engine and its tests with all these mutants, but those that do not fit."""
        numbered = dict(enumerate(changes, start=1))
        sources = {change.file: (ROOT / change.file).read_bytes() for change in changes}
        root = self.folder / "engine" / "src" / "lib.rs"
        root.write_bytes((ROOT / "engine" / "src" / "lib.rs").read_bytes() + CHOICE)
        while True:
            files = {}
            for file, source in sources.items():
                own = {n: change for n, change in numbered.items() if change.file == file}
                files[file] = switched(source, own)
                (self.folder / file).write_bytes(files[file].source)
            errors = list(self.compiled(["check", "--lib", "--tests", "--all-features"], "error"))
            if not errors:
                break
            wrong = {n for file, at in errors if file in files for n in files[file].wrong(at)}
            if not wrong:
                raise Unchanged(f"the engine does not build: {errors[0]}")
            numbered = {n: change for n, change in numbered.items() if n not in wrong}
        self.built |= dict.fromkeys(changes) | {change: n for n, change in numbered.items()}
        [self.tests_of_engine] = self.compiled(["test", "--lib", "--no-run"], "executable")
        list(self.compiled([*OPTIMISED, "build", "--lib", "--features", "python"], "error"))
        for file in (self.folder / "lts").glob("_engine*.so"):
            shutil.copy2(self.folder / "engine" / "target" / "debug" / "lib_engine.so", file)

    def compiled(self, words: Sequence[str], kind: str) -> Iterator[Any]:
        """Run cargo; yield the places of errors, each a file and an index, or the executables."""
        command = [*CARGO, *words, "--locked", "--quiet", "--message-format", "json"]
        engine = self.folder / "engine"
        output = subprocess.run(
            command, cwd=engine, env=self.environment, stdout=subprocess.PIPE, check=False
        ).stdout
        for line in output.splitlines():
            found = json.loads(line)
            if kind == "executable" and found.get("executable"):
                yield found["executable"]
            message = found.get("message")
            if kind == "error" and isinstance(message, dict) and message["level"] == "error":
                for span in message["spans"]:
                    if span["is_primary"]:
                        yield f"engine/{span['file_name']}", span["byte_start"]


_FAILED = re.compile(
    r"^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?= - |$)|^test (\S+) \.\.\. FAILED$", re.MULTILINE
)


def failed_test(output: str) -> str | None:
    """Return the first test that failed, from the output of pytest or cargo."""
    found = _FAILED.search(output)
    return found and (found[1] or found[2])


def slowness() -> float:
    """Return how much longer everything takes now, since other processes run as well."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def module(room: str) -> str:
    """Return the engine module of a package."""
    return room.rpartition("/")[2]
