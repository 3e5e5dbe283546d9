"""References from the definitions: slow, obvious, and sharing nothing with the product."""

from itertools import product


def triples(system):
    """Return the transitions of an LTS as a set."""
    return set(system.transitions())


def bisimulation(count, steps):
    """Return the greatest bisimulation on states 0..count-1 as a set of pairs.

    `steps[s]` is a set of (label, target): strong bisimulation for the transitions themselves, weak
    for their closure.
    """
    related = set(product(range(count), repeat=2))
    while True:
        kept = {
            (s, t)
            for s, t in related
            if all(any(b == a and (x, y) in related for b, y in steps[t]) for a, x in steps[s])
            and all(any(b == a and (x, y) in related for a, x in steps[s]) for b, y in steps[t])
        }
        if kept == related:
            return related
        related = kept


def strong_steps(system):
    """Return the transitions of every state."""
    steps = [set() for _ in range(system.state_count)]
    for s, a, t in system.transitions():
        steps[s].add((a, t))
    return steps


def weak_steps(system, internal="tau"):
    """Return the weak transitions of every state: tau* a tau*, and tau* for the internal action."""
    return weak_closure(strong_steps(system), internal)


def weak_closure(strong, internal="tau"):
    """Return the weak transitions of every state, from its transitions."""
    states = range(len(strong))
    silent = [{s} for s in states]
    changed = True
    while changed:
        changed = False
        for s in states:
            more = {t for u in silent[s] for a, t in strong[u] if a == internal}
            if not more <= silent[s]:
                silent[s] |= more
                changed = True
    steps = [{(internal, t) for t in silent[s]} for s in states]
    for s in states:
        for u in silent[s]:
            for a, t in strong[u]:
                if a != internal:
                    steps[s] |= {(a, v) for v in silent[t]}
    return steps


def silent_reach(steps, internal="tau"):
    """Return for every state the states that it reaches by internal steps, itself included."""
    reach = []
    for s in range(len(steps)):
        found, waiting = {s}, [s]
        while waiting:
            more = {t for a, t in steps[waiting.pop()] if a == internal} - found
            found |= more
            waiting += more
        reach.append(found)
    return reach


def on_silent_cycle(steps, states, internal="tau"):
    """Return those of `states` that lie on a cycle of internal steps through `states` only."""
    inside = [
        {(a, t) for a, t in row if a == internal and t in states} if s in states else set()
        for s, row in enumerate(steps)
    ]
    reach = silent_reach(inside)
    return {s for s in states if any(s in reach[t] for _, t in inside[s])}


def branching_bisimulation(count, steps, *, divergence=False, internal="tau"):
    """Return the greatest branching bisimulation as a set of pairs.

    A step `s -a-> s'` is matched by none if it is internal and `s'` is related to `t`; else by
    internal steps from `t` to some `u` and `u -a-> t'`, `s` related to `u` and `s'` to `t'`. With
    `divergence` an infinite path of internal steps from `s` through states related to `t` is, by at
    least one internal step from `t` to a state related to one on the path (van Glabbeek, Luttik and
    Trcka, 2009).
    """
    reach = silent_reach(steps, internal)
    after = [{v for a, u in steps[t] if a == internal for v in reach[u]} for t in range(count)]
    related = set(product(range(count), repeat=2))

    def matched(s, t):
        for a, x in steps[s]:
            if a == internal and (x, t) in related:
                continue
            if not any(
                (s, u) in related and b == a and (x, y) in related
                for u in reach[t]
                for b, y in steps[u]
            ):
                return False
        return True

    def diverges_with(s, t):
        """No path of internal steps without end stays with t, and away from all that t leads to."""
        beside = {
            u
            for u in range(count)
            if (u, t) in related and not any((u, v) in related for v in after[t])
        }
        if s not in beside:
            return True
        inside = [
            {(a, v) for a, v in steps[u] if a == internal and v in beside} if u in beside else set()
            for u in range(count)
        ]
        return not silent_reach(inside)[s] & on_silent_cycle(steps, beside, internal)

    while True:
        kept = {
            (s, t)
            for s, t in related
            if matched(s, t)
            and matched(t, s)
            and (not divergence or (diverges_with(s, t) and diverges_with(t, s)))
            and (t, s) in related
        }
        if kept == related:
            return related
        related = kept


def with_loops(system, internal="tau", mark="delta"):
    """Return the steps of every state, with a visible loop where an internal cycle passes."""
    steps = strong_steps(system)
    for s in on_silent_cycle(steps, set(range(system.state_count)), internal):
        steps[s].add((mark, s))
    return steps


def related_pairs(system, kind):
    """Return the pairs of states that are equivalent, by definition; `kind` is not rooted."""
    count = system.state_count
    if kind == "strong":
        return bisimulation(count, strong_steps(system))
    if kind == "branching":
        return branching_bisimulation(count, strong_steps(system))
    if kind == "divergence-preserving-branching":
        return branching_bisimulation(count, strong_steps(system), divergence=True)
    if kind == "weak":
        return bisimulation(count, weak_steps(system))
    if kind == "divergence-preserving-weak":
        return bisimulation(count, weak_closure(with_loops(system)))
    raise ValueError(kind)


def rooted_equivalent(system, one, other, kind):
    """Whether two states are related by the rooted variant of branching or weak bisimulation."""
    related = related_pairs(system, kind)
    steps = strong_steps(system)
    if kind == "weak":
        # At least one internal step where one is to be matched.
        reach = silent_reach(steps)
        weak = weak_steps(system)
        first = [
            {(a, t) for a, t in weak[s] if a != "tau"}
            | {("tau", t) for a, u in steps[s] if a == "tau" for t in reach[u]}
            for s in range(system.state_count)
        ]
    else:
        first = steps

    def matched(s, t):
        return all(any(b == a and (x, y) in related for b, y in first[t]) for a, x in steps[s])

    return matched(one, other) and matched(other, one)


def minimal_sizes(system, kind):
    """Return the numbers of states and transitions of the minimal system, by definition.

    For weak bisimulation: a smallest set of transitions with the same weak transitions, found by
    leaving out one after the other while nothing changes.
    """
    steps = strong_steps(system) if kind == "strong" else weak_steps(system)
    related = bisimulation(system.state_count, steps)
    block = [min(t for t in range(system.state_count) if (s, t) in related)
             for s in range(system.state_count)]  # fmt: skip
    rows = {(block[s], a, block[t]) for s, a, t in system.transitions()}
    reached = {block[system.initial]}
    while True:
        more = {t for s, _, t in rows if s in reached}
        if more <= reached:
            break
        reached |= more
    rows = {row for row in rows if row[0] in reached}
    if kind == "weak":
        rows = {(s, a, t) for s, a, t in rows if not (a == "tau" and s == t)}
        wanted = _closure(rows, reached)
        for row in sorted(rows):
            if _closure(rows - {row}, reached) == wanted:
                rows.discard(row)
    return len(reached), len(rows)


def _closure(rows, states):
    numbers = {state: number for number, state in enumerate(sorted(states))}

    class System:
        state_count = len(numbers)

        @staticmethod
        def transitions():
            return [(numbers[s], a, numbers[t]) for s, a, t in rows]

    return weak_steps(System)


def isomorphic(left, right):
    """Whether the reachable parts of two systems are isomorphic, by networkx."""
    import networkx

    def graph(system):
        found = networkx.DiGraph()
        waiting, seen = [system.initial], {system.initial}
        rows = {}
        for s, a, t in triples(system):
            rows.setdefault(s, set()).add((a, t))
        while waiting:
            s = waiting.pop()
            found.add_node(s, initial=s == system.initial)
            for a, t in rows.get(s, ()):
                if not found.has_edge(s, t):
                    found.add_edge(s, t, labels=set())
                found[s][t]["labels"].add(a)
                if t not in seen:
                    seen.add(t)
                    waiting.append(t)
        return found

    matcher = networkx.algorithms.isomorphism.DiGraphMatcher(
        graph(left),
        graph(right),
        node_match=lambda a, b: a["initial"] == b["initial"],
        edge_match=lambda a, b: a["labels"] == b["labels"],
    )
    return matcher.is_isomorphic()


def bisimilar(left, right):
    """Whether two systems are strongly bisimilar: rounds of splitting by signatures."""
    shift = left.state_count
    steps = [[] for _ in range(shift + right.state_count)]
    for s, a, u in left.transitions():
        steps[s].append((a, u))
    for s, a, u in right.transitions():
        steps[s + shift].append((a, u + shift))
    block, count = [0] * len(steps), 1
    while True:
        signatures = [
            (block[s], frozenset((a, block[u]) for a, u in out)) for s, out in enumerate(steps)
        ]
        numbers = {}
        block = [numbers.setdefault(signature, len(numbers)) for signature in signatures]
        if len(numbers) == count:
            return block[left.initial] == block[shift + right.initial]
        count = len(numbers)
