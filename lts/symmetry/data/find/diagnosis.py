"""Why a sort is not fully symmetric: what in the text or in the system distinguishes its values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import factorial

import lts._engine as _engine
from lts.errors import LtsError, SpecificationError
from lts.mcrl2.binary.source import LinearSource
from lts.symmetry.data.find.automorphisms import automorphisms, keeps, order
from lts.symmetry.data.find.facts import Facts, Statement
from lts.symmetry.data.find.proposal import Proposal
from lts.symmetry.permutation.cycles import cycle, orbits
from lts.text.source import Place, Source

__all__ = ["Break", "breaks"]


@dataclass(frozen=True, slots=True)
class Break:
    """A sort with several constants of which not all permutations are symmetries.

    `classes` are the sets of values that symmetries exchange; the group permutes the sort in
    `order` of the `possible` ways. `reasons` have a place in the text where there is one.
    """

    sort: str
    classes: tuple[tuple[str, ...], ...]
    order: int
    possible: int
    reasons: tuple[LtsError, ...]

    def __str__(self) -> str:
        values = ", ".join(" ".join(values) for values in self.classes)
        if self.order == 1:
            first = f"`{self.sort}`: {values} are kept fixed"
        else:
            first = f"`{self.sort}`: {self.order} of {self.possible} permutations, within {values}"
        return "\n".join([first, *(reason.drawn() for reason in self.reasons)])


def breaks(proposal: Proposal) -> tuple[Break, ...]:
    """Return what breaks the symmetry of each sort with several constants that is not fully
    symmetric."""
    facts, generators = proposal.facts, proposal.generators
    number = len(facts.points)
    steps = [s for s in facts.statements if s.kind == "steps"]
    others = [s for s in facts.statements if s.kind != "steps"]
    preserved = [s for s in others if all(keeps(s, images) for images in generators)]
    of_steps = automorphisms(facts, steps)
    found = []
    for sort in facts.sorts:
        points = facts.numbers(sort)
        positions = {point: at for at, point in enumerate(points)}
        own = [[positions[images[point]] for point in points] for images in generators]
        size = _engine.group_order(len(points), own)
        if size == factorial(len(points)):
            continue
        swaps = [cycle(number, (a, b)) for a in points for b in points if a < b]
        total = order(facts, generators)
        missing = [s for s in swaps if order(facts, [*generators, s]) > total]
        saying = [s for s in preserved if not all(keeps(s, swap) for swap in missing)]
        reasons = [_reason(facts, statement, sort) for statement in saying]
        torn = [s for s in missing if order(facts, [*of_steps.generators, s]) > of_steps.order]
        apart = {point for swap in torn for point in points if swap[point] != point}
        mentioning = [s for s in steps if apart & {p for _, fact in s.facts for p in fact}]
        mentioned = [r for s in mentioning for r in _mentioned(facts, s, apart)]
        reasons = [*{(r.message, r.line, r.column): r for r in (*mentioned, *reasons)}.values()]
        values = {str(facts.points[point]) for point in points}
        refused = [
            refusal
            for refusal in proposal.refused
            if values & {element.text for element in refusal.permutation.images}
        ]
        ended = [refusal for refusal in refused if refusal.is_limit]
        if ended:
            reasons = []  # do not blame statements that are not known to matter
        if not ended and any(s.is_certain for s in (*saying, *mentioning)):
            refused = []
        reasons += [refusal.error for refusal in (ended or refused)[:1]]
        classes = tuple(
            tuple(str(facts.points[point]) for point in orbit)
            for orbit in orbits(number, generators)
            if orbit[0] in positions
        )
        found.append(Break(sort, classes, size, factorial(len(points)), tuple(reasons)))
    return tuple(found)


def _mentioned(facts: Facts, statement: Statement, points: set[int]) -> Iterator[LtsError]:
    """Yield the places where steps use some points that their text distinguishes."""
    source, place = facts.specification.source, statement.place
    assert place is not None, "steps have one"
    for point in sorted(points & {point for _, fact in statement.facts for point in fact}):
        name = str(facts.points[point])
        message = f"the text mentions the constant `{name}`"
        yield source.error(SpecificationError, message, _next(source, place, name))


def _reason(facts: Facts, statement: Statement, sort: str) -> LtsError:
    """Return, as an error with its place, how a statement breaks the symmetry of a sort."""
    source = facts.specification.source
    own = facts.numbers(sort)
    place = statement.place
    if statement.kind == "function":
        message = f"`{statement.name}` distinguishes values of `{sort}`"
        if len(statement.chain) > 1:
            message += f"; it is called by {_quoted(statement.chain[-2::-1])}"
    else:
        place = _next(source, _initial(source), statement.name)
        inside = {point for _, points in statement.facts for point in points}
        outside = [str(facts.points[point]) for point in own if point not in inside]
        named = [str(facts.points[point]) for point in own if point in inside]
        if not outside and statement.components == 1:
            message = f"the initial values of `{statement.name}` are not the same for all of them"
        elif not outside:
            message = f"the components `{statement.name}` have different initial values"
        elif len(named) == 1:
            message = f"`{statement.name}` starts with {_quoted(named)} only"
        else:
            message = f"no component `{statement.name}` starts with {_quoted(outside)}"
    if place is None:
        return SpecificationError(message, file=source.file)
    return source.error(SpecificationError, message, place)


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _initial(source: Source) -> Place:
    """Return the place of the initial process, or the first line if no line begins with it."""
    if isinstance(source, LinearSource):
        return len(source.items), 1
    lines = source.text.split("\n")
    found = [n for n, line in enumerate(lines, 1) if re.match(r"\s*init\b", line)]
    return (found or [1])[-1], 1


def _next(source: Source, place: Place, name: str) -> Place:
    """Return the next place at which a name occurs after a place, or the place itself."""
    if isinstance(source, LinearSource):
        return place
    pattern = re.compile(rf"(?<![\w']){re.escape(name)}(?![\w'])")
    for number, text in enumerate(source.text.split("\n"), 1):
        for found in pattern.finditer(text.partition("%")[0]):
            if (at := (number, found.start() + 1)) > place:
                return at
    return place
