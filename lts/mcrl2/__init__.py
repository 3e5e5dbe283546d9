"""mCRL2: from the text of a specification to a typed specification.

`text` is the syntax, `data` has the functions that every specification may use with their rules,
`static` resolves names and sorts; `reader` puts them together."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lts.mcrl2.reader import read, read_text

__all__ = ["read", "read_text"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'lts.mcrl2' has no attribute {name!r}")
    return getattr(importlib.import_module("lts.mcrl2.reader"), name)
