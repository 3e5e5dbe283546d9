"""The symbols of the predefined functions.

Their names cannot clash with names in a text: they contain `@`, or are numbers or operators.
"""

from __future__ import annotations

from functools import cache

from lts.mcrl2.data.sort_names import element_of, is_bag, is_identity, is_list, is_set
from lts.specification.notation import Notation, infix, prefix
from lts.specification.specification import Numbers
from lts.specification.terms import NUMERAL, VALUE, Application, Function, Term

__all__ = [
    "FALSE", "MINUS", "NUMBERS", "OF_NAT", "ONE", "RATIO", "SUCC_NAT", "SUCC_POS", "TRUE", "WIDER",
    "ZERO",
    "bag_constructors", "constructors_of", "convert", "function", "is_number",
    "list_constructors", "numbers_of", "numeral", "set_constructors",
]  # fmt: skip

_TRUE = Function("true", (), "Bool", constructor=True)
_FALSE = Function("false", (), "Bool", constructor=True)
TRUE = Application(_TRUE)
FALSE = Application(_FALSE)

ONE = Function("1", (), "Pos", constructor=True)
SUCC_POS = Function("@succ", ("Pos",), "Pos", constructor=True)
ZERO = Function("0", (), "Nat", constructor=True)
SUCC_NAT = Function("@succ", ("Nat",), "Nat", constructor=True)
OF_NAT = Function("@of", ("Nat",), "Int", constructor=True, notation=prefix(""))
MINUS = Function("@minus", ("Pos",), "Int", constructor=True, notation=prefix("-"))

_FRACTION = Notation(("(", "/", ")"), omitted="1")
RATIO = Function("@ratio", ("Int", "Pos"), "Real", native=VALUE, notation=_FRACTION)
"""Builds real numbers as fractions in lowest terms; no sum ranges over all of them."""

NUMBERS = {
    "Pos": Numbers("Pos", (ONE, SUCC_POS)),
    "Nat": Numbers("Nat", (ZERO, SUCC_NAT)),
    "Int": Numbers("Int", (OF_NAT, MINUS)),
}

_NATIVE = {
    ("+", 2): "add", ("-", 2): "subtract", ("-", 1): "negate", ("*", 2): "multiply",
    ("div", 2): "div", ("mod", 2): "mod", ("exp", 2): "power", ("abs", 1): "absolute",
    ("min", 2): "minimum", ("max", 2): "maximum", ("succ", 1): "successor",
    ("pred", 1): "predecessor", ("@monus", 2): "monus", ("==", 2): "equal", ("!=", 2): "different",
    ("<", 2): "less", ("<=", 2): "less_or_equal", (">", 2): "greater", (">=", 2):
    "greater_or_equal", ("Pos2Nat", 1): "convert", ("Pos2Int", 1): "convert",
    ("Nat2Int", 1): "convert", ("Nat2Pos", 1): "convert", ("Int2Nat", 1): "convert",
    ("Int2Pos", 1): "convert",
}  # fmt: skip


_PREFIX = {"!": "!", "-": "-", "#": "#", "@complement": "!", "Pos2Nat": "", "Pos2Int": ""}
_INFIX = {
    **{sign: sign for sign in ("+", "-", "*", "/", ".", "++", "<|")},
    **{
        sign: f" {sign} "
        for sign in ("==", "!=", "<", "<=", ">", ">=", "&&", "||", "=>", "in", "div", "mod")
    },
}
_SPECIAL = {
    "@keep": ("(if(", ",{", "},{})+", ")"), "@put": ("({", ":", "}+", ")"),
    "@monus": ("max(0,", "-", ")"), "@lowest": ("(", "/", ")"),
    "@equals_zero": ("(", " == 0)"), "@not_equals_zero": ("(", " != 0)"),
    "@equals_one": ("(", " == 1)"), "@natpred": ("max(0,", "-1)"), "@pospred": ("max(1,", "-1)"),
    "@redfrac": ("(", "/", ")"), "@redfracwhr": ("redfrac(", ",", ",", ")"),
    "@redfrachlp": ("(1/", "+", ")"),
}  # fmt: skip
"""The notation of functions that texts do not have, by what they mean."""


def _notation(name: str, arguments: tuple[str, ...]) -> Notation | None:
    """Return the notation of a predefined function; conversions to larger sorts are not shown."""
    if name == "@apply":
        return Notation(("", "(", *("," for _ in arguments[2:]), ")"))
    if len(arguments) == 1 and name in _PREFIX:
        return prefix(_PREFIX[name])
    if len(arguments) == 2 and name in _INFIX:
        return infix(_INFIX[name])
    if name in _SPECIAL:
        return Notation(_SPECIAL[name])
    if name.startswith("@"):
        between = [","] * (len(arguments) - 1)
        return Notation((f"{name[1:]}(", *between, ")"))
    return None


@cache
def function(name: str, arguments: tuple[str, ...], sort: str) -> Function:
    """Return a map with these sorts; over numbers, the engine computes it."""
    numbers = all(numbers_of(argument) is not None for argument in arguments)
    native = _NATIVE.get((name, len(arguments))) if numbers else None
    return Function(name, arguments, sort, native=native, notation=_notation(name, arguments))


def is_number(sort: str) -> bool:
    """Whether a sort is one of numbers."""
    return sort in NUMBERS or sort == "Real" or is_identity(sort)


def numbers_of(sort: str) -> Numbers | None:
    """Return the constructors of the numbers of a sort; None if the sort has none.

    Identities are numbers from 0, whatever their sort in the text: nothing is computed with them,
    and there are infinitely many besides those in the text.
    """
    return _identities(sort) if is_identity(sort) else NUMBERS.get(sort)


@cache
def _identities(sort: str) -> Numbers:
    zero = Function("0", (), sort, constructor=True)
    return Numbers("Nat", (zero, Function("@succ", (sort,), sort, constructor=True)))


def numeral(number: int, sort: str) -> Application:
    """Return the constant for a number of a sort; the least one is a constructor."""
    if sort == "Real":
        return Application(RATIO, (numeral(number, "Int"), Application(ONE)))
    if sort == "Nat" and number == 0:
        return Application(ZERO)
    if sort == "Pos" and number == 1:
        return Application(ONE)
    return Application(Function(str(number), (), sort, native=NUMERAL))


WIDER = frozenset((
    function("Pos2Nat", ("Pos",), "Nat"), function("Pos2Int", ("Pos",), "Int"),
    function("Nat2Int", ("Nat",), "Int"), OF_NAT,
))  # fmt: skip
"""The conversions of numbers to larger sorts, which preserve the value. A text may declare other
functions with these names."""


def convert(term: Term, sort: str) -> Term:
    """Convert a number to a larger sort."""
    if term.sort == sort:
        return term
    if term.sort == "Pos":
        term = Application(function("Pos2Nat", ("Pos",), "Nat"), (term,))
    if term.sort == "Nat" and sort != "Nat":
        term = Application(OF_NAT, (term,))
    return term if term.sort == sort else Application(RATIO, (term, Application(ONE)))


@cache
def list_constructors(sort: str) -> tuple[Function, Function]:
    """Return the empty list of a list sort, and the function that prepends an element."""
    shown = Notation(("(", "|>", ")"), row="[]")
    cons = Function("|>", (element_of(sort), sort), sort, constructor=True, notation=shown)
    return Function("[]", (), sort, constructor=True), cons


@cache
def set_constructors(sort: str) -> tuple[Function, Function]:
    """Return the empty set of a set sort, and the function that adds an element."""
    shown = Notation(("({", "}+", ")"), row="{}")
    insert = Function("@insert", (element_of(sort), sort), sort, constructor=True, notation=shown)
    return Function("{}", (), sort, constructor=True), insert


@cache
def bag_constructors(sort: str) -> tuple[Function, Function]:
    """Return the empty bag of a bag sort, and the function that adds an element several times."""
    shown = Notation(("({", ":", "}+", ")"), row="{:}")
    arguments = element_of(sort), "Pos", sort
    insert = Function("@insert", arguments, sort, constructor=True, notation=shown)
    return Function("{:}", (), sort, constructor=True), insert


def constructors_of(sort: str) -> tuple[Function, ...]:
    """Return the constructors of a list, set or bag sort; none for other sorts."""
    if is_list(sort):
        return list_constructors(sort)
    if is_set(sort):
        return set_constructors(sort)
    return bag_constructors(sort) if is_bag(sort) else ()
