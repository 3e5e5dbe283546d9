"""Parallel composition as in muCRL: interleaving and communication in pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from lts.linear.equations import Equations, substituted
from lts.linear.parts import TerminatingSummand, sorts_of
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

    def merge(self, lists: Iterable[list[TerminatingSummand]]) -> list[TerminatingSummand]:
        """Return the steps of several processes in parallel, and their communications.

        Each of the `lists` has the steps of components with greater numbers than those before.
        The steps are in the order of the μCRL lineariser (see `_Position`).
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
        composed: list[TerminatingSummand] = []
        positions: list[_Position] = []
        # Where the steps of each action are in `composed`: most actions communicate with nothing in
        # the next list, which may be one of thousands.
        positions_of: dict[str, list[int]] = defaultdict(list)
        for operand, right in enumerate(lists):
            of_action: dict[str, list[TerminatingSummand]] = {}
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
                if name in positions_of
            }
            together = []
            of_together = []
            for place in sorted(place for name in partners for place in positions_of[name]):
                one = composed[place]
                for result, others in partners[one.summand.action or ""]:
                    for other in others:
                        sides = one.summand.arguments, other.summand.arguments
                        if sorts_of(sides[0]) == sorts_of(sides[1]) and not any(
                            map(differ, *sides)
                        ):
                            joined = self.communication(one.summand, other.summand, result)
                            if joined is not None:
                                together.append(
                                    TerminatingSummand(joined, one.terminating | other.terminating)
                                )
                                of_together.append(replace(positions[place], is_shared=True))
            for place, part in enumerate((*right, *together), start=len(composed)):
                positions_of[part.summand.action or ""].append(place)
            composed += right
            positions += [_Position(operand, False, place) for place in range(len(right))]
            composed += together
            positions += of_together
        order = sorted(range(len(composed)), key=lambda place: positions[place].key)
        return [composed[place] for place in order]

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


@dataclass(frozen=True, slots=True)
class _Position:
    """What decides where a step of a parallel composition stands among the others.

    The μCRL lineariser composes `p || (q || ..)`, and lists the communications of both sides, the
    steps of the right side, and those of the left side; inside the right side it is the other way
    round, and so on. This can be read off the linear process in section 8.3 of van Langevelde's
    report. Exploration breadth first depends on it, and so does which transition of an orbit
    becomes its representative; the state space does not.
    """

    operand: int
    """The operand whose step it is; of a communication, the first one."""
    is_shared: bool
    """Whether it is a communication with a later operand."""
    place: int
    """The place of the (first) operand's step among those of this operand."""

    @property
    def key(self) -> tuple[bool, int, int]:
        """Positions are in the order of their keys."""
        is_last = self.is_shared == (self.operand % 2 == 1)
        return is_last, -self.operand if is_last else self.operand, self.place
