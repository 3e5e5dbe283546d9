"""Specifications in the form that all input languages are translated to.

`terms` are data, `processes` are built over them, and `specification` holds all declarations.
`generators` lets functions recurse deeper than Python's stack; `gc_pause` suspends garbage
collection, so that building large trees takes linear time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

if TYPE_CHECKING:
    from lts.specification.specification import Specification

__all__ = ["Specification"]

_HOME = {
    "Specification": "lts.specification.specification",
}

__getattr__ = loader("lts.specification", _HOME)
