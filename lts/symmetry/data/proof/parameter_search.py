"""Search for the images of parameters, where only several summands together determine them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

from lts.linear.process import LinearProcess
from lts.specification.specification import Application, Term, Variable
from lts.symmetry.data.proof.image_texts import Prepared
from lts.symmetry.data.proof.matching import Match
from lts.symmetry.permutation.known import undecided

if TYPE_CHECKING:
    from lts.symmetry.data.lift import Lifted

__all__ = ["searched"]


MOST_STEPS = 20_000
"""Most pairs of summands compared in a search."""


def searched(
    process: LinearProcess, lifted: Sequence[Lifted], *, parts: bool = False
) -> list[tuple[int, ...]]:
    """Return the images of parameters under each permutation, found by matching summands; with
    `parts`, whatever the order in which their conditions join parts."""
    found = []
    for number, permutation in enumerate(lifted):
        moved = _Search(process, permutation, parts=parts).positions()
        if moved is None:
            raise undecided(
                permutation.permutation,
                missing="no matching permutation of the parameters was found",
                which=number,
            )
        found.append(moved)
    return found


class _Search:
    """A search for the images of parameters under one permutation."""

    def __init__(self, process: LinearProcess, one: Lifted, *, parts: bool) -> None:
        self.process = process
        self.variables = [p.variable for p in process.parameters]
        self.numbers = {v: number for number, v in enumerate(self.variables)}
        self.starts = [one.value_of_closed(_closed(term)) for term in process.initial]
        self.start_images = [one.image_of_closed(_closed(term)) for term in process.initial]
        self.fixed = one.array_sorts
        own = [Prepared(process, s, one.image_of_closed, parts=parts) for s in process.summands]
        others: dict[Hashable, list[Prepared]] = {}
        for summand in process.summands:
            prepared = Prepared(process, summand, one.value_of_closed, parts=parts)
            others.setdefault(prepared.shape, []).append(prepared)
        self.steps = iter(range(MOST_STEPS))
        candidates = [
            (summand, [c for c in others.get(summand.shape, []) if self.first(summand, c)])
            for summand in own
        ]
        # Summands without candidates are paired later, by the parameters that they read.
        # Conditions with few parts leave less open.
        self.candidates = sorted(
            (c for c in candidates if c[1]), key=lambda c: (len(c[1]), len(c[0].conditions))
        )

    def first(self, summand: Prepared, image: Prepared) -> bool:
        return self.extended({}, summand, image) is not None

    def extended(self, match: Match, summand: Prepared, image: Prepared) -> Match | None:
        """Return `match` extended so that one summand becomes another."""
        found = summand.matches(image, dict(match))
        if found is None:
            return None
        found = {one: other for one, other in found.items() if one in self.numbers}
        if any(not self.fits(one, other) for one, other in found.items()):
            return None
        return found

    def fits(self, one: Variable, other: Variable) -> bool:
        """Whether the image of one parameter's initial value is the initial value of another."""
        start, image = self.numbers[one], self.numbers[other]
        return one.sort in self.fixed or self.start_images[start] == self.starts[image]

    def positions(self) -> tuple[int, ...] | None:
        """Return the image of every parameter, by number; None if none was found."""
        match = self.search()
        if match is None:
            return None
        free = [v for v in self.variables if v not in match.values()]
        for variable in self.variables:
            if variable not in match:
                likely = [variable, *free] if variable in free else free
                other = next(
                    (v for v in likely if v.sort == variable.sort and self.fits(variable, v)), None
                )
                if other is None:
                    return None
                free.remove(other)
                match[variable] = other
        return tuple(self.numbers[match[v]] for v in self.variables)

    def search(self) -> Match | None:
        """Match summands one after the other, backtracking on failure."""
        stack: list[tuple[Match, Iterator[Prepared]]] = []
        match: Match = {}
        while len(stack) < len(self.candidates):
            stack.append((match, iter(self.candidates[len(stack)][1])))
            while True:
                if not stack or next(self.steps, None) is None:
                    return None
                match, images = stack[-1]
                image = next(images, None)
                if image is None:
                    stack.pop()
                    continue
                summand = self.candidates[len(stack) - 1][0]
                found = self.extended(match, summand, image)
                if found is not None:
                    match = found
                    break
        return match


def _closed(term: Term) -> Application:
    assert isinstance(term, Application)
    return term
