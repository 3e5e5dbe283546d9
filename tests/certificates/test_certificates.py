"""Certificates hold, and what is changed in one is noticed, or true all the same."""

import ast
import copy
import importlib.util
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aut_format
import oracles
from lts import LTS
from lts.certificates import (
    as_text,
    minimisation_certificate,
    no_symmetry_certificate,
    reduction_certificate,
    symmetry_certificate,
    with_hidden,
)
from lts.certificates.tree import RELATIONS
from lts.equivalence import minimise_with_classes
from lts.errors import LimitReached, Unsupported
from lts.symmetry import check, check_bisimilar, parse_permutation, reduce, write_reduction
from lts.symmetry.permutation.notation import Element, Permutation
from strategies import group_symmetric_systems, symmetric_systems, systems

VERIFIER = Path(__file__).resolve().parents[2] / "tools" / "verify" / "verify.py"
_spec = importlib.util.spec_from_file_location("verify", VERIFIER)
verifier = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(verifier)

NAMES = ("tau", "a", "b", "i")
relations = st.sampled_from(RELATIONS)
MUTATIONS = 5


def as_permutation(images):
    left, cycles = {a: b for a, b in images.items() if a != b}, []
    while left:
        cycle = [next(iter(left))]
        while (following := left.pop(cycle[-1])) != cycle[0]:
            cycle.append(following)
        cycles.append(tuple(Element(label, quoted=True) for label in cycle))
    return Permutation(tuple(cycles))


planted = st.one_of(
    symmetric_systems().map(lambda pair: (pair[0], [pair[1]])), group_symmetric_systems()
).map(lambda pair: (pair[0], [as_permutation(images) for images in pair[1]]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("certificates")


def written(folder, name, system):
    aut_format.write(system, folder / name)
    return str(folder / name)


def holds(certificate, files):
    """Whether a certificate is accepted, as it is read from its file."""
    try:
        said = verifier.verify(json.loads(as_text(certificate)), files)
    except (verifier.Invalid, verifier.Unreadable):
        return False
    assert said.startswith("valid: ")
    return True


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


def in_words(system, internal):
    """Return a system whose internal labels, and only they, are called `tau`."""
    rows = [(s, "tau" if a in internal else f"visible {a}", t) for s, a, t in system.transitions()]
    return LTS.from_transitions(rows, initial=system.initial, state_count=system.state_count)


def minimisation_is_true(certificate, system):
    """Whether the classes are those of the greatest bisimulation, by its definition."""
    named = in_words(system, certificate["internal"])
    related = oracles.related_pairs(named, certificate["equivalence"])
    classes = certificate["classes"]
    reachable = system.reachable_states()
    domain = [s for s, own in enumerate(classes) if own is not None]
    return all(classes[s] is not None for s in reachable.search(1)) and all(
        (classes[s] == classes[t]) == ((s, t) in related) for s in domain for t in domain
    )


@given(systems(labels=NAMES), relations, st.booleans(), st.booleans(), st.data())
def test_minimisation(folder, system, relation, keep, hidden, data):
    actions = ["a"] if hidden else []
    if hidden and not system.internal and "tau" in system.labels:
        return
    source = system.hide(actions)
    least, classes = minimise_with_classes(source, relation, keep_unreachable=keep)
    as_read = with_hidden(system, source)
    certificate = minimisation_certificate(as_read, least, classes, relation)
    files = [written(folder, "s.aut", system), written(folder, "r.aut", least)]
    assert holds(certificate, files)
    assert minimisation_is_true(certificate, system)
    for _ in range(MUTATIONS):
        changed = mutated(data, certificate)
        if holds(changed, files):
            assert changed["kind"] == "minimisation"
            assert minimisation_is_true(changed, system)


@given(systems(labels=NAMES), systems(labels=NAMES), relations)
def test_a_certificate_is_about_its_files(folder, system, other, relation):
    least, classes = minimise_with_classes(system, relation)
    certificate = minimisation_certificate(system, least, classes, relation)
    files = [written(folder, "s.aut", system), written(folder, "r.aut", least)]
    other_files = [written(folder, "s2.aut", other), written(folder, "r2.aut", other.reachable())]
    for pair in ((other_files[0], files[1]), (files[0], other_files[1])):
        same = [Path(one).read_bytes().split() for one in pair]
        if same != [Path(one).read_bytes().split() for one in files]:
            assert not holds(certificate, pair)


@given(systems(labels=NAMES), relations, st.data())
def test_too_many_or_too_few_states_are_noticed(folder, system, relation, data):
    """Also where the hashes fit: another result is written as the one that it is about."""
    least, classes = minimise_with_classes(system, relation)
    rows = list(least.transitions())
    if rows and data.draw(st.booleans()):
        row = data.draw(st.sampled_from(rows))
        rows = [other for other in rows if other != row]
    else:
        state = st.integers(0, least.state_count - 1)
        rows.append((data.draw(state), data.draw(st.sampled_from(NAMES)), data.draw(state)))
    wrong = LTS.from_transitions(rows, initial=least.initial, state_count=least.state_count)
    wrong = wrong.with_internal(system.internal)
    if wrong.internal != least.internal:
        return
    certificate = minimisation_certificate(system, wrong, classes, relation)
    files = [written(folder, "s.aut", system), written(folder, "r.aut", wrong)]
    if holds(certificate, files):
        internal = set(system.internal)
        shift = system.state_count
        both = [*system.transitions(), *((shift + s, a, shift + t) for s, a, t in rows)]
        count = shift + least.state_count
        union = in_words(LTS.from_transitions(both, state_count=count), internal)
        related = oracles.related_pairs(union, relation)
        assert (system.initial, shift + wrong.initial) in related


def permutes(generator, system, internal):
    """Whether labels and states are permuted and transitions kept, by definition."""
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


@given(planted, st.data())
def test_symmetry(folder, pair, data):
    system, permutations = pair
    found = check(system, permutations)
    certificate = symmetry_certificate(system, permutations, found)
    files = [written(folder, "s.aut", system)]
    assert holds(certificate, files)
    for _ in range(MUTATIONS):
        changed = mutated(data, certificate)
        if holds(changed, files):
            assert changed["kind"] == "symmetry"
            internal = changed["internal"]
            assert all(permutes(one, system, internal) for one in changed["generators"])


def is_no_symmetry(certificate, system):
    labels = dict(map(tuple, certificate["labels"]))
    shift = system.state_count
    rows = list(system.transitions())
    rows += [(shift + s, labels.get(a, a), shift + t) for s, a, t in rows]
    union = LTS.from_transitions(rows, state_count=2 * shift)
    related = oracles.related_pairs(
        in_words(union, certificate["internal"]), certificate["equivalence"]
    )
    return (system.initial, shift + system.initial) not in related


@given(systems(max_states=5, labels=("tau", "a", "b", "c")), relations, st.data())
def test_no_symmetry(folder, system, relation, data):
    permutation = parse_permutation('("a" "b")')
    files = [written(folder, "s.aut", system)]
    try:
        certificate = no_symmetry_certificate(system, permutation, relation)
    except Unsupported:
        assert check_bisimilar(system, permutation, relation)
        return
    assert holds(certificate, files)
    assert is_no_symmetry(certificate, system)
    for _ in range(MUTATIONS):
        changed = mutated(data, certificate)
        if holds(changed, files):
            assert changed["kind"] == "no-symmetry"
            assert is_no_symmetry(changed, system)


def is_reduction(certificate, system, encoding):
    """Whether closing the encoding under the generators gives the system, one member an orbit."""
    generators = certificate["generators"]
    if not all(permutes(one, system, certificate["internal"]) for one in generators):
        return False
    maps = [(one["states"], dict(map(tuple, one["labels"]))) for one in generators]
    states, rho = certificate["states"], certificate["rho"]
    stored = {(states[s], a, states[t]) for s, a, t in encoding if a not in rho}
    every, orbits = set(), 0
    for row in stored:
        orbits += row not in every
        waiting = [row]
        while waiting:
            s, a, t = waiting.pop()
            if (s, a, t) not in every:
                every.add((s, a, t))
                waiting += [(m[s], labels.get(a, a), m[t]) for m, labels in maps]
    reachable = set(system.reachable_states().search(1))
    whole = {row for row in system.transitions() if row[0] in reachable}
    right = every == whole and orbits == len(stored)
    for s, a, t in encoding:
        if a in rho:
            at = states[s]
            for number, times in rho[a]:
                for _ in range(times):
                    at = maps[number][0][at]
            right &= at == states[t]
    return right and len(set(states)) == len(states)


@given(planted, st.sampled_from(["greedy", "bfs"]), st.data())
def test_reduction(folder, pair, order, data):
    system, permutations = pair
    found = reduce(system, permutations, order=order)
    certificate = reduction_certificate(system, found)
    write_reduction(found.encoding, found.symmetry, folder / "e.aut")
    files = [written(folder, "s.aut", system), str(folder / "e.aut")]
    assert holds(certificate, files)
    rows = list(found.encoding.transitions())
    assert is_reduction(certificate, system, rows)
    for _ in range(MUTATIONS):
        changed = mutated(data, certificate)
        if holds(changed, files):
            assert changed["kind"] == "reduction"
            assert is_reduction(changed, system, rows)


def test_what_has_no_certificate(folder):
    system = LTS.from_transitions([(0, "a", 1), (0, "a", 2), (1, "b", 1), (2, "b", 2)])
    least, classes = minimise_with_classes(system, "rooted-weak")
    with pytest.raises(Unsupported, match="no certificates modulo rooted-weak"):
        minimisation_certificate(system, least, classes, "rooted-weak")
    with pytest.raises(Unsupported, match="are equivalent"):
        no_symmetry_certificate(system, parse_permutation('("c" "d")'))


def test_reductions_under_large_groups_have_none(monkeypatch):
    monkeypatch.setattr("lts.certificates.reductions.MOST", 3)
    system = LTS.from_transitions([(0, "a", 1), (0, "b", 2), (1, "c", 0), (2, "c", 0)])
    found = reduce(system, parse_permutation('("a" "b")'))
    with pytest.raises(LimitReached, match="would take more than 3 names"):
        reduction_certificate(system, found)


def test_the_verifier_is_small_and_stands_alone():
    text = VERIFIER.read_text(encoding="utf-8")
    assert text.count("\n") < 400
    modules = {
        name.name.partition(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import)
        for name in node.names
    } | {
        node.module.partition(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom)
    }
    assert modules <= sys.stdlib_module_names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "des (0,0,1",
        "des (0,1,1)\n",
        'des (0,1,1)\n(0,"a",1)\n',
        'des (0,1,2)\n(0,"a,1)\n',
        "des (0,1,2)\n(0,,1)\n",
        "des (2,0,2)\n",
        "des (0,?,?)\n",
    ],
)
def test_what_is_no_aut_file_is_unreadable(text, tmp_path, capsys):
    system = LTS.from_transitions([(0, "a", 1)])
    found = check(system, parse_permutation("()"))
    certificate = tmp_path / "c.json"
    certificate.write_bytes(as_text(symmetry_certificate(system, [parse_permutation("()")], found)))
    file = tmp_path / "s.aut"
    file.write_text(text)
    assert verifier.main([str(certificate), str(file)]) == 2
    file.write_text("\ufeff des ( 0 , 1 , 2 ) \r\n\n ( 0 , a , 1 ) \r\n")
    assert verifier.main([str(certificate), str(file)]) == 0
    file.write_text("des (0,1,2)\n(0,b,1)\n")
    assert verifier.main([str(certificate), str(file)]) == 1
    assert verifier.main([str(certificate)]) == 2
    assert verifier.main([str(certificate), str(file), str(file)]) == 2
    assert verifier.main([str(tmp_path / "none.json"), str(file)]) == 2
    certificate.write_text("{")
    assert verifier.main([str(certificate), str(file)]) == 2
    for text in ("[]", "{}", '{"format":"lts-certificate","version":2}'):
        certificate.write_text(text)
        assert verifier.main([str(certificate), str(file)]) == 2


@pytest.mark.parametrize("labels", [("#1", "#2"), ("#0", "##0@0"), ("left", "right"), ("x#0", "y")])
def test_labels_may_look_like_what_certificates_are_made_with(labels, folder):
    one, other = labels
    rows = [(0, one, 1), (0, other, 2), (1, "state 0", 0), (2, "state 0", 0)]
    system = LTS.from_transitions(rows)
    permutation = parse_permutation(f'("{one}" "{other}")')
    found = reduce(system, permutation)
    certificate = reduction_certificate(system, found)
    write_reduction(found.encoding, found.symmetry, folder / "e.aut")
    assert holds(certificate, [written(folder, "s.aut", system), str(folder / "e.aut")])
