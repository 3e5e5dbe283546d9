"""Linearisation: parallel compositions of sequential processes become one linear process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from lts.errors import Unsupported
from lts.mucrl.linear import Component, LinearProcess, Parameter, Shape, Summand, constant
from lts.mucrl.sequential import Control, Guard, Step, initial_control_state, steps
from lts.mucrl.specification import (
    Application,
    Call,
    Encap,
    Hide,
    Parallel,
    Process,
    ProcessName,
    Rename,
    Sequence,
    Specification,
    Term,
    Variable,
    free_variables,
    instantiate,
    substitute,
    variables_of,
)

__all__ = ["linearise"]

_MOST_STATES = 100_000
"""Control states that a sequential process may have; one with more does not end."""


def linearise(specification: Specification) -> LinearProcess:
    """Return the linear process of a specification.

    The initial process must be a composition, by `||`, `encap`, `hide` and `rename`, of sequential
    processes. Raises `SpecificationError` for unguarded recursion, `Unsupported` for anything else
    that has no linear form here.
    """
    return _Linearisation(specification).process()


@dataclass(frozen=True, slots=True)
class _Unfolded:
    """A shape with the steps of its control states: (from, step, to), numbered from 0."""

    shape: Shape
    steps: tuple[tuple[int, Step, int], ...]


class _Linearisation:
    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.names = {f.name for f in specification.functions} | set(specification.sorts)
        self.rewritten = {rule.left.function for rule in specification.rules}
        self.unfolded: dict[Control, _Unfolded] = {}
        self.components: list[Component] = []
        self.parameters: list[Parameter] = []
        self.initial: list[Term] = []
        self.unset: dict[str, Application] = {}
        self.parameter_names: set[str] = set()

    def process(self) -> LinearProcess:
        summands = self.compose(self.specification.initial, frozenset())
        return LinearProcess(
            self.specification,
            tuple(self.components),
            tuple(self.parameters),
            tuple(self.initial),
            tuple(summands),
            self.unset,
        )

    def fresh(self, name: str, taken: set[str]) -> str:
        """Return `name`, or a longer one, that is not taken, and take it."""
        fresh, number = name, 1
        while fresh in taken or fresh in self.names:
            number += 1
            fresh = f"{name}_{number}"
        taken.add(fresh)
        return fresh

    def compose(self, process: Process, calls: frozenset[ProcessName]) -> list[Summand]:
        """Return the summands of a closed process; its components are added to the list."""
        match process:
            case Parallel(processes):
                summands: list[Summand] = []
                for part in processes:
                    summands = self.merge(summands, self.compose(part, calls))
                return summands
            case Encap(actions, body):
                return [s for s in self.compose(body, calls) if s.action not in actions]
            case Hide(actions, body):
                return [
                    replace(s, action=None, arguments=()) if s.action in actions else s
                    for s in self.compose(body, calls)
                ]
            case Rename(pairs, body):
                names = dict(pairs)
                return [
                    replace(s, action=names[s.action]) if s.action in names else s
                    for s in self.compose(body, calls)
                ]
            case Call(name, arguments, place) if self.is_composition(process, frozenset()):
                if name in calls:
                    raise self.specification.source.error(
                        Unsupported,
                        f"process `{name}` calls itself inside a parallel composition",
                        place,
                    )
                parameters, body = self.specification.definitions[name]
                values = dict(zip(parameters, arguments, strict=True))
                return self.compose(instantiate(body, values), calls | {name})
        return self.component(process)

    def is_composition(self, process: Process, calls: frozenset[ProcessName]) -> bool:
        """Whether a process is a composition once calls are replaced by their bodies."""
        match process:
            case Parallel() | Encap() | Hide() | Rename():
                return True
            case Call(name) if name not in calls:
                return self.is_composition(self.specification.definitions[name][1], calls | {name})
        return False

    def merge(self, left: list[Summand], right: list[Summand]) -> list[Summand]:
        """Return the steps of `left`, those of `right`, and what they do together."""
        if not left:
            return right
        communications = self.specification.communications
        partners: dict[str, list[Summand]] = defaultdict(list)
        for summand in right:
            if summand.action is not None:
                partners[summand.action].append(summand)
        together = []
        results: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for pair, result in communications.items():
            first, second = min(pair), max(pair)
            results[first].append((second, result))
            if first != second:
                results[second].append((first, result))
        for one in left:
            for name, result in results.get(one.action or "", ()):
                for other in partners.get(name, ()):
                    if _sorts(one.arguments) == _sorts(other.arguments):
                        together.append(self.communication(one, other, result))
        return [*left, *right, *(s for s in together if s is not None)]

    def communication(self, one: Summand, other: Summand, action: str) -> Summand | None:
        """Return the step that two steps do together; None if it is never possible."""
        taken = {v.name for v in one.variables} | self.parameter_names
        renamed: dict[Variable, Term] = {
            v: Variable(self.fresh(v.name, taken), v.sort) for v in other.variables
        }
        other = _substituted(other, renamed)
        return self.one_point(
            Summand(
                one.variables + other.variables,
                one.guards + other.guards,
                (
                    *one.equations,
                    *other.equations,
                    *zip(one.arguments, other.arguments, strict=True),
                ),
                action,
                one.arguments,
                one.updates + other.updates,
                one.origin + other.origin,
                one.places + other.places,
            )
        )

    def one_point(self, summand: Summand) -> Summand | None:
        """Solve the equations of a summand as far as they can be seen to hold, or not to.

        `sum(d, p <| d = t |> delta)` is `p` with `t` for `d` (the one-point rule).
        """
        waiting = list(summand.equations)
        kept: list[tuple[Term, Term]] = []
        solved: dict[Variable, Term] = {}
        bound = set(summand.variables)
        while waiting:
            left, right = (substitute(term, solved) for term in waiting.pop(0))
            if left == right:
                continue
            variable, term = (left, right) if left in bound else (right, left)
            if (
                isinstance(variable, Variable)
                and variable in bound
                and variable not in variables_of(term)
            ):
                solved = {v: substitute(t, {variable: term}) for v, t in solved.items()}
                solved[variable] = term
                bound.discard(variable)
            elif self.is_free(left) and self.is_free(right):
                assert isinstance(left, Application)
                assert isinstance(right, Application)
                if left.function != right.function:
                    return None
                waiting += zip(left.arguments, right.arguments, strict=True)
            else:
                kept.append((left, right))
        if not solved:
            return replace(summand, equations=tuple(kept))
        kept = [(substitute(a, solved), substitute(b, solved)) for a, b in kept]
        remaining = tuple(v for v in summand.variables if v in bound)
        return _substituted(replace(summand, variables=remaining, equations=tuple(kept)), solved)

    def is_free(self, term: Term) -> bool:
        """Whether a term has a constructor outside that no rule rewrites."""
        return (
            isinstance(term, Application)
            and term.function.constructor
            and term.function not in self.rewritten
        )

    def component(self, process: Process) -> list[Summand]:
        """Add a sequential process as a component and return its summands."""
        control, values = initial_control_state(self.specification, process)
        unfolded = self.unfold(control)
        shape, number, first = unfolded.shape, len(self.components), len(self.parameters)
        label = self.fresh(_component_name(shape, process), self.parameter_names)
        self.components.append(Component(label, shape, first))
        own = [Parameter(Variable(label, shape.sort), number, None)]
        for variable in shape.data:
            name = self.fresh(f"{label}_{variable.name}", self.parameter_names)
            own.append(Parameter(Variable(name, variable.sort), number, variable))
        self.parameters += own
        self.initial.append(shape.constants[0])
        self.initial += (values.get(v, self.unset[v.sort]) for v in shape.data)
        here: dict[Variable, Term] = {p.origin: p.variable for p in own if p.origin is not None}
        return [
            self.summand(unfolded, step, number, own, here) for step in range(len(unfolded.steps))
        ]

    def summand(
        self,
        unfolded: _Unfolded,
        number: int,
        component: int,
        own: list[Parameter],
        here: Mapping[Variable, Term],
    ) -> Summand:
        """Return step `number` of a component as a summand over its parameters."""
        shape = unfolded.shape
        source, step, target = unfolded.steps[number]
        taken = set(self.parameter_names)
        bound = {v: Variable(self.fresh(v.name, taken), v.sort) for v in step.variables}
        values = {**here, **bound}
        first = self.components[component].first
        updates: list[tuple[int, Term]] = []
        if source != target:
            updates.append((first, shape.constants[target]))
        before = {v for fragment in shape.states[source] for v in free_variables(fragment)}
        for offset, variable in enumerate(shape.data, start=1):
            if variable in step.values:
                term = substitute(step.values[variable], values)
                if term != own[offset].variable:
                    updates.append((first + offset, term))
            elif variable in before:
                updates.append((first + offset, self.unset[variable.sort]))
        return Summand(
            tuple(bound.values()),
            tuple(Guard(substitute(g.term, values), g.positive) for g in step.guards),
            ((own[0].variable, shape.constants[source]),),
            step.action,
            tuple(substitute(argument, values) for argument in step.arguments),
            tuple(updates),
            ((component, number),),
            (step.place,),
        )

    def unfold(self, initial: Control) -> _Unfolded:
        """Return all control states that are reachable from the first, with their steps."""
        if initial in self.unfolded:
            return self.unfolded[initial]
        numbers: dict[Control, int] = {initial: 0}
        found: list[tuple[int, Step, int]] = []
        states = [initial]
        for state in states:  # grows while it is read
            for step in steps(self.specification, state):
                if step.after not in numbers:
                    numbers[step.after] = len(states)
                    states.append(step.after)
                found.append((numbers[state], step, numbers[step.after]))
            if len(states) > _MOST_STATES:
                raise self.specification.source.error(
                    Unsupported,
                    f"a sequential process has more than {_MOST_STATES} control states: its "
                    "recursion is not tail recursion",
                    found[-1][1].place,
                )
        name = _process_name(initial)
        sort = self.fresh(f"{name}_control", self.names)
        data = tuple(
            {v: None for state in states for fragment in state for v in free_variables(fragment)}
        )
        for variable in data:
            if variable.sort not in self.unset:
                unset = self.fresh(f"unset_{variable.sort}", self.names)
                self.unset[variable.sort] = constant(unset, variable.sort)
        constants = tuple(
            constant(self.fresh(f"{name}_{number}", self.names), sort)
            for number in range(len(states))
        )
        shape = Shape(name, sort, tuple(states), constants, data)
        self.unfolded[initial] = _Unfolded(shape, tuple(found))
        return self.unfolded[initial]


def _sorts(terms: Iterable[Term]) -> tuple[str, ...]:
    return tuple(term.sort for term in terms)


def _process_name(control: Control) -> str:
    match control:
        case (Call(name), *_):
            return name.name
        case (Sequence(Call(name)), *_):
            return name.name
    return "Init"


def _component_name(shape: Shape, process: Process) -> str:
    """Return what to call a component: its process, and the constant that tells it from others."""
    match process:
        case Call(_, (Application(function, ()),)):
            return f"{shape.name}_{function.name}"
    return shape.name


def _substituted(summand: Summand, values: Mapping[Variable, Term]) -> Summand:
    """Return the summand with its own variables replaced, by variables or by terms."""
    if all(variable == term for variable, term in values.items()):
        return summand
    variables = []
    for variable in summand.variables:
        term = values.get(variable, variable)
        if isinstance(term, Variable) and term not in variables:
            variables.append(term)
    return replace(
        summand,
        variables=tuple(variables),
        guards=tuple(Guard(substitute(g.term, values), g.positive) for g in summand.guards),
        equations=tuple(
            (substitute(left, values), substitute(right, values))
            for left, right in summand.equations
        ),
        arguments=tuple(substitute(argument, values) for argument in summand.arguments),
        updates=tuple((p, substitute(term, values)) for p, term in summand.updates),
    )
