"""Checks formulas on one state of each orbit.

Let a group of symmetries of a system preserve each set of labels in a formula. If labels are only
distinguished by the sets that contain them, a state and its orbit are strongly bisimilar: the orbit
has the steps of each of its states. So the formula holds for the system if and only if it holds for
the graph of its orbits (Emerson and Sistla, Symmetry and model checking, 1996). This holds for
every formula without data variables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lts import _engine
from lts.errors import NotSymmetric, Unsupported
from lts.logic.check import check, is_deterministic, read, unknown_actions
from lts.logic.data import LabelData, ReadLabel
from lts.logic.instances import accepts
from lts.logic.nodes import Actions
from lts.names import label_text
from lts.system import LTS

__all__ = ["OrbitVerdict", "check_orbits", "orbit_graph", "sets_of"]


@dataclass(frozen=True, slots=True)
class OrbitVerdict:
    """Whether a formula holds for the original of a quotient, with the size of the quotient.

    `order` is the order of the group; `unknown` are actions as in `Verdict`.
    """

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
    """Return the function from labels (internal or not) to the sets in a formula that contain them.

    Raises `Unsupported` for `deterministic`, and for data variables: their values are collected
    from labels, of which a quotient has only one from each orbit.
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

    It has a transition between two orbits for each label of a step from the first's representative
    into the second, and for the images of these labels under the stabiliser of the representative.
    """
    return LTS(quotient.graph())


def check_orbits(
    quotient: _engine.Quotient, formula: str, *, fair: str | None = None, file: str = "formula"
) -> OrbitVerdict:
    """Check a formula, or a property of `PROPERTIES`, in the initial state of an original.

    Raises `NotSymmetric` if the group does not preserve a set of labels in the formula, and the
    errors of `sets_of` and `check`.
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
