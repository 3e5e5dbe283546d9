"""Removes parameters that are constant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from lts.linear.control_flow import control_states, targets_of
from lts.linear.equations import Equations, substituted
from lts.linear.process import LinearProcess
from lts.linear.simplify.parameters import kind_of, unset_value, with_starts, without_parameters
from lts.specification.specification import Term, Variable, substitute, variables_of

__all__ = ["with_what_is_assigned", "without_constant_control", "without_constants"]


def without_constants(process: LinearProcess) -> LinearProcess:
    """Replace parameters that only ever hold one value besides the placeholder by that value."""
    numbers = {p.variable: number for number, p in enumerate(process.parameters)}
    placeholders = set(process.unset.values())
    kinds = [kind_of(process, parameter) for parameter in process.parameters]
    alike: dict[tuple[int, Variable] | None, list[int]] = defaultdict(list)
    varying: set[int] = set()
    for number, kind in enumerate(kinds):
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
    waiting = list(reversed(assignments))

    def vary(number: int) -> None:
        for other in alike[kinds[number]]:
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
            continue  # not assigned so far, so the update has not happened so far either
        term = substitute(term, values)
        if variable not in values:
            values[variable] = term
            waiting.extend(readers[number])
        elif values[variable] != term:
            vary(number)
    constant = {
        kind
        for kind, members in alike.items()
        if all(process.parameters[other].variable in values for other in members)
    } - {None}
    found = {v: term for v, term in values.items() if kinds[numbers[v]] in constant}
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
                f"summand `{summand.action or 'tau'}` ({process.where(summand)}) is removed: "
                "its parameters never have the values that it needs"
            )
        else:
            summands.append(simpler)
    # Initial data that nothing reads do not distinguish components.
    needed = with_what_is_assigned(process, _read(process))
    starts = {n: unset_value(process, n) for n in removed if kinds[n] not in needed}
    process = with_starts(process, starts)
    process = replace(process, summands=tuple(summands), remarks=(*process.remarks, *remarks))
    return without_parameters(_with_decisions(process, equations, found), removed)


def _read(process: LinearProcess) -> set[tuple[int, Variable]]:
    """Return the kinds of the parameters that steps read, other than to assign other data."""
    kinds = {p.variable: kind_of(process, p) for p in process.parameters}
    of_data = {number for number, p in enumerate(process.parameters) if kinds[p.variable]}
    read: set[Variable] = set()
    for summand in (*process.summands, *process.decisions):
        for guard in summand.guards:
            read.update(variables_of(guard.term))
        for term in (*summand.arguments, *(side for pair in summand.equations for side in pair)):
            read.update(variables_of(term))
        for number, term in summand.updates:
            if number not in of_data:
                read.update(variables_of(term))
    return {kind for variable in read if (kind := kinds.get(variable)) is not None}


def _with_decisions(
    process: LinearProcess, equations: Equations, found: Mapping[Variable, Term]
) -> LinearProcess:
    """Substitute the values of constant parameters in the decisions."""
    solved = (equations.solve(substituted(decision, found)) for decision in process.decisions)
    return replace(
        process, decisions=tuple(decision for decision in solved if decision is not None)
    )


def with_what_is_assigned(
    process: LinearProcess, used: set[tuple[int, Variable]]
) -> set[tuple[int, Variable]]:
    """Return `used` and all parameters that their values are computed from.

    Where dead parameters are not reset, a parameter may be assigned although it is dead there.
    """
    numbers = {p.variable: number for number, p in enumerate(process.parameters)}
    origins: dict[tuple[int, Variable], set[tuple[int, Variable]]] = defaultdict(set)
    for summand in process.summands:
        for number, term in summand.updates:
            kind = kind_of(process, process.parameters[number])
            if kind is None:
                continue
            for variable in variables_of(term):
                if variable in numbers:
                    origin = kind_of(process, process.parameters[numbers[variable]])
                    if origin is not None:
                        origins[kind].add(origin)
    found, waiting = set(used), list(used)
    while waiting:
        for origin in origins[waiting.pop()] - found:
            found.add(origin)
            waiting.append(origin)
    return found


def without_constant_control(process: LinearProcess) -> LinearProcess:
    """Remove the control states of components that never change them."""
    controls = control_states(process)
    starts = {
        p.variable: term
        for p, term in zip(process.parameters, process.initial, strict=True)
        if p.variable in controls
    }
    moving = {
        id(process.components[component].shape)
        for summand in process.summands
        for component in targets_of(process.parameters, summand, controls)
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
    return without_parameters(_with_decisions(process, equations, found), removed)
