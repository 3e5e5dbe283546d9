"""Conditions that are conjunctions: where a summand is looked at, and what has no truth value.

The reference evaluates every condition in every state, part by part: a part that does not hold
decides, and else one without a truth value makes the whole an error.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import SpecificationError, mcrl2
from lts.mucrl import generate

HEAD = """
sort D = struct c0 | c1 | c2;
map f: D -> D; g: Nat -> Bool; k: D;
eqn f(c0) = c1; f(c2) = c0; g(0) = true; g(1) = false; g(2) = true;
act a: Nat # D # Nat;
"""
START = ("c0", "c1", 0, 2)


def applied(value):
    return {"c0": "c1", "c2": "c0"}.get(value, f"f({value})")


def equal(one, other):
    """Whether two terms of D are equal; None where that is open."""
    if one == other:
        return True
    return False if {one, other} <= {"c0", "c1", "c2"} else None


def partial(number):
    return {0: True, 1: False, 2: True}.get(number)


TERMS = st.sampled_from(
    [
        ("x", lambda s: s[0]),
        ("y", lambda s: s[1]),
        ("f(x)", lambda s: applied(s[0])),
        ("f(y)", lambda s: applied(s[1])),
        *((value, lambda _, value=value: value) for value in ("c0", "c1", "c2", "k")),
    ]
)
NUMBERS = st.sampled_from(
    [
        ("n", lambda s: s[2]),
        ("m", lambda s: s[3]),
        ("(n + m)", lambda s: s[2] + s[3]),
        *((str(value), lambda _, value=value: value) for value in range(4)),
    ]
)


@st.composite
def atoms(draw):
    kind = draw(st.sampled_from(["==", "!=", "<", "number", "g", "either"]))
    if kind in ("==", "!="):
        (one, left), (other, right) = draw(TERMS), draw(TERMS)

        def decided(state):
            same = equal(left(state), right(state))
            return None if same is None else same == (kind == "==")

        return f"{one} {kind} {other}", decided
    (one, left), (other, right) = draw(NUMBERS), draw(NUMBERS)
    if kind == "<":
        return f"{one} < {other}", lambda s: left(s) < right(s)
    if kind == "number":
        return f"{one} == {other}", lambda s: left(s) == right(s)
    if kind == "g":
        return f"g({one})", lambda s: partial(left(s))
    return f"({one} < {other} || n == 1)", lambda s: left(s) < right(s) or s[2] == 1


@st.composite
def conjunctions(draw):
    """A text and its parts, bracketed in any way."""
    parts = draw(st.lists(atoms(), min_size=1, max_size=5))
    parts.append(("n < 5", lambda s: s[2] < 5))
    parts = draw(st.permutations(parts))
    texts = [text for text, _ in parts]
    while len(texts) > 1:
        at = draw(st.integers(0, len(texts) - 2))
        texts[at : at + 2] = [f"({texts[at]} && {texts[at + 1]})"]
    return texts[0], [decided for _, decided in parts]


STEPS = st.sampled_from(
    [
        ("x = f(x)", lambda x, y, n, m: (applied(x), y, n + 1, m)),
        ("x = y, y = x", lambda x, y, n, m: (y, x, n + 1, m)),
        ("y = c2, m = n", lambda x, y, n, m: (x, "c2", n + 1, n)),
        ("x = k", lambda x, y, n, m: ("k", y, n + 1, m)),
        ("m = m + 1", lambda x, y, n, m: (x, y, n + 1, m + 1)),
    ]
)


def expected(summands):
    """All transitions, or None where a condition is met that has no truth value."""
    numbers, found = {START: 0}, []
    for state in (waiting := [START]):
        seen = set()
        for i, ((_, parts), (_, step)) in enumerate(summands):
            decided = [part(state) for part in parts]
            if False in decided:
                continue
            if None in decided:
                return None
            target = step(*state)
            if target not in numbers:
                numbers[target] = len(numbers)
                waiting.append(target)
            row = (numbers[state], f"a({i},{state[0]},{state[3]})", numbers[target])
            if row not in seen:
                found.append(row)
            seen.add(row)
    return found


@given(st.lists(st.tuples(conjunctions(), STEPS), min_size=1, max_size=6), st.sampled_from([1, 2]))
def test_conjunction_holds_iff_all_conjuncts_hold(summands, threads):
    lines = [
        f"({condition}) -> a({i}, x, m) . P(n = n + 1, {step})"
        for i, ((condition, _), (step, _)) in enumerate(summands)
    ]
    text = f"""{HEAD} proc P(x, y: D, n, m: Nat) = {" + ".join(lines)};
    init P(c0, c1, 0, 2);"""
    specification = mcrl2.read_text(text)
    rows = expected(summands)
    if rows is None:
        with pytest.raises(SpecificationError, match="is neither `true` nor `false`"):
            generate(specification, threads=threads)
    else:
        assert list(generate(specification, threads=threads).transitions()) == rows


def test_nonterminating_conjunct_is_not_moved_forward():
    """`f(n)` ends for even numbers only; the other part says that `n` is one."""
    text = """map f: Nat -> Bool; var n: Nat;
    eqn f(0) = true; n == 1 -> f(n) = f(n); n > 1 -> f(n) = f(Int2Nat(n - 2));
    act a: Nat;
    proc P(n: Nat) = (n < 7 && n mod 2 == 0 && f(n)) -> a(n) . P(n + 1)
      + (n < 7 && n mod 2 == 1) -> tau . P(n + 1);
    init P(0);"""
    labels = [label for _, label, _ in generate(mcrl2.read_text(text)).transitions()]
    assert labels == ["a(0)", "tau", "a(2)", "tau", "a(4)", "tau", "a(6)"]
