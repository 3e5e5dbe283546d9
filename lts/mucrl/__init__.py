"""muCRL: from the text of a specification to its linear process and its state space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

if TYPE_CHECKING:
    from lts.linear.linearise import linearise
    from lts.linear.process import LinearProcess
    from lts.mucrl.evaluation import Evaluation, evaluate
    from lts.mucrl.incomplete_functions import missing_cases
    from lts.mucrl.printing import linear_text
    from lts.mucrl.reader import read, read_text
    from lts.specification.specification import Specification
    from lts.state_space.generation import explore, generate
    from lts.state_space.simulation import simulate

__all__ = [
    "Evaluation",
    "LinearProcess",
    "Specification",
    "evaluate",
    "explore",
    "generate",
    "linear_text",
    "linearise",
    "missing_cases",
    "read",
    "read_text",
    "simulate",
]

_HOME = {
    "Evaluation": "lts.mucrl.evaluation",
    "LinearProcess": "lts.linear.process",
    "Specification": "lts.specification.specification",
    "evaluate": "lts.mucrl.evaluation",
    "explore": "lts.state_space.generation",
    "generate": "lts.state_space.generation",
    "missing_cases": "lts.mucrl.incomplete_functions",
    "linear_text": "lts.mucrl.printing",
    "linearise": "lts.linear.linearise",
    "read": "lts.mucrl.reader",
    "read_text": "lts.mucrl.reader",
    "simulate": "lts.state_space.simulation",
}

__getattr__ = loader("lts.mucrl", _HOME)
