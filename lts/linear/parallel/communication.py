"""Parallel composition as in muCRL: interleaving and communication in pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from lts.linear.equations import Equations, substituted
from lts.linear.parts import Part, sorts_of
from lts.linear.process import Summand
from lts.linear.shapes import Shapes
from lts.specification.specification import (
    Specification,
    Term,
    Variable,
)

__all__ = ["Communication"]


class Communication(Shapes):
    """Composes two lists of summands in parallel."""

    def __init__(self, specification: Specification) -> None:
        super().__init__(specification)
        self.equations = Equations(specification, self.unfolding.ground_terms)

    def merge(self, lists: Iterable[list[Part]]) -> list[Part]:
        """Return the steps of several processes in parallel, and their communications.

        Each of the `lists` has the steps of components with greater numbers than those before.
        """
        communications = self.specification.communications
        assert communications is not None
        differ = self.equations.ground_terms.differ
        results: dict[str, dict[str, str]] = defaultdict(dict)
        for first, second, result in sorted(
            (min(pair), max(pair), result) for pair, result in communications.items()
        ):
            results[first][second] = result
            results[second][first] = result
        merged: list[Part] = []
        # Where the steps of each action are in `merged`: most actions communicate with nothing in
        # the next list, which may be one of thousands.
        places: dict[str, list[int]] = defaultdict(list)
        for right in lists:
            of_action: dict[str, list[Part]] = {}
            for part in right:
                of_action.setdefault(part.summand.action or "", []).append(part)
            names = {name: None for other in of_action for name in results.get(other, ())}
            partners = {
                name: [
                    (result, of_action[other])
                    for other, result in results[name].items()
                    if other in of_action
                ]
                for name in names
                if name in places
            }
            together = []
            for place in sorted(place for name in partners for place in places[name]):
                one = merged[place]
                for result, others in partners[one.summand.action or ""]:
                    for other in others:
                        sides = one.summand.arguments, other.summand.arguments
                        if sorts_of(sides[0]) == sorts_of(sides[1]) and not any(
                            map(differ, *sides)
                        ):
                            joined = self.communication(one.summand, other.summand, result)
                            if joined is not None:
                                together.append(Part(joined, one.ends | other.ends))
            for place, part in enumerate((*right, *together), start=len(merged)):
                places[part.summand.action or ""].append(place)
            merged += right
            merged += together
        return merged

    def communication(self, one: Summand, other: Summand, action: str) -> Summand | None:
        """Return the communication of two steps as `action`; None if it is never possible."""
        taken = set(self.parameter_names) if one.variables or other.variables else set()
        one, other = self.apart(one, taken), self.apart(other, taken)
        return self.equations.solve(
            Summand(
                one.variables + other.variables,
                one.guards + other.guards,
                (
                    *one.equations,
                    *other.equations,
                    *zip(one.arguments, other.arguments, strict=True),
                ),
                action,
                one.arguments,
                one.updates + other.updates,
                one.origin + other.origin,
                one.places + other.places,
            )
        )

    def apart(self, summand: Summand, taken: set[str]) -> Summand:
        """Rename a summand's variables apart from the `taken` names; take the new names."""
        renamed: dict[Variable, Term] = {
            v: Variable(self.fresh(v.name, taken), v.sort) for v in summand.variables
        }
        return substituted(summand, renamed)
