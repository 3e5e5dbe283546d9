"""Fewer generators of a group, against the set of all its elements, and as they are used."""

from collections import Counter
from random import Random

import pytest

from lts import mucrl
from lts.errors import NotSymmetric
from lts.symmetry import count_orbits, parse_permutation
from lts.symmetry.permutation.cycles import composed, fewer
from naive.groups import closure

POINTS = 7


def random_generators(random):
    """Transpositions that join the points of some blocks, some of which move together, and maybe
    something else."""
    points = [*range(POINTS)]
    random.shuffle(points)
    size = random.randint(2, 3)
    one, other, rest = points[:size], points[size : 2 * size], points[2 * size :]
    found = []
    together = random.random() < 0.5
    for first, second in [(0, 1), (1, 2), (0, 2)][: 3 if size == 3 else 1]:
        pairs = [(one[first], one[second])]
        if together:
            pairs.append((other[first], other[second]))
        found.append(swapped(*pairs))
        if not together and random.random() < 0.7:
            found.append(swapped((other[first], other[second])))
    if len(rest) > 1 and random.random() < 0.5:
        found.append(swapped(tuple(rest[:2])))
    if random.random() < 0.3:
        found.append(composed(random.choice(found), random.choice(found)))
    if random.random() < 0.2:
        found.append(tuple(random.sample(range(POINTS), POINTS)))
    random.shuffle(found)
    return found


def swapped(*pairs):
    images = [*range(POINTS)]
    for a, b in pairs:
        images[a], images[b] = b, a
    return tuple(images)


def test_fewer_generators_generate_the_same_group():
    random, seen = Random(3), Counter()
    for _ in range(400):
        given = random_generators(random)
        found = fewer(POINTS, given)
        identity = tuple(range(POINTS))
        group, same = (closure([identity], functions) for functions in (given, found))
        assert group == same, (given, found)
        seen["fewer"] += len(found) < len(given)
        seen["given"] += found == tuple(given)
    assert min(seen["fewer"], seen["given"]) > 50, seen


TEXT = """%@ include Enum of p1..p6 as Pid
%@ include Set of Pid as X
act a: Pid
    b
proc G(x:X) = sum(j:Pid, a(j).G(insert(x,j)) <| and(not(contains(x,j)), lt(size(x),2)) |> delta)
init G(empty_X)
"""


def test_adjacent_transpositions_generate_all_permutations():
    process = mucrl.linearise(mucrl.read_text(TEXT))
    neighbours = [parse_permutation(f"(p{n} p{n + 1})") for n in range(1, 6)]
    found = count_orbits(process, neighbours)
    assert (found.order, found.orbits, found.states) == (720, 3, 1 + 6 + 15)


def test_asymmetric_given_generator_is_named():
    begun = TEXT.replace("init G(empty_X)", "init G(insert(empty_X,p4))")
    process = mucrl.linearise(mucrl.read_text(begun))
    neighbours = [parse_permutation(f"(p{n} p{n + 1})") for n in range(1, 6)]
    with pytest.raises(NotSymmetric) as raised:
        count_orbits(process, neighbours)
    assert "(p3 p4)" in str(raised.value)
    assert raised.value.which == 2
