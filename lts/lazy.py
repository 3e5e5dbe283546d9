"""Names of a package that are loaded on first use (PEP 562), so that importing it costs nothing."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["loader"]


def loader(package: str, home: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package; `home` says which module has each of its names."""

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(home[name]), name)

    return load
