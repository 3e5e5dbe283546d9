"""Files `.lts` of mCRL2: those that a writer of the tests makes, and ours read by its reader."""

import warnings
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, FormatError, FormatWarning, LtsError, Unsupported, mcrl2, read, write
from lts._engine import TermWriter
from lts.formats import mcrl2_lts
from ltstool.main import main
from mcrl2_files import (
    END,
    FALSE,
    TRUE,
    UNTIMED,
    action,
    app,
    call,
    integer,
    listed,
    lts,
    nat,
    old_nat,
    op,
    outputs_of,
    pos,
    real,
    sort,
    var,
    written,
)

A, B = action("a"), action("b", TRUE, sorts=["Bool"])


def rows(*outputs, version=0x8308):
    return list(mcrl2_lts.read(written(*outputs, version=version), "x.lts"))


def test_transitions_and_labels():
    system = mcrl2_lts.read(
        written(lts((0, [A], 1), (1, [], 0), (1, [A, B], 2), (0, [A], 1))), "x.lts"
    )
    assert list(system) == [(0, "a", 1), (1, "tau", 0), (1, "a|b(true)", 2), (0, "a", 1)]
    assert (system.initial, system.state_count, system.internal) == (0, 3, ("tau",))


def test_only_tau_is_internal():
    assert mcrl2_lts.read(written(lts((0, [action("i")], 0))), None).internal == ()


@pytest.mark.parametrize("version", [0x8306, 0x8307, 0x8308])
def test_files_since_2020(version):
    assert rows(lts((0, [A], 0)), version=version) == [(0, "a", 0)]


def test_files_of_2020_with_probabilities_are_read():
    end = [("initial_state",), 1, real(1), 1]
    old = [*lts(end=[]), ("transition",), 0]
    untimed = ("DataVarIdNoIndex", *UNTIMED[1:])
    old += [("TimedMultAct", listed(A), untimed), 1, *end]
    system = mcrl2_lts.read(written(old, version=0x8306), None)
    assert (list(system), system.initial) == ([(0, "a", 1)], 1)


X = var("x", "Nat")
NIL = op("[]", "List Nat")
LISTS = "Nat # List Nat -> List Nat"
SETS = "Nat # FSet Nat -> FSet Nat"
SET = call("@fset_cons", SETS, nat(1), call("@fset_insert", SETS, nat(2), op("{}", "FSet Nat")))
BAG = call("@fbag_cons", "Nat # Pos # FBag Nat -> FBag Nat", nat(1), pos(2), op("{:}", "FBag Nat"))
SMALL = ("Binder", ("Lambda",), listed(X), call("<", "Nat # Nat -> Bool", X, nat(3)))
STUCK = call("head", "List Nat -> Nat", NIL)


def of_set(function, rest):
    made = ("SortArrow", listed(sort("Nat -> Bool"), sort("FSet Nat")), sort("Set Nat"))
    return app(("OpIdNoIndex", ("@set",), made), function, rest)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (nat(0), "0"),
        (pos(2**64), str(2**64)),
        (old_nat(6), "6"),
        (integer(-3), "-3"),
        (real(4), "4"),
        (real(-1, 2), "-1/2"),
        (FALSE, "false"),
        (op("d1", "D"), "d1"),
        (call("d2", "Nat # Bool -> D", nat(1), TRUE), "d2(1,true)"),
        (NIL, "[]"),
        (call("|>", LISTS, nat(1), call("|>", LISTS, nat(2), NIL)), "[1,2]"),
        (call("|>", LISTS, nat(1), var("l", "List Nat")), "(1|>l)"),
        (op("{}", "FSet Nat"), "{}"),
        (SET, "{1,2}"),
        (of_set(("OpIdNoIndex", ("@false_",), sort("Nat -> Bool")), SET), "{1,2}"),
        (of_set(("OpIdNoIndex", ("@true_",), sort("Nat -> Bool")), SET), "!{1,2}"),
        (of_set(SMALL, op("{}", "FSet Nat")), "{x:Nat | x < 3}"),
        (BAG, "{1:2}"),
        (STUCK, "head([])"),
        (call("Pos2Nat", "Pos -> Nat", call("f", "Nat -> Pos", nat(1))), "f(1)"),
        (call("+", "Nat # Nat -> Nat", STUCK, nat(1)), "(head([])+1)"),
        (call("g", "Nat -> Nat", call("+", "Nat # Nat -> Nat", STUCK, nat(1))), "g((head([])+1))"),
        (call("!", "Bool -> Bool", var("b", "Bool")), "!b"),
        (SMALL, "(lambda x:Nat. x < 3)"),
        (app(var("f", sort("Nat -> Nat")), nat(1)), "f(1)"),
        (("Whr", X, listed(("DataVarIdInit", X, nat(4)))), "(x whr x=4 end)"),
    ],
)
def test_data_of_labels_are_as_those_of_specifications(value, shown):
    assert rows(lts((0, [action("a", value, sorts=["Nat"])], 0))) == [(0, f"a({shown})", 0)]


def test_labels_of_equal_text_are_one():
    one = action("a", nat(1), sorts=["Nat"])
    other = action("a", pos(1), sorts=["Pos"])
    with pytest.warns(FormatWarning, match=r"different sorts or forms have the text `a\(1\)`"):
        system = mcrl2_lts.read(written(lts((0, [one], 1), (1, [other], 0))), None)
    assert list(system) == [(0, "a(1)", 1), (1, "a(1)", 0)]


def test_values_of_parameters_of_some_states_are_left_out():
    states = [listed(("@single_node@", nat(n))) for n in range(2)]
    outputs = lts((0, [A], 3), parameters=[X], end=[*states, *END])
    with pytest.warns(FormatWarning, match=r"x\.lts: .* of 2 of 4 states, which are left out"):
        system = mcrl2_lts.read(written(outputs), "x.lts")
    assert system.state_count == 4


TIMED = ("TimedMultAct", listed(A), real(3))


@pytest.mark.parametrize(
    ("outputs", "kind", "message"),
    [
        (
            [*lts(end=[]), ("transition",), 0, TIMED, 1, *END],
            Unsupported,
            "`a` has a time, which is not supported",
        ),
        (
            [*lts(end=[]), ("probabilistic_transition",)],
            Unsupported,
            "probabilities is not supported",
        ),
        (lts(end=[("initial_state",), 2, 0, real(1, 2), 1, real(1, 2)]), Unsupported, "probabilit"),
        (lts(end=[]), FormatError, "the initial state is missing"),
        (lts(end=[("initial_state",), 1, ("a",), ("b",)]), FormatError, "expected the initial sta"),
        (lts(end=[("initial_state",), 1, 2**32]), FormatError, "too large"),
        (
            lts(end=[("initial_state",), 1, 2**32 - 2]),
            FormatError,
            "too many states without transitions",
        ),
        (lts((2**32 - 1, [A], 0)), FormatError, "more than can be numbered"),
        ([*lts(end=[]), ("transition",), TIMED], FormatError, "expected the number of a state"),
        ([*lts(end=[]), ("transition",), 0, 1], FormatError, "expected a label"),
        ([*lts(end=[]), ("transition",), 0, ("a",), 1, *END], FormatError, "a label, not `a`"),
        ([*lts(end=[]), ("something",)], FormatError, "expected a transition or the initial state"),
        ([*lts(end=[]), 7], FormatError, "expected a transition or the initial state"),
        ([("labelled_transition_system",), 2**60], FormatError, "expected one of the sorts"),
        ([("linear_process_specification",)], LtsError, "`ltstool generate`"),
        ([("a",)], FormatError, "expected an LTS"),
        ([], FormatError, "expected an LTS"),
    ],
)
def test_wrong_lts_files_are_refused(outputs, kind, message):
    with pytest.raises(kind, match=message) as caught:
        rows(outputs)
    assert str(caught.value).startswith("x.lts: ")


def test_exponentially_large_labels_are_refused():
    value = TRUE
    for _ in range(64):
        value = call("&&", "Bool # Bool -> Bool", value, value)
    with pytest.raises(Unsupported, match="an argument of a label of more than 16777216 charac"):
        rows(lts((0, [action("a", value, sorts=["Bool"])], 0)))


def test_shared_arguments_are_written_out():
    value = TRUE
    for _ in range(17):
        value = call("f", "Bool # Bool -> Bool", value, value)
    [(_, label, _)] = rows(lts((0, [action("a", value, sorts=["Bool"])], 0)))
    assert label.count("true") == 2**17


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "byte 0: this is no binary file of mCRL2"),
        (b"des (0,0,1)\n", "byte 0: this is no binary file of mCRL2"),
        (b"\0\x8b\xaf", "byte 3: the file ends too early"),
        (b"\0\x8b\xaf\x83\x05", "byte 3: version 0x8305 of the format; 0x8306 to 0x8308 are read"),
        (b"\0\x8b\xaf\x83\x08\x3f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "more than 64 bits"),
        (b"\0\x8b\xaf\x83\x08\x3f\xdf\xc0", "a name of .* bytes, and the file ends"),
    ],
)
def test_header_is_checked(data, message):
    with pytest.raises(FormatError, match=message):
        mcrl2_lts.read(data, "x.lts")


def test_trailing_bytes_are_refused():
    data = written(lts((0, [A], 0)))
    for more in (b"\1", b"\0" * 17):
        with pytest.raises(FormatError, match="there are bytes after the end"):
            mcrl2_lts.read(data + more, None)


SYSTEM = LTS.from_transitions(
    [
        *[(0, "a", 1), (1, "tau", 2), (2, "b(1,true)", 0), (2, "b(0,false)", 1), (0, "a|c(-2)", 2)],
        *[(1, "c(3)", 0), (0, "d([1,2],e1)", 1), (0, "d({},e2)", 1), (2, "PUT !1 !TRUE", 1)],
    ],
    initial=2,
)


def test_written_terms_have_the_form_that_mcrl2_reads(tmp_path):
    write(SYSTEM, tmp_path / "x.lts")
    found = outputs_of((tmp_path / "x.lts").read_bytes())
    e1, e2, nil, none = (op(name, "Value") for name in ("e1", "e2", "[1,2]", "{}"))
    bool_, nat_, int_, value = (sort(name) for name in ("Bool", "Nat", "Int", "Value"))
    declared = {
        "a": listed(),
        "b": listed(nat_, bool_),
        "c": listed(int_),
        "d": listed(value, value),
        "PUT !1 !TRUE": listed(),
    }
    mark, sorts, one, aliases, constructors = found[:5]
    assert (mark, sorts, one, aliases) == (("labelled_transition_system",), 1, value, 0)
    assert constructors == 4
    assert {*found[5:9]} == {e1, e2, nil, none}
    assert found[9:12] == [0, 0, listed()]
    assert found[12] == listed(*(("ActId", (name,), of) for name, of in declared.items()))

    def made(*actions):
        return ("TimedMultAct", listed(*actions), UNTIMED)

    def labelled(name, *values):
        return ("Action", ("ActId", (name,), declared[name]), listed(*values))

    assert found[13:] == [
        *[("transition",), 0, made(labelled("a")), 1, ("transition",), 1, made(), 2],
        *[("transition",), 2, made(labelled("b", nat(1), TRUE)), 0],
        *[("transition",), 2, made(labelled("b", nat(0), FALSE)), 1],
        *[("transition",), 0, made(labelled("a"), labelled("c", integer(-2))), 2],
        *[("transition",), 1, made(labelled("c", integer(3))), 0],
        *[("transition",), 0, made(labelled("d", nil, e1)), 1],
        *[("transition",), 0, made(labelled("d", none, e2)), 1],
        *[("transition",), 2, made(labelled("PUT !1 !TRUE")), 1],
        *[("initial_state",), 1, 2],
    ]


def test_states_that_no_transition_has_are_written(tmp_path):
    system = LTS.from_transitions([(0, "a", 1)], state_count=7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write(system, tmp_path / "x.lts")
        assert read(tmp_path / "x.lts").state_count == 7


def test_many_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(mcrl2_lts, "BLOCK_TRANSITIONS", 7)
    system = LTS.from_transitions([(n, f"a({n % 13})", n // 2) for n in range(100)])
    write(system, tmp_path / "x.lts")
    assert list(read(tmp_path / "x.lts")) == list(system)


def test_internal_labels_become_tau(tmp_path):
    of_cadp = LTS.from_transitions([(0, "i", 1), (1, "a", 0)])
    with pytest.warns(FormatWarning, match=r"internal labels are written as `tau` in \.lts files"):
        write(of_cadp, tmp_path / "x.lts")
    assert list(read(tmp_path / "x.lts")) == [(0, "tau", 1), (1, "a", 0)]
    with pytest.raises(FormatError, match="the label `tau` is visible here"):
        write(LTS.from_transitions([(0, "tau", 0)]).with_internal([]), tmp_path / "y.lts")
    assert not (tmp_path / "y.lts").exists()


def test_commands(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    write(SYSTEM, "x.aut")
    assert main(["convert", "x.aut", "y.lts"]) == 0
    assert main(["compare", "x.aut", "y.lts", "-e", "strong"]) == 0
    assert main(["minimise", "y.lts", "-e", "branching", "-o", "z.lts"]) == 0
    assert main(["convert", "y.lts", "--to", "lts", "-o", "w"]) == 0
    with open("w", encoding="utf-8") as opened:
        monkeypatch.setattr("sys.stdin", opened)
        assert main(["convert", "-", "--from", "lts", "-o", "v.aut"]) == 0
    assert main(["compare", "v.aut", "x.aut", "-e", "strong"]) == 0
    capfd.readouterr()
    for length in (0, 4, 90):
        (tmp_path / "short.lts").write_bytes((tmp_path / "y.lts").read_bytes()[:length])
        assert main(["convert", "short.lts", "out.aut"]) == 2
        said = capfd.readouterr().err
        assert said.startswith("ltstool: error: short.lts: byte ")
        assert said.count("\n") == 1
        assert not (tmp_path / "out.aut").exists()
    (tmp_path / "p.lps").write_bytes((tmp_path / "y.lts").read_bytes())
    assert main(["generate", "p.lps"]) == 2
    assert "this is an LTS" in capfd.readouterr().err


@st.composite
def changed_files(draw):
    data = bytearray(FILE)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(5, len(data) - 1))
        match draw(st.integers(0, 3)):
            case 0:
                data[at] = draw(st.integers(0, 255))
            case 1:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case 2:
                del data[at : at + draw(st.integers(1, 9))]
            case 3:
                data[at:at] = draw(st.binary(min_size=1, max_size=9))
        if len(data) < 6:
            break
    return bytes(data)


FILE = written(
    lts(
        (0, [action("a", SET, SMALL, sorts=["FSet Nat", "Nat"])], 1),
        (1, [A, B], 0),
        (1, [action("c", real(-1, 2), BAG, sorts=["Real", "FBag Nat"])], 0),
        parameters=[X],
        aliases=[("D", sort("List Nat"))],
    )
)


@given(changed_files())
def test_changed_files_are_read_or_refused(data):
    with suppress(LtsError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mcrl2_lts.read(data, None)


def test_truncated_files_are_refused():
    mcrl2_lts.read(FILE, None)
    for length in range(len(FILE) - 8):
        with pytest.raises(FormatError, match=r"^byte \d+: "):
            mcrl2_lts.read(FILE[:length], None)


@pytest.mark.parametrize(
    ("mark", "what"),
    [
        (b"parameterised_boolean_equation_system", "a Boolean equation system of mCRL2"),
        (b"something_else", "a binary file of mCRL2 that is not read .`something_else`"),
    ],
)
def test_other_binary_files_are_named_by_their_first_term(tmp_path, mark, what):
    writer = TermWriter()
    writer.output(mark, [])
    writer.end()
    data = writer.take()
    (tmp_path / "x.lts").write_bytes(data)
    with pytest.raises(FormatError, match=f"expected an LTS; this is {what}"):
        read(tmp_path / "x.lts")
    (tmp_path / "x.lps").write_bytes(data)
    with pytest.raises(LtsError, match=f"expected a linear process; this is {what}"):
        mcrl2.read(str(tmp_path / "x.lps"))
