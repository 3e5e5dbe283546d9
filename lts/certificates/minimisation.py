"""Certificates of minimisation: the partition, and a tree that tells its classes apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lts.certificates.table import fingerprint, table
from lts.certificates.tree import tree
from lts.equivalence.minimise import DROPPED
from lts.equivalence.names import equivalence
from lts.errors import Unsupported
from lts.system import LTS

__all__ = ["minimisation_certificate"]


def minimisation_certificate(
    system: LTS, result: LTS, classes: npt.NDArray[np.uint32], relation: str
) -> dict[str, Any]:
    """Return why `minimise_with_classes` has found the least system that is equivalent.

    The system is that of the file, with what is hidden as internal labels. Raises `Unsupported` for
    equivalences other than strong, branching and weak bisimulation, divergence-preserving or not,
    and for a result that has states that cannot be reached: it is not the least.
    """
    name = equivalence(relation).name
    if result.reachable().state_count < result.state_count:
        raise Unsupported(
            "there is no certificate that a result is the least if states of it cannot be reached: "
            "leave them out"
        )
    return table("minimisation", system) | {
        "result": fingerprint(result),
        "equivalence": name,
        "result_internal": list(result.internal),
        "classes": [None if own == DROPPED else own for own in classes.tolist()],
        "tree": tree(result, name),
    }
