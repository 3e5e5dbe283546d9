"""Traces that refute permutations which the first states exclude, or all permutations."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations as permutations_of
from itertools import product
from math import factorial, lcm, prod

from lts.errors import LtsError, NotSymmetric
from lts.linear.process import LinearProcess
from lts.state_space.settings import Limits
from lts.symmetry.data.action import Lifts
from lts.symmetry.data.find.automorphisms import written
from lts.symmetry.data.find.facts import Facts
from lts.symmetry.data.find.proposal import Proposal, refusal_by
from lts.symmetry.data.proof.deciding import refute
from lts.symmetry.permutation.cycles import Images, cycles
from lts.symmetry.permutation.known import undecided

__all__ = ["is_alone", "with_traces"]

MOST_PERMUTATIONS = 1_000
"""Most permutations within sorts of which each is refuted by itself."""


def with_traces(process: LinearProcess, proposal: Proposal, limits: Limits) -> Proposal:
    """Return a proposal with a trace for each permutation that the first states exclude, if one is
    found that refutes it."""
    refused = []
    for refusal in proposal.refused:
        if refusal.states is not None and refusal.refuted:
            permutation = refusal.permutation
            try:
                missing = undecided(permutation, missing=refusal.witness)
                refute(Lifts(process, [permutation]), limits, missing)
            except NotSymmetric as error:
                refusal = refusal_by(error, permutation)
            except LtsError:
                pass
        refused.append(refusal)
    return replace(proposal, refused=tuple(refused))


def is_alone(process: LinearProcess, facts: Facts, limits: Limits) -> bool:
    """Whether a trace refutes every permutation of the constants within their sorts.

    A group with more elements than the identity has one of prime order, so these are enough. False
    if there are more than `MOST_PERMUTATIONS` of them, if some trace was not found, or if no sort
    has two constants in the process: then none was refuted.
    """
    sorts = [facts.numbers(sort) for sort in facts.sorts]
    if prod(factorial(len(points)) for points in sorts) > MOST_PERMUTATIONS:
        return False
    refuted: set[Images] = set()
    for chosen in product(*map(permutations_of, sorts)):
        images = [*range(len(facts.points))]
        for points, moved in zip(sorts, chosen, strict=True):
            for point, image in zip(points, moved, strict=True):
                images[point] = image
        period = lcm(*map(len, cycles(images)))
        if (
            period == 1
            or any(period % n == 0 for n in range(2, period))
            or tuple(images) in refuted
        ):
            continue
        permutation = written(facts, images)
        try:
            missing = undecided(permutation, missing="")
            refute(Lifts(process, [permutation]), limits, missing)
        except NotSymmetric:
            power = images
            while power != [*range(len(images))]:
                refuted.add(tuple(power))
                power = [images[point] for point in power]
        except LtsError:
            return False
        else:
            return False
    return bool(refuted)
