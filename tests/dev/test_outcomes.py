"""What `make outcomes` notes of conditions."""

import importlib
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools" / "dev"


@pytest.fixture
def outcomes(monkeypatch):
    """The module, as what is rewritten imports it."""
    monkeypatch.syspath_prepend(str(TOOLS))
    monkeypatch.delitem(sys.modules, "outcomes", raising=False)
    return importlib.import_module("outcomes")


def left(outcomes, source, *calls):
    """Return what no call of `f` has shown, and what they returned."""
    sites, names = [], {}
    exec(outcomes.noting("a.py", source, sites), names)
    outcomes.VALUES_SEEN.clear()
    results = [names["f"](*call) for call in calls]
    return {
        f"{site.text}: {site.wanted}"
        for number, site in enumerate(sites)
        if (number, site.wanted) not in outcomes.VALUES_SEEN
    }, results


@pytest.mark.parametrize(
    ("source", "calls", "missing", "results"),
    [
        ("def f(a, b): return a and b", [(1, 2), (0, 3)], {"b: false"}, [2, 0]),
        ("def f(a, b): return a or b", [(0, 2), (1, 3)], set(), [2, 1]),
        ("def f(a): return a < 3", [(2,), (4,)], {"a < 3: equal"}, [True, False]),
        ("def f(a): return a < 3", [(3,)], set(), [False]),
        ("def f(a): return 1 if a else 2", [(0,)], {"a: true"}, [2]),
        ("def f(*a): return any(x for x in a)", [(0, 0)], {"any((x for x in a)): different"}, [0]),
        ("def f(*a): return all(1 / x for x in a)", [(1,), ()], set(), [True, True]),
        ("def f(*a): return sorted(a)", [(1, 2)], {"sorted(a): different"}, [[1, 2]]),
        ("def f(*a): return min(a)", [(2, 1)], set(), [1]),
        ("def f(*a):\n for x in a: return x", [()], {"a: true"}, [None]),
        ("def f(a): return [x for x in a if x]", [([1],)], {"x: false"}, [[1]]),
        ("def f(a):\n assert a or not a\n if a: raise ValueError(a and 1)", [(0,)], {"a: true"},
         [None]),
    ],
)  # fmt: skip
def test_missing_condition_outcomes_are_reported(outcomes, source, calls, missing, results):
    found = left(outcomes, source, *calls)
    assert found == (missing, results)


def test_instrumentation_preserves_short_circuiting(outcomes):
    source = "def f(a): return any(1 // x for x in a)"
    assert left(outcomes, source, ([1, 0],)) == ({"any((1 // x for x in a)): different"}, [True])


def test_instrumentation_follows_future_imports(outcomes):
    text = '"""Words."""\n\nfrom __future__ import annotations\n\nx = 1 < 2\n'
    assert outcomes.noting("a.py", text, []).splitlines()[2:4] == [
        "import outcomes", "x = outcomes.compared(0, 'lt', 1, 2)",
    ]  # fmt: skip
