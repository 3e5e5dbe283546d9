"""Lazy loading of a package's names (PEP 562), so that importing the package costs nothing."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["loader"]


def loader(package: str, home: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package; `home` has the module that defines each name."""

    def load(name: str) -> Any:
        if name not in home:
            from lts.base.spelling import near

            hint = near(name, home)
            raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")
        return getattr(importlib.import_module(home[name]), name)

    return load
