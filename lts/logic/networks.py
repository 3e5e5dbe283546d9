"""Formulas on networks, which are minimised on the way: as much is hidden as the formula allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lts.equivalence.minimise import SHARP
from lts.errors import Unsupported
from lts.logic.check import check, is_deterministic, read, unknown_actions
from lts.logic.preserved import hidden_labels, strong_labels
from lts.network.network import TAU, Network, Vector
from lts.network.reduction import Reduction, Step, reduce
from lts.state_space.settings import NO_LIMITS, Limits

__all__ = ["NetworkVerdict", "check_network"]


@dataclass(frozen=True, slots=True)
class NetworkVerdict:
    """Whether a formula holds of a network, and what was left of that to decide it.

    `equivalence` is the one modulo which parts were minimised, `strong` are labels whose steps were
    matched one by one, `hidden` counts the labels that were hidden before. `unknown` are actions
    that no label is, as in `Verdict`.
    """

    holds: bool
    equivalence: str
    hidden: int
    reduction: Reduction
    unknown: tuple[str, ...] = ()
    strong: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return self.holds


def check_network(
    network: Network,
    formula: str,
    *,
    fair: str | None = None,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    tell: Callable[[Step], object] | None = None,
    file: str = "formula",
) -> NetworkVerdict:
    """Check a formula, or a property of `PROPERTIES`, in the initial state of a network.

    What the formula takes as internal is hidden, and components and whatever is put together of
    them are minimised: modulo divergence-preserving branching bisimulation if the formula has weak
    modalities only (`lts.logic.preserved`), modulo sharp bisimulation if the others are not about
    internal steps, else, as for `A` and `E`, modulo strong bisimulation; `fair` is as for `check`.
    Raises `Unsupported` for variables for data, whose values are those in labels, and for
    `deterministic`, which is about states; errors are those of `check` and `lts.network.reduce`
    besides.

    >>> from lts import LTS
    >>> door = LTS.from_transitions([(0, "open", 1), (1, "close", 0)])
    >>> vectors = [({k: label}, f"{label}({k})") for k in range(30) for label in door.labels]
    >>> found = check_network(Network.of([door] * 30, vectors), "[(!open(7))*.close(7)]false")
    >>> found.holds, found.equivalence, found.hidden, found.reduction.lts.state_count
    (True, 'divergence-preserving-branching', 58, 2)
    """
    if is_deterministic(formula, fair):
        raise Unsupported("`deterministic` is about states: compose the network first")
    parsed = read(formula, file, fair)
    if parsed.slots:
        raise Unsupported("what variables for data range over is seen in the whole system only")
    labels = dict.fromkeys(v.result for v in network.vectors if v.result != TAU)
    hidden = hidden_labels(parsed, labels)
    vectors = (Vector(v.moves, TAU) if v.result in hidden else v for v in network.vectors)
    less = Network(network.components, tuple(dict.fromkeys(vectors)), network.names)
    strong = strong_labels(parsed, [label for label in labels if label not in hidden])
    equivalence = "strong" if strong is None else SHARP
    strong = strong or frozenset()
    found = reduce(less, equivalence, strong=strong, limits=limits, threads=threads, tell=tell)
    verdict = check(found.lts, formula, fair=fair, file=file)
    unknown = unknown_actions(parsed, labels, {TAU})
    return NetworkVerdict(verdict.holds, equivalence, len(hidden), found, unknown, strong)
