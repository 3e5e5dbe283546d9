"""Linear processes: components under control states, and summands of what they do together.

`process` is the result, and `linearise` makes it. `call_graph` says which recursion is finite;
`first_steps` finds how a process can start, and `control` with that its control states
(`control_state`), which `shapes` numbers. `components` has the summands of each component, put
together in `parts` and side by side in `parallel`, with `equations` solved. `hash_consing` keeps
equal parts once, `simplify` makes the result smaller, `printing` writes it as a specification.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lts.linear.linearise import linearise
    from lts.linear.process import LinearProcess

__all__ = ["LinearProcess", "linearise"]

_HOME = {
    "LinearProcess": "lts.linear.process",
    "linearise": "lts.linear.linearise",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'lts.linear' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
