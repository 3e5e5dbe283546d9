"""Detection of symmetries: against all permutations of the labels, and where some are known."""

import re
import tomllib
from collections import Counter
from itertools import permutations, product
from math import factorial
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lts import LTS, LimitReached, NotSymmetric, Unsupported, mucrl
from lts.equivalence import compare, minimise
from lts.symmetry import check, find_symmetry, parse_permutation, symmetries_of_states
from lts.symmetry.labels.lift import lift_labels
from naive.groups import closure
from naive.systems import bisimilar
from strategies import examples, systems

CASES = Path(__file__).parents[3] / "cases"
DATUM = re.compile(r"\w+(?![\w(])")  # a constant of a term, not a function
LABELS = ("tau", "a(0)", "a(1)", "b(0)", "b(1)", "c(0,1)", "c(1,0)")


def reachable_labels(system):
    """Return the visible labels that can occur."""
    found, waiting = {system.initial}, [system.initial]
    labels = set()
    while waiting:
        state = waiting.pop()
        for s, a, t in set(system.transitions()):
            if s == state:
                labels.add(a)
                if t not in found:
                    found.add(t)
                    waiting.append(t)
    return sorted(labels - {"tau"})


def actions_of(label):
    """Return the actions of a label, in an order of their own."""
    found = []
    for action in label.split("|"):
        name, _, rest = action.partition("(")
        found.append((name, *rest.rstrip(")").split(",")))
    return tuple(sorted(found))


def permuting_data(labels):
    """Return the images of labels if every argument of every action has its data permuted."""
    known = {actions_of(label): label for label in labels}
    data = {}
    for actions in known:
        for name, *arguments in actions:
            for place, datum in enumerate(arguments):
                data.setdefault((name, len(arguments), place), set()).add(datum)
    each = [[(place, values, image) for image in permutations(sorted(values))]
            for place, values in data.items()]  # fmt: skip
    found = set()
    for chosen in product(*each):
        moved = {place: dict(zip(sorted(values), image, strict=True))
                 for place, values, image in chosen}  # fmt: skip
        images = [
            tuple(sorted(
                (name, *(moved[name, len(rest), n][datum] for n, datum in enumerate(rest)))
                for name, *rest in actions_of(label)
            ))
            for label in labels
        ]  # fmt: skip
        if all(image in known for image in images):
            found.add(tuple(known[image] for image in images))
    return found


def all_symmetries(system, labels):
    """Return all permutations of labels under which a system is bisimilar to itself."""
    rows = list(system.transitions())
    found = set()
    for image in permutations(labels):
        images = dict(zip(labels, image, strict=True)) | {"tau": "tau"}
        renamed = LTS.from_transitions(
            [(s, images.get(a, a), t) for s, a, t in rows],
            initial=system.initial,
            state_count=system.state_count,
        )
        if bisimilar(system, renamed):
            found.add(image)
    return found


def generated(generators, labels):
    """Return all products of generators, each as the images of `labels`."""
    maps = [lift_labels(generator, labels) for generator in generators]
    return closure([tuple(labels)], maps)


def is_automorphism(system, images):
    """Whether a permutation of states maps the transitions to those with the images of labels."""
    rows = set(system.transitions())
    renamed = {(s, images.get(a, a), t) for s, a, t in rows}
    others = [state for state in range(system.state_count) if state != system.initial]
    for image in permutations(others):
        of = dict(zip(others, image, strict=True)) | {system.initial: system.initial}
        if {(of[s], a, of[t]) for s, a, t in rows} == renamed:
            return True
    return False


@st.composite
def doubled_systems(draw):
    """Draw a system with branches of letters, some of them twice."""
    letters = draw(st.sampled_from(["ab", "abc"]))
    twice = draw(st.lists(st.sampled_from(letters), max_size=2))
    rows = [(0, letter, state) for state, letter in enumerate([*letters, *twice], 1)]
    if draw(st.booleans()):
        rows += [(state, "d", 0) for _, _, state in rows]
    return LTS.from_transitions(rows)


def test_symmetries_of_states_match_definition():
    reached = Counter()

    @settings(max_examples=examples(2))
    @given(doubled_systems() | systems(max_states=4, labels=("tau", "a", "b", "c")))
    def example(system):
        system = system.reachable()
        labels = reachable_labels(system)
        among = find_symmetry(system, any_labels=True)
        expected = {
            images
            for images in generated(among.generators, labels)
            if is_automorphism(system, dict(zip(labels, images, strict=True)))
        }
        of_states = symmetries_of_states(system, among)
        assert of_states.complete
        assert generated(of_states.found.generators, labels) == expected
        assert of_states.found.order == len(expected)
        reached["some"] += 1 < len(expected) < among.order
        reached["none"] += 1 == len(expected) < among.order
        reached["all"] += 1 < len(expected) == among.order

    example()
    assert min(reached[kind] for kind in ("some", "none", "all")) >= 1, reached


def agrees(system):
    labels = reachable_labels(system)
    expected = all_symmetries(system, labels)
    every = find_symmetry(system, any_labels=True)
    assert generated(every.generators, labels) == expected
    assert every.order == len(expected)
    data = expected & permuting_data(labels)
    found = find_symmetry(system)
    assert generated(found.generators, labels) == data
    assert found.order == len(data)
    orbits = {frozenset(image[i] for image in data) for i in range(len(labels))}
    assert {frozenset(orbit) for orbit in found.orbits} == {o for o in orbits if len(o) > 1}


@settings(max_examples=examples(1.5))
@given(systems(max_states=5, labels=LABELS, max_transitions=10))
def test_detected_group_matches_all_label_permutations(system):
    agrees(system)


SEVERAL = ("a(0)", "a(1)", "a(0)|a(1)", "a(0)|a(2)", "a(1)|a(2)", "a(0)|b(1)", "a(1)|b(0)",
           "a(0,1)|a(1,0)", "a(0,1)|a(2)", "a(1,0)|a(2)")  # fmt: skip


def with_its_image(system):
    """Return a system with each step for 0 also for 1, and the other way round."""
    known = {actions_of(label): label for label in SEVERAL}
    turned = str.maketrans("01", "10")
    rows = [*system.transitions()]
    rows += [(s, known[actions_of(label.translate(turned))], t) for s, label, t in rows]
    return LTS.from_transitions(dict.fromkeys(rows), state_count=system.state_count)


def test_multi_action_order_is_irrelevant_to_detection():
    reached = Counter()

    @settings(max_examples=examples(1.5))
    @given(systems(max_states=3, labels=SEVERAL, max_transitions=4), st.booleans())
    def as_of_all_permutations(system, is_symmetric):
        system = with_its_image(system) if is_symmetric else system
        assume(len(reachable_labels(system)) <= 6)
        agrees(system)
        twice = {label for label in reachable_labels(system) if label.count("a(") > 1}
        moves = find_symmetry(system).order > 1
        reached["all"] += 1
        reached["moves"] += bool(twice) and moves

    as_of_all_permutations()
    if reached["all"] >= 40:  # few tell little
        assert 10 * reached["moves"] >= reached["all"], reached


@settings(max_examples=examples(1))
@given(systems(max_states=3, labels=LABELS[1:], max_transitions=4), st.permutations(range(6)))
def test_planted_symmetries_are_detected(system, order):
    """The rows of a small system with those under a permutation of the labels."""
    moved = dict(zip(LABELS[1:], [LABELS[1:][i] for i in order], strict=True))
    rows = set(system.transitions())
    while not rows >= {(s, moved[a], t) for s, a, t in rows}:
        rows |= {(s, moved[a], t) for s, a, t in rows}
    agrees(
        LTS.from_transitions(sorted(rows), initial=system.initial, state_count=system.state_count)
    )


@pytest.mark.parametrize("n", [2, 5, 30])
def test_large_groups_are_not_enumerated(n):
    rows = [(0, f"a(d{i})", i + 1) for i in range(n)]
    rows += [(i + 1, f"b(d{i})", 0) for i in range(n)]
    found = find_symmetry(LTS.from_transitions(rows))
    assert found.order == factorial(n)
    assert len(found.generators) == n - 1


def test_number_used_as_identity_and_as_count():
    rows = [(0, "get(0)", 1), (0, "get(1)", 2), (1, "put(0)", 0), (2, "put(1)", 0)]
    rows += [(0, "count(0)", 3), (3, "count(1)", 0)]
    [generator] = find_symmetry(LTS.from_transitions(rows)).generators
    assert str(generator) == "(0 1) in get(*), put(*)"
    assert check(LTS.from_transitions(rows), generator).order == 2


def test_weak_symmetries_include_more():
    system = LTS.from_transitions([(0, "a(1)", 0), (0, "tau", 1), (1, "a(2)", 1), (1, "tau", 0)])
    assert (find_symmetry(system).order, find_symmetry(system, "weak").order) == (1, 2)


def test_limits_and_other_equivalences():
    system = LTS.from_transitions([(0, f"a({i})", 0) for i in range(9)])
    with pytest.raises(LimitReached, match="2 choices did not find all"):
        find_symmetry(system, node_limit=2)
    with pytest.raises(Unsupported, match="modulo bisimulations only"):
        find_symmetry(system, "trace")


def case_studies():
    """Yield the specification of every case study that has figures, for small numbers."""
    for file in sorted(CASES.glob("*.toml")):
        table = tomllib.loads(file.read_text())
        for row in table.get("sizes", []):
            if row["N"] in (2, 3, 4):
                yield pytest.param(
                    CASES / table["specification"], row["N"], id=f"{file.stem}{row['N']}"
                )


def renamed_data(label, images):
    """Return a label with the constants in its arguments replaced."""
    name, bracket, arguments = label.partition("(")
    return name + bracket + DATUM.sub(lambda found: images[found[0]], arguments)


@pytest.mark.parametrize(("specification", "n"), list(case_studies()))
def test_case_studies_have_the_symmetries_of_their_data(specification, n):
    """Every permutation of all constants that occur is tried, where a symmetry can be seen: on the
    minimal system, which is bisimilar to its image if the whole is."""
    system = mucrl.generate(mucrl.read(specification, parameters={"N": n}))
    least = minimise(system, "strong")
    labels = sorted({a for _, a, _ in system.transitions()} - {"tau"})
    data = sorted({d for label in labels for d in DATUM.findall(label.partition("(")[2])})
    expected = set()
    for order in permutations(data):
        images = dict(zip(data, order, strict=True))
        image = tuple(renamed_data(label, images) for label in labels)
        if set(image) != set(labels):
            continue  # a label that can occur would become one that cannot
        whole = dict(zip(labels, image, strict=True)) | {"tau": "tau"}
        renamed = LTS.from_transitions(
            ((s, whole[a], t) for s, a, t in least.transitions()),
            initial=least.initial,
            state_count=least.state_count,
        )
        if compare(least, renamed, "strong").holds:
            expected.add(image)
    found = find_symmetry(system)
    assert len(expected) > 1
    assert found.order == len(expected)
    assert generated(found.generators, labels) == expected
    orbits = {frozenset(image[i] for image in expected) for i in range(len(labels))}
    assert {frozenset(orbit) for orbit in found.orbits} == {o for o in orbits if len(o) > 1}


def test_four_philosophers_have_only_rotations():
    """Every larger group of permutations of four has the exchange of two that are opposite."""
    system = mucrl.generate(mucrl.read(CASES / "philosophers.mcrl", parameters={"N": 4}))
    found = find_symmetry(system)
    assert found.order == 4
    assert [str(generator) for generator in found.generators] == ["(p1 p2 p3 p4)"]
    with pytest.raises(NotSymmetric):
        check(system, parse_permutation("(p2 p4)"))
