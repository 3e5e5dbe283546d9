"""The layout of texts changes blanks only."""

import io
import re
from functools import partial

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import aut_format
from composition_expressions import networks
from lts import LtsError, ParseError, mcrl2, mucrl
from lts.editor import LANGUAGES, formatted
from lts.logic.text.formula import parse
from lts.network import read_text as read_network
from naive.networks import written
from process_texts import texts
from specifications import specifications
from strategies import examples

FILES = {name: f"text{language.endings[0]}" for name, language in LANGUAGES.items()}
COMMENTS = {
    "mucrl": ["% plain", "%", "%% a,b ->c  d", "% (* not closed"],
    "mcrl2": ["% plain", "%", "%% a,b ->c  d", "% { not closed"],
    "mcf": ["% plain", "% [a]( b"],
    "exp": ["-- plain", "(* in  a line *)", "(* of\n   two *)", "-- (*"],
}


def laid_out(name, text):
    return formatted(text, LANGUAGES[name], FILES[name])


@st.composite
def changed(draw, name, text):
    """Return a text with other blanks and with comments between its tokens, and the comments."""
    comments, found, before = [], [], 0
    for begin, end in LANGUAGES[name].tokens(text, FILES[name]):
        gap = text[before:begin]
        match draw(st.sampled_from(["kept"] * 6 + ["blanks", "tab", "lines", "comment"])):
            case "blanks" if gap:
                gap = " " * draw(st.integers(1, 4))
            case "tab" if gap:
                gap = "\t"
            case "lines" if gap:
                gap = "\n" * draw(st.integers(1, 4)) + "  "
            case "comment" if gap:
                comments.append(draw(st.sampled_from(COMMENTS[name])))
                gap = f" {comments[-1]} \n" if comments[-1][-1] != ")" else f" {comments[-1]} "
        found += [gap, text[begin:end]]
        before = end
    return "".join(found) + draw(st.sampled_from(["", "\n", "  \n\n\n"])), comments


def states(read, text):
    """Return the state space of a specification as a file, or None if it is too large."""
    try:
        system = mucrl.generate(read(text), max_states=2_000)
    except LtsError:
        return None
    file = io.BytesIO()
    aut_format.write(system, file)
    return file.getvalue()


def check_layout(name, text, meaning, data):
    """Check the layout of a text, and that it then means what the text means."""
    expected = meaning(text)
    assume(expected is not None)
    other, comments = data.draw(changed(name, text))
    for one in (text, other):
        found = laid_out(name, one)
        assert laid_out(name, found) == found
        assert meaning(found) == expected
        assert not any(line != line.rstrip() for line in found.split("\n"))
    at = 0
    for comment in comments:
        at = found.index(comment, at) + len(comment)


@settings(max_examples=examples(1 / 6))
@given(specifications(), st.data())
def test_layout_preserves_mucrl_state_spaces(text, data):
    check_layout("mucrl", text, partial(states, mucrl.read_text), data)


@settings(max_examples=examples(1 / 6))
@given(texts("mcrl2"), st.data())
def test_layout_preserves_mcrl2_state_spaces(text, data):
    check_layout("mcrl2", text, partial(states, mcrl2.read_text), data)


@settings(max_examples=examples(1 / 6))
@given(networks(priorities=True), st.data())
def test_layout_preserves_networks(network, data):
    expression, files = network

    def vectors(text):
        try:
            found = read_network(text, load=lambda path: files[path[2:].removesuffix(".aut")])
        except LtsError:
            return None
        return found.names, found.vectors

    check_layout("exp", written(expression), vectors, data)


ATOMS = ["true", "false", "X", "val(n <= 2)", "Y(n+1)", "!false"]
PATHS = [
    "a",
    "true*",
    "(a . b)*.c(1, d)",
    "!a && (b || tau)",
    "exists m:Nat . s(m)",
    '"q (x"',
    "a|b",
]


def joined(inner):
    one = st.tuples(st.sampled_from(PATHS), inner).map(lambda parts: f"[{parts[0]}]{parts[1]}")
    other = st.tuples(st.sampled_from(PATHS), inner).map(lambda parts: f"<{parts[0]}>{parts[1]}")
    signs = st.sampled_from(["&&", " || ", " =>"])
    both = st.tuples(inner, signs, inner).map(lambda parts: f"({''.join(parts)})")
    return one | other | both


bodies = st.recursive(st.sampled_from(ATOMS), joined, max_leaves=6)


@settings(max_examples=examples(1 / 2))
@given(bodies, st.data())
def test_layout_preserves_formulas(body, data):
    text = f"nu X. forall n:0..4. mu Y(k:Nat=0). ({body})"

    def nodes(text):
        try:
            found = parse(text, file=FILES["mcf"])
        except ParseError:
            return None
        # Without positions, and without the texts of sets of labels, which are as written.
        shown = re.sub(
            r"""text=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|at=\(\d+, \d+\)""", "", repr(found.nodes)
        )
        return shown, found.root

    check_layout("mcf", text, nodes, data)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("mcrl2", "init  a||b ;", "init  a || b;\n"),
        ("mcrl2", "map f:D->D;eqn f( x )=x;", "map f:D -> D;eqn f(x) = x;\n"),
        ("mcrl2", "\n\nact a;\n\n\n\ninit a; %  x \n\n", "act a;\n\ninit a; %  x\n"),
        ("mcrl2", "act a;\r\n\tinit a;\t% b\r\n", "act a;\r\n        init a; % b\r\n"),
        ("mcrl2", "\ufeffinit delta;", "\ufeffinit delta;\n"),
        ("mcrl2", "", ""),
        ("mcrl2", "% only\n", "% only\n"),
        ("mucrl", "func T,F:->Bool  f : D", "func T,F: -> Bool  f : D\n"),
        ("mucrl", "init X(p@{i % 2 ,3})||Y", "init X(p@{i % 2 ,3})||Y\n"),
        ("mucrl", "init X(p@{i+1})||Y", "init X(p@{i+1}) || Y\n"),
        ("mcf", "[ a.b ( x,  y )*]X&&<c( 0 )>true", "[a.b (x,  y)*]X && <c( 0 )>true\n"),
        ("mcf", "forall x:0..4.  val( x<2 )", "forall x:0..4.  val( x<2 )\n"),
        ("exp", 'a|[ g,h ]|b|||"c.aut"(* d *)', 'a|[ g,h ]|b ||| "c.aut" (* d *)\n'),
    ],
)
def test_examples(name, text, expected):
    assert laid_out(name, text) == expected
    assert laid_out(name, expected) == expected


@pytest.mark.parametrize(("name", "text"), [("mcrl2", "act a$;"), ("mcf", "[a$"), ("exp", '"a')])
def test_invalid_tokens_are_errors_with_position(name, text):
    with pytest.raises(ParseError) as error:
        laid_out(name, text)
    assert error.value.line == 1


@example("P(", ")")
@given(st.text("ab(){}[]|=->%\n\t ;,.", max_size=30), st.text("ab(%\n ;", max_size=5))
def test_layout_preserves_non_blank_characters(text, more):
    """Also a text with errors: signs, comments included, stay in their order."""
    whole = text + more
    found = laid_out("mucrl", whole)
    assert "".join(found.split()) == "".join(whole.split())
    assert laid_out("mucrl", found) == found
