"""Linear processes in files `.lps`: what they mean is what the same means as a text."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lts
from lts import LtsError, SpecificationError, Unsupported, mcrl2
from lts.equivalence import equivalent
from lts.linear.linearise import linearise
from lts.mcrl2.printing import linear_text
from ltstool.main import main
from mcrl2_files import (
    CERTAIN,
    FALSE,
    TRUE,
    action,
    app,
    call,
    integer,
    listed,
    lps,
    nat,
    old_nat,
    old_pos,
    op,
    pos,
    real,
    sort,
    struct,
    summand,
    var,
    written,
)

N = var("n", "Nat")
COUNTER = lps(
    [N],
    [nat(0)],
    [
        summand(
            action("a", N, sorts=["Nat"]),
            when=call("<", "Nat # Nat -> Bool", N, nat(3)),
            then=[(N, call("Pos2Nat", "Pos -> Nat", call("+", "Nat # Pos -> Pos", N, pos(1))))],
        ),
        summand(when=call("==", "Nat # Nat -> Bool", N, nat(3)), then=[(N, nat(0))]),
    ],
    acts=[("a", "Nat")],
)


def system(outputs, folder):
    file = folder / "x.lps"
    file.write_bytes(written(outputs))
    found = lts.generate(file)
    # Its text does the same.
    text = linear_text(linearise(mcrl2.read(file)))
    assert equivalent(lts.generate(text), found, "strong")
    return found


def expect(outputs, text, folder):
    """The process in the file is that of the text."""
    other = folder / "x.mcrl2"
    other.write_text(text, encoding="utf-8")
    found, expected = system(outputs, folder), lts.generate(other)
    assert {*found.labels} == {*expected.labels}
    assert equivalent(found, expected, "strong")


def test_counter_process_is_read(tmp_path):
    expect(
        COUNTER,
        "act a: Nat; proc P(n: Nat) = (n < 3) -> a(n) . P(n + 1) + (n == 3) -> tau . P(0);"
        "init P(0);",
        tmp_path,
    )


def shown_value(value, of, folder, **declared):
    """Return the label that a process has whose only action has a value."""
    one = action("a", value, sorts=[of])
    found = system(lps([], [], [summand(one)], acts=[("a", of)], **declared), folder)
    (label,) = found.labels
    return label.removeprefix("a(").removesuffix(")")


X, Y = var("x", "Nat"), var("y", "Nat")
LISTS = "Nat # List Nat -> List Nat"
NIL = op("[]", "List Nat")
ONE_TWO = call("|>", LISTS, nat(1), call("|>", LISTS, nat(2), NIL))
NONE = op("{}", "FSet Nat")
SET = call("@fset_insert", "Nat # FSet Nat -> FSet Nat", nat(2), NONE)
SETS = call("@fset_cons", "Nat # FSet Nat -> FSet Nat", nat(1), SET)
NO_BAG = op("{:}", "FBag Nat")
BAG = call("@fbag_insert", "Nat # Pos # FBag Nat -> FBag Nat", nat(3), pos(2), NO_BAG)
BAGS = call("@fbag_cinsert", "Nat # Nat # FBag Nat -> FBag Nat", nat(2), nat(1), BAG)
SMALL = ("Binder", ("Lambda",), listed(X), call("<", "Nat # Nat -> Bool", X, nat(3)))
TO_BOOL = sort("Nat -> Bool")
OF_BOOL = sort("Bool -> Bool")
B = var("b", "Bool")
NOT = ("Binder", ("Lambda",), listed(B), call("!", "Bool -> Bool", B))


def quantified(word, body):
    return ("Binder", (word,), listed(B), body)


def made_set(function, rest):
    made = ("SortArrow", listed(TO_BOOL, sort("FSet Nat")), sort("Set Nat"))
    return app(("OpIdNoIndex", ("@set",), made), function, rest)


def constant(name):
    return ("OpIdNoIndex", (name,), TO_BOOL)


@pytest.mark.parametrize(
    ("value", "of", "shown"),
    [
        (nat(0), "Nat", "0"),
        (nat(2**64 + 5), "Nat", str(2**64 + 5)),
        (pos(3 * 2**128 + 1), "Pos", str(3 * 2**128 + 1)),
        (call("@most_significant_digit", "@word -> Pos", op("@two_word", "@word")), "Pos", "2"),
        (old_pos(10), "Pos", "10"),
        (old_nat(0), "Nat", "0"),
        (old_nat(13), "Nat", "13"),
        (integer(-7), "Int", "-7"),
        (integer(7), "Int", "7"),
        (real(3), "Real", "3"),
        (real(-2), "Real", "-2"),
        (real(1, 3), "Real", "1/3"),
        (call("+", "Pos # Nat -> Pos", pos(1), nat(2)), "Pos", "3"),
        (call("-", "Nat # Nat -> Int", nat(1), nat(2)), "Int", "-1"),
        (call("@cInt", "Nat -> Int", call("mod", "Nat # Pos -> Nat", nat(7), pos(4))), "Int", "3"),
        (call("/", "Real # Real -> Real", real(1), real(2)), "Real", "1/2"),
        (call("Real2Int", "Real -> Int", call("Int2Real", "Int -> Real", integer(4))), "Int", "4"),
        (call("@succ_nat", "Nat -> Pos", nat(4)), "Pos", "5"),
        (call("max", "Pos # Nat -> Pos", pos(1), nat(4)), "Pos", "4"),
        (call("exp", "Nat # Nat -> Nat", nat(2), nat(5)), "Nat", "32"),
        (TRUE, "Bool", "true"),
        (call("!", "Bool -> Bool", TRUE), "Bool", "false"),
        (call("=>", "Bool # Bool -> Bool", TRUE, FALSE), "Bool", "false"),
        (call("if", "Bool # Nat # Nat -> Nat", TRUE, nat(1), nat(2)), "Nat", "1"),
        (NIL, "List Nat", "[]"),
        (ONE_TWO, "List Nat", "[1,2]"),
        (call("<|", "List Nat # Nat -> List Nat", ONE_TWO, nat(3)), "List Nat", "[1,2,3]"),
        (call("++", "List Nat # List Nat -> List Nat", NIL, ONE_TWO), "List Nat", "[1,2]"),
        (call("#", "List Nat -> Nat", NIL), "Nat", "0"),
        (call(".", "List Nat # Nat -> Nat", ONE_TWO, nat(1)), "Nat", "2"),
        (call("in", "Nat # List Nat -> Bool", nat(2), ONE_TWO), "Bool", "true"),
        (call("rhead", "List Nat -> Nat", ONE_TWO), "Nat", "2"),
        (call("head", "List Nat -> Nat", NIL), "Nat", "head([])"),
        (call("==", "List Nat # List Nat -> Bool", NIL, NIL), "Bool", "true"),
        (NONE, "FSet Nat", "{}"),
        (SETS, "FSet Nat", "{1,2}"),
        (call("+", "FSet Nat # FSet Nat -> FSet Nat", SETS, NONE), "FSet Nat", "{1,2}"),
        (call("in", "Nat # FSet Nat -> Bool", nat(3), SETS), "Bool", "false"),
        (call("@setfset", "FSet Nat -> Set Nat", SETS), "Set Nat", "{1,2}"),
        (made_set(constant("@false_"), SETS), "Set Nat", "{1,2}"),
        (made_set(constant("@true_"), SETS), "Set Nat", "!{1,2}"),
        (call("in", "Nat # Set Nat -> Bool", nat(2), made_set(SMALL, NONE)), "Bool", "true"),
        (call("in", "Nat # Set Nat -> Bool", nat(3), made_set(SMALL, NONE)), "Bool", "false"),
        (BAGS, "FBag Nat", "{2:1,3:2}"),
        (call("count", "Nat # FBag Nat -> Nat", nat(3), BAGS), "Nat", "2"),
        (call("@bagfbag", "FBag Nat -> Bag Nat", BAG), "Bag Nat", "{3:2}"),
        (app(SMALL, nat(2)), "Bool", "true"),
        (app(SMALL, nat(4)), "Bool", "false"),
        (
            app(
                app(
                    (
                        "OpIdNoIndex",
                        ("@func_update",),
                        ("SortArrow", listed(OF_BOOL, sort("Bool"), sort("Bool")), OF_BOOL),
                    ),
                    NOT,
                    TRUE,
                    TRUE,
                ),
                TRUE,
            ),
            "Bool",
            "true",
        ),
        (quantified("Forall", B), "Bool", "false"),
        (quantified("Exists", B), "Bool", "true"),
        (
            ("Whr", call("+", "Nat # Nat -> Nat", X, X), listed(("DataVarIdInit", X, nat(4)))),
            "Nat",
            "8",
        ),
    ],
)
def test_data_expressions_read_from_lps_files(value, of, shown, tmp_path):
    assert shown_value(value, of, tmp_path) == shown


D = sort("D")
STRUCT = struct(("d1", "?is_d1"), ("d2", ("first", "Nat"), ("", "Bool")))


def test_structured_sorts(tmp_path):
    two = call("d2", "Nat # Bool -> D", nat(3), TRUE)
    declared = {"aliases": [("D", STRUCT)]}
    assert shown_value(two, "D", tmp_path, **declared) == "d2(3,true)"
    assert shown_value(call("first", "D -> Nat", two), "Nat", tmp_path, **declared) == "3"
    assert (
        shown_value(call("is_d1", "D -> Bool", op("d1", "D")), "Bool", tmp_path, **declared)
        == "true"
    )
    assert shown_value(call("is_d1", "D -> Bool", two), "Bool", tmp_path, **declared) == "false"


def test_functions_of_the_file(tmp_path):
    f = op("f", "Nat -> Nat")
    declared = {
        "sorts": ["E"],
        "cons": [("e1", "E"), ("e2", "Nat -> E")],
        "maps": [("f", "Nat -> Nat"), ("g", "Nat -> Nat"), ("g", "Nat -> E")],
        "eqns": [
            ([], None, app(f, nat(0)), nat(7)),
            ([X], call(">", "Nat # Nat -> Bool", X, nat(0)), app(f, X), X),
            ([X], None, call("g", "Nat -> Nat", X), nat(5)),
        ],
    }
    assert shown_value(app(f, nat(0)), "Nat", tmp_path, **declared) == "7"
    assert shown_value(app(f, nat(3)), "Nat", tmp_path, **declared) == "3"
    # Two functions have one name, and there is nothing around them that says which is meant.
    number, other = call("g", "Nat -> Nat", nat(1)), call("g", "Nat -> E", nat(1))
    equal = call("==", "Nat # Nat -> Bool", number, nat(5))
    assert shown_value(equal, "Bool", tmp_path, **declared) == "true"
    assert (
        shown_value(call("==", "E # E -> Bool", other, other), "Bool", tmp_path, **declared)
        == "true"
    )
    assert shown_value(call("e2", "Nat -> E", number), "E", tmp_path, **declared) == "e2(5)"
    assert shown_value(other, "E", tmp_path, **declared) == "g(1)"


def test_positive_number_patterns_for_naturals_are_refused(tmp_path):
    """Where numbers are bits a positive number is a part of a natural one."""
    positive = call("@cNat", "Pos -> Nat", var("p", "Pos"))
    f = op("f", "Nat -> Nat")
    eqns = [([var("p", "Pos")], None, app(f, positive), nat(7))]
    with pytest.raises(Unsupported, match="a positive number in place of a natural number"):
        shown_value(app(f, nat(1)), "Nat", tmp_path, maps=[("f", "Nat -> Nat")], eqns=eqns)


def test_variables_may_have_names_of_functions(tmp_path):
    d1 = var("d1", "Nat")
    found = system(
        lps(
            [d1],
            [nat(1)],
            [summand(action("a", d1, op("d1", "D"), sorts=["Nat", "D"]))],
            acts=[("a", "Nat", "D")],
            aliases=[("D", STRUCT)],
        ),
        tmp_path,
    )
    assert found.labels == ("a(1,d1)",)


def test_multi_actions_sums_and_delta(tmp_path):
    both = summand(action("b"), action("a", B, sorts=["Bool"]), over=[B])
    never = [listed(B), TRUE, var("@undefined_real", "Real")]
    expect(
        lps([], [], [both, summand(when=FALSE)], acts=[("a", "Bool"), ("b",)], deltas=[never]),
        "act a: Bool; b; proc P = (sum b0: Bool. b | a(b0)) . P; init P;",
        tmp_path,
    )


def test_actions_may_have_the_name_of_the_process(tmp_path):
    assert system(lps([], [], [summand(action("P"))], acts=[("P",)]), tmp_path).labels == ("P",)
    assert system(lps([], [], []), tmp_path).transition_count == 0


def test_global_variables_have_an_arbitrary_value(tmp_path):
    free = var("dc", "Nat")
    outputs = lps([N], [free], [summand(action("a"), then=[(N, free)])], acts=[("a",)], glob=[free])
    assert system(outputs, tmp_path).state_count == 1


def test_commands_accept_lps_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "x.lps"
    file.write_bytes(written(COUNTER))
    assert main(["check", str(file), "forall n: 3..9. [true*.a(n)]false"]) == 0
    assert main(["check", str(file), "[true*.a(2)]false"]) == 1
    assert main(["compare", str(file), str(file), "-e", "branching"]) == 0
    assert main(["generate", str(file), "--symmetry", "auto", "-q", "-o", "r.aut"]) == 0


def test_files_of_mcrl2_are_components(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    system(COUNTER, tmp_path).write("y.lts")
    (tmp_path / "net.exp").write_text('"x.lps" || "y.lts"', encoding="utf-8")
    assert main(["compare", "net.exp", "x.lps", "-e", "branching", "-q"]) == 0
    assert lts.generate("net.exp").state_count == 6


def test_binary_files_are_recognised_by_content(tmp_path, monkeypatch):
    file = tmp_path / "x"
    file.write_bytes(written(COUNTER))
    assert main(["generate", str(file), "-o", str(tmp_path / "y.lts")]) == 0
    with file.open() as opened:
        monkeypatch.setattr("sys.stdin", opened)
        assert main(["generate", "-", "-o", str(tmp_path / "z.lts")]) == 0
    assert (tmp_path / "y.lts").read_bytes() == (tmp_path / "z.lts").read_bytes()


def test_constants_can_be_given(tmp_path):
    count = op("count_", "Nat")
    a = action("a", count, sorts=["Nat"])
    outputs = lps(
        [], [], [summand(a)], acts=[("a", "Nat")],
        maps=[("count_", "Nat")], eqns=[([], None, count, nat(2))],
    )  # fmt: skip
    file = tmp_path / "x.lps"
    file.write_bytes(written(outputs))
    assert lts.generate(file).labels == ("a(2)",)
    assert lts.generate(file, count_=5).labels == ("a(5)",)


HALF = ("Distribution", listed(B), real(1, 2))


@pytest.mark.parametrize(
    ("outputs", "kind", "message"),
    [
        (
            lps([], [], [summand(), summand(action("a"), time=real(3))], acts=[("a",)]),
            Unsupported,
            r"x\.lps: summand 2: `@` is not supported: processes are untimed",
        ),
        (
            lps([], [], [], deltas=[[listed(), TRUE, real(1)]]),
            Unsupported,
            r"x\.lps: summand 1 of `delta`: `@` is not supported",
        ),
        (
            lps([], [], [summand(dist=HALF)]),
            Unsupported,
            r"x\.lps: summand 1: `dist` is not supported: processes are not probabilistic",
        ),
        (
            lps([], [], [], dist=HALF),
            Unsupported,
            r"x\.lps: the initial state: `dist` is not supported",
        ),
        (
            lps([N], [nat(0)], [summand(when=call("f", "Nat -> Bool", N))]),
            SpecificationError,
            r"x\.lps: summand 1: function `f` is not declared",
        ),
        (
            lps([], [], [summand(when=call("@even", "Nat -> Bool", nat(0)))]),
            Unsupported,
            r"x\.lps: byte \d+: `@even`, an internal function of mCRL2, is not supported",
        ),
        (
            lps([N], [], []),
            LtsError,
            r"x\.lps: byte \d+: 0 initial values of 1 parameters",
        ),
        (
            [("parameterised_boolean_equation_system",)],
            LtsError,
            r"x\.lps: byte \d+: expected a linear process",
        ),
        (
            [("labelled_transition_system",)],
            LtsError,
            r"x\.lps: this is an LTS: rename the file to `\.lts`",
        ),
        (
            [*lps([], [], []), 1],
            LtsError,
            r"x\.lps: byte \d+: unexpected data after the initial state",
        ),
        (
            [("linear_process_specification",), 2**63],
            LtsError,
            r"x\.lps: byte \d+: expected a term `SortId`",
        ),
        (
            lps([], [], [summand(when=call("", "Nat -> Bool", nat(0)))]),
            LtsError,
            r"x\.lps: byte \d+: `` is not a valid name",
        ),
        (
            lps([], [], [], sorts=["List(Nat)"]),
            LtsError,
            r"x\.lps: byte \d+: `List\(Nat\)` is not a valid name",
        ),
        (
            lps([], [], [summand(when=pos(2**14000))]),
            Unsupported,
            "more than 4000 digits",
        ),
    ],
)
def test_wrong_lps_files_are_refused_with_position(outputs, kind, message, tmp_path):
    with pytest.raises(kind) as caught:
        system(outputs, tmp_path)
    assert re.search(message, str(caught.value)), str(caught.value)
    assert "\n" not in str(caught.value)


def test_shared_large_terms_are_accepted(tmp_path):
    condition = TRUE
    for _ in range(64):
        condition = call("&&", "Bool # Bool -> Bool", condition, condition)
    found = system(lps([], [], [summand(when=condition)]), tmp_path)
    assert (found.state_count, found.transition_count) == (1, 1)


def test_shared_large_sorts_are_refused(tmp_path):
    of = sort("Nat")
    for _ in range(64):
        of = ("SortArrow", listed(of, of), of)
    with pytest.raises(LtsError, match="a sort of more than 100000 characters"):
        system(lps([var("f", of)], [nat(0)], []), tmp_path)


HAS = call("in", "Nat # Set Nat -> Bool", N, made_set(SMALL, NONE))
FILE = written(
    lps(
        [N, var("s", "Set Nat")],
        [nat(0), SETS],
        [
            summand(
                action("a", N, op("d1", "D"), sorts=["Nat", "D"]),
                over=[B],
                when=quantified("Exists", HAS),
                then=[(N, call("f", "Nat -> Nat", N))],
            )
        ],
        acts=[("a", "Nat", "D")],
        aliases=[("D", STRUCT)],
        maps=[("f", "Nat -> Nat")],
        eqns=[([X], None, call("f", "Nat -> Nat", X), nat(1))],
        dist=CERTAIN,
    )
)


@st.composite
def changed_files(draw):
    data = bytearray(FILE)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                data[at] = draw(st.integers(0, 255))
            case 1:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case 2:
                del data[at : at + draw(st.integers(1, 9))]
            case 3:
                data[at:at] = draw(st.binary(min_size=1, max_size=9))
        if not data:
            break
    return bytes(data)


@given(changed_files())
def test_changed_files_are_read_or_refused(data):
    text = (FILE[:5] + data[5:]).decode("utf-8", "surrogateescape")
    with suppress(LtsError):
        lts.mcrl2.read_text(text)


def test_truncated_files_are_refused():
    lts.mcrl2.read_text(FILE.decode("utf-8", "surrogateescape"))
    for length in range(3, len(FILE) - 8):
        with pytest.raises(LtsError, match=r"^byte \d+: "):
            lts.mcrl2.read_text(FILE[:length].decode("utf-8", "surrogateescape"))
