"""What is said of permutations: proven on orbits, refuted by a trace, or decided on the system.

The exploration of one state of each orbit proves a symmetry that is lifted to states as the data
say, where summands correspond in one of several ways. What it does not prove is not refuted by
that. So a trace is looked for whose image is none, which is a reason that counts whatever becomes
of states; and where there is none in sight, the whole system is generated, as far as the limits
allow, and an automorphism that goes with the permutation is searched in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from lts import _engine
from lts.errors import LimitReached, NotProven, SpecificationError
from lts.linear.process import LinearProcess
from lts.names import label_text
from lts.state_space.generation import Generation, evaluation_errors, explore
from lts.state_space.settings import Limits, Settings
from lts.symmetry.data.action import Acting, Lifts
from lts.symmetry.data.proof.correspondence import WAYS, Correspondence, Untouched
from lts.symmetry.labels.automorphism import (
    NODE_LIMIT,
    Automorphism,
    automorphism,
    check,
    explained,
)
from lts.symmetry.labels.lift import refuse_idle
from lts.symmetry.permutation.known import refuted, undecided
from lts.symmetry.permutation.notation import Permutation
from lts.trace import labels_shown

__all__ = ["PAIRS", "WHOLE", "Whole", "on_orbits", "on_whole", "refute"]

PAIRS = 20_000
"""Pairs of a state and a set of states among which a refuting trace is looked for."""

WHOLE = 1_000_000
"""States of a system that is generated to decide, unless the limits allow fewer."""

_VALUES = 10_000
_SHOWN = 200

Result = TypeVar("Result")


def on_orbits(
    process: LinearProcess,
    permutations: Sequence[Permutation],
    exploration: Callable[[Acting], Result],
    *,
    limits: Limits,
    idle: bool = True,
) -> Result:
    """Return what an exploration under the group finds, with parameters and summands moved in the
    first way in which it proves the symmetry.

    Raises `NotSymmetric` with a trace whose image is none, if there is one in sight; else
    `NotProven`, with what the first way lacked. A permutation that does nothing in any way is a
    symmetry as the identity is, unless nothing `idle` is wanted.
    """
    located = next((p for p in permutations if p.where), None)
    if located is not None:
        raise undecided(
            located,
            missing="`in` says where data stand in labels, and nothing of states",
            which=list(permutations).index(located),
        )
    missing: NotProven | None = None
    untouched = True
    tried: list[Correspondence] = []
    for way in WAYS:
        try:
            acting = Acting(process, permutations, way)
            if acting.found in tried:
                continue
            tried.append(acting.found)
            return exploration(acting)
        except NotProven as error:
            untouched = untouched and isinstance(error, Untouched)
            if missing is None:
                refute(Lifts(process, permutations), limits, error)
            missing = missing or error
    assert missing is not None
    if untouched and idle:
        kept = [*permutations]
        kept[missing.which] = Permutation(())
        return on_orbits(process, kept, exploration, limits=limits)
    raise missing


def refute(lifts: Lifts, limits: Limits, missing: NotProven) -> None:
    """Raise `NotSymmetric` if a trace is in sight whose image is none; the witness ends with what
    the proof lacked."""
    most = PAIRS if limits.states is None else min(PAIRS, limits.states)
    values = min(limits.values, _VALUES)
    try:
        with evaluation_errors(lifts.process):
            found = _engine.refute(lifts.engine, lifts.on_labels(), most, values)
    except (LimitReached, SpecificationError):
        return  # what cannot be evaluated is told by whoever needs it
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
    """A system that was generated as a whole, and a group of its automorphisms."""

    generation: Generation
    found: Automorphism

    @property
    def steps(self) -> int:
        """How many transitions one state of each orbit has."""
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
    lifts: Lifts, missing: NotProven, settings: Settings, *, node_limit: int = NODE_LIMIT
) -> Whole:
    """Decide on the system itself whether there are automorphisms that go with permutations.

    Raises `NotSymmetric` if not, `missing` if the system is too large to tell.
    """
    limits = settings.limits
    most = WHOLE if limits.states is None else min(WHOLE, limits.states)
    settings = replace(settings, limits=replace(limits, states=most))
    generation = explore(lifts.process, settings, engine=lifts.engine)
    if generation.incomplete == "interrupted":
        raise KeyboardInterrupt
    system = generation.lts
    if generation.incomplete is not None or system is None:
        raise missing
    if any(one.permutation.where for one in lifts.lifted):
        # Where data stand in labels, labels say; elsewhere they stay.
        permutations = [one.permutation for one in lifts.lifted]
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
        raise missing  # nothing that can be seen has to do with these data
    table = list(dict.fromkeys([*system.labels, *texts]))
    numbers = {label: number for number, label in enumerate(table)}
    generators = [
        (one.moves(lifts.points)[0], [numbers[moved.get(label, label)] for label in table])
        for one, moved in zip(lifts.lifted, images, strict=True)
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
