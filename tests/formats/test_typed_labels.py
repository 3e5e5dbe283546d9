"""Labels of .lts files have the sorts of the specification or file that they come from.

The files are read by the independent reader of the tests; the terms expected of a value are made
by the descriptions of the format there.
"""

import warnings
from collections import Counter
from random import Random

import pytest

from lts import LTS, FormatWarning, generate, minimise, read, write
from lts.mcrl2 import read_text
from lts.mucrl import generate as generate_text
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
    return {one for one in outputs if isinstance(one, tuple) and one[0] == "TimedMultAct"}


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


def test_a_file_that_is_read_and_written_is_the_same(tmp_path):
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
                head = [one for one in outputs[: outputs.index(("transition",))] if one != listed()]
                lacks = [one for one in found[:start] if one != listed()]
                assert [one for one in lacks if one in head] == lacks
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


def test_a_linear_process_is_a_specification(tmp_path):
    (tmp_path / "x.mcrl2").write_text("act a: List(Bool); init a([true]) . delta;")
    write(generate(tmp_path / "x.mcrl2"), tmp_path / "x.lts")
    found = labels_of(outputs_of((tmp_path / "x.lts").read_bytes()))
    chain = cons_of("|>", ["Bool"], "List Bool")
    of = sort("List Bool")
    one = ("Action", ("ActId", ("a",), listed(of)), listed(app(chain, TRUE, op("[]", "List Bool"))))
    assert {label[1] for label in found} == {listed(one)}


def test_numbers_that_no_text_has(tmp_path):
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


def test_what_no_equation_fits_is_a_constant_of_its_sort(tmp_path):
    values = {
        "Nat": ["head([])"],
        "List Nat": ["tail([])", "[head([])]"],
        "Real": ["head(r)"],
        "Nat -> Bool": ["lambda k: Nat. k < 2"],
        "Set Nat": ["{k: Nat | k < 2}", "{head([])}", "!{1}"],
        "Bool -> Nat": ["lambda b: Bool. 3"],
    }
    steps = [
        (f"a{n}{k}", of, text)
        for n, (of, texts) in enumerate(values.items())
        for k, text in enumerate(texts)
    ]
    acts = "; ".join(
        f"{a}: {of if '->' in of or ' ' not in of else of.replace(' ', '(') + ')'}"
        for a, of, _ in steps
    )
    shown = " . ".join(f"{a}({text})" for a, _, text in steps)
    text = f"map r: List(Real); act {acts}; init {shown} . delta;"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        system = generate_text(read_text(text))
        write(system, tmp_path / "x.lts")
        again = outputs_of((tmp_path / "x.lts").read_bytes())
    labels = [one[1] for one in labels_of(again)]
    found = {one[1][1][1][0]: one[1][1][2] for one in labels}
    assert found == {a: listed(sort(of)) for a, of, _ in steps}
    assert {label for _, label, _ in read(tmp_path / "x.lts")} == {*system.labels}


def test_a_label_has_the_same_actions_with_blanks_and_in_any_order(tmp_path):
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
