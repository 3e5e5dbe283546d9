"""The images of parameters and summands of a linear process under permutations of data.

The origin of parameters and summands gives a first answer: a component moves to the one whose
initial data are the images of its own, and its steps move with it. This does not work for a linear
process written by hand, or for one component that repeats the same summands for each value. Then
the text decides: closed terms are replaced by their images, and the rest is compared up to the
names of variables. Parameters are matched in the same way; if that fails, whatever the order in
which conditions join their parts, as a test of all parameters but one has another order after a
permutation. Summands that are not paired by their
text are paired by the parameters that they read and write, and those without a unique counterpart
are compared together with all others of the same action.

Nothing is proven here: a wrong correspondence is found out when steps are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from lts.errors import NotProven
from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import Application
from lts.specification.terms import variables_of
from lts.symmetry.data.proof.image_texts import Prepared, with_images
from lts.symmetry.permutation.known import message, undecided

if TYPE_CHECKING:
    from lts.symmetry.data.lift import Lifted

__all__ = ["METHODS", "Correspondence", "corresponding"]


@dataclass(frozen=True, slots=True)
class Correspondence:
    """The images of parameters and summands, by number, for each permutation.

    In each of the `groups`, the first summand represents all and moves to the first one of another
    group or of its own; the others are mapped to themselves.
    """

    positions: tuple[tuple[int, ...], ...]
    summands: tuple[tuple[int, ...], ...]
    groups: tuple[tuple[int, ...], ...] = ()


class Untouched(NotProven):
    """In this correspondence a permutation of data would move nothing at all."""


Key = TypeVar("Key", bound=Hashable)
Method = Callable[[LinearProcess, Sequence["Lifted"]], Correspondence]


def corresponding(process: LinearProcess, lifted: Sequence[Lifted], method: str) -> Correspondence:
    """Return the images of parameters and summands, found by one of the `METHODS`.

    Raises `NotProven` if there are none, and `Untouched` if a permutation of data would move
    nothing: otherwise it would trivially count as a symmetry of parameters and summands that do not
    depend on these data.
    """
    found = _METHODS[method](process, lifted)
    for number, permutation in enumerate(lifted):
        moves = [*enumerate(found.positions[number]), *enumerate(found.summands[number])]
        stays = all(place == image for place, image in moves)
        if (
            stays
            and (permutation.images or permutation.maps)
            and not _touches(process, permutation)
        ):
            missing = "no state or step of the process contains its values"
            said = message(permutation.permutation, is_refuted=False)
            raise Untouched(said, missing=missing, which=number)
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
            with_images(term, {}, note)
    return any(one.image_of_closed(term) != one.value_of_closed(term) for term in closed)


def _by_origin(process: LinearProcess, lifted: Sequence[Lifted]) -> Correspondence:
    positions, summands = [], []
    origins = {summand.origin for summand in process.summands}
    if lifted and len(origins) < len(process.summands):
        # The actions of a multi-action may communicate in several ways, which have one origin.
        raise undecided(lifted[0].permutation, missing="several steps have one origin")
    for number, permutation in enumerate(lifted):
        with _numbered(number):
            components = permutation.component_images()
            positions.append(tuple(permutation.positions(components)))
            summands.append(tuple(permutation.summand_images(components)))
    return Correspondence(tuple(positions), tuple(summands))


class _numbered:
    """Records in a `NotProven` error which permutation it is about."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, NotProven):
            error.which = self.number


def _by_text(process: LinearProcess, lifted: Sequence[Lifted]) -> Correspondence:
    return _paired(process, lifted, _of_components(lifted))


def _searched(
    process: LinearProcess, lifted: Sequence[Lifted], *, parts: bool = False
) -> list[tuple[int, ...]]:
    """Return the images of parameters that a search finds; most processes do not need one."""
    from lts.symmetry.data.proof.parameter_search import searched

    return searched(process, lifted, parts=parts)


def _by_search(process: LinearProcess, lifted: Sequence[Lifted]) -> Correspondence:
    return _paired(process, lifted, _searched(process, lifted))


def _by_parts(process: LinearProcess, lifted: Sequence[Lifted]) -> Correspondence:
    return _paired(process, lifted, _searched(process, lifted, parts=True), parts=True)


def _grouped_by_text(process: LinearProcess, lifted: Sequence[Lifted]) -> Correspondence:
    moved = [permutation.component_images() for permutation in lifted]

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


_METHODS: dict[str, Method] = {
    "origin": _by_origin,
    "text": _by_text,
    "search": _by_search,
    "parts": _by_parts,
    "groups": _grouped_by_text,
    "groups of actions": _grouped_by_search,
}
METHODS = tuple(_METHODS)
"""The methods to find a correspondence; those that leave less to compare come first."""


def _of_components(lifted: Sequence[Lifted]) -> list[tuple[int, ...]]:
    found = []
    for number, permutation in enumerate(lifted):
        with _numbered(number):
            found.append(tuple(permutation.positions(permutation.component_images())))
    return found


def _paired(
    process: LinearProcess,
    lifted: Sequence[Lifted],
    positions: Sequence[tuple[int, ...]],
    *,
    parts: bool = False,
) -> Correspondence:
    """Pair summands by their text, and the remaining ones by the parameters they read and write."""
    summands = []
    for number, (permutation, moved) in enumerate(zip(lifted, positions, strict=True)):
        images = _matched(process, permutation, moved, parts=parts)
        left = [i for i in range(len(process.summands)) if i not in images]
        taken = set(images.values())
        free = [i for i in range(len(process.summands)) if i not in taken]
        shapes = [(s.action, *_touched(process, s)) for s in process.summands]
        for i in left:
            action, reads, writes = shapes[i]
            shape = (action, _image(reads, moved), _image(writes, moved))
            image = next((j for j in free if shapes[j] == shape), None)
            if image is None:
                raise _unpaired(process, permutation, number, i)
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
    return undecided(
        one.permutation,
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
    """Group the summands that the text does not pair by their key."""
    numbers = range(len(process.summands))
    matched = [
        _matched(process, permutation, moved)
        for permutation, moved in zip(lifted, positions, strict=True)
    ]
    left = [i for images in matched for i in numbers if i not in images]
    left += [i for images in matched for i in {*numbers} - {*images.values()}]
    alike: dict[Key, list[int]] = {}
    for i in numbers:
        alike.setdefault(key(i), []).append(i)
    groups = {key(i): alike[key(i)] for i in left}
    waiting = [*groups]
    while waiting:
        one_key = waiting.pop()
        for which, permutation in enumerate(lifted):
            moved_key = image(which, one_key)
            if moved_key not in alike:
                raise _unpaired(process, permutation, which, alike[one_key][0])
            if moved_key not in groups:
                groups[moved_key] = alike[moved_key]
                waiting.append(moved_key)
    inside = {i for group in groups.values() for i in group}
    summands = []
    for which, images in enumerate(matched):
        moved = [i if i in inside else images[i] for i in numbers]
        for one_key, group in groups.items():
            moved[group[0]] = groups[image(which, one_key)][0]
        if sorted(moved) != [*numbers]:
            raise _unpaired(process, lifted[which], which, left[0])
        summands.append(tuple(moved))
    return Correspondence(
        tuple(positions), tuple(summands), tuple(tuple(group) for group in groups.values())
    )


def _matched(
    process: LinearProcess, one: Lifted, moved: Sequence[int], *, parts: bool = False
) -> dict[int, int]:
    """Return the image of each summand that is found by its text; each is used as an image once."""
    variables = [p.variable for p in process.parameters]
    match = {v: variables[moved[number]] for number, v in enumerate(variables)}
    images = {}
    own = [Prepared(process, s, one.image_of_closed, parts=parts) for s in process.summands]
    others: dict[Hashable, list[tuple[int, Prepared]]] = {}
    for number, summand in enumerate(process.summands):
        prepared = Prepared(process, summand, one.value_of_closed, parts=parts)
        others.setdefault(prepared.shape, []).append((number, prepared))
    for number, prepared in enumerate(own):
        candidates = others.get(prepared.shape, [])
        for at, (other, image) in enumerate(candidates):
            if prepared.matches(image, dict(match)) is not None:
                images[number] = other
                del candidates[at]
                break
    return images
