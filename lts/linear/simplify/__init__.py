"""Simplifications of linear processes: each leaves the state space as it is modulo bisimulation.

Components of one shape keep parameters of the same kind, so that a symmetry that moves components
still finds them alike.
"""

from __future__ import annotations

from collections.abc import Iterable

from lts.linear.control_flow import control_states
from lts.linear.invariants import verified
from lts.linear.process import LinearProcess
from lts.linear.simplify.constants import without_constant_control, without_constants
from lts.linear.simplify.duplicates import without_duplicates
from lts.linear.simplify.liveness import Liveness
from lts.linear.simplify.unreachable import without_unreachable
from lts.linear.simplify.unused_variables import without_unused_variables
from lts.system import several

__all__ = ["SIMPLIFICATIONS", "simplify"]

SIMPLIFICATIONS = ("unreachable", "constants", "dead", "unused", "duplicates")
"""Summands that need a control state never reached; parameters that hold one value only; those that
are reset where nothing reads them; those, and variables of sums, that nothing reads anywhere; equal
summands."""


def simplify(
    process: LinearProcess, simplifications: Iterable[str] = SIMPLIFICATIONS
) -> LinearProcess:
    """Return a linear process that is strongly bisimilar, with `remarks` that say what was done.

    `simplifications` are some of `SIMPLIFICATIONS`. Raises `ValueError` for any other name, and
    for `dead` and `unused` where `constants` took control states away before.
    """
    wanted = set(several(simplifications))
    if unknown := wanted.difference(SIMPLIFICATIONS):
        raise ValueError(f"no simplification is called {', '.join(sorted(unknown))}")

    needs_control = not wanted.isdisjoint({"dead", "unused"})
    if needs_control and len(control_states(process)) < len(process.components):
        raise ValueError("the process was simplified before: control states are gone")

    def live(process: LinearProcess) -> LinearProcess:
        return Liveness(process).process(reset="dead" in wanted, remove="unused" in wanted)

    for change, is_wanted in (
        (without_unreachable, "unreachable" in wanted),
        (without_constants, "constants" in wanted),
        # Summands that need other values of what is constant are gone, and what only they led to.
        (without_unreachable, "unreachable" in wanted),
        (live, needs_control),
        (without_constant_control, "constants" in wanted),
        (without_unused_variables, "unused" in wanted),
        (without_duplicates, "duplicates" in wanted),
    ):
        if is_wanted and (changed := change(process)) is not process:
            process = verified(changed)
    return process
