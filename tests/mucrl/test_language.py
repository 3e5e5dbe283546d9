"""The language: what is accepted, what is refused and where, parametrised texts."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LtsError, ParseError, SpecificationError, Unsupported
from lts.mucrl import generate, linear_text, linearise, read_text
from lts.mucrl.text.directives import expand

BOOL = "sort Bool func T,F:->Bool\n"
NAT = BOOL + "sort Nat func 0:->Nat S:Nat->Nat\n"


def traces(text):
    return [a for _, a, _ in generate(read_text(BOOL + text)).transitions()]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("act a b c init a.b + c", ["a", "c", "b"]),
        ("act a b init a <| T |> b", ["a"]),
        ("act a b c init a.b <| F |> c", ["c"]),
        ("act a b c init (a <| T |> b).c", ["a", "c"]),
        ("act tau_s3dn a init tau_s3dn.tau.a", ["tau_s3dn", "tau", "a"]),
        ("act i-del a' 1 init i-del.a'.1", ["i-del", "a'", "1"]),
        ("act a:Bool b init sum(x:Bool,a(x)) % a comment\r\n", ["a(T)", "a(F)"]),
        ("act a,b c init a", ["a"]),
        ("act a b init rename({a->b},a)", ["b"]),
        ("act a init hide({a},a)", ["tau"]),
    ],
)
def test_operators_and_names(text, labels):
    assert traces(text) == labels


def test_inner_operators_apply_first_in_recursion():
    text = BOOL + "act a b proc X = a.hide({a},rename({a->b},X)) init X"
    assert set(generate(read_text(text)).transitions()) == {(0, "a", 1), (1, "b", 1)}


def test_sections_in_any_order():
    system = generate(read_text("init X proc X = a(T) act a:Bool func T,F:->Bool sort Bool"))
    assert system.labels == ("a(T)",)


def test_comments_may_contain_invalid_utf8():
    text = "% \udcb5CRL\n" + BOOL + "act a init a"
    assert generate(read_text(text)).labels == ("a",)


def test_overloading_by_argument_sorts():
    text = NAT + "act a:Nat a:Bool a init a(0).a(T).a"
    assert generate(read_text(text)).labels == ("a(0)", "a(T)", "a")


def test_rules_that_are_not_left_linear():
    text = NAT + (
        "map eq:Nat#Nat->Bool var x,y:Nat rew eq(x,x)=T eq(0,S(x))=F eq(S(x),0)=F "
        "eq(S(x),S(y))=eq(x,y) act a:Bool init a(eq(S(0),S(0))).a(eq(S(S(0)),S(0)))"
    )
    assert generate(read_text(text)).labels == ("a(T)", "a(F)")


@pytest.mark.parametrize(
    ("text", "kind", "place", "message"),
    [
        ("init a.", ParseError, "1:8", "found the end of the text"),
        ("init $", ParseError, "1:6", "`$`, which is not part"),
        ("sort D init delta", SpecificationError, "1:6", "sort `Bool` must be declared"),
        ("sort Bool func T:->Bool init delta", SpecificationError, "1:6", "constructor `F`"),
        (BOOL + "act a init b", SpecificationError, "2:12", "`b` is not declared"),
        (BOOL + "act aaa init aab", SpecificationError, "2:14", "did you mean `aaa`"),
        (BOOL + "act a:D init delta", SpecificationError, "2:7", "sort `D` is not declared"),
        (
            BOOL + "act a:Bool init a",
            SpecificationError,
            "2:17",
            "`a:Bool` (line 2) takes 1 argument",
        ),
        (BOOL + "act a init a(T)", SpecificationError, "2:12", "`a` (line 2) takes no arguments"),
        (BOOL + "act a a init a", SpecificationError, "2:7", "already declared (line 2)"),
        (BOOL + "act a init a init a", SpecificationError, "2:14", "already an `init`"),
        (BOOL + "act a", SpecificationError, "2:6", "there is no `init`"),
        (
            BOOL + "proc X=delta X=delta init X",
            SpecificationError,
            "2:14",
            "already defined (line 2)",
        ),
        (BOOL + "act a proc a=delta init a", SpecificationError, "2:12", "already an action"),
        (BOOL + "act a init a <| a |> a", SpecificationError, "2:17", "`a` is an action"),
        (NAT + "act a init a <| 0 |> a", SpecificationError, "3:17", "sort `Bool`, not `Nat`"),
        (BOOL + "init sum(T:Bool,delta)", SpecificationError, "2:10", "has the name of a constant"),
        (BOOL + "rew T=F init delta", SpecificationError, "2:5", "cannot be rewritten"),
        (NAT + "map f:->Nat rew f=T init delta", SpecificationError, "3:19", "has sort `Nat`"),
        (
            NAT + "map f:->Nat var n:Nat rew f=n init delta",
            SpecificationError,
            "3:29",
            "does not occur on the left",
        ),
        (BOOL + "act a init encap({b},a)", SpecificationError, "2:19", "action `b`"),
        (BOOL + "act a b:Bool comm a|a=b init a", SpecificationError, "2:23", "needs the action"),
        (BOOL + "proc X(x:Bool,x:Bool)=delta init X(T,T)", SpecificationError, "2:15", "twice"),
        (NAT + "act a init a@0", Unsupported, "3:13", "`@` is not supported"),
        (BOOL + "act a init a<<a", Unsupported, "2:13", "`<<` is not supported"),
    ],
)
def test_errors_have_a_position(text, kind, place, message):
    with pytest.raises(kind) as refused:
        read_text(text, file="x.mcrl")
    assert str(refused.value).startswith(f"x.mcrl:{place}: ")
    assert message in str(refused.value)
    assert "^" in str(refused.value)


@given(st.data())
def test_damaged_texts_are_refused(data):
    text = NAT + (
        "map f:Nat->Nat var n:Nat rew f(0)=S(0) f(S(n))=n act a,b:Nat c comm a|b=a\n"
        "proc X(n:Nat) = sum(m:Nat, a(m).X(f(m)) <| T |> delta) + c.X(n)\n"
        "init encap({b}, X(0) || hide({c}, X(S(0))))\n"
    )
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 6)))
    damaged = text[:start] + data.draw(st.text("(){}.,:=|+<>%@ aTn", max_size=3)) + text[stop:]
    with suppress(LtsError):
        linearise(read_text(damaged))


def test_parameters_and_loops():
    text = "%@ parameter N = 2\n%@ for i in 1..N\n%@ for j in 1..i-1\n@{i}-@{j*10}\n%@ end\n%@ end"
    source, parameters = expand(text)
    assert source.text.split("\n") == ["2-10"]
    assert parameters == {"N": 2}
    source, parameters = expand(text, parameters={"N": 3})
    assert source.text.split("\n") == ["2-10", "3-10", "3-20"]
    assert [source.line_number(line) for line in (1, 2, 3)] == [4, 4, 4]


def test_powers_bind_tighter_and_associate_right():
    text = "%@ parameter N = 3\n@{2 * N ** 2} @{2 ** N ** 2} @{0 ** 0} @{(-2) ** N} @{-2 ** 2}"
    assert expand(text + "@{1 ** 99}")[0].text == "18 512 1 -8 -41"


def test_texts_without_directives_are_unchanged():
    text = "% nothing\ninit @{delta"
    assert expand(text)[0].text == text


def test_errors_in_an_expanded_text_point_into_the_file():
    text = BOOL + "%@ parameter N = 3\nact a\n%@ for i in 1..N\n%@ end\ninit b\n"
    with pytest.raises(SpecificationError, match=r"^x:6:6: "):
        read_text(text, file="x")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%@ for i in 1..2", "without `%@ end`"),
        ("%@ end", "without `%@ for`"),
        ("%@ form", "expected `%@ parameter"),
        ("%@ parameter N = 1\n%@ parameter N = 2", "declared once"),
        ("%@ parameter N = 1\n@{M}", "`M` is not a parameter"),
        ("%@ parameter N = 1\n@{N//0}", "division by zero"),
        ("%@ parameter N = 1\n@{2**-N}", "negative exponent"),
        ("%@ parameter N = 1\n@{2**61}", "too large"),
        ("%@ parameter N = 1\n@{(9**19)**2}", "too large"),
        ("%@ parameter N = 1\n@{(((9**60)**60)**60)**60}", "too large"),
        ("%@ parameter N = 1\n@{N.real}", "not an integer expression"),
        ("%@ parameter N = 1\n@{__import__('os')}", "not an integer expression"),
        ("%@ for i in 1..9999999\n%@ end\n%@ for i in 1..9999999\nx\n%@ end", "more than"),
    ],
)
def test_wrong_directives(text, message):
    with pytest.raises(LtsError, match=message):
        expand(text)


def test_linear_process_records_source_lines():
    text = BOOL + "act a:Bool proc X(x:Bool) = a(x).X(F)\ninit X(T) || X(F)"
    process = linearise(read_text(text))
    assert [c.name for c in process.components] == ["X_T", "X_F"]
    assert [p.variable.name for p in process.parameters] == ["X_T_x", "X_F_x"]
    shown = linear_text(process)
    assert "a(X_T_x) .\n        X(F, X_F_x)" in shown
    assert "X_T line 2" in shown
    assert "init X(T, F)" in shown
