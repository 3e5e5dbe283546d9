"""A plugin of pytest that records which tests execute which lines, and the CPU time of each.

`REACHED` names the output file, `REACHED_SOURCE` the folders to observe.
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
# Modules of the engine have no Python lines, which is no reason for a warning.
measured.set_option("run:disable_warnings", ["no-data-collected"])
seconds: dict[str, float] = defaultdict(float)
in_make_test: set[str] = set()
failed: set[str] = set()
"""Tests that fail, such as those that count what few random examples do not reach."""


def test_of(nodeid: str) -> str:
    """Return the name of a test without its parameters."""
    return nodeid.partition("[")[0]


def pytest_configure() -> None:
    """Start before any observed module is imported."""
    measured.start()


def seen(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method whose lines are also recorded in threads of the engine."""

    @functools.wraps(method)
    def call(*arguments: Any) -> Any:
        if sys.gettrace() is None:
            sys.settrace(threading.gettrace())
        return method(*arguments)

    return call


def pytest_collection_finish(session: pytest.Session) -> None:
    """Record the tests that `make test` runs, and the methods of formulas that the engine calls in
    its own threads."""
    in_make_test.update(
        test_of(i.nodeid) for i in session.items if not i.get_closest_marker("slow")
    )
    from lts.logic.instances import Instances
    from lts.logic.paths.instances import Walks

    for asked in (Instances, Walks):
        for name, method in list(vars(asked).items()):
            if callable(method) and not name.startswith("_"):
                setattr(asked, name, seen(method))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Attribute executed lines and CPU time, also of the programs that it starts, to this test."""
    test = test_of(item.nodeid)
    measured.switch_context(test)
    before = sum(os.times()[:4])
    yield
    seconds[test] += sum(os.times()[:4]) - before
    measured.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record a failure."""
    if report.failed:
        failed.add(test_of(report.nodeid))


def pytest_sessionfinish() -> None:
    """Write the tests that execute each line of each file, and the CPU times of all tests but those
    that fail."""
    measured.stop()
    data = measured.get_data()
    lines = {
        os.path.relpath(file): {
            line: [test for test in tests if test and test not in failed]
            for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    learned = {
        "lines": lines,
        "seconds": {test: time for test, time in seconds.items() if test not in failed},
        "in_make_test": sorted(in_make_test - failed),
        "failed": sorted(in_make_test & failed),
    }
    Path(os.environ["REACHED"]).write_text(json.dumps(learned), encoding="utf-8")
