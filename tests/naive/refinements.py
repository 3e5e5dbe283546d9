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
    if name in MODELS:
        shift = large.state_count
        steps = theirs + [{(a, t + shift) for a, t in of} for of in ours]
        return difference(MODELS[name](steps), small.initial + shift, large.initial)
    if name != "trace":
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
        return [offer for offer in offers if "tau" not in offer]

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
            if name.startswith("failures"):
                known = stable(theirs, allowed)
                if any(not any(k <= own for k in known) for own in stable(ours, there)):
                    return length
            labels = {a for s in there for a, _ in ours[s] if a != "tau" or name == "trace"}
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


def difference(model, small, large):
    """Return the length of a shortest trace after which `small` has what `large` has not, or None.

    A model is the steps that traces are made of; for every state those that count as reached where
    it is; and for every state what it has by itself. A trace that only `small` has is a difference.
    """
    steps, reach, own = model
    level = {(frozenset({small}), frozenset({large}))}
    seen, length = set(level), 0
    while level:
        following = set()
        for left, right in level:
            of_left, of_right = (
                set().union(*(own[t] for s in states for t in reach[s])) for states in (left, right)
            )
            if not right or not of_left <= of_right:
                return length
            for label in {a for s in left for a, _ in steps[s]}:
                following.add((after(steps, left, label), after(steps, right, label)))
        level = following - seen
        seen |= following
        length += 1
    return None


def refinement(model):
    states = range(len(model[0]))
    return {(p, q) for p, q in product(states, repeat=2) if difference(model, p, q) is None}


def strong_failures(steps):
    """Return the model of failures (trace, refused), internal steps being steps as any other."""
    subsets = sets_of({a for of in steps for a, _ in of})
    own = [{x for x in subsets if not x & offers(steps, s)} for s in range(len(steps))]
    return steps, [{s} for s in range(len(steps))], own


def impossible_futures(steps, counts):
    """Return the model of impossible futures (van Glabbeek and Voorhoeve, 2006); `counts` makes
    internal steps steps as any other.

    (trace, X) is one if the trace leads to a state with no trace in X. Of all X of a state the
    complement of its traces says the most: another state has it if it has no trace that the first
    one lacks. So what a state has by itself are the states that have all of its traces.
    """
    states = range(len(steps))
    moves = steps if counts else delayed(steps)
    reach = [{s} for s in states] if counts else silent(steps)
    fewer = refinement((moves, reach, [set() for _ in states]))
    return moves, reach, [{r for r in states if (s, r) in fewer} for s in states]


def revivals(steps):
    """Return the model of stable revivals (Reed, Roscoe and Sinclair, 2007): traces, those to
    deadlocks, and (trace, X, a) of stable states that refuse X and offer a."""
    subsets = sets_of({a for of in steps for a, _ in of} - {"tau"})

    def own(s):
        offered = offers(steps, s)
        if "tau" in offered:
            return set()
        return {(x, a) for x in subsets for a in offered if not x & offered} or {"deadlock"}

    return delayed(steps), silent(steps), [own(s) for s in range(len(steps))]


MODELS = {
    "strong-impossible-futures": lambda steps: impossible_futures(steps, True),
    "impossible-futures": lambda steps: impossible_futures(steps, False),
    "revivals": revivals,
    "strong-failures": strong_failures,
}
PREORDERS = {
    "failures": lambda steps: failures(steps, False),
    "failures-divergences": lambda steps: failures(steps, True),
}
PREORDERS |= {
    name: (lambda steps, model=model: refinement(model(steps))) for name, model in MODELS.items()
}
