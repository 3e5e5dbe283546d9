"""A specification as a network is what the specification is."""

import pytest
from hypothesis import assume, example, given

from composition_expressions import content
from lts import LTS, LimitReached, SpecificationError, Unsupported, mcrl2, mucrl
from lts.base.bounds import INTERFACE_ROUNDS
from lts.equivalence import minimise
from lts.mucrl import generate
from lts.network import compose, reduce, split
from lts.network.reduction import CONGRUENCES
from lts.state_space.settings import Limits
from mcrl2_compositions import (
    DECLARED,
    FILTERED,
    FilterCounts,
    by_rules,
    filtered_processes,
    processes,
)
from naive.systems import bisimilar
from specifications import specifications

BOOL = "sort Bool func T,F:->Bool "


def sizes(network):
    return {
        name: system.state_count
        for name, system in zip(network.names, network.components, strict=True)
    }


@example("allow({c, t}, comm({a|b -> c, r|s -> t}, Pair || b || s(d1)))")
@example("comm({r|s -> t}, Wait || s(d1) || s(d2))")
@example("hide({d}, allow({c}, comm({a|b -> c}, hide({r}, Pair) || b || d)))")
@example("comm({a|a -> e}, a || a || a)")
@given(processes)
def test_mcrl2_compositions_match_operational_rules(process):
    specification = mcrl2.read_text(f"{DECLARED} init {process};")
    assert bisimilar(compose(split(specification)), by_rules(specification))


def test_nested_filters_match_operational_rules(monkeypatch):
    counts = FilterCounts(monkeypatch)

    @given(filtered_processes)
    def check(process):
        specification = mcrl2.read_text(f"{FILTERED} init {process};")
        found = compose(split(specification))
        counts.finish()
        assert bisimilar(found, by_rules(specification))

    check()
    counts.check()


@given(specifications())
def test_mucrl_networks_equal_their_state_spaces(text):
    specification = mucrl.read_text(text)
    try:
        expected = generate(specification, max_states=300)
    except (LimitReached, Unsupported):
        assume(False)
    network = split(specification, limits=Limits(states=2000), joining=lambda *_: None)
    assert content(minimise(compose(network), "strong")) == content(minimise(expected, "strong"))
    for equivalence in CONGRUENCES:
        found = reduce(network, equivalence).lts
        assert content(found) == content(minimise(expected, equivalence))


RELAY = """
act give, take, passed, shown: Nat; reset;
proc Giver(n: Nat) = (n < 4) -> give(n).Giver(n + 1) <> delta;
     Taker = sum n: Nat. take(n).shown(2 * n).Taker;
"""


def test_received_values_are_the_sent_values():
    text = f"{RELAY} init block({{give, take}}, comm({{give|take -> passed}}, Giver(0) || Taker));"
    specification = mcrl2.read_text(text)
    network = split(specification)
    assert sizes(network) == {"Giver(0)": 5, "Taker": 5}
    assert bisimilar(compose(network), by_rules(specification))


def test_sent_values_may_depend_on_received_values():
    text = """
    act ask, asked, call, answer, answered, reply: Nat;
    proc Client(n: Nat) = ask(n).sum m: Nat. answered(m).Client(m);
         Server = sum n: Nat. asked(n).answer((n + 3) mod 7).Server;
    init allow({call, reply}, comm({ask|asked -> call, answer|answered -> reply},
         Client(0) || Server));
    """
    specification = mcrl2.read_text(text)
    network = split(specification)
    assert sizes(network) == {"Client(0)": 8, "Server": 8}
    assert bisimilar(compose(network), generate(specification))


def test_bounded_side_determines_exchanged_values():
    text = """
    act give, take, passed: Nat;
    proc Giver = sum n: Nat. (n < 3) -> give(n).Giver;
         Taker = sum n: Nat. take(n).Taker;
    init block({give, take}, comm({give|take -> passed}, Taker || Giver));
    """
    specification = mcrl2.read_text(text)
    assert sorted(compose(split(specification)).labels) == ["passed(0)", "passed(1)", "passed(2)"]


def test_unsolved_equations_bound_exchanged_values():
    text = f"""{BOOL} sort N func z:->N s:N->N sort D func d,e:->D map f:N->D eq:D#D->Bool
    var n:N x:D rew f(z)=d f(s(z))=d f(s(s(n)))=e eq(x,x)=T
    act give,take,passed:N comm give|take=passed
    proc Giver = sum(n:N, give(n).Giver<|eq(f(n),d)|>delta) Taker = sum(n:N, take(n).Taker)
    init encap({{give,take}}, Taker || Giver)"""
    network = split(mucrl.read_text(text), limits=Limits(values=100))
    assert sorted(compose(network).labels) == ["passed(s(z))", "passed(z)"]


def test_values_that_are_exchanged_in_one_step():
    # Each label takes in what the other one gives out at the same time.
    text = """
    sort D = struct d1 | d2;
    act give, take, send, fetch, one, two: D;
    init allow({one|two}, comm({give|take -> one, send|fetch -> two},
        (sum d: D. give(d1)|fetch(d).give(d)) || (sum d: D. take(d)|send(d2))));
    """
    specification = mcrl2.read_text(text)
    found = compose(split(specification))
    assert bisimilar(found, by_rules(specification))
    assert found.labels == ("one(d1)|two(d2)",)


def test_normal_forms_of_mucrl_are_values():
    text = f"""{BOOL} sort K func k1,k2:->K map f:K->K act s,r,c:K comm s|r=c
    proc P = s(f(k1)).s(f(k2)).P Q = sum(x:K, r(f(x))).Q init encap({{s,r}}, P || Q)"""
    specification = mucrl.read_text(text)
    assert bisimilar(compose(split(specification)), generate(specification))


def test_overloaded_functions_are_distinguished_by_arguments():
    text = f"""{BOOL} sort A B S func x:->A y:->B map f:A->S f:B->S act s,r,c:S comm s|r=c
    init encap({{s,r}}, s(f(x)).s(f(y)) || (r(f(x)) + r(f(y)).s(f(x))))"""
    specification = mucrl.read_text(text)
    assert bisimilar(compose(split(specification)), generate(specification))


def test_errors_name_the_component():
    text = """map f: Nat -> Bool; act a; proc P(n: Nat) = f(n) -> a . P(n);
    init P(1) || a;"""
    with pytest.raises(SpecificationError, match=r"`P\(1\)` in isolation, .*`f\(1\)`") as caught:
        split(mcrl2.read_text(text))
    assert caught.value.line == 1


def test_unsynchronised_actions_are_not_restricted():
    text = """
    sort D = struct d1 | d2;
    act give, take, passed: D;
    init comm({give|take -> passed}, give(d1) || (sum d: D. take(d)));
    """
    specification = mcrl2.read_text(text)
    assert bisimilar(compose(split(specification)), by_rules(specification))


def test_infinite_components_are_refused():
    text = f"{RELAY} init Giver(0) || Taker;"
    with pytest.raises(LimitReached, match=r"`Taker` in isolation, .* a sum over `n:Nat`"):
        split(mcrl2.read_text(text), limits=Limits(values=100))
    text = """act up, go, gone; n: Nat; proc Count(m: Nat) = n(m).up.Count(m + 1);
    init block({up, go}, comm({up|go -> gone}, Count(0) || go));"""
    with pytest.raises(LimitReached, match=r"`Count\(0\)` in isolation, .* more than 50 states"):
        split(mcrl2.read_text(text), limits=Limits(states=50))


COUNTER = """
act up, go, gone, tick, a, b, c; n: Nat;
proc Count(m: Nat) = n(m).up.Count(m + 1);
     Pair = allow({gone, n}, comm({up|go -> gone}, Count(0) || go.go.delta));
"""


@pytest.mark.parametrize(
    ("init", "reported", "names"),
    [
        # Nothing else runs beside the pair: all is one component.
        ("Pair", ["Count(0)"], ("Pair",)),
        ("hide({gone}, Pair)", ["Count(0)"], ("process",)),
        # The pair is one, and the others are by themselves.
        ("hide({gone}, Pair) || a.tick", ["Count(0)"], ("process #1", "process #2")),
        (
            "allow({n, c, tick}, comm({gone|a -> c}, Pair || a.tick.a))",
            ["Count(0)"],
            ("process #1", "process #2"),
        ),
        # What is forbidden next to it is not enough, but what is around that.
        (
            "tick || allow({n, c}, comm({gone|a -> c}, "
            "a.a.a || allow({gone, n}, rename({up -> gone}, Count(0)))))",
            ["Count(0)", "process"],
            ("process #1", "process #2"),
        ),
    ],
)
def test_infinite_components_are_joined_with_neighbours(init, reported, names):
    specification = mcrl2.read_text(f"{COUNTER} init {init};")
    joined = []
    network = split(
        specification,
        limits=Limits(states=50),
        joining=lambda name, error: joined.append((name, "more than 50 states" in error.message)),
    )
    assert joined == [(name, True) for name in reported]
    assert network.names == names
    assert bisimilar(compose(network), by_rules(specification))
    with pytest.raises(LimitReached, match="in isolation"):
        split(specification, limits=Limits(states=50))


def test_unbounded_exchanged_values_are_refused(lower):
    lower(INTERFACE_ROUNDS, 100)
    text = """
    act ask, asked, call, answer, answered, reply: Nat;
    proc Client(n: Nat) = ask(n).sum m: Nat. answered(m).Client(m);
         Server = sum n: Nat. asked(n).answer(n + 1).Server;
    init allow({call, reply}, comm({ask|asked -> call, answer|answered -> reply},
         Client(0) || Server));
    """
    with pytest.raises(LimitReached, match="exchange still grows"):
        split(mcrl2.read_text(text))


def test_overloaded_actions_are_distinguished_by_sorts():
    text = f"""{BOOL} sort A B func x:->A x:->B
    act s:A s:B r:A r:B c:A c:B comm s|r=c
    proc P = s(x)
    """
    # Texts of constants are the same, but what is of another sort does not communicate.
    text = text.replace("func x:->A x:->B", "func x:->A y:->B")
    text += "init encap({s,r}, s(x).s(y) || sum(a:A, r(a)).sum(b:B, r(b)))"
    specification = mucrl.read_text(text)
    network = split(specification)
    assert content(compose(network)) == (0, 3, [(0, "c(x)", 1), (1, "c(y)", 2)])


def test_numbers_of_two_sorts_are_distinct_values():
    text = """
    act give: Pos; give: Nat; take: Nat; passed: Nat; passed: Pos; take: Pos;
    init block({give, take}, comm({give|take -> passed},
        give(Pos2Nat(1)).give(1) || (sum n: Pos. take(n))));
    """
    specification = mcrl2.read_text(text)
    assert bisimilar(compose(split(specification)), generate(specification))


def test_labels_without_unique_values_are_refused():
    text = "map f: Nat -> Nat; act a: Nat; init a(f(1)) || a(f(2));"
    with pytest.raises(
        Unsupported, match=r"`f\(1\)`, in the label `a\(f\(1\)\)`, does not determine"
    ):
        split(mcrl2.read_text(text))
    text = "sort S = struct c(Nat) | c(Bool) ; act a: S; init a(c(1)) || a(c(true));"
    assert split(mcrl2.read_text(text)).names == ("process #1", "process #2")


def test_the_action_i_is_visible():
    specification = mcrl2.read_text("act a, i; proc X = a.i.X; init X;")
    assert content(reduce(split(specification), "branching").lts) == (
        0, 2, [(0, "a", 1), (1, "i", 0)],
    )  # fmt: skip


def test_single_process_is_a_network_of_one_component():
    specification = mucrl.read_text(f"{BOOL} act a proc X = a.X init X")
    network = split(specification)
    assert network.names == ("X",)
    assert content(compose(network)) == content(LTS.from_transitions([(0, "a", 0)]))


def test_thousands_of_exchanged_values_need_no_pairs():
    # 3,000 values on both sides: 9 million pairs, of which 3,000 communicate.
    text = """
    act give, take, passed: Nat;
    proc Giver = sum n: Nat. (n < 3000) -> give(n).Giver;
         Taker = sum n: Nat. take(n).Taker;
    init allow({passed}, comm({give|take -> passed}, Giver || Taker));
    """
    network = split(mcrl2.read_text(text))
    assert len(network.vectors) == 3000
    assert content(minimise(compose(network.hide(["passed"])), "strong"))[1] == 1


@example("allow({c, t}, comm({a|b -> c, r|s -> t}, s(d1) || r(d1) || s(d2).s(d1) || Wait))")
@example("allow({t, t|c}, comm({a|b -> c, r|s -> t}, s(d1)|a || r(d1)|b || r(d2)|r(d1)|b))")
@example("allow({t|t, t}, comm({r|s -> t}, s(d1)|s(d2) || r(d1)|r(d2)))")
@example("hide({b}, allow({t}, comm({r|s -> t}, s(d1)|b || r(d1)|r(d2)|b)))")
@example("allow({s|r, t}, comm({r|s -> t}, (s(d1) + s(d2)) || (r(d1) + r(d2))))")
@given(processes)
def test_forced_communications(process):
    specification = mcrl2.read_text(f"{DECLARED} init allow({{c, t}}, {process});")
    assert bisimilar(compose(split(specification)), by_rules(specification))


def test_results_do_not_depend_on_threads():
    text = f"{RELAY} init block({{give, take}}, comm({{give|take -> passed}}, Giver(0) || Taker));"
    one, two = (split(mcrl2.read_text(text), threads=threads) for threads in (1, 2))
    assert one.vectors == two.vectors
    assert list(map(content, one.components)) == list(map(content, two.components))
