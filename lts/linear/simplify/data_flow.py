"""Control flow by data: parameters that only ever hold a few constants, as program counters do.

In a linear process that was written or produced as one equation, such parameters hold what control
states hold in other texts. See van de Pol and Timmer, State Space Reduction of Linear Processes
Using Control Flow Reconstruction (2009).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from lts.linear.ground_terms import GroundTerms
from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import (
    Application,
    Function,
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
    """Conditions that are certainly true or false, whatever the values of their variables are.

    Only closed parts are evaluated: rules may tell apart what a variable stands for.
    """

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.ground_terms = GroundTerms(specification)
        self.known: dict[Term, bool | None] = {}
        self._read: dict[object, frozenset[Variable]] = {}
        self.connectives: dict[Function, str | None] = {}
        self.decided: set[tuple[Function, int]] = set()
        """Connectives and positions where an argument decides even if the other has no value."""
        for rule in specification.rules:
            match rule.left.arguments, rule.condition:
                case ((Application() as decisive, Variable()), None) if rule.right == decisive:
                    self.decided.add((rule.left.function, 0))
                case ((Variable(), Application() as decisive), None) if rule.right == decisive:
                    self.decided.add((rule.left.function, 1))

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
        connective = self._connective(term.function)
        if connective is None:
            return None
        parts = [self.truth(part) for part in term.arguments]
        if connective == "not":
            return None if parts[0] is None else not parts[0]
        decisive = connective == "or"
        if any(
            part is decisive and (term.function, place) in self.decided
            for place, part in enumerate(parts)
        ):
            return decisive
        if None in parts:
            return None
        return decisive if decisive in parts else not decisive

    def _connective(self, function: Function) -> str | None:
        """Return what a function on truth values computes: `and`, `or` or `not`."""
        if function not in self.connectives:
            self.connectives[function] = self._found(function)
        return self.connectives[function]

    def _found(self, function: Function) -> str | None:
        true, false = self.specification.true, self.specification.false
        if {function.sort, *function.arguments} != {true.sort}:
            return None

        def value(*arguments: Term) -> bool | None:
            return self.ground_terms.truth(Application(function, arguments))

        if len(function.arguments) == 1:
            return "not" if (value(true), value(false)) == (False, True) else None
        if len(function.arguments) != 2:
            return None
        table = [value(a, b) for a in (true, false) for b in (true, false)]
        return {
            (True, False, False, False): "and",
            (True, True, True, False): "or",
        }.get(tuple(table))  # type: ignore[arg-type]
