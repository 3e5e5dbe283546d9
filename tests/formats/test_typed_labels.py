"""Labels of .lts files have the sorts of the specification or file that they come from.

The files are read by the independent reader of the tests; the terms expected of a value are made
by the descriptions of the format there.
"""

import pickle
import warnings
from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS, FormatWarning, SpecificationError, generate, minimise, read, write
from lts.base.label_names import read_actions
from lts.linear.linearise import linearise
from lts.mcrl2 import read_text
from lts.mucrl import generate as generate_text
from lts.specification.label_terms import LabelTerms
from lts.state_space.encode import Encoder
from lts.state_space.generation import explore
from mcrl2_files import (
    END,
    FALSE,
    TRUE,
    action,
    app,
    call,
    integer,
    listed,
    lts,
    nat,
    op,
    outputs_of,
    pos,
    real,
    sort,
    struct,
    var,
    written,
)  # fmt: skip

SORTS = """
sort D = struct d1 | d2(get: Nat, D)?is_d2; E; L = List(D); Also = Nat;
cons e1, e2: E; pair: E # Set(Bool) -> E;
map f: Nat -> Bool;
"""


def number(random):
    large = 2**64, 2**64 + 5, 2**128 + 2**64, random.randrange(2**64), random.randrange(2**200)
    return random.choice([random.randrange(4), random.randrange(300), *large])


def of_elements(random, least=0):
    """A sort of elements with an order, and values of it in ascending order with their terms."""
    kind = random.choice(["Nat", "Pos", "Bool"])
    if kind == "Bool":
        return kind, [("false", FALSE), ("true", TRUE)][random.randrange(3 - least) :]
    make = nat if kind == "Nat" else pos
    chosen = sorted({1 + number(random) for _ in range(random.randint(least, 3))})
    return kind, [(str(one), make(one)) for one in chosen]


def value(random, depth=2):
    """A sort, the text of a value, and its term."""
    kinds = ["Pos", "Nat", "Int", "Real", "Bool", "E", "Also", "function"]
    if depth:
        kinds += ["D", "List", "Set", "FSet", "Bag", "FBag", "pair", "List"]
    kind = random.choice(kinds)
    counts[kind] += 1
    match kind:
        case "Pos":
            n = 1 + number(random)
            return kind, str(n), pos(n)
        case "Nat" | "Also":
            n = number(random)
            return kind, str(n), nat(n)
        case "Int":
            n = number(random) * random.choice((1, -1))
            return kind, str(n), integer(n)
        case "Real":
            n, below = random.choice([(3, 1), (-3, 1), (1, 2), (-7, 4), (0, 1), (2**70 + 1, 3)])
            return kind, f"{n}/{below}" if below > 1 else str(n), real(n, below)
        case "Bool":
            return kind, *random.choice([("true", TRUE), ("false", FALSE)])
        case "E":
            name = random.choice(("e1", "e2"))
            return kind, name, op(name, "E")
        case "function":
            return "Nat -> Bool", "f", op("f", "Nat -> Bool")
        case "D":
            if random.random() < 0.4:
                return kind, "d1", op("d1", "D")
            n = number(random)
            return kind, f"d2({n}, d1)", call("d2", "Nat # D -> D", nat(n), op("d1", "D"))
        case "pair":
            kind, elements = "Bool", [("true", TRUE)]
            text, term = container("Set", kind, elements)
            of = ("SortArrow", listed(sort("E"), sort("Set Bool")), sort("E"))
            return (
                "E",
                f"pair(e1, {text})",
                app(("OpIdNoIndex", ("pair",), of), op("e1", "E"), term),
            )
        case "List":
            if random.random() < 0.4:  # by an alias
                return (
                    "L",
                    "[d1]",
                    app(cons_of("|>", ["D"], "List D"), op("d1", "D"), op("[]", "List D")),
                )
            element, elements = of_elements(random, 1)
            random.shuffle(elements)
            found = op("[]", f"List {element}")
            for _, term in reversed(elements):
                found = app(cons_of("|>", [element], f"List {element}"), term, found)
            return f"List({element})", f"[{', '.join(t for t, _ in elements)}]", found
    element, elements = of_elements(random, 1)
    return f"{kind}({element})", *container(kind, element, elements)


def cons_of(name, elements, chain):
    return (
        "OpIdNoIndex",
        (name,),
        ("SortArrow", listed(*map(sort, [*elements, chain])), sort(chain)),
    )


def container(kind, element, elements):
    """The text and term of a set or bag; the multiplicity of an element is its position."""
    is_set = kind.endswith("Set")
    chain = f"{'FSet' if is_set else 'FBag'} {element}"
    found = op("{}" if is_set else "{:}", chain)
    for place, (_, term) in reversed([*enumerate(elements, 1)]):
        if is_set:
            found = app(cons_of("@fset_cons", [element], chain), term, found)
        else:
            found = app(cons_of("@fbag_cons", [element, "Pos"], chain), term, pos(place), found)
    texts = [t if is_set else f"{t}: {place}" for place, (t, _) in enumerate(elements, 1)]
    if not kind.startswith("F"):
        rule = ("@false_", "Bool") if is_set else ("@zero_", "Nat")
        arrow = sort(f"{element} -> {rule[1]}")
        to = sort(f"{kind} {element}")
        name = "@set" if is_set else "@bag"
        of = ("SortArrow", listed(arrow, sort(chain)), to)
        found = app(("OpIdNoIndex", (name,), of), ("OpIdNoIndex", (rule[0],), arrow), found)
    return f"{{{', '.join(texts)}}}", found


counts = Counter()


def normal(text):
    """The term of a sort as it is written in a text."""
    if text in ("L", "Also"):
        return sort({"L": "List D", "Also": "Nat"}[text])
    return sort(text.replace("(", " ").rstrip(")"))


def labels_of(outputs):
    return {
        output for output in outputs if isinstance(output, tuple) and output[0] == "TimedMultAct"
    }


def test_random_values_have_their_terms(tmp_path):
    random = Random(4)
    counts.clear()
    for _ in range(60):
        values = [value(random) for _ in range(random.randint(1, 6))]
        acts = "; ".join(f"a{n}: {of}" for n, (of, *_) in enumerate(values))
        steps = " . ".join(f"a{n}({text})" for n, (_, text, _) in enumerate(values))
        pair = f"a0({values[0][1]})|b({values[-1][1]})"
        text = f"{SORTS} act {acts}; b: {values[-1][0]}; init {steps} . {pair} . delta;"
        write(generate_text(read_text(text)), tmp_path / "x.lts")
        found = outputs_of((tmp_path / "x.lts").read_bytes())
        made = [
            ("Action", ("ActId", (f"a{n}",), listed(normal(of))), listed(term))
            for n, (of, _, term) in enumerate(values)
        ]
        last = ("Action", ("ActId", ("b",), listed(normal(values[-1][0]))), listed(values[-1][2]))
        expected = [listed(one) for one in made] + [listed(made[0], last)]
        assert {one[1] for one in labels_of(found)} == {*expected}
    assert min(counts.values()) > 5
    assert len(counts) == 15, counts


def test_declarations_are_written(tmp_path):
    text = f"{SORTS} act a: D # L; b; init a(d1, []) . b . delta;"
    write(generate_text(read_text(text)), tmp_path / "x.lts")
    found = outputs_of((tmp_path / "x.lts").read_bytes())
    d = struct(("d1",), ("d2", ("get", "Nat"), ("", "D"), "?is_d2"))
    assert found[: found.index(("transition",))] == [
        ("labelled_transition_system",),
        *[1, sort("E")],
        *[3, ("SortRef", sort("D"), d), ("SortRef", sort("L"), sort("List D"))],
        ("SortRef", sort("Also"), sort("Nat")),
        *[3, op("e1", "E"), op("e2", "E")],
        ("OpIdNoIndex", ("pair",), ("SortArrow", listed(sort("E"), sort("Set Bool")), sort("E"))),
        *[1, op("f", "Nat -> Bool"), 0, listed()],
        listed(("ActId", ("a",), listed(sort("D"), sort("List D"))), ("ActId", ("b",), listed())),
    ]


X = var("x", "Nat")
SMALL = ("Binder", ("Lambda",), listed(X), call("<", "Nat # Nat -> Bool", X, nat(3)))
EQUATION = ([X], None, call("f", "Nat -> Bool", X), TRUE)


def random_file(random):
    """A file with typed labels, with its transitions."""
    terms = [value(random) for _ in range(3)] + [("Nat -> Bool", "", SMALL)]
    made = [action(f"a{n}", term, sorts=[normal(of)]) for n, (of, _, term) in enumerate(terms)]
    made += [action("b")]
    states = random.randint(1, 5)
    steps = [
        (
            random.randrange(states),
            random.sample(made, random.randint(0, 2)),
            random.randrange(states),
        )
        for _ in range(random.randint(1, 9))
    ]
    steps = [(s, sorted(a, key=lambda one: one[1][1]), t) for s, a, t in steps]
    count = 1 + max(max(s, t) for s, _, t in steps)
    vectors = [listed(("@node@", nat(n), SMALL)) for n in range(count)]
    acts = [(f"a{n}", normal(of)) for n, (of, *_) in enumerate(terms)] + [("b",)]
    kept = random.random() < 0.5
    return lts(
        *steps,
        acts=acts,
        sorts=["E"],
        aliases=[("D", struct(("d1",), ("d2", ("get", "Nat"), ("", "D"))))],
        cons=[("e1", "E"), ("e2", "E")],
        maps=[("f", "Nat -> Bool")],
        eqns=[EQUATION],
        parameters=[X, var("g", "Nat -> Bool")] if kept else [],
        end=[*(vectors if kept else []), *END],
    )


def test_rewritten_files_are_identical(tmp_path):
    random = Random(5)
    vectors = 0
    for _ in range(80):
        outputs = random_file(random)
        (tmp_path / "x.lts").write_bytes(written(outputs))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            system = read(tmp_path / "x.lts")
            write(system, tmp_path / "y.lts")
            assert outputs_of((tmp_path / "y.lts").read_bytes()) == outputs
            vectors += listed(("@node@", nat(0), SMALL)) in outputs
            # Operations on the system keep the terms of its labels.
            for one in (minimise(system, "strong"), system.reachable(), system.hide_any(["b"])):
                write(one, tmp_path / "z.lts")
                found = outputs_of((tmp_path / "z.lts").read_bytes())
                hidden = {
                    ("TimedMultAct", listed(*rest), time) for rest, time in without_b(outputs)
                }
                assert labels_of(found) <= labels_of(outputs) | hidden
                start = found.index(("transition",)) if ("transition",) in found else -3
                head = [
                    output
                    for output in outputs[: outputs.index(("transition",))]
                    if output != listed()
                ]
                lacks = [one for one in found[:start] if one != listed()]
                assert [lack for lack in lacks if lack in head] == lacks
    assert 20 < vectors < 60


def without_b(outputs):
    for _, actions, time in labels_of(outputs):
        rest = []
        while actions != ("<empty_list>",):
            _, one, actions = actions
            if one[1][1] != ("b",):
                rest.append(one)
        yield rest, time


ACTIONS = [("a", "D"), ("c",), ("get", "D"), ("d",)]


def test_renamed_actions_keep_the_sorts_of_their_arguments(tmp_path):
    one = action("a", call("d2", "Nat -> D", nat(1)), sorts=["D"])
    outputs = lts((0, [one], 1), (1, [action("c")], 0), acts=[("a", "D"), ("c",)])
    (tmp_path / "x.lts").write_bytes(written(outputs))
    renamed = read(tmp_path / "x.lts").rename({"a": "get", "c": "d"})
    write(renamed, tmp_path / "y.lts")
    found = labels_of(outputs_of((tmp_path / "y.lts").read_bytes()))
    get = action("get", call("d2", "Nat -> D", nat(1)), sorts=["D"])
    assert {one[1] for one in found} == {listed(get), listed(action("d"))}
    head = outputs_of((tmp_path / "y.lts").read_bytes())
    head = head[head.index(("transition",)) - 1]
    assert head == listed(*(("ActId", (n,), listed(*map(sort, of))) for n, *of in ACTIONS))


def test_values_of_parameters_are_left_out_of_other_formats(tmp_path):
    vectors = [listed(("@single_node@", nat(n))) for n in range(2)]
    outputs = lts((0, [action("a")], 1), parameters=[X], end=[*vectors, *END])
    (tmp_path / "x.lts").write_bytes(written(outputs))
    system = read(tmp_path / "x.lts")
    for end in (".aut", ".parquet"):
        with pytest.warns(FormatWarning, match=f"values of state parameters .* of {end} files"):
            write(system, tmp_path / f"y{end}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write(system, tmp_path / "y.lts")


def test_a_linear_process_is_a_specification(tmp_path):
    (tmp_path / "x.mcrl2").write_text("act a: List(Bool); init a([true]) . delta;")
    write(generate(tmp_path / "x.mcrl2"), tmp_path / "x.lts")
    found = labels_of(outputs_of((tmp_path / "x.lts").read_bytes()))
    chain = cons_of("|>", ["Bool"], "List Bool")
    of = sort("List Bool")
    one = ("Action", ("ActId", ("a",), listed(of)), listed(app(chain, TRUE, op("[]", "List Bool"))))
    assert {label[1] for label in found} == {listed(one)}


def test_numbers_computed_beyond_literals(tmp_path):
    text = """
    act n: Nat; i: List(Int); r: Real;
    proc P(k: Nat, m: Nat) =
        n(m) . P(0, m * m) + (k > 0) -> i([-m]) . P(0, m * m) + (k == 3) -> r(1 / (m + 1)) . delta;
    init P(3, 7 * 2 ** 64);
    """.replace("2 ** 64", "exp(2, 64)").replace("P(0, m * m)", "P(Int2Nat(k - 1), m * m)")
    text = text.replace("n(m) .", "(k > 0) -> n(m) .")
    write(generate_text(read_text(text)), tmp_path / "x.lts")
    start = 7 * 2**64
    numbers = [start, start**2, start**4]
    found = {one[1] for one in labels_of(outputs_of((tmp_path / "x.lts").read_bytes()))}
    of, cons = sort("List Int"), cons_of("|>", ["Int"], "List Int")
    expected = [action("n", nat(m), sorts=["Nat"]) for m in numbers]
    for m in numbers:
        term = app(cons, integer(-m), op("[]", "List Int"))
        expected.append(("Action", ("ActId", ("i",), listed(of)), listed(term)))
    expected.append(action("r", real(1, start + 1), sorts=["Real"]))
    assert found == {listed(one) for one in expected}


def lam(variables, body, kind="Lambda"):
    return ("Binder", (kind,), listed(*variables), body)


def chain(name, element, *terms):
    """A finite set, made by `@fset_cons` or `@fset_insert`."""
    found = op("{}", f"FSet {element}")
    for term in reversed(terms):
        found = app(cons_of(name, [element], f"FSet {element}"), term, found)
    return found


def large(element, rule, rest):
    """The set of what either a rule or a finite set has."""
    arrow = sort(f"{element} -> Bool")
    of = ("SortArrow", listed(arrow, sort(f"FSet {element}")), sort(f"Set {element}"))
    return app(("OpIdNoIndex", ("@set",), of), rule, rest)


def less(one, other):
    return call("<", "Nat # Nat -> Bool", one, other)


def updated(function, of, result, argument, value):
    arrow = sort(f"{of} -> {result}")
    name = ("OpIdNoIndex", ("@func_update_stable",))
    return app((*name, ("SortArrow", listed(arrow, sort(of), sort(result)), arrow)),
               function, argument, value)  # fmt: skip


K, B = var("k", "Nat"), var("b", "Bool")
HEAD = app(("OpIdNoIndex", ("head",), ("SortArrow", listed(sort("List Nat")), sort("Nat"))),
           op("[]", "List Nat"))  # fmt: skip
SMALLER = lam([K], less(K, nat(2)))
STRUCT = struct(("s1",), ("s2", ("", "Nat")))
TERMS = {
    "head([])": ("Nat", HEAD),
    "[head([])]": ("List Nat", app(cons_of("|>", ["Nat"], "List Nat"), HEAD, op("[]", "List Nat"))),
    "lambda k: Nat. k < 2": ("Nat -> Bool", SMALLER),
    "(lambda k: Nat. k < 2)[3 -> true][1 -> false]": (
        "Nat -> Bool", updated(updated(SMALLER, "Nat", "Bool", nat(3), TRUE), "Nat", "Bool",
                               nat(1), FALSE),
    ),
    "(lambda k: Nat. lambda m: Nat. k < m)(2)": (
        "Nat -> Bool", lam([var("m", "Nat")], less(nat(2), var("m", "Nat"))),
    ),
    "f": ("Nat -> Bool", op("f", "Nat -> Bool")),
    "{k: Nat | k < 2}": ("Set Nat", large("Nat", op("@false_", "Nat -> Bool"),
                                          chain("@fset_cons", "Nat", nat(0), nat(1)))),
    "{k: Nat | 2 < k}": ("Set Nat", large("Nat", lam([K], less(nat(2), K)), op("{}", "FSet Nat"))),
    "!{1}": ("Set Nat", large("Nat", op("@true_", "Nat -> Bool"),
                              chain("@fset_cons", "Nat", nat(1)))),
    "{head([])}": ("Set Nat", large("Nat", op("@false_", "Nat -> Bool"),
                                    chain("@fset_cons", "Nat", HEAD))),
    "{k: Nat | exists m: Nat. k < m && f(m)}": ("Set Nat", large("Nat", lam([K], lam(
        [var("m", "Nat")], call("&&", "Bool # Bool -> Bool", less(K, var("m", "Nat")),
                                call("f", "Nat -> Bool", var("m", "Nat"))), "Exists")),
        op("{}", "FSet Nat"))),
    "lambda b: Bool. 3": ("Bool -> Nat", lam([var("x", "Bool")], nat(3))),
    "lambda b: Bool. if(b, 4, 3)": (
        "Bool -> Nat", updated(lam([var("x", "Bool")], nat(3)), "Bool", "Nat", TRUE, nat(4)),
    ),
    "s1": (STRUCT, ("OpIdNoIndex", ("s1",), STRUCT)),
    "s2(3)": (STRUCT, app(("OpIdNoIndex", ("s2",), ("SortArrow", listed(sort("Nat")), STRUCT)),
                          nat(3))),
}  # fmt: skip
"""Values in texts, their sorts, and the terms that mCRL2 has for them."""


def in_text(of):
    if not isinstance(of, str):
        return "struct s1 | s2(Nat)"
    return of if "->" in of or " " not in of else of.replace(" ", "(") + ")"


@pytest.mark.parametrize("shown", TERMS)
def test_non_constructor_values_keep_their_terms(tmp_path, shown):
    of, term = TERMS[shown]
    text = f"map f: Nat -> Bool; act a: {in_text(of)}; init a({shown}) . delta;"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        system = generate_text(read_text(text))
        write(system, tmp_path / "x.lts")
        again = read(tmp_path / "x.lts")
    found = labels_of(outputs_of((tmp_path / "x.lts").read_bytes()))
    assert {label[1] for label in found} == {listed(action("a", term, sorts=[sort(of)]))}
    # The text of functions over few values, and of what captures values, is another one.
    if " whr " not in system.labels[0]:
        assert again.labels == system.labels


UNDEFINED = """sort D = struct d(Real); E;
map f: Real -> Real; g: Nat -> Nat; p: Bool -> Bool; e1: E;
act a: Real; l: List(Real); s: Set(Real); bb: Bag(Real); dd: D; c: Nat; e: Bool; k: Nat -> Nat;
  ln: List(Nat); lb: List(Bool); pp: Pos; i: Int; ee: E;
init a(1/2) . l([1/2, -5/0]) . s({1/2}) . bb({1/2:2}) . dd(d(1/2)) . dd(d(1/0)) . a(f(1/2))
  . a(-5/0) . a(f(1/0)) . a(f(1/2) + 1/2). c(g(g(2)+1)) . e(!p(true)) . e(p(true) && p(false))
  . ee(e1) . k((lambda n: Nat. g(n)+1)[g(2)+1 -> g(3)+1]) . ln([g(2)+1]) . c(g(2) + 3)
  . pp(succ(head([])))
  . lb([!p(true), p(true) => p(false)]) . c((g(2) |> tail([])) . (g(3)+1)) . a(-(5/0))
  . lb([p(true)] ++ tail([])) . c(head([g(1)+1] ++ tail([]))) . a(min(1/0, 2)) . i(-g(3)) . delta;
"""


def test_irreducible_terms_roundtrip(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        system = generate_text(read_text(UNDEFINED))
        write(system, tmp_path / "x.lts")
    assert len(system.labels) == 25
    assert read(tmp_path / "x.lts").labels == system.labels


FINITE = {"Bool": ["false", "true"], "D": ["d1", "d2(false)", "d2(true)", "d3"],
          "P": ["p(d1,false)", "p(d1,true)", "p(d2(false),false)", "p(d2(false),true)",
                "p(d2(true),false)", "p(d2(true),true)", "p(d3,false)", "p(d3,true)"]}  # fmt: skip


@given(
    st.lists(st.sampled_from([*FINITE]), min_size=1, max_size=2),
    st.lists(st.integers(0, 2), min_size=64, max_size=64),
)
def test_function_tables_roundtrip(tmp_path_factory, sorts, results):
    path = tmp_path_factory.mktemp("tables") / "x.lts"
    given = [*product(*map(FINITE.get, sorts))]
    names = [f"x{n}" for n, _ in enumerate(sorts)]
    body = "0"
    for values, result in zip(given, results, strict=False):
        holds = " && ".join(f"{n} == {v}" for n, v in zip(names, values, strict=True))
        body = f"if({holds}, {result}, {body})"
    bound = ", ".join(f"{n}: {of}" for n, of in zip(names, sorts, strict=True))
    text = "sort D = struct d1 | d2(Bool) | d3; P = struct p(D, Bool);"
    text += f"act a: {' # '.join(sorts)} -> Nat; b: List(Bool -> {sorts[0]} -> Nat);"
    text += f"init a(lambda {bound}. {body}) . delta;" if len(sorts) > 1 else (
        f"init b([lambda c: Bool. lambda {bound}. {body}])|a(lambda {bound}. {body}) . delta;"
    )  # fmt: skip
    system = generate_text(read_text(text))
    write(system, path)
    keys = [",".join(values) for values in given]
    keys = [f"({key})" for key in keys] if len(sorts) > 1 else keys
    table = ",".join(f"{k} -> {r}" for k, r in zip(keys, results, strict=False))
    assert f"a({{{table}}})" in system.labels[0]
    assert read(path).labels == system.labels


EQUATIONS = {
    "var k: Nat; eqn k < 3 -> f(k) = true;": (
        [K], less(K, nat(3)), call("f", "Nat -> Bool", K), TRUE,
    ),
    "var k: Nat; eqn f(k) = forall m: Nat. m < k;": (
        [K], TRUE, call("f", "Nat -> Bool", K),
        lam([var("m", "Nat")], less(var("m", "Nat"), K), "Forall"),
    ),
    "var k: Nat; eqn f(k) = k in {2, 1};": (
        [K], TRUE, call("f", "Nat -> Bool", K),
        app(("OpIdNoIndex", ("in",), ("SortArrow", listed(sort("Nat"), sort("Set Nat")),
                                      sort("Bool"))),
            K, large("Nat", op("@false_", "Nat -> Bool"),
                     chain("@fset_insert", "Nat", nat(2), nat(1)))),
    ),
    "map u: FSet(Nat) -> FSet(Nat); var s: FSet(Nat); eqn u(s) = s + {1};": (
        [var("s", "FSet Nat")], TRUE,
        app(("OpIdNoIndex", ("u",), ("SortArrow", listed(sort("FSet Nat")), sort("FSet Nat"))),
            var("s", "FSet Nat")),
        app(("OpIdNoIndex", ("+",), ("SortArrow", listed(*[sort("FSet Nat")] * 2),
                                     sort("FSet Nat"))),
            var("s", "FSet Nat"), chain("@fset_insert", "Nat", nat(1))),
    ),
    "var F: Nat -> Bool; eqn g(F) = F(2);": (
        [var("F", "Nat -> Bool")], TRUE,
        app(("OpIdNoIndex", ("g",), ("SortArrow", listed(sort("Nat -> Bool")), sort("Bool"))),
            var("F", "Nat -> Bool")),
        app(var("F", "Nat -> Bool"), nat(2)),
    ),
    "var d: D; eqn h(d) = get(d) < 3;": (
        [var("d", "D")], TRUE, call("h", "D -> Bool", var("d", "D")),
        less(call("get", "D -> Nat", var("d", "D")), nat(3)),
    ),
    "var s: FSet(Nat); eqn p(s) = true;": (
        [var("s", "FSet Nat")], TRUE,
        app(("OpIdNoIndex", ("p",), ("SortArrow", listed(sort("FSet Nat")), sort("Bool"))),
            var("s", "FSet Nat")), TRUE,
    ),
}  # fmt: skip


@pytest.mark.parametrize("shown", EQUATIONS)
def test_equations_are_written(tmp_path, shown):
    text = "sort D = struct d1(get: Nat) | d2; map f: Nat -> Bool; g: (Nat -> Bool) -> Bool; "
    text += f"h: D -> Bool; p: FSet(Nat) -> Bool; {shown} act a; init a . delta;"
    write(generate_text(read_text(text)), tmp_path / "x.lts")
    found = outputs_of((tmp_path / "x.lts").read_bytes())
    variables, condition, left, right = EQUATIONS[shown]
    assert [one for one in found if isinstance(one, tuple) and one[0] == "DataEqn"] == [
        ("DataEqn", listed(*variables), condition, left, right)
    ]
    assert read(tmp_path / "x.lts").labels == ("a",)


def test_equations_without_a_counterpart_are_named(tmp_path):
    text = "map f: FSet(Nat) -> FSet(Nat);\nvar s: FSet(Nat);\neqn f(s) = s * !s;\n"
    system = generate_text(read_text(text + "act a; init a . delta;"))
    with pytest.warns(FormatWarning, match="the equations of these lines are left out .*: 3"):
        write(system, tmp_path / "x.lts")


OVERLOADED = """sort D = struct d | e(Nat); act c: Pos; c: Nat; c: List(Nat); c: List(D); c: D # D;
init c(tail([d])) . c(tail([4])) . c(2) . c(d, e(1))|c(0) . delta;"""


def test_overloaded_actions_keep_their_declared_sorts(tmp_path):
    system = generate_text(read_text(OVERLOADED))
    assert system.labels == ("c([])", "c(2)", "c(0)|c(d,e(1))")
    with pytest.warns(FormatWarning, match=r"several labels of different sorts .* `c\(\[\]\)`"):
        write(system, tmp_path / "x.lts")
    found = labels_of(outputs_of((tmp_path / "x.lts").read_bytes()))
    e = call("e", "Nat -> D", nat(1))
    both = listed(
        action("c", nat(0), sorts=["Nat"]), action("c", op("d", "D"), e, sorts=["D", "D"])
    )
    empty = {listed(action("c", op("[]", of), sorts=[sort(of)])) for of in ("List D", "List Nat")}
    others = {one[1] for one in found} - empty
    assert others == {listed(action("c", pos(2), sorts=["Pos"])), both}
    assert len(found) == 3


def test_labels_hidden_or_renamed_in_part_keep_their_sorts(tmp_path):
    system = generate_text(read_text("act a: Pos; b: Nat; c: Int; init a(2)|b(3)|c(-4) . delta;"))
    write(system.hide(["a"]).rename({"b": "d"}), tmp_path / "x.lts")
    found = labels_of(outputs_of((tmp_path / "x.lts").read_bytes()))
    d, c = action("d", nat(3), sorts=["Nat"]), action("c", integer(-4), sorts=["Int"])
    assert {one[1] for one in found} == {listed(c, d)}


MUCRL = """sort Bool D func T, F: -> Bool d: -> D pair: D # Bool -> D map f: D -> Bool var x: D
rew f(x) = T act a: D # Bool a: Bool b: D proc X = a(pair(d, F), f(d)).a(T).b(d).X init X"""


def test_labels_of_mucrl_have_declared_sorts(tmp_path):
    from lts.mucrl import read_text as read_mucrl

    system = generate_text(read_mucrl(MUCRL))
    write(system, tmp_path / "x.lts")
    assert read(tmp_path / "x.lts").labels == system.labels == ("a(pair(d,F),T)", "a(T)", "b(d)")
    found = outputs_of((tmp_path / "x.lts").read_bytes())
    pair = call("pair", "D # Bool' -> D", op("d", "D"), op("F", "Bool'"))
    assert {one[1] for one in labels_of(found)} == {
        listed(action("a", pair, op("T", "Bool'"), sorts=["D", "Bool'"])),
        listed(action("a", op("T", "Bool'"), sorts=["Bool'"])),
        listed(action("b", op("d", "D"), sorts=["D"])),
    }
    equation = (call("f", "D -> Bool'", var("x", "D")), op("T", "Bool'"))
    assert ("DataEqn", listed(var("x", "D")), TRUE, *equation) in found


def test_sorts_of_mucrl_have_different_names(tmp_path):
    from lts.mucrl import read_text as read_mucrl

    text = (
        "sort Bool Nat Nat' func T, F: -> Bool 0: -> Nat 1: -> Nat' act a: Nat # Nat' init a(0, 1)"
    )
    write(generate_text(read_mucrl(text)), tmp_path / "x.lts")
    found = outputs_of((tmp_path / "x.lts").read_bytes())
    one = action("a", op("0", "Nat''"), op("1", "Nat'"), sorts=["Nat''", "Nat'"])
    assert {label[1] for label in labels_of(found)} == {listed(one)}
    assert [one for one in found if isinstance(one, tuple) and one[0] == "SortId"] == [
        sort("Bool'"), sort("Nat''"), sort("Nat'"),
    ]  # fmt: skip


def test_copies_keep_the_terms_of_labels(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        write(generate_text(read_text(OVERLOADED)), tmp_path / "x.lts")
        one = struct(("d1",), ("d2", ("get", "Nat")))
        file = lts((0, [action("a", op("d1", "D"), sorts=["D"])], 1), acts=[("a", "D")],
                   aliases=[("D", one)])  # fmt: skip
        (tmp_path / "y.lts").write_bytes(written(file))
        vectors = [listed(("@single_node@", nat(n))) for n in range(2)]
        file = lts((0, [action("a")], 1), acts=[("a",)], parameters=[X], end=[*vectors, *END])
        (tmp_path / "z.lts").write_bytes(written(file))
        systems = [read(tmp_path / f"{name}.lts") for name in "xyz"]
        for system in (*systems, generate_text(read_text(OVERLOADED))):
            write(system, tmp_path / "one.lts")
            write(pickle.loads(pickle.dumps(system)), tmp_path / "two.lts")
            assert (tmp_path / "one.lts").read_bytes() == (tmp_path / "two.lts").read_bytes()


@st.composite
def specifications(draw):
    """A specification whose labels have all kinds of terms, some in multi-actions."""
    random = Random(draw(st.integers(0, 2**32)))
    values = [value(random) for _ in range(random.randint(1, 4))]
    acts = "; ".join(f"a{n // 2}: {of}" for n, (of, *_) in enumerate(values))
    texts = [f"a{n // 2}({text})" for n, (_, text, _) in enumerate(values)]
    steps = [*texts, "|".join(random.choices(texts, k=2)), f"{texts[0]}|b"]
    return f"{SORTS} act {acts}; b; init {' . '.join(steps)} . delta;"


def test_labels_are_read_with_their_sorts():
    reached = Counter()

    @settings(max_examples=4 * settings.default.max_examples)
    @given(specifications())
    def is_so(text):
        try:
            process = linearise(read_text(text))
        except SpecificationError:  # two equal declarations
            return
        encoder = Encoder(process)
        engine = encoder.linear_process()
        labels = explore(process, engine=engine).lts.labels
        typed = LabelTerms(process.specification, encoder.symbols.keys(), engine, labels)
        for label, meanings in typed.meanings.items():
            for meaning in meanings:
                shown = [(one.name, tuple(map(str, one.arguments))) for one in meaning]
                assert [*read_actions(label)] == shown
                reached[len(meaning)] += 1
                reached["text"] += any("," in text for _, given in shown for text in given)

    is_so()
    assert all(reached[what] for what in (1, 2, "text")), reached


def test_label_actions_ignore_blanks_and_order(tmp_path):
    shapes = [
        ("a(1,-2)|b", "b | a ( 1 , -2 )"),
        ("a(1,-2)|b", " a(1, -2)|b "),
        ("b", " b"),
        # These are not actions of mCRL2, so the whole label is a name.
        ("put 1 5", "put 1 5"),
        ("PUT !1", "PUT !1"),
        ("send[1](2)", "send[1](2)"),
        ("a(1|b", "a(1|b"),
        ("a()", "a()"),
    ]
    for shown, label in shapes:
        system = LTS.from_transitions([(0, label, 1), (0, shown, 0)])
        write(system, tmp_path / "x.lts")
        found = labels_of(outputs_of((tmp_path / "x.lts").read_bytes()))
        assert len(found) == 1, label
        assert read(tmp_path / "x.lts").labels == (shown,)
    one = action("a", nat(1), integer(-2), sorts=["Nat", "Int"])
    write(LTS.from_transitions([(0, "b|a(1, -2)", 1)]), tmp_path / "x.lts")
    found = labels_of(outputs_of((tmp_path / "x.lts").read_bytes()))
    assert {label[1] for label in found} == {listed(one, action("b"))}
