"""The rules of numbers.

Positive numbers are built from one and natural numbers from zero, with a successor; an integer is a
natural number or the negation of a positive one. The rules define the meaning; where all arguments
are numerals, the engine computes the result directly.
"""

from __future__ import annotations

from lts.mcrl2.data.equations import Equations, ap, eq, variables
from lts.mcrl2.data.symbols import (
    FALSE,
    MINUS,
    OF_NAT,
    ONE,
    SUCC_NAT,
    SUCC_POS,
    TRUE,
    ZERO,
    convert,
    function,
    numeral,
)
from lts.specification.terms import Application, Function, Term

__all__ = [
    "absolute", "casts", "division", "extremum", "internal", "minus", "modulo", "monus", "plus",
    "power", "predecessor", "square_root", "successor", "times", "value",
]  # fmt: skip

_P, _Q = variables("p q", "Pos")
_M, _N = variables("m n", "Nat")
_X, _Y = variables("x y", "Int")
_ONE, _ZERO = ap(ONE), ap(ZERO)


def _of(n: Term) -> Application:
    return ap(OF_NAT, n)


def _minus(p: Term) -> Application:
    return ap(MINUS, p)


def _next(n: Term) -> Application:
    """Return the successor, of the same sort."""
    return ap(SUCC_POS if n.sort == "Pos" else SUCC_NAT, n)


def _apply(name: str, sort: str, *terms: Term) -> Application:
    return ap(function(name, tuple(term.sort for term in terms), sort), *terms)


def _positive(n: Term) -> Application:
    """Return n+1 as a positive number."""
    return _apply("succ", "Pos", n)


def value(f: Function) -> Equations:
    """Define a numeral by smaller ones, so that rewriting takes at most ten steps a digit."""
    number, sort = int(f.name), f.sort
    if sort == "Int":
        if number < 0:
            yield eq(ap(f), _minus(numeral(-number, "Pos")))
        else:
            yield eq(ap(f), _of(numeral(number, "Nat")))
    elif number <= 10:
        yield eq(ap(f), _next(numeral(number - 1, sort)))
    else:
        tens, digit = divmod(number, 10)
        right = _apply("*", sort, numeral(tens, sort), numeral(10, sort))
        if digit:
            right = _apply("+", sort, right, numeral(digit, sort))
        yield eq(ap(f), right)


def plus(f: Function) -> Equations:
    """Define addition."""
    match f.arguments:
        case ("Pos", "Pos"):
            yield eq(ap(f, _P, _ONE), _next(_P))
            yield eq(ap(f, _ONE, _P), _next(_P))
            yield eq(ap(f, _P, _next(_Q)), _next(ap(f, _P, _Q)))
        case ("Nat", "Nat"):
            yield eq(ap(f, _N, _ZERO), _N)
            yield eq(ap(f, _ZERO, _N), _N)
            yield eq(ap(f, _M, _next(_N)), _next(ap(f, _M, _N)))
        case ("Pos", "Nat"):
            yield eq(ap(f, _P, _ZERO), _P)
            yield eq(ap(f, _P, _next(_N)), _next(ap(f, _P, _N)))
        case ("Nat", "Pos"):
            yield eq(ap(f, _ZERO, _P), _P)
            yield eq(ap(f, _next(_N), _P), _next(ap(f, _N, _P)))
        case _:
            yield eq(ap(f, _of(_M), _of(_N)), _of(_apply("+", "Nat", _M, _N)))
            yield eq(ap(f, _of(_N), _minus(_P)), _apply("-", "Int", _N, convert(_P, "Nat")))
            yield eq(ap(f, _minus(_P), _of(_N)), _apply("-", "Int", _N, convert(_P, "Nat")))
            yield eq(ap(f, _minus(_P), _minus(_Q)), _minus(_apply("+", "Pos", _P, _Q)))


def minus(f: Function) -> Equations:
    """Define subtraction and negation."""
    match f.arguments:
        case ("Pos",):
            yield eq(ap(f, _P), _minus(_P))
        case ("Nat",):
            yield eq(ap(f, _ZERO), _of(_ZERO))
            yield eq(ap(f, _next(_N)), _minus(_positive(_N)))
        case ("Int",):
            yield eq(ap(f, _of(_N)), _apply("-", "Int", _N))
            yield eq(ap(f, _minus(_P)), _of(convert(_P, "Nat")))
        case ("Pos", "Pos"):
            yield eq(ap(f, _P, _Q), _apply("-", "Int", convert(_P, "Nat"), convert(_Q, "Nat")))
        case ("Nat", "Nat"):
            yield eq(ap(f, _N, _ZERO), _of(_N))
            yield eq(ap(f, _ZERO, _next(_N)), _minus(_positive(_N)))
            yield eq(ap(f, _next(_M), _next(_N)), ap(f, _M, _N))
        case _:
            yield eq(ap(f, _X, _Y), _apply("+", "Int", _X, _apply("-", "Int", _Y)))


def monus(f: Function) -> Equations:
    """Define subtraction of natural numbers, cut off at zero."""
    yield eq(ap(f, _N, _ZERO), _N)
    yield eq(ap(f, _ZERO, _N), _ZERO)
    yield eq(ap(f, _next(_M), _next(_N)), ap(f, _M, _N))


def times(f: Function) -> Equations:
    """Define multiplication."""
    match f.sort:
        case "Pos":
            yield eq(ap(f, _P, _ONE), _P)
            yield eq(ap(f, _ONE, _P), _P)
            yield eq(ap(f, _P, _next(_Q)), _apply("+", "Pos", _P, ap(f, _P, _Q)))
        case "Nat":
            yield eq(ap(f, _N, _ZERO), _ZERO)
            yield eq(ap(f, _ZERO, _N), _ZERO)
            yield eq(ap(f, _M, _next(_N)), _apply("+", "Nat", _M, ap(f, _M, _N)))
        case _:
            mixed = _apply("-", "Int", _apply("*", "Nat", _N, convert(_P, "Nat")))
            yield eq(ap(f, _of(_M), _of(_N)), _of(_apply("*", "Nat", _M, _N)))
            yield eq(ap(f, _of(_N), _minus(_P)), mixed)
            yield eq(ap(f, _minus(_P), _of(_N)), mixed)
            product = _apply("*", "Pos", _P, _Q)
            yield eq(ap(f, _minus(_P), _minus(_Q)), _of(convert(product, "Nat")))


def division(f: Function) -> Equations:
    """Define `div`, which rounds down."""
    if f.sort == "Nat":
        least = convert(_P, "Nat")
        rest = ap(f, _apply("@monus", "Nat", _N, least), _P)
        yield eq(ap(f, _N, _P), _ZERO, _apply("<", "Bool", _N, least))
        yield eq(ap(f, _N, _P), _next(rest), _apply("<=", "Bool", least, _N))
    else:
        yield eq(ap(f, _of(_N), _P), _of(_apply("div", "Nat", _N, _P)))
        whole = _apply("div", "Nat", _apply("pred", "Nat", _P), _Q)
        yield eq(ap(f, _minus(_P), _Q), _minus(_positive(whole)))


def modulo(f: Function) -> Equations:
    """Define `mod`, whose result is never negative."""
    if f.arguments[0] == "Nat":
        least = convert(_P, "Nat")
        rest = ap(f, _apply("@monus", "Nat", _N, least), _P)
        yield eq(ap(f, _N, _P), _N, _apply("<", "Bool", _N, least))
        yield eq(ap(f, _N, _P), rest, _apply("<=", "Bool", least, _N))
    else:
        yield eq(ap(f, _of(_N), _P), _apply("mod", "Nat", _N, _P))
        rest = _apply("mod", "Nat", _apply("pred", "Nat", _P), _Q)
        # -p mod q = q - 1 - (p-1) mod q
        before = _apply("pred", "Nat", _Q)
        yield eq(ap(f, _minus(_P), _Q), _apply("@monus", "Nat", before, rest))


def power(f: Function) -> Equations:
    """Define `exp`."""
    sort = f.sort
    base = {"Pos": _P, "Nat": _M, "Int": _X}[sort]
    yield eq(ap(f, base, _ZERO), numeral(1, sort))
    yield eq(ap(f, base, _next(_N)), _apply("*", sort, base, ap(f, base, _N)))


def absolute(f: Function) -> Equations:
    """Define `abs`."""
    if f.sort == "Pos":
        yield eq(ap(f, _P), _P)
    else:
        yield eq(ap(f, _of(_N)), _N)
        yield eq(ap(f, _minus(_P)), convert(_P, "Nat"))


def extremum(f: Function) -> Equations:
    """Define `min` and `max`."""
    first, second = f.arguments
    if first == second:
        x, y = variables("x y", first)
        smaller = _apply("<=", "Bool", x, y)
        if_ = function("if", ("Bool", first, first), first)
        chosen = (x, y) if f.name == "min" else (y, x)
        yield eq(ap(f, x, y), ap(if_, smaller, *chosen))
        return
    # If one number is positive and the other zero or negative, the positive one is larger.
    supersort = "Int" if "Int" in f.arguments else "Nat"
    subsort = second if first == supersort else first
    small = variables("x", subsort)[0]
    both = function(f.name, (subsort, subsort), subsort)

    def rule(large: Term, right: Term) -> tuple[Application, Term, None]:
        sides = (large, small) if first == supersort else (small, large)
        return ap(f, *sides), right, None

    if supersort == "Nat":
        yield rule(_ZERO, small)
        yield rule(_next(_N), ap(both, small, _positive(_N)))
    else:
        yield rule(_minus(_Q), small)
        inner = function("max", (subsort, "Nat"), subsort)
        yield rule(_of(_N), ap(inner, small, _N))


def successor(f: Function) -> Equations:
    """Define `succ`."""
    match f.arguments[0]:
        case "Pos":
            yield eq(ap(f, _P), _next(_P))
        case "Nat":
            yield eq(ap(f, _ZERO), _ONE)
            yield eq(ap(f, _next(_N)), _next(ap(f, _N)))
        case _:
            yield eq(ap(f, _of(_N)), _of(_next(_N)))
            yield eq(ap(f, _minus(_P)), _apply("-", "Int", _apply("pred", "Nat", _P)))


def predecessor(f: Function) -> Equations:
    """Define `pred`."""
    match f.arguments[0]:
        case "Pos":
            yield eq(ap(f, _ONE), _ZERO)
            yield eq(ap(f, _next(_P)), convert(_P, "Nat"))
        case "Nat":
            yield eq(ap(f, _ZERO), _minus(_ONE))
            yield eq(ap(f, _next(_N)), _of(_N))
        case _:
            yield eq(ap(f, _of(_N)), _apply("pred", "Int", _N))
            yield eq(ap(f, _minus(_P)), _minus(_next(_P)))


def internal(f: Function) -> Equations:
    """Define mCRL2's internal functions on natural and positive numbers."""
    match f.name:
        case "@equals_zero" | "@not_equals_zero":
            is_zero = f.name == "@equals_zero"
            yield eq(ap(f, _ZERO), TRUE if is_zero else FALSE)
            yield eq(ap(f, _next(_N)), FALSE if is_zero else TRUE)
        case "@equals_one":
            yield eq(ap(f, _ONE), TRUE)
            yield eq(ap(f, _next(_P)), FALSE)
        case "@natpred":
            yield eq(ap(f, _ZERO), _ZERO)
            yield eq(ap(f, _next(_N)), _N)
        case _:
            yield eq(ap(f, _ONE), _ONE)
            yield eq(ap(f, _next(_P)), _P)


def square_root(f: Function) -> Equations:
    """Define `sqrt`, rounded down, and its helper `@root`.

    The root is twice that of a quarter of the number, or one more.
    """
    if f.name == "@root":
        more = _next(_N)
        fits = _apply("<=", "Bool", _apply("*", "Nat", more, more), _M)
        yield eq(ap(f, _M, _N), ap(function("if", ("Bool", "Nat", "Nat"), "Nat"), fits, more, _N))
    else:
        number = _next(_N)
        quarter = _apply("div", "Nat", number, numeral(4, "Pos"))
        twice = _apply("*", "Nat", numeral(2, "Nat"), ap(f, quarter))
        # The quarter of a number that is not known is not compared, so that it keeps its root.
        known = _apply("<", "Bool", quarter, number)
        yield eq(ap(f, _ZERO), _ZERO)
        yield eq(ap(f, number), _apply("@root", "Nat", number, twice), known)


def casts(f: Function) -> Equations:
    """Define the conversions between sorts of numbers, where they have a result."""
    match f.name:
        case "Pos2Nat":
            yield eq(ap(f, _ONE), _next(_ZERO))
            yield eq(ap(f, _next(_P)), _next(ap(f, _P)))
        case "Pos2Int":
            yield eq(ap(f, _P), convert(_P, "Int"))
        case "Nat2Pos":
            yield eq(ap(f, _next(_N)), _positive(_N))
        case "Nat2Int":
            yield eq(ap(f, _N), _of(_N))
        case "Int2Pos":
            yield eq(ap(f, _of(_N)), _apply("Nat2Pos", "Pos", _N))
        case "Int2Nat":
            yield eq(ap(f, _of(_N)), _N)
