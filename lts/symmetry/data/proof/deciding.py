"""Verdicts on permutations: proven on orbits, refuted by a trace, or decided on the whole system.

The exploration of one state of each orbit proves a symmetry that acts on states as the data say,
with summands corresponding by one of several methods. If it fails, the permutation is not refuted:
some other action on states may exist. So a trace of the system is searched for whose image is not a
trace, which refutes the permutation for every action on states. If none is found, the whole system
is generated, as far as the limits allow, and searched for an automorphism that induces the
permutation on labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

import lts._engine as _engine
from lts.base.bounds import CHOICES
from lts.base.label_names import label_text
from lts.errors import LimitReached, NotProven, NotSymmetric, SpecificationError
from lts.linear.process import LinearProcess
from lts.state_space.generation import Generation, evaluation_errors, explore
from lts.state_space.settings import Limits, Settings
from lts.symmetry.data.action import GroupAction, Lifts
from lts.symmetry.data.proof.correspondence import METHODS, Correspondence, Untouched
from lts.symmetry.labels.automorphism import (
    Automorphism,
    automorphism,
    check,
    explained,
)
from lts.symmetry.labels.lift import refuse_idle
from lts.symmetry.permutation.cycles import fewer
from lts.symmetry.permutation.known import refuted, undecided
from lts.symmetry.permutation.notation import Permutation
from lts.trace import labels_shown

__all__ = ["PAIRS", "WHOLE", "Whole", "on_orbits", "on_whole", "refute"]

PAIRS = 20_000
"""Most pairs of a state and a set of states in the search for a refuting trace."""

WHOLE = 1_000_000
"""Most states of a system that is generated to decide, unless the limits allow fewer."""

_VALUES = 10_000
_SHOWN = 200

Result = TypeVar("Result")


def on_orbits(
    process: LinearProcess,
    permutations: Sequence[Permutation],
    exploration: Callable[[GroupAction], Result],
    *,
    limits: Limits,
    idle: bool = True,
    any_generators: bool = False,
) -> Result:
    """Return the result of an exploration under the group, with the first correspondence of
    parameters and summands for which it proves the symmetry.

    Raises `NotSymmetric` with a trace whose image is not a trace, if one is found; otherwise
    `NotProven`, with what the first proof lacked. A permutation that moves nothing in any
    correspondence counts as the identity if `idle`, else it is not proven. With `any_generators`,
    the result is about the group, whichever permutations generate it.
    """
    located = next((p for p in permutations if p.where), None)
    if located is not None:
        raise undecided(
            located,
            missing="`in` names places of data in labels, but not in states",
            which=list(permutations).index(located),
        )
    few = _fewer(permutations) if any_generators else permutations
    if 0 < len(few) < len(permutations):
        # The errors say which of the given permutations is no symmetry.
        with suppress(NotProven, NotSymmetric):
            return on_orbits(process, few, exploration, limits=limits, idle=idle)
    missing: NotProven | None = None
    untouched = True
    tried: list[Correspondence] = []
    for method in METHODS:
        try:
            group_action = GroupAction(process, permutations, method)
            if group_action.found in tried:
                continue
            tried.append(group_action.found)
            return exploration(group_action)
        except NotProven as error:
            untouched = untouched and isinstance(error, Untouched)
            if missing is None:
                refute(Lifts(process, permutations), limits, error)
            missing = missing or error
    assert missing is not None
    if untouched and idle:
        remaining = [*permutations]
        remaining[missing.which] = Permutation(())
        return on_orbits(process, remaining, exploration, limits=limits)
    raise missing


def _fewer(permutations: Sequence[Permutation]) -> Sequence[Permutation]:
    """Return fewer generators of the same group if it has all permutations of some sets; the given
    ones if they say more than which names are permuted."""
    for permutation in permutations:
        if (
            permutation.maps
            or permutation.where
            or any("(" in each.text for each in permutation.images)
        ):
            return permutations
        if any(len(cycle) < 2 for cycle in permutation.cycles):
            return permutations
    elements = list(
        dict.fromkeys(each for permutation in permutations for each in permutation.images)
    )
    numbers = {each: number for number, each in enumerate(elements)}
    generators = [
        tuple(numbers[permutation.images.get(each, each)] for each in elements)
        for permutation in permutations
    ]
    few = fewer(len(elements), generators)
    return [Permutation.of_images(images, elements) for images in few]


def refute(lifts: Lifts, limits: Limits, missing: NotProven) -> None:
    """Raise `NotSymmetric` if a trace is found whose image is not a trace; the witness ends with
    what the proof lacked."""
    most = PAIRS if limits.states is None else min(PAIRS, limits.states)
    values = min(limits.values, _VALUES)
    try:
        with evaluation_errors(lifts.process):
            found = _engine.refute(lifts.engine, lifts.on_labels(), most, values)
    except (LimitReached, SpecificationError):
        return  # reported where the evaluation is needed
    if found is None:
        return
    which, *traces = found
    permutation = lifts.lifted[which].permutation
    [*before, last], [*after, image] = (list(map(label_text, labels)) for labels in traces)
    witness = (
        f"`{last}` is possible after the trace\n  {labels_shown(before, _SHOWN)}\n"
        f"but its image `{image}` is not after\n  {labels_shown(after, _SHOWN)}"
    )
    if which == missing.which:
        witness += f"\n{missing.missing}"
    raise refuted(permutation, witness=witness, which=which)


@dataclass(frozen=True, slots=True)
class Whole:
    """A system generated as a whole, and a group of its automorphisms."""

    generation: Generation
    found: Automorphism

    @property
    def steps(self) -> int:
        """The number of transitions of one representative of each orbit."""
        import numpy as np

        system = self.generation.lts
        assert system is not None
        first = np.arange(system.state_count)
        while True:
            before = first
            for images in self.found.states:
                first = np.minimum(first, first[images])
                np.minimum.at(first, images, first.copy())
            first = first[first]
            if np.array_equal(first, before):
                break
        return int(np.count_nonzero(first[system.source] == system.source))


def on_whole(
    lifts: Lifts, missing: NotProven, settings: Settings, *, node_limit: int = CHOICES.default
) -> Whole:
    """Decide on the whole system whether there are automorphisms that induce the permutations.

    Raises `NotSymmetric` if there are none, and `missing` if the system is too large to decide.
    """
    sorts = {term.sort for summand in lifts.process.summands for term in summand.arguments}
    if not all(p.permutation.where or any(map(p.moves_in, sorts)) for p in lifts.lifted):
        raise missing  # no label can depend on these data
    limits = settings.limits
    most = WHOLE if limits.states is None else min(WHOLE, limits.states)
    settings = replace(settings, limits=replace(limits, states=most))
    generation = explore(lifts.process, settings, engine=lifts.engine)
    if generation.incomplete == "interrupted":
        raise KeyboardInterrupt
    system = generation.lts
    if generation.incomplete is not None or system is None:
        raise missing
    if any(lifted.permutation.where for lifted in lifts.lifted):
        # With `in`, the permutation is given on labels alone.
        permutations = [lifted.permutation for lifted in lifts.lifted]
        for permutation in permutations:
            refuse_idle(permutation, system.labels, system.internal)
        return Whole(generation, check(system, permutations, node_limit=node_limit))
    with evaluation_errors(lifts.process):
        known = _engine.label_images(lifts.engine, lifts.on_labels())
    if known is None:
        raise missing
    texts = list(map(label_text, known[0]))
    images = [
        {text: texts[image] for text, image in zip(texts, moved, strict=True)} for moved in known[1]
    ]
    if any(all(moved.get(a, a) == a for a in system.labels) for moved in images):
        raise missing  # no label depends on these data
    table = list(dict.fromkeys([*system.labels, *texts]))
    numbers = {label: number for number, label in enumerate(table)}
    generators = [
        (lifted.moves(lifts.points)[0], [numbers[moved.get(label, label)] for label in table])
        for lifted, moved in zip(lifts.lifted, images, strict=True)
    ]
    try:
        found = automorphism(system, table, lifts.points, generators, node_limit=node_limit)
    except LimitReached:
        raise missing from None
    if isinstance(found, Automorphism):
        return Whole(generation, found)
    moved = {label: images[found].get(label, label) for label in system.labels}
    refused = explained(system, lifts.lifted[found].permutation, moved)
    refused.which = found
    raise refused
