"""The equivalences by name: one table that minimisation, comparison and the command line share."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

from lts.errors import LtsError

__all__ = ["EQUIVALENCES", "Equivalence", "equivalence", "equivalence_name"]


@dataclass(frozen=True, slots=True)
class Equivalence:
    """An equivalence: its name, what else the field's tools call it, and what it is.

    `family` says which algorithm decides it: the bisimulations are all partitions that the engine
    refines; systems are made deterministic for traces; a simulation is a preorder first.
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    family: Literal["bisimulation", "traces", "simulation"] = "bisimulation"


EQUIVALENCES = {
    entry.name: entry
    for entry in (
        Equivalence(
            "strong", ("bisim", "strong-bisim", "strong-bisimulation"), "strong bisimulation"
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
        Equivalence("trace", ("traces",), "trace equivalence", "traces"),
        Equivalence("weak-trace", ("weak-traces",), "weak trace equivalence", "traces"),
    )
}
"""Every equivalence by its name, the finest first."""


def equivalence(name: str) -> Equivalence:
    """Return the equivalence of a name or an alias.

    Raises `LtsError` for an unknown one.
    """
    names = {
        known: entry for entry in EQUIVALENCES.values() for known in (entry.name, *entry.aliases)
    }
    if name in names:
        return names[name]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    known = ", ".join(EQUIVALENCES)
    raise LtsError(f"there is no equivalence `{name}`{hint} (known: {known})")


def equivalence_name(name: str) -> str:
    """Return the name of the equivalence that is given by its name or an alias."""
    return equivalence(name).name
