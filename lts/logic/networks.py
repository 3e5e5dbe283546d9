"""Formulas on networks, which are minimised on the way: as much is hidden as the formula allows,
and the bisimulation is the weakest that is known to preserve it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from lts.errors import Unsupported
from lts.logic.check import check, is_deterministic, read, unknown_actions
from lts.logic.preserved import hidden_labels, weakest
from lts.network.network import TAU, Network, Vector
from lts.network.reduction import Order, Reduction, Step, reduce
from lts.state_space.settings import DEFAULT, NO_LIMITS, Limits, Settings

__all__ = ["NetworkVerdict", "Preserving", "check_network", "reduce_for"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preserving:
    """What is left of a network that a formula says the same of.

    `equivalence` is the one modulo which parts were minimised, `strong` are labels whose steps were
    matched one by one, `hidden` counts the labels that were hidden before. `unknown` are actions
    that no label is, as in `Verdict`.
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
    """Whether a formula holds of a network, and what was left of that to decide it."""

    holds: bool

    def __bool__(self) -> bool:
        return self.holds


def check_network(
    network: Network,
    formula: str,
    *,
    fair: str | None = None,
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    report: Callable[[Step], object] | None = None,
    file: str = "formula",
) -> NetworkVerdict:
    """Check a formula, or a property of `PROPERTIES`, in the initial state of a network.

    What the formula takes as internal is hidden, and components and whatever is put together of
    them are minimised, modulo the weakest bisimulation that preserves the formula
    (`lts.logic.preserved`): branching bisimulation, where divergence matters the one that preserves
    it, sharp where some labels are counted, or, as for `A` and `E`, strong bisimulation. `fair` is
    as for `check`.
    Raises `Unsupported` for variables for data, whose values are those in labels, and for
    `deterministic`, which is about states; errors are those of `check` and `lts.network.reduce`
    besides.

    >>> from lts import LTS
    >>> door = LTS.from_transitions([(0, "open", 1), (1, "close", 0)])
    >>> vectors = [({k: label}, f"{label}({k})") for k in range(30) for label in door.labels]
    >>> found = check_network(Network.of([door] * 30, vectors), "[(!open(7))*.close(7)]false")
    >>> found.holds, found.equivalence, found.hidden, found.reduction.lts.state_count
    (True, 'branching', 58, 2)
    """
    settings = Settings(limits=limits, threads=threads)
    left = reduce_for(network, formula, settings, fair=fair, report=report, file=file)
    verdict = check(left.reduction.lts, formula, fair=fair, file=file)
    known = {field.name: getattr(left, field.name) for field in fields(left)}
    return NetworkVerdict(holds=verdict.holds, **known)


def reduce_for(
    network: Network,
    formula: str,
    settings: Settings = DEFAULT,
    *,
    fair: str | None = None,
    order: Order = "smart",
    report: Callable[[Step], object] | None = None,
    file: str = "formula",
) -> Preserving:
    """Return a network as small as it can be made for a formula to say the same of it.

    Hidden is what the formula takes as internal, and the rest is minimised as `check_network` does;
    the limits and threads of the settings, the order and errors are those of `lts.network.reduce`
    and `check_network`.
    """
    if is_deterministic(formula, fair):
        raise Unsupported("`deterministic` is about states: compose the network first")
    parsed = read(formula, file, fair)
    if parsed.slots:
        raise Unsupported("what variables for data range over is seen in the whole system only")
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
