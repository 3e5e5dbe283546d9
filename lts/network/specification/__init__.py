"""Splits specifications into networks: the components of a parallel composition, and their vectors.

`actions` parses labels as actions, `synchronisation` composes them, and `walk` follows the
operators of the specification. `interface` computes the values that components exchange, and
`split` generates the components.
"""

from __future__ import annotations

from lts.network.specification.split import split

__all__ = ["split"]
