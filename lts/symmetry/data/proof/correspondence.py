"""Which parameters and summands of a linear process a permutation of data moves to which.

Where they come from says it first: a component moves to the one that starts with the images of its
data, and its steps with it. Where that does not do, as in a linear process that was written by hand
or in one component that writes the same out for each value, the text decides: closed terms become
their images, and what is left is compared up to the names of variables. Parameters are found in
the same way. Summands that the text does not pair are paired by what they read and write; and those
that have no counterpart of their own are compared together with all others of their action.

Nothing is proven here: what is wrong is found out when steps are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from lts.errors import NotProven
from lts.mucrl.linear.process import LinearProcess, Summand
from lts.mucrl.static.specification import Application, Function, Term, Variable
from lts.mucrl.static.terms import variables_of
from lts.symmetry.data.proof.matching import Conditions, Match, Matcher, conditions_of

if TYPE_CHECKING:
    from lts.symmetry.data.lift import Lifted

__all__ = ["WAYS", "Correspondence", "corresponding"]

_STEPS = 20_000
"""Pairs of summands that are looked at in a search for parameters."""


@dataclass(frozen=True, slots=True)
class Correspondence:
    """For each permutation the images of parameters and summands, by number.

    Of the summands in one of the `groups` the first stands for all, and is moved to the first of
    another group or of its own; the others stay.
    """

    positions: tuple[tuple[int, ...], ...]
    summands: tuple[tuple[int, ...], ...]
    groups: tuple[tuple[int, ...], ...] = ()


Key = TypeVar("Key", bound=Hashable)
Way = Callable[[LinearProcess, Sequence["Lifted"]], Correspondence]


def corresponding(process: LinearProcess, lifted: Sequence[Lifted], way: str) -> Correspondence:
    """Return what moves to what, found in one of the `WAYS`.

    Raises `NotProven` if that is nothing, or if a permutation of data would then do nothing at all:
    something may well correspond that has nothing to do with these data.
    """
    found = _WAYS[way](process, lifted)
    for number, one in enumerate(lifted):
        moves = [*enumerate(found.positions[number]), *enumerate(found.summands[number])]
        stays = all(place == image for place, image in moves)
        if stays and (one.images or one.maps) and not _touches(process, one):
            missing = "nothing in the states or steps of the process has to do with it"
            message = f"`{one.permutation}` is not proven to be a symmetry"
            raise NotProven(message, missing=missing, which=number)
    return found


def _touches(process: LinearProcess, one: Lifted) -> bool:
    """Whether a permutation moves a closed term of the process, or a value of some variable."""
    variables = [p.variable for p in process.parameters]
    variables += [v for summand in process.summands for v in summand.variables]
    if any(one.moves_in(sort) for sort in {v.sort for v in variables}):
        return True
    closed: list[Application] = []

    def note(term: Application) -> str:
        closed.append(term)
        return ""

    for summand in process.summands:
        for term in summand.terms:
            _changed(term, {}, note)
    return any(one.image_of_closed(term) != one.value_of_closed(term) for term in closed)


def _by_origin(process: LinearProcess, lifted: Sequence[Lifted]) -> Correspondence:
    positions, summands = [], []
    for number, one in enumerate(lifted):
        with _numbered(number):
            components = one.component_images()
            positions.append(tuple(one.positions(components)))
            summands.append(tuple(one.summand_images(components)))
    return Correspondence(tuple(positions), tuple(summands))


class _numbered:
    """Notes in what is raised which permutation it is about."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, NotProven):
            error.which = self.number


def _by_text(process: LinearProcess, lifted: Sequence[Lifted]) -> Correspondence:
    return _paired(process, lifted, _of_components(lifted))


def _by_search(process: LinearProcess, lifted: Sequence[Lifted]) -> Correspondence:
    return _paired(process, lifted, _searched(process, lifted))


def _grouped_by_text(process: LinearProcess, lifted: Sequence[Lifted]) -> Correspondence:
    moved = [one.component_images() for one in lifted]

    def key(number: int) -> tuple[str | None, frozenset[int]]:
        summand = process.summands[number]
        return summand.action, frozenset(component for component, _ in summand.origin)

    def image(
        which: int, key: tuple[str | None, frozenset[int]]
    ) -> tuple[str | None, frozenset[int]]:
        action, components = key
        return action, frozenset(moved[which][component] for component in components)

    return _grouped(process, lifted, _of_components(lifted), key, image)


def _grouped_by_search(process: LinearProcess, lifted: Sequence[Lifted]) -> Correspondence:
    return _grouped(
        process,
        lifted,
        _searched(process, lifted),
        lambda number: process.summands[number].action,
        lambda which, action: action,
    )


_WAYS: dict[str, Way] = {
    "origin": _by_origin,
    "text": _by_text,
    "search": _by_search,
    "groups": _grouped_by_text,
    "groups of actions": _grouped_by_search,
}
WAYS = tuple(_WAYS)
"""The ways to find what moves to what, those that make less to compare first."""


def _of_components(lifted: Sequence[Lifted]) -> list[tuple[int, ...]]:
    found = []
    for number, one in enumerate(lifted):
        with _numbered(number):
            found.append(tuple(one.positions(one.component_images())))
    return found


def _paired(
    process: LinearProcess, lifted: Sequence[Lifted], positions: Sequence[tuple[int, ...]]
) -> Correspondence:
    """Pair summands by their text, and those that are left by what they read and write."""
    summands = []
    for number, (one, moved) in enumerate(zip(lifted, positions, strict=True)):
        images = _matched(process, one, moved)
        left = [i for i in range(len(process.summands)) if i not in images]
        taken = set(images.values())
        free = [i for i in range(len(process.summands)) if i not in taken]
        shapes = [(s.action, *_touched(process, s)) for s in process.summands]
        for i in left:
            action, reads, writes = shapes[i]
            shape = (action, _image(reads, moved), _image(writes, moved))
            image = next((j for j in free if shapes[j] == shape), None)
            if image is None:
                raise _unpaired(process, one, number, i)
            free.remove(image)
            images[i] = image
        summands.append(tuple(images[i] for i in range(len(process.summands))))
    return Correspondence(tuple(positions), tuple(summands))


def _image(parameters: frozenset[int], moved: Sequence[int]) -> frozenset[int]:
    return frozenset(moved[p] for p in parameters)


def _touched(process: LinearProcess, summand: Summand) -> tuple[frozenset[int], frozenset[int]]:
    """Return the parameters that a summand reads and writes."""
    numbers = {p.variable: number for number, p in enumerate(process.parameters)}
    read = {v for term in summand.terms for v in variables_of(term)} - {*summand.variables}
    return frozenset(numbers[v] for v in read), frozenset(p for p, _ in summand.updates)


def _unpaired(process: LinearProcess, one: Lifted, which: int, number: int) -> NotProven:
    summand = process.summands[number]
    line = process.specification.source.line_number(summand.places[0][0])
    return NotProven(
        f"`{one.permutation}` is not proven to be a symmetry",
        missing=f"`{summand.action or 'tau'}` of line {line} has no image among the steps",
        which=which,
    )


def _grouped(
    process: LinearProcess,
    lifted: Sequence[Lifted],
    positions: Sequence[tuple[int, ...]],
    key: Callable[[int], Key],
    image: Callable[[int, Key], Key],
) -> Correspondence:
    """Put those that the text does not pair together with all others of the same key."""
    numbers = range(len(process.summands))
    matched = [_matched(process, one, moved) for one, moved in zip(lifted, positions, strict=True)]
    left = [i for images in matched for i in numbers if i not in images]
    left += [i for images in matched for i in {*numbers} - {*images.values()}]
    keys = dict.fromkeys(key(i) for i in left)
    waiting = [*keys]
    while waiting:
        one_key = waiting.pop()
        for which in range(len(lifted)):
            moved_key = image(which, one_key)
            if moved_key not in keys:
                keys[moved_key] = None
                waiting.append(moved_key)
    groups = {one_key: [i for i in numbers if key(i) == one_key] for one_key in keys}
    inside = {i for group in groups.values() for i in group}
    summands = []
    for which, images in enumerate(matched):
        moved = [i if i in inside else images[i] for i in numbers]
        for one_key, group in groups.items():
            other = groups[image(which, one_key)]
            if not group or not other:
                raise _unpaired(process, lifted[which], which, (group or other or [0])[0])
            moved[group[0]] = other[0]
        if sorted(moved) != [*numbers]:
            raise _unpaired(process, lifted[which], which, left[0])
        summands.append(tuple(moved))
    return Correspondence(
        tuple(positions), tuple(summands), tuple(tuple(group) for group in groups.values())
    )


def _matched(process: LinearProcess, one: Lifted, moved: Sequence[int]) -> dict[int, int]:
    """Return summands with the images that their text has, each used once."""
    variables = [p.variable for p in process.parameters]
    match = {v: variables[moved[number]] for number, v in enumerate(variables)}
    images = {}
    own = [_Prepared(process, s, one.image_of_closed) for s in process.summands]
    others: dict[Hashable, list[tuple[int, _Prepared]]] = {}
    for number, summand in enumerate(process.summands):
        prepared = _Prepared(process, summand, one.value_of_closed)
        others.setdefault(prepared.shape, []).append((number, prepared))
    for number, prepared in enumerate(own):
        candidates = others.get(prepared.shape, [])
        for at, (other, image) in enumerate(candidates):
            if prepared.matches(image, dict(match)) is not None:
                images[number] = other
                del candidates[at]
                break
    return images


class _Prepared:
    """A summand as it is compared: closed terms are replaced by constants, and what it is a sum
    over has sorts of its own, so that no parameter is taken for it."""

    def __init__(
        self, process: LinearProcess, summand: Summand, closed: Callable[[Application], str]
    ) -> None:
        variables = [p.variable for p in process.parameters]
        own = {v: replace(v, sort=f"{v.sort} of a sum") for v in summand.variables}

        def changed(term: Term) -> Term:
            return _changed(term, own, closed)

        self.arguments = [changed(term) for term in summand.arguments]
        self.conditions: Conditions = [
            (kind, tuple(changed(term) for term in terms)) for kind, terms in conditions_of(summand)
        ]
        self.updates: Conditions = [
            (True, (variables[p], changed(term))) for p, term in summand.updates
        ]
        kinds = sorted(str(kind) for kind, _ in self.conditions)
        sorts = sorted(v.sort for v in summand.variables)
        written = sorted(variables[p].sort for p, _ in summand.updates)
        self.shape = (summand.action, tuple(kinds), tuple(sorts), tuple(written))

    def matches(self, image: _Prepared, match: Match) -> Match | None:
        """Return `match` extended so that this becomes `image`; None if that is not seen."""
        matcher = Matcher({}, lambda one, other: False)
        if not matcher.extend(match, self.arguments, image.arguments):
            return None
        for further in matcher.all(match, self.updates, image.updates):
            for last in matcher.all(further, self.conditions, image.conditions):
                return last
        return None


def _changed(
    term: Term, own: dict[Variable, Variable], closed: Callable[[Application], str]
) -> Term:
    """Return a term with variables replaced, and closed parts by constants that `closed` names."""
    results: list[Term] = []
    waiting: list[tuple[Term, bool]] = [(term, False)]
    while waiting:
        part, inside = waiting.pop()
        if isinstance(part, Variable):
            results.append(own.get(part, part))
        elif part.is_ground:
            results.append(Application(Function(closed(part), (), part.sort)))
        elif not inside:
            waiting.append((part, True))
            waiting += ((argument, False) for argument in reversed(part.arguments))
        else:
            arguments = tuple(results[len(results) - len(part.arguments) :])
            del results[len(results) - len(part.arguments) :]
            results.append(Application(part.function, arguments))
    return results[0]


def _searched(process: LinearProcess, lifted: Sequence[Lifted]) -> list[tuple[int, ...]]:
    """Find what becomes of parameters by matching summands with one another."""
    found = []
    for number, one in enumerate(lifted):
        moved = _Search(process, one).positions()
        if moved is None:
            raise NotProven(
                f"`{one.permutation}` is not proven to be a symmetry",
                missing="no permutation of the parameters was found that goes with it",
                which=number,
            )
        found.append(moved)
    return found


class _Search:
    """A search for what one permutation does to parameters."""

    def __init__(self, process: LinearProcess, one: Lifted) -> None:
        self.process = process
        self.variables = [p.variable for p in process.parameters]
        self.numbers = {v: number for number, v in enumerate(self.variables)}
        self.starts = [one.value_of_closed(_closed(term)) for term in process.initial]
        self.wanted = [one.image_of_closed(_closed(term)) for term in process.initial]
        self.fixed = one.array_sorts
        own = [_Prepared(process, s, one.image_of_closed) for s in process.summands]
        others: dict[Hashable, list[_Prepared]] = {}
        for summand in process.summands:
            prepared = _Prepared(process, summand, one.value_of_closed)
            others.setdefault(prepared.shape, []).append(prepared)
        self.steps = count(_STEPS, -1)
        candidates = [
            (summand, [c for c in others.get(summand.shape, []) if self.first(summand, c)])
            for summand in own
        ]
        # Those that no other one could be the image of are paired later, by what they read.
        self.candidates = sorted((c for c in candidates if c[1]), key=lambda c: len(c[1]))

    def first(self, summand: _Prepared, image: _Prepared) -> bool:
        return self.extended({}, summand, image) is not None

    def extended(self, match: Match, summand: _Prepared, image: _Prepared) -> Match | None:
        """Return parameters matched so that a summand becomes another one."""
        found = summand.matches(image, dict(match))
        if found is None:
            return None
        found = {one: other for one, other in found.items() if one in self.numbers}
        if any(not self.fits(one, other) for one, other in found.items()):
            return None
        return found

    def fits(self, one: Variable, other: Variable) -> bool:
        """Whether the initial value of a parameter becomes that of another one."""
        start, image = self.numbers[one], self.numbers[other]
        return one.sort in self.fixed or self.wanted[start] == self.starts[image]

    def positions(self) -> tuple[int, ...] | None:
        """Return the image of every parameter, by number; None if there is none in sight."""
        match = self.search()
        if match is None:
            return None
        free = [v for v in self.variables if v not in match.values()]
        for one in self.variables:
            if one not in match:
                likely = [one, *free] if one in free else free
                other = next((v for v in likely if v.sort == one.sort and self.fits(one, v)), None)
                if other is None:
                    return None
                free.remove(other)
                match[one] = other
        return tuple(self.numbers[match[v]] for v in self.variables)

    def search(self) -> Match | None:
        """Match the summands that can be, one after the other, and go back where that fails."""
        stack: list[tuple[Match, Iterator[_Prepared]]] = []
        match: Match = {}
        while len(stack) < len(self.candidates):
            stack.append((match, iter(self.candidates[len(stack)][1])))
            while True:
                if not stack or next(self.steps) < 0:
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
