"""The steps of systems: for every state a set of (label, target), the internal action is `tau`."""


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


def offers(steps, state):
    return {a for a, _ in steps[state]}


def after(steps, states, label):
    return frozenset(t for s in states for a, t in steps[s] if a == label)
