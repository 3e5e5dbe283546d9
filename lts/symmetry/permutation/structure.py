"""Names of groups of permutations: `S_3 wr S_2`, `S_2 x D_4`, `Z_4`. Only proven names are given.

`S_n` are all permutations of n objects, `A_n` the even ones, `Z_n` is cyclic of order n, `D_n`
dihedral of order 2n, `x` a direct product, and in `X wr Y` the group Y, which permutes some blocks,
permutes copies of X, one for each block.

A group is the direct product of its actions on some sets of orbits if the orders agree. If it has
an orbit on which only the identity fixes all points, this action is considered alone. An action on
n points is recognised as `S_n` or `A_n` by its order, as these are the only groups of permutations
of n points with these orders. If it permutes blocks of points, it is a subgroup of `X wr Y`, where
X is what the stabiliser of a block does to this block, and Y what the group does to the blocks; so
it is the whole if the orders agree (embedding theorem of Krasner and Kaloujnine). Any other group
of at most `_SMALL` elements is compared with named groups of the same order: pairs of elements, one
of each group, generate a subgroup of the product of both; if its order and those of its two
projections all are the order of the groups, it is an isomorphism.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import factorial, lcm, prod

import lts._engine as _engine
from lts.symmetry.permutation.cycles import Images, composed, cycle, cycles, inverse, orbits
from lts.symmetry.permutation.notation import Permutation

__all__ = ["structure_of"]

_SMALL = 400
"""Most elements of a group that is compared with named groups."""
MOST_POINTS = 1_000
"""Most points of a group that is examined."""
_ORBITS = 64
"""Most orbits of a group that is examined."""
_COMPARED = 2_000
"""Most pairs of elements that are compared with the generators of a named group."""

Named = tuple[str, int]
"""A name, and how strongly it binds: 0 for a product, 1 for a wreath product, 2 for an atom."""


def structure_of(generators: Sequence[Permutation], order: int) -> str | None:
    """Return the name of the group of a given order that some permutations generate; None if it is
    not recognised, or if the order of the group on the permuted elements is another one.

    >>> from lts.symmetry.permutation.notation import parse_permutation
    >>> structure_of([parse_permutation("(a b)"), parse_permutation("(a c) (b d)")], 8)
    'D_4'
    """
    # Elements in different places of labels are different points.
    if (
        any(generator.maps for generator in generators)
        or len({generator.where for generator in generators}) > 1
    ):
        return None
    elements = dict.fromkeys(element for generator in generators for element in generator.images)
    numbers = {element: number for number, element in enumerate(elements)}
    if len(numbers) > MOST_POINTS:
        return None
    group = [
        tuple(numbers[generator.images.get(element, element)] for element in elements)
        for generator in generators
    ]
    if _order(group) != order:
        return None
    found = _name(group)
    return None if found is None else found[0]


def _order(group: Sequence[Images]) -> int:
    return _engine.group_order(len(group[0]), group) if group and group[0] else 1


def _name(group: Sequence[Images]) -> Named | None:
    """Return the name of a group of permutations."""
    found = [_linked_name(part) for part in _direct_factors(group)]
    return None if None in found else _product([factor for factor in found if factor is not None])


def _product(factors: Sequence[Named]) -> Named:
    if len(factors) < 2:
        return factors[0] if factors else ("1", 2)
    return " x ".join(_inside(factor, 1) for factor in factors), 0


def _inside(named: Named, binding: int) -> str:
    return named[0] if named[1] >= binding else f"({named[0]})"


def _wreath(below: Named, above: Named) -> Named:
    return f"{_inside(below, 2)} wr {_inside(above, 2)}", 1


def _on(group: Sequence[Images], points: Sequence[int]) -> list[Images]:
    """Return the action of a group on points that it permutes, without the identity."""
    numbers = {point: number for number, point in enumerate(points)}
    moved = (tuple(numbers[images[point]] for point in points) for images in group)
    return [images for images in dict.fromkeys(moved) if images != tuple(range(len(points)))]


def _direct_factors(group: Sequence[Images]) -> list[list[Images]]:
    """Return the actions on sets of orbits whose direct product the group is."""
    if not group:
        return []
    parts = [list(orbit) for orbit in orbits(len(group[0]), group) if len(orbit) > 1]
    if len(parts) > _ORBITS:
        return [list(group)]
    orders = {tuple(part): _order(_on(group, part)) for part in parts}
    linked = True
    while linked:
        linked = False
        for one, other in combinations(parts, 2):
            both = one + other
            size = _order(_on(group, both))
            if size < orders[tuple(one)] * orders[tuple(other)]:
                parts[parts.index(one)] = both
                parts.remove(other)
                orders[tuple(both)] = size
                linked = True
                break
    if prod(orders[tuple(part)] for part in parts) > _order(group):
        return [list(group)]
    return [_on(group, part) for part in parts]


def _linked_name(group: Sequence[Images]) -> Named | None:
    """Return the name of a group that is not the direct product of its actions on its orbits."""
    size = _order(group)
    moved = [list(orbit) for orbit in orbits(len(group[0]), group) if len(orbit) > 1]
    for orbit in sorted(moved, key=len):
        own = _on(group, orbit)
        if _order(own) == size and (found := _transitive_name(own, size)) is not None:
            return found
    return _name_of_small(group, size)


def _transitive_name(group: Sequence[Images], size: int) -> Named | None:
    """Return the name of a group that moves each point to each other one."""
    points = len(group[0])
    if size == factorial(points):
        return f"S_{points}", 2
    if points > 3 and size == factorial(points) // 2:
        return f"A_{points}", 2
    if (found := _cyclic_or_dihedral(group, size)) is not None:
        return found
    for blocks in _block_systems(group):
        above = _on_blocks(group, blocks)
        below = _on(_stabiliser(group, blocks), blocks[0])
        if _order(below) ** len(blocks) * _order(above) == size:
            names = _name(below), _name(above)
            if names[0] is not None and names[1] is not None:
                return _wreath(names[0], names[1])
    return None


def _block_systems(group: Sequence[Images]) -> Iterator[list[list[int]]]:
    """Yield the smallest blocks with the first point and another one, for each of these."""
    points = len(group[0])
    seen: set[tuple[int, ...]] = set()
    for other in range(1, points):
        block = [*range(points)]

        def of(point: int, block: list[int] = block) -> int:
            while block[point] != point:
                block[point] = block[block[point]]
                point = block[point]
            return point

        waiting = [(0, other)]
        while waiting:
            first, second = map(of, waiting.pop())
            if first == second:
                continue
            block[max(first, second)] = min(first, second)
            waiting += ((images[first], images[second]) for images in group)
        system = tuple(map(of, range(points)))
        if system in seen or not any(system):
            continue
        seen.add(system)
        found: dict[int, list[int]] = {}
        for point, name in enumerate(system):
            found.setdefault(name, []).append(point)
        yield [*found.values()]


def _on_blocks(group: Sequence[Images], blocks: Sequence[Sequence[int]]) -> list[Images]:
    at = {point: number for number, block in enumerate(blocks) for point in block}
    return [tuple(at[images[block[0]]] for block in blocks) for images in group]


def _stabiliser(group: Sequence[Images], blocks: Sequence[Sequence[int]]) -> list[Images]:
    """Return generators of the permutations that map the first block to itself, by Schreier's
    lemma."""
    at = {point: number for number, block in enumerate(blocks) for point in block}
    to: dict[int, Images] = {0: tuple(range(len(group[0])))}
    waiting = [0]
    for number in waiting:
        for images in group:
            image = at[images[blocks[number][0]]]
            if image not in to:
                to[image] = composed(images, to[number])
                waiting.append(image)
    found = {
        composed(inverse(to[at[images[blocks[number][0]]]]), composed(images, to[number]))
        for number in to
        for images in group
    }
    return sorted(found)


def _period(images: Images) -> int:
    return lcm(*map(len, cycles(images)))


def _elements(group: Sequence[Images]) -> list[Images]:
    """Return all elements of a small group."""
    identity = tuple(range(len(group[0])))
    found = {identity: None}
    waiting = [identity]
    for one in waiting:
        for images in group:
            element = composed(images, one)
            if element not in found:
                found[element] = None
                waiting.append(element)
    return waiting


def _cyclic_or_dihedral(group: Sequence[Images], size: int) -> Named | None:
    """Return the name of a cyclic or dihedral group.

    A dihedral group of order 2n is generated by an element of order n and one of order 2 that
    inverts it under conjugation; the second one is not a power of the first if n > 2.
    """
    if size > _SMALL:
        return None
    elements = _elements(group)
    periods = [_period(element) for element in elements]
    if size in periods:
        return _cyclic(size)
    half = size // 2
    if size % 2 or half < 3 or half not in periods:
        return None
    turn = elements[periods.index(half)]
    back = inverse(turn)
    for flip, period in zip(elements, periods, strict=True):
        if period == 2 and composed(flip, composed(turn, flip)) == back:
            return ("S_3", 2) if half == 3 else (f"D_{half}", 2)
    return None


def _cyclic(size: int) -> Named:
    return (f"S_{size}" if size == 2 else f"Z_{size}"), 2


def _name_of_small(group: Sequence[Images], size: int) -> Named | None:
    """Return the name of a small group by comparing it with the named groups of its order."""
    if size > _SMALL:
        return None
    if (found := _cyclic_or_dihedral(group, size)) is not None:
        return found
    periods = Counter(map(_period, _elements(group)))
    for known in _known_groups(size):
        if known.periods == periods and _are_isomorphic(known.generators, group, size):
            return known.named
    return None


def _are_isomorphic(one: Sequence[Images], other: Sequence[Images], size: int) -> bool:
    """Whether some elements of the second group correspond to the generators of the first one;
    False if that is not found. Both groups are of the given order."""
    classes, others = _classes(one), _classes(other)
    kinds = (Counter(kind[:2] for kind in found.values()) for found in (classes, others))
    if next(kinds) != next(kinds):
        return False
    alike: dict[tuple[int, ...], list[Images]] = {}
    for image, kind in others.items():
        alike.setdefault(kind[:2], []).append(image)
    degree = len(one[0])
    left = _COMPARED
    # The first generator is mapped to one element of each class: the others are conjugate to it.
    firsts: dict[int, Images] = {}
    for image, kind in others.items():
        firsts.setdefault(kind[2], image)
    chosen: list[Iterator[Images]] = [
        iter([i for i in firsts.values() if others[i][:2] == classes[one[0]][:2]])
    ]
    images: list[Images] = []
    while chosen:
        following: Images | None = next(chosen[-1], None)
        if following is None:
            chosen.pop()
            if images:
                images.pop()
            continue
        image = following
        left -= 1
        if left < 0:
            return False
        own = one[len(images)]
        if any(
            classes[composed(before, own)][:2] != others[composed(at, image)][:2]
            for before, at in zip(one, images, strict=False)
        ):
            continue
        images.append(image)
        if len(images) < len(one):
            chosen.append(iter(alike.get(classes[one[len(images)]][:2], ())))
            continue
        pairs = zip(one, images, strict=True)
        both = [(*own, *(degree + image for image in at)) for own, at in pairs]
        if _order(both) == size == _order(images):
            return True
        images.pop()
    return False


def _classes(group: Sequence[Images]) -> dict[Images, tuple[int, int, int]]:
    """Return for each element of a small group its order, and the size and number of its class of
    conjugates."""
    found: dict[Images, tuple[int, int, int]] = {}
    inverses = [(inverse(images), images) for images in group]
    number = 0
    for one in _elements(group):
        if one in found:
            continue
        conjugates = dict.fromkeys([one])
        waiting = [one]
        for element in waiting:
            for back, images in inverses:
                conjugate = composed(images, composed(element, back))
                if conjugate not in conjugates:
                    conjugates[conjugate] = None
                    waiting.append(conjugate)
        kind = _period(one), len(conjugates), number
        found.update(dict.fromkeys(conjugates, kind))
        number += 1
    return found


@dataclass(frozen=True, slots=True)
class _Known:
    """A group with its name, and how many elements it has of each order."""

    named: Named
    generators: list[Images]
    periods: Counter[int]


@cache
def _known_groups(size: int) -> tuple[_Known, ...]:
    """Return named groups of an order, those with simple names first."""
    found = [*_indecomposable(size)]
    for number in range(2, size):
        if size % number:
            continue
        for first in _indecomposable(number):
            for second in _known_groups(size // number):
                # Each product is made with its factors in one order.
                if first.named[0] <= second.named[0].partition(" x ")[0]:
                    periods: Counter[int] = Counter()
                    for (n, a), (m, b) in product(first.periods.items(), second.periods.items()):
                        periods[lcm(n, m)] += a * b
                    group = _product_group(first.generators, second.generators)
                    found.append(_Known(_product([first.named, second.named]), group, periods))
    found.sort(key=lambda known: (known.named[0].count(" "), known.named[1] == 0))
    return tuple(found)


@cache
def _indecomposable(size: int) -> tuple[_Known, ...]:
    """Return named groups of an order whose names are not products."""
    found: list[tuple[Named, list[Images]]] = [(_cyclic(size), [cycle(size, range(size))])]
    for points in range(4, 7):
        if factorial(points) == size:
            found.append(((f"S_{points}", 2), _symmetric(points)))
        if factorial(points) == 2 * size:
            found.append(((f"A_{points}", 2), _alternating(points)))
    if size % 2 == 0 and size > 4:
        half = size // 2
        name = "S_3" if half == 3 else f"D_{half}"
        found.append(((name, 2), _dihedral(half)))
    for copies in range(2, 9):
        for below in range(2, size):
            if below**copies >= size:
                break
            for above, top in _transitive_groups(copies):
                if _order(top) * below**copies == size:
                    for known in _known_groups(below):
                        group = _wreath_group(known.generators, top)
                        found.append((_wreath(known.named, above), group))
    return tuple(
        _Known(named, group, Counter(map(_period, _elements(group)))) for named, group in found
    )


def _symmetric(points: int) -> list[Images]:
    return [cycle(points, (0, 1)), cycle(points, range(points))]


def _alternating(points: int) -> list[Images]:
    long = range(points) if points % 2 else range(1, points)
    return [cycle(points, (0, 1, 2)), cycle(points, long)]


def _dihedral(points: int) -> list[Images]:
    return [cycle(points, range(points)), tuple(-point % points for point in range(points))]


def _transitive_groups(points: int) -> Iterator[tuple[Named, list[Images]]]:
    """Yield named groups that permute some points transitively."""
    yield (f"S_{points}", 2), _symmetric(points)
    if points > 2:
        yield _cyclic(points), [cycle(points, range(points))]
    if points > 3:
        yield (f"D_{points}", 2), _dihedral(points)
        yield (f"A_{points}", 2), _alternating(points)


def _wreath_group(bottom: Sequence[Images], top: Sequence[Images]) -> list[Images]:
    degree, copies = len(bottom[0]), len(top[0])
    found = [(*images, *range(degree, degree * copies)) for images in bottom]
    for images in top:
        found.append(tuple(images[c] * degree + x for c in range(copies) for x in range(degree)))
    return found


def _product_group(one: Sequence[Images], other: Sequence[Images]) -> list[Images]:
    degree = len(one[0])
    after = range(degree, degree + len(other[0]))
    found = [(*images, *after) for images in one]
    return found + [(*range(degree), *(degree + image for image in images)) for images in other]
