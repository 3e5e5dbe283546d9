"""Simplifications of linear processes, all of which preserve strong bisimilarity.

Components of one shape retain parameters of the same kinds, so that a symmetry that permutes
components still finds them alike.
"""

from __future__ import annotations

from collections.abc import Iterable

from lts.base.label_names import several
from lts.linear.control_flow import control_states
from lts.linear.invariants import verified
from lts.linear.process import LinearProcess
from lts.linear.simplify.constants import without_constant_control, without_constants
from lts.linear.simplify.data_flow import Conditions, counters, data_flow
from lts.linear.simplify.duplicates import without_duplicates
from lts.linear.simplify.liveness import Liveness
from lts.linear.simplify.unreachable import without_unreachable
from lts.linear.simplify.unused_variables import without_unused_variables

__all__ = ["SIMPLIFICATIONS", "simplify"]

SIMPLIFICATIONS = ("unreachable", "constants", "dead", "unused", "duplicates")
"""The simplifications remove, in this order: summands whose control states are unreachable;
parameters that are constant; the values of parameters while nothing reads them, as control states
or the constants of another parameter tell; parameters and sum
variables that nothing ever reads; duplicate summands."""


def simplify(
    process: LinearProcess, simplifications: Iterable[str] = SIMPLIFICATIONS
) -> LinearProcess:
    """Return a strongly bisimilar linear process, with `remarks` that describe the changes.

    `simplifications` are some of `SIMPLIFICATIONS`. Raises `ValueError` for an unknown name, and
    for `dead` and `unused` if `constants` has removed control states already.
    """
    requested = set(several(simplifications))
    if unknown := requested.difference(SIMPLIFICATIONS):
        raise ValueError(f"unknown simplification {', '.join(sorted(unknown))}")

    needs_control = not requested.isdisjoint({"dead", "unused"})
    if needs_control and len(control_states(process)) < len(process.components):
        raise ValueError("the process was simplified before: control states are gone")

    def live(process: LinearProcess) -> LinearProcess:
        process = Liveness(process).process(reset="dead" in requested, remove="unused" in requested)
        if "dead" in requested and len(process.components) == len(process.shapes[0].states) == 1:
            # One equation: its data may tell what control states tell otherwise.
            conditions = Conditions(process.specification)
            for number in counters(process, conditions):
                flow = data_flow(process, number, conditions)
                if flow is not None:
                    process = Liveness(process, flow).process(reset=True, remove=False)
        return process

    for change, is_requested in (
        (without_unreachable, "unreachable" in requested),
        (without_constants, "constants" in requested),
        # Again, since `constants` removes summands, which may make control states unreachable.
        (without_unreachable, "unreachable" in requested),
        (live, needs_control),
        (without_constant_control, "constants" in requested),
        (without_unused_variables, "unused" in requested),
        (without_duplicates, "duplicates" in requested),
    ):
        if is_requested and (changed := change(process)) is not process:
            process = verified(changed)
    return process
