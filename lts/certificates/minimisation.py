"""Certificates of minimisation: the classes, and a tree of splits that distinguishes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lts.certificates.table import fingerprint, table
from lts.certificates.tree import tree
from lts.equivalence.minimisation import DROPPED
from lts.equivalence.names import equivalence_named
from lts.errors import Unsupported
from lts.system.lts import LTS

__all__ = ["minimisation_certificate"]


def minimisation_certificate(
    system: LTS, result: LTS, classes: npt.NDArray[np.uint32], equivalence: str
) -> dict[str, Any]:
    """Return the certificate that a result of `minimise_with_classes` is the minimal equivalent
    system.

    `system` is the LTS of the file, with hidden labels as internal ones. Raises `Unsupported` for
    equivalences other than strong, branching and weak bisimulation, divergence-preserving or not,
    and for a result with unreachable states, which is not minimal.
    """
    name = equivalence_named(equivalence).name
    if result.reachable().state_count < result.state_count:
        raise Unsupported(
            "a result with unreachable states has no certificate of minimality: leave these "
            "states out"
        )
    return table("minimisation", system) | {
        "result": fingerprint(result),
        "equivalence": name,
        "result_internal": list(result.internal),
        "classes": [None if own == DROPPED else own for own in classes.tolist()],
        "tree": tree(result, name),
    }
