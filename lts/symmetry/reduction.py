"""Symmetrical reductions: rho-encodings, their expansion and the exact size of the original."""

from __future__ import annotations

from dataclasses import dataclass

from lts import _engine
from lts.errors import FormatError, LtsError
from lts.symmetry.file import Symmetry
from lts.symmetry.notation import Element, Permutation
from lts.symmetry.system import NODE_LIMIT, check
from lts.system import LTS

__all__ = ["ORDERS", "Reduction", "count", "encode", "expand", "reduce", "rho_cycles"]

ORDERS = ("greedy", "bfs")
"""Which member of a transition orbit an encoding stores: `greedy` keeps the states few, `bfs` is
the first one met breadth first, as in van Langevelde's report."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """A rho-encoding with the symmetry that it was made with."""

    encoding: LTS
    symmetry: Symmetry
    orbits: int
    stored: int
    """Transitions without the rho-steps: one for each orbit of transitions."""


def reduce(
    system: LTS, permutation: Permutation, *, order: str = "greedy", node_limit: int = NODE_LIMIT
) -> Reduction:
    """Reduce the reachable part of an LTS by the cyclic group of a label permutation.

    Raises `NotSymmetric` and `LimitReached` as `check` does.
    """
    found = check(system, permutation, node_limit=node_limit)
    return encode(found.quotient, permutation, kind="labels", order=order)


def encode(
    quotient: _engine.Quotient, permutation: Permutation, *, kind: str, order: str = "greedy"
) -> Reduction:
    """Return the rho-encoding of a quotient; `kind` says what `permutation` permutes."""
    if order not in ORDERS:
        raise LtsError(f"there is no order `{order}` (known: {', '.join(ORDERS)})")
    encoding, rho = quotient.encode(order == "greedy")
    states, transitions = quotient.count()
    symmetry = Symmetry(
        kind=kind,
        generator=permutation,
        order=quotient.order,
        rho=rho,
        states=states,
        transitions=transitions,
        cycles=_label_cycles(quotient),
    )
    return Reduction(LTS(encoding), symmetry, quotient.orbits, quotient.rows)


def expand(encoding: LTS, symmetry: Symmetry) -> LTS:
    """Return the original of a reduction, states numbered breadth first.

    Raises `FormatError` if it is no rho-encoding under that symmetry.
    """
    return LTS(_decoded(encoding, symmetry).expand())


def count(encoding: LTS, symmetry: Symmetry) -> tuple[int, int]:
    """Return the exact numbers of states and transitions of the original, without building it."""
    return _decoded(encoding, symmetry).count()


def rho_cycles(encoding: LTS, symmetry: Symmetry) -> dict[str, int]:
    """Return how many rho-cycles there are of each `[length,period]`, the most frequent first."""
    prefix = f"{symmetry.rho}("
    steps = {
        number: int(label[len(prefix) : -1])
        for number, label in enumerate(encoding.labels)
        if label.startswith(prefix)
    }
    source, label = encoding.source.tolist(), encoding.label.tolist()
    rows = zip(source, label, encoding.target.tolist(), strict=True)
    following = {s: (steps[a], t) for s, a, t in rows if a in steps}
    found: dict[str, int] = {}
    while following:
        start, (period, at) = following.popitem()
        length = 1
        while at != start:
            step, at = following.pop(at)
            length, period = length + 1, period + step
        kind = f"[{length},{period}]"
        found[kind] = found.get(kind, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _decoded(encoding: LTS, symmetry: Symmetry) -> _engine.Quotient:
    if symmetry.order is None or symmetry.rho is None or symmetry.cycles is None:
        raise FormatError("the symmetry file lacks `order`, `rho` or `cycles`: it is input only")
    prefix = f"{symmetry.rho}("
    images = {e.text: image.text for e, image in symmetry.cycles.images.items()}
    labels = [label for label in encoding.labels if not label.startswith(prefix)]
    table = list(dict.fromkeys([*labels, *images]))
    numbers = {label: number for number, label in enumerate(table)}
    names = [label.encode("utf-8", "surrogateescape") for label in table]
    permutation = [numbers[images.get(label, label)] for label in table]
    try:
        return _engine.decode(encoding._engine, symmetry.order, symmetry.rho, names, permutation)
    except ValueError as error:
        raise FormatError(f"not a rho-encoding: {error}") from None


def _label_cycles(quotient: _engine.Quotient) -> Permutation:
    """Return the cycles of labels, in the order of the table."""
    labels = [label.decode("utf-8", "surrogateescape") for label in quotient.labels]
    permutation = quotient.permutation
    cycles = []
    seen: set[int] = set()
    for start in range(len(labels)):
        cycle = []
        at = start
        while at not in seen:
            seen.add(at)
            cycle.append(Element(labels[at], quoted=True))
            at = permutation[at]
        if len(cycle) > 1:
            cycles.append(tuple(cycle))
    return Permutation(tuple(cycles))
