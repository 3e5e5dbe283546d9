"""What holds of every linear process, whoever made or changed it.

- Parameters have names of their own. The parameters of a component are those that say that they
  belong to it, in order; each begins with a closed term of its sort.
- A component of a fork has a parent before it, a control state of that parent which is a fork, and
  a place in it; it remembers a first value of the right sort for all its data.
- A summand binds each of its variables once, and none is a parameter. Nothing else is free in it.
- Guards are Boolean; both sides of an equation have one sort; functions have arguments of their
  sorts. Only functions of the specification, or of the linear process, are applied.
- A summand updates no parameter twice, only those that there are, by terms of their sorts.
  A control state becomes a control state of its shape.
- The action of a summand has as many arguments as it says, of sorts that were declared.
- The origin of a summand is in order, names components that there are, steps that they could have,
  and as many places as steps.

Simplifications, symmetries and the engine rely on all of these, and look for none.
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
"""Whether to look for all of it after each pass, as tests do. Otherwise it is looked for what goes
wrong without a word: that variables and updated parameters are not twice there."""


def verified(process: LinearProcess) -> LinearProcess:
    """Return a linear process of which all that is said above holds.

    Raises `AssertionError` for any other: a defect of whatever made it.
    """
    for kept in process.summands:
        variables, updates = kept.variables, kept.updates
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
        """Terms whose functions are known to have the right arguments."""

    def check(self) -> None:
        """Check all but that nothing is there twice in summands that are kept."""
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
        for kept in process.summands:
            for summand in (kept, *kept.duplicates):
                self.summand(summand, controls)

    def controls(self) -> Iterator[tuple[int, int]]:
        """Yield the components that have control states, with the numbers of these parameters."""
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
        """Check terms over the parameters and some variables; a part that is shared, once."""
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
    """Say what does not hold; what it is about is written down only then, as terms may be long."""
    if not holds:
        raise AssertionError(f"not a linear process: {otherwise.format(*about)}")
