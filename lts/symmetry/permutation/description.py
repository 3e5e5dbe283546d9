"""Description of a group of permutations for people: not by generators, if all permutations of some
elements are in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import lts._engine as _engine
from lts.symmetry.permutation.notation import Permutation

__all__ = ["Factor", "factors"]

_SHOWN = 6
"""Most elements that are listed if they have no consecutive numbers."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of a group: the group of those generators that move some elements, which no other
    generator moves. `order` is None if the generators also have maps."""

    generators: tuple[Permutation, ...]
    elements: tuple[str, ...]
    order: int | None

    @property
    def is_symmetric_group(self) -> bool:
        """Whether these are all permutations of at least three elements; a generator describes all
        permutations of two."""
        count = len(self.elements)
        full = 1
        for factor in range(2, count + 1):
            full *= factor
        return count > 2 and self.order == full

    def text(self, sorts: Mapping[str, str]) -> str:
        """Return a description; `sorts` has the sorts of elements, as far as they have one.

        >>> from lts.symmetry.permutation.notation import parse_permutation
        >>> swaps = [parse_permutation(text) for text in ("(p1 p2)", "(p2 p3)", "(a b)")]
        >>> [factor.text({"p1": "Pid"}) for factor in factors(swaps)]
        ['Pid: all permutations of p1..p3', '`(a b)`']
        """
        if not self.is_symmetric_group:
            return ", ".join(f"`{generator}`" for generator in self.generators)
        sort = next((sorts[name] for name in self.elements if name in sorts), None)
        where = self.generators[0].where
        place = f" in {', '.join(map(str, where))}" if where else ""
        named = "" if sort is None else f"{sort}: "
        return f"{named}all permutations of {_listed(self.elements)}{place}"


def factors(generators: Sequence[Permutation]) -> list[Factor]:
    """Return the factors of the group that these permutations generate, in their order."""
    parts: list[tuple[list[Permutation], set[str]]] = []
    for generator in generators:
        moved = {str(element) for element in generator.images}
        joined = [part for part in parts if part[1] & moved]
        whole = [each for part in joined for each in part[0]] + [generator]
        rest = [part for part in parts if part not in joined]
        parts = [*rest, (whole, moved.union(*(part[1] for part in joined)))]
    place = {generator: number for number, generator in reversed([*enumerate(generators)])}
    parts.sort(key=lambda part: min(place[generator] for generator in part[0]))
    return [_factor(sorted(part, key=place.__getitem__), moved) for part, moved in parts]


def _factor(generators: Sequence[Permutation], moved: set[str]) -> Factor:
    elements = sorted(moved, key=_natural)
    numbers = {element: number for number, element in enumerate(elements)}
    # Elements in different places of labels are different points.
    is_alike = len({generator.where for generator in generators}) == 1
    if not is_alike or any(generator.maps for generator in generators):
        return Factor(tuple(generators), tuple(elements), None)
    images = []
    for generator in generators:
        image = list(range(len(elements)))
        for element, other in generator.images.items():
            image[numbers[str(element)]] = numbers[str(other)]
        images.append(image)
    order = _engine.group_order(len(elements), images) if elements else 1
    return Factor(tuple(generators), tuple(elements), order)


def _natural(text: str) -> list[tuple[int, int, str]]:
    """Return a key that orders `p2` before `p10`."""
    return [
        (0, int(part), part) if part.isdecimal() and len(part) < 19 else (1, 0, part)
        for part in re.split(r"(\d+)", text)
    ]


def _listed(elements: Sequence[str]) -> str:
    """Return the elements in words, shortened if they are numbered or many."""
    found = [
        re.fullmatch(r"(.*?)(0|[1-9]\d{0,17})(\D*)", element, re.DOTALL) for element in elements
    ]
    if len({each and (each[1], each[3]) for each in found}) == 1 and found[0] is not None:
        numbers = [int(each[2]) for each in found if each]
        if numbers == [*range(numbers[0], numbers[0] + len(numbers))]:
            return f"{elements[0]}..{elements[-1]}"
    if len(elements) <= _SHOWN:
        return ", ".join(elements)
    return f"{', '.join(elements[: _SHOWN - 2])}, .., {elements[-1]} ({len(elements)} values)"
