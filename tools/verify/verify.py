"""Verify a certificate of ltstool against the .aut files that it is about.

    python verify.py CERTIFICATE SYSTEM.aut [RESULT.aut]

Exit code 0: valid, and what is printed is true of the files; 1: not valid; 2: something cannot be
read. It shares nothing with ltstool, needs nothing but Python, and takes nothing on trust: all that
a certificate says is computed from the files. docs/certificates.md describes the format.
"""

# ruff: noqa: B905, C416, D101, D102, D103
import hashlib
import json
import re
import sys
from collections import defaultdict

WEAKER = "branching divergence-preserving-branching weak divergence-preserving-weak"
RELATIONS = ["strong", *WEAKER.split()]
ROW = re.compile(r"\(\s*([0-9]+)\s*,(.*),\s*([0-9]+)\s*\)", re.DOTALL)
HEADER = re.compile(r"(?:\ufeff)?\s*des\s*\(\s*([0-9]+)\s*,\s*([0-9]+)\s*,\s*([0-9]+)\s*\)")


class Invalid(Exception): ...


class Unreadable(Exception): ...


def require(condition, message):
    if not condition:
        raise Invalid(message)


class System:
    """An LTS: `rows` are (source, label, target), `moves[s]` (label or None, target)."""

    def __init__(self, initial, count, rows):
        self.initial, self.count, self.rows = initial, count, rows

    @classmethod
    def read(cls, path):
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            lines = [line.strip(" \t\r\n") for line in file]
        lines = [line for line in lines if line]
        if not lines or (header := HEADER.fullmatch(lines[0])) is None:
            raise Unreadable(f"{path}: no header `des (initial, transitions, states)`")
        initial, transitions, count = map(int, header.groups())
        rows = []
        for line in lines[1:]:
            row = ROW.fullmatch(line)
            if row is None:
                raise Unreadable(f"{path}: no transition: {line[:80]}")
            label = row[2].strip(" \t\r")
            if not label or label == '"' or (label[0] == '"' != label[-1]):
                raise Unreadable(f"{path}: no label: {line[:80]}")
            label = label[1:-1] if label[0] == '"' else label
            rows.append((int(row[1]), label, int(row[3])))
        if len(rows) != transitions or max((initial, *(max(s, t) for s, _, t in rows))) >= count:
            raise Unreadable(f"{path}: the numbers of the header are not those of the file")
        return cls(initial, count, rows)

    def fingerprint(self):
        """Return the hash of the transitions in order, written in one way."""
        digest = hashlib.sha256(f"des ({self.initial},{len(self.rows)},{self.count})\n".encode())
        for s, a, t in self.rows:
            digest.update(f'({s},"{a}",{t})\n'.encode("utf-8", "surrogateescape"))
        return "sha256:" + digest.hexdigest()

    def with_internal(self, internal):
        """Have moves, those with internal labels as None, and what follows from them."""
        internal = set(internal)
        self.moves = [set() for _ in range(self.count)]
        self.before = defaultdict(lambda: defaultdict(set))  # label, target -> sources
        for s, a, t in self.rows:
            a = None if a in internal else a
            self.moves[s].add((a, t))
            self.before[a][t].add(s)
        return self

    def reachable(self):
        return closure({self.initial}, lambda s: (t for _, t in self.moves[s]))

    def silent_before(self, states, inside=None):
        """Return the states from which internal steps, within `inside`, lead to one of `states`."""
        back = self.before[None]
        return closure(states, lambda t: back[t] if inside is None else back[t] & inside)

    def on_cycles(self):
        """Return the states that lie on a cycle of internal steps."""
        after = [{t for a, t in moves if a is None} for moves in self.moves]
        return {s for s in range(self.count) if s in closure(after[s], lambda t: after[t])}

    def divergent(self, inside):
        """Return the states that can do internal steps within `inside` for ever."""
        left = set(inside)
        after = {s: {t for a, t in self.moves[s] if a is None and t in left} for s in left}
        ended = [s for s in left if not after[s]]
        while ended:
            state = ended.pop()
            left.discard(state)
            for s in self.before[None][state] & left:
                after[s].discard(state)
                if not after[s]:
                    ended.append(s)
        return left


def closure(states, following):
    found, waiting = set(states), list(states)
    while waiting:
        for state in following(waiting.pop()):
            if state not in found:
                found.add(state)
                waiting.append(state)
    return found


def movers(system, relation, block, label, target):
    """Return the states of a block from which there is such a move into a set of states.

    Equivalent states agree about it, if both sets are unions of classes: so a tree whose splits are
    such moves never parts equivalent states.
    """
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
    """Do the splits of a tree and return its leaves; the root is block 0, and split i makes the
    blocks 2i+1 (those that have the move) and 2i+2."""
    blocks, is_leaf = [set(states)], [True]
    for split in splits:
        number, into = split["block"], split["into"]
        known = is_number(number, len(blocks)) and is_number(into, len(blocks))
        require(known and is_leaf[number], "a split of a block that is none")
        block = blocks[number]
        if split.get("divergent") is True:
            yes = diverging(system, relation, block, blocks[into])
        else:
            yes = movers(system, relation, block, split["label"], blocks[into])
        require(yes and yes != block, "a split that parts nothing")
        is_leaf[number] = False
        blocks += [yes, block - yes]
        is_leaf += [True, True]
    return [block for block, leaf in zip(blocks, is_leaf) if leaf]


def minimisation(certificate, system, result):
    """The result is the least system equivalent to the system, and `classes` the partition."""
    relation = certificate["equivalence"]
    system.with_internal(certificate["internal"])
    result.with_internal(certificate["result_internal"])
    classes = certificate["classes"]
    require(len(classes) == system.count, "not a class for every state")
    members = defaultdict(set)
    for state, own in enumerate(classes):
        if own is not None:
            require(is_number(own, result.count), f"no class: {own}")
            members[own].add(state)
    require(len(members) == result.count, "a state of the result has no members")
    domain = {state for own in members.values() for state in own}
    require(system.reachable() <= domain, "a reachable state has no class")
    require(classes[system.initial] == result.initial, "the initial states do not correspond")
    for state in domain:
        require(all(t in domain for _, t in system.moves[state]), "a step leads to no class")
    stable(relation, system, result, classes, members)
    found = leaves(result, relation, range(result.count), certificate["tree"])
    require(all(len(leaf) == 1 for leaf in found), "the tree leaves states of the result together")
    return f"the result is equivalent modulo {relation} bisimulation, and none has fewer states"


def stable(relation, system, result, classes, members):
    """Require that every state is equivalent to its class: steps are matched both ways."""
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
                continue  # a divergence, looked at below
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


def permutation(pairs, internal):
    """Return the images of labels; require that they are permuted, and internal ones stay."""
    labels = {one: image for one, image in pairs}
    require(len(labels) == len(pairs), "a label has two images")
    require(set(labels) == set(labels.values()), "the labels are not permuted")
    require(all(labels.get(a, a) == a for a in internal), "an internal label moves")
    return labels


def automorphism(generator, system, reachable, internal):
    """Require that a permutation of labels and one of the reachable states keep all transitions;
    return both."""
    labels = permutation(generator["labels"], internal)
    images = generator["states"]
    require(len(images) == system.count, "not an image for every state")
    states = {s: images[s] for s in reachable}
    require(all(is_number(t, system.count) for t in states.values()), "an image is no state")
    require(set(states.values()) == reachable, "the reachable states are not permuted")
    require(states[system.initial] == system.initial, "the initial state moves")
    rows = {row for row in system.rows if row[0] in reachable}
    moved = {(states[s], labels.get(a, a), states[t]) for s, a, t in rows}
    require(moved == rows, "a transition has no image, or is none")
    return states, labels


def symmetry(certificate, system, _):
    """Each generator is a symmetry of the reachable part of the system."""
    internal = certificate["internal"]
    reachable = system.with_internal(internal).reachable()
    generators = certificate["generators"]
    require(generators, "no generators")
    for generator in generators:
        automorphism(generator, system, reachable, internal)
    return f"symmetries of the system: {'; '.join(map(shown, generators))}"


def no_symmetry(certificate, system, _):
    """The system is not equivalent to its image under a permutation of the labels."""
    relation, internal = certificate["equivalence"], certificate["internal"]
    labels = permutation(certificate["labels"], internal)
    shift = system.count
    image = [(shift + s, labels.get(a, a), shift + t) for s, a, t in system.rows]
    both = System(system.initial, 2 * shift, system.rows + image).with_internal(internal)
    ends = [system.initial, shift + system.initial]
    for leaf in leaves(both, relation, range(both.count), certificate["tree"]):
        require(not leaf.issuperset(ends), "the tree does not tell the system from its image")
    return f"no symmetry modulo {relation} bisimulation: {shown(certificate)}"


def reduction(certificate, system, encoding):
    """The encoding has one member of every orbit of transitions, and what its rho-steps say."""
    internal = certificate["internal"]
    reachable = system.with_internal(internal).reachable()
    generators = [
        automorphism(generator, system, reachable, internal)
        for generator in certificate["generators"]
    ]
    require(generators, "no generators")
    mark = re.compile(r"rho-encoding\(sha256:[0-9a-f]{64}\)")
    rows = {row for row in encoding.rows if not mark.fullmatch(row[1])}
    states = certificate["states"]
    require(len(states) == encoding.count, "not a state of the system for every state")
    known = all(is_number(s, system.count) for s in states) and set(states) <= reachable
    require(known, "no state of the system, or one that cannot be reached")
    require(len(set(states)) == len(states), "two states of the encoding are one")
    require(states[encoding.initial] == system.initial, "the initial states do not correspond")
    words = certificate["rho"]
    used = {a for _, a, _ in system.rows}
    require(not used & set(words), "a rho-step is called as an action")
    stored = [(states[s], a, states[t]) for s, a, t in rows if a not in words]
    whole = {row for row in system.rows if row[0] in reachable}
    require(set(stored) <= whole, "a transition of the encoding is none of the system")
    orbits = joined(whole, [lambda row, g=g: (g[0][row[0]], g[1].get(row[1], row[1]), g[0][row[2]])
                            for g in generators])  # fmt: skip
    chosen = [orbits[row] for row in stored]
    require(len(set(chosen)) == len(chosen), "two transitions of one orbit are stored")
    require(set(chosen) == set(orbits.values()), "an orbit of transitions has no member stored")
    linked = {s: {s} for s in states}
    for s, a, t in rows:
        if a in words:
            at = states[s]
            for number, times in words[a]:
                require(is_number(number, len(generators)) and is_number(times, 1 << 20), "no word")
                for _ in range(times):
                    at = generators[number][0][at]
            require(at == states[t], f"the rho-step `{a}` at state {s} leads elsewhere")
            linked[states[s]].add(states[t])
            linked[states[t]].add(states[s])
    homes = joined(reachable, [lambda s, g=g: g[0][s] for g in generators])
    require({homes[s] for s in states} == set(homes.values()), "an orbit of states has no member")
    members = defaultdict(set)
    for s in states:
        members[homes[s]].add(s)
    for orbit in members.values():
        require(closure({min(orbit)}, linked.get) == orbit, "rho-steps do not link an orbit")
    return f"the encoding is a reduction under {'; '.join(map(shown, certificate['generators']))}"


def joined(items, images):
    """Return the orbit of every item under permutations, as its first member that was met."""
    home = {}
    for item in items:
        if item not in home:
            for member in closure({item}, lambda x: (image(x) for image in images)):
                home[member] = item
    return home


def is_number(value, bound):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < bound


def shown(permutation):
    return listed([f"{a} -> {b}" for a, b in permutation["labels"]]) or "the identity on labels"


def listed(texts):
    return ", ".join(texts[:8]) + (f" and {len(texts) - 8} more" if len(texts) > 8 else "")


KINDS = {
    "minimisation": (minimisation, True),
    "symmetry": (symmetry, False),
    "no-symmetry": (no_symmetry, False),
    "reduction": (reduction, True),
}


def verify(certificate, files):
    """Return what a certificate proves of the files; raise `Invalid` or `Unreadable`."""
    try:
        if (certificate["format"], certificate["version"]) != ("lts-certificate", 1):
            raise Unreadable("not version 1 of an lts-certificate")
        check, has_result = KINDS[certificate["kind"]]
        if len(files) != 1 + has_result:
            raise Unreadable(f"{certificate['kind']} is about {1 + has_result} .aut files")
        systems = [System.read(file) for file in files]
        for name, system in zip(("system", "result"), systems):
            require(certificate[name] == system.fingerprint(), f"it is not about this {name}")
        for name in ("internal", "result_internal"):
            labels = certificate.get(name, [])
            fine = isinstance(labels, list) and all(isinstance(a, str) for a in labels)
            require(fine, f"`{name}` has no labels")
        if certificate.get("equivalence", "strong") not in RELATIONS:
            raise Unreadable(f"not verified here: {certificate['equivalence']}")
        proven = check(certificate, systems[0], systems[-1])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise Unreadable(f"not a certificate: {type(error).__name__}: {error}") from None
    return f"valid: {proven} (internal: {', '.join(certificate['internal']) or 'none'})"


def main(argv):
    try:
        if len(argv) < 2:
            raise Unreadable(__doc__)
        with open(argv[0], encoding="utf-8") as file:
            certificate = json.load(file)
        print(verify(certificate, argv[1:]))
    except Invalid as error:
        print(f"not valid: {error}")
        return 1
    except (Unreadable, OSError, ValueError, RecursionError) as error:
        print(f"verify: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
