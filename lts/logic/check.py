"""Whether a formula holds in the initial state of a system, and what shows it."""

from __future__ import annotations

import difflib
import re
from array import array
from dataclasses import dataclass

from lts import _engine
from lts.errors import LimitReached, ParseError
from lts.logic.formula import parse, parse_actions
from lts.logic.nodes import Actions, Formula
from lts.system import LTS

__all__ = ["MAX_POSITIONS", "PROPERTIES", "Verdict", "check"]

MAX_POSITIONS = 200_000_000
"""Pairs of a part of a formula and a state, where checking stops unless told otherwise."""

PROPERTIES = {
    "deadlock-free": "[true*]<true>true",
    "livelock-free": "[true*]!<tau>@",
    "action A possible": "<true*.A>true",
    "A inevitable": "mu X. <true>true && [!A]X",
    "A before B": "[(!A)*.B]false",
}
"""Properties that have a name, as formulas; A and B stand for actions, as in `send(...)`. Besides,
`deterministic` is known, which is no formula: no label leads from a state to two. The word
`action` may stand before each of the others that name actions, or be left out."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a formula holds, and the part of the system that shows it.

    `evidence` has the transitions that are walked when one plays the game of the formula: the
    player who is right (there is a way, if the formula holds; there is a counterexample, if not)
    chooses one of its transitions, the other player any. Against `deterministic` it is a shortest
    way to a state with a choice, and two steps there. States are those of the system.
    """

    holds: bool
    evidence: LTS
    unknown: tuple[str, ...] = ()
    """Actions that the formula names and that no label of the system is: perhaps misspelt."""

    def __bool__(self) -> bool:
        return self.holds


def check(
    system: LTS, formula: str, *, max_positions: int = MAX_POSITIONS, file: str = "formula"
) -> Verdict:
    """Check a formula, or a property of `PROPERTIES`, in the initial state.

    `file` is what errors call the formula. Raises `ParseError` for what is none, `LimitReached` if
    there are more than `max_positions` pairs of a part of the formula and a state.

    >>> check(LTS.from_transitions([(0, "a", 1)]), "deadlock-free").holds
    False
    >>> check(LTS.from_transitions([(0, "a", 1), (1, "b", 1)]), "<a>nu X. <b>X").holds
    True
    """
    if formula.strip() == "deterministic":
        return _deterministic(system)
    parsed = _parse(formula, file)
    parts, root, sets = _positive(parsed)
    internal = set(system.internal)
    unknown = tuple(
        named.plain
        for named in parsed.named
        if not any(named.accepts(label, label in internal) for label in system.labels)
    )
    labels = [[a.accepts(label, label in internal) for label in system.labels] for a in sets]
    found = _engine.check(system._engine, parts, root, labels, max_positions)
    if found is None:
        message = f"more than {max_positions} pairs of a part of the formula and a state"
        raise LimitReached(message, limit=max_positions, found={"positions": max_positions})
    return Verdict(found[0], _rows(system, found[1]), unknown)


def _parse(formula: str, file: str) -> Formula:
    """Return a formula or a property; what is neither may be a misspelt property."""
    try:
        return parse(_spelled_out(formula, file), file=file)
    except ParseError as error:
        names = [*PROPERTIES, "deterministic"]
        near = difflib.get_close_matches(formula.strip(), names, n=1, cutoff=0.7)
        if not near or error.message.endswith(_IN_PROPERTY):
            raise
        message = f"{error.message}; did you mean the property `{near[0]}`?"
        raise ParseError(
            message, file=error.file, line=error.line, column=error.column, text=error.text
        ) from error


def _deterministic(system: LTS) -> Verdict:
    """Whether no reachable state has a choice; evidence is a way to one, and its choice."""
    nearest = system.nearest(system.nondeterministic_states())
    if not nearest:
        return Verdict(True, _rows(system, []))
    [(chosen, path)] = nearest
    import numpy as np

    internal = system._engine.internal
    # The first step by each label; internal ones are all one.
    first: dict[int, int] = {}
    for row in np.flatnonzero(system.source == chosen).tolist():
        label = int(system.label[row])
        known = first.setdefault(internal[0] if label in internal else label, row)
        if system.target[known] != system.target[row]:
            return Verdict(False, _rows(system, [*path, known, row]))
    raise AssertionError("a state with a choice has none")


_IN_PROPERTY = "where A and B are actions"


def _spelled_out(text: str, file: str) -> str:
    """Return the formula of a property that is given by its name.

    Raises `ParseError` where what is to be an action is none, with the place in the text.
    """
    name = text.strip()
    if name in PROPERTIES:
        return PROPERTIES[name]
    for shape, formula in PROPERTIES.items():
        pattern = re.sub(r"\b([AB])\b", r"(?P<\1>\\S.*?)", shape.removeprefix("action "))
        match = re.fullmatch(rf"\s*+(?:action\s++)?{pattern}", text.rstrip(), re.DOTALL)
        if match and not name.startswith(("<", "[", "mu ", "nu ", "let ")):
            for letter, action in match.groupdict().items():
                # What stands before it is left blank, so that errors point into the text.
                before = re.sub(r"\S", " ", text[: match.start(letter)])
                try:
                    parse_actions(before + action, file=file)
                except ParseError as error:
                    line = text.split("\n")[(error.line or 1) - 1]
                    raise ParseError(
                        f"{error.message}; `{shape}` is `{PROPERTIES[shape]}`, {_IN_PROPERTY}",
                        file=error.file,
                        line=error.line,
                        column=error.column,
                        text=line,
                    ) from error
                formula = f"({action})".join(re.split(rf"\b{letter}\b", formula))
            return formula
    return text


def _rows(system: LTS, rows: list[int]) -> LTS:
    def chosen(column: _engine.Column) -> array[int]:
        values = memoryview(column).cast("B").cast("I")
        return array("I", [values[row] for row in rows])

    engine = system._engine
    part = LTS.from_columns(
        chosen(engine.source),
        chosen(engine.label),
        chosen(engine.target),
        system.labels,
        system.initial,
        system.state_count,
    )
    return part.with_internal(system.internal)


Part = tuple[str, int, list[int]]


def _positive(formula: Formula) -> tuple[list[Part], int, list[Actions]]:
    """Return the formula without negations, as parts with priorities; part `2 n + negated`."""
    dual = {"and": "or", "or": "and", "can": "must", "must": "can", "mu": "nu", "nu": "mu"}
    nodes = formula.nodes
    alias = list(range(2 * len(nodes)))
    # A variable is its fixed point, a negation what it negates: no parts of their own.
    for number, (operator, what, parts) in enumerate(nodes):
        for negated in (0, 1):
            if operator == "var":
                assert isinstance(what, int)
                alias[2 * number + negated] = 2 * what + negated
            elif operator == "not":
                alias[2 * number + negated] = alias[2 * parts[0] + 1 - negated]
    priority = _priorities(formula)
    sets: dict[Actions, int] = {}
    found: list[Part] = []
    for operator, what, parts in nodes:
        for negated in (0, 1):
            name = dual[operator] if negated and operator in dual else operator
            inner = [alias[2 * part + negated] for part in parts]
            number = len(found) // 2
            if operator in ("mu", "nu"):
                # Odd for a least fixed point, even for a greatest one.
                height = priority[number]
                found.append(("fixed", 2 * height + (name == "mu"), inner))
            elif isinstance(what, Actions):
                found.append((name, sets.setdefault(what, len(sets)), inner))
            elif operator in ("and", "or"):
                found.append((name, 0, inner))
            else:
                found.append(("and", 0, []))  # never reached: it has an alias
    return found, alias[2 * formula.root], list(sets)


def _priorities(formula: Formula) -> list[int]:
    """Return a height for every fixed point: one that depends on an outer one has a smaller one.

    Heights are equal where fixed points of one kind are nested, so that only alternation counts.
    """
    nodes = formula.nodes
    free: list[frozenset[int]] = [frozenset()] * len(nodes)
    height = [0] * len(nodes)
    negated = _polarity(formula)
    for number in _inner_first(formula):
        operator, what, parts = nodes[number]
        if operator == "var":
            assert isinstance(what, int)
            free[number] = frozenset({what})
            continue
        free[number] = frozenset().union(*(free[part] for part in parts)) - {number}
        if operator not in ("mu", "nu"):
            continue
        # All inside it is done. What it depends on is an outer one, which is one higher where the
        # kind changes and the order of priorities asks for it.
        for outer in free[number]:
            same = (operator == nodes[outer][0]) == (negated[number] == negated[outer])
            height[outer] = max(height[outer], height[number] + (0 if same else 1))
    return height


def _inner_first(formula: Formula) -> list[int]:
    """Return the nodes that the formula is made of, parts first."""
    order: list[int] = []
    met = {formula.root}
    waiting = [(formula.root, False)]
    while waiting:
        number, done = waiting.pop()
        if done:
            order.append(number)
            continue
        waiting.append((number, True))
        operator, _, parts = formula.nodes[number]
        for part in parts if operator != "var" else ():
            if part not in met:
                met.add(part)
                waiting.append((part, False))
    return order


def _polarity(formula: Formula) -> list[int]:
    """Return for every node whether an odd number of negations is around it."""
    found = [0] * len(formula.nodes)
    for number in reversed(_inner_first(formula)):
        operator, _, parts = formula.nodes[number]
        for part in parts:
            found[part] = found[number] ^ (operator == "not")
    return found
