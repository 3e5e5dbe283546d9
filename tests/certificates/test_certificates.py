"""Certificates hold, and what is changed in one is noticed, or true all the same."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive.relations
from lts import LTS
from lts.base.bounds import CERTIFICATE_NAMES
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
from planted import planted
from strategies import systems
from verifier import (
    NAMES,
    VERIFIER,
    holds,
    in_words,
    is_reduction,
    mutated,
    permutes,
    verifier,
    written,
)

relations = st.sampled_from(RELATIONS)
MUTATIONS = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("certificates")


def minimisation_is_true(certificate, system):
    """Whether the classes are those of the greatest bisimulation, by its definition."""
    named = in_words(system, certificate["internal"])
    related = naive.relations.related(named, certificate["equivalence"])
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
    if least.reachable().state_count < least.state_count:
        with pytest.raises(Unsupported, match="unreachable states"):
            minimisation_certificate(as_read, least, classes, relation)
        return
    certificate = minimisation_certificate(as_read, least, classes, relation)
    files = [written(folder, "s.aut", system), written(folder, "r.aut", least)]
    assert holds(certificate, files)
    assert minimisation_is_true(certificate, system)
    for _ in range(MUTATIONS):
        changed = mutated(data, certificate)
        if holds(changed, files):
            assert changed["kind"] == "minimisation"
            assert minimisation_is_true(changed, system)


@pytest.mark.parametrize("relation", RELATIONS)
def test_internal_steps_before_a_step_and_internal_cycles_are_certified(folder, relation):
    cycle = [(0, "b", 3), (3, "a", 4), (4, "a", 5), (5, "tau", 0)]
    system = LTS.from_transitions([*cycle, (0, "tau", 1), (1, "a", 2), (2, "tau", 2), (3, "a", 6)])
    least, classes = minimise_with_classes(system, relation)
    certificate = minimisation_certificate(system, least, classes, relation)
    assert holds(certificate, [written(folder, "s.aut", system), written(folder, "r.aut", least)])
    assert minimisation_is_true(certificate, system)


@given(systems(labels=NAMES), systems(labels=NAMES), relations)
def test_certificates_are_bound_to_their_files(folder, system, other, relation):
    least, classes = minimise_with_classes(system, relation)
    certificate = minimisation_certificate(system, least, classes, relation)
    files = [written(folder, "s.aut", system), written(folder, "r.aut", least)]
    other_files = [written(folder, "s2.aut", other), written(folder, "r2.aut", other.reachable())]
    for pair in ((other_files[0], files[1]), (files[0], other_files[1])):
        same = [Path(one).read_bytes().split() for one in pair]
        if same != [Path(file).read_bytes().split() for file in files]:
            assert not holds(certificate, pair)


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
    related = naive.relations.related(
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


@pytest.mark.parametrize("order", ["greedy", "bfs"])
def test_repeated_generators_are_certified(folder, order):
    steps = [(n, f"b{n}", (n + 2) % 3) for n in range(3)]
    system = LTS.from_transitions([*((3, f"a{n}", n) for n in range(3)), *steps], initial=3)
    found = reduce(system, parse_permutation('("a0" "a1" "a2")("b0" "b1" "b2")'), order=order)
    certificate = reduction_certificate(system, found)
    assert max(times for word in certificate["rho"].values() for _, times in word) == 2
    write_reduction(found.encoding, found.symmetry, folder / "e.aut")
    assert holds(certificate, [written(folder, "s.aut", system), str(folder / "e.aut")])


def test_moved_labels_are_listed_in_order():
    system = LTS.from_transitions([(0, "c", 1), (1, "b", 2), (2, "a", 3)])
    certificate = no_symmetry_certificate(system, parse_permutation('("c" "a" "b")'))
    assert certificate["labels"] == [["a", "b"], ["b", "c"], ["c", "a"]]


def test_unsupported_certificates_are_refused(folder):
    system = LTS.from_transitions([(0, "a", 1), (0, "a", 2), (1, "b", 1), (2, "b", 2)])
    least, classes = minimise_with_classes(system, "rooted-weak")
    with pytest.raises(Unsupported, match="no certificates modulo rooted-weak"):
        minimisation_certificate(system, least, classes, "rooted-weak")
    with pytest.raises(Unsupported, match="are equivalent"):
        no_symmetry_certificate(system, parse_permutation('("c" "d")'))
    with pytest.raises(Unsupported, match="internal label `b` must be fixed"):
        no_symmetry_certificate(system.with_internal(["b"]), parse_permutation('("a" "b")'))


def test_certificates_of_large_groups_reach_a_limit(lower):
    lower(CERTIFICATE_NAMES, 3)
    system = LTS.from_transitions([(0, "a", 1), (0, "b", 2), (1, "c", 0), (2, "c", 0)])
    found = reduce(system, parse_permutation('("a" "b")'))
    with pytest.raises(LimitReached, match="would take more than 3 names"):
        reduction_certificate(system, found)


def test_verifier_is_small_and_imports_only_the_stdlib():
    files = sorted(VERIFIER.glob("*.py"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    assert sum(text.count("\n") for text in texts) < 600
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    modules = {
        name.name.partition(".")[0]
        for node in nodes
        if isinstance(node, ast.Import)
        for name in node.names
    } | {node.module.partition(".")[0] for node in nodes if isinstance(node, ast.ImportFrom)}
    assert modules - {VERIFIER.name} <= sys.stdlib_module_names


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
def test_invalid_aut_files_are_unreadable(text, tmp_path, capsys):
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
    capsys.readouterr()
    assert verifier.main([str(certificate)]) == 2
    assert "CERTIFICATE SYSTEM.aut" in capsys.readouterr().err
    assert verifier.main([str(certificate), str(file), str(file)]) == 2
    assert verifier.main([str(tmp_path / "none.json"), str(file)]) == 2
    certificate.write_text("{")
    assert verifier.main([str(certificate), str(file)]) == 2
    for text in ("[]", "{}", '{"format":"lts-certificate","version":2}'):
        certificate.write_text(text)
        assert verifier.main([str(certificate), str(file)]) == 2


@pytest.mark.parametrize("labels", [("#1", "#2"), ("#0", "##0@0"), ("left", "right"), ("x#0", "y")])
def test_labels_may_resemble_certificate_syntax(labels, folder):
    one, other = labels
    rows = [(0, one, 1), (0, other, 2), (1, "state 0", 0), (2, "state 0", 0)]
    system = LTS.from_transitions(rows)
    permutation = parse_permutation(f'("{one}" "{other}")')
    found = reduce(system, permutation)
    certificate = reduction_certificate(system, found)
    write_reduction(found.encoding, found.symmetry, folder / "e.aut")
    assert holds(certificate, [written(folder, "s.aut", system), str(folder / "e.aut")])


def run_verifier(folder, certificate, *files):
    """Run the verifier as a program: its exit code and what it prints."""
    (folder / "c.json").write_text(
        certificate if isinstance(certificate, str) else json.dumps(certificate)
    )
    words = [sys.executable, VERIFIER, "c.json", *files]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def about(folder, **more):
    fingerprints = {
        name: verifier.System.read(folder / file).fingerprint()
        for name, file in (("system", "s.aut"), ("result", "r.aut"))
        if (folder / file).exists()
    }
    return {"format": "lts-certificate", "version": 1, "internal": []} | fingerprints | more


def test_verdict_states_the_claim_and_escapes_labels(tmp_path):
    (tmp_path / "s.aut").write_text('des (0,1,2)\n(0,"a\x1b[2J\u202e, \\",1)\n')
    label = 'tau"\nvalid: the result is equivalent\r\u2028'
    generator = {"labels": [], "states": [0, 1]}
    claim = about(tmp_path, kind="symmetry", internal=[label], generators=[generator])
    code, text = run_verifier(tmp_path, claim, "s.aut")
    assert code == 0
    assert text.splitlines() == [
        "valid: symmetries of the system: each, with a permutation of states, keeps its reachable "
        "part",
        'system: "s.aut", 2 states; internal: "tau\\u0022\\u000avalid: the result is equivalent'
        '\\u000d\\u2028"',
        "permutation 0: no label",
    ]
    (tmp_path / "r\n.aut").write_text("des (0,0,1\nvalid\n")
    code, text = run_verifier(tmp_path, claim, "r\n.aut")
    assert code == 2
    assert text.count("\n") == 1


def test_moved_labels_must_occur(tmp_path):
    (tmp_path / "s.aut").write_text('des (0,2,3)\n(0,"a",1)\n(2,"b",2)\n')
    for pairs in ([["x", "y"], ["y", "x"]], [["b", "x"], ["x", "b"]]):
        generator = {"labels": pairs, "states": [0, 1, None]}
        claim = about(tmp_path, kind="symmetry", generators=[generator])
        assert run_verifier(tmp_path, claim, "s.aut")[0] == 1


def test_verdict_lists_internal_labels_of_the_result(tmp_path):
    (tmp_path / "s.aut").write_text('des (0,2,2)\n(0,"tau",1)\n(1,"b",1)\n')
    (tmp_path / "r.aut").write_text('des (0,2,2)\n(0,"error",1)\n(1,"b",1)\n')
    claim = about(tmp_path, kind="minimisation", equivalence="strong", internal=["tau"])
    claim |= {"result_internal": ["error"], "classes": [0, 1]}
    claim |= {"tree": [{"block": 0, "label": "b", "into": 0}]}
    code, text = run_verifier(tmp_path, claim, "s.aut", "r.aut")
    assert code == 0
    assert 'result: "r.aut", 2 states; internal: "error"\n' in text


def test_oversized_claims_are_refused(tmp_path, monkeypatch):
    (tmp_path / "s.aut").write_text("des (0,0,3000000000)\n")
    generator = {"labels": [], "states": [0]}
    claim = {"format": "lts-certificate", "version": 1, "kind": "symmetry", "internal": []}
    claim |= {"system": "", "generators": [generator]}
    code, text = run_verifier(tmp_path, claim, "s.aut")
    assert (code, "more than 2000000 states" in text) == (2, True)
    (tmp_path / "s.aut").write_text("des (0,1,1)\n(0,a,0)\n")
    (tmp_path / "r.aut").write_text("des (0,2,1)\n(0,a,0)\n(0,rho(1),0)\n")
    words = {"rho(1)": [[0, (1 << 62)], [1, 1]] * 500}
    claim = about(tmp_path, kind="reduction", generators=[generator] * 2, states=[0], rho=words)
    assert run_verifier(tmp_path, claim, "s.aut", "r.aut")[0] == 0
    files = [str(tmp_path / "s.aut"), str(tmp_path / "r.aut")]
    monkeypatch.setattr(sys.modules["lts_verifier.systems"], "MOST_WORK", 500)
    with pytest.raises(verifier.Unreadable, match="too long"):
        verifier.verify(claim, files)
    monkeypatch.setattr(sys.modules["lts_verifier.systems"], "MOST_BYTES", 10)
    with pytest.raises(verifier.Unreadable, match="more than 10 bytes"):
        verifier.verify(claim, files)
    assert run_verifier(tmp_path, "[" * 100_000, "s.aut")[0] == 2
    assert run_verifier(tmp_path, json.dumps(claim)[:-1] + ',"kind":"symmetry"}', "s.aut")[0] == 2


def test_large_groups_are_refused(tmp_path, monkeypatch):
    rows = [(0, label, 0) for label in "abcde"]
    (tmp_path / "s.aut").write_text(f"des (0,5,1)\n{''.join(map(aut_row, rows))}")
    (tmp_path / "r.aut").write_text(
        f"des (0,3,1)\n{''.join(map(aut_row, [rows[0], (0, 'x', 0), (0, 'y', 0)]))}"
    )
    turns = [zip("abcde", "bcdea", strict=True), zip("ab", "ba", strict=True)]
    generators = [{"labels": [list(pair) for pair in turn], "states": [0]} for turn in turns]
    words = {"x": [[0, 1]], "y": [[1, 1]]}
    claim = about(tmp_path, kind="reduction", generators=generators, states=[0], rho=words)
    files = [str(tmp_path / "s.aut"), str(tmp_path / "r.aut")]
    assert verifier.verify(claim, files).startswith("valid")
    with pytest.raises(verifier.Invalid, match="the stabiliser of"):
        verifier.verify(claim | {"rho": {"x": [], "y": [[1, 1]]}}, files)
    monkeypatch.setattr(sys.modules["lts_verifier.permutations"], "MOST_PLACES", 1000)
    with pytest.raises(verifier.Unreadable, match="too large"):
        verifier.verify(claim, files)


def aut_row(row):
    return f'({row[0]},"{row[1]}",{row[2]})\n'


@pytest.mark.parametrize("name", ["x" * 10_000, "\x1b[2J" * 2_500, '"' * 10_000])
def test_verifier_messages_are_short(tmp_path, capsys, name):
    (tmp_path / "s.aut").write_text("des (0,0,1)\n")
    for certificate in (
        {"format": name},
        {"format": "lts-certificate", "version": 1, "kind": name},
        {"format": "lts-certificate", "version": 1, "kind": "symmetry", "system": name},
    ):
        (tmp_path / "c.json").write_text(json.dumps(certificate))
        assert verifier.main([str(tmp_path / "c.json"), str(tmp_path / "s.aut")]) in (1, 2)
        messages = "".join(capsys.readouterr())
        assert len(messages) < 600
        assert "\x1b" not in messages
