"""Random pairs of small systems, for tests that count the cases they have covered."""

from lts import LTS


def pairs(random, count, labels=("tau", "a", "b"), most=4):
    """Yield pairs of systems with up to `most` states: independent ones, or one and a variant of
    it."""
    for _ in range(count):
        left = _rows(random, random.randint(1, most), labels, random.randint(0, 2 * most))
        if random.random() < 0.4:
            right = _rows(random, random.randint(1, most), labels, random.randint(0, 2 * most))
        else:
            right = [row for row in left if random.random() < 0.8]
            right += _rows(random, most, labels, random.randint(0, 2))
        yield tuple(LTS.from_transitions(rows, state_count=most) for rows in (left, right))


def _rows(random, states, labels, count):
    pick = random.randrange
    return [(pick(states), random.choice(labels), pick(states)) for _ in range(count)]
