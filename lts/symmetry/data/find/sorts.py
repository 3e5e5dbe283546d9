"""All permutations of the values of given sorts, except of values that the text distinguishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lts.base.label_names import several
from lts.base.spelling import near
from lts.errors import SpecificationError, Unsupported
from lts.linear.process import LinearProcess
from lts.specification.specification import Application, Specification
from lts.state_space.settings import NO_LIMITS, Limits
from lts.symmetry.data.find.automorphisms import automorphisms, order, written
from lts.symmetry.data.find.candidates import propose
from lts.symmetry.data.find.facts import Facts, concerned, constants_of
from lts.symmetry.permutation.cycles import cycle
from lts.symmetry.permutation.cycles import orbits as orbits_of
from lts.symmetry.permutation.notation import Permutation

__all__ = ["SymmetricSorts", "symmetric_sorts"]


@dataclass(frozen=True, slots=True)
class SymmetricSorts:
    """Generators of all permutations of the values of some sorts, and the values that are fixed."""

    generators: tuple[Permutation, ...]
    fixed: tuple[str, ...]


def symmetric_sorts(
    process: LinearProcess,
    sorts: Sequence[str],
    *,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
) -> SymmetricSorts:
    """Return generators of all permutations among those constants of some sorts that are alike;
    of those that only some permutations exchange, the ones that were found.

    Constants are alike if the text suggests it, or if permutations that exchange them pass a trial
    (see `propose`). If no constant of a sort is like another one, those are alike that the certain
    statements do not distinguish, else all constants of a sort of three or more. Other constants
    are fixed. A sort of one value has the identity. Nothing is proven here. Raises
    `SpecificationError` if there is no such sort, `Unsupported` if none of its values are
    constants.
    """
    known = process.specification.sorts
    for sort in several(sorts):
        if sort not in known:
            hint = near(sort, known) or f"; there are {_listed(known)}"
            raise SpecificationError(f"unknown sort `{sort}`{hint}")
    more = [sort for sort in dict.fromkeys(sorts) if not _has_one_value(process, sort)]
    if sorts and not more:
        return SymmetricSorts((Permutation(()),), ())
    proposal = propose(process, sorts=sorts, limits=limits, threads=threads)
    facts = proposal.facts
    certain = automorphisms(facts, [s for s in facts.statements if s.is_certain])
    likely = automorphisms(facts, facts.statements)
    groups = [proposal.generators, likely.generators, certain.generators]
    generators: list[Permutation] = []
    fixed: list[str] = []
    for sort in more:
        points = facts.numbers(sort)
        if (
            not points
            and sort in concerned(process)
            and len(constants_of(facts.specification, sort)) > 1
        ):
            continue  # at most one of them occurs
        if not points:
            raise Unsupported(_why_not(facts, sort))
        orbits = [points] if len(points) > 2 else []
        for group in groups:
            moving = orbits_of(len(facts.points), group)
            moving = [orbit for orbit in moving if orbit[0] in points and len(orbit) > 1]
            if moving:
                orbits = moving
                break
        moved = {point for orbit in orbits for point in orbit}
        fixed += [str(facts.points[point]) for point in points if point not in moved]
        for orbit in orbits:
            lengths = (2, len(orbit))[: len(orbit) - 1]
            whole = [cycle(len(facts.points), orbit[:length]) for length in lengths]
            found = [g for g in proposal.generators if any(g[point] != point for point in orbit)]
            if found and order(facts, [*found, *whole]) > order(facts, found):
                # Not all permutations of the orbit are known, but these are.
                whole = found
            generators += [written(facts, images) for images in whole]
    return SymmetricSorts(tuple(dict.fromkeys(generators)), tuple(fixed))


def _has_one_value(process: LinearProcess, sort: str) -> bool:
    specification = process.specification
    made = [
        function
        for function in specification.functions
        if function.constructor and function.sort == sort
    ]
    return len(made) == len(constants_of(specification, sort)) == 1


def _why_not(facts: Facts, sort: str) -> str:
    specification = facts.specification
    if sort == specification.true.sort:
        return f"`{sort}` is the sort of conditions, whose values cannot be exchanged"
    if any(point.sort == sort for point in facts.points):
        return f"`{sort}` is in no state or label, so that permuting its values changes nothing"
    why = f"`{sort}` has no two constants to permute"
    some = _smallest(facts.specification, sort)
    if len(some) < 2:
        return why
    example = " ".join(map(str, some))
    return f"{why}; write a permutation of its closed terms, such as `({example})`"


def _smallest(specification: Specification, sort: str) -> list[Application]:
    """Return two closed terms of a sort made of its constructors; fewer if no small ones exist."""
    known: dict[str, list[Application]] = {}
    for _ in range(4):
        for function in specification.functions:
            own = known.setdefault(function.sort, [])
            arguments = [known.get(argument, [])[-1:] for argument in function.arguments]
            if function.constructor and len(own) < 3 and all(arguments):
                term = Application(function, tuple(argument for [argument] in arguments))
                if term not in own:
                    own.append(term)
    return known.get(sort, [])[:2]


def _listed(sorts: Sequence[str]) -> str:
    return ", ".join(f"`{sort}`" for sort in sorts)
