"""The state space of a linear process.

`encode` writes the process down for the engine; `generation` explores it, `simulation` walks
through it, and `evaluation` computes data without it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lts.state_space.evaluation import Evaluation, evaluate
    from lts.state_space.generation import explore, generate
    from lts.state_space.simulation import simulate

__all__ = ["Evaluation", "evaluate", "explore", "generate", "simulate"]

_HOME = {
    "Evaluation": "lts.state_space.evaluation",
    "evaluate": "lts.state_space.evaluation",
    "explore": "lts.state_space.generation",
    "generate": "lts.state_space.generation",
    "simulate": "lts.state_space.simulation",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'lts.state_space' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
