"""Symmetrical reductions: rho-encodings, their expansion and the exact size of the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import lts._engine as _engine
from lts.base.argument_types import expect
from lts.base.bounds import CHOICES, POWERS
from lts.errors import FormatError, LtsError, Unsupported
from lts.symmetry.labels.automorphism import check
from lts.symmetry.permutation.cycles import cycles
from lts.symmetry.permutation.file import Symmetry
from lts.symmetry.permutation.notation import (
    Element,
    Permutation,
    as_permutations,
    parse_permutation,
)
from lts.symmetry.reduction.storage import checked
from lts.system.lts import LTS, expect_systems

__all__ = ["ORDERS", "Reduction", "count", "encode", "expand", "reduce", "rho_cycles"]

ORDERS = ("greedy", "bfs")
"""Which member of a transition orbit an encoding stores: `greedy` keeps the number of states low,
`bfs` takes the first one in breadth-first order, as in van Langevelde's report."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """A rho-encoding together with its symmetry."""

    encoding: LTS
    symmetry: Symmetry
    orbits: int
    stored: int
    """Number of transitions without the rho-steps: one for each orbit of transitions."""

    def __repr__(self) -> str:
        states, transitions = self.encoding.state_count, self.encoding.transition_count
        return (
            f"<Reduction: {states} states, {transitions} transitions for "
            f"{self.symmetry.states} states, {self.symmetry.transitions} transitions>"
        )

    def expand(self) -> LTS:
        """Return the original, with states numbered breadth first; see `lts.expand`."""
        return expand(self.encoding, self.symmetry)


def reduce(
    system: LTS,
    permutations: Permutation | Sequence[Permutation],
    *,
    order: str = "greedy",
    node_limit: int = CHOICES.default,
) -> Reduction:
    """Reduce the reachable part of an LTS by the group that label permutations generate.

    Raises `NotSymmetric` and `LimitReached` as `check` does.
    """
    found = check(system, permutations, node_limit=node_limit)
    return encode(found.quotient, permutations, kind="labels", order=order)


def encode(
    quotient: _engine.Quotient,
    permutations: Permutation | Sequence[Permutation],
    *,
    kind: str,
    order: str = "greedy",
) -> Reduction:
    """Return the rho-encoding of a quotient; `kind` is the kind of `permutations` (see
    `Symmetry`)."""
    if order not in ORDERS:
        raise LtsError(f"unknown order `{order}` (known: {', '.join(ORDERS)})")
    permutations = as_permutations(permutations)
    encoding, rho = quotient.encode(order == "greedy")
    symmetry = described(quotient, permutations, kind=kind, rho=rho)
    return Reduction(LTS(encoding), symmetry, quotient.orbits, quotient.stored)


def described(
    quotient: _engine.Quotient,
    permutations: Sequence[Permutation],
    *,
    kind: str,
    rho: str,
    elements: Sequence[tuple[str, Permutation]] | None = None,
) -> Symmetry:
    """Return the symmetry file of an encoding of a quotient, whose rho-labels begin with `rho`.

    If they name `elements` of the group, these are given; otherwise they are powers of the only
    generator, or permutations of the points.
    """
    states, transitions = quotient.count()
    by_powers = elements is None and quotient.powers() is not None
    return Symmetry(
        kind=kind,
        generators=tuple(permutations),
        order=quotient.order,
        rho=rho,
        states=states,
        transitions=transitions,
        points=() if by_powers else tuple(quotient.points),
        actions=_actions(quotient, by_powers),
        elements=tuple(elements or ()),
    )


def expand(encoding: LTS, symmetry: Symmetry) -> LTS:
    """Return the original of a reduction, with states numbered breadth first.

    Raises `FormatError` if `encoding` is not a rho-encoding under that symmetry, `Unsupported` if
    the original has 2^32 or more states or transitions.
    """
    try:
        return LTS(decoded(encoding, symmetry).expand())
    except OverflowError as error:
        states, transitions = error.args
        raise Unsupported(
            f"the original has {states} states and {transitions} transitions: too many to build"
        ) from None


def count(encoding: LTS, symmetry: Symmetry) -> tuple[int, int]:
    """Return the exact numbers of states and transitions of the original, without building it."""
    return decoded(encoding, symmetry).count()


def rho_cycles(encoding: LTS, symmetry: Symmetry) -> dict[str, int]:
    """Return the number of rho-cycles of each `[length,period]`, the most frequent first."""
    prefix = f"{symmetry.rho}("
    steps = {
        number: int(label[len(prefix) : -1])
        for number, label in enumerate(encoding.labels)
        if label.startswith(prefix)
    }
    source, label = encoding.source.tolist(), encoding.label.tolist()
    transitions = zip(source, label, encoding.target.tolist(), strict=True)
    following = {s: (steps[a], t) for s, a, t in transitions if a in steps}
    found: dict[str, int] = {}
    while following:
        start, (period, at) = following.popitem()
        length = 1
        while at != start:
            step, at = following.pop(at)
            length, period = length + 1, period + step
        kind = f"[{length},{period}]"
        found[kind] = found.get(kind, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def is_reduction(system: LTS, symmetry: Symmetry) -> bool:
    """Whether a system should be read as the rho-encoding that belongs to a symmetry file.

    The initial state of an encoding has rho-steps, unless the group is trivial.
    """
    if symmetry.rho is None or symmetry.order is None:
        return False
    prefix = f"{symmetry.rho}("
    return symmetry.order == 1 or any(label.startswith(prefix) for label in system.labels)


def decoded(encoding: LTS, symmetry: Symmetry) -> _engine.Quotient:
    """Return the quotient that an encoding represents.

    Raises `FormatError` if it is not a rho-encoding under that symmetry, or if it contradicts
    anything that the symmetry file states about the encoding and the original.
    """
    expect_systems(encoding)
    expect(symmetry, Symmetry, "the symmetry of a reduction", "read_reduction gives both")
    encoding = checked(encoding, symmetry)
    order, rho, actions = symmetry.order, symmetry.rho, symmetry.actions
    if order is None or rho is None or actions is None:
        raise FormatError(
            "the symmetry file lacks `order`, `rho` or `actions`: it was not written with a "
            "reduction"
        )
    prefix = f"{rho}("
    is_rho = [label.startswith(prefix) for label in encoding.labels]
    plain = [text for text, rho in zip(encoding.labels, is_rho, strict=True) if not rho]
    quoted = (e.text for action in actions for e in action.images if e.quoted)
    table = list(dict.fromkeys([*plain, *quoted]))
    generators = []
    points = list(symmetry.points)
    for action in actions:
        for e, image in action.images.items():
            if e.quoted != image.quoted:
                raise FormatError(
                    f"`{e.text}` is mapped to `{image.text}`, but only one of them is a label"
                )
        images = {e.text: image.text for e, image in action.images.items() if e.quoted}
        named = {e.text: image.text for e, image in action.images.items() if not e.quoted}
        generators.append((_images(points, named), _images(table, images)))
    powers: list[int | None] | None = None
    elements: list[list[int] | None] | None = None
    steps = [
        text[len(rho) :] if rho_step else None
        for text, rho_step in zip(encoding.labels, is_rho, strict=True)
    ]
    if symmetry.elements:
        named_elements = {
            f"({name})": _images_of_points(element, points) for name, element in symmetry.elements
        }
        unknown = [step for step in steps if step is not None and step not in named_elements]
        if unknown:
            raise FormatError(f"`{rho}{unknown[0]}` names none of the symmetry file's `elements`")
        elements = [None if step is None else named_elements[step] for step in steps]
    elif points or len(generators) != 1:
        elements = [None if step is None else _element(step, points) for step in steps]
    else:
        if not 1 <= order <= POWERS.default:
            raise FormatError(f"without `points`, `order` must be from 1 to {POWERS.default}")
        points, images_of_points = _cyclic(order)
        generators = [(images_of_points, generators[0][1])]
        powers = [None if step is None else _power(step) for step in steps]
    names = [label.encode("utf-8", "surrogateescape") for label in table]
    try:
        found = _engine.decode(encoding._engine, names, points, generators, powers, elements)
    except ValueError as error:
        raise FormatError(f"not a rho-encoding: {error}") from None
    stated = order, symmetry.states, symmetry.transitions
    kinds = "order", "states", "transitions"
    for kind, said, computed in zip(kinds, stated, (found.order, *found.count()), strict=True):
        if said is not None and said != computed:
            raise FormatError(f"`{kind}` is {said} in the symmetry file, and {computed} here")
    return found


def _images(table: list[str], images: Mapping[str, str]) -> list[int]:
    numbers = {text: number for number, text in enumerate(table)}
    unknown = images.keys() - numbers.keys()
    if unknown:
        raise FormatError(f"`{min(unknown)}` is moved, but is not a point of the group")
    found = [numbers.get(images.get(text, text), -1) for text in table]
    if sorted(found) != list(range(len(table))):
        raise FormatError("an action of the group is not a permutation")
    return found


def _element(step: str, points: list[str]) -> list[int]:
    """Return the permutation of the points that a rho-step in cycle notation denotes."""
    return _images_of_points(parse_permutation(step, name="rho-step"), points)


def _images_of_points(permutation: Permutation, points: list[str]) -> list[int]:
    return _images(points, {e.text: image.text for e, image in permutation.images.items()})


def _power(step: str) -> int:
    digits = step[1:-1]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        raise FormatError(f"`{step}` is not a power of the symmetry")
    return int(digits)


def _cyclic(order: int) -> tuple[list[str], list[int]]:
    """Return points and a permutation of this order on them, with as few points as possible."""
    images: list[int] = []
    divisor = 2
    while order > 1:
        power = 1
        while order % divisor == 0:
            order, power = order // divisor, power * divisor
        if power > 1:
            first = len(images)
            images += [*range(first + 1, first + power), first]
        divisor = divisor + 1 if divisor * divisor <= order else max(order, 2)
    return [f"#{i}" for i in range(1, len(images) + 1)], images


def _actions(quotient: _engine.Quotient, by_powers: bool) -> tuple[Permutation, ...]:
    """Return for each generator its cycles of labels and, if points have names, of points."""
    labels = [label.decode("utf-8", "surrogateescape") for label in quotient.labels]
    names = None if by_powers else quotient.points
    actions = []
    for points, permutation in quotient.generators:
        found: list[list[Element]] = []
        if names is not None:
            found += [[Element(names[point]) for point in cycle] for cycle in cycles(points)]
        found += [[Element(labels[a], quoted=True) for a in cycle] for cycle in cycles(permutation)]
        actions.append(Permutation(tuple(map(tuple, found))))
    return tuple(actions)
