"""The invariants of linear processes, after linearisation and after each simplification.

- Parameters have distinct names. The parameters of a component are those that name it as their
  component, in order; the initial value of each is a closed term of its sort.
- A leaf of a fork has a parent with a smaller number, a control state of that parent which is a
  fork, and a position in it; it has an initial value of the right sort for each of its data.
- The variables of a summand are distinct, and none is a parameter. It has no other free variables.
- Guards are Boolean; both sides of an equation have the same sort; functions are applied to
  arguments of their sorts. All functions belong to the specification or to the linear process.
- A summand updates a parameter at most once, by a term of its sort, and updates only existing
  parameters. A control state is updated to a control state of its shape.
- The action of a summand has the declared number and sorts of arguments.
- The origin of a summand is sorted, names existing components and steps of theirs, and there are as
  many places as steps.

Simplifications, symmetries and the engine rely on these invariants without testing them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from lts.linear.control_state import Fork
from lts.linear.parallel.multi_actions import split
from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import Application, Term, Variable
from lts.specification.terms import NUMERAL

__all__ = ["verified"]


thorough = False
"""Whether to check all invariants after each simplification, as tests do. Otherwise only those are
checked whose violation would go unnoticed: variables and updated parameters are distinct."""


def verified(process: LinearProcess) -> LinearProcess:
    """Check the invariants of a linear process, and return it.

    Raises `AssertionError` for a violation, which is a defect of the code that made the process.
    """
    for summand in process.summands:
        variables, updates = summand.variables, summand.updates
        _claim(len(set(variables)) == len(variables), "a variable is bound twice")
        _claim(len(dict(updates)) == len(updates), "a parameter is updated twice")
    if thorough:
        _Invariants(process).check()
    return process


class _Invariants:
    def __init__(self, process: LinearProcess) -> None:
        self.process = process
        specification = process.specification
        self.functions = {*specification.functions, *process.functions}
        self.actions = {(a.name, a.sorts) for a in specification.actions}
        self.parameters = {p.variable for p in process.parameters}
        self.fitting: set[Application] = set()
        """Terms whose functions are known to have arguments of the right sorts."""

    def check(self) -> None:
        """Check all invariants except those that `verified` has checked already."""
        process = self.process
        names = [p.variable.name for p in process.parameters]
        _claim(len(set(names)) == len(names), "two parameters have one name")
        _claim(len(process.initial) == len(names), "a parameter has no first value")
        for parameter, term in zip(process.parameters, process.initial, strict=True):
            _claim(term.sort == parameter.variable.sort, "`{}` is no {}", term, parameter.variable)
            self.terms([term], frozenset())
        for sort, placeholder in process.unset.items():
            _claim(placeholder.sort == sort, "`{}` is no placeholder of {}", placeholder, sort)
        self.components()
        controls = {
            number: frozenset(process.components[component].shape.constants)
            for component, number in self.controls()
        }
        for number, constants in controls.items():
            _claim(process.initial[number] in constants, "a first control state is none")
        for first in process.summands:
            for summand in (first, *first.duplicates):
                self.summand(summand, controls)

    def controls(self) -> Iterator[tuple[int, int]]:
        """Yield the components that have a control state, with the numbers of these parameters."""
        for number, parameter in enumerate(self.process.parameters):
            component = parameter.component
            if parameter.variable.sort == self.process.components[component].shape.sort:
                yield component, number

    def components(self) -> None:
        process = self.process
        belonging: list[list[int]] = [[] for _ in process.components]
        for number, parameter in enumerate(process.parameters):
            belonging[parameter.component].append(number)
        for number, component in enumerate(process.components):
            shape = component.shape
            _claim(list(component.parameters) == belonging[number], "parameters of another")
            _claim(len(shape.states) == len(shape.constants), "a control state has no constant")
            sorts = [v.sort for v in shape.data] + ([shape.stack.sort] if shape.stack else [])
            _claim([t.sort for t in component.start] == sorts, "a first value has another sort")
            if component.parent is not None:
                above, state, place = component.parent
                _claim(0 <= above < number, "a fork is no component before its leaves")
                states = process.components[above].shape.states
                _claim(0 <= state < len(states), "a fork is no control state")
                fork = states[state][0]
                _claim(isinstance(fork, Fork) and 0 <= place < fork.leaves, "no leaf of a fork")

    def summand(self, summand: Summand, controls: Mapping[int, Collection[Term]]) -> None:
        process = self.process
        own = frozenset(summand.variables)
        _claim(len(own) == len(summand.variables), "a variable is bound twice")
        _claim(own.isdisjoint(self.parameters), "a variable is a parameter")
        self.terms(summand.terms, own)
        for guard in summand.guards:
            _claim(guard.term.sort == process.specification.true.sort, "a guard is not Boolean")
        for left, right in summand.equations:
            _claim(left.sort == right.sort, "`{}` and `{}` have different sorts", left, right)
        updated = [number for number, _ in summand.updates]
        _claim(len(set(updated)) == len(updated), "a parameter is updated twice")
        for number, term in summand.updates:
            _claim(0 <= number < len(process.parameters), "what is updated is no parameter")
            variable = process.parameters[number].variable
            _claim(term.sort == variable.sort, "`{}` does not fit parameter `{}`", term, variable)
            if number in controls:
                _claim(term in controls[number], "`{}` is no control state", term)
        self.action(summand)
        _claim(list(summand.origin) == sorted(summand.origin), "an origin is not in order")
        for component, _ in summand.origin:
            _claim(0 <= component < len(process.components), "an origin is no component")
        steps = sum(step >= 0 for _, step in summand.origin)
        _claim(steps == len(summand.places), "a step has no place")

    def action(self, summand: Summand) -> None:
        actions = split(summand.action, summand.arguments)
        _claim(sum(len(own) for _, own in actions) == len(summand.arguments), "arguments remain")
        for name, arguments in actions:
            sorts = tuple(argument.sort for argument in arguments)
            _claim((name, sorts) in self.actions, "`{}` of {} is not declared", name, sorts)

    def terms(self, terms: Iterable[Term], own: frozenset[Variable]) -> None:
        """Check terms over the parameters and `own` variables, shared subterms only once."""
        waiting = list(terms)
        seen = set()
        while waiting:
            term = waiting.pop()
            if isinstance(term, Variable):
                _claim(term in self.parameters or term in own, "variable `{}` is free", term)
                continue
            known = term in self.fitting
            if not known:
                self.application(term)
                self.fitting.add(term)
            if not (known and term.is_ground) and id(term) not in seen:
                seen.add(id(term))
                waiting += term.arguments

    def application(self, term: Application) -> None:
        function = term.function
        is_known = function in self.functions or function.native == NUMERAL
        _claim(is_known, "`{}` is unknown", function)
        sorts = tuple(argument.sort for argument in term.arguments)
        _claim(sorts == function.arguments, "the arguments of `{}` do not fit", term)


def _claim(holds: bool, otherwise: str, *about: object) -> None:
    """Raise an error unless `holds`; only then format the message, as terms may be long."""
    if not holds:
        raise AssertionError(f"not a linear process: {otherwise.format(*about)}")
