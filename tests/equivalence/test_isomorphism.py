"""Isomorphism against its definition: bijections of small systems, and families with many symmetric
parts."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, LimitReached, LtsError
from lts.equivalence import Mismatch, compare, minimise
from strategies import systems


def content(system):
    """Return the transitions as a set, all internal labels as one."""
    name = dict.fromkeys(system.internal)
    return {(s, name.get(a, a), t) for s, a, t in system.transitions()}


def by_definition(left, right):
    """Whether one of all bijections is an isomorphism."""
    rows, others = content(left), content(right)
    count = left.state_count
    if count != right.state_count or len(rows) != len(others):
        return False
    return any(
        images[left.initial] == right.initial
        and {(images[s], a, images[t]) for s, a, t in rows} == others
        for images in itertools.permutations(range(count))
    )


def is_map(left, right, images):
    """Whether `images` is an isomorphism."""
    rows, others = content(left), content(right)
    return (
        sorted(images) == list(range(right.state_count))
        and images[left.initial] == right.initial
        and {(images[s], a, images[t]) for s, a, t in rows} == others
    )


def count_in_class(system, classes):
    """Count the states in the last of the classes, as their definitions say."""
    rows, members = content(system), []
    for each in classes:
        if each.within is None:
            assert not members
            members.append(set(range(system.state_count)))
        elif each.initial is not None:
            members.append(
                {s for s in members[each.within] if (s == system.initial) == each.initial}
            )
        else:
            label = None if each.label in system.internal else each.label
            found = set()
            for state in members[each.within]:
                if each.to is not None:
                    ends = [t for s, a, t in rows if s == state and a == label]
                    near = members[each.to]
                else:
                    ends = [s for s, a, t in rows if t == state and a == label]
                    near = members[each.origin]
                if sum(end in near for end in ends) == each.count:
                    found.add(state)
            members.append(found)
    return len(members[-1])


def agrees(left, right, expected):
    """Compare, check the evidence by what it means, and return what the systems differ in."""
    found = compare(left, right, "isomorphism")
    assert found.holds == expected
    if expected:
        assert found.evidence is None
        assert is_map(left, right, found.images.tolist())
        return "nothing"
    assert found.images is None
    reason = found.evidence
    assert isinstance(reason, Mismatch)
    assert reason.describe("the left one", "the right one")
    sides = left, right
    if reason.differs == "states":
        counts = [system.state_count for system in sides]
    elif reason.differs == "transitions":
        counts = [len(content(system)) for system in sides]
    elif reason.differs == "label":
        counts = []
        for system in sides:
            label = None if reason.label in system.internal else reason.label
            counts.append(sum(a == label for _, a, _ in content(system)))
    elif reason.differs == "class":
        counts = [count_in_class(system, reason.classes) for system in sides]
    else:
        assert reason.wrong > 0
        return reason.differs
    assert counts == [reason.left, reason.right]
    assert counts[0] != counts[1]
    return reason.differs


def shuffled(system, seed):
    """Return the same system with other numbers of states, and its transitions in another order."""
    source = random.Random(seed)
    images = source.sample(range(system.state_count), system.state_count)
    rows = [(images[s], a, images[t]) for s, a, t in system.transitions()]
    source.shuffle(rows)
    return LTS.from_transitions(
        rows, initial=images[system.initial], state_count=system.state_count
    ).with_internal(system.internal)


@st.composite
def pairs(draw):
    """Return two small systems: the same up to numbers, or changed in one transition."""
    left = draw(systems(max_states=5, max_transitions=9))
    right = shuffled(left, draw(st.integers(0, 1 << 16)))
    rows = sorted(right.transitions())
    if rows and draw(st.booleans()):
        place = draw(st.integers(0, len(rows) - 1))
        a = rows[place][1]
        state = st.integers(0, right.state_count - 1)
        rows[place] = (draw(state), draw(st.sampled_from([a, "a", "b"])), draw(state))
        right = LTS.from_transitions(
            rows, initial=right.initial, state_count=right.state_count
        ).with_internal({"tau"} & {a for _, a, _ in rows})
    return left, right


@given(both=pairs())
def test_verdict_map_and_reason_match_definition(both):
    left, right = both
    agrees(left, right, by_definition(left, right))


def test_changed_transition_is_detected_or_isomorphic():
    """Random systems of one label are rarely rigid: all kinds of reasons occur."""
    source, seen = random.Random(5), {}
    for seed in range(1500):
        count = source.randint(1, 6)
        rows = {
            (source.randrange(count), source.choice("ab"), source.randrange(count))
            for _ in range(source.randint(0, 8))
        }
        left = LTS.from_transitions(sorted(rows), state_count=count)
        changed = sorted(rows)
        if changed and seed % 4:
            changed[source.randrange(len(changed))] = (
                source.randrange(count),
                source.choice("ab"),
                source.randrange(count),
            )
        right = shuffled(LTS.from_transitions(changed, state_count=count), seed)
        kind = agrees(left, right, by_definition(left, right))
        seen[kind] = seen.get(kind, 0) + 1
    assert min(seen[kind] for kind in ("nothing", "transitions", "label", "class")) > 50


def joined(parts, start=True):
    """Return systems side by side, with a step from a new initial state to each of their states."""
    rows, count = [], 1
    for size, steps in parts:
        rows += [(s + count, "a", t + count) for s, t in steps]
        rows += [(0, "start", s + count) for s in range(size)] if start else []
        count += size
    return LTS.from_transitions(rows, state_count=count)


def ring(size):
    return size, [(s, (s + 1) % size) for s in range(size)]


def undirected(size, near):
    return size, [(s, t) for s in range(size) for t in range(size) if near(s, t)]


def rook(s, t):
    return s != t and (s // 4 == t // 4 or s % 4 == t % 4)


def shrikhande(s, t):
    step = (s // 4 - t // 4) % 4, (s % 4 - t % 4) % 4
    return step in {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}


# Both are strongly regular with the same parameters, so refinement does not distinguish them.
ROOK, SHRIKHANDE = undirected(16, rook), undirected(16, shrikhande)


@pytest.mark.parametrize("start", [True, False])
@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([ring(3), ring(3)], [ring(6)], False),
        ([ring(6)] * 30 + [ring(3)] * 2, [ring(6)] * 30 + [ring(3)] * 2, True),
        ([ring(6)] * 30 + [ring(3)] * 2, [ring(6)] * 31, False),
        ([ring(2)] * 300, [ring(2)] * 300, True),
        ([ROOK], [SHRIKHANDE], False),
        ([ROOK, SHRIKHANDE] * 4, [SHRIKHANDE] * 4 + [ROOK] * 4, True),
        ([ROOK] * 5 + [SHRIKHANDE] * 3, [SHRIKHANDE] * 4 + [ROOK] * 4, False),
    ],
)
def test_many_symmetric_components(left, right, expected, start):
    """Wrong choices in one component do not multiply those in others."""
    kind = agrees(joined(left, start), shuffled(joined(right, start), 7), expected)
    assert kind == ("nothing" if expected else "search")


def test_components_within_components():
    """A component of 4 rings of rings, of which two kinds differ in the inner ones."""

    def nested(inner):
        rows, count = [], 0
        for outer in range(4):
            first = count
            count += 1
            for size, steps in inner[outer]:
                rows += [(s + count, t + count) for s, t in steps]
                rows += [(first, s + count) for s in range(size)]
                count += size
        return count, rows

    two, one = [ring(3), ring(3)], [ring(6)]
    left = joined([nested([two, one, two, one]), nested([two, two, one, one])], start=False)
    right = joined([nested([one, one, two, two])] * 2, start=False)
    assert agrees(left, shuffled(right, 1), True) == "nothing"
    other = joined([nested([one, one, one, two]), nested([one, two, two, two])], start=False)
    assert agrees(left, shuffled(other, 1), True) == "nothing"
    other = joined([nested([one, one, one, two]), nested([one, one, two, two])], start=False)
    assert agrees(left, shuffled(other, 1), False) == "search"


def test_unreachable_states_count_and_internal_labels_are_one():
    rows = [(0, "a b", 1), (1, "tau", 0)]
    left = LTS.from_transitions(rows)
    more = LTS.from_transitions(rows, state_count=3)
    assert agrees(left, more, False) == "states"
    named = LTS.from_transitions([(0, "i", 1), (1, "a b", 0)], initial=1).with_internal({"i"})
    assert agrees(left, named, True) == "nothing"
    visible = LTS.from_transitions([(0, "i", 1), (1, "a b", 0)], initial=1).with_internal(())
    found = compare(left, visible, "isomorphism")
    assert found.evidence.as_json() == {"differs": "label", "left": 0, "right": 1, "label": "i"}


def test_comparisons_are_described():
    left = LTS.from_transitions([(0, "a", 1), (0, "a", 2), (1, "b", 0)])
    right = LTS.from_transitions([(0, "a", 1), (0, "a", 2), (1, "b", 2)])
    assert str(compare(left, left, "iso")) == "there is no difference"
    assert str(compare(left, right, "iso")) == (
        "states in class 2: 0 of the left system, 1 of the right system, where\n"
        "  class 0: all states\n  class 1: the states that are not initial\n"
        "  class 2: states of class 1 with 1 transition b from class 1"
    )
    one, other = (LTS.from_transitions([(0, label, 1), (1, label, 0)]) for label in "ab")
    assert compare(one, left, "iso").evidence.describe("X", "Y") == "X has 2 states, Y has 3"
    found = compare(one, other, "iso").evidence
    assert found.describe("X", "Y") == "X has 2 transitions with the label a, Y has 0"


def test_the_search_has_a_limit():
    left, right = joined([ROOK]), joined([SHRIKHANDE])
    with pytest.raises(LimitReached, match=r"^2 wrong choices"):
        compare(left, right, "isomorphism", max_states=2)


def test_isomorphism_is_only_compared():
    system = LTS.from_transitions([(0, "a", 0)])
    assert compare(system, system, "iso").holds
    with pytest.raises(LtsError, match=r"^isomorphism is only compared"):
        minimise(system, "isomorphism")
    with pytest.raises(LtsError, match=r"^unknown equivalence `isomorphc`; did you mean"):
        compare(system, system, "isomorphc")
