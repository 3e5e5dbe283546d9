"""Specifications, whatever language they were written in: what every front ends in.

`terms` are data, `processes` are over them, `specification` has everything that is declared.
`generators` lets functions recur deeper than Python does, `gc_pause` builds large trees in linear
time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.lazy import loader

if TYPE_CHECKING:
    from lts.specification.specification import Specification

__all__ = ["Specification"]

_HOME = {
    "Specification": "lts.specification.specification",
}

__getattr__ = loader("lts.specification", _HOME)
