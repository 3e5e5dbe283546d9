"""Verdicts as truth values, and texts given where several names are expected."""

import pytest

import aut_format
from lts import LTS, mucrl
from lts.base.label_names import unmatched
from lts.equivalence import compare, refines
from lts.logic import check
from lts.state_space.generation import Output
from lts.state_space.settings import Internal
from lts.symmetry import (
    check_bisimilar,
    find_in_specification,
    find_symmetry,
    minimise_reduction,
    parse_permutation,
    reduce,
    refines_on_orbits,
    symmetric_sorts,
)

SYSTEM = LTS.from_transitions([(0, "a(1)", 0), (0, "a(2)", 0)])
OTHER = LTS.from_transitions([(0, "a(1)", 0)])
PERMUTATION = parse_permutation("(1 2)")
SPECIFICATION = """
sort Bool func T,F: -> Bool
sort D func d1,d2: -> D act a: D
proc X = a(d1).X + a(d2).X init X
"""


def test_verdicts_are_truth_values():
    assert compare(SYSTEM, SYSTEM, "strong")
    assert not compare(SYSTEM, OTHER, "strong")
    assert refines(SYSTEM, OTHER, "trace")
    assert not refines(OTHER, SYSTEM, "trace")
    assert check(SYSTEM, "deadlock-free")
    assert not check(SYSTEM, "[true]false")
    assert find_symmetry(SYSTEM)
    assert not find_symmetry(OTHER)
    assert check_bisimilar(SYSTEM, PERMUTATION) is True
    process = mucrl.linearise(mucrl.read_text(SPECIFICATION))
    assert refines_on_orbits(SYSTEM, process, "trace") is not None
    assert not refines_on_orbits(SYSTEM, process, "trace")


def test_symmetries_of_a_specification_are_truth_values():
    specification = (
        "sort Bool func T,F: -> Bool sort D func d1,d2: -> D "
        "act a: D proc X(d:D) = a(d).X(d) init {}"
    )
    both = mucrl.read_text(specification.format("X(d1) || X(d2)"))
    one = mucrl.read_text(specification.format("X(d1)"))
    assert find_in_specification(mucrl.linearise(both))
    assert not find_in_specification(mucrl.linearise(one))


@pytest.mark.parametrize(
    "call",
    [
        lambda: SYSTEM.hide("send"),
        lambda: SYSTEM.hide(b"send"),
        lambda: SYSTEM.with_internal("tau"),
        lambda: LTS.from_columns([], [], [], "ab", 0, 1),
        lambda: unmatched("send", ["a"]),
        lambda: unmatched(["a"], "send"),
        lambda: aut_format.loads("des (0,0,1)\n", internal="tau"),
        lambda: mucrl.explore(
            mucrl.linearise(mucrl.read_text(SPECIFICATION)), output=Output(write=print, hide="send")
        ),
        lambda: mucrl.linearise(mucrl.read_text(SPECIFICATION), simplifications="dead"),
        lambda: symmetric_sorts(mucrl.linearise(mucrl.read_text(SPECIFICATION)), "D"),
        lambda: refines_on_orbits(
            SYSTEM,
            mucrl.linearise(mucrl.read_text(SPECIFICATION)),
            "trace",
            internal=Internal(hidden="send"),
        ),
        lambda: minimise_reduction(
            reduce(SYSTEM, PERMUTATION).encoding,
            reduce(SYSTEM, PERMUTATION).symmetry,
            "strong",
            hide="send",
        ),
    ],
)
def test_text_is_not_a_list_of_names(call):
    with pytest.raises(TypeError, match="several names"):
        call()
