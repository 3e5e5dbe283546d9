"""Whole systems compared by their definitions: bisimilar, isomorphic, and how small one can be."""

from naive.relations import related, weak


def minimal_sizes(system, kind):
    """Return the numbers of states and transitions of the minimal system, by definition.

    For weak bisimulation: a smallest set of transitions with the same weak transitions, found by
    leaving out one after the other while nothing changes.
    """
    pairs = related(system, kind)
    block = [min(t for t in range(system.state_count) if (s, t) in pairs)
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
        expected = _closure(rows, reached)
        for row in sorted(rows):
            if _closure(rows - {row}, reached) == expected:
                rows.discard(row)
    return len(reached), len(rows)


def _closure(rows, states):
    numbers = {state: number for number, state in enumerate(sorted(states))}
    steps = [set() for _ in numbers]
    for s, a, t in rows:
        steps[numbers[s]].add((a, numbers[t]))
    return weak(steps)


def isomorphic(left, right):
    """Whether the reachable parts of two systems are isomorphic, by networkx."""
    import networkx

    def graph(system):
        found = networkx.DiGraph()
        waiting, seen = [system.initial], {system.initial}
        rows = {}
        for s, a, t in system.transitions():
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
