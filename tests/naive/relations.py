"""Relations on states from their definitions: slow, obvious, and sharing nothing with the product.

A system is `steps`: for every state a set of (label, target). The internal action is `tau`.
"""

from itertools import product

from naive import refinements
from naive.steps import after, delayed, offers, silent, steps_of, weak


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


def branching_simulation(steps):
    """Return one half of branching bisimulation: internal steps may stay where they are, others
    follow internal ones that lead to a state that is related, too."""
    reach = silent(steps)
    return greatest(len(steps), lambda r, p, q: branches(steps, reach, r, p, q))


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
    "branching-simulation": branching_simulation,
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


PREORDERS |= refinements.PREORDERS
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
