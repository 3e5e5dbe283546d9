"""Removes duplicate summands."""

from __future__ import annotations

from dataclasses import replace

from lts.linear.equations import substituted
from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import Term, Variable

__all__ = ["without_duplicates"]


def without_duplicates(process: LinearProcess) -> LinearProcess:
    """Remove summands that differ from an earlier one only in the names of their variables."""
    positions: dict[object, int] = {}
    summands: list[Summand] = []
    dropped: dict[int, list[Summand]] = {}
    remarks = []
    for summand in process.summands:
        names: dict[Variable, Term] = {
            v: Variable(f"#{i}", v.sort) for i, v in enumerate(summand.variables)
        }
        plain = substituted(summand, names)
        key = (
            plain.variables, frozenset(plain.guards), frozenset(plain.equations),
            plain.action, plain.arguments, plain.updates, plain.takes_part,
        )  # fmt: skip
        if key not in positions:
            positions[key] = len(summands)
            summands.append(summand)
            continue
        first = summands[positions[key]]
        remarks.append(
            f"summand `{summand.action or 'tau'}` ({process.where(summand)}) is removed: it "
            f"duplicates the one of {process.where(first)}"
        )
        dropped.setdefault(positions[key], []).append(summand)
    if not remarks:
        return process
    for number, equal in dropped.items():
        first = summands[number]
        summands[number] = replace(first, duplicates=(*first.duplicates, *equal))
    return replace(process, summands=tuple(summands), remarks=(*process.remarks, *remarks))
