"""Linear processes: components under control states, and summands of what they do together.

`process` is the result, and `linearise` makes it. `call_graph` says which recursion is finite;
`first_steps` finds how a process can start, and `control` with that its control states
(`control_state`), which `shapes` numbers. `components` has the summands of each component, put
together in `parts` and side by side in `parallel`, with `equations` solved. `hash_consing` keeps
equal parts once, `simplify` makes the result smaller.
"""

from __future__ import annotations

from lts.linear.process import LinearProcess

__all__ = ["LinearProcess"]
