"""Labelled transition systems: generation, symmetry, minimisation, comparison.

Names are loaded on first use (PEP 562), so that importing one room never costs the others.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lts.errors import (
        Defect,
        FormatError,
        LimitReached,
        LtsError,
        NotProven,
        NotSymmetric,
        ParseError,
        SpecificationError,
        Unsupported,
    )
    from lts.system import LTS

__all__ = [
    "LTS",
    "Defect",
    "FormatError",
    "LimitReached",
    "LtsError",
    "NotProven",
    "NotSymmetric",
    "ParseError",
    "SpecificationError",
    "Unsupported",
]

_HOME = {"LTS": "lts.system"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'lts' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME.get(name, "lts.errors")), name)


def __dir__() -> list[str]:
    return __all__
