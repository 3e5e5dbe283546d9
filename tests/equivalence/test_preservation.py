"""docs/relations.md is so: what it says is preserved is, and else a pair shows that it is not."""

import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from lts import LTS
from lts.equivalence import COMPARED, EQUIVALENCES, PREORDERS, compare, minimise, refines
from naive import contexts, steps
from randoms import pairs

PAGE = (Path(__file__).parents[2] / "docs" / "relations.md").read_text(encoding="utf-8")
LINES = re.findall(
    r"^\| `(\S+)` \| (.*) \|$",
    PAGE.partition("(relations)=\n")[2].partition("\n## Formulas")[0],
    re.MULTILINE,
)
COLUMNS = re.search(r"^\| relation \| (no deadlock.*) \|$", PAGE, re.MULTILINE)[1].split(" | ")
TABLE = {name: dict(zip(COLUMNS, cells.split(" | "), strict=True)) for name, cells in LINES}
KINDS = [(name, compare) for name in COMPARED if name != "isomorphism"]
KINDS += [(name, refines) for name in PREORDERS]


def lts(*rows):
    return LTS.from_transitions(rows)


X = ((0, "x", 1), (0, "x", 2), (2, "a", 6))
CHOICES = ((3, "c", 6), (4, "d", 6), (5, "c", 6), (5, "d", 6))
SHOWN = [
    # After b, B does b and then a, where A could do an a instead of the second b; so could priority
    # of a see it. A refuses the same, in two states.
    (
        lts((0, "b", 1), (1, "a", 4), (1, "b", 2), (2, "a", 3), (0, "b", 5), (5, "b", 6)),
        lts((0, "b", 1), (1, "b", 2), (2, "a", 3)),
    ),
    # After x, both offer b alone or with an a, and have the same traces then. Where a blocks b, the
    # states remain in which A offers c or d after b, and B both.
    (
        lts(*X, (1, "b", 3), (1, "b", 4), (2, "b", 5), *CHOICES),
        lts(*X, (1, "b", 5), (2, "b", 3), (2, "b", 4), *CHOICES),
    ),
]
"""Pairs that are too large to be met by chance."""


@cache
def cases():
    """Return pairs of systems, often related, and a third system for each."""
    source = random.Random(41)
    third = pairs(source, 10_000, most=3)
    found = [*SHOWN]
    for left, right in pairs(source, 700):
        found += [(left, right), (left, minimise(left, source.choice([*EQUIVALENCES])))]
        found.append((minimise(left, source.choice([*EQUIVALENCES])), left))
    together = [frozenset("a"), frozenset("b"), frozenset("ab")]
    return [(*both, next(third)[0], source.choice(together)) for both in found]


def reachable(system):
    step, found, waiting = steps.steps_of(system), {system.initial}, [system.initial]
    while waiting:
        new = {t for _, t in step[waiting.pop()]} - found
        found |= new
        waiting += new
    return found


@cache
def has(what, system):
    """Whether a system has a property, by what it is."""
    step = steps.steps_of(system)
    if what == "no deadlock":
        return all(step[s] for s in reachable(system))
    reach = steps.silent(step)
    cycle = {s for s, of in enumerate(step) if any(a == "tau" and s in reach[t] for a, t in of)}
    return not cycle & reachable(system)


def is_preserved(what, ask, name, case):
    """Whether something follows for two related systems."""
    left, right, other, together = case
    is_preorder = ask is refines
    match what:
        case "no deadlock" | "no livelock":
            of_left, of_right = has(what, left), has(what, right)
            return (of_right or not of_left) if is_preorder else of_left == of_right
        case "visible traces" | "traces":
            relation = "trace" if what == "traces" else "weak-trace"
            return refines(left, right, relation).holds and (
                is_preorder or refines(right, left, relation).holds
            )
        case "composition":
            both = [contexts.composed(one, other, together) for one in (left, right)]
        case "hiding":
            both = [contexts.hidden(one, "a") for one in (left, right)]
        case "priority":
            both = [contexts.prioritised(one, "a", "b") for one in (left, right)]
        case "choice":
            both = [contexts.chosen(one, other) for one in (left, right)]
    return ask(*both, name).holds


def test_the_table_has_every_relation():
    assert [*TABLE] == [*dict.fromkeys(TABLE)]
    assert {*TABLE} == {*COMPARED, *PREORDERS} - {"isomorphism"}
    assert len(COLUMNS) == 8


@pytest.mark.parametrize(("name", "ask"), KINDS)
def test_documented_preservation_matches_definition(name, ask):
    related = [case for case in cases() if ask(*case[:2], name).holds]
    reported = Counter(case[0] != case[1] for case in related)
    assert reported[True] >= 200, reported
    for what, said in TABLE[name].items():
        kept = (is_preserved(what, ask, name, case) for case in related)
        assert all(kept) == (said == "yes"), f"{name}: {what}"
