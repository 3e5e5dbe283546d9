"""Values of the library's queues, sets, maps and arrays in readable notation.

In muCRL all values are terms, and labels show them as such: `cons(d1,cons(d2,empty_Q))`. Where a
state is shown, that is the queue `[d1,d2]`; a set is `{d1,d2}`, a map or an array `{d1 -> 3}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import lts._engine as _engine
from lts.specification.signature import Signature
from lts.specification.specification import Application, Specification

__all__ = ["Containers"]

_MOST = 1000
"""Most constants of a sort that are evaluated to find their numbers."""
_MOST_KNOWN = 100_000
"""Most values whose notation is cached: states have few different ones."""


@dataclass(slots=True)
class _Node:
    """A term, parsed from its text."""

    name: str
    parts: list[_Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sort that comes from including a unit of the library.

    `keys` are the constants that are the possible elements of a set or the indices of a map or
    array, in order; None if these are numbers. `content` is the sort of the elements or entries.
    """

    unit: str
    keys: tuple[str, ...] | None
    content: str

    def key(self, number: int) -> str:
        return str(number) if self.keys is None else self.keys[number]


_Part = str | tuple[_Node, str]


class Containers:
    """Shows values in readable notation, or unchanged if no such unit is included."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        included = specification.source.files
        functions = specification.functions
        declared = {(f.name, f.arguments, f.sort) for f in functions}
        self._arguments: dict[tuple[str, int, str], tuple[str, ...] | None] = {}
        for function in functions:
            key = (function.name, len(function.arguments), function.sort)
            # Argument sorts that are ambiguous are unknown, and the arguments are shown unchanged.
            known = function.arguments if key not in self._arguments else None
            self._arguments[key] = known
        self._known: dict[tuple[str, str], str] = {}
        self._units: dict[str, _Unit] = {}
        for name, arguments, sort in declared:
            if name == "cons" and ("enqueue", (sort, arguments[0]), sort) in declared:
                self._add("Queue", included, sort, None, arguments[0])
            elif name == "put" and ("insert", arguments[:2], sort) in declared:
                self._add("Set", included, sort, arguments[1], arguments[1])
            elif name == "set" and len(arguments) == 3:
                unit = "Map" if ("remove", arguments[:2], sort) in declared else "Array"
                self._add(unit, included, sort, arguments[1], arguments[2])

    def _add(
        self, unit: str, included: frozenset[str], sort: str, index: str | None, content: str
    ) -> None:
        if f"library/{unit}.mcrl" not in included:
            return
        keys = None
        if index not in (None, "Nat"):
            constants = self._numbered(str(index))
            if constants is None:
                return
            keys = constants
        self._units[sort] = _Unit(unit, keys, content)

    def _numbered(self, sort: str) -> tuple[str, ...] | None:
        """Return the constants of a sort in order of `number`; None if that is not 0, 1, 2, .."""
        functions = self.specification.functions
        constants = [f for f in functions if f.sort == sort and not f.arguments]
        number = next((f for f in functions if (f.name, f.arguments) == ("number", (sort,))), None)
        if number is None or len(constants) > _MOST:
            return None
        signature = Signature(self.specification)
        data, found = signature.data(), {}
        for constant in constants:
            term = signature.term(Application(number, (Application(constant),)))
            try:
                found[data.normal_form(term)[0].decode()] = constant.name
            except _engine.EvaluationError:
                return None
        ordered = [found.get(str(number)) for number in range(len(constants))]
        return tuple(name for name in ordered if name is not None) if None not in ordered else None

    def shown(self, text: str, sort: str) -> str:
        """Return a value, given by its text in labels and its sort, in readable notation."""
        if not self._units:
            return text
        known = self._known.get((text, sort))
        if known is None:
            node = _parsed(text)
            known = text if node is None else self._written(node, sort)
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[text, sort] = known
        return known

    def _written(self, node: _Node, sort: str) -> str:
        written: list[str] = []
        waiting: list[_Part] = [(node, sort)]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                written.append(part)
            else:
                waiting += reversed([*self._parts(*part)])
        return "".join(written)

    def _parts(self, node: _Node, sort: str) -> Iterator[_Part]:
        """Yield the parts of a term's notation: texts, and subterms with their sorts."""
        unit = self._units.get(sort)
        inside = None if unit is None else _IN_UNITS[unit.unit](node, sort, unit)
        if inside is not None:
            yield from inside
            return
        yield node.name
        sorts = self._arguments.get((node.name, len(node.parts), sort))
        for number, part in enumerate(node.parts):
            yield "," if number else "("
            yield part, "" if sorts is None else sorts[number]
        if node.parts:
            yield ")"


def _row(node: _Node, names: tuple[str, ...]) -> tuple[list[_Node], _Node]:
    """Return the terms nested in the last arguments of `names`, and the innermost one."""
    found = []
    while node.name in names and node.parts:
        found.append(node)
        node = node.parts[-1]
    return found, node


def _queue(node: _Node, sort: str, unit: _Unit) -> list[_Part] | None:
    row, end = _row(node, ("cons",))
    if end.name != f"empty_{sort}":
        return None
    return _listed("[]", [[(term.parts[0], unit.content)] for term in row])


def _set(node: _Node, sort: str, unit: _Unit) -> list[_Part] | None:
    row, end = _row(node, ("in", "out"))
    if end.name != f"empty_{sort}" or _is_beyond(len(row), unit):
        return None
    return _listed("{}", [[unit.key(n)] for n, term in enumerate(row) if term.name == "in"])


def _map(node: _Node, sort: str, unit: _Unit) -> list[_Part] | None:
    row, end = _row(node, ("some", "none"))
    if end.name != f"empty_{sort}" or _is_beyond(len(row), unit):
        return None
    entries = [(n, term.parts[0]) for n, term in enumerate(row) if term.name == "some"]
    return _listed("{}", [[f"{unit.key(n)} -> ", (value, unit.content)] for n, value in entries])


def _array(node: _Node, sort: str, unit: _Unit) -> list[_Part] | None:
    row, end = _row(node, ("item",))
    if end.name != f"filled_{sort}" or len(end.parts) != 1 or _is_beyond(len(row), unit):
        return None
    values = [term.parts[0] for term in row]
    # An array that is indexed by numbers is infinite: the other entries are shown as `otherwise`.
    rest = 0 if unit.keys is None else len(unit.keys) - len(values)
    values += [end.parts[0]] * rest
    entries: list[list[_Part]] = [
        [f"{unit.key(n)} -> ", (value, unit.content)] for n, value in enumerate(values)
    ]
    if unit.keys is None:
        entries.append(["otherwise -> ", (end.parts[0], unit.content)])
    return _listed("{}", entries)


_IN_UNITS = {"Queue": _queue, "Set": _set, "Map": _map, "Array": _array}


def _is_beyond(length: int, unit: _Unit) -> bool:
    return unit.keys is not None and length > len(unit.keys)


def _listed(brackets: str, entries: list[list[_Part]]) -> list[_Part]:
    """Return entries in brackets, separated by commas."""
    found: list[_Part] = [brackets[0]]
    for number, entry in enumerate(entries):
        found += [",", *entry] if number else entry
    return [*found, brackets[1]]


def _parsed(text: str) -> _Node | None:
    """Parse a term; None if the text is not one."""
    top = _Node("")
    open_nodes = [top]
    for name, sign in re.findall(r"([^(),]*)([(),]?)", text):
        if name:
            open_nodes[-1].parts.append(_Node(name))
        if sign == "(" and name:
            open_nodes.append(open_nodes[-1].parts[-1])
        elif sign == ")" and len(open_nodes) > 1:
            open_nodes.pop()
        elif sign in "()" and sign:
            return None
    return top.parts[0] if len(top.parts) == len(open_nodes) == 1 else None
