"""The rules of real numbers: exact fractions in lowest terms, so that equal numbers are one term.

Division by zero has no value, as in the language reference; `round` rounds a half up.
"""

from __future__ import annotations

from lts.mcrl2.data.equations import Equations, ap, eq, variables
from lts.mcrl2.data.symbols import (
    MINUS,
    OF_NAT,
    ONE,
    RATIO,
    SUCC_NAT,
    ZERO,
    convert,
    function,
    numeral,
)
from lts.specification.terms import Application, Function, Term

__all__ = ["casts", "computed", "internal", "lowest_terms", "order"]

_X, _Y = variables("x y", "Int")
_P, _Q = variables("p q", "Pos")
_N = variables("n", "Nat")[0]


def _apply(name: str, sort: str, *terms: Term) -> Application:
    return ap(function(name, tuple(term.sort for term in terms), sort), *terms)


def _ratio(x: Term, p: Term) -> Application:
    return ap(RATIO, x, p)


def _of(n: Term) -> Application:
    return ap(OF_NAT, n)


def _lowest(x: Term, p: Term) -> Application:
    """Reduce a fraction to lowest terms."""
    return _apply("@lowest", "Real", x, p)


def _times(x: Term, y: Term) -> Application:
    """Return a product of integers; positive numbers are converted."""
    return _apply("*", "Int", convert(x, "Int"), convert(y, "Int"))


def order(f: Function) -> Equations:
    """Define `<` or `<=`."""
    sides = _times(_X, _Q), _times(_Y, _P)
    yield eq(ap(f, _ratio(_X, _P), _ratio(_Y, _Q)), _apply(f.name, "Bool", *sides))


def computed(f: Function) -> Equations:
    """Define an operation on real numbers."""
    one, other = _ratio(_X, _P), _ratio(_Y, _Q)
    denominator = _apply("*", "Pos", _P, _Q)
    match f.name, len(f.arguments):
        case ("+" | "-", 2):
            sides = _times(_X, _Q), _times(_Y, _P)
            yield eq(ap(f, one, other), _lowest(_apply(f.name, "Int", *sides), denominator))
        case "*", _:
            yield eq(ap(f, one, other), _lowest(_times(_X, _Y), denominator))
        case "/", _:
            positive = _apply("succ", "Pos", _N)
            by = _ratio(ap(OF_NAT, ap(SUCC_NAT, _N)), _Q)
            result = _lowest(_times(_X, _Q), _apply("*", "Pos", _P, positive))
            yield eq(ap(f, one, by), result)
            r = variables("r", "Pos")[0]
            negative = _apply("-", "Int", _times(_X, _Q))
            result = _lowest(negative, _apply("*", "Pos", _P, r))
            yield eq(ap(f, one, _ratio(ap(MINUS, r), _Q)), result)
        case "-", _:
            yield eq(ap(f, one), _ratio(_apply("-", "Int", _X), _P))
        case "abs", _:
            yield eq(ap(f, one), _ratio(ap(OF_NAT, _apply("abs", "Nat", _X)), _P))
        case "succ", _:
            yield eq(ap(f, one), _ratio(_apply("+", "Int", _X, convert(_P, "Int")), _P))
        case "pred", _:
            yield eq(ap(f, one), _ratio(_apply("-", "Int", _X, convert(_P, "Int")), _P))
        case "exp", _:
            powers = _apply("exp", "Int", _X, _N), _apply("exp", "Pos", _P, _N)
            yield eq(ap(f, one, ap(OF_NAT, _N)), _ratio(*powers))
            positive = ap(f, one, ap(OF_NAT, convert(_Q, "Nat")))
            inverse = _apply("/", "Real", numeral(1, "Real"), positive)
            yield eq(ap(f, one, ap(MINUS, _Q)), inverse)
        case "floor", _:
            yield eq(ap(f, one), _apply("div", "Int", _X, _P))
        case "ceil", _:
            below = _apply("div", "Int", _apply("-", "Int", _X), _P)
            yield eq(ap(f, one), _apply("-", "Int", below))
        case _:
            twice = _apply("*", "Pos", numeral(2, "Pos"), _P)
            above = _apply("+", "Int", _times(numeral(2, "Pos"), _X), convert(_P, "Int"))
            yield eq(ap(f, one), _apply("div", "Int", above, twice))


def lowest_terms(f: Function) -> Equations:
    """Define `@lowest`, which reduces a fraction, and its helpers `@over` and `@gcd`."""
    if f.name == "@gcd":
        yield eq(ap(f, _P, ap(ZERO)), _P)
        positive = _apply("succ", "Pos", _N)
        rest = _apply("mod", "Nat", convert(_P, "Nat"), positive)
        yield eq(ap(f, _P, ap(SUCC_NAT, _N)), ap(f, positive, rest))
    elif f.name == "@over":
        denominator = _apply("div", "Nat", convert(_P, "Nat"), _Q)
        whole = _apply("Nat2Pos", "Pos", denominator)
        yield eq(ap(f, _X, _P, _Q), _ratio(_apply("div", "Int", _X, _Q), whole))
    else:
        # A number that is not known is not divided, so that such a fraction remains as it is. For
        # numbers of which a part is known that is so because the divisor has to be known.
        for whole in (_of(ap(ZERO)), _of(ap(SUCC_NAT, _N)), ap(MINUS, _Q)):
            divisor = _apply("@gcd", "Pos", _P, _apply("abs", "Nat", whole))
            one = numeral(1, "Pos")
            over = _apply("@over", "Real", whole, _P, divisor)
            yield eq(ap(f, whole, _P), over, _apply("<", "Bool", one, divisor))
            yield eq(ap(f, whole, _P), _ratio(whole, _P), _apply("<=", "Bool", divisor, one))


def internal(f: Function) -> Equations:
    """Define mCRL2's internal functions on fractions."""
    match f.name:
        case "@redfrac":
            # A quotient of integers.
            positive = _apply("succ", "Pos", _N)
            yield eq(ap(f, _X, _of(ap(SUCC_NAT, _N))), _lowest(_X, positive))
            yield eq(ap(f, _X, ap(MINUS, _P)), _lowest(_apply("-", "Int", _X), _P))
        case "@redfracwhr":
            # x + n/p, where p may be natural
            by: Term = _P
            denominator: Term = _P
            if f.arguments[0] == "Nat":
                m = variables("m", "Nat")[0]
                by, denominator = ap(SUCC_NAT, m), _apply("succ", "Pos", m)
            whole = _apply("+", "Int", _times(_X, denominator), convert(_N, "Int"))
            yield eq(ap(f, by, _X, _N), _lowest(whole, denominator))
        case _:
            # y + 1/r, where r = x/p is positive
            positive = _apply("succ", "Pos", _N)
            whole = _apply("+", "Int", convert(_P, "Int"), _times(_Y, positive))
            yield eq(ap(f, _ratio(_of(ap(SUCC_NAT, _N)), _P), _Y), _lowest(whole, positive))


def casts(f: Function) -> Equations:
    """Define the conversions to real numbers, and from real numbers that are whole."""
    if f.sort == "Real":
        number = variables("x", f.arguments[0])[0]
        yield eq(ap(f, number), convert(number, "Real"))
    else:
        whole = _ratio(_X, ap(ONE))
        made: Term = _X if f.sort == "Int" else _apply(f"Int2{f.sort}", f.sort, _X)
        yield eq(ap(f, whole), made)
