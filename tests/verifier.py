"""The verifier of certificates, and the claims of certificates, checked by definition."""

import copy
import json
from pathlib import Path

from hypothesis import strategies as st

import aut_format
from lts import LTS
from lts.certificates import as_text
from lts_verifier import __main__ as verifier

NAMES = ("tau", "a", "b", "i")
VERIFIER = Path(__file__).resolve().parents[1] / "lts_verifier"


def written(folder, name, system):
    aut_format.write(system, folder / name)
    return str(folder / name)


def holds(certificate, files):
    """Whether the verifier accepts a certificate, read from its file."""
    try:
        said = verifier.verify(json.loads(as_text(certificate)), files)
    except (verifier.Invalid, verifier.Unreadable):
        return False
    assert said.startswith("valid: ")
    return True


def in_words(system, internal):
    """Return a system in which exactly the internal labels are called `tau`."""
    rows = [(s, "tau" if a in internal else f"visible {a}", t) for s, a, t in system.transitions()]
    return LTS.from_transitions(rows, initial=system.initial, state_count=system.state_count)


def permutes(generator, system, internal):
    """Whether a generator permutes labels and states and preserves transitions, by definition."""
    labels, images = dict(map(tuple, generator["labels"])), generator["states"]
    reachable = set(system.reachable_states().search(1))
    rows = {row for row in system.transitions() if row[0] in reachable}
    moved = {(images[s], labels.get(a, a), images[t]) for s, a, t in rows}
    return (
        images[system.initial] == system.initial
        and {images[s] for s in reachable} == reachable
        and moved == rows
        and all(labels.get(a, a) == a for a in internal)
        and len(set(labels.values())) == len(labels)
    )


def in_full(generators, states, names):
    """Return all elements of a group, as permutations of states and labels."""
    points = [*states, *sorted(names)]
    identity = tuple(points)
    tables = [
        {x: x for x in points} | {s: g["states"][s] for s in states} | dict(map(tuple, g["labels"]))
        for g in generators
    ]
    found, waiting = {identity}, [identity]
    while waiting:
        element = waiting.pop()
        for table in tables:
            image = tuple(table[x] for x in element)
            if image not in found:
                found.add(image)
                waiting.append(image)
    return points, found, tables


def is_reduction(certificate, system, rows):
    """Whether the group generates the system from the encoding, and rho-steps say how: each state
    of the system then corresponds to a state of the encoding and a coset of the subgroup generated
    by closed paths of rho-steps."""
    generators = certificate["generators"]
    if not all(permutes(generator, system, certificate["internal"]) for generator in generators):
        return False
    states, rho = certificate["states"], certificate["rho"]
    reached = sorted(system.reachable_states().search(1))
    whole = {row for row in system.transitions() if row[0] in reached}
    names = {a for _, a, _ in whole} | {a for g in generators for pair in g["labels"] for a in pair}
    points, group, tables = in_full(generators, reached, names)
    place = {x: i for i, x in enumerate(points)}
    stored = {(states[s], a, states[t]) for s, a, t in rows if a not in rho}
    if not stored <= whole:
        return False
    images = [{tuple(g[place[x]] for x in row) for g in group} for row in stored]
    if set().union(*images) != whole or sum(map(len, images)) != len(whole):
        return False
    if len(set(states)) != len(states) or not set(states) <= set(reached):
        return False
    if any(number >= len(tables) for word in rho.values() for number, _ in word):
        return False
    steps = []
    for s, a, t in rows:
        if a in rho:
            element = points
            for number, times in rho[a]:
                for _ in range(times):
                    element = [tables[number][x] for x in element]
            steps.append((states[s], tuple(element), states[t]))
    for state in states:
        if not all(e[place[s]] == t for s, e, t in steps):
            return False
        orbit = {g[place[state]] for g in group}
        walks, waiting = {(state, tuple(points))}, [(state, tuple(points))]
        while waiting:
            at, done = waiting.pop()
            for s, e, t in steps:
                inverse = tuple(sorted(points, key=lambda x: place[e[place[x]]]))
                for begin, turn, end in ((s, e, t), (t, inverse, s)):
                    if begin == at:
                        walk = end, tuple(turn[place[x]] for x in done)
                        if walk not in walks:
                            walks.add(walk)
                            waiting.append(walk)
        closed = {g for at, g in walks if at == state}
        if {at for at, _ in walks} != orbit & set(states):
            return False
        if closed != {g for g in group if g[place[state]] == state}:
            return False
    return {g[place[s]] for s in states for g in group} == set(reached)


def places(value, path=()):
    """Yield the paths to all parts of a table."""
    yield path
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in items:
            yield from places(part, (*path, key))


def mutated(data, certificate):
    """Return a certificate with something changed in it."""
    changed = copy.deepcopy(certificate)
    paths = [path for path in places(changed) if path]
    path = data.draw(st.sampled_from(paths))
    *before, key = path
    holder = changed
    for step in before:
        holder = holder[step]
    old = holder[key]
    kinds = ["drop", "other", "number", "swap", "label"]
    kind = data.draw(st.sampled_from(kinds))
    if kind == "drop":
        del holder[key]
    elif kind == "number" and isinstance(old, int):
        holder[key] = old + data.draw(st.sampled_from([-1, 1, 2]))
    elif kind == "swap":
        other = data.draw(st.sampled_from(paths))
        *before, last = other
        place = changed
        for step in before:
            place = place[step]
        holder[key], place[last] = copy.deepcopy(place[last]), copy.deepcopy(old)
    elif kind == "label":
        holder[key] = data.draw(st.sampled_from([*NAMES, "c", "strong", "weak", "branching", None]))
    else:
        others = [None, 0, 1, True, "a", [], {}, [0], ["a"], -1, 1.5, [old], [old, old]]
        holder[key] = data.draw(st.sampled_from(others))
    return changed
