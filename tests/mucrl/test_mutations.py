"""Damaged specifications: whatever they are now, it is told in one error or done in little work."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LimitReached, LtsError
from lts.mucrl import generate, linear_text, linearise, read_text
from lts.mucrl.text.tokens import tokens
from lts.text.grammar import place_of
from lts.text.source import Source

CASES = Path(__file__).parents[2] / "cases"

EVERYTHING = """\
sort Bool
func T,F:->Bool
map  not:Bool->Bool and:Bool#Bool->Bool
var  b:Bool
rew  not(T)=F not(F)=T and(T,b)=b and(F,b)=F
sort Nat
func 0:->Nat S:Nat->Nat
map  f:Nat->Nat eq:Nat#Nat->Bool
var  n,m:Nat
rew  f(0)=S(0) f(S(n))=n eq(n,n)=T eq(0,S(n))=F eq(S(n),0)=F eq(S(n),S(m))=eq(n,m)
act  a,b,d:Nat c e h
comm a|b=d c|e=h
proc X(n:Nat) = sum(m:Nat, a(m).X(f(m)) <| eq(m,n) |> delta) + c.X(n)
     Y = (b(0) || tau.c).Y + (c ||_ e) + (c | e).delta
     Z(n:Nat) = Y.c + rename({c->e}, X(n)) <| eq(n,0) |> e.Z(0)
init encap({b}, X(0) || hide({c}, Z(S(0)))) % everything
"""
TEXTS = {"everything": EVERYTHING}
TEXTS |= {path.stem: path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*.mcrl"))}


def words(text):
    """Return the text cut where its tokens begin."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    places = [place_of(token) for token in tokens(Source(text)).values]
    cuts = [0, *(min(starts[line - 1] + column - 1, len(text)) for line, column in places)]
    return [text[i:j] for i, j in zip(cuts, [*cuts[1:], len(text)], strict=True)]


@st.composite
def damaged(draw):
    """One of the texts after a few accidents to its tokens or characters."""
    text = draw(st.sampled_from(sorted(TEXTS.values())))
    for _ in range(draw(st.integers(1, 3))):
        parts = words(text)
        i = draw(st.integers(0, len(parts) - 1))
        j = draw(st.integers(0, len(parts) - 1))
        match draw(
            st.sampled_from(["drop", "swap", "copy", "move", "name", "cut", "characters", "bytes"])
        ):
            case "drop":
                del parts[i : i + draw(st.integers(1, 3))]
            case "swap":
                parts[i], parts[j] = parts[j], parts[i]
            case "copy":
                parts.insert(i, parts[j])
            case "move":
                parts.insert(i, parts.pop(j))
            case "name":
                names = [k for k, part in enumerate(parts) if part[:1].isalpha()]
                if names:
                    parts[draw(st.sampled_from(names))] = parts[draw(st.sampled_from(names))]
            case "cut":
                parts = parts[:i] if draw(st.booleans()) else parts[i:]
            case "characters":
                parts[i] = draw(st.text("(){}.,:=|+<>#@%_-' \nTF0aX", max_size=4))
            case "bytes":
                data = draw(st.binary(max_size=4))
                parts.insert(i, data.decode("utf-8", "surrogateescape"))
        text = "".join(parts)
    return text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_undamaged_texts_are_accepted(text):
    assert linearise(read_text(text)).summands
    assert "".join(words(text)) == text


@settings(max_examples=150)
@given(damaged())
def test_damaged_texts_are_refused_or_explored(text):
    with suppress(LtsError):
        process = linearise(read_text(text))
        linear_text(process)
        generate(process, max_states=50, max_values=50)


@given(damaged())
def test_errors_are_in_order_and_point_into_the_text(text):
    try:
        read_text(text)
        return
    except LtsError as refused:
        error = refused
    places = [(e.line, e.column) for e in error.errors]
    assert len(places) <= 10
    assert error.unseen == 0 or len(places) == 10
    if "%@" in text:
        return  # the places are those before expansion
    lines = text.split("\n") if "\n" in text else text.split("\r")
    assert places == sorted(places)
    assert all(line <= len(lines) for line, _ in places)
    assert all(column <= len(lines[line - 1]) + 1 for line, column in places)


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda b: b.decode("latin-1")))
def test_any_text(text):
    with suppress(LtsError):
        read_text(text)


# Depth and length: everything that a text may have much of, ten thousand times.

MANY = 10_000
HEAD = EVERYTHING[: EVERYTHING.index("init")]


def nested(before, inner, after, times=MANY):
    return f"{HEAD}init {before * times}{inner}{after * times}"


WORKING = {
    "parentheses": nested("(", "c", ")"),
    "alternatives": nested("c+", "e", ""),
    "nested alternatives": nested("c.(", "e", ")"),
    "term": nested("", f"a({'S(' * MANY}0{')' * MANY})", "", 1),
    "right-hand side": f"{HEAD}map g:Nat->Nat var n:Nat rew g(n)={'S(' * MANY}n{')' * MANY}"
    "init a(g(0))",
    "left-hand side": f"{HEAD}map g:Nat->Nat var n:Nat rew g({'S(' * MANY}n{')' * MANY})=n "
    f"init a(g({'S(' * (MANY + 1)}0{')' * (MANY + 1)}))",
    "branches": nested("(c <| T |> ", "e", ")"),
}


@pytest.mark.parametrize("text", WORKING.values(), ids=WORKING.keys())
def test_long_and_deep_texts_are_accepted(text):
    with suppress(LimitReached):
        assert generate(read_text(text), max_states=10).state_count > 1


BOUNDED = {
    "sequence": nested("c.", "e", ""),
    "sequence to the left": nested("(", "c", ".e)"),
    "sums": nested("sum(n:Nat,", "a(n)", ")"),
    "hiding": nested("hide({c},", "c", ")"),
    "parallel": nested("(c || ", "e", ")"),
    "conditions to the left": nested("(", "c", "<|T|>e)"),
    "definitions": HEAD + "proc " + "".join(f"P{i} = P{i + 1} " for i in range(MANY)) + "init P0",
    "loops": HEAD + "proc " + "".join(f"P{i} = c.P{i + 1} " for i in range(MANY)) + "init P0",
    "open parentheses": nested("(", "", ""),
    "open terms": nested("", "a(" + "S(" * MANY, "", 1),
    "open sums": nested("sum(n:Nat,", "", ""),
    "times": nested("(", "c", "@0)"),
    "times before": nested("c << ", "c", ""),
    "many errors": nested("c + d.", "c", ""),
    "many wrong definitions": HEAD + "proc " + "P = c d.P\n" * MANY + "init c",
    "many unfinished definitions": HEAD + "proc " + "P = c.\n" * MANY + "init c",
    "many wrong equations": HEAD + "rew " + "f(0)) = 0\n" * MANY + "init c",
    "many wrong sections": HEAD + "act = " * MANY + "init c",
    "many unknown characters": HEAD + "init " + "$" * MANY,
    "one long name": HEAD + "init " + "c-" * MANY + "-" * MANY,
}


@pytest.mark.parametrize("text", BOUNDED.values(), ids=BOUNDED.keys())
def test_long_and_deep_texts_terminate(text):
    """They work, or there is an error: linearisation need not follow any depth."""
    with suppress(LtsError):
        read_text(text)
