"""What is explored under a group: a specification or a network, and how the group is given."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from lts.errors import LtsError, NotProven, NotSymmetric
from ltstool.shared.files import is_network
from ltstool.shared.limits import looked_at_by_engine, of_engine, settings, settings_under
from ltstool.shared.options import quotient_with_tau, remark
from ltstool.shared.progress import phase, quotient_progress
from ltstool.shared.specifications import read_symmetry
from ltstool.shared.systems import linear_process, read_network
from ltstool.symmetric.given import AUTO, alone, explore
from ltstool.symmetric.options import NODE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from lts.cluster import Parts
    from lts.linear.process import LinearProcess
    from lts.network import Network, NetworkAction
    from lts.state_space import Goals, Settings
    from lts.symmetry import Certified, Explored, Permutation

Result = TypeVar("Result")

OF_NETWORK = (
    "permutation of what comes out, such as `(1 2)`, symmetry file, or `auto`: all there are"
)


class Subject(Protocol):
    """What has one state of each orbit explored."""

    kind: str
    """What the generators permute, as symmetry files say it."""

    @property
    def actions(self) -> Collection[str]:
        """The names of actions that there may be."""

    def quotient(self) -> tuple[tuple[Permutation, ...], Certified]:
        """Return the generators of the group, and the quotient."""

    def orbits(self, goals: Goals | None = None) -> tuple[tuple[Permutation, ...], Explored]:
        """Return the generators, and how many orbits there are, with what was searched."""


def subject(arguments: argparse.Namespace, file: str | None) -> Subject:
    """Return the specification or network that is to be explored as the arguments say."""
    if file is not None and is_network(file):
        return OfNetwork(arguments, read_network(arguments, file))
    return OfSpecification(arguments, linear_process(arguments, file))


def subject_of(arguments: argparse.Namespace, source: LinearProcess | Network) -> Subject:
    """Return what was read already, to be explored as the arguments say."""
    from lts.linear.process import LinearProcess

    if isinstance(source, LinearProcess):
        return OfSpecification(arguments, source)
    return OfNetwork(arguments, source)


class OfSpecification:
    """A specification, under permutations of its data."""

    kind = "sorts"

    def __init__(self, arguments: argparse.Namespace, process: LinearProcess) -> None:
        self.arguments = arguments
        self.process = process

    @property
    def actions(self) -> Collection[str]:
        """The names of its actions."""
        return {action.name for action in self.process.specification.actions}

    def quotient(self) -> tuple[tuple[Permutation, ...], Certified]:
        """Return the generators of the group, and the quotient."""
        from lts.symmetry import certified_quotient

        generators, found = self._explored(
            lambda generators, settings: certified_quotient(self.process, generators, settings)
        )
        remark_approximate(self.arguments, found.explored)
        return generators, labelled(self.arguments, found)

    def orbits(self, goals: Goals | None = None) -> tuple[tuple[Permutation, ...], Explored]:
        """Return the generators, and how many orbits there are, with what was searched."""
        from lts.symmetry import count_orbits

        generators, found = self._explored(
            lambda generators, settings: count_orbits(
                self.process, generators, settings, *given(goals)
            )
        )
        remark_approximate(self.arguments, found)
        return generators, found

    def quotient_in_parts(self, parts: Parts) -> tuple[tuple[Permutation, ...], Certified]:
        """Return the generators, and the quotient, explored in partitions."""
        from lts.cluster import certified_quotient_in_parts

        self._refuse_node_limit()
        generators, found = self._explored(
            lambda generators, settings: certified_quotient_in_parts(
                self.process, generators, parts, settings
            ),
            in_parts=True,
        )
        return generators, labelled(self.arguments, found)

    def orbits_in_parts(self, parts: Parts) -> tuple[tuple[Permutation, ...], Explored]:
        """Return the generators, and how many orbits there are, explored in partitions."""
        from lts.cluster import count_orbits_in_parts

        self._refuse_node_limit()
        return self._explored(
            lambda generators, settings: count_orbits_in_parts(
                self.process, generators, parts, settings
            ),
            in_parts=True,
        )

    def _refuse_node_limit(self) -> None:
        """Refuse `--node-limit`: an image is known to its owner only if it is the canonical one."""
        if node_limit(self.arguments) not in (None, NODE_LIMIT):
            raise LtsError(
                "--node-limit is for one machine: in partitions no search for an image is given up"
            )

    def _explored(
        self,
        exploration: Callable[[tuple[Permutation, ...], Settings], Result],
        *,
        in_parts: bool = False,
    ) -> tuple[tuple[Permutation, ...], Result]:
        arguments, limits = self.arguments, of_engine(self.arguments)
        choices = None if in_parts else node_limit(arguments)

        def under(generators: tuple[Permutation, ...]) -> Result:
            with quotient_progress(arguments) as progress, looked_at_by_engine():
                own = settings_under(arguments, progress)
                own = replace(own, limits=limits, node_limit=choices)
                return exploration(generators, own)

        return explore(arguments, self.process, limits, under)


class OfNetwork:
    """A network, under permutations of the labels that come out."""

    kind = "labels"

    def __init__(self, arguments: argparse.Namespace, network: Network) -> None:
        self.arguments = arguments
        self.network = network

    @property
    def actions(self) -> Collection[str]:
        """The names of what comes out."""
        return self.network.actions

    def quotient(self) -> tuple[tuple[Permutation, ...], Certified]:
        """Return the generators of the group, and the quotient."""
        from lts.network.symmetry.orbits import network_quotient

        generators, action = self._action()
        if isinstance(action, NotProven):
            return generators, labelled(self.arguments, self._whole(generators, action))
        found = self._explored(network_quotient, action)
        remark_approximate(self.arguments, found.explored)
        return generators, labelled(self.arguments, found)

    def orbits(self, goals: Goals | None = None) -> tuple[tuple[Permutation, ...], Explored]:
        """Return the generators, and how many orbits there are, with what was searched."""
        from lts.network.symmetry.orbits import network_orbits

        generators, action = self._action()
        if isinstance(action, NotProven):
            return generators, self._whole(generators, action, goals).explored
        found = self._explored(network_orbits, action, *given(goals))
        remark_approximate(self.arguments, found)
        return generators, found

    def _action(self) -> tuple[tuple[Permutation, ...], NetworkAction | NotProven]:
        """Return what the symmetry does to the network, or what its vectors do not show."""
        with phase("proving the symmetry"):
            return action_on(self.arguments, self.network)

    def _explored(
        self, exploration: Callable[..., Result], action: NetworkAction, *goals: Goals
    ) -> Result:
        arguments = self.arguments
        proof = "tested" if arguments.symmetry_proof == "tested" else "vectors"
        with quotient_progress(arguments) as progress, looked_at_by_engine():
            own = settings_under(arguments, progress)
            own = replace(own, proof=proof, node_limit=node_limit(arguments))
            return exploration(action, own, *goals)

    def _whole(
        self,
        generators: tuple[Permutation, ...],
        missing: NotProven,
        goals: Goals | None = None,
    ) -> Certified:
        """Decide on the whole system, unless the vectors alone are to prove the symmetry."""
        from lts.network.symmetry.orbits import quotient_of_whole

        arguments = self.arguments
        if arguments.symmetry_proof == "static":
            raise missing
        with phase("deciding on the whole system"), looked_at_by_engine():
            try:
                own = settings(arguments)
                return quotient_of_whole(self.network, generators, missing, own, *given(goals))
            except NotSymmetric as error:
                witness = f"{error.witness}\n{missing.missing}"
                raise NotSymmetric(error.message, witness=witness, which=error.which) from None


def labelled(arguments: argparse.Namespace, found: Certified) -> Certified:
    """Return what was explored with the internal labels that `--tau` says."""
    return replace(found, quotient=quotient_with_tau(arguments, found.quotient))


def node_limit(arguments: argparse.Namespace) -> int | None:
    """Return after how many choices a search for a canonical image is given up."""
    found: int | None = getattr(arguments, "node_limit", None)
    return found


def given(goals: Goals | None) -> tuple[Goals, ...]:
    """Return the goals, if there are any."""
    return () if goals is None else (goals,)


def remark_approximate(arguments: argparse.Namespace, found: Explored) -> None:
    """Remark on states that were explored though others of their orbits were."""
    if found.approximate:
        remark(
            arguments,
            f"{found.approximate} of {found.representatives} states that were explored are "
            f"approximate canonical images, after {arguments.node_limit} choices"
            + (": orbits that are the same were joined" if found.complete else ""),
        )


def action_on(
    arguments: argparse.Namespace, network: Network
) -> tuple[tuple[Permutation, ...], NetworkAction | NotProven]:
    """Return the generators that `--symmetry` names, and what they do to a network, if that is
    proven from its vectors."""
    from lts.network.symmetry.action import BISIMULATION, action_of

    text: str = arguments.symmetry
    generators = None
    if text != AUTO:
        if not text.lstrip().startswith("(") and not Path(text).exists():
            raise LtsError(
                f"there is no symmetry file `{text}` (of a network: a permutation of what comes "
                "out, a symmetry file, or `auto`)"
            )
        generators = read_symmetry(text).generators
    try:
        found = action_of(network, generators)
    except NotProven as error:
        assert generators is not None
        return generators, error
    if not found.moves:
        why = NotSymmetric(
            "no symmetry of the network was found",
            witness="no permutation of its components leaves its vectors as they are",
        )
        found = alone(arguments, why, lambda identity: action_of(network, identity))[1]
        return found.permutations, found
    if generators is None:
        shown = ", ".join(f"`{permutation}`" for permutation in dict.fromkeys(found.permutations))
        remark(arguments, f"found {shown}")
    if found.by == BISIMULATION:
        remark(
            arguments,
            "components are alike modulo strong bisimulation only: what is explored are the "
            "minimal ones",
        )
    return found.permutations, found
