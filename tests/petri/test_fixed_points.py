"""Operators of CTL by search backwards, against their definitions, step by step."""

from collections import Counter
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS
from lts.petri.fixed_points import MANY, Predecessors
from strategies import examples

STATES = 80


def random_system(random):
    """A system with few steps, or with many, and its steps."""
    count = random.choice([STATES, 8 * STATES])
    pairs = {(random.randrange(STATES), random.randrange(STATES)) for _ in range(count)}
    pairs |= {(state, state + 1) for state in range(STATES - 1) if random.random() < 0.9}
    steps = sorted(pairs)
    return LTS.from_transitions([(a, "a", b) for a, b in steps], state_count=STATES), steps


def until(steps, before, goal):
    found = {*goal}
    while True:
        more = {a for a, b in steps if b in found and a in before} - found
        if not more:
            return found
        found |= more


def always(steps, holds):
    """What remains of some states when those without a step that stays are removed in turn."""
    found, moving = {*holds}, {a for a, _ in steps}
    while True:
        staying = {a for a, b in steps if b in found} | ({*range(STATES)} - moving)
        if found <= staying:
            return found
        found &= staying


def test_ctl_operators_match_definitions():
    reached = Counter()

    @settings(max_examples=examples(6))
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        system, steps = random_system(random)
        predecessors = Predecessors(system)
        part = random.choice([0.02, 0.3, 0.97])
        truths = [np.array([random.random() < p for _ in range(STATES)]) for p in (0.8, part)]
        before, goal = ({*np.flatnonzero(truth).tolist()} for truth in truths)
        found = predecessors.until(*truths)
        assert {*np.flatnonzero(found).tolist()} == until(steps, before, goal)
        assert {*np.flatnonzero(predecessors.always(truths[1])).tolist()} == always(steps, goal)
        # A search begins with the steps into the goal, and one begins with those out of it.
        for start in (goal, {*range(STATES)} - goal):
            into = sum(b in start for _, b in steps)
            reached["few" if 0 < into < STATES // MANY else "many"] += 1

    check()
    assert min(reached["few"], reached["many"]) > 0, reached
