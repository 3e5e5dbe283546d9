"""The library against Python's own numbers, lists, sets and dicts; what `include` puts where."""

import re
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LtsError, ParseError, SpecificationError
from lts.mucrl import generate, linearise, read, read_text
from lts.mucrl.text.directives import expand, library_units
from lts.specification.specification import Application
from lts.state_space.encode import Encoder
from lts.symmetry import parse_permutation
from lts.symmetry.data.certify import certified_quotient
from lts.symmetry.permutation.notation import parse_structure

KEYS = ["k1", "k2", "k3", "k4"]
UNITS = """
%@ include Enum of k1..k4 as Key
%@ include Queue of Nat as Queue
%@ include Set of Key as Keys
%@ include Set of Nat
%@ include Array of Key, Nat as Array
%@ include Map of Key, Nat as Map
%@ include Map of Key, Nat as Map
init delta
"""


@cache
def engine():
    encoder = Encoder(linearise(read_text(UNITS)))
    functions = {(f.name, f.arguments): f for f in encoder.process.specification.functions}
    return encoder, encoder.data(), functions


def evaluate(text):
    """Return the value of a term, as text."""
    encoder, data, functions = engine()

    def resolved(structure):
        if structure.name.isdigit():
            return encoder.specification.numeral(structure.name)
        arguments = tuple(map(resolved, structure.parts))
        sorts = tuple(argument.sort for argument in arguments)
        return Application(functions[structure.name, sorts], arguments)

    shown, is_value = data.normal_form(encoder.term(resolved(parse_structure(text))))
    assert is_value, shown
    return shown.decode()


def number(n):
    return str(n)


def truth(b):
    return "T" if b else "F"


def queue(numbers):
    shown = "empty_Queue"
    for n in reversed(numbers):
        shown = f"cons({number(n)},{shown})"
    return shown


def row(places, some, none, end):
    """Return a row of constructors, one for each place up to the last that is used."""
    shown = end
    for place in reversed(range(max(places, default=-1) + 1)):
        shown = some(places[place], shown) if place in places else none(shown)
    return shown


def members(elements, end):
    places = dict.fromkeys(elements)
    return row(places, lambda _, s: f"in({s})", lambda s: f"out({s})", end)


NUMBERS = st.integers(0, 12)
LISTS = st.lists(st.integers(0, 3), max_size=5)
SETS = st.frozensets(st.integers(0, 5))


@given(NUMBERS, NUMBERS)
def test_numbers(m, n):
    x, y = number(m), number(n)
    for term, value in {
        f"plus({x},{y})": m + n,
        f"minus({x},{y})": max(0, m - n),
        f"times({x},{y})": m * n,
        f"min({x},{y})": min(m, n),
        f"max({x},{y})": max(m, n),
        f"pred({x})": max(0, m - 1),
        f"if(lt({x},{y}),{x},{y})": min(m, n),
        f"div({x},S({y}))": m // (n + 1),
        f"mod({x},S({y}))": m % (n + 1),
    }.items():
        assert evaluate(term) == number(value), term
    for name, holds in {"eq": m == n, "lt": m < n, "le": m <= n, "gt": m > n, "ge": m >= n}.items():
        assert evaluate(f"{name}({x},{y})") == truth(holds)


def test_digits_and_truth_values_have_numbers():
    assert [evaluate(f"{n}") for n in range(10)] == list(map(number, range(10)))
    assert [evaluate(f"number({b})") for b in "FT"] == ["0", "1"]


@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
def test_truth_values(a, b):
    x, y = truth(a), truth(b)
    for name, holds in {"and": a and b, "or": a or b, "implies": not a or b, "eq": a == b}.items():
        assert evaluate(f"{name}({x},{y})") == truth(holds)
    assert evaluate(f"not({x})") == truth(not a)
    assert evaluate(f"if({x},{y},not({y}))") == truth(b if a else not b)


@given(st.integers(0, 3), st.integers(0, 3))
def test_enumerations(i, j):
    x, y = KEYS[i], KEYS[j]
    assert evaluate(f"number({x})") == number(i)
    assert evaluate(f"next({x})") == KEYS[(i + 1) % 4]
    assert evaluate(f"previous({x})") == KEYS[i - 1]
    assert evaluate(f"if(lt({x},{y}),{x},{y})") == KEYS[min(i, j)]
    assert evaluate(f"eq({x},{y})") == truth(i == j)
    assert evaluate(f"le({x},{y})") == truth(i <= j)


@given(LISTS, LISTS, st.integers(0, 3))
def test_queues(left, right, n):
    q, r, d = queue(left), queue(right), number(n)
    for term, value in {
        f"enqueue({q},{d})": queue([*left, n]),
        f"concat({q},{r})": queue(left + right),
        f"reverse({q})": queue(left[::-1]),
        f"length({q})": number(len(left)),
        f"is_empty({q})": truth(not left),
        f"contains({q},{d})": truth(n in left),
        f"eq({q},{r})": truth(left == right),
        f"first(cons({d},{q}))": d,
        f"rest(cons({d},{q}))": q,
        f"last(enqueue({q},{d}))": d,
        f"if(F,{r},{q})": q,
    }.items():
        assert evaluate(term) == value, term


@given(SETS, SETS, st.integers(0, 5))
def test_sets(left, right, n):
    s, t, d = members(left, "empty_Set"), members(right, "empty_Set"), number(n)
    for term, value in {
        f"insert({s},{d})": left | {n},
        f"remove({s},{d})": left - {n},
        f"put({s},{d},T)": left | {n},
        f"put({s},{d},F)": left - {n},
        f"union({s},{t})": left | right,
        f"intersection({s},{t})": left & right,
        f"difference({s},{t})": left - right,
        f"if(T,{s},{t})": left,
    }.items():
        assert evaluate(term) == members(value, "empty_Set"), term
    assert evaluate(f"contains({s},{d})") == truth(n in left)
    assert evaluate(f"subset({s},{t})") == truth(left <= right)
    assert evaluate(f"eq({s},{t})") == truth(left == right)
    assert evaluate(f"is_empty({s})") == truth(not left)
    assert evaluate(f"size({s})") == number(len(left))


WRITES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=6)


def written(start, writes):
    for k, n in writes:
        start = f"set({start},{KEYS[k]},{number(n)})"
    return evaluate(start)


@given(WRITES, WRITES, st.integers(0, 2))
def test_arrays(left, right, default):
    start = f"filled_Array({number(default)})"
    f, g = written(start, left), written(start, right)
    model, other = (dict.fromkeys(range(4), default) | dict(writes) for writes in (left, right))
    assert (f == g) == (model == other)
    for k, n in model.items():
        assert evaluate(f"get({f},{KEYS[k]})") == number(n)
    assert evaluate(f"eq({f},{g})") == truth(model == other)
    assert evaluate(f"if(eq({f},{g}),{f},{g})") == g


@given(WRITES, WRITES, st.sets(st.integers(0, 3)))
def test_maps(left, right, gone):
    f, g = written("empty_Map", left), written("empty_Map", right)
    model, other = dict(left), dict(right)
    for k in gone:
        f = evaluate(f"remove({f},{KEYS[k]})")
        model.pop(k, None)
    assert f == row(
        model, lambda n, m: f"some({number(n)},{m})", lambda m: f"none({m})", "empty_Map"
    )
    for k in range(4):
        assert evaluate(f"contains({f},{KEYS[k]})") == truth(k in model)
        if k in model:
            assert evaluate(f"get({f},{KEYS[k]})") == number(model[k])
    assert evaluate(f"size({f})") == number(len(model))
    assert evaluate(f"is_empty({f})") == truth(not model)
    assert evaluate(f"eq({f},{g})") == truth(model == other)
    assert evaluate(f"if(T,{f},{g})") == f


def test_irreducible_library_terms_are_errors_in_strict():
    text = "%@ include Queue of Nat\nact a:Nat init a(first(empty_Queue))"
    assert generate(read_text(text)).labels == ("a(first(empty_Queue))",)
    with pytest.raises(SpecificationError, match=r"`first\(empty_Queue\)` does not reduce"):
        generate(read_text(text, strict=True))


def test_sums_are_narrowed_by_conditions_on_the_library():
    text = "%@ include Nat\nact a:Nat init sum(n:Nat,a(n) <| and(lt(n,4),gt(n,1)) |> delta)"
    assert sorted(generate(read_text(text)).labels) == ["a(2)", "a(3)"]


@pytest.mark.parametrize("generator", ["(p1 p2 p3)", "(p1 p2)"])
def test_arrays_and_sets_are_permuted_with_their_indices(generator):
    text = """
%@ include Enum of p1..p3 as Pid
%@ include Array of Pid, Nat as Counts
%@ include Set of Pid as Group
act up,leave:Pid
proc X(c:Counts,s:Group) =
    sum(p:Pid, up(p).X(set(c,p,S(get(c,p))),insert(s,p)) <| lt(get(c,p),2) |> delta)
  + sum(p:Pid, leave(p).X(c,remove(s,p)) <| contains(s,p) |> delta)
init X(filled_Counts(0),empty_Group)
"""
    process = linearise(read_text(text))
    permutation = parse_permutation(generator, name="permutation")
    certified = certified_quotient(process, permutation)
    assert certified.quotient.count() == (125, 375)
    system = generate(process)
    assert (system.state_count, system.transition_count) == (125, 375)


def test_units_document_purpose_and_parameters():
    units = library_units()
    assert set(units) == {"Array", "Bool", "Enum", "Map", "Nat", "Queue", "Set"}
    for name, text in units.items():
        assert text.startswith("% ")
        header = re.search(r"^%@ unit (\w+)", text, re.MULTILINE)
        assert header is None or header[1] == name
        assert f"sort {name}" in text or f"sort @{{{name}}}" in text


def test_a_unit_is_included_once():
    text = "%@ include Nat\n%@ include Nat\n%@ include Bool\ninit delta\n"
    source, _ = expand(text)
    assert source.text.count("sort Bool") == source.text.count("sort Nat") == 1


def test_files_are_included_from_the_folder_of_the_file(tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    (tmp_path / "main.mcrl").write_text(
        '%@ include "parts/pair.mcrl" of Bool, Nat as Both\nact a:Both init a(pair(T,N))'
    )
    (folder / "pair.mcrl").write_text(
        '%@ unit Pair of A, B\n%@ include "../sizes.mcrl"\n%@ include Nat\nmap N:->Nat rew N=@{N}\n'
        "sort @{Pair} func pair:@{A}#@{B}->@{Pair}"
    )
    (tmp_path / "sizes.mcrl").write_text("%@ parameter N = 2\n")
    system = generate(read(tmp_path / "main.mcrl", parameters={"N": 1}))
    assert system.labels == ("a(pair(T,1))",)


def test_included_file_errors_name_both_files(tmp_path):
    main, part = tmp_path / "main.mcrl", tmp_path / "part.mcrl"
    main.write_text('sort Bool\nfunc T,F:->Bool\n%@ include "part.mcrl"\ninit a\n')
    part.write_text("act a\n\nproc X = b\n")
    with pytest.raises(SpecificationError) as refused:
        read(main)
    message, line, caret = str(refused.value).split("\n")
    assert message.startswith(f"{part}:3:10: ")
    assert message.endswith(f"(included at {main}:3)")
    assert (line, caret) == ("  proc X = b", "           ^")
    main.write_text('%@ include "part.mcrl"\ninit delta\n')
    part.write_text("%@ include Queue of Bit as Q\nsort Bit func 0',1':->Bit")
    with pytest.raises(SpecificationError) as refused:
        read(main)
    place, _, rest = str(refused.value).partition(": ")
    assert place.startswith("library/Queue.mcrl:")
    assert "`eq:Bit#Bit`" in rest
    assert f"(included at {part}:1)" in rest


def test_inclusion_cycles_are_refused(tmp_path):
    main, part = tmp_path / "main.mcrl", tmp_path / "part.mcrl"
    main.write_text('%@ include "part.mcrl"\n')
    part.write_text('\n%@ include "./main.mcrl"\n')
    with pytest.raises(ParseError, match=r'part.mcrl:2:1: ".\/main.mcrl" includes itself'):
        read(main)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%@ include Que", "x:1:1: the library has no unit `Que` (units: Array, Bool, Enum"),
        ("%@ include Queue", "takes 1 names after `of`, not 0 (included at x:1)"),
        ("%@ include Queue of Nat, Nat", "takes 1 names after `of`, not 2"),
        ("%@ include Queue of", "x:1:1: expected `%@ parameter"),
        ("%@ include Queue of a..b", "expected names after `of`, with commas, not `a..b`"),
        ("%@ include Bool of Nat", "`Bool` is included with names, but has no `%@ unit` line"),
        ("%@ include Enum", "there is no `Value[1]`"),
        ('%@ include "absent"', 'cannot include "absent": No such file or directory'),
        ("%@ unit X", "a unit is not a specification: include it with `%@ include`"),
        ("%@ include Bool\n%@ unit X", "`%@ unit` must be the first directive"),
        ("%@ parameter N = 1\n@{N[1]}", "there is no `N[1]`"),
        ("%@ include Enum of p1..p99999999 as P", "expected names after `of`"),
        ("%@ include Enum of p2..p0 as P", "expected names after `of`"),
        ('%@ include "a\0b"', "is not a valid file"),
        ("%@ for i in 1..999999999999\n%@ end", "loops have more than 1000000 iterations"),
        (f"%@ parameter N = 2\n@{{{'*'.join(['N'] * 70)}}}", "is too large"),
        (f"%@ parameter N = {'9' * 5000}", "expected `%@ parameter"),
    ],
)
def test_wrong_includes(text, message):
    with pytest.raises(LtsError) as refused:
        expand(text, file="x")
    assert message in str(refused.value)


PIECES = st.sampled_from(
    ["%@ ", "include ", "Queue", "Enum", "Bool", '"x"', " of ", " as ", "Nat", "p1..p3", "unit ",
     "for i in ", "1..2", "end", "parameter N = ", "2", "@{", "N", "i", "Value[1]", "}", "\n", "%@"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12))
def test_directives_of_any_form_are_expanded_or_refused(pieces):
    with suppress(LtsError):
        expand("".join(pieces))


def test_units_are_included_in_loops():
    text = "%@ for i in 1..2\n%@ include Queue of Nat as Q@{i}\n%@ end\n"
    text += "act a:Q1 a:Q2 init a(empty_Q1).a(empty_Q2)"
    assert generate(read_text(text)).labels == ("a(empty_Q1)", "a(empty_Q2)")


def test_names_are_no_numbers(tmp_path):
    part = tmp_path / "part.mcrl"
    main = tmp_path / "main.mcrl"
    main.write_text('%@ include "part.mcrl" of D')
    for line, message in {
        "@{D+1}": "`D+1` calculates with a name",
        "%@ for i in 1..D\n%@ end": "`D` is a name, not a number",
    }.items():
        part.write_text(f"%@ unit U of D\n{line}\n")
        with pytest.raises(ParseError, match=re.escape(message)):
            read(main)


def test_texts_without_directives_are_not_expanded():
    text = "% @{x}\nsort Bool func T,F:->Bool init delta\n"
    assert generate(read_text(text)).state_count == 1
