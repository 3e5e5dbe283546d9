"""The LTS type: columns, label table, checks of its invariants."""

import copy
import pickle
from array import array

import networkx
import numpy as np
import pytest

from lts import LTS, LimitReached, Unsupported
from lts.equivalence import minimise


def test_columns_are_shared_and_read_only():
    system = LTS.from_transitions([(0, "a", 1), (1, "b", 0), (1, "a", 1)])
    assert system.source.tolist() == [0, 1, 1]
    assert system.target.tolist() == [1, 0, 1]
    assert system.label.tolist() == [0, 1, 0]
    assert system.labels == ("a", "b")
    assert not system.source.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        system.source[0] = 1


def test_columns_outlive_the_system():
    source = LTS.from_transitions([(0, "a", 1)] * 1000).source
    assert source.sum() == 0
    assert len(source) == 1000


def test_tau_is_internal_and_i_only_where_no_label_is_tau():
    assert LTS.from_transitions([(0, "i", 1)]).internal == ("i",)
    both = LTS.from_transitions([(0, "i", 1), (0, "tau", 1)])
    assert both.internal == ("tau",)
    assert both.with_internal(["i", "absent"]).internal == ("i",)
    assert LTS.from_transitions([(0, "a", 1)]).internal == ()


def test_undecodable_label_bytes_are_preserved():
    label = b"a\xff".decode("utf-8", "surrogateescape")
    assert LTS.from_transitions([(0, label, 1)]).labels == (label,)


def test_no_transitions():
    system = LTS.from_transitions([], initial=2)
    assert (system.state_count, system.transition_count) == (3, 0)
    assert system.source.tolist() == []


@pytest.mark.parametrize(
    ("columns", "initial", "states", "message"),
    [
        (([0], [0], [5]), 0, 2, "transition 0: state 5"),
        (([0, 0], [0, 0], [0, 3]), 0, 2, "transition 1: state 3"),
        (([0], [1], [0]), 0, 2, "transition 0: label 1"),
        (([], [], []), 2, 2, "initial state 2"),
        (([0], [], [0]), 0, 2, "1, 0 and 1 entries"),
    ],
)
def test_malformed_columns_are_refused(columns, initial, states, message):
    source, label, target = (array("I", column) for column in columns)
    with pytest.raises(ValueError, match=message):
        LTS.from_columns(source, label, target, ["a"], initial, states)


INTEGERS = ["u1", "i1", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8"]


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.parametrize("stride", [1, -1, 3])
def test_columns_are_any_integers(kind, stride):
    def column(*numbers):
        wide = np.zeros((len(numbers), abs(stride)), dtype=kind)
        wide[:, 0] = numbers[:: 1 if stride > 0 else -1]
        return wide.reshape(-1)[::stride]

    if stride == -1:
        assert column(1, 2).tolist() == [1, 2]
    system = LTS.from_columns(column(1, 0), column(0, 1), column(2, 1), ["a", "b"], 0, 3)
    assert list(system.transitions()) == [(1, "a", 2), (0, "b", 1)]


@pytest.mark.parametrize(
    ("column", "error"),
    [
        (np.array([2**32]), ValueError),
        (np.array([-1]), ValueError),
        (np.array([2**63], dtype="u8"), ValueError),
        (np.array([1.0]), TypeError),
        (np.array([True]), TypeError),
        (np.array(["1"]), TypeError),
        (np.array(["2020"], dtype="M8[Y]"), TypeError),
        (np.array([[1]]), TypeError),
        (np.array([1], dtype=object), TypeError),
        ([1], TypeError),
        (None, TypeError),
    ],
)
def test_non_integer_columns_are_refused(column, error):
    zero = np.array([0])
    with pytest.raises(error):
        LTS.from_columns(column, zero, zero, ["a"], 0, 2)


def test_an_lts_is_pickled_and_copied():
    system = LTS.from_transitions([(0, "a", 1), (1, "i", 0)], initial=1, state_count=5)
    system = system.with_internal(["a"])
    again = pickle.loads(pickle.dumps(system))
    for other in (again, copy.copy(system), copy.deepcopy(system)):
        assert other.internal == ("a",)
        assert (other.initial, other.state_count) == (1, 5)
        assert list(other) == list(system)


def test_consumed_systems_are_refused():
    system = LTS.from_transitions([(0, "a", 1)])
    kept = copy.copy(system)
    minimise(system, "strong", consume=True)
    for use in (lambda: system.labels, lambda: pickle.dumps(system), lambda: copy.copy(system)):
        with pytest.raises(Unsupported, match="its memory was handed over"):
            use()
    assert kept.labels == ("a",)
    with pytest.raises(AttributeError, match="no attribute 'size'"):
        _ = system.size


def test_to_networkx():
    graph = LTS.from_transitions([(0, "a", 1), (0, "b", 1)], initial=1, state_count=3).to_networkx()
    assert graph.graph["initial"] == 1
    assert list(networkx.isolates(graph)) == [2]
    assert sorted(graph.edges(data="label")) == [(0, 1, "a"), (0, 1, "b")]


def test_too_many_states_reach_a_limit():
    from lts.system.sizes import refuse_large

    refuse_large(2**31 - 1, 2**32 - 2)
    for states, transitions, what in ((2**31, 0, "states"), (1, 2**32 - 1, "transitions")):
        with pytest.raises(LimitReached, match=f"{what} are too many"):
            refuse_large(states, transitions)
