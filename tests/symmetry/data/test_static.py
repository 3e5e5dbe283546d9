"""The static proof: what it accepts the certificate accepts, and what it refuses has a place."""

import tomllib
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from lts import LTS, LimitReached, LtsError, NotProven, NotSymmetric
from lts.mucrl import generate, linearise, read, read_text
from lts.specification.specification import Application
from lts.state_space.settings import Limits, Settings
from lts.symmetry import (
    certified_quotient,
    count_orbits,
    parse_permutation,
    parse_symmetry_file,
    refines_on_orbits,
)
from lts.symmetry.data.action import GroupAction
from ltstool.main import main
from strategies import examples
from structures import GROUPS

CASES = Path(__file__).parents[3] / "cases"

REFUSED = (NotProven, NotSymmetric)

SHOWN = dict.fromkeys(
    [
        *("abp", "allocator", "allocator_steps", "array_queue", "butler", "dijkstra", "email"),
        *("allocator_sharing", "three_tiers_mixed"),
        "hanoi",
        *("list_set_coarse", "list_set_fine", "list_stack", "loadbalancer"),
        *("lock_free_queue", "managers", "mutex"),
        *("peterson", "peterson_statements", "peterson_tests", "peterson_turns", "philosophers"),
        *(
            "phonebook",
            "readers_writers",
            "request_lines",
            "scheduler",
            "scheduler0",
            "three_tiers",
        ),
        *("three_tiers_buffers", "tree_broadcast"),
    ]
) | {"lamps": "`rotated` is a map, whose rules do not show what it preserves"}


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_cases(name):
    table = tomllib.loads((CASES / f"{name}.toml").read_text(encoding="utf-8"))
    process = linearise(read(CASES / table["specification"]))
    text = (CASES / table["symmetry"]).read_text(encoding="utf-8")
    parameters = process.specification.parameters
    generators = parse_symmetry_file(text, parameters=parameters).generators
    if SHOWN[name] is not None:
        with pytest.raises(NotProven, match="the text alone does not prove") as raised:
            count_orbits(process, generators, settings=Settings(proof="static"))
        assert SHOWN[name] in str(raised.value)
        return
    static = count_orbits(process, generators, settings=Settings(proof="static"))
    certified = count_orbits(process, generators)
    assert (static.proof, static.situations, certified.proof) == ("static", 0, "certificate")
    assert static.from_text == certified.from_text == static.summands
    assert certified.situations == 0
    for number in ("orbits", "steps", "states", "transitions", "deadlocks"):
        assert getattr(static, number) == getattr(certified, number)
    quotient = certified_quotient(process, generators, settings=Settings(proof="static")).quotient
    assert quotient.count() == (static.states, static.transitions)


IDS = ("p1", "p2", "p3")
POINT = st.sampled_from(IDS)
SPEC = """sort Bool P
func T,F:->Bool p1,p2,p3:->P
map same,near:P#P->Bool next:P->P
var x,y:P
rew {rules}
act u,v:P
proc Start = sum(p:P, u(p).X(p))
X(a:P) = {body}
init Start
"""
PATTERN = st.sampled_from(
    ["x,x", "x,y", "x,p1", "p1,x", "p2,x", "x,p2", "x,p3", "p3,x"]
) | st.tuples(POINT, POINT).map(",".join)
EQUAL = "same(x,x)=T " + " ".join(f"same({p},{q})=F" for p in IDS for q in IDS if p != q)
RULE = st.tuples(PATTERN, st.sampled_from("TF")).map(lambda r: f"near({r[0]})={r[1]}")
NEAR = st.lists(RULE, max_size=5).map(lambda rules: [*rules, "near(x,y)=F"])
NEXT = st.sampled_from(
    [
        "next(x)=x",
        "next(p1)=p2 next(p2)=p3 next(p3)=p1",
        "next(p1)=p2 next(p2)=p1 next(p3)=p3",
        "next(p1)=p2 next(x)=x",
        "next(p1)=p1 next(x)=x",
    ]
)
PART = st.sampled_from(["a", "p", "next(p)", "next(a)", "p", "a"]) | POINT
STEP = st.tuples(
    st.sampled_from("uv"),
    PART,
    PART,
    st.sampled_from(
        ["", "", "same(p,a)", "near(p,a)", "near(a,p)", "same(next(a),p)", "same(a,p1)"]
    ),
).map(lambda s: f"sum(p:P, {s[0]}({s[1]}).X({s[2]}){f' <| {s[3]} |> delta' if s[3] else ''})")


def verdict(process, generators, proof):
    """What an exploration has counted; or that, for this proof, there is no symmetry."""
    try:
        found = count_orbits(process, generators, settings=Settings(proof=proof))
    except REFUSED:
        return None
    return found.orbits, found.steps, found.states, found.transitions


@settings(max_examples=examples(1.5))
@given(NEAR, NEXT, st.lists(STEP, min_size=1, max_size=3), st.sampled_from(sorted(GROUPS)))
def test_static_proofs_agree_with_certificates(near, following, steps, group):
    rules = " ".join([EQUAL, *near, following])
    process = linearise(read_text(SPEC.format(rules=rules, body=" + ".join(steps))))
    generators = [parse_permutation(text) for text in GROUPS[group][0]]
    tested = verdict(process, generators, "tested")
    assert verdict(process, generators, "certificate") == tested
    static = verdict(process, generators, "static")
    event(f"tested: {tested is not None}, static: {static is not None}")
    if tested is not None:
        system = generate(process)
        assert tested[2:] == (system.state_count, system.transition_count)
    if static is not None:
        assert static == tested


# Arrays and sets of three processes, with what keeps them symmetric and what does not.
ARRAYS = """%@ include Bool
%@ include Enum of p1..p3 as P
%@ include Enum of none,a,b as C
%@ include Array of P, C as Book
%@ include Set of P as Group
{declared}
act u: P#C v: P w: Nat
proc X(f:Book,g:Group) = {body}
init X(filled_Book(none),empty_Group)
"""
BOOK = st.sampled_from(
    [
        *("f", "set(f,p,c)", "set(f,p,get(f,q))", "filled_Book(c)", "filled_Book(get(f,p))"),
        *("if(eq(f,set(f,p,c)),filled_Book(c),f)", "set(f,p1,c)", "set_at(f,0,c)", "item(c,f)"),
        *("set(f,next(p),c)", "set(f,p,a)"),
    ]
)
GROUP = st.sampled_from(
    [
        *("g", "insert(g,p)", "remove(g,p)", "put(g,p,contains(g,q))", "union(g,insert(g,p))"),
        *("intersection(g,insert(empty_Group,p))", "difference(g,insert(empty_Group,q))"),
        *("if(subset(g,insert(empty_Group,p)),empty_Group,g)", "insert(g,p2)", "in(g)", "out(g)"),
    ]
)
GUARD = st.sampled_from(
    [
        *("", "contains(g,p)", "eq(get(f,p),get(f,q))", "is_empty(g)", "eq(size(g),number(g))"),
        *("not(eq(p,q))", "eq(f,filled_Book(none))", "eq(next(p),q)", "lt(p,q)", "contains(g,p3)"),
        *("eq(get(f,p),c)", "contains_at(g,0)", "eq(g,insert(g,q))"),
    ]
)
LABEL = st.sampled_from(["u(p,c)", "u(p,get(f,q))", "v(q)", "w(size(g))", "w(number(p))", "v(p1)"])
EXTRA = st.sampled_from(
    ["", "", "", "map num:P->Nat rew num(p1)=0", "var y:Group x:P rew insert(y,x)=remove(y,x)"]
)
CHANGE = st.tuples(LABEL, BOOK, GROUP, GUARD).map(
    lambda c: (
        f"sum(p:P,sum(q:P,sum(c:C,{c[0]}.X({c[1]},{c[2]})"
        + (f" <| {c[3].replace('number(g)', 'number(p)')} |> delta" if c[3] else "")
        + ")))"
    )
)


@settings(max_examples=examples(0.6))
@given(
    st.lists(CHANGE, min_size=1, max_size=2),
    EXTRA,
    st.sampled_from([["(p1 p2)"], ["(p1 p2 p3)"], ["(p1 p2)", "(p1 p2 p3)"], ["(a b)", "(p2 p3)"]]),
)
def test_arrays_and_sets_of_the_library(steps, extra, group):
    text = ARRAYS.format(declared=extra, body=" + ".join(steps))
    process = linearise(read_text(text))
    generators = [parse_permutation(text) for text in group]
    limits = Limits(states=300)
    found = {}
    for proof in ("tested", "certificate", "static"):
        try:
            counted = count_orbits(
                process, generators, settings=Settings(proof=proof, limits=limits)
            )
        except REFUSED:
            found[proof] = None
        except LimitReached:
            event("too large")
            return
        else:
            found[proof] = (counted.orbits, counted.steps, counted.states, counted.transitions)
    event(", ".join(f"{proof}: {numbers is not None}" for proof, numbers in found.items()))
    assert found["certificate"] == found["tested"]
    if found["tested"] is not None:
        system = generate(read_text(text))
        assert found["tested"][2:] == (system.state_count, system.transition_count)
    if found["static"] is not None:
        assert found["static"] == found["tested"]


READING = "sum(p:P, u(p,get(f,p)).X(f,g) <| contains(g,p) |> delta)"
"""What is not read is no part of the state."""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sum(p:P, v(p).X(item(a,f),g))", "`item` builds `Book`, which is permuted index by index"),
        ("sum(p:P, v(p).X(f,in(g)))", "`in` builds `Group`"),
        ("sum(p:P, v(p).X(set_at(f,0,a),insert(g,p)))", "looks inside `Book`"),
        ("sum(p:P, w(number(p)).X(f,insert(g,p)))", "the image of this rule for `number` is no"),
        ("sum(p:P, v(p).X(f,insert(g,p1)))", "`v` treats `p1` differently from other values"),
        ("sum(p:P, v(p).X(rev(f),insert(g,p)))", "this rule for `rev` looks inside `Book`"),
    ],
)
def test_functions_not_indexed_by_position_are_refused(body, message):
    rev = "map rev: Book -> Book var f:Book c:C rew rev(item(c,f))=f rev(filled_Book(c))=f"
    rev = rev.replace("rev(filled_Book(c))=f", "rev(filled_Book(c))=filled_Book(c)")
    process = linearise(read_text(ARRAYS.format(declared=rev, body=f"{body} + {READING}")))
    with pytest.raises(REFUSED) as raised:
        count_orbits(process, [parse_permutation("(p1 p2)")], settings=Settings(proof="static"))
    assert message in str(raised.value)


SAFE = f"sum(p:P, sum(c:C, v(p).X(set(f,p,c),put(g,p,T)))) + {READING}"


@pytest.mark.parametrize(
    ("declared", "sort"),
    [
        ("var f:Book p:P rew get(f,p)=none", "Book"),
        ("var g:Group p:P rew put(g,p,T)=g", "Group"),
        ("func more: Book -> Book", "Book"),
    ],
)
def test_modified_library_arrays_are_refused(declared, sort):
    """Other rules and constructors for its functions make them something else."""
    generators = [parse_permutation("(p1 p2)")]
    process = linearise(read_text(ARRAYS.format(declared="", body=SAFE)))
    assert count_orbits(process, generators, settings=Settings(proof="static")).from_text == 2
    process = linearise(read_text(ARRAYS.format(declared=declared, body=SAFE)))
    with pytest.raises(REFUSED, match=f"`{sort}` is a sort of arrays"):
        count_orbits(process, generators, settings=Settings(proof="static"))


def test_indices_need_distinct_numbers():
    """With one number for two indices an array has one place for both."""
    text = """%@ include Nat
sort P func p1,p2,p3:->P map number:P->Nat rew number(p1)=0 number(p2)=0 number(p3)=1
%@ include Array of P, Bool as Flags
act u: P#Bool
proc X(f:Flags) = sum(p:P, u(p,get(f,p)).X(set(f,p,T)))
init X(filled_Flags(F))
"""
    process = linearise(read_text(text))
    for permutation in ("(p1 p2)", "(p2 p3)"):
        with pytest.raises(REFUSED, match="`Flags` is a sort of arrays"):
            count_orbits(
                process, [parse_permutation(permutation)], settings=Settings(proof="static")
            )
    with pytest.raises(REFUSED):
        count_orbits(process, [parse_permutation("(p2 p3)")])


def test_unproven_summands_are_compared():
    """What treats values in ways of their own is compared, and found to do the same for all."""
    body = "sum(p:P, u(a).X(p)) + sum(p:P, v(p).X(a) <| low(many(p)) |> delta)"
    rules = "many(p1)=0 many(p2)=S(0) many(p3)=S(S(0)) low(0)=T low(S(n))=T"
    head = SPEC.replace("sort Bool P", "sort Bool P N").replace("rew ", "n:N rew ")
    head = head.replace("func T,F", "func 0:->N S:N->N T,F")
    head = head.replace("map same", "map many:P->N low:N->Bool same")
    text = head.format(rules=f"{EQUAL} {rules}", body=body)
    process = linearise(read_text(text))
    generators = [parse_permutation("(p1 p2)")]
    found = count_orbits(process, generators)
    tested = count_orbits(process, generators, settings=Settings(proof="tested"))
    assert 0 < found.from_text < found.summands
    assert 0 < found.situations < tested.situations
    assert tested.from_text == 0
    assert (found.orbits, found.states) == (tested.orbits, tested.states)


def test_unused_arguments_need_no_value():
    """Without end for p3, and never asked for it."""
    text = """sort Bool P func T,F:->Bool p1,p2,p3:->P
map next:P->P rew next(p1)=p2 next(p2)=p1 next(p3)=next(p3)
act u:P
proc X(a:P) = u(next(a)).u(a).X(a)
init X(p1) || X(p2)
"""
    process = linearise(read_text(text))
    found = count_orbits(process, [parse_permutation("(p1 p2)")])
    assert (found.orbits, found.states) == (3, 4)


def refused(rules, body, permutation="(p1 p2)"):
    process = linearise(read_text(SPEC.format(rules=f"{EQUAL} {rules}", body=body)))
    with pytest.raises(REFUSED) as raised:
        count_orbits(process, [parse_permutation(permutation)], settings=Settings(proof="static"))
    return process, str(raised.value)


@pytest.mark.parametrize(
    ("step", "is_proven"),
    [
        ("u(p1).X(n) <| never(n) |> delta", True),
        ("u(p1).X(n) <| always(n) |> delta", False),
        ("delta <| always(n) |> u(p1).X(n)", True),
        ("delta <| never(n) |> u(p1).X(n)", False),
        ("u(p1).X(n) <| once(n) |> delta", False),
        ("u(p1).X(n) <| forever(n) |> delta", False),
        ("u(p1).X(n) <| always(n) |> delta + u(p2).X(n) <| never(n) |> delta", False),
        ("u(p2).X(n) <| never(n) |> delta + u(p1).X(n) <| always(n) |> delta", False),
    ],
)
def test_impossible_steps_need_not_be_symmetric(step, is_proven):
    """The conditions are closed once what does not commute is unfolded."""
    text = f"""sort Bool P N func T,F:->Bool p1,p2:->P z:->N s:N->N
map same:P#P->Bool first,never,always,once,forever:N->Bool stuck:P->Bool var x:P n:N
rew same(x,x)=T same(p1,p2)=F same(p2,p1)=F
never(n)=same(p1,p2) always(n)=same(p1,p1) once(z)=same(p1,p1) once(s(n))=same(p1,p2)
forever(n)=stuck(p1) stuck(x)=stuck(x) first(z)=T first(s(n))=F
act u:P v:N
proc X(n:N) = v(n).X(s(n)) <| first(n) |> delta + {step}
init X(z)
"""
    process = linearise(read_text(text))
    with nullcontext() if is_proven else pytest.raises(REFUSED):
        count_orbits(
            process, parse_permutation("(p1 p2)"), settings=Settings(proof="static", sample=0)
        )


@pytest.mark.parametrize(("argument", "is_proven"), [("next(p1)", True), ("next(p2)", False)])
def test_impossible_communications_need_not_be_symmetric(argument, is_proven):
    """The values that would have to be equal are closed terms, and different or not."""
    text = f"""sort Bool P func T,F:->Bool p1,p2,p3:->P map next:P->P
rew next(p1)=p1 next(p2)=p2 next(p3)=p2
act give,take,get:P v:P comm give|take=get
proc X(a:P) = give({argument}).X(a) + sum(b:P, v(b).X(b))
Y = take(p2).Y
init encap({{give,take}}, X(p1) || Y)
"""
    with nullcontext() if is_proven else pytest.raises(REFUSED):
        count_orbits(
            linearise(read_text(text)),
            parse_permutation("(p2 p3)"),
            settings=Settings(proof="static", sample=0),
        )


def test_constructors_with_rules_need_symmetric_rules():
    text = """sort Bool P B func T,F:->Bool p1,p2:->P none:->B box:P->B
var x:P rew box(p1)=none box(x)=none
act u:P v:B proc X(a:P) = sum(b:P, u(b).v(box(a)).X(b)) init X(p1) || X(p2)
"""
    with pytest.raises(REFUSED, match="the image of this rule for `box` is not a rule"):
        count_orbits(
            linearise(read_text(text)),
            parse_permutation("(p1 p2)"),
            settings=Settings(proof="static"),
        )


def test_closed_terms_moved_by_maps_are_not_compared():
    """What becomes of their values does not show in the constants that they are made of."""
    process = linearise(
        read_text(
            """%@ include Nat
%@ include Enum of p1,p2 as P
%@ include Enum of a,b as C
sort E B func e1,e2:->E some:P#Book->B none:->B
map turned:E->E rew turned(e1)=e2 turned(e2)=e1
%@ include Array of P, C as Book
act u:P v:E w:B
proc X(f:Book) = sum(p:P, u(p).X(set(f,p,a))) + v(e1).w(none).X(f)
init X(filled_Book(b))
"""
        )
    )
    of = {f.name: f for f in process.specification.functions}
    p1, p2, a, e1, none = (Application(of[name]) for name in ("p1", "p2", "a", "e1", "none"))
    book = Application(of["filled_Book"], (a,))
    [text] = GroupAction(process, [parse_permutation("(p1 p2)")]).texts()
    assert text.are_images(p1, p2)
    assert not text.are_images(p1, p1)
    assert text.are_images(a, a)
    assert text.are_images(e1, e1)
    assert not text.are_images(book, book)
    assert not text.are_images(none, none)
    [text] = GroupAction(process, [parse_permutation("(p1 p2) with turned")]).texts()
    assert text.are_images(p1, p2)
    assert not text.are_images(e1, e1)


def test_closed_terms_are_compared_by_value():
    """Some of what is the same for all is said in a way of its own."""
    text = SPEC.format(
        rules=f"{EQUAL} next(p1)=p2 next(p2)=p3 next(p3)=p1",
        body="u(next(p1)).X(a) + u(p3).X(a) + u(next(p3)).X(a) + v(a).X(a)",
    )
    found = count_orbits(
        linearise(read_text(text)),
        parse_permutation("(p1 p2 p3)"),
        settings=Settings(proof="static", sample=0),
    )
    system = generate(read_text(text))
    assert (found.states, found.transitions) == (system.state_count, system.transition_count)


def test_asymmetric_rule_order_is_refused():
    """Both rules and their images are there; which comes first is not the same for the images."""
    rules = "near(x,p1)=T near(p1,x)=F near(p2,x)=F near(x,p2)=T near(p3,p3)=F"
    process, shown = refused(rules, "u(a).X(a) <| near(a,a) |> v(a).X(a)")
    assert "rules for `near` overlap, and their images have another order" in shown
    with pytest.raises(REFUSED):
        count_orbits(process, [parse_permutation("(p1 p2)")])


@pytest.mark.parametrize(
    ("rules", "body", "message"),
    [
        ("", "u(p1).X(a)", "`u` treats `p1` differently from other values"),
        ("", "u(a).X(p1)", "`u` treats `p1` differently from other values"),
        ("", "tau.X(p1) + v(a).X(a)", "`tau` treats `p1` differently from other values"),
        ("", "u(a).X(a) <| same(a,p2) |> delta", "`u` treats `p2` differently from other values"),
        (
            "next(p1)=p2 next(x)=x",
            "u(next(a)).X(a)",
            "the image of this rule for `next` is not a rule",
        ),
        ("near(p1,p2)=T near(x,y)=F", "sum(p:P, u(p).X(a) <| near(p,a) |> delta)", "`near`"),
    ],
)
def test_separating_rules_are_reported_with_position(rules, body, message):
    _, shown = refused(rules, body)
    assert message in shown
    assert "^" in shown


def test_unreachable_rules_are_ignored():
    rules = f"{EQUAL} next(p1)=p2 next(p2)=p3 next(p3)=p1 near(p1,x)=T near(x,y)=F"
    process = linearise(read_text(SPEC.format(rules=rules, body="u(a).X(a)")))
    found = count_orbits(process, [parse_permutation("(p1 p2)")], settings=Settings(proof="static"))
    assert (found.orbits, found.states) == (3, 4)


def test_truth_values_are_fixed():
    process = linearise(
        read_text("sort Bool func T,F:->Bool act a:Bool proc X = a(T).X + a(F).X init X")
    )
    with pytest.raises(REFUSED, match="`T` is a value of conditions"):
        count_orbits(process, [parse_permutation("(T F)")], settings=Settings(proof="static"))
    with pytest.raises(LtsError, match="unknown proof `hope`"):
        count_orbits(process, [parse_permutation("(T F)")], settings=Settings(proof="hope"))


def test_refinement_with_the_static_proof():
    process = linearise(read_text(SPEC.format(rules=EQUAL, body="v(a).Start")))
    rows = [(0, f"u({p})", i) for i, p in enumerate(IDS, 1)]
    rows += [(i, f"v({p})", 0) for i, p in enumerate(IDS, 1)]
    swap = [parse_permutation("(p1 p2)"), parse_permutation("(p1 p2 p3)")]
    found = refines_on_orbits(
        LTS.from_transitions(rows), process, "trace", swap, settings=Settings(proof="static")
    )
    assert (found.holds, found.proof, found.situations, found.orbits) == (True, "static", 0, 2)


@pytest.mark.parametrize("words", [["generate", "--deadlocks", "-v"], ["reduce", "--count"]])
def test_on_the_command_line(capsys, words):
    symmetry = ["--symmetry", "Pid", "--symmetry-proof", "static"]
    command, *options = words
    assert main([command, str(CASES / "mutex.mcrl"), *symmetry, *options]) in (0, 1)
    out, err = capsys.readouterr()
    assert "group        of order 6" in out + err
    if "-v" in words:
        assert "order 6, proven from the text" in err
    lamps = [str(CASES / "lamps.mcrl"), "--symmetry", "() with rotated"]
    assert main([command, *lamps, *symmetry[2:], *options]) == 3
    assert (
        "`rotated` is a map, whose rules do not show what it preserves" in capsys.readouterr().err
    )


def test_auto_uses_the_static_proof(capsys):
    symmetry = ["--symmetry", "auto", "--symmetry-proof", "static", "--count"]
    assert main(["reduce", str(CASES / "mutex.mcrl"), *symmetry]) == 0
    assert "of order 6" in capsys.readouterr().out


def test_an_lts_has_no_text(capsys, tmp_path):
    file = tmp_path / "a.aut"
    file.write_text('des (0,1,1)\n(0,"a",0)\n')
    words = ["reduce", str(file), "--symmetry", "(a b)", "--symmetry-proof", "static", "--count"]
    assert main(words) == 2
    assert "--symmetry-proof applies to a specification" in capsys.readouterr().err
    assert main(["generate", str(CASES / "mutex.mcrl"), "--symmetry-proof", "static"]) == 2
    assert "--symmetry-proof needs --symmetry" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rules", "is_symmetric"),
    [
        ("c(p0)=p0 c(p1)=p1 c(c(x))=c(x)", False),  # there is `c(p2)` besides
        ("c(p0)=p0 c(p1)=p1 c(p2)=p2", True),
        ("c(p0)=p0 c(p1)=p2 c(p2)=p1", True),
        ("c(p0)=p0 c(p1)=p0 c(c(x))=c(x)", False),
        ("c(p0)=p0 c(c(x))=c(x)", True),
    ],
)
@pytest.mark.parametrize("sort", ["D", "E", "G"])
def test_sum_values_depend_on_constructor_rules(rules, is_symmetric, sort):
    """No term names the constructor, and its rules decide all the same which values there are;
    also those that others are made of."""
    text = f"""sort Bool func T,F:->Bool sort D E G func p0,p1,p2:->D c:D->D e:D->E g:E->G
var x:D rew {rules}
act a:{sort} b proc X = sum(x:{sort}, a(x).Y(x)) Y(x:{sort}) = b.X init X
"""
    process = linearise(read_text(text))
    for proof in ("static", "tested"):
        with nullcontext() if is_symmetric else pytest.raises((NotProven, NotSymmetric)):
            settings = Settings(proof=proof, sample=0)
            count_orbits(process, parse_permutation("(p1 p2)"), settings)
