"""Mutations of Python source, each of which a test should detect.

Statements are removed, conditions fixed to true or false, operators and comparisons replaced,
numbers changed by one, loops left without a round. Code that only words an error, states a type or
asserts is not mutated. Limits of work are not changed by one either: numbers in constants of a
module, and whether a comparison with such a constant includes equality.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Change", "python_changes", "statement_lines"]

_COMPARED = {
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
}  # fmt: skip
_COMPUTED = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"), ast.BitOr: ("|", "&"), ast.BitAnd: ("&", "|"), ast.BitXor: ("^", "|"),
}  # fmt: skip
_CALLED = {"any": "all", "all": "any", "min": "max", "max": "min", "sorted": "list"}


@dataclass(frozen=True)
class Change:
    """A mutation: the bytes from `start` to `end` of a file are replaced."""

    file: str
    start: int
    end: int
    new: bytes

    def applied(self, source: bytes) -> bytes:
        """Return the changed file."""
        return source[: self.start] + self.new + source[self.end :]

    def line(self, source: bytes) -> int:
        """Return the number of the line where the change begins."""
        return source.count(b"\n", 0, self.start) + 1


def python_changes(file: str, source: bytes) -> list[Change]:
    """Return all mutations of a file, in order of position."""
    starts = [0, *(match.end() for match in re.finditer(rb"\n", source))]

    def begin(node: ast.expr | ast.stmt) -> int:
        return starts[node.lineno - 1] + node.col_offset

    def end(node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return starts[node.end_lineno - 1] + node.end_col_offset

    def between(left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Change]:
        """Replace an operator between its operands, outside their parentheses."""
        text = source[end(left) : begin(right)]
        at = re.search(rb"\s+".join(map(re.escape, old.encode().split())), text)
        if at:
            first = end(left)
            yield Change(file, first + at.start(), first + at.end(), new.encode())

    def whole(node: ast.expr | ast.stmt, new: str | bytes) -> Iterator[Change]:
        text = new if isinstance(new, bytes) else new.encode()
        yield Change(file, begin(node), end(node), text)

    def text(node: ast.expr) -> bytes:
        return source[begin(node) : end(node)]

    def of(node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError"))):
                pass
            case ast.Expr() | ast.AugAssign() | ast.Continue() | ast.Break() | ast.Raise():
                yield from whole(node, "pass")
            case ast.BoolOp(op=op, values=values):
                for value in values:
                    yield from whole(value, "True" if isinstance(op, ast.And) else "False")
                words = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
                yield from between(values[0], values[1], *words)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARED:
                is_order = isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
                if not (is_order and (_is_bound(left) or _is_bound(right))):
                    yield from between(left, right, *_COMPARED[type(op)])
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _COMPUTED:
                yield from between(left, right, *_COMPUTED[type(op)])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield from whole(node, b"(" + text(operand) + b")")
            case ast.Constant(value=bool() as value):
                yield from whole(node, str(not value))
            case ast.Constant(value=int() as value):
                yield from whole(node, str(value + 1))
            case ast.Call(func=ast.Name(id=name) as called) if name in _CALLED:
                if name != "sorted" or not node.keywords:
                    yield from whole(called, _CALLED[name])
            case ast.Call(func=ast.Name(id="reversed"), args=[argument]):
                yield from whole(node, b"iter(" + text(argument) + b")")
            case ast.Dict(keys=[None, None], values=[one, other]):
                yield from whole(node, b"{**" + text(other) + b", **" + text(one) + b"}")
            case ast.For(iter=values):
                yield from whole(values, "()")
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            yield from whole(node.test, "False")
            if not isinstance(node, ast.While):
                yield from whole(node.test, "True")
        for condition in node.ifs if isinstance(node, ast.comprehension) else ():
            yield from whole(condition, "True")

    found = {change for node in _nodes(ast.parse(source)) for change in of(node)}
    ordered = sorted(found, key=lambda change: (change.start, change.end, change.new))
    return [change for change in ordered if _is_other(change, source)]


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes to mutate: no wording of errors, no types, no assertions."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    value = node.value if isinstance(node, ast.Assign) else None
    is_limit = isinstance(value, ast.Call) and ast.unparse(value.func) == "Bound"
    is_number = isinstance(value, ast.Constant | ast.BinOp)
    if (is_limit or is_number) and all(map(_is_bound, node.targets)):
        return
    if isinstance(node, ast.BinOp) and _is_default(node):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list") or isinstance(node, ast.Assert):
            continue
        if isinstance(node, ast.Raise | ast.JoinedStr):
            continue
        if isinstance(node, ast.keyword) and node.arg == "strict":
            continue
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, ast.AST):
                yield from _nodes(inner)


def _is_bound(node: ast.expr) -> bool:
    """Whether an expression is a constant of the module, or computed from one and numbers; also the
    default of a bound."""
    if isinstance(node, ast.BinOp):
        return any(map(_is_bound, (node.left, node.right)))
    if isinstance(node, ast.Attribute):
        return node.attr == "default" and _is_bound(node.value)
    return isinstance(node, ast.Name) and node.id.isupper()


def _is_default(node: ast.BinOp) -> bool:
    """Whether an expression is the default of a bound, and a number more or less."""
    kinds = {type(node.left), type(node.right)}
    return kinds == {ast.Attribute, ast.Constant} and _is_bound(node)


def statement_lines(source: bytes, line: int) -> range:
    """Return the lines of the statement, or of its head, that contains a line, up to that line."""
    found = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            if not body or line < getattr(body[0], "lineno", line + 1):
                found = range(node.lineno, line + 1)
    return found


def _is_other(change: Change, source: bytes) -> bool:
    """Whether a mutation changes the syntax tree and the file is still valid Python."""
    if change.applied(source) == source:
        return False
    try:
        compile(change.applied(source), change.file, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True
