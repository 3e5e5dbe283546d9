"""Refinements from their definitions: what a system does after traces, another one may do.

Slow, obvious, and sharing nothing with the product. Preorders are pairs (implementation,
specification) of states.
"""

from itertools import combinations, product

from naive.steps import after, delayed, offers, silent, steps_of


def failures(steps, divergences):
    """Return the preorder of (failures-)divergences refinement as pairs (implementation, spec).

    By the sets of failures themselves, up to traces of a length after which nothing new comes: both
    are read off the product of the two deterministic systems, pair by pair.
    """
    reach, moves = silent(steps), delayed(steps)
    states = range(len(steps))
    alphabet = sorted({a for s in states for a, _ in steps[s]} - {"tau"})
    subsets = [
        frozenset(chosen)
        for size in range(len(alphabet) + 1)
        for chosen in combinations(alphabet, size)
    ]
    cycle = {s for s in states if any(a == "tau" and s in reach[t] for a, t in steps[s])}
    endless = {s for s in states if reach[s] & cycle}

    def refusals(reached):
        """Return what stable states among those reached by a trace refuse."""
        stable = {s for r in reached for s in reach[r] if "tau" not in offers(steps, s)}
        return {x for x in subsets for s in stable if not x & offers(steps, s)}

    def refines(small, large):
        start = (frozenset({small}), frozenset({large}))
        waiting, seen = [start], {start}
        while waiting:
            left, right = waiting.pop()
            if divergences:
                if right & endless:
                    continue  # chaos: every failure and every divergence from here on
                if left & endless:
                    return False
            if left and not right:
                return False
            if not refusals(left) <= refusals(right):
                return False
            for label in alphabet:
                pair = after(moves, left, label), after(moves, right, label)
                if pair[0] and pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
        return True

    return {(p, q) for p, q in product(states, repeat=2) if refines(p, q)}


def shortest(name, large, small):
    """Return the length of a shortest trace that shows that `small` does not refine `large`, or
    None: by the definitions, on the sets of states that a trace leads to."""
    theirs, ours = steps_of(large), steps_of(small)
    reaching = [(lambda s: {s})] * 2
    counts = name in ("trace", "strong-failures")
    if not counts:
        reaching = [silent(steps).__getitem__ for steps in (theirs, ours)]

    def closed(reach, states):
        return frozenset(t for s in states for t in reach(s))

    def endless(steps, states):
        reach = silent(steps)
        return any(
            s in reach[u] for r in states for s in reach[r] for a, u in steps[s] if a == "tau"
        )

    def stable(steps, states):
        offers = [{a for a, _ in steps[s]} for s in states]
        return [offer for offer in offers if counts or "tau" not in offer]

    level = {(closed(reaching[0], [large.initial]), closed(reaching[1], [small.initial]))}
    seen, length = set(level), 0
    while level:
        following = set()
        for allowed, there in level:
            if not allowed:
                return length
            if name == "failures-divergences":
                if endless(theirs, allowed):
                    continue
                if endless(ours, there):
                    return length
            if "failures" in name:
                known = stable(theirs, allowed)
                if any(not any(k <= own for k in known) for own in stable(ours, there)):
                    return length
            labels = {a for s in there for a, _ in ours[s] if a != "tau" or counts}
            for label in labels:
                pair = (
                    closed(reaching[0], after(theirs, allowed, label)),
                    closed(reaching[1], after(ours, there, label)),
                )
                if pair not in seen:
                    seen.add(pair)
                    following.add(pair)
        level, length = following, length + 1
    return None


def sets_of(labels):
    return [
        frozenset(chosen)
        for size in range(len(labels) + 1)
        for chosen in combinations(sorted(labels), size)
    ]


def by_traces(steps, moves, reach, has):
    """Return the pairs of which the first has, after every trace of `moves`, what the second has.

    `has(s)` is what state s has by itself; after a trace it is what all states have that `reach`
    gives for those that the trace leads to. A trace that only the first has is a difference, too.
    """
    own = [has(s) for s in range(len(steps))]

    def refines(small, large):
        start = (frozenset({small}), frozenset({large}))
        waiting, seen = [start], {start}
        while waiting:
            left, right = waiting.pop()
            of_left, of_right = (
                [own[t] for s in states for t in reach[s]] for states in (left, right)
            )
            if not right or not set().union(*of_left) <= set().union(*of_right):
                return False
            for label in {a for s in left for a, _ in moves[s]}:
                pair = after(moves, left, label), after(moves, right, label)
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
        return True

    return {pair for pair in product(range(len(steps)), repeat=2) if refines(*pair)}


def strong_failures(steps):
    """Return refinement of failures (trace, refused), internal steps being steps as any other."""
    subsets = sets_of({a for of in steps for a, _ in of})
    at_once = [{s} for s in range(len(steps))]
    return by_traces(
        steps, steps, at_once, lambda s: {x for x in subsets if not x & offers(steps, s)}
    )


PREORDERS = {
    "failures": lambda steps: failures(steps, False),
    "failures-divergences": lambda steps: failures(steps, True),
    "strong-failures": strong_failures,
}
