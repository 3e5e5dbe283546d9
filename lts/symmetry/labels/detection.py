"""Detection: all permutations of labels under which an LTS is symmetric."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import lts._engine as _engine
from lts.base.argument_types import expect_limit
from lts.base.bounds import CHOICES
from lts.base.label_names import normal
from lts.equivalence import minimise
from lts.equivalence.names import EQUIVALENCES, equivalence_named
from lts.errors import LimitReached, ParseError, SpecificationError, Unsupported
from lts.symmetry.labels.dialects import Action, Label, LabelPart, parse_label, plain
from lts.symmetry.labels.lift import lift_labels
from lts.symmetry.permutation.cycles import cycles, orbits
from lts.symmetry.permutation.notation import Element, Permutation, Structure, parse_permutation
from lts.system.lts import LTS

__all__ = ["Detection", "detection", "find_symmetry", "written"]


@dataclass(frozen=True, slots=True)
class Detection:
    """A group of label permutations.

    `generators` generate it, `order` is its order, `orbits` are the sets of labels that it
    exchanges, without singletons.
    """

    generators: tuple[Permutation, ...]
    order: int
    orbits: tuple[tuple[str, ...], ...]

    def __repr__(self) -> str:
        return f"<Detection: order {self.order}, {len(self.generators)} generators>"

    def __bool__(self) -> bool:
        """Whether the group has more elements than the identity."""
        return self.order > 1


def find_symmetry(
    system: LTS,
    equivalence: str = "strong",
    *,
    any_labels: bool = False,
    node_limit: int = CHOICES.default,
) -> Detection:
    """Return all label permutations under which an LTS is symmetric modulo a bisimulation.

    Internal labels are fixed. By default only permutations are considered that permute the data in
    each argument position of each action; with `any_labels`, all permutations of labels. Raises
    `LimitReached` if `node_limit` choices do not find all, `Unsupported` for an equivalence that is
    not a bisimulation.

    >>> system = LTS.from_transitions(
    ...     [(0, "in(d1)", 1), (1, "out(d1)", 0), (0, "in(d2)", 2), (2, "out(d2)", 0)]
    ... )
    >>> [str(generator) for generator in find_symmetry(system).generators]
    ['(d1 d2)']
    """
    expect_limit(node_limit, "the limit on choices")
    least = _least(system, equivalence)
    internal = set(least.internal)
    parsed = {
        label: None if any_labels or label in internal else parse_label(normal(label))
        for label in least.labels
    }
    colours: dict[object, int] = {}
    data: dict[tuple[str, int, int, str], int] = {}
    label_colours, arguments = [], []
    for label, parts in parsed.items():
        kind: object = label  # fixed
        actions: list[list[int]] = []
        if any_labels and label not in internal:
            kind = None
        elif parts is not None:
            kind = parts.frames
            for action in parts.actions:
                count, row = len(action.arguments), []
                for place, part in enumerate(action.arguments):
                    datum = (action.name, count, place, parts.shown(part))
                    row.append(data.setdefault(datum, len(data)))
                actions.append(row)
        label_colours.append(colours.setdefault(kind, len(colours)))
        arguments.append(actions)
    data_colours = [colours.setdefault(datum[:3], len(colours)) for datum in data]
    found = _engine.symmetries_of_lts(
        least._engine, label_colours, arguments, data_colours, node_limit
    )
    if found is None:
        raise LimitReached(
            f"{CHOICES.amount(node_limit)} did not find all symmetries",
            limit=node_limit,
            found={"choices": node_limit},
        )
    images, factors = found
    if not any(parts is not None and parts.repeats for parts in parsed.values()):
        return detection(images, least.labels, parsed, prod(factors))
    # An exchange of data in several actions of one name at once may move no label.
    moving = [image for image in images if image != [*range(len(image))]]
    return detection(moving, least.labels, parsed)


def detection(
    images: Sequence[Sequence[int]],
    labels: Sequence[str],
    parsed: Mapping[str, Label | None],
    order: int | None = None,
) -> Detection:
    """Return the group that permutations of labels, by number, generate; `order` if it is known."""
    named = [{a: labels[b] for a, b in zip(labels, image, strict=True)} for image in images]
    return Detection(
        generators=tuple(written(generator, parsed) for generator in named),
        order=_engine.group_order(len(labels), images) if order is None else order,
        orbits=_orbits(named, labels),
    )


def _least(system: LTS, name: str) -> LTS:
    """Return the system minimised so that no two states are strongly bisimilar, with unused labels
    removed."""
    kind = equivalence_named(name)
    if kind.family != "bisimulation":
        known = ", ".join(n for n, e in EQUIVALENCES.items() if e.family == "bisimulation")
        raise Unsupported(f"symmetries are found modulo bisimulations only: {known}")
    least = minimise(system, kind.name)
    if kind.name != "strong":
        least = minimise(least, "strong")
    counts = least.label_counts()
    if all(counts.values()):
        return least
    used = [label for label, count in counts.items() if count]
    numbers = {label: number for number, label in enumerate(used)}
    renumbered = array("I", (numbers.get(label, 0) for label in least.labels))
    return LTS.from_columns(
        least._engine.source,
        array("I", (renumbered[number] for number in least.label.tolist())),
        least._engine.target,
        used,
        least.initial,
        least.state_count,
    ).with_internal(least.internal)


def written(images: Mapping[str, str], parsed: Mapping[str, Label | None]) -> Permutation:
    """Write a permutation of labels as a permutation of data, in the shortest form that has these
    images."""
    for permutation in _readings(images, parsed):
        if permutation is not None and _means(permutation, images):
            return permutation
    moved = {a: b for a, b in images.items() if a != b}
    return Permutation(_cycles(moved, quoted=True))


def _readings(
    images: Mapping[str, str], parsed: Mapping[str, Label | None]
) -> Iterator[Permutation | None]:
    """Yield permutations of data that may have these images, the shortest first."""
    pairs = [
        (one, other)
        for label, one in parsed.items()
        if images[label] != label
        and one is not None
        and (other := parsed[images[label]]) is not None
        # With several actions of one name, it is ambiguous which becomes which.
        and not one.repeats
    ]
    actions = [
        (one, action, other, image)
        for one, other in pairs
        for action, image in zip(_by_name(one), _by_name(other), strict=True)
    ]
    parts = [
        (one, part, other, moved)
        for one, action, other, image in actions
        for part, moved in zip(action.arguments, image.arguments, strict=True)
    ]
    arguments = [(plain(one.shown(p)), plain(other.shown(q))) for one, p, other, q in parts]
    patterns: dict[tuple[str, int], list[bool]] = {}
    for one, action, other, image in actions:
        count = len(action.arguments)
        changes = patterns.setdefault((action.name, count), [False] * count)
        for place, part in enumerate(action.arguments):
            changes[place] |= one.shown(part) != other.shown(image.arguments[place])
    where = tuple(
        Structure(name, tuple(Structure("*" if change else "_") for change in changes))
        for (name, _), changes in sorted(patterns.items())
    )
    inner = [pair for each in parts for pair in _differences(*each)]
    for differing in (inner, arguments):
        data = _as_permutation(differing)
        if data is not None:
            cycles = _cycles(data, quoted=False)
            yield Permutation(cycles)
            yield Permutation(cycles, where)


def _by_name(label: Label) -> list[Action]:
    return sorted(label.actions, key=lambda action: action.name)


def _differences(
    left: Label, part: LabelPart, right: Label, image: LabelPart
) -> Iterator[tuple[str, str]]:
    """Yield the innermost parts in which arguments of two labels differ."""
    waiting = [(part, image)]
    while waiting:
        one, other = waiting.pop()
        if (
            one.parts
            and len(one.parts) == len(other.parts)
            and left.layout(one.parts, one.start, one.end)
            == right.layout(other.parts, other.start, other.end)
        ):
            waiting.extend(zip(one.parts, other.parts, strict=True))
        elif left.shown(one) != right.shown(other):
            yield plain(left.shown(one)), plain(right.shown(other))


def _as_permutation(pairs: Iterable[tuple[str, str]]) -> dict[str, str] | None:
    """Return pairs as a permutation, without fixed elements; None if they do not form one."""
    images: dict[str, str] = {}
    for one, other in pairs:
        if images.setdefault(one, other) != other:
            return None
    moved = {one: other for one, other in images.items() if one != other}
    return moved if set(moved) == set(moved.values()) else None


def _means(permutation: Permutation, images: Mapping[str, str]) -> bool:
    """Whether a permutation survives printing and parsing, and has these images of labels."""
    try:
        if parse_permutation(str(permutation)) != permutation:
            return False
        lifted = lift_labels(permutation, images)
    except (ParseError, SpecificationError):
        return False
    return all(lifted[label] == image for label, image in images.items())


def _cycles(images: Mapping[str, str], *, quoted: bool) -> tuple[tuple[Element, ...], ...]:
    table = sorted(images, key=_natural)
    return tuple(
        tuple(Element(table[number], quoted) for number in cycle)
        for cycle in cycles(_numbered(table, images))
    )


def _orbits(
    generators: Sequence[Mapping[str, str]], labels: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Return the orbits with more than one label."""
    table = sorted(labels, key=_natural)
    found = orbits(len(table), [_numbered(table, images) for images in generators])
    return tuple(tuple(table[number] for number in orbit) for orbit in found if len(orbit) > 1)


def _numbered(table: Sequence[str], images: Mapping[str, str]) -> list[int]:
    """Return a permutation of texts as a permutation of their numbers in `table`."""
    numbers = {text: number for number, text in enumerate(table)}
    return [numbers[images[text]] for text in table]


def _natural(text: str) -> list[tuple[int, str]]:
    """Return a sort key that compares numbers in texts by value, however many digits they have."""
    parts = re.split(r"0*([0-9]+)", text)
    return [(len(part) if i % 2 else 0, part) for i, part in enumerate(parts)]
