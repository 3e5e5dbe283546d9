"""Symmetries found in the text of a specification: as many as there are, and none that is not."""

import itertools
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import NotProven, NotSymmetric, Unsupported
from lts.base.bounds import SEARCH_TRIALS, SORT_ORBITS, TRIAL_ORBITS
from lts.mucrl import generate, linearise, read, read_text
from lts.state_space.settings import Limits, Settings
from lts.symmetry import (
    breaks,
    certified_quotient,
    check,
    count_orbits,
    find_in_specification,
    parse_permutation,
    parse_symmetry_file,
)
from lts.symmetry.data.action import GroupAction
from lts.symmetry.data.find.automorphisms import order
from lts.symmetry.data.find.candidates import propose
from lts.symmetry.data.find.facts import concerned, facts_of
from lts.symmetry.data.find.first_states import UpperBound
from lts.symmetry.data.find.proposal import Proposal
from lts.symmetry.data.find.search import prove
from naive.groups import closure
from strategies import examples

CASES = Path(__file__).parents[3] / "cases"
LARGEST = 20_000


def rows():
    """Yield two sets of parameters for each case: published ones, or larger by one; one set if the
    second has too many orbits."""
    for file in sorted(CASES.glob("*.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        if " with " in (file.parent / table["symmetry"]).read_text(encoding="utf-8"):
            continue  # maps of the specification, which nobody guesses
        rows = [row for row in table.get("counted", []) if "symmetry" not in row]
        chosen = [row["parameters"] for row in rows]
        chosen += [{"N": row["N"]} for row in table.get("sizes", [])]
        chosen.append({name: value + 1 for name, value in chosen[0].items()})
        large = [row["parameters"] for row in rows if row["quotient"] > LARGEST]
        for parameters in (each for each in chosen[:2] if each not in large):
            name = ",".join(f"{key}={value}" for key, value in parameters.items())
            yield pytest.param(file.parent, table, parameters, id=f"{file.stem}-{name}")


def elements(generators):
    """Return all products of permutations, as frozen sets of what they move."""
    generators = list(generators)
    values = tuple(sorted({value for generator in generators for value in generator}))
    maps = [{value: generator.get(value, value) for value in values} for generator in generators]
    return {
        frozenset((x, y) for x, y in zip(values, row, strict=True) if x != y)
        for row in closure([values], maps)
    }


def moves(permutation):
    return {one.text: other.text for one, other in permutation.images.items()}


@pytest.mark.parametrize(("folder", "table", "parameters"), list(rows()))
def test_search_finds_the_group_of_every_case(folder, table, parameters):
    specification = read(folder / table["specification"], parameters=parameters)
    process = linearise(specification)
    text = (folder / table["symmetry"]).read_text(encoding="utf-8")
    published = parse_symmetry_file(text, parameters=specification.parameters).generators
    found = find_in_specification(process)
    if not found.generators:  # there is one constant
        assert {moves(generator) == {} for generator in published} == {True}
        return
    group = elements(map(moves, found.generators))
    assert len(group) == found.order
    assert {frozenset(moves(generator).items()) for generator in published} <= group
    explored = [
        count_orbits(process, generators, settings=Settings(limits=Limits(LARGEST)))
        for generators in (published, found.generators)
    ]
    assert len({one.states for one in explored}) == 1
    assert found.explored.states == explored[0].states or not found.explored.complete
    orbits = {value for orbit in found.orbits for value in orbit}
    assert orbits == {value for generator in found.generators for value in moves(generator)}
    for broken in breaks(found.proposal):
        assert broken.order < broken.possible
        assert broken.reasons


HEAD = """sort Bool func T,F:->Bool
map and:Bool#Bool->Bool not:Bool->Bool var b:Bool rew and(T,b)=b and(F,b)=F not(T)=F not(F)=T
sort D func d1,d2,d3,d4:->D
map same:D#D->Bool var x:D rew same(x,x)=T
"""
VALUES = ["d1", "d2", "d3", "d4"]
PAIRS = list(itertools.permutations(VALUES, 2))


@st.composite
def texts(draw):
    """Some processes, a server, tables of functions on four values, and constants here and there.

    Returns the text, and the permutations that keep components, tables and constants.
    """
    successor = draw(st.lists(st.sampled_from(VALUES), min_size=4, max_size=4))
    marked = draw(st.sets(st.sampled_from(VALUES)))
    started = draw(st.sets(st.sampled_from(VALUES), max_size=3))
    constants = draw(st.sets(st.sampled_from(VALUES), max_size=1))
    uses = draw(st.sets(st.sampled_from(["next", "marked"])))
    term = st.sampled_from(
        ["x", "y", *constants, *(["next(x)", "next(y)"] if "next" in uses else [])]
    )
    condition = st.sampled_from(
        ["same(x,y)", "not(same(x,y))", *(["marked(y)"] * ("marked" in uses))]
    )
    steps = [f"a({draw(term)}).X({draw(term)}) <| {draw(condition)} |> delta" for _ in range(2)]
    body = " + ".join(f"sum(y:D,{step})" for step in steps)
    text = HEAD + "".join(f"rew same({x},{y})=F\n" for x, y in PAIRS)
    text += "map next:D->D marked:D->Bool\nrew "
    text += " ".join(f"next({x})={y}" for x, y in zip(VALUES, successor, strict=True))
    text += " " + " ".join(f"marked({x})={'T' if x in marked else 'F'}" for x in VALUES)
    components = [f"X({x})" for x in sorted(started)] + ["sum(x:D,b(x).X(x))"]
    text += f"\nact a,b:D proc X(x:D) = {body}\ninit {' || '.join(components)}\n"
    kept = []
    for images in itertools.permutations(VALUES):
        g = dict(zip(VALUES, images, strict=True))
        keeps_next = all(
            g[y] == successor[VALUES.index(g[x])] for x, y in zip(VALUES, successor, strict=True)
        )
        keeps = (
            ("next" not in text.partition("proc")[2] or keeps_next)
            and ("marked" not in text.partition("proc")[2] or {g[x] for x in marked} == marked)
            and {g[x] for x in started} == started
            and all(g[x] == x for x in constants if x in body)
        )
        if keeps:
            kept.append(frozenset((x, y) for x, y in g.items() if x != y))
    return text, kept


@settings(max_examples=examples(0.6), deadline=None)
@given(texts())
def test_search_finds_text_symmetries_and_only_symmetries(case):
    text, kept = case
    process = linearise(read_text(text))
    system = generate(process)
    found = find_in_specification(process)
    group = elements(map(moves, found.generators))
    assert len(group) == found.order
    assert set(kept) <= group
    for generator in found.generators:
        check(system, generator)
    if found.explored is not None:
        explored = count_orbits(process, found.generators)
        assert explored.states == system.state_count
        assert found.explored.states == system.state_count or not found.explored.complete
    for refusal in found.proposal.refused:
        if refusal.refuted:
            with pytest.raises(NotSymmetric):
                check(system, refusal.permutation)


PIDS = """%@ include Enum of p1..p3 as Pid
"""
PITFALLS = {
    "an identity as default": (
        "act a,b:Pid#Pid proc P(i:Pid,last:Pid) = a(i,last).sum(j:Pid,b(i,j).P(i,j))\n"
        "init P(p1,p1) || P(p2,p1) || P(p3,p1)",
        "starts with",
        "the components `P` have different initial values",
    ),
    "order of identities": (
        "act a:Pid#Pid proc P(i:Pid) = sum(j:Pid,a(i,j).P(i) <| lt(i,j) |> delta)\n"
        "init P(p1) || P(p2) || P(p3)",
        "`a` of line 2",
        "`lt` distinguishes values of `Pid`",
    ),
    "arithmetic on identities": (
        "map next_number:Pid->Nat var i:Pid rew next_number(i)=plus(number(i),1)\n"
        "act a:Nat proc P(i:Pid) = a(next_number(i)).P(i)\ninit P(p1) || P(p2) || P(p3)",
        "`a` of line 3",
        "`next_number` distinguishes values of `Pid`",
    ),
    "arithmetic on identities deep inside": (
        "map late:Nat#Pid->Bool var i:Pid n:Nat rew late(n,i)=lt(n,number(i))\n"
        "act a:Pid#Nat proc P(i:Pid,n:Nat) = a(i,n).P(i,S(n)) <| late(n,i) |> delta\n"
        "init P(p1,0) || P(p2,0) || P(p3,0)",
        "`a` of line 3",
        "`number` distinguishes values of `Pid`; it is called by `late`",
    ),
    "a loop over identities in a fixed order": (
        "act poll:Pid proc P(i:Pid) = poll(i).P(next(i))\ninit P(p1)",
        "the initial state is not fixed",
        "`P` starts with `p1` only",
    ),
    "components that are started one after the other": (
        "act start,s1,s2:Pid work:Pid comm s1|s2=start\n"
        "proc Init = s1(p1).s1(p2).s1(p3).delta P(i:Pid) = s2(i).W(i) W(i:Pid) = work(i).W(i)\n"
        "init encap({s1,s2}, Init || P(p1) || P(p2) || P(p3))",
        "`start` of line",
        "the text mentions the constant `p1`",
    ),
    "components that start differently": (
        "act a,b:Pid proc P(i:Pid,busy:Bool) = a(i).P(i,F) <| busy |> b(i).P(i,T)\n"
        "init P(p1,T) || P(p2,F) || P(p3,T)",
        "there is none",
        "the components `P` have different initial values",
    ),
    "a component that one identity lacks": (
        "act a,b:Pid proc P(i:Pid) = a(i).P(i) Q(i:Pid) = b(i).Q(i)\n"
        "init P(p1) || P(p2) || P(p3) || Q(p1) || Q(p3)",
        "there is none",
        "no component `Q` starts with `p2`",
    ),
    "a constant in a condition": (
        "act a,b:Pid proc P(i:Pid) = a(i).P(i) <| eq(i,p1) |> b(i).P(i)\n"
        "init P(p1) || P(p2) || P(p3)",
        "`a` of line 2",
        "the text mentions the constant `p1`",
    ),
}


@pytest.mark.parametrize("name", PITFALLS)
def test_pitfalls_are_refused_with_an_explanation(name):
    text, witness, reason = PITFALLS[name]
    process = linearise(read_text(PIDS + text))
    swap = parse_permutation("(p1 p2)")
    with pytest.raises((NotProven, NotSymmetric)) as error:
        certified_quotient(process, swap)
    assert witness in str(error.value)
    found = find_in_specification(process)
    assert {"p1": "p2", "p2": "p1"} not in [moves(g) for g in found.generators]
    [broken] = breaks(found.proposal)
    assert broken.sort == "Pid"
    reasons = {r.message.partition(" (included")[0]: r for r in broken.reasons}
    assert reason in reasons
    assert reasons[reason].line is not None
    system = generate(process)
    for generator in found.generators:
        check(system, generator)


def explanation_of(text):
    """What is told of the only sort that has breaks."""
    [broken] = breaks(find_in_specification(linearise(read_text(text))).proposal)
    return str(broken).splitlines()


def test_refusals_point_to_separating_text():
    """The next place behind the step, in no comment, of the constant and not of the action."""
    text = """sort Bool D func T,F:->Bool a,d,e:->D
act a,b:D#D c:D
proc X(x:D) = sum(y:D, b(x,y).X(y)) + c(e).X(a)
  + a(a,x).X(d) % d e
  + b(e,d).X(d) + b(d,e).X(a)
init X(a)"""
    found = find_in_specification(linearise(read_text(text)))
    assert not found
    assert (found.order, found.generators, found.orbits) == (1, (), ())
    lines = explanation_of(text)
    assert lines[0] == "`D`: a, d, e are kept fixed"
    assert [line for line in lines if line[0].isdigit()] == [
        "3:46: the text mentions the constant `a`",
        "3:41: the text mentions the constant `e`",
        "4:7: the text mentions the constant `a`",
        "4:14: the text mentions the constant `d`",
        "5:28: the text mentions the constant `a`",
        "5:9: the text mentions the constant `d`",
        "5:7: the text mentions the constant `e`",
        "6:6: `X` starts with `a` only",
    ]


@pytest.mark.parametrize(
    "initial", ["init X(d1) || X(d2)", "\ninit X(d1) || X(d2)\n", "\n init\n X(d2)||X(d1)"]
)
def test_refusals_point_to_missing_initial_components(initial):
    text = "sort Bool D func T,F:->Bool d1,d2,d3,d4:->D act b:D "
    text += "proc X(x:D) = b(x).Y Y = sum(x:D,b(x).Y) "
    lines = explanation_of(text + initial)
    assert lines[0] == "`D`: 4 of 24 permutations, within d1 d2, d3 d4"
    place = {"i": "1:58", "\n": "2:6"}.get(initial[0] if "X(d2)|" not in initial else "", "3:2")
    assert lines[1] == f"{place}: no component `X` starts with `d3`, `d4`"


# Values that are permuted as far as `body` lets them, and others that differ after a while.
PARTLY = """sort Bool P Q N func T,F:->Bool p1,p2,p3,p4:->P q1,q2:->Q z:->N s:N->N
map first:Q->Bool loop:P#N->Bool var n:N
rew first(q1)=T first(q2)=F
loop(p1,n)=T loop(p2,n)=loop(p1,n) loop(p3,n)=loop(p2,n) loop(p4,n)=loop(p3,n)
act a,b,k:P#P c:P l:Q
proc S = sum(p:P,sum(q:P, k(p,q).X(p) <| loop(p,z) |> delta))
X(p:P) = {body} + sum(q:Q, l(q).X(p) <| first(q) |> delta)
init S"""


def edges(action, *pairs):
    return " + ".join(f"{action}(p{one},p{other}).X(p{one})" for one, other in pairs)


def unbounded(process, facts, known, limits, sorts=None):
    """What is known of a system of which no states were explored."""
    return UpperBound(facts, None, None, 0, is_whole=False)


SQUARE = edges("a", (1, 2), (2, 1), (3, 4), (4, 3))


@pytest.mark.parametrize(
    ("body", "generators"),
    [
        (
            SQUARE + " + " + edges("b", (1, 3), (3, 1), (2, 4), (4, 2)),
            ["(p1 p3) (p2 p4)", "(p1 p2) (p3 p4)"],
        ),
        (edges("a", (1, 2), (2, 3), (3, 4), (4, 1)), ["(p1 p2 p3 p4)"]),
        ("c(p).X(p)", ["(p1 p2)", "(p1 p2 p3 p4)"]),
        (SQUARE, ["(p1 p3) (p2 p4)", "(p1 p2)"]),
        (edges("a", (1, 1)) + " + " + edges("b", (3, 3)), ["(p2 p4)"]),
    ],
)
def test_search_without_first_states_finds_the_same_group(body, generators, monkeypatch):
    """Of the values that may be permuted, in whatever ways, when not all of it is a symmetry."""
    process = linearise(read_text(PARTLY.format(body=body)))
    from_states = find_in_specification(process)
    monkeypatch.setattr("lts.symmetry.data.find.candidates.bound_of", unbounded)
    found = find_in_specification(process)
    assert [str(generator) for generator in found.generators] == generators
    both = [*found.proposal.generators, *from_states.proposal.generators]
    assert order(found.proposal.facts, both) == found.order == from_states.order
    refused = [(str(one.permutation), one.refuted) for one in found.proposal.refused]
    assert refused[0] == ("(q1 q2)", True)
    assert all(is_refuted for _, is_refuted in refused)


def test_interchangeable_values_are_tried_together(monkeypatch):
    tried = []

    def counted(process, permutations, settings, **options):
        if settings.proof == "tested":  # each trial begins with such a look at the first orbits
            tried.append(" & ".join(map(str, permutations)))
        return count_orbits(process, permutations, settings, **options)

    monkeypatch.setattr("lts.symmetry.data.find.trials.count_orbits", counted)
    monkeypatch.setattr("lts.symmetry.data.find.candidates.bound_of", unbounded)
    propose(linearise(read_text(PARTLY.format(body="c(p).X(p)"))))
    of_p = "(p1 p2) & (p1 p2 p3 p4)"
    assert tried == [f"{of_p} & (q1 q2)", of_p, "(q1 q2)"]
    tried.clear()
    body = SQUARE + " + " + edges("b", (1, 3), (3, 1), (2, 4), (4, 2))
    propose(linearise(read_text(PARTLY.format(body=body))))
    one, other = "(p1 p2) (p3 p4)", "(p1 p3) (p2 p4)"
    assert tried[:2] == [f"{other} & {one} & (q1 q2)", f"{other} & {one}"]
    assert "(q1 q2)" in tried
    assert tried[-1] == of_p  # whatever the text says, all permutations of a sort are tried


def test_unproven_pairs_fall_back_to_single_generators():
    """All exchanges of four values are proposed, and those of one value are refused."""
    facts = facts_of(linearise(read_text(PARTLY.format(body="c(p).X(p)"))))
    place = {str(point): number for number, point in enumerate(facts.points)}
    swaps = []
    for one, other in [("p1", "p2"), ("p2", "p3"), ("p3", "p4")]:
        images = list(range(len(facts.points)))
        images[place[one]], images[place[other]] = place[other], place[one]
        swaps.append(tuple(images))
    tried = []

    def explore(permutations):
        tried.append([str(each) for each in permutations])
        moving = [n for n, each in enumerate(permutations) if "p4" in str(each)]
        if moving:
            raise NotSymmetric("refused", witness="", which=moving[0])
        return "proven"

    found, result = prove(Proposal(facts, tuple(swaps)), explore)
    assert result == "proven"
    assert tried == [
        ["(p1 p2)", "(p1 p2 p3 p4)"],
        ["(p1 p2)", "(p2 p3)", "(p3 p4)"],
        ["(p1 p2)", "(p2 p3)"],
    ]
    assert list(found.generators) == swaps[:2]
    assert [str(each.permutation) for each in found.refused] == ["(p3 p4)"]


def test_number_of_trials_is_limited(monkeypatch, lower):
    lower(SEARCH_TRIALS, 1)
    monkeypatch.setattr("lts.symmetry.data.find.candidates.bound_of", unbounded)
    process = linearise(read_text(PARTLY.format(body=SQUARE)))
    proposal = propose(process)
    assert proposal.permutations == ()
    assert {one.is_limit for one in proposal.refused} == {True}
    assert {one.witness for one in proposal.refused} == {
        "the search ended at a limit, after 1 trials of permutations"
    }
    assert len(proposal.refused) == len({str(one.permutation) for one in proposal.refused}) > 1


@pytest.mark.parametrize("is_shown", [True, False])
def test_unfinished_trials_are_accepted_if_the_text_proves(is_shown, lower):
    condition = "never(n)" if is_shown else "loop(p,n)"
    text = f"""sort Bool P N func T,F:->Bool p1,p2:->P z:->N s:N->N
map same:P#P->Bool never:N->Bool loop:P#N->Bool var x:P n:N
rew same(x,x)=T same(p1,p2)=F same(p2,p1)=F never(n)=same(p1,p2)
loop(p1,n)=F loop(p2,n)=loop(p1,n)
act u:P
proc X(n:N) = sum(p:P, delta <| {condition} |> u(p).X(s(n)))
init X(z)
"""
    lower(TRIAL_ORBITS, 50)
    lower(SORT_ORBITS, 50)
    proposal = propose(linearise(read_text(text)))
    assert [str(permutation) for permutation in proposal.permutations] == ["(p1 p2)"] * is_shown
    limits = [] if is_shown else ["the search ended at a limit, after 50 orbits of states"]
    assert [one.witness for one in proposal.refused] == limits


FACTS = """sort Bool D B V A func T,F:->Bool d1,d2,d3:->D box:D->B v1,v2:->V nil:->A c:V#A->A
map c,d,stuck:->D f,g,h:D->D i:V#D->D get:A#D->V set:A#D#V->A {maps}
var x:D v,w,y:V k:A
rew d3=d3 c=d d=d1 f(x)=d2 g(d1)=d2 h(h(x))=x i(v1,x)=x i(v2,d1)=d1
get(c(v,k),d1)=v get(c(v,c(w,k)),d2)=w set(c(v,k),d1,w)=c(w,k) set(c(v,c(w,k)),d2,y)=c(v,c(y,k))
{more}
act a:D b:V
proc X(x:D,k:A) = sum(y:D, a(c).tau.X(y,set(k,y,v2))) + tau.X(f(x),k) + a(g(x)).X(h(x),k)
  + sum(v:V,b(get(k,x)).a(i(v,x)).X(x,k))
init X(d1,{start})
"""


def process_with(start="c(v1,c(v2,nil))", maps="", more=""):
    return linearise(read_text(FACTS.format(start=start, maps=maps, more=more)))


def test_facts_concern_irreducible_constants():
    facts = facts_of(process_with())
    assert [str(point) for point in facts.points] == ["d1", "d2", "v1", "v2"]
    assert facts.controls > 2
    functions = {s.name: s for s in facts.statements if s.kind == "function"}
    # `c` is `d`, which says more, and arrays are permuted index by index.
    assert {*functions} == {"d", "f", "g", "i"}
    for name, statement in functions.items():
        # Not all values of `D` have an end: there is no table of such functions.
        assert all(relation.startswith("rule") for relation, _ in statement.facts), name
    assert functions["d"].chain == ("c", "d")


def test_facts_include_initial_array_contents():
    def start(items):
        [found] = [s for s in facts_of(process_with(items)).statements if s.kind == "start"]
        return {(relation.split(" [")[-1], points) for relation, points in found.facts}

    alike, different = start("c(v1,c(v1,nil))"), start("c(v1,c(v2,nil))")
    assert {points for _, points in alike} == {(0,), (0, 0, 2), (0, 1, 2)}
    assert {points for _, points in different} == {(0,), (0, 0, 2), (0, 1, 3)}


def test_sorts_with_two_access_pairs_are_no_arrays():
    more = "read(c(v,k),d1)=v write(c(v,k),d1,w)=c(w,k)"
    process = process_with("nil", "read:A#D->V write:A#D#V->A", more)
    facts = facts_of(process)
    functions = {s.name for s in facts.statements if s.kind == "function"}
    assert functions == {"d", "f", "g", "i", "get", "set"}
    [start] = [s for s in facts.statements if s.kind == "start"]
    assert len(start.facts) == 1
    with pytest.raises(Unsupported, match=r"several pairs .* `get`/`set`, `get`/`write`, `read`/"):
        GroupAction(process, [parse_permutation("(d1 d2)")])


def test_write_map_has_the_array_as_result():
    process = process_with("nil", "with:A#D#V->V")
    assert GroupAction(process, [parse_permutation("(d1 d2)")]).maps.keys() == {"A"}


def test_size_of_fact_tables_is_limited(monkeypatch):
    text = """sort Bool D func T,F:->Bool d1,d2,d3:->D
map f:D#D->D none:D->D var x,y:D rew f(x,y)=d1
act a,b:D proc X(x:D) = sum(y:D,a(f(x,y)).b(none(y)).X(y)) init X(d1)"""
    process = linearise(read_text(text))

    def kinds():
        facts = facts_of(process)
        functions = {s.name: s for s in facts.statements if s.kind == "function"}
        kinds = {relation.split()[0] for relation, _ in functions["f"].facts}
        return kinds, facts.controls, functions["none"].place

    assert kinds() == ({"value"}, 2, None)
    for limit, number in [("_TABLE", 9), ("_CONTROLS", 2)]:
        monkeypatch.setattr(f"lts.symmetry.data.find.facts.{limit}", number)
    assert kinds() == ({"value"}, 2, None)
    for limit, number in [("_TABLE", 8), ("_CONTROLS", 1)]:
        monkeypatch.setattr(f"lts.symmetry.data.find.facts.{limit}", number)
    assert kinds()[:2] == ({"rule"}, 0)


def test_only_sorts_with_occurring_values_are_considered():
    process = linearise(
        read_text("""sort Bool D E B C func T,F:->Bool d1,d2:->D e1,e2:->E b:D->B c:E->C
map f:E->D g:C->E act a:B proc X(x:B) = sum(y:D, a(b(y)).X(b(y))) + a(b(f(g(c(e1))))).X(x)
init X(b(d1))""")
    )
    assert concerned(process) & {*"DEBC"} == {"B", "D"}


def test_unread_default_is_no_pitfall():
    text = (
        "act a:Pid b:Pid#Pid proc P(i:Pid,j:Pid) = a(i).sum(k:Pid,b(i,k).b(i,k).P(i,k))\n"
        "Q(i:Pid,j:Pid) = a(i).sum(k:Pid,b(i,k).R(i,k)) R(i:Pid,j:Pid) = b(i,j).Q(i,j)\n"
        "init P(p1,p1) || P(p2,p1) || Q(p1,p3) || Q(p2,p3) || Q(p3,p3) || P(p3,p1)"
    )
    process = linearise(read_text(PIDS + text))
    found = find_in_specification(process)
    assert found.order == 6
    assert not breaks(found.proposal)
    states = count_orbits(process, found.generators).states
    assert states == generate(process).state_count


def test_order_independent_loops_are_tried():
    text = (
        "%@ include Set of Pid as Pids\n"
        "map full:Pid#Pids->Bool var s:Pids rew full(p1,s)=contains(s,p1)\n"
        "  full(p2,s)=and(contains(s,p2),full(p1,s)) full(p3,s)=and(contains(s,p3),full(p2,s))\n"
        "act add:Pid all proc P(s:Pids) = sum(i:Pid,add(i).P(put(s,i,T)))\n"
        "  + all.P(s) <| full(p3,s) |> delta\ninit P(empty_Pids)"
    )
    process = linearise(read_text(PIDS + text))
    found = find_in_specification(process)
    assert (found.order, found.explored.orbits, found.explored.states) == (6, 4, 8)
    assert not breaks(found.proposal)


def test_refused_exchanges_leave_rotations():
    text = (
        "%@ include Set of Pid as Pids\n"
        "map ring:Pids#Pid->Pid var s:Pids i:Pid rew ring(s,i)=next(i)\n"
        "act add:Pid#Pid proc P(s:Pids) = sum(i:Pid,add(i,ring(s,i)).P(put(s,i,T)))\n"
        "init P(empty_Pids)"
    )
    process = linearise(read_text(PIDS + text))
    found = find_in_specification(process)
    assert found.order == 3
    [broken] = breaks(found.proposal)
    assert (broken.order, broken.possible) == (3, 6)


@pytest.mark.parametrize("apart", [1, 2, 3])
def test_pairs_are_exchanged_where_larger_sets_cannot_be(apart):
    one, other = (f"p{number}" for number in (1, 2, 3) if number != apart)
    text = (
        "%@ include Set of Pid as Pids\n"
        f"map both:Pid#Pids->Bool var s:Pids rew both({one},s)=contains(s,{one})\n"
        f"  both({other},s)=and(contains(s,{other}),both({one},s)) both(p{apart},s)=F\n"
        "act add:Pid all proc P(s:Pids) = sum(i:Pid,add(i).P(put(s,i,T)))\n"
        f"  + all.P(s) <| both({other},s) |> delta\ninit P(empty_Pids)"
    )
    found = find_in_specification(linearise(read_text(PIDS + text)))
    assert [moves(g) for g in found.generators] == [{one: other, other: one}]


def test_facts_include_only_computing_functions():
    """Not constructors: what they are applied to stands in their terms."""
    text = """sort Bool D W func T,F:->Bool d1,d2:->D w:D->W
map other,unused:D->D var x:D
rew other(d1)=d2 other(d2)=d1 unused(x)=d1
act a:W b:D proc X(y:D) = sum(x:D, a(w(other(x))).b(y).X(x)) init X(d1)
"""
    statements = facts_of(linearise(read_text(text))).statements
    assert [s.name for s in statements if s.kind == "function"] == ["other"]


def test_values_of_unrelated_sorts_are_fixed():
    text = "act a:Pid#Nat proc P(n:Nat) = sum(i:Pid,a(i,n).P(pred(n)))\ninit P(2)"
    found = find_in_specification(linearise(read_text(PIDS + text)))
    assert found.orbits == (("p1", "p2", "p3"),)


def test_peterson_12_is_proven_from_the_text():
    process = linearise(read(CASES / "peterson_statements.mcrl", parameters={"N": 12}))
    found = find_in_specification(process)
    assert found.order == 479_001_600
    assert (found.explored.complete, found.explored.from_text) == (False, len(process.summands))


@pytest.mark.parametrize("step", ["delta", "c.X(x)", "e(T).X(x)"])
def test_components_without_data_are_permuted_freely(step):
    # Nothing says where they started, so that it breaks no symmetry of the third.
    text = HEAD + "".join(f"rew same({x},{y})=F\n" for x, y in PAIRS)
    text += f"act a,b:D c e:Bool proc X(x:D) = {step}\n"
    text += "proc Y = sum(y:D,b(y).delta) init X(d1) || X(d3) || Y\n"
    process = linearise(read_text(text))
    found = find_in_specification(process)
    assert found.order == 24
    assert found.explored.orbits == 2
    # In the first way to find out what moves where already.
    assert GroupAction(process, [parse_permutation("(d1 d2)")]).found.positions == ((0,),)
