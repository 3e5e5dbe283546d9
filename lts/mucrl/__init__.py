"""muCRL: from the text of a specification to its linear process and its state space."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lts.mucrl.coverage import missing_cases
    from lts.mucrl.evaluation import Evaluation, evaluate
    from lts.mucrl.generation import explore, generate
    from lts.mucrl.linear import LinearProcess
    from lts.mucrl.linearisation import linearise
    from lts.mucrl.reader import read, read_text
    from lts.mucrl.simulation import simulate
    from lts.mucrl.specification import Specification

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
    "Evaluation": "evaluation",
    "LinearProcess": "linear",
    "Specification": "specification",
    "evaluate": "evaluation",
    "explore": "generation",
    "generate": "generation",
    "missing_cases": "coverage",
    "linearise": "linearisation",
    "read": "reader",
    "read_text": "reader",
    "simulate": "simulation",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'lts.mucrl' has no attribute {name!r}")
    return getattr(importlib.import_module(f"lts.mucrl.{_HOME[name]}"), name)
