"""A plugin of pytest: which tests run which lines, and how long each takes.

`REACHED` names a file for the answer, `REACHED_SOURCE` the folders that are asked about.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

measured = coverage.Coverage(
    data_file=None, config_file=False, source=os.environ["REACHED_SOURCE"].splitlines()
)
# Rooms of the engine have no lines of Python.
measured.set_option("run:disable_warnings", ["no-data-collected"])
seconds: dict[str, float] = defaultdict(float)


def test_of(nodeid: str) -> str:
    """Return a test without its parameters."""
    return nodeid.partition("[")[0]


def pytest_configure() -> None:
    """Begin before anything that is asked about is imported."""
    measured.start()


def seen(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method whose lines are noted in threads that the engine made, too."""

    @functools.wraps(method)
    def call(*arguments: Any) -> Any:
        if sys.gettrace() is None:
            sys.settrace(threading.gettrace())
        return method(*arguments)

    return call


def pytest_collection_finish() -> None:
    """Look at formulas where the engine asks for them, which it does in threads of its own."""
    from lts.logic.instances import Instances
    from lts.logic.paths.instances import Walks

    for asked in (Instances, Walks):
        for name, method in list(vars(asked).items()):
            if callable(method) and not name.startswith("_"):
                setattr(asked, name, seen(method))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what runs as run by this test."""
    measured.switch_context(test_of(item.nodeid))
    yield
    measured.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up how long a test takes."""
    seconds[test_of(report.nodeid)] += report.duration


def pytest_sessionfinish() -> None:
    """Write for every file and line the tests that run it, and the seconds of all tests."""
    measured.stop()
    data = measured.get_data()
    lines = {
        os.path.relpath(file): {
            line: [test for test in tests if test]
            for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    told = json.dumps({"lines": lines, "seconds": seconds})
    Path(os.environ["REACHED"]).write_text(told, encoding="utf-8")
