"""Checks formulas on networks that are minimised during composition.

As much is hidden as the formula allows, and the equivalence is the weakest that is known to
preserve the formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from lts.base.bounds import PAIRS
from lts.errors import Unsupported
from lts.logic.check import (
    is_deterministic,
    read,
    solved,
    unknown_actions,
)
from lts.logic.fairness import is_vacuous
from lts.logic.nodes import Formula
from lts.logic.preserved import hidden_labels, weakest
from lts.network.network import TAU, Network, Vector
from lts.network.reduction import MergeStep, Order, Reduction, reduce
from lts.state_space.settings import DEFAULT, NO_LIMITS, Limits, Settings

__all__ = ["NetworkVerdict", "Preserving", "check_network", "reduce_for"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preserving:
    """A reduced network on which a formula has the same truth value as on the original.

    `equivalence` is the one modulo which parts were minimised, `strong` are the labels whose steps
    were matched strongly, and `hidden` counts the labels hidden in advance. `unknown` are actions
    that no label has, as in `Verdict`.
    """

    equivalence: str
    strong: frozenset[str]
    hidden: int
    reduction: Reduction
    unknown: tuple[str, ...]

    @property
    def named(self) -> str:
        """The equivalence in words."""
        name = "sharp" if self.strong else self.equivalence.replace("-branching", " branching")
        return f"{name} bisimulation"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkVerdict(Preserving):
    """Whether a formula holds for a network, with the reduced network used to decide it."""

    holds: bool
    vacuous: bool = False
    """Whether no path from the initial state satisfies the fairness assumption."""

    def __bool__(self) -> bool:
        return self.holds


def check_network(
    network: Network,
    formula: str,
    *,
    fair: str | None = None,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    report: Callable[[MergeStep], object] | None = None,
    file: str = "formula",
) -> NetworkVerdict:
    """Check a formula, or a property of `PROPERTIES`, in the initial state of a network.

    Labels that the formula treats like internal steps are hidden, and components and intermediate
    compositions are minimised modulo the weakest bisimulation that preserves the formula
    (`lts.logic.preserved`): branching bisimulation; its divergence-preserving variant if divergence
    matters, sharp if some labels are counted; or strong bisimulation, for instance for `A` and `E`.
    `fair` is as for `check`.

    Raises `Unsupported` for data variables, whose values would depend on hidden labels, and for
    `deterministic`, which is a property of states; besides, errors are those of `check` and
    `lts.network.reduce`.

    >>> from lts import LTS
    >>> door = LTS.from_transitions([(0, "open", 1), (1, "close", 0)])
    >>> vectors = [({k: label}, f"{label}({k})") for k in range(30) for label in door.labels]
    >>> found = check_network(Network.of([door] * 30, vectors), "[(!open(7))*.close(7)]false")
    >>> found.holds, found.equivalence, found.hidden, found.reduction.lts.state_count
    (True, 'branching', 58, 2)
    """
    settings = Settings(limits=limits, threads=threads)
    left = reduce_for(network, formula, settings, fair=fair, report=report, file=file)
    system, parsed = left.reduction.lts, read(formula, file, fair)

    def assumed(text: str) -> tuple[Formula, Callable[[], bool]]:
        other = read(text, "formula", fair)
        return other, lambda: solved(system, other, PAIRS.default).holds

    holds = solved(system, parsed, PAIRS.default).holds
    vacuous = fair is not None and is_vacuous((parsed, holds), left.unknown, assumed)
    known = {field.name: getattr(left, field.name) for field in fields(left)}
    return NetworkVerdict(holds=holds, vacuous=vacuous, **known)


def reduce_for(
    network: Network,
    formula: str,
    settings: Settings = DEFAULT,
    *,
    fair: str | None = None,
    order: Order = "smart",
    report: Callable[[MergeStep], object] | None = None,
    file: str = "formula",
) -> Preserving:
    """Reduce a network as far as a formula's truth value is preserved.

    Labels that the formula treats like internal steps are hidden, and the network is minimised as
    by `check_network`. The settings' limits and threads, the order, and errors are as for
    `lts.network.reduce` and `check_network`.
    """
    if is_deterministic(formula, fair):
        raise Unsupported("`deterministic` is about states: compose the network first")
    parsed = read(formula, file, fair)
    if parsed.slots:
        raise Unsupported("the range of data variables is known only for the whole system")
    labels = dict.fromkeys(v.result for v in network.vectors if v.result != TAU)
    hidden = hidden_labels(parsed, labels)
    vectors = (Vector(v.moves, TAU) if v.result in hidden else v for v in network.vectors)
    less = replace(network, vectors=tuple(dict.fromkeys(vectors)))
    equivalence, strong = weakest(parsed, [label for label in labels if label not in hidden])
    found = reduce(
        less,
        equivalence,
        order=order,
        strong=strong,
        limits=settings.limits,
        threads=settings.threads,
        report=report,
    )
    return Preserving(
        equivalence=equivalence,
        strong=strong,
        hidden=len(hidden),
        reduction=found,
        unknown=unknown_actions(parsed, labels, {TAU}),
    )
