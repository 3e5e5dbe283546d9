"""Model checking: formulas of the modal mu-calculus, with data, on systems and specifications."""

from typing import TYPE_CHECKING

from lts.lazy import loader
from lts.logic.check import PROPERTIES, Verdict, check, satisfying_states
from lts.logic.formula import parse

if TYPE_CHECKING:
    from lts.logic.processes import ProcessVerdict, check_process

__all__ = [
    "PROPERTIES",
    "ProcessVerdict",
    "Verdict",
    "check",
    "check_process",
    "parse",
    "satisfying_states",
]

# What only specifications need is not loaded for systems.
__getattr__ = loader(
    "lts.logic", dict.fromkeys(("ProcessVerdict", "check_process"), "lts.logic.processes")
)
