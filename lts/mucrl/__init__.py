"""muCRL: from the text of a specification to its linear process and its state space."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lts.mucrl.linear.linearise import linearise
    from lts.mucrl.linear.process import LinearProcess
    from lts.mucrl.reader import read, read_text
    from lts.mucrl.state_space.evaluation import Evaluation, evaluate
    from lts.mucrl.state_space.generation import explore, generate
    from lts.mucrl.state_space.simulation import simulate
    from lts.mucrl.static.missing_cases import missing_cases
    from lts.mucrl.static.specification import Specification

__all__ = [
    "Evaluation",
    "LinearProcess",
    "Specification",
    "evaluate",
    "explore",
    "generate",
    "linearise",
    "missing_cases",
    "read",
    "read_text",
    "simulate",
]

_HOME = {
    "Evaluation": "state_space.evaluation",
    "LinearProcess": "linear.process",
    "Specification": "static.specification",
    "evaluate": "state_space.evaluation",
    "explore": "state_space.generation",
    "generate": "state_space.generation",
    "missing_cases": "static.missing_cases",
    "linearise": "linear.linearise",
    "read": "reader",
    "read_text": "reader",
    "simulate": "state_space.simulation",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'lts.mucrl' has no attribute {name!r}")
    return getattr(importlib.import_module(f"lts.mucrl.{_HOME[name]}"), name)
