"""Specifications as networks: the components of a parallel composition, and what they do together.

`actions` reads labels as actions, `synchronisation` puts them side by side, and `walk` does so as
the operators of the specification say. `interface` is what components hand to each other, and
`split` generates them.
"""

from __future__ import annotations

from lts.network.specification.split import split

__all__ = ["split"]
