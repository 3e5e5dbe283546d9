"""Parses data expressions, with mCRL2's priorities.

Operators are joined by precedence (`lts.text.climbing`). A quantifier extends over operators that
bind at least as much as the one that precedes it, as in mCRL2: `a && exists x: D. b && c || d` is
`(a && (exists x: D. b && c)) || d`, and `!exists x: D. b && c` is `(!exists x: D. b) && c`. Nested
expressions are parsed by generators, so that depth is not limited by Python's stack.
"""

from __future__ import annotations

from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.sorts import sort, variables
from lts.specification.generators import Recursion, run
from lts.text.climbing import Climb
from lts.text.names import Name
from lts.text.reader import Reader
from lts.text.report import Failed

__all__ = [
    "BINARY", "RIGHT", "assignments", "data", "expressions", "first_values", "in_brackets", "unit",
    "unit_end",
]  # fmt: skip

BINARY = {
    "=>": 2, "||": 3, "&&": 4, "==": 5, "!=": 5, "<": 6, "<=": 6, ">=": 6, ">": 6, "in": 6,
    "|>": 7, "<|": 8, "++": 9, "+": 10, "-": 10, "/": 11, "div": 11, "mod": 11, "*": 12, ".": 12,
}  # fmt: skip
"""The priorities of binary operators (mCRL2 language reference, `DataExpr`)."""

RIGHT = frozenset(("=>", "||", "&&", "|>"))
"""Operators that associate to the right; all others associate to the left."""

_PREFIX = ("!", "-", "#")
_BINDERS = ("forall", "exists", "lambda")
_BINDER, _WHERE = 1, 0
_TIGHTEST = 1 + max(BINARY.values())


def data(reader: Reader) -> tree.Data:
    """Read an expression."""
    return run(_data(reader, _WHERE))


def expressions(reader: Reader) -> list[tree.Data]:
    """Read `expression, ..`."""
    found = [data(reader)]
    while reader.skip(","):
        found.append(data(reader))
    return found


def in_brackets(reader: Reader) -> list[tree.Data]:
    """Read `(expression, ..)`."""
    reader.expect("(")
    found = expressions(reader)
    reader.expect(")")
    return found


def first_values(reader: Reader) -> list[tuple[Name, tree.Sort, tree.Data]]:
    """Read `(name: sort = expression, ..)`."""
    found = []
    reader.expect("(")
    while True:
        name = reader.name("a parameter")
        reader.expect(":", " and a sort")
        of = sort(reader)
        reader.expect("=", " and a first value")
        found.append((name, of, data(reader)))
        if not reader.skip(","):
            reader.expect(")")
            return found


def assignments(reader: Reader) -> list[tuple[Name, tree.Data]]:
    """Read `name = expression, ..`."""
    found: list[tuple[Name, tree.Data]] = run(_assignments(reader))
    return found


def unit_end(reader: Reader) -> int | None:
    """Return the index after the condition or time that begins here; None if none does.

    This is lookahead for `unit`: nothing is consumed.
    """
    at, kinds = reader.at, reader.kinds
    while kinds[at] in _PREFIX:
        at += 1
    if kinds[at] == "(":
        at = reader.closing[at]
    elif kinds[at] not in ("name", "number", "true", "false"):
        return None
    at += 1
    while kinds[at] == "(":
        at = reader.closing[at] + 1
    return at


def unit(reader: Reader) -> tree.Data:
    """Read a condition of a process, or a time: unparenthesised, its only operators are `! - #`."""
    return run(_operand(reader, unit=True))


def _data(reader: Reader, least: int, floor: int = 0) -> Recursion[tree.Data]:
    """Read operands and operators of at least priority `floor` and, unless `least` is above
    `_WHERE`, `whr` clauses."""
    found = Climb(_joined)
    while True:
        operand: tree.Data = yield _operand(reader, floor=found.level(floor))
        while reader.kind == "whr" and least <= _WHERE:
            place = reader.take().place
            assigned = yield _assignments(reader)
            reader.expect("end", " after the definitions of `whr`")
            operand = tree.Where(found.end(operand), tuple(assigned), place)
        level = BINARY.get(reader.kind)
        if level is None or level < floor:
            return found.end(operand)
        found.add(operand, reader.take(), level)


def _joined(operators: list[Name], operands: list[tree.Data]) -> tree.Data:
    """Join operators of one priority with their operands."""
    if operators[0] in RIGHT:
        result = operands[-1]
        for part, operator in zip(reversed(operands[:-1]), reversed(operators), strict=True):
            result = tree.Operation(operator, (part, result))
        return result
    result = operands[0]
    for part, operator in zip(operands[1:], operators, strict=True):
        result = tree.Operation(operator, (result, part))
    return result


def _operand(reader: Reader, *, unit: bool = False, floor: int = 0) -> Recursion[tree.Data]:
    prefixes: list[Name] = []
    while reader.kind in _PREFIX:
        prefixes.append(reader.take())
    if reader.kind in _BINDERS and not reader.is_name():
        word = reader.take()
        bound = variables(reader)
        reader.expect(".")
        # A binder extends over operators that bind at least as much as the one that precedes it;
        # after a prefix over none.
        body = yield _data(reader, _BINDER, _TIGHTEST if prefixes else floor)
        found: tree.Data = tree.Binder(word, tuple(bound), body)
    else:
        found = yield _primary(reader)
        while True:
            if reader.kind == "(":
                reader.take()
                arguments = yield _expressions(reader)
                reader.expect(")")
                found = tree.Application(found, tuple(arguments))
            elif reader.kind == "[" and not unit:
                place = reader.take().place
                argument = yield _data(reader, _WHERE)
                reader.expect("->")
                value = yield _data(reader, _WHERE)
                reader.expect("]")
                found = tree.Update(found, argument, value, place)
            else:
                break
    for prefix in reversed(prefixes):
        found = tree.Operation(prefix, (found,))
    return found


def _primary(reader: Reader) -> Recursion[tree.Data]:
    kind = reader.kind
    if kind in ("name", "true", "false") or reader.is_name():
        return tree.Identifier(reader.take())
    if kind == "number":
        return tree.Number(reader.take())
    if kind == "(":
        reader.take()
        inner: tree.Data = yield _data(reader, _WHERE)
        reader.expect(")")
        return inner
    if kind == "[":
        place = reader.take().place
        elements: list[tree.Data] = []
        if reader.kind != "]":
            elements = yield _expressions(reader)
        reader.expect("]")
        return tree.ListOf(tuple(elements), place)
    if kind == "{":
        inner = yield _braces(reader)
        return inner
    raise reader.failed("an expression")


def _braces(reader: Reader) -> Recursion[tree.Data]:
    """Read a set or bag enumeration, or a comprehension."""
    is_comprehension = _has_bar(reader)
    place = reader.take().place
    if reader.skip("}"):
        return tree.SetOf((), place)
    if reader.kind == ":" and reader.kinds[reader.at + 1] == "}":
        reader.at += 2
        return tree.Bag((), place)
    if is_comprehension:
        bound = variables(reader)
        if len(bound) != 1:
            raise Failed("a comprehension has one variable", bound[1].name.place)
        reader.expect("|")
        body = yield _data(reader, _WHERE)
        reader.expect("}")
        return tree.Comprehension(bound[0], body, place)
    first = yield _data(reader, _WHERE)
    if reader.kind != ":":
        elements = [first]
        while reader.skip(","):
            elements.append((yield _data(reader, _WHERE)))
        reader.expect("}")
        return tree.SetOf(tuple(elements), place)
    reader.take()
    counted = [(first, (yield _data(reader, _WHERE)))]
    while reader.skip(","):
        element = yield _data(reader, _WHERE)
        reader.expect(":", " and its multiplicity")
        counted.append((element, (yield _data(reader, _WHERE))))
    reader.expect("}")
    return tree.Bag(tuple(counted), place)


def _has_bar(reader: Reader) -> bool:
    """Whether the braces contain a bar that is not inside further brackets."""
    at, end = reader.at + 1, reader.closing[reader.at]
    while at < end:
        if reader.kinds[at] == "|":
            return True
        at = reader.closing[at] + 1
    return False


def _expressions(reader: Reader) -> Recursion[list[tree.Data]]:
    found = [(yield _data(reader, _WHERE))]
    while reader.skip(","):
        found.append((yield _data(reader, _WHERE)))
    return found


def _assignments(reader: Reader) -> Recursion[list[tuple[Name, tree.Data]]]:
    found = []
    while True:
        name = reader.name("a variable")
        reader.expect("=")
        found.append((name, (yield _data(reader, _WHERE))))
        if not reader.skip(","):
            return found
