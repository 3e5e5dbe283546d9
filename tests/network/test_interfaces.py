"""Interfaces: parts of systems that somebody says are enough, and whether they are."""

from collections import Counter

import pytest
from hypothesis import assume, given, settings

from composition_expressions import content, networks
from lts import LTS, LtsError, SpecificationError, Unsupported
from lts.equivalence import minimise
from lts.network import Composers, compose, read_text, reduce, symmetries
from naive.networks import UNARY, Fails, composed, written
from naive.systems import isomorphic
from strategies import examples


def network_of(expression, files):
    return read_text(written(expression), load=lambda path: files[path[2:].removesuffix(".aut")])


def inner(expression):
    """Whether a verified interface stands within another one."""
    kind, *rest = expression
    if kind == "file":
        return False
    operands = [rest[-1]] if kind in UNARY else rest[-1]
    if kind in ("within", "verified") and any(map(has_verified, operands)):
        return True
    return any(map(inner, operands))


def has_verified(expression):
    kind, *rest = expression
    if kind == "file":
        return False
    operands = [rest[-1]] if kind in UNARY else rest[-1]
    return kind == "verified" or any(map(has_verified, operands))


def unrestricted(expression):
    """The expression without verified interfaces."""
    kind, *rest = expression
    if kind == "file":
        return expression
    if kind == "verified":
        return unrestricted(rest[1][0])
    if kind in UNARY:
        return (kind, *rest[:-1], unrestricted(rest[-1]))
    return (kind, *rest[:-1], [unrestricted(one) for one in rest[-1]])


def test_interface_restriction_matches_definition():
    met = Counter()

    @settings(max_examples=examples(3))
    @given(networks(interfaces=("within",)))
    def as_defined(network):
        expression, files = network
        expected = composed(expression, files, 200)
        assume(expected is not None)
        triples, count = expected
        found = compose(network_of(expression, files))
        assert (found.state_count, found.transition_count) == (count, len(triples))
        assert isomorphic(found, LTS.from_transitions(triples, state_count=count))
        met["within"] += "'within'" in str(expression)

    as_defined()
    assert met["within"] > 10


def test_verified_interfaces_preserve_the_composition():
    met = Counter()

    @settings(max_examples=examples(5))
    @given(networks(most=4, interfaces=("within", "verified")))
    def as_without(network):
        expression, files = network
        assume(has_verified(expression[-1]))
        if inner(expression[-1]):
            with pytest.raises(LtsError, match="cannot be inside"):
                network_of(expression, files)
            return
        try:
            expected = composed(expression, files, 200)
        except Fails:
            with pytest.raises(SpecificationError, match="is violated"):
                network_of(expression, files)
            met["fails"] += 1
            return
        assume(expected is not None)
        triples, count = expected
        made = network_of(expression, files)
        found = compose(made)
        assert isomorphic(found, LTS.from_transitions(triples, state_count=count))
        # It is the system without the interface, and parts are no larger.
        whole = network_of((*expression[:-1], unrestricted(expression[-1])), files)
        assert isomorphic(found, compose(whole))
        assert minimise(found, "strong") == minimise(compose(whole), "strong")
        assert content(reduce(made, "branching").lts) == content(minimise(found, "branching"))
        met["holds"] += 1

    as_without()
    assert met["fails"] > 3
    assert met["holds"] > 10


def test_interface_restriction_is_stable_under_minimisation():
    met = Counter()

    @settings(max_examples=examples(2))
    @given(networks(interfaces=("within",), priorities=True))
    def as_whole(network):
        expression, files = network

        def bisimilar(part):
            return reduce(part, "strong").lts

        def read_with(composers):
            text = written(expression)
            return read_text(
                text, load=lambda path: files[path[2:].removesuffix(".aut")], composers=composers
            )

        try:
            whole = compose(read_with(Composers()))
        except SpecificationError:
            return
        found = reduce(read_with(Composers(bisimilar=bisimilar)), "strong").lts
        assert content(found) == content(minimise(whole, "strong"))
        met["exact"] += "'within'" in str(expression) and "'prio'" in str(expression)

    as_whole()
    assert met["exact"] > 3


COUNTER = LTS.from_transitions(
    [*((n, "up", n + 1) for n in range(50)), *((n + 1, "down", n) for n in range(50))]
)
TURNS = LTS.from_transitions([(0, "up", 1), (1, "down", 0)])
TWICE = LTS.from_transitions([(0, "up", 1), (1, "up", 2), (2, "down", 1), (1, "down", 0)])
FILES = {"counter": COUNTER, "turns": TURNS, "twice": TWICE}


def read(text):
    return read_text(text, load=lambda path: FILES[path[2:].removesuffix(".aut")])


def test_interface_bounds_the_size_of_a_component():
    made = read("(counter -|[up, down]|? turns) |[up, down]| turns")
    assert made.components[0].state_count == 2
    assert isomorphic(compose(made), TURNS)
    assert made.names == ("counter", "turns")
    # Nothing of the verification is left.
    assert made.components[0].transition_count == 2
    assert symmetries(made).order == 1


def test_violated_interface_is_reported_with_position_and_trace():
    with pytest.raises(SpecificationError) as caught:
        read("(counter -|[up,\n down]|? turns) |[up, down]| twice")
    error = caught.value
    assert error.message == ("the interface is violated: it does not allow `up` after up")
    assert (error.line, error.column) == (1, 13)
    # Hidden and renamed steps fail as well, and their labels come out in the trace.
    with pytest.raises(SpecificationError, match=r"does not allow `up` after tau\n"):
        read("hide up in (rename up -> up in counter -|[up, down]|? turns end rename) ||| turns")
    with pytest.raises(SpecificationError, match=r"after more\n"):
        read("rename up -> more in (counter -|[up, down]|? turns) |[up, down]| twice end rename")


def test_unverified_interface_only_restricts():
    found = compose(read("counter -|[up, down]| twice"))
    assert found.state_count == 3
    # The surroundings are not looked at: what they could do more is not there.
    assert isomorphic(compose(read("(counter -|[up, down]| turns) |[up, down]| twice")), TURNS)


def test_wrong_interfaces_are_refused_or_remarked():
    for text in (
        "prio up > down in (counter -|[up]|? turns) end prio",
        "(counter -|[up]|? turns) -|[up]| turns",
    ):
        with pytest.raises(Unsupported, match="cannot be inside `prio`"):
            read(text)
    assert [r.message for r in read("counter -|[upp]| turns").remarks] == [
        "`upp` is blocked: operand 1 does not have it"
    ]
    for text in ("counter -|[]| turns", "counter -|| turns", "counter -|[up]|"):
        with pytest.raises(LtsError):
            read(text)


def test_states_separated_by_an_interface_remain_distinct():
    """Two bisimilar states: the interface allows what comes next in one of them only."""
    one = LTS.from_transitions([(0, "a", 1), (0, "b", 2), (1, "c", 0), (2, "c", 0)])
    other = LTS.from_transitions([(0, "a", 1), (1, "c", 0), (0, "b", 2)])
    met = []

    def bisimilar(part):
        met.append(part)
        return reduce(part, "strong").lts

    def read_here(text):
        composers = Composers(bisimilar=bisimilar)
        files = {"one": one, "other": other}
        return read_text(
            text, load=lambda path: files[path[2:].removesuffix(".aut")], composers=composers
        )

    found = compose(read_here("(prio a > b in one end prio) -|[a, b, c]| other"))
    assert sorted(found.transitions()) == [(0, "a", 1), (1, "c", 0)]
    found = compose(read_here("(prio b > z in one end prio) -|[a, b, c]| other"))
    assert sorted(found.transitions()) == [(0, "a", 1), (0, "b", 2), (1, "c", 0)]
    assert not met
    compose(read_here("prio b > z in one -|[a, b, c]| other end prio"))
    assert len(met) == 1
