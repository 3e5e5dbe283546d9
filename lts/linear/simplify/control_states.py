"""Control states: what a summand needs of them, and where it leads."""

from __future__ import annotations

from collections.abc import Mapping

from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import Application, Term, Variable

__all__ = ["control_states", "sources_of", "targets_of"]


def control_states(process: LinearProcess) -> dict[Variable, int]:
    """Return the parameters that are control states, with the numbers of their components."""
    return {
        parameter.variable: parameter.component
        for parameter in process.parameters
        if parameter.variable.sort == process.components[parameter.component].shape.sort
    }


def sources_of(summand: Summand, controls: Mapping[Variable, int]) -> dict[int, Term]:
    """Return the control states that a summand needs, by component."""
    return {
        controls[left]: right
        for left, right in summand.equations
        if isinstance(left, Variable) and left in controls and isinstance(right, Application)
    }


def targets_of(
    process: LinearProcess, summand: Summand, controls: Mapping[Variable, int]
) -> dict[int, Term]:
    """Return the control states that a summand leads to, by component, where they change."""
    return {
        controls[variable]: term
        for number, term in summand.updates
        if (variable := process.parameters[number].variable) in controls
    }
