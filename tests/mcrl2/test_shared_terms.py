"""Terms and sorts of files are shared: work grows with the terms in memory, not as written out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lts
from lts import LtsError, Unsupported, _engine
from lts.linear.linearise import linearise
from lts.mcrl2 import read, read_text
from lts.specification.signature import Signature
from lts.specification.terms import Application, subterms
from lts.state_space import generate
from mcrl2_files import TRUE, action, app, call, listed, lps, nat, sort, summand, var, written

B, N, X, F = var("b", "Bool"), var("n", "Nat"), var("x", "Nat"), var("f", "Nat -> Nat")
Y = var("y", "Bool")
OF_BOOL, OF_NAT = "Bool # Bool -> Bool", "Nat # Nat -> Nat"


def function(*sorts):
    return ("SortArrow", listed(*map(sort, sorts[:-1])), sort(sorts[-1]))


def bound(word, variable, body):
    return ("Binder", (word,), listed(variable), body)


def both(one, other):
    return call("&&", OF_BOOL, one, other)


def largest(one, other):
    return call("max", OF_NAT, one, other)


def given_as(value, body):
    return ("Whr", body, listed(("DataVarIdInit", X, value)))


UPDATE = function("Nat -> Nat", "Nat", "Nat", "Nat -> Nat")
STEPS = {
    "and": (B, lambda t: both(t, t)),
    "or": (B, lambda t: call("||", OF_BOOL, t, t)),
    "equal": (B, lambda t: call("==", OF_BOOL, t, t)),
    "if": (B, lambda t: call("if", "Bool # Bool # Bool -> Bool", t, t, t)),
    "exists unused": (B, lambda t: bound("Exists", X, both(t, t))),
    "exists": (
        B,
        lambda t: bound("Exists", X, both(t, both(t, call("<", "Nat # Nat -> Bool", X, nat(2))))),
    ),
    "forall": (B, lambda t: bound("Forall", Y, call("||", OF_BOOL, call("||", OF_BOOL, t, Y), t))),
    "max": (N, lambda t: largest(t, t)),
    "lambda applied": (N, lambda t: app(bound("Lambda", X, largest(X, largest(t, t))), t)),
    "whr": (N, lambda t: given_as(t, largest(t, X))),
    "nested whr": (N, lambda t: given_as(t, largest(X, X))),
    "lambda": (F, lambda t: bound("Lambda", X, largest(app(t, X), app(t, X)))),
    "update": (F, lambda t: call("@func_update", UPDATE, t, app(t, N), app(t, N))),
}


def nested(step, depth):
    term, grow = STEPS[step]
    for _ in range(depth):
        term = grow(term)
    return term


def as_condition(step, depth):
    """Return a Boolean term about a nested one."""
    term = nested(step, depth)
    match STEPS[step][0]:
        case start if start is B:
            return term
        case start if start is N:
            return call("==", "Nat # Nat -> Bool", term, N)
    return call("==", "Nat # Nat -> Bool", app(term, N), N)


def file_of(step, depth, place):
    """Return a linear process in which a nested term has a place."""
    parameters, start = [B, N, F], [TRUE, nat(0), bound("Lambda", X, X)]
    term = as_condition(step, depth)
    match place:
        case "condition":
            summands = [summand(action("a"), when=term)]
        case "argument":
            summands = [summand(action("t", term, sorts=["Bool"]))]
        case "update":
            summands = [summand(action("a"), then=[(B, term)])]
        case "sum":
            parameters, start = parameters[1:], start[1:]
            summands = [summand(action("a"), over=[B], when=term)]
    return written(lps(parameters, start, summands, acts=[("a",), ("t", "Bool")]))


@pytest.mark.parametrize("place", ["condition", "argument", "update", "sum"])
@pytest.mark.parametrize("step", STEPS)
def test_work_is_linear_in_shared_terms(tmp_path, monkeypatch, step, place):
    made = 0
    before = Application.__post_init__

    def count(self):
        nonlocal made
        made += 1
        before(self)

    counts = []
    for depth in (20, 40):
        file = tmp_path / f"{depth}.lps"
        file.write_bytes(file_of(step, depth, place))
        made = 0
        with monkeypatch.context() as patch:
            patch.setattr(Application, "__post_init__", count)
            linearise(read(file))
        counts.append(made)
    # Written out, the larger term is a million times the smaller one.
    assert counts[1] < 4 * counts[0] + 1000


@pytest.mark.parametrize("step", STEPS)
def test_shared_and_copied_terms_generate_equal_systems(tmp_path, step):
    shared, plain = tmp_path / "shared.lps", tmp_path / "plain.lps"
    shared.write_bytes(file_of(step, 4, "argument"))

    def copied(term):
        return (term[0], *map(copied, term[1:])) if isinstance(term, tuple) else term

    grow = STEPS[step][1]
    try:
        STEPS[step] = STEPS[step][0], lambda t: copied(grow(t))
        plain.write_bytes(file_of(step, 4, "argument"))
    finally:
        STEPS[step] = STEPS[step][0], grow
    one, other = (lts.generate(file) for file in (shared, plain))
    assert [*one.labels] == [*other.labels]
    assert one.state_count == other.state_count == 1


TERMS = st.recursive(
    st.sampled_from("pqr"), lambda part: st.tuples(st.sampled_from("uv"), part, part), max_leaves=40
)
DECLARED = "map p, q, r: Bool; u, v: Bool # Bool -> Bool; act a: Bool; init a(u(p, q));"


@given(TERMS, st.integers(10, 14))
def test_encoded_terms_keep_sharing(tree, doublings):
    specification = read_text(DECLARED)
    functions = {f.name: f for f in specification.functions}

    def term(tree):
        if isinstance(tree, str):
            return Application(functions[tree])
        name, *parts = tree
        return Application(functions[name], tuple(map(term, parts)))

    whole = term(tree)
    for _ in range(doublings):
        whole = Application(functions["u"], (whole, whole))
    signature = Signature(specification)
    code = signature.term(whole)
    assert len(code) <= 2 * len([*subterms(whole)]) + 2 * doublings + 80
    assert any(token >= _engine.REPEATED for token in code)
    # By the definition of codes: they are read from the end.
    names = {number: f for f, number in signature.symbols.items()}
    stack, composed = [], []
    for token in reversed(code):
        if token >= _engine.REPEATED:
            stack.append(composed[token - _engine.REPEATED])
            continue
        count = len(names[token].arguments)
        parts = tuple(stack.pop() for _ in range(count))
        stack.append(Application(names[token], parts))
        if count:
            composed.append(stack[-1])
    assert stack == [whole]


@pytest.mark.parametrize("of", ["A -> A", "List(A) -> A", "Bool # A # A -> Bool"])
def test_doubling_aliases_are_refused(of):
    aliases = "".join(f"S{i + 1} = {of.replace('A', f'S{i}')};" for i in range(60))
    with pytest.raises(Unsupported, match="written without aliases"):
        read_text(f"sort S0 = Bool; {aliases} act x; init sum z: S60. x;")


def test_few_aliases_are_read():
    aliases = "".join(f"S{i + 1} = S{i} -> S{i};" for i in range(8))
    system = generate(read_text(f"sort S0 = Bool; {aliases} act x; proc P(z: S8) = x; init x;"))
    assert system.state_count == 2


@pytest.mark.parametrize("count", [10, 60])
def test_sorts_of_files_are_shared(tmp_path, count):
    of = sort("Bool")
    for _ in range(count):
        of = ("SortArrow", listed(of), of)
    file = tmp_path / "sorts.lps"
    file.write_bytes(
        written(
            lps([], [], [summand(action("a"), over=[("DataVarId", ("z",), of)])], acts=[("a",)])
        )
    )
    if count > 20:
        with pytest.raises(Unsupported, match="written without aliases"):
            read(file)
    else:
        read(file)


def test_exponentially_ambiguous_expressions_are_refused(tmp_path):
    # Each level binds one of two variables, so that all of its parts mean something else.
    term = call("==", OF_NAT.replace("-> Nat", "-> Bool"), X, N)
    for _ in range(40):
        term = both(bound("Exists", X, term), bound("Exists", N, term))
    file = tmp_path / "binders.lps"
    file.write_bytes(
        written(
            lps([N], [nat(0)], [summand(action("a"), when=bound("Exists", X, term))], acts=[("a",)])
        )
    )
    with pytest.raises(LtsError, match="more than 100000 meanings"):
        read(file)
