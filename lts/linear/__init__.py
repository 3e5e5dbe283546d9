"""Linearisation: from the processes of a specification to a linear process.

`process` defines linear processes, and `linearise` makes them. `call_graph` finds recursion that
needs an unbounded stack; `first_steps` finds the steps that a process can start with, from which
`control` computes the control states (`control_state`) that `shapes` numbers. `components` builds
the summands of each component from `parts`, `parallel` combines components, and `equations` solves
the equations in summands. `hash_consing` stores equal processes once, `simplify` makes the result
smaller.
"""

from __future__ import annotations

from lts.linear.process import LinearProcess

__all__ = ["LinearProcess"]
