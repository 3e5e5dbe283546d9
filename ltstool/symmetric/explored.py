"""Exploration of one state of each orbit of a specification, a network or a net."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from lts.errors import LtsError, NotProven, NotSymmetric
from lts.network.network import TAU
from lts.symmetry.permutation.known import EXPLORATION, NO_PROOF
from ltstool.shared.reading import quotient_with_tau, read_symmetry
from ltstool.shared.shown import group_shown
from ltstool.symmetric.given import AUTO, alone, explore

if TYPE_CHECKING:
    import lts._engine as _engine
    from lts.cluster import Parts
    from lts.linear.process import LinearProcess
    from lts.network import Network, NetworkAction
    from lts.petri import GroundNet, NetAction
    from lts.petri.automorphisms import Roles
    from lts.source import Described
    from lts.state_space import Goals, Settings
    from lts.symmetry import Certified, Explored
    from lts.symmetry.proven_action import ProvenAction
    from lts.system.lts import LTS
    from ltstool.options.request import Request
    from ltstool.symmetric.given import Generators

Result = TypeVar("Result", bound="Certified | Explored")
NetworkGroup = tuple["Generators", "NetworkAction | NotProven"]
"""Generators, and their action on a network, or the error if its vectors do not prove the
symmetry."""


ON_TRANSITIONS = "on every transition"
"""How a symmetry of an LTS is proven, in words."""


class Found(NamedTuple):
    """A quotient, the generators of its group, the kind of things that they permute, the
    exploration, and, if it is an LTS that was read, the system, with the actions of `--hide`
    hidden."""

    quotient: _engine.Quotient
    generators: Generators
    kind: str
    explored: Explored | None = None
    system: LTS | None = None

    @property
    def group(self) -> dict[str, object]:
        """The order of the group and how it was proven, for JSON. A reduction that was read defines
        its original."""
        if self.explored is not None:
            # The given permutations, which the quotient knows, may all act as the identity.
            return {"order": self.explored.known.order, "proof": self.explored.known.kind}
        order = self.quotient.order
        is_given = self.system is None or order == 1
        return {"order": order, "proof": NO_PROOF if is_given else EXPLORATION}

    @property
    def proven(self) -> str:
        """How the group was proven, in words."""
        return ON_TRANSITIONS if self.explored is None else self.explored.known.means


Keeping = Callable[[str], object]
"""A property of labels that symmetries must preserve, such as which label sets of a formula contain
them."""


def quotient(
    request: Request,
    source: Described,
    parts: Parts | None = None,
    keeping: Keeping | None = None,
) -> Found:
    """Return the quotient, with the internal labels of `--tau`; with `parts` it is explored in
    partitions. For a network, or a net without colours, symmetries that do not preserve `keeping`
    are left out."""
    from lts.symmetry.proven_action import quotient_under

    def of_process(process: LinearProcess, group: Generators, settings: Settings) -> Certified:
        if parts is None:
            from lts.symmetry import certified_quotient

            return certified_quotient(process, group, settings)
        from lts.cluster import certified_quotient_in_parts

        settings = replace(settings, node_limit=None)
        return certified_quotient_in_parts(process, group, parts, settings)

    def of_proven(action: ProvenAction, settings: Settings) -> Certified:
        if parts is None:
            return quotient_under(action, settings)
        from lts.cluster import network_quotient_in_parts

        return network_quotient_in_parts(action, parts, replace(settings, node_limit=None))

    how = Exploration(of_process, of_proven, lambda whole: whole)
    generators, kind, found = _explored(request, source, how, keeping)
    _remark_approximate(request, found.explored)
    labelled = quotient_with_tau(request, found.quotient)
    return Found(labelled, generators, kind, found.explored)


def orbits(
    request: Request, source: Described, parts: Parts | None = None, goals: Goals | None = None
) -> Explored:
    """Return the number of orbits, with the traces searched for; with `parts` they are explored in
    partitions, without a search."""
    from lts.state_space.settings import NO_GOALS
    from lts.symmetry.proven_action import orbits_under

    search_goals = goals or NO_GOALS

    def of_process(process: LinearProcess, group: Generators, settings: Settings) -> Explored:
        if parts is None:
            from lts.symmetry import count_orbits

            return count_orbits(process, group, settings, search_goals)
        from lts.cluster import count_orbits_in_parts

        return count_orbits_in_parts(process, group, parts, replace(settings, node_limit=None))

    def of_proven(action: ProvenAction, settings: Settings) -> Explored:
        if parts is None:
            return orbits_under(action, settings, search_goals)
        from lts.cluster import network_orbits_in_parts

        return network_orbits_in_parts(action, parts, replace(settings, node_limit=None))

    how = Exploration(of_process, of_proven, lambda whole: whole.explored, search_goals)
    found = _explored(request, source, how)[2]
    _remark_approximate(request, found)
    return found


@dataclass(frozen=True, slots=True)
class Exploration(Generic[Result]):
    """How a system is explored under a group: a linear process, or a network or net whose group is
    proven; and what is taken from the quotient of a network if its vectors do not prove it."""

    of_process: Callable[[LinearProcess, Generators, Settings], Result]
    of_proven: Callable[[ProvenAction, Settings], Result]
    of_whole: Callable[[Certified], Result]
    goals: Goals | None = None


def _explored(
    request: Request,
    source: Described,
    how: Exploration[Result],
    keeping: Keeping | None = None,
) -> tuple[Generators, str, Result]:
    """Explore under the symmetries that `--symmetry` names; return them, the kind of things that
    they permute, and the result."""
    from lts.linear.process import LinearProcess
    from lts.network.network import Network

    if isinstance(source, LinearProcess):
        process = source
        generators, found = explore(
            request, process, lambda group, settings: how.of_process(process, group, settings)
        )
        return generators, "sorts", found
    if isinstance(source, Network):
        with request.phase("proving the symmetry"):
            given = _action_on(request, source, keeping)
        generators, found = _of_network(request, source, given, how)
    else:
        generators, found = of_net(request, source, how.of_proven, keeping)
    return generators, "labels", found


def of_net(
    request: Request,
    net: GroundNet,
    exploration: Callable[[NetAction, Settings], Result],
    keeping: Keeping | None = None,
) -> tuple[Generators, Result]:
    """Explore a net under the symmetries that `--symmetry` names, which its transitions prove."""
    from lts.petri.automorphisms import Roles

    action = action_on_net(request, net, None if keeping is None else Roles(of_label=keeping))
    with request.exploration(group=True) as settings:
        found = exploration(action, proven_by(action, settings))
    return action.permutations, found


def proven_by(action: ProvenAction, settings: Settings) -> Settings:
    """Return settings with the proof of an action: what `--symmetry-proof` calls a proof from the
    text, or tests."""
    from lts.symmetry.proven_action import TESTED

    return replace(settings, proof=TESTED if settings.proof == TESTED else action.proof)


def action_on_net(request: Request, net: GroundNet, roles: Roles | None = None) -> NetAction:
    """Return the symmetries of a net that `--symmetry` names; those of a net without colours that
    do not preserve the roles are left out."""
    from lts.petri import action_of
    from lts.petri.process import labels_of

    text, labels = request.symmetry, labels_of(net)
    what = "colours" if labels is None else "transitions"
    with request.phase("proving the symmetry"):
        if text != AUTO:
            generators = _generators_of(
                text, f"a net, --symmetry takes a permutation of its {what}"
            )
            if roles is not None and labels is not None:
                visible = [label for label in labels.names if label != TAU]
                generators = _preserving(request, visible, generators, roles.of_label)
            return action_of(net, generators, roles=roles)
        found = action_of(net, roles=roles)
        if found.images:
            shown = group_shown(found.generators, found.classes)
            request.note(f"found {shown or 'symmetries of places that fix all transitions'}")
            return found
        missing = (
            "no permutation of the colours of a class preserves its transitions"
            if labels is None
            else "no permutation of its places and transitions preserves its arcs"
        )
        why = NotProven("no symmetry of the net was found", missing=missing)
        return alone(request, why, lambda identity: action_of(net, identity))[1]


def _generators_of(text: str, what: str) -> Generators:
    """Return the generators of a permutation or a symmetry file."""
    if not text.lstrip().startswith("(") and not Path(text).exists():
        raise LtsError(
            f"the symmetry file `{text}` does not exist (for {what}, a symmetry file, or `auto`)"
        )
    return read_symmetry(text).generators


def _of_network(
    request: Request,
    network: Network,
    given: NetworkGroup,
    how: Exploration[Result],
) -> tuple[Generators, Result]:
    """Explore a network if its vectors prove the symmetry; otherwise decide on the whole system,
    unless only the vectors may prove it."""
    from lts.network.symmetry.orbits import quotient_of_whole
    from lts.state_space.settings import NO_GOALS

    generators, action = given
    if not isinstance(action, NotProven):
        with request.exploration(group=True) as settings:
            return generators, how.of_proven(action, proven_by(action, settings))
    if request.group.symmetry_proof == "static":
        raise action
    with (
        request.phase("deciding on the whole system"),
        request.exploration(shown=False) as settings,
    ):
        try:
            found = quotient_of_whole(network, generators, action, settings, how.goals or NO_GOALS)
        except NotSymmetric as error:
            witness = f"{error.witness}\n{action.missing}"
            raise NotSymmetric(error.message, witness=witness, which=error.which) from None
    return generators, how.of_whole(found)


def _remark_approximate(request: Request, found: Explored) -> None:
    """Remark on states that were explored in addition to others of their orbits."""
    if found.approximate:
        request.note(
            f"{found.approximate} of {found.representatives} explored states are approximate "
            f"canonical images (limit of {request.group.node_limit} choices)"
            + (": duplicate orbits were merged" if found.complete else ""),
        )


def _action_on(request: Request, network: Network, keeping: Keeping | None = None) -> NetworkGroup:
    """Return the generators that `--symmetry` names, and their action on a network, if its vectors
    prove the symmetry."""
    from lts.network.symmetry.action import BISIMULATION, action_of

    text = request.symmetry
    generators = None
    if text != AUTO:
        generators = _generators_of(text, "a network, --symmetry takes a permutation of its labels")
        if keeping is not None:
            visible = dict.fromkeys(v.result for v in network.vectors if v.result != TAU)
            generators = _preserving(request, list(visible), generators, keeping)
    try:
        found = action_of(network, generators, keeping=keeping)
    except NotProven as error:
        assert generators is not None
        return generators, error
    if not found.moves:
        why = NotProven(
            "no symmetry of the network was found",
            missing="no permutation of its components preserves its vectors",
        )
        found = alone(request, why, lambda identity: action_of(network, identity))[1]
        return found.permutations, found
    if generators is None:
        moving = dict.fromkeys(p for p in found.permutations if p.cycles)
        shown = group_shown(tuple(moving))
        request.note(f"found {shown or 'symmetries of components that fix all labels'}")
    if found.by == BISIMULATION:
        request.note(
            "components correspond only modulo strong bisimulation: minimised components are "
            "explored"
        )
    return found.permutations, found


def _preserving(
    request: Request, labels: Sequence[str], generators: Generators, keeping: Keeping
) -> Generators:
    """Return the generators that preserve `keeping`, or the identity if there are none."""
    from lts.symmetry import Permutation
    from lts.symmetry.labels.lift import lift_labels

    found = []
    for permutation in generators:
        images = lift_labels(permutation, labels)
        moved = next((a for a in labels if keeping(a) != keeping(images.get(a, a))), None)
        if moved is None:
            found.append(permutation)
        else:
            request.note(
                f"the formula is not symmetric, so `{permutation}` is not used: it treats "
                f"`{moved}` and `{images[moved]}` differently"
            )
    return tuple(found) or (Permutation(()),)
