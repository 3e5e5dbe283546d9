"""State spaces of the case studies and of small specifications."""

from pathlib import Path

import pytest

from lts import LimitReached, SpecificationError
from lts.mucrl import generate, linearise, read, read_text

CASES = Path(__file__).parents[2] / "cases"
BOOL = "sort Bool func T,F:->Bool "
NAT = "sort Nat func 0:->Nat S:Nat->Nat "


def sizes(text, **limits):
    system = generate(read_text(BOOL + text), **limits)
    return system.state_count, system.transition_count


@pytest.mark.parametrize(
    ("case", "n", "states", "transitions"),
    [
        ("abp", 2, 97, 122),
        ("abp", 3, 144, 183),
        ("peterson", 2, 42, 72),
        ("peterson", 3, 668, 1500),
        ("peterson", 4, 12960, 35836),
        ("philosophers", 2, 980, 1578),
        ("philosophers", 3, 14916, 32160),
    ],
)
def test_case_studies_have_the_published_sizes(case, n, states, transitions):
    system = generate(read(CASES / f"{case}.mcrl", parameters={"N": n}))
    assert (system.state_count, system.transition_count) == (states, transitions)


def test_labels_and_order():
    system = generate(read_text(BOOL + "act a:Bool b init sum(x:Bool, a(x).b).delta + tau"))
    assert list(system.transitions()) == [
        (0, "a(T)", 1),
        (0, "a(F)", 1),
        (0, "tau", 2),
        (1, "b", 3),
    ]


def test_only_tau_is_internal():
    assert generate(read_text(BOOL + "act i init i")).internal == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("act a proc X = a.X init X", (1, 1)),
        ("act a b proc X = a.X Y = b.Y init X||Y", (1, 2)),
        ("act a b c comm a|b=c proc X = a.X Y = b.Y init encap({a,b},X||Y)", (1, 1)),
        ("act a b c d comm a|b=c c|d=a proc X=a.X Y=b.Y init X||Y", (1, 3)),
        ("act a init delta", (1, 0)),
        ("act a init a <| F |> delta", (1, 0)),
        ("act a init a + a + a", (2, 1)),
    ],
)
def test_small_processes(text, expected):
    assert sizes(text) == expected


def test_infinite_sums_are_solved_by_communication():
    text = NAT + (
        "act r,s,c:Nat comm r|s=c proc X(n:Nat)=s(S(n)).X(n) Y=sum(n:Nat,r(S(n)).Y)"
        "init encap({r,s},X(S(0))||Y)"
    )
    assert sizes(text) == (1, 1)


def test_conditions_narrow_infinite_sums():
    text = NAT + (
        "map lt:Nat#Nat->Bool var m,n:Nat rew lt(m,0)=F lt(0,S(n))=T lt(S(m),S(n))=lt(m,n)"
        "act a:Nat init sum(n:Nat, a(n) <| lt(n,S(S(S(0)))) |> delta)"
    )
    assert sizes(text) == (2, 3)


def test_an_infinite_sum_stops_at_a_limit():
    text = NAT + "act a,b:Nat proc X(n:Nat)=sum(m:Nat,a(n).b(m).X(S(n))) init X(0)"
    with pytest.raises(LimitReached) as stopped:
        sizes(text, max_states=1000)
    found = stopped.value.found
    assert found == {"states": 1000, "transitions": 999, "levels": 1, "deadlocks": 0}
    with pytest.raises(LimitReached, match="a sum over `m:Nat` has more than 50 values"):
        sizes(text, max_values=50)


def test_irreducible_term_error_has_a_position():
    with pytest.raises(SpecificationError, match=r"1:\d+: `f\(T\)` does not reduce to a value"):
        generate(read_text(f"{BOOL}map f:Bool->Bool act a:Bool init a(f(T))", strict=True))


def test_nonterminating_rewriting_names_the_rule():
    text = NAT + "map f:Nat->Nat var n:Nat rew f(0)=0 f(S(n))=f(S(S(n))) act a:Nat init a(f(S(0)))"
    where = r"1:\d+: stopped after .* the rule for `f` of line 1"
    with pytest.raises(LimitReached, match=where) as reached:
        sizes(text)
    assert reached.value.limit == 10_000_000


def test_sums_over_sorts_without_constructors_are_refused():
    with pytest.raises(SpecificationError, match="`D`, which has no constructors"):
        sizes("sort D map d:->D act a:D init sum(x:D,a(x))")


def test_unguarded_recursion_is_refused():
    with pytest.raises(SpecificationError, match="call itself without an action"):
        linearise(read_text(BOOL + "act a proc X = X + a init X"))


def test_dead_data_are_reset():
    text = "sort D func d,e:->D act a:D b proc X = sum(x:D,a(x).a(x).b.X) init X"
    assert sizes(text) == (4, 5)


def test_constants_without_rules_are_normal_forms():
    text = "sort D func d:->D map dummy:->D act a:D init a(dummy).sum(x:D,a(x))"
    assert [a for _, a, _ in generate(read_text(BOOL + text)).transitions()] == ["a(dummy)", "a(d)"]


def test_infinite_sorts_are_enumerated_in_linear_time():
    text = NAT + "act a:Nat proc X(n:Nat)=a(n) init sum(n:Nat,sum(m:Nat,tau.X(m)))"
    with pytest.raises(LimitReached):
        sizes(text, max_states=100_000)


def test_unused_sum_variables_give_one_step():
    text = NAT + "act a,b init sum(n:Nat,a.b)"
    assert sizes(text) == (3, 2)
    text = "sort D map d:->D act a init sum(x:D,a)"
    with pytest.raises(SpecificationError, match="`D`, which has no constructors"):
        sizes(text)


def test_differently_sorted_actions_do_not_communicate():
    text = """sort Bool D E func T,F:->Bool d:->D e:->E
    act a,b,c: D a,b,c: E k comm a|b=c
    init k.({}).k"""
    for body, expected in (
        ("sum(x:D,a(x))|sum(y:E,b(y))", {"k"}),
        ("sum(x:D,a(x))|sum(y:D,b(y))", {"k", "c(d)"}),
    ):
        system = generate(read_text(text.format(body)))
        assert set(system.labels) == expected
