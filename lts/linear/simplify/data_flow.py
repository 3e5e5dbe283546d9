"""Control flow by data: parameters that only ever hold a few constants, as program counters do.

In a linear process that was written or produced as one equation, such parameters hold what control
states hold in other texts. See van de Pol and Timmer, State Space Reduction of Linear Processes
Using Control Flow Reconstruction (2009).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from lts.linear.ground_terms import GroundTerms
from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    Term,
    Variable,
    substitute,
    variables_of,
)

__all__ = ["Conditions", "DataFlow", "counters", "data_flow"]

MOST_VALUES = 200
"""Most constants that a parameter may hold."""
LEAST_FLOWS, MOST_LOOKED_AT = 4, 10_000
"""So many parameters are taken, or more as long as no more summands are looked at altogether."""


class DataFlow:
    """The flow of one parameter of a process with a single component.

    It is the interface of `ControlFlow` (lts/linear/control_flow.py): the constants are the control
    states, and a summand may be possible in several of them.
    """

    def __init__(
        self, process: LinearProcess, number: int, values: Sequence[Term], conditions: Conditions
    ) -> None:
        self.number = number
        self.values = tuple(values)
        self.variable = process.parameters[number].variable
        self.component = process.parameters[number].component
        self.controls = {self.variable: self.component}
        self.conditions = conditions
        self._sources: dict[object, tuple[Term, ...]] = {}

    def sources(self, summand: Summand) -> dict[int, tuple[Term, ...]]:
        """Return the constants with which a summand may be possible, by component.

        All, unless it is only one: the conditions of other summands are evaluated with any of them.
        """
        key = summand.guards, summand.equations
        known = self._sources.get(key)
        if known is None:
            found = self.values
            if self.variable in self.conditions.read(summand):
                found = tuple(value for value in found if self._is_possible(summand, value))
            known = self._sources[key] = found if len(found) == 1 else self.values
        return {self.component: known}

    def targets(self, summand: Summand) -> dict[int, Term]:
        """Return the constant that a summand assigns, by component."""
        for number, term in summand.updates:
            if number == self.number and term != self.variable:
                return {self.component: term}
        return {}

    def guarded(self, summand: Summand) -> Summand:
        """Return a summand that is evaluated only with the constant that it needs.

        Its other conditions might have no value, or have no end, where parameters are reset.
        """
        [found] = self.sources(summand).values()
        equation = self.variable, found[0]
        if len(found) > 1 or equation in summand.equations:
            return summand
        return replace(summand, equations=(equation, *summand.equations))

    def _is_possible(self, summand: Summand, value: Term) -> bool:
        given = {self.variable: value}
        return not any(
            self.conditions.truth(substitute(guard.term, given)) is (not guard.positive)
            for guard in summand.guards
        ) and not any(
            self.conditions.differ(substitute(left, given), substitute(right, given))
            for left, right in summand.equations
        )


def data_flow(process: LinearProcess, number: int, conditions: Conditions) -> DataFlow | None:
    """Return the flow of a parameter of a process that is one equation.

    None if the parameter may hold other values than a few constants, or if no summand needs one of
    them.
    """
    parameter = process.parameters[number]
    if parameter.origin is None:
        return None
    values: dict[Term, None] = {process.initial[number]: None}
    for summand in process.summands:
        for updated, term in summand.updates:
            if updated == number and term != parameter.variable:
                if not isinstance(term, Application) or not term.is_ground:
                    return None
                values[term] = None
    if not 1 < len(values) <= MOST_VALUES:
        return None
    flow = DataFlow(process, number, [*values], conditions)
    is_needed = any(len(flow.sources(s)[flow.component]) == 1 for s in process.summands)
    return flow if is_needed else None


def counters(process: LinearProcess, conditions: Conditions) -> list[int]:
    """Return the parameters that may have a flow, those first that most summands test; of large
    processes only some."""
    tests = Counter(v for summand in process.summands for v in conditions.read(summand))
    tested = [number for number, p in enumerate(process.parameters) if tests[p.variable]]
    tested.sort(key=lambda number: -tests[process.parameters[number].variable])
    return tested[: max(LEAST_FLOWS, MOST_LOOKED_AT // max(1, len(process.summands)))]


class Conditions:
    """Conditions that are true, or false, for all values of their variables. Only closed parts are
    evaluated: rules may distinguish the values of a variable.
    """

    def __init__(self, specification: Specification) -> None:
        self.values = specification.false, specification.true
        self.ground_terms = GroundTerms(specification)
        self.known: dict[Term, bool | None] = {}
        self._read: dict[object, frozenset[Variable]] = {}
        self.rules: dict[Function, list[Rule]] = {}
        for rule in specification.rules:
            self.rules.setdefault(rule.left.function, []).append(rule)
        self.deciding: dict[tuple[Function, int, bool], bool | None] = {}

    def read(self, summand: Summand) -> frozenset[Variable]:
        """Return the variables in the conditions of a summand."""
        key = summand.guards, summand.equations
        found = self._read.get(key)
        if found is None:
            terms = [guard.term for guard in summand.guards]
            terms += [side for sides in summand.equations for side in sides]
            found = frozenset(v for term in terms for v in variables_of(term))
            self._read[key] = found
        return found

    def differ(self, one: Term, other: Term) -> bool:
        """Whether two terms certainly have different values."""
        return self.ground_terms.differ(one, other)

    def truth(self, term: Term) -> bool | None:
        """Whether a condition is certainly true or certainly false; None if unknown."""
        if term not in self.known:
            self.known[term] = self._truth(term)
        return self.known[term]

    def _truth(self, term: Term) -> bool | None:
        if isinstance(term, Variable):
            return None
        if term.is_ground:
            return self.ground_terms.truth(term)
        if {term.sort, *term.function.arguments} != {self.values[0].sort}:
            return None
        parts = [self.truth(part) for part in term.arguments]
        for place, part in enumerate(parts):
            if part is not None:
                found = self._decided(term.function, place, part)
                if found is not None:
                    return found
        return None if None in parts else self._value(term.function, map(bool, parts))

    def _decided(self, function: Function, place: int, part: bool) -> bool | None:
        """Return the value of a function if one argument decides it, even if others have no value;
        else None."""
        key = function, place, part
        if key not in self.deciding:
            found = self._by_rule(function, place, part)
            rows = product((False, True), repeat=len(function.arguments))
            is_so = all(self._value(function, row) == found for row in rows if row[place] == part)
            self.deciding[key] = found if is_so else None
        return self.deciding[key]

    def _by_rule(self, function: Function, place: int, part: bool) -> bool | None:
        """Return the truth value to which a rule rewrites a function with one known argument, if
        the others have no value."""
        for rule in self.rules.get(function, ()):
            own = rule.left.arguments[place]
            others = rule.left.arguments[:place] + rule.left.arguments[place + 1 :]
            if own == self.values[not part] or not {*self.values}.isdisjoint(others):
                continue  # it needs other truth values
            is_such = own == self.values[part] and all(isinstance(o, Variable) for o in others)
            if not is_such or len({*others}) < len(others) or rule.condition is not None:
                return None
            return rule.right == self.values[True] if rule.right in self.values else None
        return None

    def _value(self, function: Function, arguments: Iterable[bool]) -> bool | None:
        """Return the value of a function of truth values."""
        given = tuple(self.values[argument] for argument in arguments)
        return self.ground_terms.truth(Application(function, given))
