"""Parses sorts: `#` binds more strongly than `->`, which associates to the right."""

from __future__ import annotations

from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.tokens import CONTAINERS, SORTS
from lts.specification.generators import Recursion, run
from lts.text.names import Name
from lts.text.reader import Reader

__all__ = ["product", "sort", "variables"]


def sort(reader: Reader) -> tree.Sort:
    """Read a sort."""
    found = run(_sort(reader))
    return found


def product(reader: Reader) -> tuple[tree.Sort, ...]:
    """Read the argument sorts of an action, `sort # ..`."""
    found = run(_sort(reader))
    return found.sorts if isinstance(found, tree.Product) else (found,)


def variables(reader: Reader) -> list[tree.Variable]:
    """Read `name, ..: sort, ..`."""
    found: list[tree.Variable] = []
    while True:
        names = reader.names("a variable")
        reader.expect(":")
        of = sort(reader)
        found += [tree.Variable(name, of) for name in names]
        if not reader.skip(","):
            return found


def _sort(reader: Reader) -> Recursion[tree.Sort]:
    sides: list[list[tree.Sort]] = []
    arrows = []
    while True:
        factors: list[tree.Sort] = [(yield _factor(reader))]
        while reader.skip("#"):
            factors.append((yield _factor(reader)))
        sides.append(factors)
        if reader.kind != "->":
            break
        arrows.append(reader.take().place)
    result: tree.Sort = sides[-1][0] if len(sides[-1]) == 1 else tree.Product(tuple(sides[-1]))
    for factors, place in zip(reversed(sides[:-1]), reversed(arrows), strict=True):
        arguments: list[tree.Sort] = []
        for factor in factors:
            arguments += factor.sorts if isinstance(factor, tree.Product) else (factor,)
        result = tree.Function(tuple(arguments), result, place)
    return result


def _factor(reader: Reader) -> Recursion[tree.Sort]:
    kind = reader.kind
    is_container = kind in CONTAINERS and reader.kinds[reader.at + 1] == "("
    if kind in SORTS or (reader.is_name() and not is_container):
        return tree.SortName(reader.take())
    if kind in CONTAINERS:
        name = reader.take()
        reader.expect("(")
        element = yield _sort(reader)
        reader.expect(")")
        return tree.Container(name, element)
    if kind == "(":
        reader.take()
        inner: tree.Sort = yield _sort(reader)
        reader.expect(")")
        return inner
    if kind == "struct":
        place = reader.take().place
        constructors = [(yield _constructor(reader))]
        while reader.skip("|"):
            constructors.append((yield _constructor(reader)))
        return tree.StructuredSort(tuple(constructors), place)
    raise reader.failed("a sort")


def _constructor(reader: Reader) -> Recursion[tree.Constructor]:
    name = reader.name("a constructor")
    projections: list[tuple[Name | None, tree.Sort]] = []
    if reader.skip("("):
        while True:
            projection = None
            if reader.kind == "name" and reader.kinds[reader.at + 1] == ":":
                projection = reader.take()
                reader.take()
            projections.append((projection, (yield _sort(reader))))
            if not reader.skip(","):
                break
        reader.expect(")")
    recogniser = reader.name("a recogniser") if reader.skip("?") else None
    return tree.Constructor(name, tuple(projections), recogniser)
