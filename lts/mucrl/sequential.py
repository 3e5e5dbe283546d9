"""Sequential processes: their control states, and the steps that lead from one to another.

A control state is what remains to be done, compared as it is written: a name is never identified
with its body. It is a stack of fragments, innermost first. A fragment is either a call, whose
arguments are data whatever terms they were written as, or a piece of one process body that begins
with something else. The free variables of the fragments are the data that the state holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from lts.errors import SpecificationError, Unsupported
from lts.mucrl.source import Place
from lts.mucrl.specification import (
    Action,
    Call,
    Choice,
    Condition,
    Delta,
    Process,
    ProcessName,
    Sequence,
    Specification,
    Sum,
    Tau,
    Term,
    Variable,
    free_variables,
    instantiate,
    substitute,
)

__all__ = ["Control", "Guard", "Step", "initial_control_state", "steps"]

Values = Mapping[Variable, Term]
Control = tuple[Process, ...]
"""The fragments that remain, innermost first; no two have a free variable in common."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A Boolean term and the value that it must have for a step to be possible."""

    term: Term
    positive: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One way to do an action: for all values of `variables` that meet `guards`.

    Terms are over the data of the control state that does the step and over `variables`.
    `action` None is the internal step. `values` gives the data of the control state `after`.
    """

    variables: tuple[Variable, ...]
    guards: tuple[Guard, ...]
    action: str | None
    arguments: tuple[Term, ...]
    after: Control
    values: Values
    place: Place


def initial_control_state(specification: Specification, process: Process) -> tuple[Control, Values]:
    """Return the control state in which a closed process starts."""
    return _control_state(specification, [_Fragment(process, {}, None)])


def steps(specification: Specification, control: Control) -> list[Step]:
    """Return the steps of a control state, in the order of the text."""
    if not control:
        return []
    identity: Values = {v: v for fragment in control for v in free_variables(fragment)}
    unfolding = _Unfolding(specification, {v.name for v in identity})
    rest = [_Fragment(process, identity, None) for process in control[1:]]
    result = []
    for start in unfolding.unfold(control[0], identity, None, frozenset()):
        after, values = _control_state(specification, [*start.remaining, *rest])
        result.append(
            Step(
                start.variables, start.guards, start.action, start.arguments,
                after, values, start.place,
            )
        )  # fmt: skip
    return result


@dataclass(frozen=True, slots=True)
class _Fragment:
    """A process that remains, and the values of its free variables.

    `scope` tells one unfolding of a body from another: fragments of one scope may be joined.
    """

    process: Process
    values: Values
    scope: object


@dataclass(frozen=True, slots=True)
class _Start:
    """A step whose remainder is not a control state yet."""

    variables: tuple[Variable, ...]
    guards: tuple[Guard, ...]
    action: str | None
    arguments: tuple[Term, ...]
    remaining: tuple[_Fragment, ...]
    place: Place


class _Unfolding:
    """Calls are unfolded, and choices taken apart, up to the first action."""

    def __init__(self, specification: Specification, taken: Iterable[str]) -> None:
        self.specification = specification
        self.taken = set(taken)
        """Names that a sum variable may not have here."""

    def unfold(
        self, process: Process, values: Values, scope: object, calls: frozenset[ProcessName]
    ) -> list[_Start]:
        """Return the ways to start `process` where its free variables have these values.

        `calls` are the processes being unfolded: meeting one again means that it can call itself
        without doing an action.
        """
        match process:
            case Delta():
                return []
            case Tau(place):
                return [_Start((), (), None, (), (), place)]
            case Action(action, arguments, place):
                terms = tuple(substitute(argument, values) for argument in arguments)
                return [_Start((), (), action.name, terms, (), place)]
            case Choice(alternatives):
                return [s for p in alternatives for s in self.unfold(p, values, scope, calls)]
            case Condition(then, condition, otherwise, _):
                term = substitute(condition, values)
                return [
                    replace(start, guards=(Guard(term, positive), *start.guards))
                    for branch, positive in ((then, True), (otherwise, False))
                    for start in self.unfold(branch, values, scope, calls)
                ]
            case Sum(variable, body):
                fresh = Variable(_fresh_name(variable.name, self.taken), variable.sort)
                self.taken.add(fresh.name)
                starts = self.unfold(body, {**values, variable: fresh}, scope, calls)
                self.taken.discard(fresh.name)  # another alternative may use the name again
                return [replace(s, variables=(fresh, *s.variables)) for s in starts]
            case Sequence(first, second):
                here = {v: values[v] for v in free_variables(second)}
                rest = _Fragment(second, here, scope)
                return [
                    replace(start, remaining=_followed(start.remaining, rest))
                    for start in self.unfold(first, values, scope, calls)
                ]
            case Call(name, arguments, place):
                if name in calls:
                    raise self.specification.source.error(
                        SpecificationError,
                        f"process `{name}` can call itself without doing an action",
                        place,
                    )
                parameters, body = self.specification.definitions[name]
                terms = tuple(substitute(argument, values) for argument in arguments)
                inner = dict(zip(parameters, terms, strict=True))
                return self.unfold(body, inner, object(), calls | {name})
        raise self.specification.source.error(
            Unsupported,
            "`||`, `encap`, `hide` and `rename` are supported around sequential processes only",
            process.place,
        )


def _followed(remaining: tuple[_Fragment, ...], then: _Fragment) -> tuple[_Fragment, ...]:
    """Return the fragments followed by one more, joined to the last where they share a scope."""
    if not remaining or remaining[-1].scope is not then.scope:
        return (*remaining, then)
    last = remaining[-1]
    if any(last.values.get(v, value) != value for v, value in then.values.items()):
        return (*remaining, then)  # a sum variable hides one that is needed later
    joined = _Fragment(
        _sequence(last.process, then.process), {**last.values, **then.values}, then.scope
    )
    return (*remaining[:-1], joined)


def _sequence(first: Process, second: Process) -> Process:
    if isinstance(first, Sequence):
        return Sequence(first.first, _sequence(first.second, second))
    return Sequence(first, second)


def _control_state(
    specification: Specification, remaining: Iterable[_Fragment]
) -> tuple[Control, Values]:
    """Return the control state of what remains, and the values of its data."""
    fragments: list[Process] = []
    data: dict[Variable, Term] = {}
    taken: set[str] = set()
    for process, values in _calls_apart(specification, remaining):
        renamed: dict[Variable, Term] = {}
        for variable in free_variables(process):
            name = _fresh_name(variable.name, taken)
            taken.add(name)
            data[Variable(name, variable.sort)] = values[variable]
            renamed[variable] = Variable(name, variable.sort)
        fragments.append(instantiate(process, renamed))
    return tuple(fragments), data


def _calls_apart(
    specification: Specification, remaining: Iterable[_Fragment]
) -> Iterable[tuple[Process, Values]]:
    """Yield the fragments with leading calls split off, their arguments made data."""
    for fragment in remaining:
        process: Process | None = fragment.process
        while process is not None:
            first, rest = (
                (process.first, process.second)
                if isinstance(process, Sequence)
                else (process, None)
            )
            if not isinstance(first, Call):
                yield process, fragment.values
                break
            parameters, _ = specification.definitions[first.process]
            arguments = (substitute(argument, fragment.values) for argument in first.arguments)
            yield (
                Call(first.process, parameters, first.place),
                dict(zip(parameters, arguments, strict=True)),
            )
            process = rest


def _fresh_name(name: str, taken: set[str]) -> str:
    """Return `name`, or the first of `name_2`, `name_3`, .. that is not taken."""
    fresh, number = name, 1
    while fresh in taken:
        number += 1
        fresh = f"{name}_{number}"
    return fresh
