"""Formulas that begin with declarations, as files of mCRL2 do."""

import pytest

from lts import LtsError, ParseError, mcrl2, mucrl
from lts.logic import check, check_process
from lts.state_space import generate
from lts.text.source import Source

TEXT = mcrl2.read_text("""sort D = struct d1 | d2;
map next: D -> D; glob start: D;
eqn next(d1) = d2; next(d2) = d1;
act a, b: D;
proc P(d: D) = a(d) . b(next(d)) . P(next(d));
init P(d1);
""")


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("map f: D -> D; var d: D; eqn f(d) = next(next(d)); form <a(f(d1))>true;", True),
        ("map f: D -> D; var d: D; eqn f(d) = next(d);\nform <a(f(d1))>true;", False),
        ("sort E = struct e1(of: D) | e2; form exists e: E. val(is(e)) && <a(of(e))>true"
         .replace("val(is(e))", "val(e != e2)"), True),
        # What the text declares, too, is the same.
        ("sort D = struct d1 | d2; map next: D -> D; act a, b: D; glob start: D;\n"
         "form [true*] forall d: D. [a(d)]<b(next(d))>true", True),
        ("act c: Nat; form [true*][c(3)]false", True),
        ("% form\nmap k: D; eqn k = d2; % form\nform <true*.a(k)>true", True),
        ("var x: Nat; eqn next(d1) = d2;\nform <true>true", True),
    ],
)  # fmt: skip
def test_declarations_extend_the_formula(formula, holds):
    assert check_process(TEXT, formula).holds == holds


@pytest.mark.parametrize(
    ("formula", "place", "message"),
    [
        ("map f: E; form true", (1, 8), "sort `E` is not declared"),
        ("map f: Nat;\neqn f = true; form true", (2, 9), "must have sort `Nat`, not `Bool`"),
        ("sort D = struct d1 | d3; form true", (1, 6), "sort `D` is already declared"),
        ("map next: D -> Bool; form true", None, ""),
        ("map f: Nat; proc P = delta; form true", (1, 18), "a formula cannot declare processes"),
        ("map f: Nat; init delta; form true", (1, 18), "a formula cannot declare processes"),
        ("eqn next(d1) = d1; form true", (1, 5), "has different equations for `next`"),
        ("glob start: Nat; form true", (1, 6), "`start` is a `D` in the specification"),
        ("map f: Nat form true", (1, 11), "expected `;`"),
        ("map f: Nat; form <a(g)>true", (1, 21), "`g` is not a variable or constant"),
    ],
)
def test_wrong_declarations_are_refused_with_position(formula, place, message):
    source = Source(formula, "own.mcf")
    if not message:
        assert check_process(TEXT, source).holds
        return
    with pytest.raises(LtsError) as refused:
        check_process(TEXT, source)
    assert message in refused.value.message
    assert (refused.value.file, refused.value.line, refused.value.column) == ("own.mcf", *place)


def test_declarations_need_an_mcrl2_specification():
    formula = "map f: Nat; form <true>true"
    read = mucrl.read_text("sort Bool func T,F:->Bool act a init a")
    for checked in (lambda: check(generate(TEXT), formula), lambda: check_process(read, formula)):
        with pytest.raises(ParseError, match="are for specifications in mCRL2"):
            checked()


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("exists n: Nat. val(n > 5)", True),
        ("forall n: Nat. val(n > 5)", False),
        ("forall n: Nat. val(n >= 0)", True),
        ("exists n: Nat. val(n > 5 && n * n == 49)", True),
        ("nu X(n: Nat = 0). (exists m: Nat. val(m > n)) && [true]X(n + 1)", None),
        ("nu X(n: Nat = 0). (exists m: Nat. val(m > n && m < 4)) && [true]X(n + 1)", False),
        ("nu X(n: Nat = 0). (exists m, k: Nat. val(n < m && m < k)) && [a(d1)]X(n)", True),
        ("exists n: Nat. (val(n > 5) && !val(n < 7)) || val(n == 3 && n == 4)", True),
    ],
)  # fmt: skip
def test_pure_number_conditions_are_solved(formula, holds):
    if holds is None:
        formula = formula.replace("X(n + 1)", "X((n + 1) mod 5)")
    assert check_process(TEXT, formula).holds == (holds is not False)


def test_undecided_quantifiers_name_the_variable():
    with pytest.raises(LtsError, match="nothing bounds `n`, and `Nat` has infinitely many"):
        check_process(TEXT, "forall n, m: Nat. val(n * m == m * n)")


def test_the_search_for_witnesses_is_bounded():
    """Six nested quantifiers have 20^6 combinations of the values that are tried for each."""
    names = ("u", "v", "w", "x", "y", "z")
    quantifiers = " ".join(f"exists {name}: Nat." for name in names)
    condition = f"{' * '.join(names)} == 1234567891"
    with pytest.raises(LtsError, match="nothing bounds `u`"):
        check_process(TEXT, f"{quantifiers} val({condition})")
    # Parts without a condition count as well.
    with pytest.raises(LtsError, match="nothing bounds `u`"):
        check_process(TEXT, f"{quantifiers} <a(d1)>val({condition})")
