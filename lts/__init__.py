"""Labelled transition systems: generation, symmetry, minimisation, comparison.

Names are loaded on first use (PEP 562), so that importing one room never costs the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.lazy import loader

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

_HOME = dict.fromkeys(__all__, "lts.errors") | {"LTS": "lts.system"}

__getattr__ = loader("lts", _HOME)


def __dir__() -> list[str]:
    return __all__
