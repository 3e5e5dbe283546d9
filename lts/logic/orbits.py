"""Formulas on one state of each orbit.

Let a group of symmetries of a system leave each set of labels in a formula as it is. Then a state
and its orbit are strongly bisimilar, if labels are told apart only by the sets that they are in:
the orbit does what one of its states does. So the formula holds of the system if it holds of the
graph of its orbits (Emerson and Sistla, Symmetry and model checking, 1996). Nothing is asked of
what it says of states, so it may be any formula without variables for data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lts import _engine
from lts.errors import NotSymmetric, Unsupported
from lts.logic.acceptance import accepts
from lts.logic.check import check, is_deterministic, read, unknown_actions
from lts.logic.data import LabelData, ReadLabel
from lts.logic.nodes import Actions
from lts.names import label_text
from lts.system import LTS

__all__ = ["OrbitVerdict", "check_orbits", "orbit_graph", "sets_of"]


@dataclass(frozen=True, slots=True)
class OrbitVerdict:
    """Whether a formula holds of the original of a quotient: of how many orbits, and of how many
    states, under a group of which `order`. `unknown` are actions as in `Verdict`."""

    holds: bool
    unknown: tuple[str, ...]
    orbits: int
    states: int
    order: int

    def __bool__(self) -> bool:
        return self.holds


def sets_of(
    formula: str, *, fair: str | None = None, file: str = "formula"
) -> Callable[..., object]:
    """Return what says of a label, internal or not, which sets of labels in a formula it is in.

    Raises `Unsupported` for `deterministic`, and for variables for data: which values there are
    is seen in labels, of which one of each orbit is there.
    """
    if is_deterministic(formula, fair):
        raise Unsupported("`deterministic` is about states, of which one of each orbit is there")
    parsed = read(formula, file, fair)
    if parsed.slots:
        raise Unsupported("what variables for data range over is seen in the whole system only")
    data = LabelData(parsed, ())
    sets = list(dict.fromkeys(what for _, what, _ in parsed.nodes if isinstance(what, Actions)))

    def found(label: str, internal: bool = False) -> object:
        one = ReadLabel.of(label)
        return internal, tuple(accepts(each.tree, one, internal, data, {}) for each in sets)

    return found


def orbit_graph(quotient: _engine.Quotient) -> LTS:
    """Return the graph of the orbits of a quotient.

    From an orbit to another one leads each label of which its representative has a step into that,
    or one that the symmetries of the representative make of it.
    """
    return LTS(quotient.graph())


def check_orbits(
    quotient: _engine.Quotient, formula: str, *, fair: str | None = None, file: str = "formula"
) -> OrbitVerdict:
    """Check a formula, or a property of `PROPERTIES`, in the initial state of an original.

    Raises `NotSymmetric` if the group moves a label out of a set that the formula has, else what
    `sets_of` and `check` raise.
    """
    found = sets_of(formula, fair=fair, file=file)
    labels = list(map(label_text, quotient.labels))
    internal = {*map(label_text, quotient.internal)}
    kinds = [found(label, label in internal) for label in labels]
    for which, (_, images) in enumerate(quotient.generators):
        for one, other in enumerate(images):
            if kinds[one] != kinds[other]:
                raise NotSymmetric(
                    "the formula is not symmetric",
                    witness=f"`{labels[one]}` becomes `{labels[other]}`, of which it says "
                    "something else",
                    which=which,
                )
    verdict = check(orbit_graph(quotient), formula, fair=fair, file=file)
    parsed = read(formula, file, fair)
    return OrbitVerdict(
        verdict.holds,
        unknown_actions(parsed, labels, internal),
        quotient.orbits,
        quotient.count()[0],
        quotient.order,
    )
