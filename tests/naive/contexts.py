"""What systems are put into: composition, hiding, priority and choice, from their definitions."""

from itertools import product

from lts import LTS


def composed(left, right, together):
    """Return both systems side by side; steps with some labels are done by both, or not at all."""
    rows = []
    place = {
        pair: n for n, pair in enumerate(product(range(left.state_count), range(right.state_count)))
    }
    for s, t in place:
        for a, u in _of(left, s):
            if a not in together:
                rows.append((place[s, t], a, place[u, t]))
            rows += [
                (place[s, t], a, place[u, v]) for b, v in _of(right, t) if a == b and a in together
            ]
        rows += [(place[s, t], b, place[s, v]) for b, v in _of(right, t) if b not in together]
    return _system(rows, place[left.initial, right.initial], len(place))


def hidden(system, label):
    """Return a system in which steps with a label are internal."""
    rows = [(s, "tau" if a == label else a, t) for s, a, t in system.transitions()]
    return _system(rows, system.initial, system.state_count)


def prioritised(system, high, low):
    """Return a system that has no step with label `low` where it has one with label `high`."""
    rows = list(system.transitions())
    above = {s for s, a, _ in rows if a == high}
    kept = [row for row in rows if row[1] != low or row[0] not in above]
    return _system(kept, system.initial, system.state_count)


def chosen(left, right):
    """Return the system that begins as one of two, and goes on as that one."""
    shift = left.state_count
    rows = [*left.transitions()]
    rows += [(s + shift, a, t + shift) for s, a, t in right.transitions()]
    start = shift + right.state_count
    begin = {left.initial, right.initial + shift}
    rows += [(start, a, t) for s, a, t in rows if s in begin]
    return _system(rows, start, start + 1)


def _of(system, state):
    return [(a, t) for s, a, t in system.transitions() if s == state]


def _system(rows, initial, count):
    return LTS.from_transitions(rows, initial=initial, state_count=count)
