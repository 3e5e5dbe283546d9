"""Parses process expressions, with mCRL2's priorities.

A condition may begin wherever a process may. It is recognised by the `->` after a name, a number, a
parenthesised expression, or an application. As in data, an operand that begins with a keyword or a
condition extends as far as the operator before it allows: `a . sum x: D. b(x) + c` is a choice
between `a . sum x: D. b(x)` and `c`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lts.mcrl2.text import tree
from lts.mcrl2.text.data import assignments, data, expressions, unit, unit_end
from lts.mcrl2.text.sorts import variables
from lts.mcrl2.text.tokens import SECTIONS
from lts.specification.generators import Recursion, run
from lts.text.names import Name
from lts.text.reader import Reader
from lts.text.report import Failed
from lts.text.source import Place
from lts.text.tokens import END

__all__ = ["OPERATORS", "process"]

T = TypeVar("T")

OPERATORS = {"+": 1, "||": 3, "||_": 4, "<<": 8, ".": 9, "@": 10, "|": 11}
"""The priorities of operators (mCRL2 language reference, `ProcExpr`)."""

_SUM, _CONDITION = 2, 6

_TERMINATORS = frozenset((";", ",", ")", "]", "}", END, *SECTIONS))
"""Tokens that end a process, outside of brackets."""


def process(reader: Reader) -> tree.Process:
    """Read a process."""
    return run(_process(reader, 0))


def _process(reader: Reader, least: int) -> Recursion[tree.Process]:
    """Read operands and operators of priority `least` or higher."""
    left: tree.Process = yield _operand(reader, least)
    while True:
        operator = reader.kind
        level = OPERATORS.get(operator)
        if level is None or level < least:
            return left
        if operator == "@":
            place = reader.take().place
            if unit_end(reader) is None:
                raise reader.failed("a time")
            left = tree.At(left, unit(reader), place)
        elif operator == "<<":
            place = reader.take().place
            left = tree.Until(left, (yield _process(reader, level + 1)), place)
        elif operator == "||_":
            left = yield _left_merges(reader, left, level)
        else:
            # The right operand of `.` or `||` may begin with a keyword, and then extends further.
            inner = level + 1 if operator in ("+", "|") else level
            parts = [left]
            place = reader.place if operator != "." else left.place
            while reader.skip(operator):
                parts.append((yield _operand_of(reader, operator, inner)))
            left = _of_parts(operator, parts, place)


def _operand_of(reader: Reader, operator: str, inner: int) -> Recursion[tree.Process]:
    """Read a right operand; after `.` and `||` it extends to the next operator of that kind."""
    found: tree.Process
    if operator in ("+", "|"):
        found = yield _process(reader, inner)
    elif _begins_open(reader):
        found = yield _operand(reader, inner)
    else:
        found = yield _process(reader, inner + 1)
    return found


def _begins_open(reader: Reader) -> bool:
    """Whether an operand without an end of its own begins here: a sum or a condition."""
    if reader.kind in ("sum", "dist"):
        return True
    end = unit_end(reader)
    return end is not None and reader.kinds[end] == "->"


def _of_parts(operator: str, parts: list[tree.Process], place: Place) -> tree.Process:
    if operator == "+":
        return tree.Choice(tuple(parts), place)
    if operator == ".":
        return tree.Sequence(tuple(parts), place)
    if operator == "||":
        return tree.Parallel(tuple(parts), place)
    return tree.Synchronous(tuple(parts), place)


def _left_merges(reader: Reader, first: tree.Process, level: int) -> Recursion[tree.Process]:
    parts, places = [first], []
    while reader.kind == "||_":
        places.append(reader.take().place)
        parts.append((yield _operand_of(reader, "||_", level)))
    result = parts[-1]
    for part, place in zip(reversed(parts[:-1]), reversed(places), strict=True):
        result = tree.LeftMerge(part, result, place)
    return result


def _operand(reader: Reader, least: int) -> Recursion[tree.Process]:
    kind = reader.kind
    inner: tree.Process
    if kind == "sum" or kind == "dist":
        place = reader.take().place
        bound = tuple(variables(reader))
        if kind == "dist":
            reader.expect("[")
            density = data(reader)
            reader.expect("]")
        reader.expect(".")
        body = yield _process(reader, max(least, _SUM))
        if kind == "dist":
            return tree.Distribution(bound, density, body, place)
        return tree.Sum(bound, body, place)
    end = unit_end(reader)
    if end is not None and reader.kinds[end] == "->":
        inner = yield _condition(reader, least)
        return inner
    if kind == "name":
        return _call(reader)
    if kind == "delta":
        return tree.Delta(reader.take().place)
    if kind == "tau":
        return tree.Tau(reader.take().place)
    if kind == "(":
        reader.take()
        inner = yield _process(reader, 0)
        if reader.kind != ")":
            raise reader.failed("an operator or `)`")
        reader.take()
        return inner
    if kind in ("block", "hide", "allow", "comm", "rename"):
        inner = yield _operator_on_actions(reader)
        return inner
    raise reader.failed("a process")


def _condition(reader: Reader, least: int) -> Recursion[tree.Process]:
    condition = unit(reader)
    has_other = _has_other(reader)
    place = reader.expect("->").place
    then = yield _process(reader, 0 if has_other else max(least, _CONDITION))
    otherwise = None
    if reader.skip("<>"):
        otherwise = yield _process(reader, max(least, _CONDITION))
    return tree.Condition(condition, then, otherwise, place)


def _has_other(reader: Reader) -> bool:
    """Whether a `<>` belongs to the `->` here, which then has any process in between: each belongs
    to the last condition before it that has none."""
    if reader.at not in reader.matches:
        waiting: list[int] = []
        at = reader.at
        while (kind := reader.kinds[at]) not in _TERMINATORS:
            if kind in ("sum", "dist"):  # sorts have arrows, too
                while reader.kinds[at] not in (".", *_TERMINATORS):
                    at = reader.closing[at] + 1
            elif kind == "->":
                waiting.append(at)
                reader.matches[at] = False
            elif kind == "<>" and waiting:
                reader.matches[waiting.pop()] = True
            at = reader.closing[at] + 1 if reader.kinds[at] not in _TERMINATORS else at
    return reader.matches.get(reader.at, False)


def _call(reader: Reader) -> tree.Process:
    name = reader.take()
    if not reader.skip("("):
        return tree.Call(name, ())
    if reader.skip(")"):
        return tree.Assignments(name, ())
    if reader.kind == "name" and reader.kinds[reader.at + 1] == "=":
        assigned = assignments(reader)
        reader.expect(")")
        return tree.Assignments(name, tuple(assigned))
    arguments = expressions(reader)
    reader.expect(")")
    return tree.Call(name, tuple(arguments))


def _operator_on_actions(reader: Reader) -> Recursion[tree.Process]:
    word = reader.take()
    reader.expect("(")
    reader.expect("{")
    if word == "block" or word == "hide":
        names = tuple(reader.names("an action"))
        body = yield _body(reader)
        if word == "block":
            return tree.Encap(names, body, word.place)
        return tree.Hide(names, body, word.place)
    if word == "allow":
        allowed = _listed(reader, _multi_action)
        body = yield _body(reader)
        return tree.Allow(tuple(allowed), body, word.place)
    if word == "comm":
        pairs = _listed(reader, _communication)
        body = yield _body(reader)
        return tree.Comm(tuple(pairs), body, word.place)
    renamed = _listed(reader, _renaming)
    body = yield _body(reader)
    return tree.Rename(tuple(renamed), body, word.place)


def _body(reader: Reader) -> Recursion[tree.Process]:
    """Read `}, process)`."""
    reader.expect("}")
    reader.expect(",")
    body: tree.Process = yield _process(reader, 0)
    if reader.kind != ")":
        raise reader.failed("an operator or `)`")
    reader.take()
    return body


def _listed(reader: Reader, one: Callable[[Reader], T]) -> list[T]:
    """Read items separated by commas, possibly none, up to a closing brace."""
    found: list[T] = []
    while reader.kind != "}":
        found.append(one(reader))
        if not reader.skip(","):
            break
    return found


def _multi_action(reader: Reader) -> tuple[Name, ...]:
    names = [reader.name("an action")]
    while reader.skip("|"):
        names.append(reader.name("an action"))
    return tuple(names)


def _communication(reader: Reader) -> tuple[tuple[Name, ...], Name]:
    names = _multi_action(reader)
    if len(names) == 1 and reader.kind == "->":
        raise Failed("a communication has at least two actions on its left", names[0].place)
    reader.expect("->")
    return names, reader.name("an action")


def _renaming(reader: Reader) -> tuple[Name, Name]:
    old = reader.name("an action")
    reader.expect("->")
    return old, reader.name("an action")
