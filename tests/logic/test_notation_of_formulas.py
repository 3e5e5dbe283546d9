"""How formulas are written: labels, properties by name, definitions, remarks, and what is wrong."""

import pytest

from lts import LTS, LimitReached, LtsError, ParseError
from lts.logic import PROPERTIES, Lasso, check


def lts(*rows):
    return LTS.from_transitions(rows)


def test_labels_may_be_anything():
    odd = lts((0, 'a "b"', 0), (0, "x.y(1, 2)", 0), (0, "f(g(1),2)", 0))
    assert check(odd, r'<"a \"b\"">true').holds
    assert check(odd, '<"x.y(1, 2)">true').holds
    assert check(odd, "<f(g(1),2)>true").holds
    assert check(odd, "<f(...)>true").holds
    assert not check(odd, "<f>true").holds
    internal = lts((0, "i", 0))
    assert check(internal, "<tau>true && !<i>true").holds
    assert check(internal.with_internal([]), "<i>true && !<tau>true").holds


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("", "expected a formula, not the end"),
        ("<a>", "expected a formula"),
        ('<a>"a(x)"', 'expected a formula, not `"a(x)"`'),
        ("<a true", "expected `>`, not `true`"),
        ("<a>X", "`X` is no variable here"),
        ("mu X. !X", "odd number of negations"),
        ("mu X. X => true", "odd number of negations"),
        ("mu true. true", "expected a variable"),
        ("true)", "expected an operator or the end"),
        ("<(a>true", "never closed"),
        ("<f(>true", "never closed"),
        ("true $", "unexpected '$'"),
        ("<>true", "expected an action"),
        ("<a(x)>a(x)", "expected a formula; a label stands in `<a(x)>`"),
        ("<a+>b", "`b` is no variable here"),
        ("<a+b>", "expected a formula, not the end"),
        ("<'a.*'>true", "labels are written whole, in quotation marks"),
        ("forall d:D. true", "`d` is no argument of an action here"),
        ("forall . true", "expected a formula, not `forall`"),
        ("val(1)", "`1` is no truth value"),
        ("nu X(n:Nat=0). X", "`X` takes 1 value, not 0"),
        ("deadlock-free && true", "a property by name stands alone"),
        ("<[1]>true", "expected an action, not `[`"),
        ("forall n:. true", "expected a sort, or numbers such as `0..4`, not `.`"),
        ("forall n:0...1. true", "expected a number"),
        ("forall n:0..x. true", "`x` is no number"),
        ("forall n(m):0..1. true", "expected a variable, not `n(m)`"),
        ("nu X(n:Nat). X(1)", "expected `=` and a first value, not `)`"),
        ("nu X(n). X", "expected `:` and a sort, not `)`"),
        ("nu X(n:Nat = 1 2). X(1)", "expected `,` or `)`, not `2`"),
        ("val(1,2)", "`val` takes one term"),
        ("val(1 2)", "expected `,` or `)`, not `2`"),
        ("val((1 2))", "expected `)`, not `2`"),
        ("val({1:2 3})", "expected `,` or `}`, not `3`"),
        ("<a({1:2,3})>true", "expected `:` and how often it is there, not `}`"),
        ("val(@)", "unexpected '@' in a term over data"),
        ("exists n:0..3. val(n / 0 == 1)", "`/` by 0"),
        ("exists n:0..3. val(n / (0 - n) == 1)", "`/` by 0"),
        ("exists n:0..3. val(n div 0 == 1)", "`div` by 0"),
        ("exists n:0..3. val(n mod -1 == 1)", "`mod` by -1"),
        ("exists n:0..3. val(q + n == 1)", "`q` is no number"),
    ],
)
def test_errors_say_where_and_what(formula, message):
    with pytest.raises(LtsError, match=r"^formula:1:\d+: ") as caught:
        check(lts(), formula)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("exists n:0..3. val(!(n == 1)) && <a(n)>true", True),
        ("forall n:0..3. val(!(n == 1 || n == 2)) || <a(n)>true", True),
        ("exists n:0..3. val(n >= 2) && <a(n)>true", True),
        ("exists n:0..3. val(n >= 3) && <a(n)>true", False),
        ("exists b:Bool. <true><b(b)>true", True),
        ("forall b:Bool. <true><b(b)>true", False),
        ("exists n:1..3. <true><c(n / 2)>true", True),
        ("<true><c(2 / 4)>true", True),
        ("<true><c(4 / 2)>true", False),
        ("<true><d(-2)>true", True),
        ("<true><d(-(1 + 1))>true", True),
        ("exists x:D. val(x + 1 == 2) && <a(x)>true", True),
        ("exists x:D. val\n (x == 2) && <a(x)>true", True),
        ("<a(*)>true && <b(...)>true", False),
        ("forall x:List(D). <a(x)>true", True),
    ],
)
def test_numbers_and_truth_values_in_labels(formula, holds):
    steps = [(0, "a(1)", 1), (0, "a(2)", 1), (1, "b(true)", 0), (1, "c(1/2)", 0), (1, "d(-2)", 0)]
    found = check(LTS.from_transitions(steps), formula)
    assert found.holds == bool(found) == holds


def test_numbers_have_limits():
    with pytest.raises(LimitReached, match="`n` ranges over more than 100000 values"):
        check(lts(), "exists n:0..100000. <a(n)>true")
    assert not check(lts(), "exists n:1..100000. <a(n)>true")
    with pytest.raises(LimitReached, match="a number in the formula has more than about"):
        check(lts(), "nu X(n:Nat = 7). X(n * n)")


def test_a_path_is_shown_in_short():
    steps = [(0, "a", 1), (1, "b", 2), (2, "c", 1)]
    assert str(Lasso.of(steps, None)) == "a b c"
    assert str(Lasso.of(steps, 1)) == "a (b c)*"
    assert str(Lasso.of(steps[1:], 0)) == "(b c)*"


@pytest.mark.parametrize(
    ("text", "column", "message", "shape"),
    [
        ("send(1 inevitable", 5, "this bracket is never closed", "A inevitable"),
        (" action  a || possible", 14, "expected an action, not the end", "action A possible"),
        ("a before b | c", 12, "expected `&&`, `||` or the end, not `|`", "A before B"),
        ("a b before c", 3, "expected `&&`, `||` or the end, not `b`", "A before B"),
    ],
)
def test_an_error_in_a_property_is_about_the_property(text, column, message, shape):
    with pytest.raises(ParseError) as caught:
        check(lts(), text)
    assert (caught.value.column, caught.value.text) == (column, text)
    assert str(caught.value.message).startswith(f"{message}; `{shape}` is `{PROPERTIES[shape]}`")


def test_the_choice_of_mcrl2():
    system = lts((0, "a", 1), (1, "b", 2), (2, "b", 0))
    for path in ("a+b", "(a + b)", "b + a.b.b", "b+ + a", "(b . b)+ + a+"):
        assert check(system, f"<{path}>true").holds, path
    assert not check(system, "<b + b.a>true").holds
    assert check(system, "<a.b+.a>true && !<a.a+b.b+a.b.a>true && <a.(a+b)+.a>true").holds


def test_definitions_stand_for_what_they_define():
    system = lts((0, "a", 1), (1, "b", 0), (1, "in", 1))
    assert check(system, "let F = <b>true in <a>F && !F").holds
    assert check(system, "let F = <b>true in let G = <a>F in\n nu X. G && <a.b>X").holds
    assert check(system, "let F = <in>true in let F = !F in F && <a>!F").holds
    assert check(system, "let F = <a>true => false in F => <b>true").holds


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("let F = true", "expected `in`, not the end"),
        ("let true = true in true", "expected a name, not `true`"),
        ("let F true in F", "expected `=`, not `true`"),
        ("let F = F in F", "`F` is no variable here"),
        ("mu X. let F = <a>X in F", "`X` is no variable here"),
        ("(let F = true in F) && F", "`F` is no variable here"),
    ],
)
def test_wrong_definitions(formula, message):
    with pytest.raises(ParseError) as caught:
        check(lts(), formula)
    assert message in str(caught.value)


def test_many_definitions_are_no_deep_nesting():
    text = "let F0 = true in\n"
    text += "".join(f"let F{i + 1} = <a>(F{i} && F{i}) in\n" for i in range(3000))
    chain = lts(*((i, "a", i + 1) for i in range(3000)))
    assert check(chain, text + "F3000").holds
    assert not check(chain, text + "<a>F3000").holds


def test_remarks_in_formulas():
    assert check(lts((0, "a", 1)), "% whether a\n<a> % is possible\ntrue").holds
    assert check(lts((0, "a%", 1)), '<"a%">true').holds


def test_actions_that_no_label_is_are_told():
    system = lts((0, "send(1)", 1), (1, "tau", 2))
    found = check(system, '<send(...)>true || <sent> true || ["recv(1)"|tau]false || <a(...)>true')
    assert found.unknown == ("sent", "recv(1)", "a(...)")
    assert check(system, "deadlock-free").unknown == ()


def test_a_misspelt_property_is_told():
    with pytest.raises(ParseError, match="did you mean the property `deadlock-free`"):
        check(lts(), "deadlock_free")
