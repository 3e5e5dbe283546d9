"""Verify a certificate of ltstool against the .aut files that it is about.

    python -m lts_verifier CERTIFICATE SYSTEM.aut [RESULT.aut]

Exit code 0: valid, and what is printed is true of the files; 1: not valid; 2: something cannot be
read, or is too large. The lines printed first are all that was checked, about these files alone:

minimisation  RESULT is equivalent to SYSTEM, and no system with fewer states is
symmetry      each permutation printed, with one of the states, keeps the reachable part of SYSTEM
no-symmetry   SYSTEM is not equivalent to its image under the permutation of labels printed
reduction     SYSTEM, its reachable part, is what the group printed makes of RESULT, which has one
              member of each orbit of transitions; rho-steps tell which states are images of which

where the labels printed as internal stand for the internal action. It shares nothing with ltstool,
needs nothing but Python, and takes nothing on trust: all that a certificate says is computed from
the files. docs/certificates.md describes the format.
"""

# ruff: noqa: B905, D103
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

# A copy of this folder works where nothing is installed: `python lts_verifier`.
if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from lts_verifier import permutations
from lts_verifier.permutations import Turns, automorphism, joined, product
from lts_verifier.systems import (
    Invalid,
    System,
    Unreadable,
    Work,
    closure,
    content,
    is_number,
    quoted,
    require,
    spend,
)

WEAKER = "branching divergence-preserving-branching weak divergence-preserving-weak"
RELATIONS = ["strong", *WEAKER.split()]
MARK = re.compile(r"rho-encoding\(sha256:[0-9a-f]{64}\)")


def movers(system, relation, block, label, target):
    """Return the states of a block that have a move with `label` into the set `target`.

    If both sets are unions of classes, equivalent states agree on it: so a tree whose splits are
    such moves never separates equivalent states.
    """
    spend(len(target) + len(block))
    if relation == "strong":
        return {s for t in target for s in system.before[label][t]} & block
    if relation.endswith("weak"):
        reached = system.silent_before(target)
        if label is not None:
            reached = system.silent_before({s for t in reached for s in system.before[label][t]})
        return reached & block
    require(label is not None or not block & target, "an internal step into the block itself")
    direct = {s for t in target for s in system.before[label][t]} & block
    return system.silent_before(direct, block)


def diverging(system, relation, block, target):
    require(relation.startswith("divergence-preserving"), f"{relation} does not see divergence")
    if relation.endswith("branching"):
        return system.divergent(block)
    cycles = system.on_cycles() & system.silent_before(target)
    return system.silent_before(cycles) & block


def leaves(system, relation, states, splits):
    """Perform the splits of a tree and return its leaves; the root is block 0, and split i makes
    the blocks 2i+1 (the states that have the move) and 2i+2."""
    blocks, is_leaf = [set(states)], [True]
    for split in splits:
        number, into = split["block"], split["into"]
        known = is_number(number, len(blocks)) and is_number(into, len(blocks))
        require(known and is_leaf[number], "a split of a block that does not exist")
        block = blocks[number]
        if split.get("divergent") is True:
            yes = diverging(system, relation, block, blocks[into])
        else:
            yes = movers(system, relation, block, split["label"], blocks[into])
        require(yes and yes != block, "a split without effect")
        is_leaf[number] = False
        blocks += [yes, block - yes]
        is_leaf += [True, True]
    return [block for block, leaf in zip(blocks, is_leaf) if leaf]


def minimisation(certificate, system, result):
    """Verify that the result is the smallest system equivalent to the system, with these
    `classes`."""
    relation = certificate["equivalence"]
    system.with_internal(certificate["internal"])
    result.with_internal(certificate["result_internal"])
    classes = certificate["classes"]
    require(len(classes) == system.count, "not a class for every state")
    members = defaultdict(set)
    for state, own in enumerate(classes):
        if own is not None:
            require(is_number(own, result.count), f"not a class: {own}")
            members[own].add(state)
    require(len(members) == result.count, "a state of the result has no members")
    reached = len(result.reachable())
    require(reached == result.count, "a state of the result is unreachable")
    domain = {state for own in members.values() for state in own}
    require(system.reachable() <= domain, "a reachable state has no class")
    require(classes[system.initial] == result.initial, "the initial states do not correspond")
    for state in domain:
        require(all(t in domain for _, t in system.moves[state]), "a step leads out of all classes")
    stable(relation, system, result, classes, members)
    found = leaves(result, relation, range(result.count), certificate["tree"])
    require(all(len(leaf) == 1 for leaf in found), "the tree does not separate the result's states")
    claim = f"the result is equivalent modulo {relation} bisimulation to the system"
    return [f"{claim}, and no system with fewer states is"]


def stable(relation, system, result, classes, members):
    """Require that every state is equivalent to its class: steps are matched in both directions."""
    weak = relation.endswith("weak")
    for own, states in members.items():
        can = set(result.moves[own])
        if weak:
            for s in states:
                for a, t in system.moves[s]:
                    matched = movers(result, relation, {own}, a, {classes[t]})
                    require(matched, f"a step of state {s} has no match in the result")
        for s in states if not weak else ():
            for a, t in system.moves[s]:
                inert = relation != "strong" and a is None and classes[t] == own
                require(
                    inert or (a, classes[t]) in can, f"a step of state {s} is not in the result"
                )
        for a, other in can:
            if a is None and other == own and relation != "strong":
                continue  # a divergence, checked below
            if weak or relation == "strong":
                matched = movers(system, relation, states, a, members[other])
            else:
                direct = {s for t in members[other] for s in system.before[a][t]} & states
                matched = system.silent_before(direct, states)
            require(matched == states, f"a step of state {own} of the result has no match")
        loops = (None, own) in can
        if relation == "branching":
            require(not loops, "the result has an internal loop")
        elif relation == "divergence-preserving-branching":
            some = system.divergent(states)
            require(some == (states if loops else set()), "a divergence has no match")
    if relation == "divergence-preserving-weak":
        on_cycles, loops = system.on_cycles(), result.on_cycles()
        for own, states in members.items():
            if states & on_cycles:
                cycles = loops & result.silent_before({own})
                require(own in result.silent_before(cycles), "a divergence is not in the result")
            if own in loops:
                cycles = on_cycles & system.silent_before(states)
                require(states <= system.silent_before(cycles), "a divergence has no match")


def automorphisms(certificate, system):
    """Return the reachable states, and for each generator its action on states and labels."""
    internal = certificate["internal"]
    reachable = system.with_internal(internal).reachable()
    found = [automorphism(g, system, reachable, internal) for g in certificate["generators"]]
    require(found, "no generators")
    return reachable, found


def symmetry(certificate, system, _):
    """Verify that each generator is a symmetry of the reachable part of the system."""
    automorphisms(certificate, system)
    claim = "symmetries of the system: each, with a permutation of states, keeps its reachable part"
    return [claim, *listed(certificate["generators"])]


def no_symmetry(certificate, system, _):
    """Verify that the system is not equivalent to its image under a permutation of the labels."""
    relation, internal = certificate["equivalence"], certificate["internal"]
    labels = permutations.permutation(certificate["labels"], internal)
    shift = system.count
    image = [(shift + s, labels.get(a, a), shift + t) for s, a, t in system.rows]
    both = System(system.initial, 2 * shift, system.rows + image).with_internal(internal)
    ends = [system.initial, shift + system.initial]
    for leaf in leaves(both, relation, range(both.count), certificate["tree"]):
        require(
            not leaf.issuperset(ends), "the tree does not distinguish the system from its image"
        )
    claim = f"no symmetry modulo {relation} bisimulation: the system differs from its image under"
    return [claim, *listed([certificate])]


def reduction(certificate, system, encoding):
    """Verify that the encoding has one member of every orbit of transitions, and that its rho-steps
    generate the group elements that map states of it to each other, so that the group generates the
    system from it."""
    reachable, generators = automorphisms(certificate, system)
    marks = [row for row in encoding.rows if MARK.fullmatch(row[1])]
    loop = all(s == t == encoding.initial for s, _, t in marks)
    require(len(marks) < 2 and loop, "the mark of a reduction is one loop of the initial state")
    rows = set(encoding.rows) - set(marks)
    states = certificate["states"]
    require(len(states) == encoding.count, "not a state of the system for every state")
    known = all(is_number(s, system.count) for s in states) and set(states) <= reachable
    require(known, "not a state of the system, or an unreachable one")
    require(len(set(states)) == len(states), "two states of the encoding are equal")
    require(states[encoding.initial] == system.initial, "the initial states do not correspond")
    words = certificate["rho"]
    for word in words.values():
        fine = all(is_number(g, len(generators)) and is_number(n, 1 << 63) for g, n in word)
        require(fine, "not a word in the generators")
        fine = all(n and (i == 0 or g != word[i - 1][0]) for i, (g, n) in enumerate(word))
        require(fine, "a word is not in normal form")
    used = {a for _, a, _ in system.rows}
    require(not used & set(words), "a rho-step has the name of an action")
    stored = [(states[s], a, states[t]) for s, a, t in rows if a not in words]
    whole = {row for row in system.rows if row[0] in reachable}
    require(set(stored) <= whole, "a transition of the encoding is not one of the system")
    orbits = joined(whole, [lambda row, g=g: tuple(g.get(x, x) for x in row) for g in generators])
    chosen = [orbits[row] for row in stored]
    require(len(set(chosen)) == len(chosen), "two transitions of one orbit are stored")
    require(set(chosen) == set(orbits.values()), "an orbit of transitions is missing")
    turns = [Turns(g) for g in generators]
    linked, out, into = defaultdict(list), Counter(), Counter()
    for s, a, t in rows:
        if a in words:
            # With several generators a state may have loops in addition to its step along the
            # cycle.
            if s != t or len(generators) == 1:
                out[states[s]] += 1
                into[states[t]] += 1
            s, t, word = states[s], states[t], words[a]
            require(
                product(turns, word, s) == t, f"a rho-step {quoted(a)} leads to the wrong state"
            )
            linked[s].append((word, t))
            linked[t].append(([(g, -times) for g, times in reversed(word)], s))
    homes = joined(reachable, [g.get for g in generators])
    require({homes[s] for s in states} == set(homes.values()), "an orbit of states is missing")
    members, sizes = defaultdict(set), Counter(homes.values())
    for s in states:
        members[homes[s]].add(s)
    points = permutations.base(system, reachable, generators)
    order, group = permutations.elements(generators, points)
    for home, own in members.items():
        # The group elements along paths of rho-steps, each with the state where the path ends.
        found = closure(
            {(min(own), 0)}, lambda x: ((t, product(group, w, x[1])) for w, t in linked[x[0]])
        )
        require({s for s, _ in found} == own, "rho-steps do not connect an orbit")
        degrees = {degree[s] for s in own for degree in (out, into)}
        require(degrees <= ({1} if len(own) > 1 else {0, 1}), "rho-steps form no cycle of an orbit")
        # The elements of closed paths must be the whole stabiliser of the state.
        fixing = len(found) * sizes[home] == len(own) * order
        require(fixing, "rho-steps do not generate the stabiliser of a state")
    names = [f"rho-step {quoted(a)}: {spelt(words[a])}" for a in sorted(words)]
    claim = "the encoding is a reduction of the system's reachable part under the group of"
    return [claim, *listed(certificate["generators"]), *names]


def listed(permutations):
    pairs = [[f"{quoted(a)} -> {quoted(b)}" for a, b in p["labels"]] for p in permutations]
    return [f"permutation {i}: {', '.join(p) or 'no label'}" for i, p in enumerate(pairs)]


def spelt(word):
    return ", then ".join(f"{times} times permutation {g}" for g, times in word) or "the identity"


KINDS = {
    "minimisation": (minimisation, True),
    "symmetry": (symmetry, False),
    "no-symmetry": (no_symmetry, False),
    "reduction": (reduction, True),
}


def verify(certificate, files):
    """Return what a certificate proves about the files; raise `Invalid` or `Unreadable`."""
    Work.done = 0
    try:
        if (certificate["format"], certificate["version"]) != ("lts-certificate", 1):
            raise Unreadable("not version 1 of an lts-certificate")
        check, has_result = KINDS[certificate["kind"]]
        if len(files) != 1 + has_result:
            raise Unreadable(f"{certificate['kind']} needs {1 + has_result} .aut files")
        said = []
        systems = [System.read(file) for file in files]
        for name, key, file, system in zip(
            ("system", "result"), ("internal", "result_internal"), files, systems
        ):
            require(certificate[name] == system.fingerprint(), f"it was made for another {name}")
            labels = certificate.get(key if check is minimisation else "internal", [])
            fine = isinstance(labels, list) and all(isinstance(a, str) for a in labels)
            require(fine, f"`{key}` has no labels")
            internal = ", ".join(map(quoted, labels)) or "none"
            said.append(f"{name}: {quoted(file)}, {system.count} states; internal: {internal}")
        if certificate.get("equivalence", "strong") not in RELATIONS:
            raise Unreadable(f"not verified here: {quoted(certificate['equivalence'])}")
        claim, *details = check(certificate, systems[0], systems[-1])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise Unreadable(f"not a certificate: {type(error).__name__}: {error}") from None
    return "\n".join([f"valid: {claim}", *said, *details])


def once(pairs):
    """Build a table from JSON; refuse duplicate keys, which readers interpret in different ways."""
    if len(table := dict(pairs)) != len(pairs):
        raise Unreadable("not a certificate: a key occurs twice")
    return table


def brief(error):
    """Return the message of an error, which may quote a name of any length, in one short line."""
    text = quoted(error)[1:-1]
    return text if len(text) <= 500 else f"{text[:500]}..."


def main(argv):
    try:
        if len(argv) < 2:
            print(__doc__, file=sys.stderr)
            return 2
        certificate = json.loads(content(argv[0]).decode("utf-8"), object_pairs_hook=once)
        print(verify(certificate, argv[1:]))
    except Invalid as error:
        print(f"not valid: {brief(error)}")
        return 1
    except MemoryError:
        print("verify: out of memory", file=sys.stderr)
        return 2
    except (Unreadable, OSError, ValueError, RecursionError) as error:
        print(f"verify: {brief(error)}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
