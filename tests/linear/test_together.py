"""Steps that two components never do together are left out, and no others."""

from hypothesis import given
from hypothesis import strategies as st

from lts.linear import control_flow
from lts.linear.linearise import linearise
from lts.linear.parallel.multi_actions import Filter
from lts.linear.simplify import unreachable
from lts.mucrl import read_text
from lts.specification.specification import Comm, Encap
from lts.state_space.generation import generate
from naive.systems import bisimilar

HEAD = "sort Bool func T,F:->Bool act a b s r c d comm s|r=c b|s=d\n"
parts = st.lists(st.sampled_from(["a", "b", "s", "r", "s", "r", "(a + s)", "(b + r.s)"]),
                 min_size=1, max_size=5)  # fmt: skip
sequences = parts.map(".".join)


def test_impossible_joint_steps_are_removed(monkeypatch):
    counts = {"texts": 0, "left out": 0}
    apart = unreachable.never_together

    def counted(*arguments):
        found = apart(*arguments)
        counts["left out"] += bool(found)
        return found

    monkeypatch.setattr(unreachable, "never_together", counted)
    monkeypatch.setattr(control_flow, "MUCH", 0)

    @given(
        st.lists(sequences, min_size=2, max_size=3),
        st.sampled_from(["encap({{s,r}}, {})", "encap({{s,r,b}}, {})", "a.encap({{s,r}}, {}).b"]),
    )
    def check(beside, around):
        specification = read_text(f"{HEAD}init {around.format(' || '.join(beside))}")
        plain = linearise(specification, simplifications=())
        simpler = linearise(specification, simplifications=["unreachable"])
        counts["texts"] += 1
        assert bisimilar(generate(simpler), generate(plain))

    check()
    assert counts["left out"] * 30 >= counts["texts"], counts


def test_sequential_handshakes_are_linear():
    sequence = ".".join(["s"] * 30), ".".join(["r"] * 30)
    text = f"{HEAD}init encap({{s,r}}, {' || '.join(sequence)})"
    assert len(linearise(read_text(text)).summands) == 30


def test_filters_reject_forbidden_actions_early():
    """Where `block({a,b}, comm({a|b -> c}, P || Q))` is around, nobody builds what it forbids."""
    blocked = Filter().inside(Encap(frozenset("ab"), None, None))
    assert [blocked.admits(tuple(bag)) for bag in ("a", "c", "ac", "")] == [
        False,
        True,
        False,
        True,
    ]
    inside = blocked.inside(Comm(((("a", "b"), "c"),), None, None))
    # What is forbidden may still communicate, if anybody offers the other action.
    assert all(inside.admits(tuple(bag)) for bag in ("a", "b", "ab", "cd"))
    alone = inside.before([[("d",)]])
    assert [alone.admits(tuple(bag)) for bag in ("a", "b", "ab", "d")] == [False, False, True, True]
    offered = inside.before([[("d",)], [("b", "d"), ("d",)]])
    assert [offered.admits(tuple(bag)) for bag in ("a", "b", "aa")] == [True, False, False]
