"""How formulas are written: labels, properties by name, definitions, remarks, and what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LTS, LimitReached, LtsError, ParseError
from lts.logic import PROPERTIES, Lasso, check, check_process
from lts.mucrl import generate, read_text


def lts(*rows):
    return LTS.from_transitions(rows)


def test_labels_may_be_any_text():
    odd = lts((0, 'a "b"', 0), (0, "x.y(1, 2)", 0), (0, "f(g(1),2)", 0))
    assert check(odd, r'<"a \"b\"">true').holds
    assert check(odd, '<"x.y(1, 2)">true').holds
    assert check(odd, "<f(g(1),2)>true").holds
    assert check(odd, "<f(...)>true").holds
    assert not check(odd, "<f>true").holds
    internal = lts((0, "i", 0))
    assert check(internal, "<tau>true && !<i>true").holds
    assert check(internal.with_internal([]), "<i>true && !<tau>true").holds
    # Also what is a word of formulas elsewhere.
    words = lts((0, "exists", 1), (1, "G(2)", 0))
    assert check(words, "<exists . G(2)>true && !<G(2)>true && A F G(...)").holds
    assert check(words, "not(<G(2)>true) and not(A F <a>true)").holds


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("", "expected a formula, not the end"),
        ("<a>", "expected a formula"),
        ('<a>"a(x)"', 'expected a formula, not `"a(x)"`'),
        ("<a true", "expected `>`, not `true`"),
        ("<a>X", "`X` is not a variable here"),
        ("mu X. !X", "odd number of negations"),
        ("mu X. X => true", "odd number of negations"),
        ("mu true. true", "expected a variable"),
        ("true)", "expected an operator or the end"),
        ("<(a>true", "this `(` is never closed"),
        ("<f(>true", "never closed"),
        ("true $", "`$` is not part of the language"),
        ('<"a>true', '`"` is not part of the language: it is never closed'),
        ("<>true", "expected an action"),
        ("<a(x)>a(x)", "expected a formula; write a label in brackets, `<a(x)>`"),
        ("<a+>b", "`b` is not a variable here"),
        ("<a+b>", "expected a formula, not the end"),
        ("<'a.*'>true", "write a label in full, in quotation marks"),
        ("forall d:D. true", "`d` is not an argument of an action here"),
        ("forall . true", "expected a formula, not `forall`"),
        ("val(1)", "`1` is not a truth value"),
        ("nu X(n:Nat=0). X", "`X` takes 1 value, not 0"),
        ("deadlock-free && true", "a named property cannot be part of a formula"),
        ("<[1]>true", "expected an action, not `[`"),
        ("<mu>true", "expected an action, not `mu`"),
        ("<val>true", "expected an action, not `val`"),
        ("forall x:Bool, 3:Bool. true", "expected a variable, not `3`"),
        ("forall x:Bool", "expected `.`, not the end"),
        ("exists x:(Bool. true", "this `(` is never closed"),
        ("nu 3. true", "expected a variable, not `3`"),
        ("nu val(n:Nat = 0). true", "expected a variable, without arguments"),
        ("mu X(n:Nat = 0)", "expected `.`, not the end"),
        ("let f(x) = true in true", "expected a name, without arguments"),
        ("let true = false in true", "expected a name, not `true`"),
        ("a before", "did you mean the property `A before B`?"),
        ("nu X(n:List(Nat,Nat) = []). true", "expected `)`, found `,`"),
        ("val({:3})", "expected an expression, found `:`"),
        ("val(1", "this `(` is never closed"),
        ("val(1 +)", "expected an expression, found `)`"),
        ("A F in", "expected a formula about paths, not `in`"),
        ("A F ]", "expected a formula about paths, not `]`"),
        ("A F >", "expected a formula about paths, not `>`"),
        ("A(...)", "a label in brackets, `<A(...)>`"),
        ("forall n:. true", "expected a sort, or numbers such as `0..4`, not `.`"),
        ("forall n:0...1. true", "expected a sort, or numbers such as `0..4`, not `0`"),
        ("forall n:0..(1). true", "expected a number"),
        ("forall n:0..x. true", "`x` is not a number"),
        ("forall n(m):0..1. true", "expected a variable, without arguments"),
        ("nu X(n:Nat). X(1)", "expected `=` and a first value, found `)`"),
        ("nu X(n). X", "expected `:` and a sort, found `)`"),
        ("nu X(n:Nat = 1 2). X(1)", "expected `)`, found `2`"),
        ("val(1,2)", "`val` takes one term"),
        ("val(1 2)", "expected `)`, found `2`"),
        ("val((1 2))", "expected `)`, found `2`"),
        ("val({1:2 3})", "expected `}`, found `3`"),
        ("<a({1,2:3})>true", "expected `}`, found `:`"),
        ("<a({1:2,3})>true", "expected `:` and its multiplicity, found `}`"),
        ("val(@)", "expected an expression, found `@`"),
        ("val(forall x: D. x)", "`forall` can be used only in terms for an mCRL2 specification"),
        ("val(x[1 -> 2] == x)", "a function as a value can be used only in terms"),
        ("val(1 in [1])", "`in` can be used only in terms for an mCRL2 specification"),
        ("exists n:0..3. val(n / 0 == 1)", "`/` by 0"),
        ("exists n:0..3. val(n / (0 - n) == 1)", "`/` by 0"),
        ("exists n:0..3. val(n div 0 == 1)", "`div` by 0"),
        ("exists n:0..3. val(n mod -1 == 1)", "`mod` by -1"),
        ("exists n:0..3. val(q + n == 1)", "`q` is not a number"),
        ("val(true(1))", "`true(1)` is not a truth value"),
        ("[a)]true", "expected `]` for the `[` of line 1, found `)`"),
        ("<a;b>true", "expected `>`, not `;`; paths are joined by `.`"),
        ("A (a U U)", "expected a formula about paths, not `U`"),
    ],
)
def test_errors_have_position_and_message(formula, message):
    with pytest.raises(LtsError, match=r"^formula:1:\d+: ") as caught:
        check(lts(), formula)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("formula", "column", "message"),
    [
        ("val(1 + c < 3)", 9, "`c` is not a number"),
        ("val(1 < 3 && (2 == 2) => c)", 26, "`c` is not a truth value"),
        ("val(!(f(1 + c) == 3))", 13, "`c` is not a number"),
        ("val([1, {2 div (1 - 1)}] == 3)", 10, "`div` by 0"),
        ("val(1 + (2 + {c}) * -d < 3)", 14, "`{c}` is not a number"),
        ("exists n:0..3. <a(1 mod n, 2)>true", 19, "`mod` by 0"),
        # What `whr` defines is where it is used, and its parts where they are written.
        ("val(3 < x whr x = c end)", 9, "`c` is not a number"),
        ("val(3 < x whr x = 1 + c end)", 23, "`c` is not a number"),
        ("val(x + 1 < y whr x = d, y = 2 end)", 5, "`d` is not a number"),
        # A value that a quantifier over paths replaces is where the variable is.
        ("exists n:Bool. A G val(n + 1 == 2)", 24, "`true` is not a number"),
        ("E forall n:Bool. (!b(n + 1) U b(1 + n))", 10, "`false` is not a number"),
    ],
)
def test_errors_in_parts_of_terms_are_at_their_places(formula, column, message):
    system = lts((0, "a(1,2)", 0), (0, "b(2)", 0))
    with pytest.raises(LtsError, match=r"^formula:1:\d+: ") as caught:
        check(system, formula)
    assert (caught.value.column, message) == (column, caught.value.message)


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
        ("nu X(x:List(List(D)) = []). <true>X(x)", True),
    ],
)
def test_numbers_and_truth_values_in_labels(formula, holds):
    steps = [(0, "a(1)", 1), (0, "a(2)", 1), (1, "b(true)", 0), (1, "c(1/2)", 0), (1, "d(-2)", 0)]
    found = check(LTS.from_transitions(steps), formula)
    assert found.holds == bool(found) == holds


def test_unmatched_actions_have_no_labels():
    """Other numbers of arguments, labels that are no actions, and internal ones are others."""
    odd = lts((0, "c(1,2)", 0), (0, "d(1", 0), (0, "e(\u00b2)", 0), (0, "x|y", 0), (0, "z|z", 0))
    odd = odd.with_internal(["z|z"])
    for formula in ("<c(1)>true", "<c(1,2,3)>true", "<d(1)>true", "<x>true", "<e>true",
                    "exists n:Nat. <c(n)>true", "exists n:1..2. <d(n)>true"):  # fmt: skip
        assert not check(odd, formula).holds, formula
    for formula in ("<c(1,2)>true", "<c( 1, 2 )>true", "<tau>true", '<"d(1">true',
                    "exists n:Nat. <c(1,n)>true", "exists _n:1..2. <c(_n,2)>true",
                    "exists x:Nat, y:Nat. <c(x,y)>true && val(x < y)",
                    "exists x:D. <e(x)>true", "let x = true in let y = x in y"):  # fmt: skip
        assert check(odd, formula).holds, formula
    with pytest.raises(LtsError, match="`\u00b2` is not a number"):
        check(odd, "exists n:Nat. <e(n)>true && val(n < 3)")
    assert check(odd, "<x|y>true && <y|x>true", file="a.mcf").holds
    for formula in ("<x|z>true", "<x|y|x>true", "<z|z>true", "<x|c(1,2)>true"):
        assert not check(odd, formula, file="a.mcf").holds, formula
    named = "<c(...)>true || <q(...)>true || <y|x>true || <x|q>true || <q(1)>true || <tau|y>true"
    assert check(odd, named, file="a.mcf").unknown == ("q(...)", "x|q", "q(1)", "y")


@pytest.mark.parametrize("words", ["true false", "T F", "TRUE FALSE"])
def test_truth_values_follow_the_labels(words):
    true, false = words.split()
    system = lts((0, f"b({true})", 1), (1, f"c(1, f({false}))", 0), (1, f"{true}", 0))
    for formula in ("exists x:Bool. <b(x)>true && val(x)", "exists x:Bool. <b(!x)>true && val(!x)",
                    "<b(true)><c(1,f(false))>true", f"<b({true})><c(1,f({false}))>true",
                    "exists x:Bool. <b(true)><c(1,f(x))>true && val(x == false)",
                    "exists x:Bool. <b(x)>true && val(x == (1 < 2))",
                    "nu X(x:Bool = true). <b(x)><c(1,f(!x))>X(x)"):  # fmt: skip
        assert check(system, formula).holds, formula
    assert check(system, "exists x:D. <b(x)>true && val(x) && val(x == true)").holds
    assert not check(system, "exists x:D. <b(x)>true && val(!x)").holds
    assert check(system, "forall x:Bool. [b(x)]false || val(x)").holds
    assert not check(system, "forall x:Bool. <b(x)>true").holds
    assert not check(system, "exists x:Bool. <b(x)>true && val(!x)").holds


def test_truth_values_of_two_tools_are_distinct():
    system = lts((0, "b(true)", 0), (0, "c(T)", 0))
    assert not check(system, "<c(true)>true").holds
    assert not check(system, "exists x:Bool. <c(x)>true").holds
    assert check(system, "exists x:D. <c(x)>true && val(x == T)").holds
    with pytest.raises(LtsError, match="`1` is not a truth value"):
        check(lts((0, "b(1)", 0)), "exists x:D. <b(x)>true && val(x)")


@pytest.mark.parametrize("quantifier", ["forall", "exists"])
@pytest.mark.parametrize(
    "body", ["<b(x)>true", "[b(x)]false", "<b(x)>true && val(x)", "<c(x)>true"]
)
def test_truth_values_are_those_of_the_specification(quantifier, body):
    """A formula says the same of a specification and of its steps, written to a file."""
    text = read_text(
        "sort Bool func T,F:->Bool act b,c:Bool init b(T).delta + sum(x:Bool, c(x).delta)"
    )
    formula = f"{quantifier} x:Bool. {body}"
    assert check(generate(text), formula).holds == check_process(text, formula).holds


def test_values_are_equal_up_to_blanks():
    system = lts((0, "b(f(1, 2))", 0), (0, "c(f(1,2))", 0), (0, 'd("1, 2")', 0))
    for formula in ("<b(f(1,2))>true", "<c(f(1, 2))>true", "exists x:D. <b(x)><c(x)>true",
                    "exists x:D, y:D. <b(x)><c(y)>true && val(x == y)",
                    "exists x:D, y:D. <b(x)><c(y)>true && val(y == x)"):  # fmt: skip
        assert check(system, formula).holds, formula
    assert not check(system, "exists x:D, y:D. <b(x)><c(y)>true && val(x != y)").holds
    # Blanks in quotation marks are of the value.
    quoted = lts((0, 'b("1, 2")', 0), (0, 'c("1,2")', 0))
    assert not check(quoted, "exists x:D, y:D. <b(x)><c(y)>true && val(x == y)").holds


def test_ranges_and_numbers_have_limits():
    with pytest.raises(LimitReached, match="`n` ranges over more than 100000 values"):
        check(lts(), "exists n:0..100000. <a(n)>true")
    assert not check(lts(), "exists n:1..100000. <a(n)>true")
    with pytest.raises(LimitReached, match="a number in the formula has more than about"):
        check(lts(), "nu X(n:Nat = 7). X(n * n)")
    with pytest.raises(LimitReached, match="a number in the formula has more than about"):
        check(lts((0, f"a({'7' * 4001})", 0)), "exists n:Nat. <a(n)>true && val(n > 0)")
    assert check(lts((0, f"a({'7' * 4000})", 0)), "exists n:Nat. <a(n)>true && val(n > 0)")


def test_lassos_are_shown_compactly():
    steps = [(0, "a", 1), (1, "b", 2), (2, "c", 1)]
    assert str(Lasso.of(steps, None)) == "a b c"
    assert str(Lasso.of(steps, 1)) == "a (b c)*"
    assert str(Lasso.of(steps[1:], 0)) == "(b c)*"


@pytest.mark.parametrize(
    ("text", "column", "message", "shape"),
    [
        ("send(1 inevitable", 5, "this `(` is never closed", "A inevitable"),
        (" action  a || possible", 14, "expected an action, not the end", "action A possible"),
        ("a before b | c", 12, "expected `&&`, `||` or the end, not `|`", "A before B"),
        ("a b before c", 3, "expected `&&`, `||` or the end, not `b`", "A before B"),
    ],
)
def test_errors_in_properties_show_their_expansion(text, column, message, shape):
    with pytest.raises(ParseError) as caught:
        check(lts(), text)
    assert (caught.value.column, caught.value.text) == (column, text)
    assert str(caught.value.message).startswith(f"{message}; `{shape}` is `{PROPERTIES[shape]}`")


@pytest.mark.parametrize(("path", "holds"), [
    ("b+(a.a.b)", True), ("b+!b", True), ('b+"c"', True), ("(a.a)+b", True), ("(a.a)+.b", True),
    ("b+(c.b)", False), ("b+!(a||c)", False), ('b+"b"', False), ("(c.a)+b", False),
    ("(a.a)+.a", False),
])  # fmt: skip
def test_a_plus_before_a_path_is_a_choice(path, holds):
    system = lts((0, "a", 1), (1, "a", 2), (2, "b", 3), (0, "c", 3))
    assert check(system, f"<{path}>true").holds == holds
    assert check(system, f"[{path}]false").holds != holds


def test_plus_as_choice_and_repetition():
    system = lts((0, "a", 1), (1, "b", 2), (2, "b", 0))
    for path in ("a+b", "(a + b)", "b + a.b.b", "b+ + a", "(b . b)+ + a+"):
        assert check(system, f"<{path}>true").holds, path
    assert not check(system, "<b + b.a>true").holds
    assert check(system, "<a.b+.a>true && !<a.a+b.b+a.b.a>true && <a.(a+b)+.a>true").holds


def test_definitions_are_scoped_abbreviations():
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
        ("let F = F in F", "`F` is not a variable here"),
        ("mu X. let F = <a>X in F", "`X` is not a variable here"),
        ("(let F = true in F) && F", "`F` is not a variable here"),
    ],
)
def test_wrong_definitions(formula, message):
    with pytest.raises(ParseError) as caught:
        check(lts(), formula)
    assert message in str(caught.value)


def test_thousands_of_definitions_need_no_recursion():
    text = "let F0 = true in\n"
    text += "".join(f"let F{i + 1} = <a>(F{i} && F{i}) in\n" for i in range(3000))
    chain = lts(*((i, "a", i + 1) for i in range(3000)))
    assert check(chain, text + "F3000").holds
    assert not check(chain, text + "<a>F3000").holds


def test_remarks_in_formulas():
    assert check(lts((0, "a", 1)), "% whether a\n<a> % is possible\ntrue").holds
    assert check(lts((0, "a%", 1)), '<"a%">true').holds


def test_unknown_actions_are_reported():
    system = lts((0, "send(1)", 1), (1, "tau", 2))
    found = check(system, '<send(...)>true || <sent> true || ["recv(1)"|tau]false || <a(...)>true')
    assert found.unknown == ("sent", "recv(1)", "a(...)")
    assert check(system, "deadlock-free").unknown == ()


def test_misspelt_properties_give_a_hint():
    with pytest.raises(ParseError, match="did you mean the property `deadlock-free`"):
        check(lts(), "deadlock_free")


NAMED = (
    *("<a>true", "<a(1)>true", "<a(...)>true", "<b(1, ...)>true", "<a|b>true", '<"a(1)">true'),
    *(
        "<c>true",
        "exists n: 0..2. <a(n)>true",
        "<a(1)|b>true",
        "A G !a",
        "<!a(2)>true",
        "<a||b>true",
    ),
)
SEEN = ("a", "a(1)", "a(2)", "b(1,2)", "a|b", "a(1)|b", "c", "d")


@given(st.sampled_from(NAMED), st.sampled_from(NAMED), st.sets(st.sampled_from(SEEN)), st.data())
def test_more_labels_make_no_action_unknown(left, right, labels, data):
    """So actions that are all possible without labels need no look at these."""
    some = data.draw(st.sets(st.sampled_from(sorted(labels)))) if labels else set()
    formula = f"({left}) || ({right})"
    known, least, none = (
        set(check(lts(*((0, label, 0) for label in sorted(each))), formula, file="a.mcf").unknown)
        for each in (labels, some, ())
    )
    assert known <= least <= none
