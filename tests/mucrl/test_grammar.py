"""The parser's tables against lark: that they are those of the grammar, and accept the same."""

import importlib.util
from functools import cache
from pathlib import Path

import lark
from hypothesis import given
from hypothesis import strategies as st

from lts import ParseError
from lts.mucrl.text.parser import parse
from lts.text.source import Source

ROOT = Path(__file__).resolve().parents[2]


@cache
def grammar():
    spec = importlib.util.spec_from_file_location("grammar", ROOT / "tools" / "dev" / "grammar.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def larks_parser():
    return grammar().compiled()


def test_the_tables_are_those_of_the_grammar():
    written = (ROOT / "lts" / "mucrl" / "text" / "tables.json").read_text(encoding="utf-8")
    assert written == grammar().tables(), "run `make grammar`"


WORDS = {
    "sort": "D Nat",
    "func": "c , f : -> D # Nat",
    "map": "c , f : -> D # Nat",
    "rew": "f ( c , x ) =",
    "act": "a , b : D # Nat",
    "comm": "a | b = c",
    "proc": "X = ( n : D , ) a . + delta <| |> || | ||_",
    "init": "a . + ( ) , delta tau <| c |> || | ||_ << @ sum encap hide rename { } -> : D",
}


@st.composite
def sections(draw):
    """A section: words that may stand in it, most often in an order that is nearly right."""
    keyword = draw(st.sampled_from(sorted(WORDS)))
    words = draw(st.lists(st.sampled_from(WORDS[keyword].split()), max_size=12))
    return keyword, " ".join(words)


PROCESSES = st.recursive(
    st.sampled_from(["a", "delta", "tau", "a(c)", "X(f(c),c)"]),
    lambda p: st.one_of(
        st.tuples(p, st.sampled_from([".", "+", "||", "|", "||_", "<<", "<|c|>"]), p).map("".join),
        st.builds("({})".format, p),
        st.builds("sum(d:D,{})".format, p),
        st.builds("encap({{a,b}},{})".format, p),
        st.builds("rename({{a->b,b->a}},{})".format, p),
        st.builds("{}@c".format, p),
    ),
    max_leaves=12,
).map(lambda p: ("init", p))


@given(st.one_of(sections(), PROCESSES))
def test_what_lark_accepts_is_what_the_parser_accepts(section):
    keyword, text = section
    try:
        larks_parser().parse(text, start=f"{keyword}_section")
        accepted = True
    except lark.exceptions.UnexpectedInput:
        accepted = False
    try:
        parse(Source(f"{keyword} {text}"))
        assert accepted
    except ParseError:
        assert not accepted
