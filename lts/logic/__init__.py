"""Model checking of the modal mu-calculus with data, on systems, specifications and networks."""

from typing import TYPE_CHECKING

from lts.base.lazy import loader
from lts.logic.check import PROPERTIES, Lasso, Verdict, check, satisfying_states
from lts.logic.formula import parse

if TYPE_CHECKING:
    from lts.logic.networks import NetworkVerdict, check_network
    from lts.logic.processes import ProcessVerdict, check_process

__all__ = [
    "PROPERTIES",
    "Lasso",
    "NetworkVerdict",
    "OrbitVerdict",
    "ProcessVerdict",
    "Verdict",
    "check",
    "check_network",
    "check_orbits",
    "check_process",
    "parse",
    "satisfying_states",
]

# Loaded on first use: only specifications and networks need these modules.
_HOME = {
    "NetworkVerdict": "lts.logic.networks",
    "check_network": "lts.logic.networks",
    "OrbitVerdict": "lts.logic.orbits",
    "check_orbits": "lts.logic.orbits",
    "ProcessVerdict": "lts.logic.processes",
    "check_process": "lts.logic.processes",
}

__getattr__ = loader("lts.logic", _HOME)
