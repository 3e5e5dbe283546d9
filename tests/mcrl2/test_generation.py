"""State spaces of mCRL2 specifications against the operational rules."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings

from lts.errors import SpecificationError, Unsupported
from lts.mcrl2 import read_text
from lts.mucrl import generate, linearise
from lts.symmetry import certified_quotient, find_in_specification
from mcrl2_compositions import (
    DECLARED,
    FILTERED,
    FilterCounts,
    by_rules,
    filtered_processes,
    processes,
)
from naive.systems import bisimilar

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.mcrl2"))


@example("block({a}, allow({a}, tau.a))")
@example("allow({c, t}, comm({a|b -> c, r|s -> t}, Pair || b || s(d1)))")
@example("allow({c, t}, comm({a|b -> c, r|s -> t}, b || s(d2) || Pair))")
@example("allow({a|b|r}, Pair || b)")
@example("block({a, b}, comm({a|b -> c}, Pair || b || Ends))")
@example("block({a, b}, comm({a|a|b -> c}, Pair || b || a))")
@example("hide({d}, allow({c}, comm({a|b -> c}, hide({r}, Pair) || b || d)))")
@given(processes)
def test_compositions_match_operational_rules(process):
    specification = read_text(f"{DECLARED} init {process};")
    assert bisimilar(generate(specification), by_rules(specification))


def test_nested_filters_match_operational_rules(monkeypatch):
    counts = FilterCounts(monkeypatch)

    @settings(max_examples=3 * settings.default.max_examples)
    @example("allow({f|g}, f || rename({f -> b}, g))")
    @example("allow({f|g}, f || block({f}, g))")
    @example("allow({f|g|h}, g || hide({f}, f|h) || f)")
    @example("allow({f|h}, f || allow({h}, comm({f|g -> h}, f || g)))")
    @given(filtered_processes)
    def check(process):
        specification = read_text(f"{FILTERED} init {process};")
        found = generate(specification)
        counts.finish()
        assert bisimilar(found, by_rules(specification))

    check()
    counts.check()


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_samples_match_operational_rules(file):
    # A left merge inside of a process is refused; here it comes to nothing.
    specification = read_text(file.read_text().replace("delta ||_ tau", "delta"))
    assert bisimilar(generate(specification), by_rules(specification))


def test_labels_use_the_notation_of_the_language():
    text = (
        "act a: List(Nat); b: Nat; c: Set(Nat); d: Bag(Bool); e;"
        "init a([1,2])|b(3 + 4).c({3,1,2,1}).d({true:2}).a([]).e|e|b(2)|b(1).delta;"
    )
    assert [label for _, label, _ in generate(read_text(text)).transitions()] == [
        "a([1,2])|b(7)", "c({1,2,3})", "d({true:2})", "a([])", "b(1)|b(2)|e|e",
    ]  # fmt: skip


def test_unsynchronised_actions_have_different_arguments():
    # Nothing in the text compares values of D, nor is there anything on Bool.
    text = """sort D = struct d1 | d2; act a, b, c: D # D;
    init comm({a|b -> c}, (sum x: D. a(x, d1)) || (sum y: D. b(y, y)));"""
    specification = read_text(text)
    system = generate(specification)
    assert bisimilar(system, by_rules(specification))
    assert "a(d1,d1)|b(d1,d1)" not in set(system.labels)
    assert {"c(d1,d1)", "a(d2,d1)|b(d2,d2)"} <= set(system.labels)


def test_impossible_communications_are_not_linearised():
    text = """sort Seat = struct s1 | s2 | s3; Spoon = struct p1 | p2 | p3;
    map left, right: Seat -> Spoon;
    eqn left(s1) = p1; left(s2) = p2; left(s3) = p3;
        right(s1) = p3; right(s2) = p1; right(s3) = p2;
    act take, taken, took: Seat # Spoon;
    proc Eater(s: Seat) = take(s, left(s)).Eater(s) + take(s, right(s)).Eater(s);
         Of(p: Spoon) = sum s: Seat. taken(s, p).Of(p);
    init block({take, taken}, comm({take|taken -> took},
        Of(p1) || Of(p2) || Of(p3) || Eater(s1) || Eater(s2) || Eater(s3)));"""
    # Each takes one of two, none takes the same as another.
    assert len(linearise(read_text(text)).summands) == 6 + 9 + 2
    kept = linearise(read_text(text), simplifications=[])
    assert len(kept.summands) == 6 + 9 + 2


def test_a_composition_inside_of_a_sequence_is_refused():
    with pytest.raises(Unsupported, match="cannot be part of a sequential process"):
        generate(read_text("act a, b; proc P = a.(a || b).P; init P;"))


def test_symmetries_are_proven():
    text = """
    sort Client = struct c1 | c2 | c3;
    act ask, grant, lock, done, free, unlock: Client;
    proc User(c: Client) = ask(c).done(c).User(c);
         Lock = sum c: Client. grant(c).free(c).Lock;
    init allow({lock, unlock}, comm({ask|grant -> lock, done|free -> unlock},
           User(c1) || User(c2) || User(c3) || Lock));
    """
    process = linearise(read_text(text))
    found = find_in_specification(process)
    assert found.order == 6
    quotient = certified_quotient(process, found.generators).quotient
    assert quotient.count()[0] == generate(process).state_count


def test_conditions_of_equations_count_in_proofs():
    # Without its conditions, `f` would treat c1 and c2 alike.
    text = """
    sort C = struct c1 | c2;
    map f: C -> Bool; k: C -> Bool;
    var x: C;
    eqn k(c1) = true; k(c2) = false;
        k(x) -> f(x) = true;
        !k(x) -> f(x) = false;
    act a: C # Bool;
    proc P(x: C) = a(x, f(x)).P(x);
    init P(c1) || P(c2);
    """
    assert find_in_specification(linearise(read_text(text))).order == 1


UNSPECIFIED = """sort D = struct d1 | d2; map c, k: D; f: Nat -> (D -> Bool);
     g: Nat -> (Bool -> Nat); h: Nat -> Nat;
act a, b, e: D; s: Set(D); u: Bool;
"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("c == c", "true"),
        ("d1 == d2", "false"),
        ("c == k", None),
        ("c == d1", None),
        ("c != d1", None),
        ("{c, k} == {k, c}", None),
        ("{d1, c} == {c, d1}", None),
        ("{d1, d2} == {d2, d1, d2}", "true"),
        ("[c] == []", "false"),
        ("[c] == [k]", None),
        ("f(1) == (lambda x: D. true)", None),
        ("g(0) == (lambda x: Bool. g(0)(x))", None),
        ("3 == h(1)", None),
        ("{h(1), 2} == {2, h(1)}", None),
        ("{h(1), 2, h(1)} == {2, h(1)}", None),
        ("#{h(1), 2, h(1)} == 3", None),
        ("3 in {h(1)}", None),
        ("count(2, {h(1): 1, 2: 1}) == 1", None),
        ("#[h(1), h(1)] == 2", "true"),
    ],
)
def test_unspecified_equality_is_undecided(condition, expected):
    specification = read_text(f"{UNSPECIFIED} init ({condition}) -> u(true) <> u(false);")
    if expected is None:
        with pytest.raises(SpecificationError, match="is neither `true` nor `false`"):
            generate(specification)
    else:
        assert list(generate(specification).labels) == [f"u({expected})"]


def test_unspecified_arguments_may_communicate():
    text = "init allow({e}, comm({a|b -> e}, a(c) || b(@)));"
    specification = read_text(UNSPECIFIED + text.replace("@", "c"))
    assert list(generate(specification).labels) == ["e(c)"]
    for other in ("k", "d1"):
        with pytest.raises(SpecificationError, match="`c` does not reduce to a value"):
            generate(read_text(UNSPECIFIED + text.replace("@", other)))


def test_user_functions_may_have_conversion_names():
    text = """map Pos2Nat: Nat -> Nat; f: Nat -> Nat; var n: Nat; eqn f(Pos2Nat(n)) = n;
              act a: Nat; init sum k: Nat. (k == 3) -> a(f(Pos2Nat(k))) . a(f(k));"""
    assert set(generate(read_text(text)).labels) == {"a(3)", "a(f(3))"}


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("false && exists m: Nat. m == 1 || true", True),
        ("false && exists m: Nat. (m == 1 || true)", False),
        ("true && exists m: Nat. m < 2 && m == 1", True),
        ("!exists m: Bool. m && false", False),
        ("!exists m: Nat. (m < 2 && m == 5)", True),
        ("true => forall m: Nat. m < 2 => m < 5", True),
    ],
)
def test_quantifier_scope_depends_on_preceding_operator(condition, holds):
    assert bool(list(generate(read_text(f"init ({condition}) -> tau;")).labels)) is holds
