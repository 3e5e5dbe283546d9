"""Kinds of parameters, and processes with some parameters removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lts.linear.process import LinearProcess, Parameter
from lts.specification.specification import Term, Variable

__all__ = ["kind_of", "unset_value", "with_starts", "without_parameters"]


def kind_of(process: LinearProcess, parameter: Parameter) -> tuple[int, Variable] | None:
    """Return the kind of a parameter, the same in components of one shape; None if not data."""
    if parameter.origin is None:
        return None
    return id(process.components[parameter.component].shape), parameter.origin


def without_parameters(process: LinearProcess, removed: set[int]) -> LinearProcess:
    """Return the process without some parameters, which must no longer occur in any term."""
    remaining = [number for number in range(len(process.parameters)) if number not in removed]
    new = {old: number for number, old in enumerate(remaining)}
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
        parameters=tuple(process.parameters[old] for old in remaining),
        initial=tuple(process.initial[old] for old in remaining),
        summands=tuple(summands),
    )


def unset_value(process: LinearProcess, number: int) -> Term:
    """Return the placeholder for a parameter."""
    return process.unset[process.parameters[number].variable.sort]


def with_starts(process: LinearProcess, values: Mapping[int, Term]) -> LinearProcess:
    """Return the process with other initial values recorded in its components."""
    components = []
    for component in process.components:
        start = list(component.start)
        for parameter in component.parameters:
            origin = process.parameters[parameter].origin
            if origin is not None and parameter in values:
                start[component.shape.data.index(origin)] = values[parameter]
        components.append(replace(component, start=tuple(start)))
    return replace(process, components=tuple(components))
