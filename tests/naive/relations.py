"""Relations on states from their definitions: slow, obvious, and sharing nothing with the product.

A system is `steps`: for every state a set of (label, target). The internal action is `tau`.
"""

from itertools import combinations, product


def steps_of(system):
    steps = [set() for _ in range(system.state_count)]
    for s, a, t in system.transitions():
        steps[s].add((a, t))
    return steps


def silent(steps):
    """Return for every state the states that it reaches by internal steps, itself included."""
    reached = [{s} for s in range(len(steps))]
    changed = True
    while changed:
        changed = False
        for s in range(len(steps)):
            more = {t for u in reached[s] for a, t in steps[u] if a == "tau"}
            if not more <= reached[s]:
                reached[s] |= more
                changed = True
    return reached


def delayed(steps):
    """Return the steps tau* a of every state, a visible."""
    reach = silent(steps)
    return [
        {(a, t) for u in reach[s] for a, t in steps[u] if a != "tau"} for s in range(len(steps))
    ]


def weak(steps):
    """Return the steps tau* a tau*, a visible, and tau* as (tau, target)."""
    reach = silent(steps)
    return [
        {("tau", t) for t in reach[s]} | {(a, v) for a, t in after for v in reach[t]}
        for s, after in enumerate(delayed(steps))
    ]


def greatest(count, keep):
    """Return the greatest relation on 0..count-1 whose pairs all satisfy `keep(relation, p, q)`."""
    relation = set(product(range(count), repeat=2))
    while True:
        kept = {(p, q) for p, q in relation if keep(relation, p, q)}
        if kept == relation:
            return relation
        relation = kept


def answers(relation, moves, replies):
    return all(any(b == a and (x, y) in relation for b, y in replies) for a, x in moves)


def offers(steps, state):
    return {a for a, _ in steps[state]}


def simulation(steps):
    return greatest(len(steps), lambda r, p, q: answers(r, steps[p], steps[q]))


def weak_simulation(steps):
    """Return the greatest relation that answers each step by one with internal steps around it."""
    wide = weak(steps)
    return greatest(len(steps), lambda r, p, q: answers(r, steps[p], wide[q]))


def safety(steps):
    """Return the safety preorder: each of the steps tau* a is answered by one of them
    (Bouajjani, Fernandez, Graf, Rodriguez and Sifakis, 1991)."""
    return simulation(delayed(steps))


def ready_simulation(steps):
    return greatest(
        len(steps),
        lambda r, p, q: offers(steps, p) == offers(steps, q) and answers(r, steps[p], steps[q]),
    )


def coupled_simulation(steps):
    reach, wide = silent(steps), weak(steps)
    return greatest(
        len(steps),
        lambda r, p, q: answers(r, steps[p], wide[q]) and any((x, p) in r for x in reach[q]),
    )


def bisimulation(steps):
    return greatest(
        len(steps),
        lambda r, p, q: (
            answers(r, steps[p], steps[q])
            and all(any(b == a and (x, y) in r for b, x in steps[p]) for a, y in steps[q])
        ),
    )


def tau_star_a(steps):
    return bisimulation(delayed(steps))


def after(steps, states, label):
    return frozenset(t for s in states for a, t in steps[s] if a == label)


def included(steps, moves, small, large):
    """Whether every sequence of `moves` of state `small` is one of state `large`."""
    waiting = [(frozenset({small}), frozenset({large}))]
    seen = set(waiting)
    while waiting:
        left, right = waiting.pop()
        for label in {a for s in left for a, _ in moves[s]}:
            pair = after(moves, left, label), after(moves, right, label)
            if not pair[1]:
                return False
            if pair not in seen:
                seen.add(pair)
                waiting.append(pair)
    return True


def traces(steps):
    n = len(steps)
    return {(p, q) for p, q in product(range(n), repeat=2) if included(steps, steps, p, q)}


def weak_traces(steps):
    # The last internal steps of a weak trace do not matter.
    moves = delayed(steps)
    n = len(steps)
    return {(p, q) for p, q in product(range(n), repeat=2) if included(steps, moves, p, q)}


PREORDERS = {
    "simulation": simulation,
    "weak-simulation": weak_simulation,
    "ready-simulation": ready_simulation,
    "coupled-simulation": coupled_simulation,
    "trace": traces,
    "weak-trace": weak_traces,
}


def equivalent_pairs(name, steps):
    if name == "tau-star-a":
        return tau_star_a(steps)
    below = PREORDERS[name](steps)
    return {(p, q) for p, q in below if (q, p) in below}


def union(left, right):
    """Return the steps of both systems side by side, and the two initial states."""
    shift = left.state_count
    steps = steps_of(left) + [{(a, t + shift) for a, t in of} for of in steps_of(right)]
    return steps, left.initial, right.initial + shift


def equivalent(name, left, right):
    steps, p, q = union(left, right)
    return (p, q) in equivalent_pairs(name, steps)


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


def branches(steps, reach, relation, p, q):
    """Whether `q` answers the steps of `p`, after internal steps that stay related to it."""
    for a, x in steps[p]:
        if a == "tau" and (x, q) in relation:
            continue
        if not any(
            b == a and (p, r) in relation and (x, y) in relation
            for r in reach[q]
            for b, y in steps[r]
        ):
            return False
    return True


def branching(steps):
    reach = silent(steps)
    return greatest(
        len(steps),
        lambda r, p, q: branches(steps, reach, r, p, q) and branches(steps, reach, r, q, p),
    )


def branching_with_divergence(steps):
    """Return branching bisimilarity with explicit divergence as pairs, from its definition.

    Beside what `branching` asks for, an infinite path of internal steps from `p` through states
    related to `q` is answered by at least one internal step from `q` to a state related to one on
    the path (van Glabbeek, Luttik and Trčka, 2009).
    """
    reach = silent(steps)
    later = [{v for a, u in of if a == "tau" for v in reach[u]} for of in steps]

    def answered(relation, p, q):
        # No path of internal steps without end stays with q, and away from all that q leads to.
        beside = {
            r
            for r in range(len(steps))
            if (r, q) in relation and not any((r, v) in relation for v in later[q])
        }
        return branches(steps, reach, relation, p, q) and not endless(steps, p, beside)

    return greatest(
        len(steps), lambda r, p, q: (q, p) in r and answered(r, p, q) and answered(r, q, p)
    )


def sharp(steps, strong):
    """Return sharp bisimilarity as a number for every state: of one number are states with the same
    strong steps, the same other steps after internal ones inside, and the same divergence inside.

    Where nothing is strong that is branching bisimilarity with explicit divergence (van Glabbeek,
    Luttik and Trčka, 2009). Numbers are refined until they stay. Pairs in a relation that is no
    equivalence yet would not do: of two states with the same divergences one may then seem to have
    less, and pairs that are gone never come back.
    """
    states = range(len(steps))
    number = [0] * len(steps)
    while True:
        signatures = []
        for s in states:
            own = {t for t in states if number[t] == number[s]}
            inside = waiting = {s}
            while waiting:
                after = {t for r in waiting for a, t in steps[r] if a == "tau" and t in own}
                waiting = after - inside
                inside = inside | waiting
            leads = {(a, number[t]) for r in inside for a, t in steps[r]} - {("tau", number[s])}
            at_once = {(a, number[t]) for a, t in steps[s] if a in strong}
            signatures.append((number[s], leads, at_once, endless(steps, s, own)))
        following = [signatures.index(signature) for signature in signatures]
        if len(set(following)) == len(set(number)):
            return number
        number = following


def pairs(number):
    """Return the pairs of places with equal numbers."""
    return {(p, q) for p, q in product(range(len(number)), repeat=2) if number[p] == number[q]}


def endless(steps, state, allowed):
    """Whether a state can do internal steps forever without leaving some states."""
    left = set(allowed)
    while True:
        kept = {s for s in left if any(a == "tau" and t in left for a, t in steps[s])}
        if kept == left:
            return state in left
        left = kept


def with_divergence(steps):
    """Return the steps with a visible loop at every state on a cycle of internal steps."""
    reach = silent(steps)
    cycle = {s for s, of in enumerate(steps) if any(a == "tau" and s in reach[t] for a, t in of)}
    return [of | ({("delta", s)} if s in cycle else set()) for s, of in enumerate(steps)]


def rooted(steps, related, moves):
    """Return the pairs whose first steps, answered by `moves`, lead to related states."""
    return {
        (p, q)
        for p, q in product(range(len(steps)), repeat=2)
        if answers(related, steps[p], moves[q])
        and answers({(y, x) for x, y in related}, steps[q], moves[p])
    }


def strictly_weak(steps):
    """Return weak steps of which every one has at least one step."""
    reach = silent(steps)
    return [
        {(a, v) for u in reach[s] for a, t in steps[u] for v in reach[t]} for s in range(len(steps))
    ]


PREORDERS["failures"] = lambda steps: failures(steps, False)
PREORDERS["failures-divergences"] = lambda steps: failures(steps, True)
BISIMULATIONS = {
    "strong": bisimulation,
    "branching": branching,
    "divergence-preserving-branching": branching_with_divergence,
    "rooted-branching": lambda steps: rooted(steps, branching(steps), steps),
    "weak": lambda steps: bisimulation(weak(steps)),
    "divergence-preserving-weak": lambda steps: bisimulation(weak(with_divergence(steps))),
    "rooted-weak": lambda steps: rooted(steps, bisimulation(weak(steps)), strictly_weak(steps)),
    "tau-star-a": tau_star_a,
}


def related(system, name):
    """Return the pairs of states that are equivalent, by one of `BISIMULATIONS`."""
    return BISIMULATIONS[name](steps_of(system))


def holds(name, left, right, preorder):
    """Whether two systems are equivalent, or the second refines the first."""
    steps, p, q = union(left, right)
    if preorder:
        return (q, p) in PREORDERS[name](steps)
    if name in BISIMULATIONS:
        return (p, q) in BISIMULATIONS[name](steps)
    return {(p, q), (q, p)} <= PREORDERS[name](steps)
