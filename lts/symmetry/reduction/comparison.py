"""Equivalence of reductions: of their originals, and of the reductions themselves.

Reductions of equivalent systems need not be equivalent, so comparing the reductions themselves is
sound but not complete (van Langevelde, CWI report SEN-R0303, sections 6.1, 6.3 and 6.4).
"""

from __future__ import annotations

from collections.abc import Iterable

import lts._engine as _engine
from lts.base.bounds import CHOICES
from lts.base.label_names import action_names, several
from lts.equivalence import Comparison, compare
from lts.equivalence.names import ISOMORPHISM, compared_named
from lts.errors import FormatError, Unsupported
from lts.symmetry.permutation.file import Symmetry
from lts.symmetry.reduction.minimal import minimise_quotient
from lts.symmetry.reduction.rho_encoding import decoded
from lts.symmetry.reduction.storage import opened_reduction
from lts.system.lts import LTS

__all__ = ["compare_encodings", "compare_originals", "minimal_original"]


def compare_originals(
    left: LTS,
    left_symmetry: Symmetry,
    right: LTS,
    right_symmetry: Symmetry,
    equivalence: str,
    *,
    hide: Iterable[str] = (),
    node_limit: int = CHOICES.default,
) -> Comparison:
    """Compare the originals of two reductions modulo a bisimulation, with evidence.

    The groups may differ. The originals are not built, only the minimal systems equivalent to them.

    Raises `FormatError` if an input is not a rho-encoding, `Unsupported` for another equivalence,
    and `LimitReached` as `minimise_reduction` does.
    """
    hidden = list(several(hide))
    least = [
        minimal_original(decoded(*side), equivalence, hide=hidden, node_limit=node_limit)
        for side in ((left, left_symmetry), (right, right_symmetry))
    ]
    return compare(least[0], least[1], equivalence)


def minimal_original(
    quotient: _engine.Quotient,
    equivalence: str,
    *,
    hide: Iterable[str] = (),
    node_limit: int = CHOICES.default,
) -> LTS:
    """Return the minimal LTS equivalent to the original of a quotient, without building the
    original.

    Raises the errors of `minimise_quotient`.
    """
    least = minimise_quotient(quotient, equivalence, hide=hide, node_limit=node_limit)
    return LTS(least.expand())


def compare_encodings(
    left: LTS, left_symmetry: Symmetry, right: LTS, right_symmetry: Symmetry, equivalence: str
) -> Comparison:
    """Compare two reductions under one permutation as such, modulo a bisimulation or isomorphism
    (Definition 6.2).

    There must be a bisimulation between them that commutes with the permutation: if its k-th power
    takes a state to a state of its reduction, it also takes every related state to a state of the
    other reduction, and the images are related. This is bisimulation of the encodings with visible
    rho-steps (Theorem 6.19). If it holds, the originals are equivalent; the converse is not true.

    Divergence cannot be decided in this way: an infinite sequence of internal steps of the original
    may pass from one state of the reduction to another one in its orbit, which is a visible
    rho-step here. Raises `Unsupported` for relations that preserve divergence, for groups with
    several generators and for reductions under different permutations; `FormatError` if an input is
    not a rho-encoding.
    """
    kind = compared_named(equivalence)
    is_bisimulation = kind.family == "bisimulation"
    if kind is not ISOMORPHISM and (not is_bisimulation or kind.preserves_divergence):
        raise Unsupported(f"reductions themselves are not compared modulo {kind.title}")
    left, left_symmetry = opened_reduction(left, left_symmetry)
    right, right_symmetry = opened_reduction(right, right_symmetry)
    moved = []
    for encoding, symmetry in ((left, left_symmetry), (right, right_symmetry)):
        quotient = decoded(encoding, symmetry)
        if symmetry.points or symmetry.actions is None or len(symmetry.actions) != 1:
            raise Unsupported("reductions under several generators are not compared as such")
        images = {e.text: image.text for e, image in symmetry.actions[0].images.items()}
        labels = (label.decode("utf-8", "surrogateescape") for label in quotient.labels)
        moved.append({label: images.get(label, label) for label in labels})
    shared = moved[0].keys() & moved[1].keys()
    if left_symmetry.order != right_symmetry.order or any(
        moved[0][label] != moved[1][label] for label in shared
    ):
        raise Unsupported("the reductions are under different permutations")
    rho = _common_prefix((left, left_symmetry), (right, right_symmetry))
    return compare(
        _with_rho(left, left_symmetry, rho), _with_rho(right, right_symmetry, rho), kind.name
    )


def _common_prefix(*reductions: tuple[LTS, Symmetry]) -> str:
    """Return a prefix for the rho-labels of both that is not an action; their own one if
    possible."""
    actions = action_names(
        label
        for encoding, symmetry in reductions
        for label in encoding.labels
        if not label.startswith(f"{symmetry.rho}(")
    )
    rho = reductions[0][1].rho or "rho"
    while rho in actions:
        rho += "_"
    return rho


def _with_rho(encoding: LTS, symmetry: Symmetry, rho: str) -> LTS:
    """Return an encoding with another prefix of its rho-labels."""
    if symmetry.rho is None:
        raise FormatError("the symmetry file lacks `rho`: it was not written with a reduction")
    prefix = f"{symmetry.rho}("
    labels = [
        f"{rho}({label[len(prefix) :]}" if label.startswith(prefix) else label
        for label in encoding.labels
    ]
    return LTS.from_columns(
        encoding._engine.source,
        encoding._engine.label,
        encoding._engine.target,
        labels,
        encoding.initial,
        encoding.state_count,
    ).with_internal(encoding.internal)
