"""Names are found where the checks resolve them, and renamed only if the text means the same."""

import io
import re
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import aut_format
from lts import LtsError, mcrl2, mucrl
from lts.editor import LANGUAGES, language_of, renamed
from process_texts import texts
from specifications import specifications
from strategies import examples

CASES = sorted((Path(__file__).parents[2] / "cases").glob("*.mcrl"))
MUCRL = """sort Bool D
func T,F: -> Bool
     d1,d2: -> D
map  same: D#D -> Bool
     other: D -> D
var  x,y: D
rew  same(x,x) = T
     other(d1) = d2
     other(d2) = d1
act  a,b: D
     c
proc P(x: D) = a(x).P(other(x)) <| same(x,d1) |> sum(y: D, b(y).P(x))
     Q = c.Q
init hide({c}, P(d1) || Q)
"""
MCRL2 = """sort D = struct d1 | d2(left: Pos)?isd2;
     L = List(D);
map  f: D -> Nat;
     f: Bool -> Nat;
     none: L;
var  d: D;
eqn  isd2(d) -> f(d) = left(d) + n whr n = 1 end;
     f(true) = 0;
act  a: Nat; a: D; b;
proc P(d: D, n: Nat) = a(d).P(n = n + f(true)) + (exists d: Pos. d < 3) -> b.P()
       + sum n: Nat. (n < 2) -> a(n).P(d, n);
init allow({a, b}, P(d1, f(d2(3))));
"""
FORMULA = """nu X(n: Nat = 0). let Z = <a(1)>true in
  mu Y. [b]Y && (forall n: 0..2. [a(n)]X(n)) && (val(n < 5) => Z)
"""


def examined(text, file):
    return language_of(file).examined(text, file)


def names_of(text, file):
    """Return the places of each symbol, by the places of its declarations."""
    found = examined(text, file)
    assert not found.errors
    return {
        tuple(sorted(symbol.declared)): (symbol.kind, symbol.shown, sorted(symbol.used))
        for symbol in found.names.symbols.values()
    }


def words(text, word):
    """Return the places where a word is written."""
    return [
        (number, match.start() + 1)
        for number, line in enumerate(text.split("\n"), 1)
        for match in re.finditer(rf"(?<![\w']){re.escape(word)}(?![\w'])", line)
    ]


@pytest.mark.parametrize(
    ("word", "declared", "used", "shown"),
    [
        ("same", 0, [1, 2], "same:D#D -> Bool"),
        ("other", 0, [1, 2, 3], "other:D -> D"),
        ("x", 0, [1, 2], "x: D"),
        ("x", 3, [4, 5, 6, 7], "x: D"),
        ("y", 1, [2], "y: D"),
        ("P", 0, [1, 2, 3], "P(x: D)"),
        ("c", 0, [1, 2], "c"),
        ("D", 0, [1, 2, 3, 4, 5, 6, 7, 8, 9], "D"),
        ("d1", 0, [1, 2, 3, 4], "d1: -> D"),
    ],
)
def test_names_of_mucrl(word, declared, used, shown):
    places = words(MUCRL, word)
    found = names_of(MUCRL, "a.mcrl")[(places[declared],)]
    assert found[1:] == (shown, [places[number] for number in used])


@pytest.mark.parametrize(
    ("word", "declared", "used"),
    [
        ("left", [0], [1]),
        ("isd2", [0], [1]),
        ("f", [0], [2, 5]),
        ("f", [1], [3, 4]),
        ("d", [0], [1, 2, 3]),
        ("d", [4], [5, 8]),
        ("d", [6], [7]),
        ("n", [1], [0]),
        ("n", [2], [3, 4]),
        ("n", [5], [6, 7, 8]),
        ("a", [0, 1], [2, 3, 4]),
        ("L", [0], [1]),
    ],
)
def test_names_of_mcrl2(word, declared, used):
    places = words(MCRL2, word)
    found = names_of(MCRL2, "a.mcrl2")[tuple(places[number] for number in declared)]
    assert found[2] == [places[number] for number in used]


@pytest.mark.parametrize(
    ("word", "declared", "used"),
    [("X", 0, [1]), ("Y", 0, [1]), ("Z", 0, [1]), ("n", 0, [4]), ("n", 1, [2, 3])],
)
def test_names_of_formulas(word, declared, used):
    places = words(FORMULA, word)
    found = names_of(FORMULA, "a.mcf")[(places[declared],)]
    assert found[2] == [places[number] for number in used]


@pytest.mark.parametrize("language", ["mcrl", "mcrl2"])
def test_names_of_a_formula_with_its_specification(language, tmp_path):
    specification = {"mcrl": MUCRL, "mcrl2": MCRL2}[language]
    (tmp_path / f"s.{language}").write_text(specification)
    text = f"%! specification s.{language}\nnu X(x: D = d1). forall y: D. [b]X(y) && val(x == y)\n"
    found = names_of(text.replace("[b]", "[true]"), str(tmp_path / "f.mcf"))
    uses = {places: used for places, (kind, _, used) in found.items() if kind == "variable"}
    x, y = words(text, "x"), words(text, "y")
    shift = len("[true]") - len("[b]")
    moved = [[(line, at + shift) for line, at in found[1:]] for found in (x, y)]
    assert uses == {(x[0],): moved[0], (y[0],): moved[1]}
    wrong = examined(text.replace("val(x == y)", "val(x == 3)"), str(tmp_path / "f.mcf"))
    assert wrong.errors[0].line == 2


def test_names_of_all_cases_are_resolved():
    """All names but numbers and those made by parameters are resolved, at their places."""
    for case in CASES:
        text = case.read_text()
        found = examined(text, str(case))
        assert not found.errors
        source = found.names.source
        known = {source.in_file(at, len(one.name)) for at, one in found.names.at.items()}
        for number, line in enumerate(text.split("\n"), 1):
            if "@" in line or not re.match(r"\s*(act|proc|init|[A-Z])", line):
                continue
            for match in re.finditer(
                r"(?<![\w'@{^-])[A-Za-z_]\w*(?![\w'-])", line.partition("%")[0]
            ):
                if match[0] in KEYWORDS:
                    continue
                assert (number, match.start() + 1) in known, (case.name, number, match[0])


KEYWORDS = {"act", "proc", "init", "sum", "hide", "encap", "rename", "delta", "tau", "comm"}
KEYWORDS |= {"sort", "func", "map", "var", "rew"}


def changed(text, file, place, name):
    return renamed(text, language_of(file), file, place, name)[0]


@pytest.mark.parametrize(
    ("text", "file", "word", "number", "name", "expected"),
    [
        (MUCRL, "a.mcrl", "x", 5, "z", r"P(z: D) = a(z).P(other(z)) <| same(z,d1)"),
        (MUCRL, "a.mcrl", "y", 2, "z", r"sum(z: D, b(z).P(x))"),
        (MUCRL, "a.mcrl", "a", 0, "send", "send(x).P(other(x))"),
        (MUCRL, "a.mcrl", "D", 4, "Data", "act  a,b: Data"),
        (MCRL2, "a.mcrl2", "n", 3, "m", "P(d: D, m: Nat) = a(d).P(m = m + f(true))"),
        (MCRL2, "a.mcrl2", "f", 2, "g", "g(d) = left(d)"),
        (MCRL2, "a.mcrl2", "a", 4, "c", "allow({c, b}"),
        (FORMULA, "a.mcf", "Z", 1, "W", "let W ="),
        ("mu X. <X>true && <X>X", "a.mcf", "X", 3, "Y", "mu Y. <X>true && <X>Y"),
        (FORMULA, "a.mcf", "n", 2, "k", "forall k: 0..2. [a(k)]X(k)"),
    ],
)
def test_renaming(text, file, word, number, name, expected):
    found = changed(text, file, words(text, word)[number], name)
    assert expected in found
    # Renaming back restores the text.
    line, column = words(text, word)[number]
    place = next(p for p in words(found, name) if p[0] == line and abs(p[1] - column) < 20)
    assert changed(found, file, place, word) == text


@pytest.mark.parametrize(
    ("text", "file", "word", "number", "name", "reason"),
    [
        (MUCRL, "a.mcrl", "x", 3, "y", "would then stand for something else"),
        (MUCRL, "a.mcrl", "x", 0, "y", "declared twice"),
        (MUCRL, "a.mcrl", "x", 3, "d1", "has the name of a constant"),
        (MUCRL, "a.mcrl", "P", 0, "a", "is already an action"),
        (MUCRL, "a.mcrl", "x", 0, "tau", "cannot be renamed to `tau`"),
        (MUCRL, "a.mcrl", "x", 0, "x y", "`x y` is not a name"),
        (MUCRL, "a.mcrl", "x", 0, "", "`` is not a name"),
        (MCRL2, "a.mcrl2", "d", 4, "n", "declared twice"),
        (MCRL2, "a.mcrl2", "f", 2, "left", "would then stand for something else"),
        (MCRL2, "a.mcrl2", "d1", 0, "true", "expected"),
        (MCRL2, "a.mcrl2", "Pos", 0, "Q", "there is no name here"),
        (FORMULA, "a.mcf", "Y", 0, "X", "takes no values, not 1"),
        (FORMULA, "a.mcf", "Z", 1, "Y", "would then stand for something else"),
        (f"%! identities P.n\n{MCRL2}", "a.mcrl2", "n", 4, "m", "the comment of line 1"),
        (MUCRL.replace("init", "init("), "a.mcrl", "x", 0, "z", "correct them first"),
    ],
)
def test_renaming_is_refused(text, file, word, number, name, reason):
    with pytest.raises(LtsError, match=re.escape(reason)):
        changed(text, file, words(text, word)[number], name)


INCLUDED = "%@ include Queue of D as Buffer\n" + MUCRL.replace("same", "eq").replace(
    "sort Bool D\nfunc T,F: -> Bool\n", "%@ include Bool\nsort D\nfunc\n"
)


def test_names_in_included_texts_are_not_renamed():
    assert not examined(INCLUDED, "a.mcrl").errors
    with pytest.raises(LtsError, match="included or made by parameters"):
        changed(INCLUDED, "a.mcrl", words(INCLUDED, "D")[1], "Data")
    assert "z" in changed(INCLUDED, "a.mcrl", words(INCLUDED, "x")[0], "z")


def test_names_made_by_parameters():
    text = MUCRL.replace("init", "%@ for i in 1..2\n     R@{i}(x: D) = a(x).R@{i}(x)\n%@ end\ninit")
    assert not examined(text, "a.mcrl").errors
    place = words(text, "x")[-1]
    found = changed(text, "a.mcrl", place, "longer")
    assert "R@{i}(longer: D) = a(longer).R@{i}(longer)" in found
    with pytest.raises(LtsError, match="there is no name here"):
        changed(text, "a.mcrl", words(text, "R")[0], "S")


POOL = (
    "x",
    "y",
    "z",
    "n",
    "d",
    "X",
    "Y",
    "Z",
    "P",
    "Q",
    "W",
    "a",
    "b",
    "d0",
    "d1",
    "T",
    "eq",
    "new",
)


def outcome(read, text):
    file = io.BytesIO()
    aut_format.write(mucrl.generate(read(text), max_states=500), file)
    return file.getvalue()


@settings(max_examples=examples(1 / 5))
@given(
    st.sampled_from(["mucrl", "mcrl2"]).flatmap(
        lambda name: st.tuples(st.just(name), texts(name) if name == "mcrl2" else specifications())
    ),
    st.data(),
)
def test_renaming_preserves_the_state_space(pair, data):
    """Variables and processes do not occur in labels, so no renaming of them changes the result."""
    name, text = pair
    language, file = LANGUAGES[name], f"text{LANGUAGES[name].endings[0]}"
    read = {"mucrl": mucrl.read_text, "mcrl2": mcrl2.read_text}[name]
    symbols = language.examined(text, file).names.symbols.values()
    symbols = [one for one in symbols if one.kind in ("variable", "process")]
    symbol = data.draw(st.sampled_from(symbols), label="symbol")
    place = data.draw(st.sampled_from(symbol.places))
    new = data.draw(st.sampled_from(POOL), label="new name")
    try:
        expected = outcome(read, text)
    except LtsError:
        return
    try:
        found, _ = renamed(text, language, file, place, new)
    except LtsError:
        event("refused")
        return
    event("renamed")
    assert outcome(read, found) == expected
