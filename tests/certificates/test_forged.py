"""Whatever is forged, the verifier says valid of true claims only.

Forgeries start from what ltstool writes and are made to be accepted: hashes fit, and the splits of
a tree are looked for by the verifier's own notion of a move. What is claimed is decided by
definition.
"""

import json
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS
from lts.certificates import as_text, minimisation_certificate, reduction_certificate
from lts.certificates.table import fingerprint
from lts.certificates.tree import RELATIONS
from lts.equivalence import minimise_with_classes
from lts.symmetry import expand, parse_permutation, reduce, write_reduction
from naive import relations
from planted import planted
from strategies import examples, systems
from verifier import holds, in_words, is_reduction, verifier, written

NAMES = ("tau", "a", "b")
few = st.sampled_from([0, 0, 0, 1, 2])
some = st.integers(1, 2)
labels = st.lists(st.sampled_from(NAMES), unique=True, max_size=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("forged")


def edited(draw, rows, count, names, times=few):
    """Return rows and a number of states after a change or two that a forger would make."""
    for _ in range(draw(times)):
        kind = draw(st.sampled_from(["add", "drop", "redirect", "rename", "state", "twin"]))
        row = draw(st.sampled_from(rows)) if rows else None
        state = st.integers(0, count - 1)
        if kind == "add":
            rows = [*rows, (draw(state), draw(st.sampled_from(names)), draw(state))]
        elif kind == "state":  # nothing leads there
            rows = [*rows, (count, draw(st.sampled_from(names)), draw(state))]
            count += 1
        elif kind == "twin":  # of a state, which some steps lead to now
            old = draw(state)
            rows = [*rows, *((count, a, t) for s, a, t in rows if s == old)]
            leads = draw(st.booleans())
            rows = [
                (s, a, count) if leads and t == old and draw(st.booleans()) else (s, a, t)
                for s, a, t in rows
            ]
            count += 1
        elif row is not None:
            place = rows.index(row)
            s, a, t = row
            changed = {
                "drop": [],
                "redirect": [(s, a, draw(state))],
                "rename": [(s, draw(st.sampled_from(names)), t)],
            }[kind]
            rows = [*rows[:place], *changed, *rows[place + 1 :]]
    return rows, count


def splits(result, relation, internal):
    """Return as many splits of the states as the verifier would go along with."""
    checked = verifier.System(result.initial, result.state_count, list(result.transitions()))
    checked.with_internal(internal)
    tree = []
    moves = [*dict.fromkeys(checked.before), None]
    blocks, leaf = [set(range(result.state_count))], [True]
    again = True
    while again:
        again = False
        pairs = list(product(range(len(blocks)), repeat=2))
        options = [(b, into, label) for b, into in pairs for label in [*moves, "divergent"]]
        for b, into, label in options:
            if not leaf[b]:
                continue
            try:
                if label == "divergent":
                    split = {"block": b, "into": into, "divergent": True}
                    yes = verifier.diverging(checked, relation, blocks[b], blocks[into])
                else:
                    split = {"block": b, "into": into, "label": label}
                    yes = verifier.movers(checked, relation, blocks[b], label, blocks[into])
            except verifier.Invalid:
                continue
            if yes and yes != blocks[b]:
                leaf[b], again = False, True
                blocks += [yes, blocks[b] - yes]
                leaf += [True, True]
                tree.append(split)
    return tree


def is_least(system, internal, result, result_internal, relation):
    """Whether a result is equivalent to a system, and has as many states as that has classes that
    can be reached: no equivalent system has fewer."""
    left, right = in_words(system, internal), in_words(result, result_internal)
    shift = left.state_count
    rows = [*left.transitions(), *((shift + s, a, shift + t) for s, a, t in right.transitions())]
    union = LTS.from_transitions(rows, state_count=shift + right.state_count)
    related = relations.related(union, relation)
    reached = list(system.reachable_states().search(1))
    classes = {frozenset(t for t in reached if (s, t) in related) for s in reached}
    same = (system.initial, shift + result.initial) in related
    return same and len(classes) == result.state_count


def test_forged_results(folder):
    seen = Counter()

    @settings(max_examples=examples(3))
    @given(
        systems(max_states=5, max_transitions=9, labels=NAMES),
        st.sampled_from(RELATIONS),
        st.data(),
    )
    def forge(system, relation, data):
        draw = data.draw
        internal, result_internal = draw(labels), draw(labels)
        if draw(st.integers(0, 3)):
            result_internal = internal
        plain = system.with_internal([a for a in internal if a in system.labels])
        keep = draw(st.booleans())
        least, classes = minimise_with_classes(plain, relation, keep_unreachable=keep)
        own = [None if c >= least.state_count else c for c in classes.tolist()]
        if draw(st.booleans()):  # the system itself as its result
            least, own = plain, list(range(system.state_count))
        rows, count = edited(draw, list(least.transitions()), least.state_count, NAMES)
        state = st.integers(0, count - 1)
        initial = draw(state) if draw(few) == 2 else least.initial
        result = LTS.from_transitions(rows, initial=initial, state_count=count)
        for _ in range(draw(few)):
            own[draw(st.integers(0, len(own) - 1))] = draw(st.one_of(st.none(), state))
        certificate = {
            "format": "lts-certificate",
            "version": 1,
            "kind": "minimisation",
            "system": fingerprint(system),
            "internal": internal,
            "result": fingerprint(result),
            "equivalence": relation,
            "result_internal": result_internal,
            "classes": own,
            "tree": splits(result, relation, result_internal),
        }
        files = [written(folder, "s.aut", system), written(folder, "r.aut", result)]
        true = is_least(system, internal, result, result_internal, relation)
        valid = holds(certificate, files)
        assert true or not valid
        seen["true"] += true
        seen["valid"] += valid
        reached = result.reachable().state_count
        seen["unreachable"] += reached < count
        seen["all"] += 1

    forge()
    for kind in ("valid", "unreachable"):
        assert seen[kind] * 10 >= seen["all"]
    assert (seen["all"] - seen["true"]) * 10 >= seen["all"]


@pytest.mark.parametrize("relation", RELATIONS)
def test_results_with_a_step_too_many_or_too_few_are_refused(folder, relation):
    rows = [(0, "a", 1), (0, "tau", 2), (2, "b", 0), (2, "a", 0)]
    more = [[*rows, row] for row in product(range(3), NAMES, range(3)) if row not in rows]
    less = [[row for row in rows if row != dropped] for dropped in rows]
    system = LTS.from_transitions(rows)
    files = [written(folder, "s.aut", system), str(folder / "r.aut")]
    for edited_rows in (rows, *more, *less):
        result = LTS.from_transitions(edited_rows, state_count=3)
        written(folder, "r.aut", result)
        certificate = {
            "format": "lts-certificate",
            "version": 1,
            "kind": "minimisation",
            "system": fingerprint(system),
            "internal": ["tau"],
            "result": fingerprint(result),
            "equivalence": relation,
            "result_internal": ["tau"],
            "classes": [0, 1, 2],
            "tree": splits(result, relation, ["tau"]),
        }
        true = is_least(system, ["tau"], result, ["tau"], relation)
        valid = holds(certificate, files)
        assert true or not valid
        assert valid or edited_rows != rows


@pytest.mark.parametrize("relation", RELATIONS)
def test_classes_are_closed_under_steps(folder, relation):
    system = LTS.from_transitions([(0, "a", 1), (1, "a", 0), (2, "a", 3)])
    least, classes = minimise_with_classes(system, relation)
    certificate = minimisation_certificate(system, least, classes, relation)
    files = [written(folder, "s.aut", system), written(folder, "r.aut", least)]
    certificate["classes"] = [0, 0, 0, None]
    with pytest.raises(verifier.Invalid, match="a step leads out of all classes"):
        verifier.verify(json.loads(as_text(certificate)), files)


def test_forged_reductions(folder):
    seen = Counter()

    @settings(max_examples=examples(2))
    @given(planted, st.sampled_from(["greedy", "bfs"]), st.data())
    def forge(pair, order, data):
        draw = data.draw
        system, permutations = pair
        found = reduce(system, permutations, order=order)
        certificate = reduction_certificate(system, found)
        rho = certificate["rho"]
        rows = list(found.encoding.transitions())
        kind = draw(st.sampled_from(["rho", "rho", "rows", "word", "generator", "states", "none"]))
        steps = [row for row in rows if row[1] in rho]
        if kind == "rho" and steps:
            rows.remove(draw(st.sampled_from(steps)))
        elif kind == "rows":
            rows, _ = edited(draw, rows, found.encoding.state_count, sorted({"a", *rho}), some)
        elif kind == "word" and rho:
            name = draw(st.sampled_from(sorted(rho)))
            number = st.integers(0, len(certificate["generators"]) - 1)
            rho[name] = draw(st.lists(st.tuples(number, st.integers(0, 3)).map(list), max_size=3))
        elif kind == "generator":
            certificate["generators"].pop(draw(st.integers(0, len(certificate["generators"]) - 1)))
        elif kind == "states":
            places = range(len(certificate["states"]))
            one, other = draw(st.sampled_from(places)), draw(st.sampled_from(places))
            own = certificate["states"]
            own[one], own[other] = own[other], own[one]
        count = 1 + max([found.encoding.state_count - 1, *(max(s, t) for s, _, t in rows)])
        forged = LTS.from_transitions(rows, initial=found.encoding.initial, state_count=count)
        files = [written(folder, "s.aut", system), str(folder / "e.aut")]
        if draw(st.booleans()):
            write_reduction(forged, found.symmetry, folder / "e.aut")
        else:
            written(folder, "e.aut", forged)
        certificate["result"] = verifier.System.read(folder / "e.aut").fingerprint()
        valid = holds(certificate, files)
        true = count == len(certificate["states"]) and bool(certificate["generators"])
        true = true and is_reduction(certificate, system, rows)
        assert true or not valid
        assert valid or kind != "none"
        if kind in ("rho", "none") and valid:  # what the symmetry file says is not forged
            whole = system.reachable()
            original = expand(forged, found.symmetry)
            assert original.state_count == whole.state_count
            assert len(set(original.transitions())) == len(set(whole.transitions()))
        seen["true"] += true
        seen["valid"] += valid
        seen["all"] += 1

    forge()
    assert seen["valid"] * 10 >= seen["all"]
    assert (seen["all"] - seen["true"]) * 10 >= seen["all"]


def reduced_star(folder):
    """Return the certificate of a reduction by one generator, and its files."""
    system = LTS.from_transitions([(0, f"a({n})", n) for n in range(1, 4)])
    found = reduce(system, parse_permutation("(1 2 3)"))
    write_reduction(found.encoding, found.symmetry, folder / "e.aut")
    files = [written(folder, "s.aut", system), str(folder / "e.aut")]
    certificate = reduction_certificate(system, found)
    assert holds(certificate, files)
    return certificate, files


@pytest.mark.parametrize("word", [[[1, 1]], [[0, -1]], [[0, 1 << 63]], [[-1, 1]]])
def test_words_name_generators_and_numbers_of_63_bits(folder, word):
    certificate, files = reduced_star(folder)
    certificate["rho"] = dict.fromkeys(certificate["rho"], word)
    with pytest.raises(verifier.Invalid, match="not a word in the generators"):
        verifier.verify(json.loads(as_text(certificate)), files)


@pytest.mark.parametrize("word", [[[0, 3]], [[0, 0]], [[0, 1]] * 3])
def test_words_are_in_normal_form(folder, word):
    certificate, files = reduced_star(folder)
    for rho, ((_, times),) in certificate["rho"].items():
        # The same element of the group.
        certificate["rho"][rho] = [[0, times], *word]
    with pytest.raises(verifier.Invalid, match="not in normal form"):
        verifier.verify(json.loads(as_text(certificate)), files)
