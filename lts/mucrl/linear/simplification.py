"""Simplifications of linear processes: each leaves the state space as it is modulo bisimulation.

Components of one shape keep parameters of the same kind, so that a symmetry that moves components
still finds them alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from lts.mucrl.linear.equations import Equations, substituted
from lts.mucrl.linear.process import LinearProcess, Parameter, Summand
from lts.mucrl.static.specification import Application, Term, Variable, substitute, variables_of
from lts.system import several

__all__ = ["SIMPLIFICATIONS", "simplify"]

SIMPLIFICATIONS = ("unreachable", "constants", "dead", "unused", "duplicates")
"""Summands that need a control state never reached; parameters that hold one value only; those that
are reset where nothing reads them; those that nothing reads anywhere; equal summands."""


def simplify(
    process: LinearProcess, simplifications: Iterable[str] = SIMPLIFICATIONS
) -> LinearProcess:
    """Return a linear process that is strongly bisimilar, with `remarks` that say what was done.

    `simplifications` are some of `SIMPLIFICATIONS`. Raises `ValueError` for any other name.
    """
    wanted = set(several(simplifications))
    if unknown := wanted.difference(SIMPLIFICATIONS):
        raise ValueError(f"no simplification is called {', '.join(sorted(unknown))}")
    if "unreachable" in wanted:
        process = _without_unreachable(process)
    if "constants" in wanted:
        process = _without_constants(process)
        if "unreachable" in wanted:
            process = _without_unreachable(process)
    if wanted & {"dead", "unused"}:
        process = _Liveness(process).process(reset="dead" in wanted, remove="unused" in wanted)
    if "constants" in wanted:
        process = _without_constant_control(process)
    if "duplicates" in wanted:
        process = _without_duplicates(process)
    return process


def _controls(process: LinearProcess) -> dict[Variable, int]:
    """Return the parameters that are control states, with the numbers of their components."""
    return {
        parameter.variable: parameter.component
        for parameter in process.parameters
        if parameter.variable.sort == process.components[parameter.component].shape.sort
    }


def _sources(summand: Summand, controls: Mapping[Variable, int]) -> dict[int, Term]:
    """Return the control states that a summand needs, by component."""
    return {
        controls[left]: right
        for left, right in summand.equations
        if isinstance(left, Variable) and left in controls and isinstance(right, Application)
    }


def _targets(
    process: LinearProcess, summand: Summand, controls: Mapping[Variable, int]
) -> dict[int, Term]:
    """Return the control states that a summand leads to, by component, where they change."""
    return {
        controls[variable]: term
        for number, term in summand.updates
        if (variable := process.parameters[number].variable) in controls
    }


def _without_unreachable(process: LinearProcess) -> LinearProcess:
    """Drop the summands that need a control state which is never reached.

    Each component is looked at alone: it reaches what a summand leads to whose control states can
    each be reached.
    """
    controls = _controls(process)
    reached: set[tuple[int, Term]] = set()
    waiting = [
        (parameter.component, term)
        for parameter, term in zip(process.parameters, process.initial, strict=True)
        if parameter.variable in controls
    ]
    missing: list[int] = []
    needing: dict[tuple[int, Term], list[int]] = defaultdict(list)
    possible: list[int] = []
    for number, summand in enumerate(process.summands):
        sources = _sources(summand, controls)
        missing.append(len(sources))
        if not sources:
            possible.append(number)
        for source in sources.items():
            needing[source].append(number)
    kept: set[int] = set()
    while waiting or possible:
        while possible:
            number = possible.pop()
            kept.add(number)
            waiting += _targets(process, process.summands[number], controls).items()
        if waiting:
            state = waiting.pop()
            if state not in reached:
                reached.add(state)
                for number in needing[state]:
                    missing[number] -= 1
                    if not missing[number]:
                        possible.append(number)
    if len(kept) == len(process.summands):
        return process
    remarks = [
        f"summand `{s.action or 'tau'}` ({process.where(s)}) is dropped: it needs control states "
        "that are never reached"
        for number, s in enumerate(process.summands)
        if number not in kept
    ]
    summands = [s for number, s in enumerate(process.summands) if number in kept]
    return replace(process, summands=tuple(summands), remarks=(*process.remarks, *remarks))


def _kind(process: LinearProcess, parameter: Parameter) -> tuple[int, Variable] | None:
    """Return what parameters of equal components have in common; None if it is no data."""
    if parameter.origin is None:
        return None
    return id(process.components[parameter.component].shape), parameter.origin


def _without_constants(process: LinearProcess) -> LinearProcess:
    """Replace parameters that never hold but one value, other than the placeholder, by it."""
    numbers = {p.variable: number for number, p in enumerate(process.parameters)}
    placeholders = set(process.unset.values())
    kinds = [_kind(process, parameter) for parameter in process.parameters]
    alike: dict[tuple[int, Variable], list[int]] = defaultdict(list)
    varying: set[int] = set()
    for number, kind in enumerate(kinds):
        if kind is None:
            varying.add(number)
        else:
            alike[kind].append(number)
    values: dict[Variable, Term] = {}
    readers: dict[int, list[tuple[int, Term]]] = defaultdict(list)
    assignments: list[tuple[int, Term]] = [
        (number, term) for number, term in enumerate(process.initial)
    ]
    for summand in process.summands:
        own = set(summand.variables)
        for number, term in summand.updates:
            assignments.append((number, term))
            used = set(variables_of(term))
            if used & own:
                varying.add(number)
            for variable in used - own:
                readers[numbers[variable]].append((number, term))
    for number in list(varying):
        if (kind := kinds[number]) is not None:
            varying.update(alike[kind])
    waiting = list(reversed(assignments))

    def vary(number: int) -> None:
        kind = kinds[number]
        for other in [number] if kind is None else alike[kind]:
            varying.add(other)
            values.pop(process.parameters[other].variable, None)
            waiting.extend(readers[other])

    while waiting:
        number, term = waiting.pop()
        if number in varying or term in placeholders:
            continue
        variable = process.parameters[number].variable
        used = set(variables_of(term))
        if any(numbers[v] in varying for v in used):
            vary(number)
            continue
        if any(v not in values for v in used):
            continue  # not assigned yet, so this does not happen yet
        term = substitute(term, values)
        if variable not in values:
            values[variable] = term
            waiting.extend(readers[number])
        elif values[variable] != term:
            vary(number)
    found = {
        variable: term
        for variable, term in values.items()
        if (kind := kinds[numbers[variable]]) is not None
        and all(process.parameters[other].variable in values for other in alike[kind])
    }
    if not found:
        return process
    equations = Equations(process.specification)
    removed = {numbers[variable] for variable in found}
    remarks = [f"parameter `{v.name}` is always `{term}`" for v, term in found.items()]
    summands = []
    for summand in process.summands:
        updates = tuple((p, term) for p, term in summand.updates if p not in removed)
        simpler = equations.solve(substituted(replace(summand, updates=updates), found))
        if simpler is None:
            remarks.append(
                f"summand `{summand.action or 'tau'}` ({process.where(summand)}) is dropped: its "
                "parameters never have the values that it needs"
            )
        else:
            summands.append(simpler)
    process = replace(process, summands=tuple(summands), remarks=(*process.remarks, *remarks))
    return _without_parameters(process, removed)


def _with_what_is_assigned(
    process: LinearProcess, used: set[tuple[int, Variable]]
) -> set[tuple[int, Variable]]:
    """Return the parameters in `used` with all that they are computed from, needed or not.

    Where dead ones are not reset, a parameter may be given a value at a place where it is dead.
    """
    numbers = {p.variable: number for number, p in enumerate(process.parameters)}
    origins: dict[tuple[int, Variable], set[tuple[int, Variable]]] = defaultdict(set)
    for summand in process.summands:
        for number, term in summand.updates:
            kind = _kind(process, process.parameters[number])
            if kind is None:
                continue
            for variable in variables_of(term):
                if variable in numbers:
                    origin = _kind(process, process.parameters[numbers[variable]])
                    if origin is not None:
                        origins[kind].add(origin)
    found, waiting = set(used), list(used)
    while waiting:
        for origin in origins[waiting.pop()] - found:
            found.add(origin)
            waiting.append(origin)
    return found


def _without_parameters(process: LinearProcess, removed: set[int]) -> LinearProcess:
    """Return the process without some parameters, which no term may contain any more."""
    kept = [number for number in range(len(process.parameters)) if number not in removed]
    new = {old: number for number, old in enumerate(kept)}
    components = [
        replace(c, parameters=tuple(new[p] for p in c.parameters if p in new))
        for c in process.components
    ]
    summands = [
        replace(s, updates=tuple((new[p], term) for p, term in s.updates if p in new))
        for s in process.summands
    ]
    return replace(
        process,
        components=tuple(components),
        parameters=tuple(process.parameters[old] for old in kept),
        initial=tuple(process.initial[old] for old in kept),
        summands=tuple(summands),
    )


def _without_constant_control(process: LinearProcess) -> LinearProcess:
    """Drop control states of components that never leave the one in which they begin."""
    controls = _controls(process)
    starts = {
        p.variable: term
        for p, term in zip(process.parameters, process.initial, strict=True)
        if p.variable in controls
    }
    moving = {
        id(process.components[component].shape)
        for summand in process.summands
        for component in _targets(process, summand, controls)
    }
    found = {
        variable: starts[variable]
        for variable, component in controls.items()
        if id(process.components[component].shape) not in moving
    }
    if not found:
        return process
    equations = Equations(process.specification)
    solved = (equations.solve(substituted(summand, found)) for summand in process.summands)
    summands = tuple(summand for summand in solved if summand is not None)
    remarks = [f"parameter `{v.name}` is always `{term}`" for v, term in found.items()]
    removed = {n for n, p in enumerate(process.parameters) if p.variable in found}
    process = replace(process, summands=summands, remarks=(*process.remarks, *remarks))
    return _without_parameters(process, removed)


class _Liveness:
    """Where the data of components are needed: read by a step, or needed to compute what is.

    A node is a control state with a variable of its shape; backwards along the steps, from those
    that are read. Components of one shape are taken together.
    """

    def __init__(self, linear: LinearProcess) -> None:
        self.linear = linear
        self.controls = _controls(linear)
        self.numbers = {p.variable: number for number, p in enumerate(linear.parameters)}
        self.live: set[tuple[int, Term, Variable]] = set()
        self.always: set[tuple[int, Variable]] = set()
        self.find()

    def process(self, *, reset: bool, remove: bool) -> LinearProcess:
        """Return the process with dead parameters reset to the placeholder of their sort, and with
        those removed that are never live."""
        process = self.linear
        remarks: list[str] = []
        if reset:
            process = self.reset(remarks)
        if remove:
            used = {(shape, variable) for shape, _, variable in self.live} | self.always
            used = _with_what_is_assigned(process, used)
            unused = {
                number
                for number, parameter in enumerate(process.parameters)
                if (kind := _kind(process, parameter)) is not None and kind not in used
            }
            process = _with_starts(process, {n: _unset(process, n) for n in unused})
            remarks += [
                f"parameter `{process.parameters[number].variable.name}` is never used"
                for number in sorted(unused)
            ]
            if unused:
                process = _without_parameters(process, unused)
        return replace(process, remarks=(*process.remarks, *remarks))

    def find(self) -> None:
        flows: dict[tuple[int, Term, Variable], list[tuple[int, Term, Variable]]]
        flows = defaultdict(list)
        waiting: list[tuple[int, Term, Variable]] = []
        process = self.linear

        def nodes(
            sources: Mapping[int, Term], terms: Iterable[Term]
        ) -> list[tuple[int, Term, Variable]]:
            found = []
            for variable in {v for term in terms for v in variables_of(term)}:
                number = self.numbers.get(variable)
                if number is None:
                    continue
                parameter = process.parameters[number]
                if parameter.origin is None:
                    continue
                shape = process.components[parameter.component].shape
                if parameter.component in sources:
                    found.append((id(shape), sources[parameter.component], parameter.origin))
                else:  # no control state says when it is read
                    for state in shape.constants:
                        found.append((id(shape), state, parameter.origin))
                    self.always.add((id(shape), parameter.origin))
            return found

        for summand in process.summands:
            sources = _sources(summand, self.controls)
            targets = {**sources, **_targets(process, summand, self.controls)}
            read = [g.term for g in summand.guards] + list(summand.arguments)
            read += [term for equation in summand.equations for term in equation]
            updates = dict(summand.updates)
            for component, target in targets.items():
                shape = process.components[component].shape
                for number in process.components[component].parameters:
                    parameter = process.parameters[number]
                    if parameter.origin is None:
                        if number in updates and parameter.variable not in self.controls:
                            read.append(updates[number])  # a stack needs what is put on it
                        continue
                    if number in updates:
                        flows[id(shape), target, parameter.origin] += nodes(
                            sources, [updates[number]]
                        )
                    elif component in sources:
                        flows[id(shape), target, parameter.origin].append(
                            (id(shape), sources[component], parameter.origin)
                        )
            waiting += nodes(sources, read)
        while waiting:
            node = waiting.pop()
            if node not in self.live:
                self.live.add(node)
                waiting += flows[node]

    def reset(self, remarks: list[str]) -> LinearProcess:
        process = self.linear
        summands = []
        sometimes: set[int] = set()
        for summand in process.summands:
            sources = _sources(summand, self.controls)
            targets = {**sources, **_targets(process, summand, self.controls)}
            old = dict(summand.updates)
            updates = dict(summand.updates)
            for component, target in targets.items():
                shape = process.components[component].shape
                for number in process.components[component].parameters:
                    parameter = process.parameters[number]
                    if parameter.origin is None:
                        continue
                    unset = process.unset[parameter.origin.sort]
                    if (id(shape), target, parameter.origin) in self.live:
                        continue
                    updates.pop(number, None)
                    source = sources.get(component)
                    if source is not None and (id(shape), source, parameter.origin) in self.live:
                        updates[number] = unset
                    if updates.get(number) != old.get(number):
                        sometimes.add(number)
            summands.append(replace(summand, updates=tuple(sorted(updates.items(), key=_first))))
        initial = list(process.initial)
        starts = {
            parameter.component: term
            for parameter, term in zip(process.parameters, process.initial, strict=True)
            if parameter.variable in self.controls
        }
        for number, parameter in enumerate(process.parameters):
            if parameter.origin is not None:
                shape = process.components[parameter.component].shape
                node = (id(shape), starts[parameter.component], parameter.origin)
                if node not in self.live:
                    initial[number] = process.unset[parameter.origin.sort]
        remarks += [
            f"parameter `{process.parameters[number].variable}` is reset where nothing reads it"
            for number in sorted(sometimes)
        ]
        process = replace(process, summands=tuple(summands), initial=tuple(initial))
        return _with_starts(process, dict(enumerate(initial)))


def _unset(process: LinearProcess, number: int) -> Term:
    """Return the placeholder for a parameter."""
    return process.unset[process.parameters[number].variable.sort]


def _with_starts(process: LinearProcess, values: Mapping[int, Term]) -> LinearProcess:
    """Return the process whose components remember other first values of some parameters."""
    components = []
    for component in process.components:
        start = list(component.start)
        for parameter in component.parameters:
            origin = process.parameters[parameter].origin
            if origin is not None and parameter in values:
                start[component.shape.data.index(origin)] = values[parameter]
        components.append(replace(component, start=tuple(start)))
    return replace(process, components=tuple(components))


def _first(update: tuple[int, Term]) -> int:
    return update[0]


def _without_duplicates(process: LinearProcess) -> LinearProcess:
    """Drop summands that differ from an earlier one by the names of their variables only."""
    kept: dict[object, int] = {}
    summands: list[Summand] = []
    dropped: dict[int, list[Summand]] = {}
    remarks = []
    for summand in process.summands:
        names: dict[Variable, Term] = {
            v: Variable(f"#{i}", v.sort) for i, v in enumerate(summand.variables)
        }
        plain = substituted(summand, names)
        key = (
            plain.variables, frozenset(plain.guards), frozenset(plain.equations),
            plain.action, plain.arguments, plain.updates,
        )  # fmt: skip
        if key not in kept:
            kept[key] = len(summands)
            summands.append(summand)
            continue
        first = summands[kept[key]]
        remarks.append(
            f"summand `{summand.action or 'tau'}` ({process.where(summand)}) is dropped: it does "
            f"what the one of {process.where(first)} does"
        )
        dropped.setdefault(kept[key], []).append(summand)
    if not remarks:
        return process
    for number, equal in dropped.items():
        first = summands[number]
        summands[number] = replace(first, duplicates=(*first.duplicates, *equal))
    return replace(process, summands=tuple(summands), remarks=(*process.remarks, *remarks))
