"""Labelled transition systems: generation, symmetry, minimisation, comparison.

`read` and `write` handle files of any format, `generate` specifications; everything else is in
subpackages such as `lts.equivalence`. Names and subpackages are loaded on first use (PEP 562), so
that importing one does not cost the time of the others.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from lts.lazy import loader

if TYPE_CHECKING:
    from lts import (
        certificates,
        cluster,
        drawing,
        equivalence,
        errors,
        formats,
        linear,
        logic,
        mcrl2,
        mucrl,
        network,
        simulation,
        specification,
        state_space,
        symmetry,
        system,
        trace,
        view,
    )
    from lts.errors import (
        Defect,
        FormatError,
        FormatWarning,
        LimitReached,
        LtsError,
        NameWarning,
        NotProven,
        NotSymmetric,
        ParseError,
        ReductionWarning,
        SpecificationError,
        Unsupported,
    )
    from lts.formats.files import read, write
    from lts.generation import generate
    from lts.system import LTS

    __version__: str

_ERRORS = (
    *("Defect", "FormatError", "FormatWarning", "LimitReached", "LtsError", "NameWarning"),
    *("NotProven", "NotSymmetric", "ParseError", "ReductionWarning", "SpecificationError"),
    "Unsupported",
)
_ROOMS = (
    *("certificates", "cluster", "drawing", "equivalence", "errors", "formats", "linear", "logic"),
    "mcrl2",
    *("mucrl", "network", "simulation", "specification", "state_space", "symmetry", "system"),
    *("trace", "view"),
)

__all__ = [
    "LTS",
    "Defect",
    "FormatError",
    "FormatWarning",
    "LimitReached",
    "LtsError",
    "NameWarning",
    "NotProven",
    "NotSymmetric",
    "ParseError",
    "ReductionWarning",
    "SpecificationError",
    "Unsupported",
    "__version__",
    "certificates",
    "cluster",
    "drawing",
    "equivalence",
    "errors",
    "formats",
    "generate",
    "linear",
    "logic",
    "mcrl2",
    "mucrl",
    "network",
    "read",
    "simulation",
    "specification",
    "state_space",
    "symmetry",
    "system",
    "trace",
    "view",
    "write",
]

_HOME = dict.fromkeys(_ERRORS, "lts.errors") | {
    "LTS": "lts.methods",
    "generate": "lts.generation",
    "read": "lts.formats.files",
    "write": "lts.formats.files",
}

_load = loader("lts", _HOME)


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"lts.{name}")
    if name == "__version__":
        from importlib.metadata import version

        return version("ltstool")
    return _load(name)


def __dir__() -> list[str]:
    return __all__
