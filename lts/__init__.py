"""Labelled transition systems: generation, symmetry, minimisation, comparison.

`read` and `write` handle files of any format. The verbs of the command line - `generate`,
`minimise`, `compare`, `compose`, `check`, `find_symmetry`, `draw`, `view` - are functions here, of
files, texts, specifications and systems; most of them and `reduce` are methods of systems as well,
and everything else is in subpackages such as `lts.equivalence`. Names and subpackages are loaded on
first use (PEP 562), so that importing one does not cost the time of the others.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from lts.base.lazy import loader

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
        trace,
        web,
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
        RewritingLimit,
        SpecificationError,
        Unsupported,
    )
    from lts.formats.files import read, write
    from lts.symmetry.reduction.rho_encoding import expand, reduce
    from lts.system.lts import LTS
    from lts.verbs import (
        bisimilar,
        check,
        classes,
        compare,
        compose,
        determinise,
        draw,
        find_symmetry,
        generate,
        minimise,
        minimize,
        view,
    )  # fmt: skip

    __version__: str

_ERRORS = (
    *("Defect", "FormatError", "FormatWarning", "LimitReached", "LtsError", "NameWarning"),
    *("NotProven", "NotSymmetric", "ParseError", "ReductionWarning", "RewritingLimit"),
    *("SpecificationError", "Unsupported"),
)
_ROOMS = (
    *("certificates", "cluster", "drawing", "equivalence", "errors", "formats", "linear", "logic"),
    "mcrl2",
    *("mucrl", "network", "simulation", "specification", "state_space", "symmetry"),
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
    "bisimilar",
    "certificates",
    "check",
    "classes",
    "cluster",
    "compare",
    "compose",
    "determinise",
    "draw",
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
    "minimize",
    "mucrl",
    "network",
    "read",
    "reduce",
    "simulation",
    "specification",
    "state_space",
    "symmetry",
    "trace",
    "view",
    "web",
    "write",
]

_HOME = dict.fromkeys(_ERRORS, "lts.errors") | {
    "LTS": "lts.methods",
    "bisimilar": "lts.verbs",
    "check": "lts.verbs",
    "classes": "lts.verbs",
    "compare": "lts.verbs",
    "compose": "lts.verbs",
    "determinise": "lts.verbs",
    "draw": "lts.verbs",
    "expand": "lts.symmetry.reduction.rho_encoding",
    "find_symmetry": "lts.verbs",
    "generate": "lts.verbs",
    "minimise": "lts.verbs",
    "minimize": "lts.verbs",
    "read": "lts.formats.files",
    "reduce": "lts.symmetry.reduction.rho_encoding",
    "view": "lts.verbs",
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
