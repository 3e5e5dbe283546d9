"""Steps that are never possible break no symmetry, also none of sorts that move only together."""

import itertools
from collections import Counter
from random import Random

import pytest

from lts.mucrl import generate, linearise, read_text
from lts.symmetry import find_in_specification

HEAD = """%@ include Enum of d1,d2,d3 as D
%@ include Enum of e1,e2,e3 as E
act a,c: D#E
act b: D
"""


def found(body):
    return find_in_specification(linearise(read_text(HEAD + body)))


@pytest.mark.parametrize("broken", ["c(d1,e1)", "b(d2)"])
@pytest.mark.parametrize("shift", [0, 1])
def test_two_sorts_that_move_only_together(broken, shift):
    steps = " + ".join(f"(a(d{n},e{(n - 1 + shift) % 3 + 1}).X(b))" for n in (1, 2, 3))
    body = f"proc X(b:Bool) = {steps} + ({broken}.X(b) <| b |> delta)\ninit X(F)"
    assert found(body).order == 6
    # The same step, if it is possible.
    assert found(body.replace("X(F)", "X(T)")).order < 6


def test_random_processes_with_steps_that_are_never_possible():
    """The group is that of the labels, as all states but the initial one are left by no step."""
    reached = Counter()
    values = [f"d{n}" for n in (1, 2, 3)], [f"e{n}" for n in (1, 2, 3)]
    for seed in range(30):
        random = Random(seed)
        pairs = list(itertools.product(*values))
        possible = random.sample(pairs, random.randint(1, 6))
        if random.random() < 0.6:
            ends = random.sample(values[1], 3)
            possible = list(zip(values[0], ends, strict=True))
        never = random.sample(pairs, random.randint(1, 3))
        steps = [f"(a({d},{e}).X(b))" for d, e in possible]
        steps += [f"(c({d},{e}).X(b) <| b |> delta)" for d, e in never]
        random.shuffle(steps)
        group = found(f"proc X(b:Bool) = {' + '.join(steps)}\ninit X(F)")
        used = [sorted({pair[n] for pair in possible}) for n in (0, 1)]
        moves = itertools.product(*map(itertools.permutations, used))
        maps = [
            [dict(zip(one, other, strict=True)) for one, other in zip(used, own, strict=True)]
            for own in moves
        ]
        expected = sum(
            {(one[d], two[e]) for d, e in possible} == set(possible) for one, two in maps
        )
        assert group.order == expected, (possible, never)
        reached["moves one sort", expected > 1] += 1
        text = HEAD + f"proc X(b:Bool) = {' + '.join(steps)}\ninit X(F)"
        assert generate(read_text(text)).transition_count == len(possible)
    assert min(reached.values()) >= 3, reached
