"""The linear process of the orbits, written as a text, against the whole system."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS, LimitReached, NotSymmetric, Unsupported, compare
from lts.mcrl2 import read_text as read_mcrl2
from lts.mcrl2.printing import linear_text as mcrl2_text
from lts.mucrl import generate, linear_text, linearise, read, read_text
from lts.symmetry import (
    certified_quotient,
    encode,
    encoding_process,
    expand,
    parse_permutation,
    parse_symmetry_file,
    reduced_process,
)
from naive.groups import closure
from naive.systems import isomorphic
from strategies import examples

STORES = {
    "": ([], [], []),
    "%@ include Enum of idle,busy as Phase\n%@ include Array of Pid, Phase as Store\n": (
        ["filled_Store(idle)"],
        ["set(s,x,busy)", "set(s,x,idle)", "set(s,x,next(get(s,x)))"],
        ["eq(get(s,x),busy)", "eq(get(s,x),idle)"],
    ),
    "%@ include Map of Pid, Pid as Store\n": (
        ["empty_Store"],
        ["set(s,x,x)", "set(s,x,y)", "remove(s,x)", "set(set(s,x,y),y,x)"],
        ["contains(s,x)", "not(contains(s,x))", "eq(get(set(s,x,y),x),y)"],
    ),
    "%@ include Set of Pid as Store\n": (
        ["empty_Store"],
        ["insert(s,x)", "remove(s,x)"],
        ["contains(s,x)", "not(contains(s,x))"],
    ),
}
"""For each include: an initial value, what a step may make of a store `s`, and conditions on it."""

KEPT = ("r", "free", "only(x)", "only(y)", "pair(x,y)", "pair(y,x)", "pair(x,x)")
CONDITIONS = (
    "T",
    "T",
    "eq(r,free)",
    "not(eq(r,free))",
    "eq(r,only(x))",
    "eq(r,pair(x,y))",
    # True, but for reasons that comparing local situations finds, not the text.
    *["or(le(x,y),lt(y,x))"] * 4,
)
LABELS = ("tau", "a", "b(x)", "c(x,y)", "d(r)")
USERS = (
    ("User(i:Pid) = try(i).User(i)", "User({})"),
    ("User(i:Pid) = try(i).go(i).User(i)", "User({})"),
    ("User(i:Pid) = sum(j:Pid, e(i,j).f(j).User(i))", "User({})"),
    ("User(i:Pid,j:Pid) = sum(k:Pid, e(j,k).User(i,k))", "User({0},{0})"),
    ("User(i:Pid,z:Bool) = try(i).User(i,not(z)) + go(i).User(i,F) <| z |> delta", "User({},T)"),
)


@st.composite
def texts(draw):
    """Return a text and generators of a group that moves its identities."""
    count = draw(st.integers(2, 4))
    names = [f"p{k}" for k in range(1, count + 1)]
    fixed = draw(st.sampled_from(["", "", "none,"]))
    include = draw(st.sampled_from([*STORES]))
    initial, updates, tests = STORES[include]
    steps = []
    for _ in range(draw(st.integers(1, 3))):
        kept, label = draw(st.sampled_from(KEPT)), draw(st.sampled_from(LABELS))
        condition = draw(st.sampled_from((*CONDITIONS, *tests)))
        store = [draw(st.sampled_from(("s", *updates)))] if initial else []
        call = f"Monitor({','.join([kept, *store])})"
        steps.append(f"sum(x:Pid, sum(y:Pid, {label}.{call} <| {condition} |> delta))")
    definition, called = draw(st.sampled_from(USERS))
    components = [called.format(name) for name in names] if draw(st.booleans()) else []
    if not components or draw(st.booleans()):
        components.append(f"Monitor({','.join(['free', *initial])})")
    group = draw(st.sampled_from(("all", "all", "two", "round")))
    generators = ["(p1 p2)"] if group != "round" else []
    if group != "two":
        generators.append(f"({' '.join(names)})")
    text = f"""%@ include Nat
%@ include Enum of {fixed}{",".join(names)} as Pid
{include}sort Kept
func free: -> Kept only: Pid -> Kept pair: Pid#Pid -> Kept
map eq: Kept#Kept -> Bool
var k: Kept u,v,w,z: Pid
rew eq(k,k) = T
  eq(free,only(u)) = F eq(free,pair(u,v)) = F
  eq(only(u),free) = F eq(only(u),only(v)) = eq(u,v) eq(only(u),pair(v,w)) = F
  eq(pair(u,v),free) = F eq(pair(u,v),only(w)) = F
  eq(pair(u,v),pair(w,z)) = and(eq(u,w),eq(v,z))
act a b,f,try,go: Pid c,e: Pid#Pid d: Kept
proc Monitor(r:Kept{",s:Store" if initial else ""}) = {" + ".join(steps)}
     {definition}
init {" || ".join(components)}
"""
    return text, list(map(parse_permutation, generators))


def unordered(system, generators):
    """Replace each label by the least of its images, found by renaming in its text."""
    images = {}
    names = sorted({element.text for generator in generators for element in generator.images})
    moves = [{a.text: b.text for a, b in generator.images.items()} for generator in generators]
    rows = closure({tuple(names)}, [dict(zip(names, names, strict=True)) | move for move in moves])
    for row in rows:
        change = dict(zip(names, row, strict=True))
        for label in system.labels:
            image = re.sub(r"\w+", lambda word, change=change: change.get(word[0], word[0]), label)
            images[label] = min(images.get(label, image), image)
    return LTS.from_transitions(
        [(s, images[a], t) for s, a, t in system.transitions()],
        state_count=system.state_count,
        initial=system.initial,
    )


def orbits_of(quotient, generators):
    """Return the number of transitions that an encoding stores, and its system with one state for
    the states that its rho-steps link."""
    found = encode(quotient, generators, kind="sorts", order="bfs").encoding
    steps = [*found.transitions()]
    orbit = list(range(found.state_count))
    for source, label, target in steps:
        if label.startswith("rho"):
            old, new = sorted((orbit[source], orbit[target]), reverse=True)
            orbit = [new if one == old else one for one in orbit]
    numbers = {state: number for number, state in enumerate(dict.fromkeys(orbit))}
    kept = [(numbers[orbit[s]], a, numbers[orbit[t]]) for s, a, t in steps if a[:3] != "rho"]
    return len(kept), LTS.from_transitions(kept, initial=numbers[orbit[found.initial]])


def test_reduced_process_generates_the_quotient():
    reached = Counter()

    @settings(max_examples=examples(1))
    @given(texts(), st.randoms(use_true_random=False))
    def is_the_quotient(drawn, random):
        text, generators = drawn
        process = linearise(read_text(text))
        try:
            system = generate(process, max_states=600)
        except LimitReached:
            return
        reduced = reduced_process(process, generators)
        printed = read_text(linear_text(reduced.process, reduced.reasons))
        orbits = generate(printed)
        # The process itself is the one that is printed, and the order of equations does not matter.
        rules = [*printed.rules]
        random.shuffle(rules)
        for same in (generate(reduced.process), generate(replace(printed, rules=tuple(rules)))):
            assert same.state_count == orbits.state_count
            assert compare(same, orbits, equivalence="strong")
        expected = certified_quotient(process, generators)
        assert orbits.state_count == expected.quotient.orbits
        count, linked = orbits_of(expected.quotient, generators)
        assert orbits.transition_count <= count
        alike = [unordered(one, generators) for one in (orbits, linked, system)]
        # Steps to states of one orbit are one step if their labels are the same.
        assert len({*alike[0].transitions()}) == len({*alike[1].transitions()})
        assert compare(alike[0], alike[1], equivalence="strong")
        assert compare(alike[0], alike[2], equivalence="strong")
        reached["all"] += 1
        reached["reduced"] += orbits.state_count < system.state_count
        reached["exchanged"] += orbits.transition_count < expected.explored.steps
        reached["positions"] += "||" in text
        reached["store"] += "Store" in text and len(reduced.process.parameters) > 0
        reached["compared"] += expected.explored.from_text < expected.explored.summands

    is_the_quotient()
    assert reached["reduced"] > reached["all"] / 10
    assert all(reached[what] > 0 for what in ("exchanged", "positions", "store", "compared")), (
        reached
    )


def test_generated_encoding_expands_to_the_original():
    reached = Counter()

    @settings(max_examples=examples(0.25))
    @given(texts())
    def expands(drawn):
        text, generators = drawn
        process = linearise(read_text(text))
        try:
            system = generate(process, max_states=600)
        except LimitReached:
            return
        found = encoding_process(process, generators)
        encoding = generate(read_text(linear_text(found.process, found.reasons)))
        symmetry = parse_symmetry_file(str(found.symmetry))
        whole = expand(encoding, symmetry)
        assert compare(whole, system, "isomorphism")
        assert isomorphic(whole, system)
        reached["all"] += 1
        reached["reduced"] += encoding.state_count < system.state_count
        reached["targets"] += encoding.state_count > found.explored.orbits
        reached["positions"] += "||" in text

    expands()
    assert reached["reduced"] > reached["all"] / 10
    assert reached["targets"] > 0
    assert reached["positions"] > 0


@pytest.mark.parametrize("case", ["mutex", "peterson"])
def test_cases_expand_from_the_process_of_a_reduction(case):
    process = linearise(read(f"cases/{case}.mcrl"))
    found = encoding_process(process, parse_permutation("(p1 p2)"))
    encoding = generate(read_text(linear_text(found.process, found.reasons)))
    assert compare(expand(encoding, found.symmetry), generate(process), "isomorphism")


def reread(text, *permutations):
    """Return the system of the reduced process of a text."""
    reduced = reduced_process(linearise(read_text(text)), [*map(parse_permutation, permutations)])
    return generate(read_text(linear_text(reduced.process, reduced.reasons)))


def test_generated_names_are_fresh():
    text = """%@ include Nat
%@ include Enum of x1,x2,g1 as Pid
act moved,compared,vector,v,step: Pid
proc X(x:Pid, least:Nat) =
  sum(g:Pid, moved(g).X(x,S(least)) <| lt(least,3) |> delta) + step(x).delta
init X(x1,0)"""
    found = reread(text, "(x2 g1)")
    assert (found.state_count, found.transition_count) == (5, 10)
    assert sorted(found.labels) == ["moved(x1)", "moved(x2)", "step(x1)"]


def test_initial_steps_are_one_per_orbit():
    # The report's Lemma 8.2: the sum over all data of the first summand becomes one datum.
    text = """%@ include Enum of d1..d9 as D
act r,s: D
proc X = sum(d:D, r(d).s(d).X)
init X"""
    found = reread(text, "(d1 d2)", "(d1 d2 d3 d4 d5)", "(d6 d7)")
    assert sorted(found.transitions()) == [
        *((0, f"r(d{n})", k) for k, n in enumerate((1, 6, 8, 9), 1)),
        *((k, f"s(d{n})", 0) for k, n in enumerate((1, 6, 8, 9), 1)),
    ]


def test_comments_state_group_and_proof():
    text = """%@ include Enum of p1,p2 as Pid
act a: Pid b
proc P(p:Pid) = a(p).P(p) + b.P(p)
init P(p1) || P(p2)"""
    process = linearise(read_text(text))
    said = "\n".join(reduced_process(process, parse_permutation("(p1 p2)")).reasons)
    assert "a group of order 2" in said
    assert "summands, from the text: 0 to 3, 1 to 2, 2 to 1, 3 to 0" in said
    text = text.replace("b.P(p)", "sum(q:Pid, b.P(p) <| or(le(p,q),lt(q,p)) |> delta)")
    compared = reduced_process(linearise(read_text(text)), parse_permutation("(p1 p2)"))
    assert "by comparing all local situations: " in "\n".join(compared.reasons)


def test_non_symmetric_permutation_is_refused():
    text = """%@ include Enum of p1,p2 as Pid
act a: Pid
proc P(p:Pid) = a(p).P(p)
init P(p1)"""
    with pytest.raises(NotSymmetric, match="no symmetry"):
        reread(text, "(p1 p2)")


@pytest.mark.parametrize(
    ("head", "init", "permutation", "why"),
    [
        (
            "%@ include Enum of p1..p7 as Pid",
            "sum(p:Pid, a(p).delta)",
            "(p1 p2)|(p1 .. p7)",
            "1000",
        ),
        ("%@ include Enum of p1..p3 as Pid", "sum(p:Pid, a(p).delta)", "() with next", "by a map"),
        (
            "%@ include Enum of q1,q2 as Q\nsort Pid func p: Q -> Pid",
            "sum(p:Pid, a(p).delta)",
            "(p(q1) p(q2))",
            "no constant",
        ),
        (
            "%@ include Enum of p1,p2 as Pid\nmap odd: Pid -> Pid",
            "sum(p:Pid, a(odd(p)).delta)",
            "(p1 p2)",
            "no equation fits",
        ),
    ],
)
def test_inexpressible_reduced_processes_are_refused(head, init, permutation, why):
    with pytest.raises(Unsupported, match=why):
        reread(f"{head}\nact a: Pid\ninit {init}", *permutation.split("|"))


D = "sort D = struct d1 | d2 | d3; "
IN_MCRL2 = {
    "values of a structured sort": D + "act a, b: D; proc P = sum d: D. a(d) . b(d) . P; init P;",
    "numbers and truth values": (
        D + "act a: D # Nat; b: Bool; proc P(x: D, n: Int, t: Bool) = sum d: D. (n < 2) -> "
        "a(d, Int2Nat(n)) . P(d, n + 1, !t) + (n == 2) -> b(t) . P(x, 0, t); "
        "init P(d1, 0, true) || delta;"
    ),
    "lists, and values inside others": (
        D + "sort E = struct none | pair(D, List(D))?is_pair; act a: E; b: List(D); "
        "proc P(l: List(D), e: E) = sum d: D. (#l < 2) -> a(pair(d, l)) . P(d |> l, pair(d, l)) "
        "+ is_pair(e) -> b(l) . P([], none); init P([], none);"
    ),
    "components with identities": (
        D + "act get, put, take, give, g, p: D; "
        "proc U(d: D) = get(d) . put(d) . U(d); L = sum d: D. take(d) . give(d) . L; "
        "init allow({g, p}, comm({get|take -> g, put|give -> p}, U(d1) || U(d2) || U(d3) || L));"
    ),
    "functions of the text": (
        D + "map next: D -> D; eqn next(d1) = d2; next(d2) = d3; next(d3) = d1; "
        "act a, b: D; proc P(d: D) = a(d) . P(next(d)) + b(next(d)) . delta; "
        "init sum d: D. a(d) . P(d);"
    ),
    "internal steps and multi-actions": (
        D + "act a, b: D; c; proc P = sum d, e: D. (d != e) -> a(d)|b(e) . tau . c . P; init P;"
    ),
}


@pytest.mark.parametrize(("text", "generators"), [
    (text, ["(d1 d2 d3)"] if "next" in text else ["(d1 d2)", "(d2 d3)"])
    for text in IN_MCRL2.values()
], ids=[*IN_MCRL2])  # fmt: skip
def test_processes_in_mcrl2(text, generators):
    """The text in mCRL2 generates the orbits, or an encoding that expands to the original."""
    process = linearise(read_mcrl2(text))
    system = generate(process)
    if "U(d1)" in text:
        generators = ["(d1 d2)", "(d2 d3)"]
    permutations = [*map(parse_permutation, generators)]
    reduced = reduced_process(process, permutations)
    printed = mcrl2_text(reduced.process, reduced.reasons, reduced.declared)
    orbits = generate(read_mcrl2(printed))
    assert orbits.state_count == certified_quotient(process, permutations).quotient.orbits
    assert orbits.transition_count < system.transition_count
    alike = [unordered(one, permutations) for one in (orbits, system)]
    assert compare(*alike, equivalence="strong")
    found = encoding_process(process, permutations)
    printed = mcrl2_text(found.process, found.reasons, found.declared)
    whole = expand(generate(read_mcrl2(printed)), parse_symmetry_file(str(found.symmetry)))
    assert isomorphic(whole, system)


@pytest.mark.parametrize(
    ("text", "permutation", "message"),
    [
        (
            D
            + "act a: D; proc P(s: Set(D)) = sum d: D. !(d in s) -> a(d) . P(s + {d}); init P({});",
            "(d1 d2)",
            r"values of sort `Set\(D\)`",
        ),
        (
            D + "act a: D; proc P(f: D -> Bool) = sum d: D. f(d) -> a(d) . P(f[d -> false]); "
            "init P(lambda d: D. true);",
            "(d1 d2)",
            r"values of sort `\(D->Bool\)`",
        ),
        (
            "act s, r, c, g: Pos; proc P(n: Pos) = s(n) . P(n); L = sum k: Pos. r(k) . g(k) . L; "
            "init allow({c, g}, comm({s|r -> c}, P(1) || P(2) || L));",
            "(P.n(1) P.n(2))",
            r"`P.n\(1\)` is moved, which is a number",
        ),
    ],
)
def test_unsupported_mcrl2_reduced_processes_are_refused(text, permutation, message):
    process = linearise(read_mcrl2(text, identities=[] if "Pos" in text else None))
    with pytest.raises(Unsupported, match=message):
        reduced_process(process, parse_permutation(permutation))
