"""Checks formulas on one state of each orbit.

Let a group of symmetries of a system preserve each set of labels in a formula. If labels are only
distinguished by the sets that contain them, a state and its orbit are strongly bisimilar: the orbit
has the steps of each of its states. So the formula holds for the system if and only if it holds for
the graph of its orbits (Emerson and Sistla, Symmetry and model checking, 1996). This holds for
every formula without data variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import lts._engine as _engine
from lts.base.bounds import LIFTED_PATH, PAIRS
from lts.base.label_names import label_text
from lts.errors import NotSymmetric, Unsupported
from lts.logic.acceptance import accepts
from lts.logic.check import (
    Lasso,
    is_deterministic,
    read,
    solved,
    unknown_actions,
)
from lts.logic.data import LabelData, ReadLabel
from lts.logic.fairness import is_vacuous
from lts.logic.nodes import Actions, Formula
from lts.symmetry.labels.detection import written
from lts.symmetry.labels.dialects import parse_label
from lts.system.lts import LTS
from lts.trace import Preimage

__all__ = ["OrbitVerdict", "check_orbits", "orbit_graph", "sets_of"]


_MOST_IMAGES = 1 << 22
"""Most images of labels, under all the elements that move steps of a path, that are written."""


@dataclass(frozen=True, slots=True)
class OrbitVerdict:
    """Whether a formula holds for the original of a quotient, with the size of the quotient.

    `order` is the order of the group; `unknown` are actions as in `Verdict`. `path` is a path of
    the original as in `Verdict`, its states numbered along it; None also if it has more than
    `LIFTED_PATH` transitions. `evidence` is the part of the original that explains the answer, its
    states renumbered; None if it was not requested, or is too large. `vacuous` is as in `Verdict`.
    """

    holds: bool
    unknown: tuple[str, ...]
    orbits: int
    states: int
    order: int
    path: Lasso | None = None
    evidence: LTS | None = None
    vacuous: bool = False

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
        raise Unsupported(
            "`deterministic` is about all states, but only one state of each orbit is stored"
        )
    parsed = read(formula, file, fair)
    if parsed.slots:
        raise Unsupported("the range of data variables is known only for the whole system")
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
    quotient: _engine.Quotient,
    formula: str,
    *,
    fair: str | None = None,
    file: str = "formula",
    max_evidence: int = 0,
) -> OrbitVerdict:
    """Check a formula, or a property of `PROPERTIES`, in the initial state of an original.

    Evidence is computed if it has at most `max_evidence` states and transitions. Raises
    `NotSymmetric` if the group does not preserve a set of labels in the formula, and the errors of
    `sets_of` and `check`.
    """
    kind = sets_of(formula, fair=fair, file=file)
    labels = list(map(label_text, quotient.labels))
    internal = {*map(label_text, quotient.internal)}
    kinds = [kind(label, label in internal) for label in labels]
    for which, (_, images) in enumerate(quotient.generators):
        for one, other in enumerate(images):
            if kinds[one] != kinds[other]:
                raise NotSymmetric(
                    "the formula is not symmetric",
                    witness=f"it treats `{labels[one]}` and `{labels[other]}` differently",
                    which=which,
                )
    parsed = read(formula, file, fair)
    graph = orbit_graph(quotient)
    found = solved(graph, parsed, PAIRS.default)
    unknown = unknown_actions(parsed, labels, internal)

    def assumed(text: str) -> tuple[Formula, Callable[[], bool]]:
        other = read(text, "formula", fair)
        return other, lambda: solved(graph, other, PAIRS.default).holds

    return OrbitVerdict(
        found.holds,
        unknown,
        quotient.orbits,
        quotient.count()[0],
        quotient.order,
        None if found.path is None else _lifted(quotient, labels, *found.path),
        _evidence(quotient, found.transitions, max_evidence),
        fair is not None and is_vacuous((parsed, found.holds), unknown, assumed),
    )


def _lifted(
    quotient: _engine.Quotient, labels: Sequence[str], transitions: Sequence[int], again: int | None
) -> Lasso | None:
    """Return a path of the original over a path of the graph of its orbits."""
    found = quotient.lifted(transitions, again, LIFTED_PATH.default)
    if found is None:
        return None
    numbers, again, origins, elements = found
    preimages = None
    if len(elements) * len(labels) <= _MOST_IMAGES:
        parsed = {label: parse_label(label) for label in labels}
        texts = [
            str(
                written(
                    {one: labels[image] for one, image in zip(labels, element, strict=True)}, parsed
                )
            )
            for element in elements
        ]
        preimages = [Preimage(texts[element], labels[label]) for label, element in origins]
    steps = [(place, labels[number], place + 1) for place, number in enumerate(numbers)]
    if again is not None:
        source, label, _ = steps[-1]
        steps[-1] = source, label, again
    return Lasso.of(steps, again, preimages)


def _evidence(quotient: _engine.Quotient, transitions: Sequence[int], most: int) -> LTS | None:
    """Return the part of the original over a part of the graph of its orbits.

    Whoever chooses a step of the graph chooses any of those over it: orbits are bisimilar.
    """
    if most == 0:
        return None
    part = quotient.restricted(transitions)
    if max(part.count()) > most:
        return None
    return LTS(part.expand())
