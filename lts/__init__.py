"""Labelled transition systems: generation, symmetry, minimisation, comparison.

`read` and `write` handle files of any format, `generate` specifications. The verbs of the command
line - `minimise`, `compare`, `check`, `reduce`, `expand`, `find_symmetry`, `view` - are functions
here and methods of systems; everything else is in subpackages such as `lts.equivalence`. Names and
subpackages are loaded on first use (PEP 562), so that importing one does not cost the time of the
others.
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
        web,
    )
    from lts.equivalence.compare import compare
    from lts.equivalence.minimise import minimise
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
        RewritingLimit,
        SpecificationError,
        Unsupported,
    )
    from lts.formats.files import read, write
    from lts.generation import generate
    from lts.logic.check import check
    from lts.symmetry.labels.detection import find_symmetry
    from lts.symmetry.reduction.rho_encoding import expand, reduce
    from lts.system import LTS
    from lts.web.notebook import view

    __version__: str

_ERRORS = (
    *("Defect", "FormatError", "FormatWarning", "LimitReached", "LtsError", "NameWarning"),
    *("NotProven", "NotSymmetric", "ParseError", "ReductionWarning", "RewritingLimit"),
    *("SpecificationError", "Unsupported"),
)
_ROOMS = (
    *("certificates", "cluster", "drawing", "equivalence", "errors", "formats", "linear", "logic"),
    "mcrl2",
    *("mucrl", "network", "simulation", "specification", "state_space", "symmetry", "system"),
    *("trace", "web"),
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
    "RewritingLimit",
    "SpecificationError",
    "Unsupported",
    "__version__",
    "certificates",
    "check",
    "cluster",
    "compare",
    "drawing",
    "equivalence",
    "errors",
    "expand",
    "find_symmetry",
    "formats",
    "generate",
    "linear",
    "logic",
    "mcrl2",
    "minimise",
    "mucrl",
    "network",
    "read",
    "reduce",
    "simulation",
    "specification",
    "state_space",
    "symmetry",
    "system",
    "trace",
    "view",
    "web",
    "write",
]

_HOME = dict.fromkeys(_ERRORS, "lts.errors") | {
    "LTS": "lts.methods",
    "check": "lts.logic.check",
    "compare": "lts.equivalence.compare",
    "expand": "lts.symmetry.reduction.rho_encoding",
    "find_symmetry": "lts.symmetry.labels.detection",
    "generate": "lts.generation",
    "minimise": "lts.equivalence.minimise",
    "read": "lts.formats.files",
    "reduce": "lts.symmetry.reduction.rho_encoding",
    "view": "lts.web.notebook",
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
