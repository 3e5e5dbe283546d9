"""Writes the declarations of a syntax tree as a text: of a binary file, which has none.

Expressions are fully parenthesised. Where the file gives the sort of an expression, which texts
cannot say, the reader of the text infers one again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, repeat

from lts.base.bounds import BINARY_EXPRESSION
from lts.errors import Unsupported
from lts.mcrl2.text import data_tree, tree
from lts.specification.generators import Recursion, run

__all__ = ["declarations"]


def declarations(specification: tree.Specification) -> str:
    """Return the sections on data and actions; raise `Unsupported` for an expression that is too
    large without sharing."""
    return "".join(f"{line}\n" for line in _Writer(specification).lines())


class _Writer:
    def __init__(self, specification: tree.Specification) -> None:
        self.specification = specification
        self.known: dict[int, str] = {}
        """The texts of the expressions that occur several times, by identity."""

    def lines(self) -> Iterator[str]:
        """Yield the sections in the order of a file."""
        given = self.specification
        for sort in given.sorts:
            meaning = "" if sort.sort is None else f" = {_sort(sort.sort)}"
            yield f"sort {sort.name}{meaning};"
        for function in given.functions:
            word = "cons" if function.constructor else "map"
            yield f"{word} {function.name}: {_signature(function.sort)};"
        if given.globals:
            yield f"glob {_typed(given.globals)};"
        for typed, equations in groupby(given.equations, lambda one: _typed(one.variables)):
            if typed:
                yield f"var {typed};"
            for word, equation in zip(chain(["eqn"], repeat("   ")), equations, strict=False):
                if_ = "" if equation.condition is None else f"{self.data(equation.condition)} -> "
                yield f"{word} {if_}{self.data(equation.left)} = {self.data(equation.right)};"
        for sorts, actions in groupby(given.actions, lambda one: " # ".join(map(_sort, one.sorts))):
            names = ", ".join(str(action.name) for action in actions)
            yield f"act {names}: {sorts};" if sorts else f"act {names};"

    def data(self, given: data_tree.Data) -> str:
        """Return the text of an expression."""
        written: str = run(self._data(given))
        return written

    def _data(self, given: data_tree.Data) -> Recursion[str]:
        if id(given) in self.known:
            return self.known[id(given)]
        parts: list[str] = []
        for part in _parts(given):
            parts.append((yield self._data(part)))
        written = _written(given, parts)
        if len(written) > BINARY_EXPRESSION.default:
            message = (
                f"an expression that is printed with {BINARY_EXPRESSION.exceeded()} is refused"
            )
            raise Unsupported(message, file=self.specification.source.file)
        if id(given) in self.specification.shared:
            self.known[id(given)] = written
        return written


def _parts(given: data_tree.Data) -> Sequence[data_tree.Data]:
    """Return the expressions in an expression, in the order in which `_written` takes them."""
    match given:
        case data_tree.ListOf(elements) | data_tree.SetOf(elements):
            return elements
        case data_tree.Bag(elements):
            return [element for pair in elements for element in pair]
        case data_tree.Comprehension(_, body) | data_tree.Binder(_, _, body):
            return (body,)
        case data_tree.Application(function, arguments):
            return (function, *arguments)
        case data_tree.Update(function, argument, value):
            return (function, argument, value)
        case data_tree.Operation(_, operands):
            return operands
        case data_tree.Where(body, assignments):
            return (body, *(value for _, value in assignments))
        case data_tree.Sorted(inner):
            return (inner,)
    return ()


def _written(given: data_tree.Data, parts: list[str]) -> str:
    match given:
        case data_tree.Identifier(name) | data_tree.Number(name):
            return str(name)
        case data_tree.ListOf():
            return f"[{', '.join(parts)}]"
        case data_tree.SetOf():
            return f"{{{', '.join(parts)}}}"
        case data_tree.Bag():
            pairs = zip(parts[::2], parts[1::2], strict=True)
            return f"{{{', '.join(f'{element}: {count}' for element, count in pairs) or ':'}}}"
        case data_tree.Comprehension(variable):
            return f"{{{_typed([variable])} | {parts[0]}}}"
        case data_tree.Application(function):
            applied = parts[0] if isinstance(function, data_tree.Identifier) else f"({parts[0]})"
            return f"{applied}({', '.join(parts[1:])})"
        case data_tree.Update():
            return f"({parts[0]})[{parts[1]} -> {parts[2]}]"
        case data_tree.Operation(operator, (_,)):
            return f"({operator}{parts[0]})"
        case data_tree.Operation(operator):
            return f"({parts[0]} {operator} {parts[1]})"
        case data_tree.Binder(word, variables):
            return f"({word} {_typed(variables)}. {parts[0]})"
        case data_tree.Where(_, assignments):
            names = (name for name, _ in assignments)
            values = ", ".join(f"{a} = {b}" for a, b in zip(names, parts[1:], strict=True))
            return f"({parts[0]} whr {values} end)"
        case data_tree.Sorted():
            return parts[0]


def _typed(variables: Iterable[data_tree.Variable]) -> str:
    return ", ".join(f"{variable.name}: {_sort(variable.sort)}" for variable in variables)


def _signature(sort: data_tree.Sort) -> str:
    """Return the sort of a function or constant, not in parentheses."""
    return _sort(sort)[1:-1] if isinstance(sort, data_tree.Function) else _sort(sort)


def _sort(sort: data_tree.Sort) -> str:
    written: str = run(_sort_written(sort))
    return written


def _sort_written(sort: data_tree.Sort) -> Recursion[str]:
    match sort:
        case data_tree.SortName(name):
            return str(name)
        case data_tree.Container(name, element):
            return f"{name}({(yield _sort_written(element))})"
    parts: list[str] = []
    match sort:
        case data_tree.Product(sorts):
            for factor in sorts:
                parts.append((yield _sort_written(factor)))
            return " # ".join(parts)
        case data_tree.Function(sorts, result):
            for factor in sorts:
                parts.append((yield _sort_written(factor)))
            return f"({' # '.join(parts)} -> {(yield _sort_written(result))})"
        case data_tree.StructuredSort(constructors):
            for made in constructors:
                fields: list[str] = []
                for projection, one in made.projections:
                    of = yield _sort_written(one)
                    fields.append(of if projection is None else f"{projection}: {of}")
                arguments = f"({', '.join(fields)})" if fields else ""
                test = "" if made.recogniser is None else f" ? {made.recogniser}"
                parts.append(f"{made.name}{arguments}{test}")
            return f"struct {' | '.join(parts)}"
    raise AssertionError(sort)
