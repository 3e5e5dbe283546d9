"""Matching of terms, summands and rules up to renaming of constants and of variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from lts.linear.process import Summand
from lts.specification.specification import Application, Function, Term, Variable
from lts.specification.terms import NUMERAL, renamed, substitute, variables_of
from lts.symmetry.data.proof.truths import Truths

__all__ = [
    "Conditions",
    "Match",
    "Matcher",
    "Parts",
    "conditions_of",
    "may_overlap",
    "overlap",
    "row",
    "terms_of",
]

Match = dict[Variable, Variable]
Conditions = list[tuple[bool | None, tuple[Term, ...]]]
Parts = Sequence[tuple[object, tuple[Term, ...]]]
"""Conditions, or their parts, each with its kind."""

_STEPS = 10_000
"""Limit on steps, after which terms are assumed to overlap and summands to differ."""


class Matcher:
    """Compares the terms of two summands, up to the names of variables and the order of
    conditions. `parameters` are the images of variables that are known before."""

    def __init__(
        self,
        renaming: Mapping[Function, Function],
        are_images: Callable[[Application, Application], bool],
        truths: Truths | None = None,
        parameters: Mapping[Variable, Variable] = MappingProxyType({}),
    ) -> None:
        self.renaming = renaming
        self.are_images = are_images
        self.truths = truths
        self.parameters = parameters
        self.left = _STEPS

    def is_image(self, summand: Summand, image: Summand, positions: Sequence[int]) -> bool:
        """Whether a summand becomes `image` by renaming constants and moving its parameters;
        `positions` are their images as numbers."""
        match: Match = {}
        own = {positions[p]: term for p, term in summand.updates}
        other = dict(image.updates)
        sorts = [sorted(v.sort for v in each.variables) for each in (summand, image)]
        if (summand.action, own.keys(), sorts[0]) != (image.action, other.keys(), sorts[1]):
            return False
        left, right = list(summand.arguments), list(image.arguments)
        left += own.values()
        right += (other[p] for p in own)
        if len(left) != len(right) or not self.extend(match, left, right):
            return False
        return self.same(match, conditions_of(summand), conditions_of(image))

    def same(self, match: Match, left: Conditions, right: Conditions) -> bool:
        """Whether the conditions `right` are the images of `left`, in any order."""
        return len(left) == len(right) and next(self.all(match, left, right), None) is not None

    def all(self, match: Match, left: Parts, right: Parts) -> Iterator[Match]:
        """Yield each extension of `match` under which the conditions `right` are the images of
        `left` in some order; there are as many of both."""
        if not left:
            yield match
            return
        (kind, terms), *rest = left
        for at, (other, images) in enumerate(right):
            if kind != other:
                continue
            for order in (images, images[::-1]) if kind is None else (images,):
                further = dict(match)
                if self.extend(further, terms, order):
                    yield from self.all(further, rest, [*right[:at], *right[at + 1 :]])

    def extend(self, match: Match, left: Iterable[Term], right: Iterable[Term]) -> bool:
        """Whether `right` are the images of `left` with some variables matched; these are added to
        `match`."""
        self.left -= 1
        if self.left < 0:
            return False
        waiting = list(zip(left, right, strict=True))
        while waiting:
            one, other = waiting.pop()
            if isinstance(one, Application) and isinstance(other, Application):
                if self.are_true_together(match, one, other):
                    continue
                if self.renaming.get(one.function, one.function) != other.function:
                    closed = one.is_ground and other.is_ground and one.sort == other.sort
                    if closed and self.are_images(one, other):
                        continue
                    return False
                waiting += zip(one.arguments, other.arguments, strict=True)
            elif isinstance(one, Variable) and isinstance(other, Variable):
                known = self.parameters.get(one, match.get(one))
                if known is None:
                    # Parameters are mapped to parameters, each to another one.
                    taken = other in self.parameters or other in match.values()
                    if one.sort != other.sort or taken:
                        return False
                    match[one] = other
                elif known != other:
                    return False
            else:
                return False
        return True

    def are_true_together(self, match: Match, term: Application, other: Application) -> bool:
        """Whether a term, renamed, is true for the same values of its variables as another one."""
        if self.truths is None or not (self.truths.joins(term) or self.truths.joins(other)):
            return False
        images = {v: self.parameters.get(v, match.get(v)) for v in variables_of(term)}
        known: dict[Variable, Term] = {v: to for v, to in images.items() if to is not None}
        if len(known) < len(images):
            return False
        image = substitute(term, known)
        assert isinstance(image, Application)
        image = renamed(image, self._renamed)
        return self.truths.are_equal(image, other)

    def _renamed(self, part: Application) -> Application | None:
        image = self.renaming.get(part.function)
        return None if image is None else Application(image)


def conditions_of(summand: Summand) -> Conditions:
    """Return the guards with their polarity, and the equations as unordered pairs of sides."""
    guards: Conditions = [(guard.positive, (guard.term,)) for guard in summand.guards]
    return guards + [(None, equation) for equation in summand.equations]


def terms_of(summand: Summand) -> list[Term]:
    """Return all terms of a summand: arguments, updates and conditions."""
    terms = [*summand.arguments, *(term for _, term in summand.updates)]
    return terms + [term for _, condition in conditions_of(summand) for term in condition]


def row(terms: Iterable[Term], images: Mapping[Function, Function]) -> tuple[object, ...]:
    """Return terms in prefix order, with constants renamed and variables numbered by first
    occurrence."""
    numbers: dict[Variable, int] = {}
    row: list[object] = []
    waiting = [*terms][::-1]
    while waiting:
        term = waiting.pop()
        if isinstance(term, Application):
            row.append(images.get(term.function, term.function))
            waiting += reversed(term.arguments)
        else:
            row.append((numbers.setdefault(term, len(numbers)), term.sort))
    return tuple(row)


def overlap(one: Term, other: Term) -> bool:
    """Whether two terms have a common instance; True if that is not easily decided."""
    values: dict[tuple[int, Variable], tuple[int, Term]] = {}

    def value(side: int, term: Term) -> tuple[int, Term]:
        while isinstance(term, Variable) and (side, term) in values:
            side, term = values[side, term]
        return side, term

    waiting = [((0, one), (1, other))]
    for _ in range(_STEPS):
        if not waiting:
            return True
        left, right = waiting.pop()
        left, right = value(*left), value(*right)
        if left == right:
            continue
        if isinstance(left[1], Variable):
            values[left[0], left[1]] = right
        elif isinstance(right[1], Variable):
            values[right[0], right[1]] = left
        elif left[1].function != right[1].function:
            numerals = {left[1].function.native == NUMERAL, right[1].function.native == NUMERAL}
            if len(numerals) == 1:
                return False
            # A number literal equals a term of its constructors.
        else:
            arguments = zip(left[1].arguments, right[1].arguments, strict=True)
            waiting += (((left[0], a), (right[0], b)) for a, b in arguments)
    return True


def may_overlap(terms: Sequence[Application]) -> Iterator[tuple[int, Iterable[int]]]:
    """Yield the number of each of the left sides of one function's rules, with the earlier ones
    that may overlap with it: those whose first arguments begin with different functions do not."""
    beginning: dict[Function, list[int]] = {}
    others: list[int] = []
    for number, term in enumerate(terms):
        first = term.arguments[0] if term.arguments else None
        # A number literal may be equal to a term of constructors.
        if isinstance(first, Application) and first.function.native != NUMERAL:
            same = beginning.setdefault(first.function, [])
            yield number, sorted((*same, *others))
            same.append(number)
        else:
            yield number, range(number)
            others.append(number)
