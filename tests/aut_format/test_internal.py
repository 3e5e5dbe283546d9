"""What is internal in a system is internal in its file, whatever its actions are called."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aut_format
from lts import LTS
from lts.equivalence import equivalent, minimise, without_tau_cycles
from lts.symmetry import expand, isomorphic, parse_permutation, reduce
from strategies import systems

NAMES = ("tau", "i", "a", "I", "tau2", "i(1)")


@st.composite
def named(draw):
    """Return an LTS with odd names of actions, and any choice of the internal ones by name."""
    system = draw(systems(labels=draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4))))
    how = draw(st.sampled_from(["convention", "none", "tau"]))
    if how == "convention":
        return system
    return system.with_internal([] if how == "none" else ["tau"])


def steps(system):
    """Return the transitions; what is internal has a name of its own."""
    return [(s, a if a not in system.internal else None, t) for s, a, t in system.transitions()]


def again(system):
    return aut_format.loads(aut_format.dumps(system))


@given(named())
def test_written_systems_keep_internal_labels(system):
    assert steps(again(system)) == steps(system)
    assert [a for _, a, _ in again(system).transitions()] == [a for _, a, _ in system.transitions()]


@given(named(), st.sampled_from(["strong", "branching", "weak", "divergence-preserving-weak"]))
def test_derived_systems_roundtrip(system, relation):
    for made in (
        minimise(system, relation),
        system.reachable(),
        without_tau_cycles(system)[0],
        without_tau_cycles(system, keep_loops=True)[0],
    ):
        assert steps(again(made)) == steps(made)
    assert equivalent(system, again(minimise(system, relation)), relation)
    assert steps(again(minimise(again(system), relation))) == steps(minimise(system, relation))


@given(named())
def test_reductions_and_expansions_roundtrip(system):
    reduction = reduce(system, parse_permutation("()"))
    encoding = again(reduction.encoding)
    expanded = expand(encoding, reduction.symmetry)
    assert isomorphic(expanded, system)
    assert {a for _, a, _ in steps(expanded)} == {a for _, a, _ in steps(system.reachable())}
    assert steps(again(expanded)) == steps(expanded)


def test_header_of_a_visible_i():
    system = LTS.from_transitions([(0, "i", 1)], state_count=2).with_internal([])
    assert aut_format.dumps(system) == b'des\t(0,1,2)\n(0,"i",1)\n'
    assert again(system).internal == ()
    assert aut_format.dumps(again(again(system))) == aut_format.dumps(system)
    assert aut_format.dumps(LTS.from_transitions([(0, "i", 1)])) == b'des (0,1,2)\n(0,"i",1)\n'


@pytest.mark.parametrize(
    "header", ["\xef\xbb\xbfdes\t(0,1,2)", " des\t(0, 1, 2) ", "des\t(0,1,2)\r"]
)
def test_tab_after_des_marks_no_internal_labels(header):
    text = f'{header}\n(0,"i",1)\n'.encode("latin-1")
    assert aut_format.loads(text).internal == ()
    assert aut_format.loads(text, internal=["i"]).internal == ("i",)
    assert aut_format.loads(text.replace(b"des\t", b"des ")).internal == ("i",)
    assert aut_format.loads(text.replace(b"des\t", b"des \t")).internal == ("i",)


def test_streamed_files_mark_visible_labels_at_the_end(tmp_path):
    for out in (tmp_path / "a.aut", io.BytesIO()):
        with aut_format.Writer(out) as file:
            file.add(0, "i", 1)
            file.visible = True
        text = out.getvalue() if isinstance(out, io.BytesIO) else out.read_bytes()
        assert aut_format.loads(text).internal == ()
