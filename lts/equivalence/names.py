"""Equivalences and preorders by name: one table for minimisation, comparison and the command
line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from lts.base.argument_types import expect_text
from lts.base.bounds import CLASSES_OF_STATES, CLASSES_WITH_PATHS, SETS_OF_STATES, Bound
from lts.base.spelling import near
from lts.errors import LtsError

__all__ = [
    "COMPARED",
    "EQUIVALENCES",
    "ISOMORPHISM",
    "PREORDERS",
    "Relation",
    "compared_named",
    "equivalence_named",
    "preorder_named",
]


class Relation(NamedTuple):
    """An equivalence, a preorder, or both, with what can be done modulo it.

    `title` describes the equivalence, `preorder` the preorder; it is empty if there is none.
    `aliases` are names in other tools. `family` determines the algorithm: bisimulations are decided
    by partition refinement, traces and what follows them by determinisation, simulations by
    computing the preorder, and isomorphism by searching for the map.
    """

    name: str
    aliases: tuple[str, ...] = ()
    title: str = ""
    preorder: str = ""
    family: Literal["bisimulation", "traces", "simulation", "isomorphism"] = "bisimulation"
    minimises: bool = False
    """Whether systems are minimised modulo the equivalence; all equivalences are compared."""
    counts_internal: bool = False
    """Whether internal steps are treated like any other steps."""
    preserves_divergence: bool = False
    """Whether a bisimulation distinguishes infinite sequences of internal steps from none."""
    in_partitions: bool = False
    """Whether systems are minimised modulo the equivalence in partitions."""
    bound: Bound | None = None
    """The bound on the work of `minimise`, and of `compare` for simulations: on sets of states for
    traces, on classes for simulations. None if the work is bounded by the size of the systems, or
    the search has a limit of its own."""

    @property
    def limit(self) -> int | None:
        """The default limit: that of `bound`."""
        return None if self.bound is None else self.bound.default


def _bisimulation(
    name: str, aliases: Iterable[str], title: str, *, partitions: bool = False
) -> Relation:
    return Relation(
        name=name,
        aliases=tuple(aliases),
        title=title,
        minimises=True,
        counts_internal=name == "strong",
        preserves_divergence=name.startswith("divergence-preserving"),
        in_partitions=partitions,
    )


_RELATIONS = (
    Relation(name="isomorphism", aliases=("iso",), title="isomorphism", family="isomorphism"),
    _bisimulation(
        "strong",
        (
            *("bisim", "strong-bisim", "strong-bisimulation", "bisimulation"),
            *("bisim-gv", "bisim-gjkw", "bisim-sig", "strong-bisimilarity"),
        ),
        "strong bisimulation",
        partitions=True,
    ),
    _bisimulation(
        "divergence-preserving-branching",
        (
            *("dpbranching", "dpbranching-bisim", "divbranching", "dpbranching-bisim-gv"),
            *("dpbranching-bisim-gjkw", "dpbranching-bisim-sig"),
        ),
        "divergence-preserving branching bisimulation",
        partitions=True,
    ),
    _bisimulation(
        "rooted-branching",
        ("rooted-branching-bisim", "branching-congruence"),
        "rooted branching bisimulation",
    ),
    _bisimulation(
        "branching",
        (
            *("branching-bisim", "branching-bisimulation", "branching-bisim-gv"),
            *("branching-bisim-gjkw", "branching-bisim-sig"),
        ),
        "branching bisimulation",
        partitions=True,
    ),
    _bisimulation(
        "divergence-preserving-weak",
        ("dpweak", "dpweak-bisim", "divweak"),
        "divergence-preserving weak bisimulation",
    ),
    _bisimulation(
        "rooted-weak",
        ("rooted-weak-bisim", "observation-congruence"),
        "rooted weak bisimulation (observation congruence)",
    ),
    _bisimulation(
        "weak",
        ("weak-bisim", "weak-bisimulation", "observational"),
        "weak bisimulation (observation equivalence)",
    ),
    Relation(
        name="tau-star-a",
        aliases=("tau*.a", "taustar", "tau*a"),
        title="tau*.a equivalence",
        family="traces",
        minimises=True,
    ),
    Relation(
        name="coupled-simulation",
        aliases=("coupled-sim", "coupled"),
        title="coupled similarity",
        preorder="coupled simulation",
        family="simulation",
        minimises=True,
        bound=CLASSES_WITH_PATHS,
    ),
    Relation(
        name="ready-simulation",
        aliases=("ready-sim",),
        title="ready simulation equivalence",
        preorder="ready simulation",
        family="simulation",
        minimises=True,
        counts_internal=True,
        bound=CLASSES_OF_STATES,
    ),
    Relation(
        name="simulation",
        aliases=("sim",),
        title="simulation equivalence",
        preorder="simulation",
        family="simulation",
        minimises=True,
        counts_internal=True,
        bound=CLASSES_OF_STATES,
    ),
    Relation(
        name="weak-simulation",
        aliases=("weak-sim", "safety"),
        title="weak simulation equivalence (safety equivalence)",
        preorder="weak simulation (the safety preorder)",
        family="simulation",
        minimises=True,
        bound=CLASSES_OF_STATES,
    ),
    Relation(
        name="branching-simulation",
        aliases=("branching-sim",),
        preorder="branching simulation",
        family="simulation",
        bound=CLASSES_WITH_PATHS,
    ),
    Relation(
        name="strong-impossible-futures",
        title="strong impossible futures equivalence (internal steps count)",
        preorder="strong impossible futures (internal steps count)",
        family="traces",
        counts_internal=True,
    ),
    Relation(
        name="impossible-futures",
        title="impossible futures equivalence",
        preorder="impossible futures",
        family="traces",
    ),
    Relation(
        name="strong-failures",
        title="strong failures equivalence",
        preorder="strong failures refinement",
        family="traces",
        counts_internal=True,
    ),
    Relation(
        name="failures-divergences",
        aliases=("fd", "[fd=", "failures-divergence"),
        title="failures-divergences equivalence",
        preorder="failures-divergences refinement",
        family="traces",
    ),
    Relation(
        name="revivals",
        aliases=("stable-revivals",),
        title="stable revivals equivalence",
        preorder="stable revivals refinement",
        family="traces",
    ),
    Relation(
        name="failures",
        aliases=("stable-failures", "f", "[f=", "weak-failures"),
        title="stable failures equivalence",
        preorder="stable failures refinement",
        family="traces",
    ),
    Relation(
        name="trace",
        aliases=("traces", "trace-ac"),
        title="trace equivalence",
        preorder="trace inclusion",
        family="traces",
        minimises=True,
        counts_internal=True,
        bound=SETS_OF_STATES,
    ),
    Relation(
        name="weak-trace",
        aliases=("weak-traces", "weaktrace", "[t=", "weak-trace-ac"),
        title="weak trace equivalence",
        preorder="weak trace inclusion",
        family="traces",
        minimises=True,
        bound=SETS_OF_STATES,
    ),
)

COMPARED = {entry.name: entry for entry in _RELATIONS if entry.title}
"""All equivalences by name."""

EQUIVALENCES = {name: entry for name, entry in COMPARED.items() if entry.minimises}
"""The equivalences that have minimal systems, by name; bisimulations first, the finest first."""

PREORDERS = {entry.name: entry for entry in _RELATIONS if entry.preorder}
"""All preorders by name."""

ISOMORPHISM = COMPARED["isomorphism"]
"""Equality up to the numbering of states: every system is minimal."""


def equivalence_named(name: str) -> Relation:
    """Return the equivalence of a name or an alias, one that has minimal systems.

    Raises `LtsError` for an unknown one, and for one that is only compared.
    """
    found = compared_named(name)
    if not found.minimises:
        why = (
            ": a system that is minimal modulo isomorphism is the system itself"
            if found is ISOMORPHISM
            else ", and has no minimal systems here"
        )
        raise LtsError(f"{found.title} is only compared{why} (known: {', '.join(EQUIVALENCES)})")
    return found


def compared_named(name: str) -> Relation:
    """Return the equivalence of a name or an alias, one that is only compared included.

    Raises `LtsError` for an unknown one.
    """
    return _find(name, "equivalence", COMPARED)


def preorder_named(name: str) -> Relation:
    """Return the preorder of a name or an alias.

    Raises `LtsError` for an unknown one.
    """
    return _find(name, "preorder", PREORDERS)


def _find(name: str, kind: str, table: Mapping[str, Relation]) -> Relation:
    known = f"(known: {', '.join(table)})"
    expect_text(name, f"the name of {'an' if kind[0] == 'e' else 'a'} {kind}", known)
    names: dict[str, Relation] = {}
    for each in table.values():
        names |= dict.fromkeys((each.name, *each.aliases), each)
    if name.lower() in names:
        return names[name.lower()]
    raise LtsError(f"unknown {kind} `{name}`{near(name, names)} {known}")
