"""Complete minimisation: the reduction of the minimal original, which is never built."""

from __future__ import annotations

from collections.abc import Iterable

import lts._engine as _engine
from lts.base.argument_types import expect_limit
from lts.base.bounds import CHOICES
from lts.base.label_names import several
from lts.equivalence.names import equivalence_named
from lts.errors import LimitReached, Unsupported
from lts.symmetry.permutation.file import Symmetry
from lts.symmetry.reduction.rho_encoding import Reduction, decoded, encode
from lts.system.lts import LTS

__all__ = ["hide_in_quotient", "minimise_quotient", "minimise_reduction"]


def minimise_reduction(
    encoding: LTS,
    symmetry: Symmetry,
    equivalence: str,
    *,
    hide: Iterable[str] = (),
    order: str = "bfs",
    node_limit: int = CHOICES.default,
) -> Reduction:
    """Return the reduction of the minimal LTS equivalent to a reduction's original.

    `equivalence` is a bisimulation. Its classes come in orbits, found on one state of each, so
    memory and time grow with the reduction and not with the original: expanding the result gives
    what minimising the expansion gives. `hide` makes actions internal first, given by name or as
    whole labels. The order `greedy` gives an encoding with fewer states, but visits all states of
    the minimal original.

    Raises `FormatError` if `encoding` is not a rho-encoding under that symmetry, `Unsupported` for
    another equivalence or where hidden labels are not symmetric, `LimitReached` if a canonical
    image of a state's transitions takes more than `node_limit` choices.
    """
    least = minimise_quotient(
        decoded(encoding, symmetry), equivalence, hide=hide, node_limit=node_limit
    )
    return encode(least, symmetry.generators, kind=symmetry.kind, order=order)


def hide_in_quotient(quotient: _engine.Quotient, actions: Iterable[str]) -> _engine.Quotient:
    """Return the quotient of the original with `actions` made internal, as by `LTS.hide`.

    Raises `Unsupported` if hidden labels are not symmetric.
    """
    names = [name.encode("utf-8", "surrogateescape") for name in several(actions)]
    try:
        return quotient.hide(names)
    except ValueError as error:
        raise Unsupported(str(error)) from None


def minimise_quotient(
    quotient: _engine.Quotient,
    equivalence: str,
    *,
    hide: Iterable[str] = (),
    node_limit: int = CHOICES.default,
) -> _engine.Quotient:
    """Return the quotient of the minimal LTS equivalent to a quotient's original."""
    kind = equivalence_named(equivalence)
    if kind.family != "bisimulation":
        raise Unsupported(f"reductions are minimised modulo bisimulations, not {kind.title}")
    expect_limit(node_limit, "the limit on choices")
    hidden = hide_in_quotient(quotient, hide)
    try:
        found = hidden.minimise(kind.name, node_limit)
    except ValueError as error:
        raise Unsupported(str(error)) from None
    if found is None:
        raise LimitReached(
            f"{CHOICES.amount(node_limit)} did not find a canonical image of a state's transitions",
            limit=node_limit,
            found={"choices": node_limit, "orbits": quotient.orbits},
        )
    return found
