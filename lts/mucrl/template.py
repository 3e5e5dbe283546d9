"""Parametrised specifications: one text for every number of processes or data.

Directives stand in comments that begin with `%@`, so a text without them is left as it is:

    %@ parameter N = 2
    %@ for i in 1..N
    ... @{i} ... @{i % N + 1} ...
    %@ end

`@{expression}` is replaced by the value of an integer expression over parameters and loop
variables (`+ - * // %`, parentheses); `..` includes both ends, and a loop from 1 to 0 is empty.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

from lts.errors import ParseError, SpecificationError
from lts.mucrl.source import Source

__all__ = ["expand", "substitute_expressions"]

_DIRECTIVE = re.compile(r"\s*%@(.*)")
_PARAMETER = re.compile(r"\s*parameter\s+([A-Za-z]\w*)\s*=\s*(\d+)\s*$")
_FOR = re.compile(r"\s*for\s+([A-Za-z]\w*)\s+in\s+(.+?)\s*\.\.\s*(.+?)\s*$")
_END = re.compile(r"\s*end\s*$")
_EXPRESSION = re.compile(r"@\{([^{}\n]*)\}")
_LIMIT = 1_000_000
"""Most lines that an expansion may have."""

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def expand(
    text: str, *, file: str | None = None, parameters: Mapping[str, int] | None = None
) -> tuple[Source, dict[str, int]]:
    """Expand a parametrised text; return it with the values of all its parameters.

    `parameters` override the defaults in the text. Raises `ParseError` for a malformed directive,
    `SpecificationError` for a parameter that the text does not declare.
    """
    return _Expansion(text, file, parameters or {}).result()


def substitute_expressions(text: str, parameters: Mapping[str, int]) -> str:
    """Return the text with every `@{expression}` replaced by its value.

    Raises `ValueError` for an expression that cannot be evaluated.
    """
    return _EXPRESSION.sub(lambda match: str(_evaluate(match[1], parameters)), text)


class _Expansion:
    """The lines of one text, and those of its expansion with the lines they stand for."""

    def __init__(self, text: str, file: str | None, given: Mapping[str, int]) -> None:
        self.raw = Source(text, file)
        self.lines = text.split("\n")
        self.given = given
        self.parameters: dict[str, int] = {}
        self.out: list[str] = []
        self.numbers: list[int] = []

    def result(self) -> tuple[Source, dict[str, int]]:
        self.block(0, len(self.lines), {})
        for name in self.given:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise SpecificationError(
                    f"there is no parameter `{name}` (parameters: {known})", file=self.raw.file
                )
        if self.out == self.lines:
            return self.raw, self.parameters
        source = Source("\n".join(self.out), self.raw.file, tuple(self.numbers))
        return source, self.parameters

    def error(self, line: int, message: str) -> ParseError:
        return self.raw.error(ParseError, message, (line + 1, 1))

    def block(self, start: int, stop: int, variables: Mapping[str, int]) -> None:
        """Expand the lines from `start` to before `stop`."""
        at = start
        while at < stop:
            directive = _DIRECTIVE.match(self.lines[at])
            if directive is None:
                self.emit(at, variables)
                at += 1
            elif parameter := _PARAMETER.match(directive[1]):
                if variables or parameter[1] in self.parameters:
                    raise self.error(at, "a parameter is declared once, outside of loops")
                self.parameters[parameter[1]] = self.given.get(parameter[1], int(parameter[2]))
                at += 1
            elif loop := _FOR.match(directive[1]):
                end = self.matching_end(at, stop)
                first, last = (self.value(loop[i], variables, at) for i in (2, 3))
                for value in range(first, last + 1):
                    self.block(at + 1, end, {**variables, loop[1]: value})
                at = end + 1
            elif _END.match(directive[1]):
                raise self.error(at, "`%@ end` without `%@ for`")
            else:
                raise self.error(
                    at,
                    "expected `%@ parameter NAME = NUMBER`, `%@ for NAME in FIRST..LAST` or "
                    "`%@ end`",
                )

    def matching_end(self, at: int, stop: int) -> int:
        depth = 0
        for line in range(at, stop):
            directive = _DIRECTIVE.match(self.lines[line])
            if directive and _FOR.match(directive[1]):
                depth += 1
            elif directive and _END.match(directive[1]):
                depth -= 1
                if depth == 0:
                    return line
        raise self.error(at, "`%@ for` without `%@ end`")

    def emit(self, at: int, variables: Mapping[str, int]) -> None:
        if len(self.out) >= _LIMIT:
            raise self.error(at, f"the expansion has more than {_LIMIT} lines")
        line = self.lines[at]
        if "@{" in line:
            line = _EXPRESSION.sub(lambda m: str(self.value(m[1], variables, at)), line)
        self.out.append(line)
        self.numbers.append(at + 1)

    def value(self, expression: str, variables: Mapping[str, int], at: int) -> int:
        try:
            return _evaluate(expression, {**self.parameters, **variables})
        except ValueError as error:
            raise self.error(at, str(error)) from None


def _evaluate(expression: str, variables: Mapping[str, int]) -> int:
    """Return the value of an integer expression; raise `ValueError` where it has none."""

    def value(node: ast.expr) -> int:
        match node:
            case ast.Constant(int() as number) if not isinstance(number, bool):
                return number
            case ast.Name(name):
                if name not in variables:
                    known = ", ".join(variables) or "none"
                    raise ValueError(f"`{name}` is no parameter or loop variable (known: {known})")
                return variables[name]
            case ast.BinOp(left, operation, right) if type(operation) in _OPERATORS:
                if isinstance(operation, ast.FloorDiv | ast.Mod) and value(right) == 0:
                    raise ValueError(f"division by zero in `{expression}`")
                return _OPERATORS[type(operation)](value(left), value(right))
            case ast.UnaryOp(ast.USub(), operand):
                return -value(operand)
        raise ValueError(f"`{expression}` is not an integer expression")

    try:
        return value(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, RecursionError):
        raise ValueError(f"`{expression}` is not an integer expression") from None
