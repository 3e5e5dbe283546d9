"""Names of groups, against an exhaustive search for an isomorphism to the group that the name
denotes, which is built here from its definition."""

from collections import Counter
from itertools import combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st

import lts._engine as _engine
from lts.symmetry import parse_permutation
from lts.symmetry.permutation import structure
from lts.symmetry.permutation.structure import structure_of
from strategies import examples

POINTS = 7


def closure(generators):
    """Return all products of permutations, given as tuples of images."""
    found = {tuple(range(len(generators[0])))}
    new = [*found]
    while new:
        one = new.pop()
        for other in generators:
            image = tuple(one[i] for i in other)
            if image not in found:
                found.add(image)
                new.append(image)
    return found


def denoted(name):
    """Return the elements of the group that a name denotes, as permutations."""
    words = name.split(" x ")
    if len(words) > 1 and name.count("(") == 0:
        groups = [denoted(word) for word in words]
        rows = []
        for chosen in product(*groups):
            row, start = [], 0
            for one in chosen:
                row += [start + i for i in one]
                start += len(one)
            rows.append(tuple(row))
        return set(rows)
    below, wreath, above = name.partition(" wr ")
    if wreath:
        bottom, top = denoted(below.strip("()")), denoted(above)
        degree = len(next(iter(bottom)))
        found = set()
        for move in top:
            for chosen in product(bottom, repeat=len(move)):
                found.add(tuple(move[c] * degree + chosen[c][x]
                                for c in range(len(move)) for x in range(degree)))  # fmt: skip
        return found
    kind, number = name.split("_")
    count = int(number)
    turn = tuple((i + 1) % count for i in range(count))
    match kind:
        case "S":
            swap = (1, 0, *range(2, count))
            return closure([swap, turn])
        case "A":
            return closure([(*range(i), i + 1, i + 2, i, *range(i + 3, count))
                            for i in range(count - 2)])  # fmt: skip
        case "Z":
            return closure([turn])
    assert kind == "D"
    return closure([turn, tuple(-i % count for i in range(count))])


def after(one, other):
    return tuple(one[i] for i in other)


def are_isomorphic(one, other):
    """Whether two groups are, by trying all images of two or three generators of the first one."""
    if len(one) != len(other):
        return False
    table = {}

    def period(element):
        if element not in table:
            power, count = element, 1
            while power != tuple(range(len(element))):
                power, count = after(power, element), count + 1
            table[element] = count
        return table[element]

    if Counter(map(period, one)) != Counter(map(period, other)):
        return False
    elements = sorted(one)
    chosen = next(
        gens
        for size in (1, 2, 3)
        for gens in combinations(elements, size)
        if len(closure(gens)) == len(one)
    )
    identity = tuple(range(len(elements[0])))
    for images in product(*([e for e in other if period(e) == period(g)] for g in chosen)):
        known = {identity: tuple(range(len(images[0])))}
        waiting = [identity]
        is_map = True
        while waiting and is_map:
            element = waiting.pop()
            for generator, image in zip(chosen, images, strict=True):
                new, moved = after(element, generator), after(known[element], image)
                if new not in known:
                    known[new] = moved
                    waiting.append(new)
                elif known[new] != moved:
                    is_map = False
                    break
        if is_map and len({*known.values()}) == len(one):
            return True
    return False


def as_text(images):
    text, seen = "", set()
    for point in range(len(images)):
        one = []
        while point not in seen:
            seen.add(point)
            one.append(f"e{point}")
            point = images[point]
        text += f"({' '.join(one)})" if len(one) > 1 else ""
    return text


def named(generators):
    moving = [generator for generator in generators if generator != tuple(range(len(generator)))]
    return structure_of([parse_permutation(as_text(one)) for one in moving], len(closure(moving)))


def test_names_denote_isomorphic_groups():
    seen = Counter()

    @settings(max_examples=examples(3), deadline=None)
    @given(st.lists(st.permutations(range(POINTS)).map(tuple), min_size=1, max_size=3),
           st.integers(0, 2))  # fmt: skip
    def denote(generators, power):
        for _ in range(power):  # powers have more cycles of one length, and small groups
            generators = [after(generator, generator) for generator in generators]
        if all(generator == tuple(range(POINTS)) for generator in generators):
            return
        group = closure(generators)
        name = named(generators)
        seen["none" if name is None else "named"] += 1
        if name is None or len(group) > 72:
            return
        seen[name.split("_")[0]] += 1
        assert are_isomorphic(denoted(name), group), (name, generators)

    denote()
    assert seen["named"] > seen["none"], seen


CUBE = ["(n3 n5) (n4 n6)", "(n1 n3 n7 n8 n6 n2) (n4 n5)"]


def test_names_of_known_groups():
    for texts, order, name in [
        (["(a b c d)"], 4, "Z_4"),
        (["(a b)", "(c d e f)", "(c e)"], 16, "S_2 x D_4"),
        (["(a b)", "(a b c)", "(d e)", "(d e f)", "(a d) (b e) (c f)"], 72, "S_3 wr S_2"),
        (["(a b c)", "(b c d)"], 12, "A_4"),
        (CUBE, 48, "S_2 wr S_3"),
        (["(a b) (c d)", "(a c) (b d)"], 4, "S_2 x S_2"),
        (["(a b c) (d e)", "(b c)"], 12, "S_3 x S_2"),
        # The group of quaternions has none of these names.
        (["(a b c d) (e f g h)", "(a e c g) (b h d f)"], 8, None),
        (["(a b)"], 3, None),
    ]:
        assert structure_of([parse_permutation(text) for text in texts], order) == name
    assert are_isomorphic(denoted("S_2 wr S_3"), denoted("S_2 x S_4"))
    assert not are_isomorphic(denoted("D_4"), denoted("Z_4 x S_2"))


def test_groups_of_many_points_have_no_name(monkeypatch):
    generators = [parse_permutation("(a b c d e)"), parse_permutation("(a b)")]
    assert structure_of(generators, 120) == "S_5"
    monkeypatch.setattr(structure, "MOST_POINTS", 4)
    assert structure_of(generators, 120) is None


ELEMENTS = st.lists(st.permutations(range(5)).map(tuple), max_size=4)


@given(ELEMENTS, ELEMENTS)
def test_members_of_groups_are_products_of_generators(generators, elements):
    inside = closure([*generators, tuple(range(5))])
    assert _engine.in_group(5, generators, elements) == [each in inside for each in elements]
