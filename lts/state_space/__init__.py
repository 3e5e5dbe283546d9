"""The state space of a linear process.

`settings` configure an exploration. `encode` translates the process for the engine, `generation`
explores it, and `local_labels` are the labels found. `simulation` walks through single paths,
`evaluation` rewrites data terms without a process, and `missing_cases` finds arguments that no
equation covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

if TYPE_CHECKING:
    from lts.mucrl.evaluation import Evaluation, evaluate
    from lts.state_space.generation import Output, explore, generate
    from lts.state_space.settings import Goals, Internal, Limits, Settings
    from lts.state_space.simulation import simulate

__all__ = [
    "Evaluation",
    "Goals",
    "Internal",
    "Limits",
    "Output",
    "Settings",
    "evaluate",
    "explore",
    "generate",
    "simulate",
]

_HOME = {
    "Evaluation": "lts.mucrl.evaluation",
    "Goals": "lts.state_space.settings",
    "Internal": "lts.state_space.settings",
    "Limits": "lts.state_space.settings",
    "Output": "lts.state_space.generation",
    "Settings": "lts.state_space.settings",
    "evaluate": "lts.mucrl.evaluation",
    "explore": "lts.state_space.generation",
    "generate": "lts.state_space.generation",
    "simulate": "lts.state_space.simulation",
}

__getattr__ = loader("lts.state_space", _HOME)
