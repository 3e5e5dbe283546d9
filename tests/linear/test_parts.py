"""Parts of linearisation by themselves: what is equal, what is asked for, what limits do."""

import pytest

from lts import Unsupported, mcrl2, mucrl
from lts.base.bounds import MULTI_ACTIONS
from lts.linear import total
from lts.linear.control_state import Fork, Residual
from lts.linear.equations import Equations
from lts.linear.ground_terms import GroundTerms
from lts.linear.hash_consing import ProcessTable
from lts.linear.linearise import linearise
from lts.linear.parallel import multi_actions
from lts.linear.parallel.multi_actions import Filter
from lts.linear.parallel.relabelling import Relabelling
from lts.linear.parallel.synchronisation import divisions
from lts.linear.simplify import simplify
from lts.linear.total import has_no_other_values
from lts.specification.specification import (
    Allow,
    Application,
    Choice,
    Comm,
    Delta,
    Function,
    Hide,
    Sequence,
    Tau,
)
from naive.systems import bisimilar

HEAD = "sort Bool D N func T,F:->Bool d1,d2:->D z:->N s:N->N\n"


def test_residuals_are_equal_by_process_and_operators():
    delta, tau, hidden = Delta(), Tau((1, 1)), Relabelling((("a", "tau"),))
    assert Residual(delta, hidden) == Residual(delta, Relabelling((("a", "tau"),)))
    assert Residual(delta) != Residual(tau)
    assert Residual(delta) != Residual(delta, hidden)
    assert Residual(delta) != Fork(2, hidden, (1, 1))


def test_interned_processes_are_added_once(monkeypatch):
    added = []
    add = ProcessTable.add

    def counted(processes, process):
        added.append(process)
        add(processes, process)

    monkeypatch.setattr(ProcessTable, "add", counted)
    processes, inside = ProcessTable(), Tau((1, 1))
    process = Sequence(inside, Delta())
    assert processes.intern(processes.intern(process)) is processes.intern(process)
    assert processes.intern(inside) is processes.intern(process).first
    assert len(added) == 3
    assert processes.intern(Sequence(Tau((2, 2)), Delta())) is processes.intern(process)
    assert processes.intern(Choice((Tau((3, 3)), Delta()))).alternatives[0] is inside


@pytest.mark.parametrize(("pairs", "count"), [(1, 2), (2, 7), (3, 34)])
def test_partial_matchings_are_enumerated_once(pairs, count):
    """There are as many as partial matchings."""
    kinds = (("a", ("D",)), ("b", ("D",))) * pairs
    found = [*divisions(kinds, [(("a", "b"), "c")], Filter())]
    assert len({frozenset(way.groups) for way in found}) == len(found) == count


@pytest.mark.parametrize(("rules", "is_identity"), [
    ("same(x,x)=T", True),
    ("same(y,y)=T", True),
    ("same(x,y)=T", False),
    ("same(x,x)=F", False),
    ("same(x,x)=T same(x,y)=F", True),
    ("same(x,x)=T same(y,x)=F", True),
    ("same(x,y)=F same(x,x)=T", False),
    ("same(x,y)=T same(x,y)=F", False),
    ("same(x,x)=F same(x,y)=F", False),
    ("same(x,x)=T same(x,x)=F", False),
    ("same(x,x)=T same(y,y)=F", False),
    ("same(x,x)=T same(x,y)=T", False),
    ("same(x,x)=T same(x,d1)=F", False),
    ("same(x,x)=T same(x,y)=F same(d1,d2)=F", False),
])  # fmt: skip
def test_equality_rules_are_recognised(rules, is_identity):
    text = f"{HEAD} map same:D#D->Bool ask:->Bool var x,y:D rew {rules} ask=same(d1,d2)"
    specification = mucrl.read_text(f"{text} init delta")
    asked = specification.rules[-1].right
    assert Equations(specification).is_identity(asked) == is_identity


def test_terms_with_foreign_symbols_may_be_equal():
    specification = mucrl.read_text(f"{HEAD} init delta")
    s = next(f for f in specification.functions if f.name == "s")
    zero = Application(next(f for f in specification.functions if f.name == "z"))
    other = Application(Function("unset", (), "N"))
    terms = GroundTerms(specification)
    assert terms.differ(Application(s, (zero,)), zero)
    assert not terms.differ(Application(s, (other,)), zero)


def test_oversized_filters_admit_all_actions(monkeypatch):
    allow = Filter().inside(Allow(frozenset({("c",), ("c", "c")}), None, None))
    comm = Comm(((("a", "b"), "c"),), None, None)
    assert [allow.inside(comm).admits((name,)) for name in "acd"] == [True, True, False]
    monkeypatch.setattr(multi_actions, "MOST_MULTI_ACTIONS", 2)
    assert [allow.inside(comm).admits((name,)) for name in "acd"] == [True] * 3


def test_filter_is_whole_when_no_action_can_be_added():
    comm = Comm(((("a", "b"), "c"),), None, None)
    names = frozenset("ab")

    def whole(allowed, bag, hidden=()):
        allow = Filter().inside(Allow(frozenset(map(tuple, allowed)), None, None))
        inside = allow.inside(Hide(frozenset(hidden), None, None)).inside(comm)
        return inside.is_whole(tuple(bag), names)

    assert whole(["c"], "ab")
    assert not whole(["c"], "a")
    assert not whole(["c", "cc"], "ab")
    assert whole(["c", "cc"], "aabb")
    assert whole(["c"], "abd", hidden="d")
    assert not whole(["c"], "b", hidden="a")
    assert not whole(["c"], "ab", hidden="c")
    assert not Filter().inside(comm).is_whole(("a", "b"), names)


PARTIAL = """sort E map f,g:D->Bool same:D#D->Bool e0:->E var x,y:D
rew f(d1)=F g(d1)=T g(d2)=T same(x,x)=T same(x,y)=F act a:E#D b:E c e:D """


@pytest.mark.parametrize(("process", "conditions"), [
    ("sum(x:D, c <| f(x) |> delta)", []),
    ("sum(x:D, delta <| g(x) |> delta)", []),
    ("sum(x:D, delta <| f(x) |> delta)", ["f(x)"]),
    # Another step asks, but for no value if its sum has none.
    ("sum(y:D, sum(x:D, e(y) <| f(x) |> delta)) + sum(x:D, delta <| f(x) |> delta)", ["f(x)"]),
    ("sum(y:E, sum(x:D, a(y,x) <| f(x) |> delta)) + sum(x:D, delta <| f(x) |> delta)", ["f(x)"]),
    ("sum(x:D, sum(y:D, e(y)) <| f(x) |> delta)", []),
    ("sum(x:D, sum(y:E, b(y)) <| f(x) |> delta)", ["f(x)"]),
    # Nothing is asked where a sum may have no values, or infinitely many.
    ("sum(y:E, delta <| f(d2) |> delta)", []),
    ("sum(y:D, delta <| f(d2) |> delta)", ["f(d2)"]),
    ("sum(n:N, delta <| f(d2) |> delta)", ["f(d2)"]),
])  # fmt: skip
def test_undecidable_conditions_become_decisions(process, conditions):
    specification = mucrl.read_text(f"{HEAD}{PARTIAL} proc X = c.X + {process} init X")
    found = linearise(specification, simplifications=())
    assert [str(term) for decision in found.decisions for term in decision.arguments] == conditions


@pytest.mark.parametrize(("condition", "is_asked"), [("f(x) < 20", False), ("g(17)", True)])
def test_undecidable_number_conditions_become_decisions(condition, is_asked):
    text = f"""sort S = struct s1 | s2; map f: S -> Nat; g: Nat -> Bool; eqn f(s1) = 3; f(s2) = 40;
    act a; proc X(x: S) = a.X(x) + ({condition}) -> delta; init X(s1);"""
    process = linearise(mcrl2.read_text(text), simplifications=())
    assert bool(process.decisions) == is_asked


def test_decisions_at_unreachable_data_are_removed():
    text = f"""{HEAD}{PARTIAL}
    proc X(x:D) = ((delta <| f(x) |> delta) <| same(x,d2) |> c).X(x) init X(d1)"""
    process = linearise(mucrl.read_text(text), simplifications=())
    assert len(process.decisions) == 1
    simpler = simplify(process)
    assert not simpler.decisions
    assert bisimilar(mucrl.generate(simpler), mucrl.generate(process))


@pytest.mark.parametrize(("rules", "are_constructors"), [("m=d1", True), ("d2=d1 m=d1", True),
                                                         ("d2=m", False)])  # fmt: skip
def test_sums_over_rewritten_constants_are_total(rules, are_constructors):
    text = f"{HEAD} map m:->D rew {rules} act a:D init sum(x:D, a(x))"
    assert has_no_other_values(linearise(mucrl.read_text(text))) == are_constructors


@pytest.mark.parametrize(("rule", "is_total"), [("h(x)=T", True), ("h(d1)=T", False)])
def test_rule_results_must_have_values(rule, is_total):
    text = f"{HEAD} map f,g,h:D->Bool var x:D rew f(x)=g(x) g(x)=h(x) {rule} act a:Bool"
    process = linearise(mucrl.read_text(f"{text} init sum(x:D, a(f(x)))"))
    assert has_no_other_values(process) == is_total


def test_pattern_completeness_check_is_bounded(monkeypatch):
    text = f"{HEAD} map f:D#D->Bool var x:D rew f(d1,x)=T f(d2,d1)=T f(d2,d2)=F "
    process = linearise(mucrl.read_text(f"{text} act a:Bool init sum(x:D, sum(y:D, a(f(x,y))))"))
    assert has_no_other_values(process)
    monkeypatch.setattr(total, "MOST_STEPS", 3)
    assert not has_no_other_values(process)


def test_unreached_data_of_equal_components_remain():
    text = f"{HEAD} act p a:D proc X = p.Y(d1) Y(x:D) = a(x).Y(x) init encap({{p}}, X) || X"
    chosen = ["unreachable", "constants"]
    process = linearise(mucrl.read_text(text), simplifications=chosen)
    assert [len(component.parameters) for component in process.components] == [2, 2]


def test_process_without_control_state_is_unchanged():
    text = f"{HEAD} act a:N proc X(n:N) = a(n).X(z) init X(s(z))"
    process = linearise(mucrl.read_text(text))
    assert not any(p.origin is None for p in process.parameters)
    assert len(simplify(process, ["unreachable"]).summands) == 1
    with pytest.raises(ValueError, match="control states are gone"):
        simplify(process, ["dead"])


def test_unreached_control_states_have_no_summands():
    text = f"""{HEAD} map same:N#N->Bool var n,m:N rew same(n,n)=T same(n,m)=F act a b c
    proc X(n:N) = (a.b.b <| same(s(n),z) |> c).X(n) init X(z)"""
    process = linearise(mucrl.read_text(text), simplifications=())
    assert [summand.action for summand in process.summands] == ["c"]


def test_reset_remarks_follow_parameter_order():
    """Also where a later parameter is reset by an earlier step."""
    text = f"""{HEAD} act a,b:D
    proc X(x:D) = sum(y:D, a(y).Y(y)) Y(x:D) = b(x).X(d1)
    init X(d1) || X(d2) || X(d1) || X(d1) || X(d2) || X(d1)"""
    process = linearise(mucrl.read_text(text), simplifications=["dead"])
    names = [p.variable.name for p in process.parameters if p.origin is not None]
    reset = [remark.split("`")[1] for remark in process.remarks if "reset" in remark]
    assert reset == [name for name in names if name in reset]
    assert 1 < len(reset) <= len(names)


def test_false_conditions_remove_only_their_summand():
    text = """sort D = struct d1 | d2; act a, b: D;
    proc X(x: D) = (x == d1) -> a(x).X(d2) + (d2 == d1) -> b(x).X(x); init X(d1);"""
    found = mucrl.generate(linearise(mcrl2.read_text(text)))
    assert sorted(found.transitions()) == [(0, "a(d1)", 1)]


@pytest.mark.parametrize(("more", "actions"), [((), ["c", "b"]), (("unreachable",), ["c"])])
def test_summands_unreachable_by_constants_are_optional(more, actions):
    text = f"""{HEAD} map same:D#D->Bool var x,y:D rew same(x,x)=T same(x,y)=F act a b c
    proc X(x:D) = (a.b <| same(x,d2) |> c).X(x) init X(d1)"""
    process = linearise(mucrl.read_text(text), simplifications=["constants", *more])
    assert [summand.action for summand in process.summands] == actions


def test_equally_assigned_parameters_are_constant():
    text = f"""{HEAD} act a,b:D
    proc X(x:D,y:D) = a(x).X(d1,y) + b(x).X(y,x)  Y(x:D) = a(x).Y(d2) + b(x).Y(d1)
    init X(d1,d1) || Y(d1)"""
    process = linearise(mucrl.read_text(text))
    assert [str(parameter.variable) for parameter in process.parameters] == ["Y_d1_x"]
    for name in ("x", "y"):
        assert f"parameter `X_{name}` is always `d1`" in process.remarks


@pytest.mark.parametrize(
    ("components", "operators"),
    [
        # Of nine pairs of actions three are allowed.
        (["(a + b + c)", "(d + e + f)"], ["allow({a|d, b|e, c|f}, "]),
        # Of nine pairs of numbers three are equal.
        (["(a(1) + a(2) + a(3))", "(b(1) + b(2) + b(3))"], ["allow({c}, ", "comm({a|b -> c}, "]),
    ],
)
def test_filtered_multi_actions_are_not_counted(lower, components, operators):
    lower(MULTI_ACTIONS, 3)
    kind = ": Nat" if "comm" in operators[-1] else ""
    text = f"act a, b, c{kind}; d, e, f; init {{}}{' || '.join(components)}{{}};"
    closed = text.format("".join(operators), ")" * len(operators))
    assert len(linearise(mcrl2.read_text(closed)).summands) == 3
    with pytest.raises(Unsupported):
        linearise(mcrl2.read_text(text.format("", "")))


def test_termination_steps_exist_only_where_reachable():
    text = f"{HEAD} act a b c d e f g init a.(b || c.(d || e).f).g"
    process = linearise(mucrl.read_text(text))
    # What ends the one side last or not last: `b` and `f` of the outer fork, `d` and `e` inside.
    assert [summand.action for summand in process.summands] == [*"agcffeeddbb"]


def test_equal_communications_give_one_summand():
    text = "act a, b, c: Nat; init allow({a|c}, comm({a|b -> c}, a(1)|a(1) || b(1)));"
    process = linearise(mcrl2.read_text(text), simplifications=())
    assert [summand.action for summand in process.summands] == ["a#1|c#1"]
