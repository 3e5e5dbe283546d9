"""Hypothesis profiles, and the tests that `make test` leaves out.

`--hypothesis-profile=thorough` runs twenty times as many examples. `soak` runs as many as the
variable SOAK says, without examples stored by earlier runs (`make soak`). `few` runs few examples,
the same ones each time: these execute nearly all lines that any others execute.
"""

import os
import signal
from contextlib import ExitStack
from types import CodeType, FunctionType

import pytest
from hypothesis import given, is_hypothesis_test, settings

from left_out import KEPT, OF_MANY_EXAMPLES, SLOW
from lowered import lowered
from lts.linear import invariants

# No deadline, since a slow machine is not an error. CI uses the same examples on every run, so that
# a failure is caused by the change under test, and half as many, so that it is short. Elsewhere the
# examples are new each time, and `make soak` runs more.
settings.register_profile("dev", max_examples=100, deadline=None, print_blob=True)
settings.register_profile(
    "ci", settings.get_profile("dev"), max_examples=50, derandomize=True, database=None
)
settings.register_profile("few", settings.get_profile("ci"), max_examples=10)
settings.register_profile("thorough", settings.get_profile("dev"), max_examples=2000)
settings.register_profile(
    "soak",
    settings.get_profile("dev"),
    max_examples=int(os.environ.get("SOAK", "500")),
    database=None,
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# Check every linear process after each transformation.
invariants.thorough = True

# Some tests interrupt a program that they start. A process started in the background by a shell, or
# by `nohup`, ignores signals, and its children inherit that.
for name in ("SIGINT", "SIGHUP", "SIGTERM", "SIGQUIT"):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        handler = signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
        signal.signal(number, handler)


def pytest_addoption(parser):
    parser.addoption("--cpu-times", metavar="FILE", help="append the CPU seconds of each test")


@pytest.fixture
def lower():
    """A function that lowers a bound until the test ends."""
    with ExitStack() as stack:
        yield lambda bound, default: stack.enter_context(lowered(bound, default))


def pytest_collection_modifyitems(items):
    """Mark the tests that `make test` leaves out as slow, and those with random examples."""
    left_out = {*SLOW, *OF_MANY_EXAMPLES}
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        if name.partition("[")[0] in left_out and name not in KEPT:
            item.add_marker("slow")
        function = getattr(item, "function", None)
        if function and (is_hypothesis_test(function) or gives_examples(function)):
            item.add_marker("random")


def gives_examples(test):
    """Whether a function, or one that it calls by its name, names hypothesis' `given`."""
    functions = [test]
    for function in functions:  # grows
        codes = [function.__code__]
        for code in codes:  # grows
            codes += [each for each in code.co_consts if isinstance(each, CodeType)]
        named = [function.__globals__.get(name) for code in codes for name in code.co_names]
        if any(each is given for each in named):
            return True
        functions += [
            each for each in named if isinstance(each, FunctionType) and each not in functions
        ]
    return False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Measure a test, with the programs that it starts and waits for."""
    file = item.config.getoption("--cpu-times")
    before = os.times()
    result = yield
    if file is not None:
        seconds = sum(os.times()[:4]) - sum(before[:4])
        with open(file, "a", encoding="utf-8") as times:
            times.write(f"{seconds:.2f} {item.nodeid}\n")
    return result


def pytest_terminal_summary(terminalreporter):
    """Say what was left out, and what runs it; what workers leave out is not counted here."""
    if terminalreporter.config.option.markexpr == "not slow":
        count = len({*SLOW, *OF_MANY_EXAMPLES})
        terminalreporter.write_line(
            f"{count} functions of slow tests were left out: `make check` runs them."
        )
