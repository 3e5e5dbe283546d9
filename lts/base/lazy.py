"""Loading on first use: of a package's names (PEP 562), so that importing the package costs
nothing, and of packages that only some functions need."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["loader", "optional"]


def loader(package: str, home: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package; `home` has the module that defines each name."""

    def load(name: str) -> Any:
        if name not in home:
            from lts.base.spelling import near

            hint = near(name, home)
            raise AttributeError(f"module {package!r} has no attribute {name!r}{hint}")
        return getattr(importlib.import_module(home[name]), name)

    return load


def optional(name: str, needed: str, *, more: str = "") -> Any:
    """Import a module of an optional package.

    If it is not installed, raise `Unsupported` with what it is `needed` for, such as "plots need".
    A package that is installed but cannot be loaded is another `LtsError`.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        from lts.errors import Unsupported

        package = name.partition(".")[0]
        message = f"{needed} the package {package}: pip install {package}{more}"
        raise Unsupported(message) from None
    except ImportError as error:
        from lts.errors import LtsError

        # It is installed; there may be no memory for its libraries.
        raise LtsError(f"the module {name} could not be loaded: {error}") from None
