"""Equivalences and preorders by name: one table for minimisation, comparison and the command
line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from lts.base.spelling import near
from lts.errors import LtsError
from lts.expected import expect_text

__all__ = [
    "COMPARED",
    "EQUIVALENCES",
    "INTERNAL_COUNTS",
    "ISOMORPHISM",
    "PREORDERS",
    "Equivalence",
    "Preorder",
    "compared_named",
    "equivalence_named",
    "preorder_named",
]


@dataclass(frozen=True, slots=True)
class Equivalence:
    """An equivalence: its name, its aliases in other tools, and a description.

    `family` determines the algorithm: bisimulations are decided by partition refinement, traces by
    determinisation, simulations by computing the preorder, and isomorphism by searching for the
    map.
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    family: Literal["bisimulation", "traces", "simulation", "isomorphism"] = "bisimulation"


EQUIVALENCES = {
    entry.name: entry
    for entry in (
        Equivalence(
            "strong",
            (
                *("bisim", "strong-bisim", "strong-bisimulation", "bisimulation"),
                *("bisim-gv", "bisim-gjkw", "bisim-sig", "strong-bisimilarity"),
            ),
            "strong bisimulation",
        ),
        Equivalence(
            "divergence-preserving-branching",
            (
                *("dpbranching", "dpbranching-bisim", "divbranching", "dpbranching-bisim-gv"),
                *("dpbranching-bisim-gjkw", "dpbranching-bisim-sig"),
            ),
            "divergence-preserving branching bisimulation",
        ),
        Equivalence(
            "rooted-branching",
            ("rooted-branching-bisim", "branching-congruence"),
            "rooted branching bisimulation",
        ),
        Equivalence(
            "branching",
            (
                *("branching-bisim", "branching-bisimulation", "branching-bisim-gv"),
                *("branching-bisim-gjkw", "branching-bisim-sig"),
            ),
            "branching bisimulation",
        ),
        Equivalence(
            "divergence-preserving-weak",
            ("dpweak", "dpweak-bisim", "divweak"),
            "divergence-preserving weak bisimulation",
        ),
        Equivalence(
            "rooted-weak",
            ("rooted-weak-bisim", "observation-congruence"),
            "rooted weak bisimulation (observation congruence)",
        ),
        Equivalence(
            "weak",
            ("weak-bisim", "weak-bisimulation", "observational"),
            "weak bisimulation (observation equivalence)",
        ),
        Equivalence("tau-star-a", ("tau*.a", "taustar", "tau*a"), "tau*.a equivalence", "traces"),
        Equivalence(
            "coupled-simulation",
            ("coupled-sim", "coupled"),
            "coupled similarity",
            "simulation",
        ),
        Equivalence(
            "ready-simulation", ("ready-sim",), "ready simulation equivalence", "simulation"
        ),
        Equivalence("simulation", ("sim",), "simulation equivalence", "simulation"),
        Equivalence(
            "weak-simulation",
            ("weak-sim", "safety"),
            "weak simulation equivalence (safety equivalence)",
            "simulation",
        ),
        Equivalence("trace", ("traces",), "trace equivalence", "traces"),
        Equivalence("weak-trace", ("weak-traces", "weaktrace"), "weak trace equivalence", "traces"),
    )
}
"""The equivalences that have minimal systems, by name, the finest first."""

ISOMORPHISM = Equivalence("isomorphism", ("iso",), "isomorphism", "isomorphism")
"""Equality up to the numbering of states, which is only compared: every system is minimal."""

COMPARED = {ISOMORPHISM.name: ISOMORPHISM, **EQUIVALENCES}
"""All equivalences by name, the finest first."""


@dataclass(frozen=True, slots=True)
class Preorder:
    """A preorder: its name, its aliases, and a description."""

    name: str
    aliases: tuple[str, ...]
    title: str


PREORDERS = {
    entry.name: entry
    for entry in (
        Preorder("ready-simulation", ("ready-sim",), "ready simulation"),
        Preorder("simulation", ("sim",), "simulation"),
        Preorder(
            "weak-simulation", ("weak-sim", "safety"), "weak simulation (the safety preorder)"
        ),
        Preorder("branching-simulation", ("branching-sim",), "branching simulation"),
        Preorder("coupled-simulation", ("coupled-sim", "coupled"), "coupled simulation"),
        Preorder(
            "strong-impossible-futures", (), "strong impossible futures (internal steps count)"
        ),
        Preorder("impossible-futures", (), "impossible futures"),
        Preorder("strong-failures", (), "strong failures refinement"),
        Preorder(
            "failures-divergences",
            ("fd", "[fd=", "failures-divergence"),
            "failures-divergences refinement",
        ),
        Preorder("revivals", ("stable-revivals",), "stable revivals refinement"),
        Preorder(
            "failures",
            ("stable-failures", "f", "[f=", "weak-failures"),
            "stable failures refinement",
        ),
        Preorder("trace", ("traces", "trace-ac"), "trace inclusion"),
        Preorder(
            "weak-trace",
            ("weak-traces", "weaktrace", "[t=", "weak-trace-ac"),
            "weak trace inclusion",
        ),
    )
}
"""All preorders by name."""

INTERNAL_COUNTS = frozenset({"trace", "strong-failures", "strong-impossible-futures"})
"""The trace relations that treat internal steps like any other steps."""


def equivalence_named(name: str) -> Equivalence:
    """Return the equivalence of a name or an alias, one that has minimal systems.

    Raises `LtsError` for an unknown one, and for isomorphism.
    """
    if compared_named(name) is ISOMORPHISM:
        raise LtsError(
            "isomorphism is only compared: a system that is minimal modulo isomorphism is the "
            f"system itself (known: {', '.join(EQUIVALENCES)})"
        )
    return _find(name, "equivalence", EQUIVALENCES)


def compared_named(name: str) -> Equivalence:
    """Return the equivalence of a name or an alias, isomorphism included.

    Raises `LtsError` for an unknown one.
    """
    return _find(name, "equivalence", COMPARED)


def preorder_named(name: str) -> Preorder:
    """Return the preorder of a name or an alias.

    Raises `LtsError` for an unknown one.
    """
    return _find(name, "preorder", PREORDERS)


Entry = TypeVar("Entry", bound=Equivalence | Preorder)


def _find(name: str, kind: str, table: Mapping[str, Entry]) -> Entry:
    expect_text(name, f"the name of an {kind}" if kind[0] == "e" else f"the name of a {kind}")
    names: dict[str, Entry] = {}
    for each in table.values():
        names |= dict.fromkeys((each.name, *each.aliases), each)
    if name.lower() in names:
        return names[name.lower()]
    raise LtsError(f"unknown {kind} `{name}`{near(name, names)} (known: {', '.join(table)})")
