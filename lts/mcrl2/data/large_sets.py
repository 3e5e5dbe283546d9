"""The rules of sets that may be infinite: cofinite sets, and sets given by a predicate.

A cofinite set is represented as `!` of its finite complement; over a small sort it is a finite set
again. A set given by a predicate is only known by its membership test, so that equal sets may have
different normal forms.

Rules for finite sets come after these: see `lts.mcrl2.data.sets`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lts.mcrl2.data.comparisons import and_, not_, or_
from lts.mcrl2.data.equations import Equation, Equations, ap, eq, variables
from lts.mcrl2.data.functions import Closure
from lts.mcrl2.data.sort_names import element_of
from lts.mcrl2.data.symbols import FALSE, TRUE, function, set_constructors
from lts.specification.notation import infix, prefix
from lts.specification.terms import VALUE, Application, Function, Term, Variable

__all__ = ["STANDING", "complement", "complement_of_few", "equal", "of_large_sets"]


STANDING = frozenset(("!", "@either", "@both", "@outside"))
"""Names of the functions that represent sets which may be infinite."""


def complement(of: Term) -> Application:
    """Return the complement of a set."""
    return ap(function("@complement", (of.sort,), of.sort), of)


def _all_but(sort: str) -> Function:
    """Return the function that represents a cofinite set by its finite complement."""
    return Function("!", (sort,), sort, native=VALUE, notation=prefix("!"))


def _made(name: str, sort: str, count: int) -> Function:
    shown = {"@either": infix("+"), "@both": infix("*"), "@outside": prefix("!")}[name]
    return Function(name, (sort,) * count, sort, native=VALUE, notation=shown)


def _predicates(sort: str, closures: Mapping[Function, Closure]) -> list[Application]:
    """Return patterns that match the sets of a sort that are given by predicates."""
    s, t = variables("s t", sort)
    found = [ap(f, *closure.captured) for f, closure in closures.items() if f.sort == sort]
    if found:
        found += [ap(_made("@either", sort, 2), s, t), ap(_made("@both", sort, 2), s, t)]
        found.append(ap(_made("@outside", sort, 1), s))
    return found


def of_large_sets(f: Function, closures: Mapping[Function, Closure]) -> Equations:
    """Define a function on sets for arguments that may be infinite."""
    sort = f.arguments[-1]
    _, insert = set_constructors(sort)
    d = variables("d", element_of(sort))[0]
    s, t = variables("s t", sort)
    rest = _all_but(sort)
    without_s, without_t = ap(rest, s), ap(rest, t)
    known = _predicates(sort, closures)
    match f.name:
        case "in":
            yield eq(ap(f, d, without_s), not_(ap(f, d, s)))
            for symbol, closure in closures.items():
                if symbol.sort == sort:
                    made = ap(symbol, *closure.captured)
                    yield eq(ap(f, closure.variables[0], made), closure.body)
            if known:
                yield eq(ap(f, d, ap(_made("@either", sort, 2), s, t)), or_(*_both(f, d, s, t)))
                yield eq(ap(f, d, ap(_made("@both", sort, 2), s, t)), and_(*_both(f, d, s, t)))
                yield eq(ap(f, d, ap(_made("@outside", sort, 1), s)), not_(ap(f, d, s)))
        case "@complement":
            yield eq(ap(f, without_s), s)
            for made in known:
                inner = made.arguments
                if made.function.name == "@outside":
                    yield eq(ap(f, made), inner[0])
                else:
                    yield eq(ap(f, made), ap(_made("@outside", sort, 1), made))
            yield eq(ap(f, s), without_s)
        case "+":
            yield from _with_predicates(f, "@either", known, [t])
            yield eq(ap(f, without_s, t), ap(rest, _two("-", s, t)))
            yield eq(ap(f, s, without_t), ap(rest, _two("-", t, s)))
        case "*":
            front = ap(insert, d, s)
            keep = function("@keep", ("Bool", d.sort, sort), sort)
            has = function("in", (d.sort, sort), "Bool")
            yield eq(ap(f, ap(insert, d, s), t), ap(keep, ap(has, d, t), d, ap(f, s, t)))
            yield eq(ap(f, t, front), ap(keep, ap(has, d, t), d, ap(f, t, s)))
            yield eq(ap(f, without_s, without_t), ap(rest, _two("+", s, t)))
            others = [without_s, *(_apart(made, "'") for made in known)]
            yield from _with_predicates(f, "@both", known, others)
            nil = ap(set_constructors(sort)[0])
            yield eq(ap(f, nil, t), nil)
            yield eq(ap(f, t, nil), nil)
        case "-":
            yield eq(ap(f, s, without_t), _two("*", s, t))
            yield eq(ap(f, without_s, t), complement(_two("+", s, t)))
            nil = ap(set_constructors(sort)[0])
            yield eq(ap(f, s, nil), s)
            for made in known:
                other = _apart(made)
                yield eq(ap(f, other, t), _two("*", other, complement(t)))
        case "<":
            part = function("<=", f.arguments, "Bool")
            yield eq(ap(f, s, t), and_(ap(part, s, t), not_(ap(part, t, s))))
        case "<=":
            yield eq(ap(f, without_s, without_t), ap(f, t, s))
            nil = ap(set_constructors(sort)[0])
            yield eq(ap(f, without_s, nil), FALSE)
            yield eq(ap(f, without_s, ap(insert, d, t)), FALSE)


def equal(f: Function) -> Equations:
    """Define `==` or `!=` by mutual inclusion, which some predicates leave undecided."""
    s, t = variables("s t", f.arguments[0])
    part = function("<=", f.arguments, "Bool")
    same: Term = and_(ap(part, s, t), ap(part, t, s))
    yield eq(ap(f, s, s), TRUE if f.name == "==" else FALSE)
    yield eq(ap(f, s, t), same if f.name == "==" else not_(same))


def _both(f: Function, d: Term, s: Term, t: Term) -> tuple[Application, Application]:
    return ap(f, d, s), ap(f, d, t)


def _two(name: str, one: Term, other: Term) -> Application:
    return ap(function(name, (one.sort, one.sort), one.sort), one, other)


def _apart(made: Application, mark: str = "@") -> Application:
    """Return a pattern with fresh variables."""
    fresh = [Variable(f"{mark}{i}", part.sort) for i, part in enumerate(made.arguments)]
    return ap(made.function, *fresh)


def _with_predicates(
    f: Function, name: str, known: Sequence[Application], others: Sequence[Term]
) -> Iterator[Equation]:
    """Yield the rules that leave an operation with a predicate as a predicate, on either side."""
    joined = _made(name, f.sort, 2)
    for made in known:
        one = _apart(made)
        for other in others:
            yield eq(ap(f, one, other), ap(joined, one, other))
            yield eq(ap(f, other, one), ap(joined, other, one))


def complement_of_few(f: Function, values: Sequence[Application]) -> Equations:
    """Define the complement of sets over a small sort, which is a finite set."""
    sort = f.sort
    s = Variable("s", sort)
    nil, _ = set_constructors(sort)
    result: Term = ap(nil)
    for value in reversed(values):
        has = ap(function("in", (value.sort, sort), "Bool"), value, s)
        keep = function("@keep", ("Bool", value.sort, sort), sort)
        result = ap(keep, not_(has), value, result)
    yield eq(ap(f, s), result)
