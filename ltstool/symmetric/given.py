"""The meaning of `--symmetry` for a specification: a permutation, a file, sorts, or `auto`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from lts.errors import LtsError, NotProven, NotSymmetric
from ltstool.shared.reading import read_symmetry
from ltstool.shared.shown import group_shown

if TYPE_CHECKING:
    from lts.linear.process import LinearProcess
    from lts.state_space import Settings
    from lts.symmetry import Permutation
    from lts.symmetry.data.find.proposal import Proposal
    from ltstool.options.request import Request

    Generators = tuple[Permutation, ...]

AUTO = "auto"


class _Explored(Protocol):
    @property
    def order(self) -> int:
        """The order of the group acting on states and steps."""


Result = TypeVar("Result", bound=_Explored)
Other = TypeVar("Other")


def explore(
    request: Request,
    process: LinearProcess,
    exploration: Callable[[Generators, Settings], Result],
) -> tuple[Generators, Result]:
    """Explore under the symmetry that `--symmetry` names.

    Returns the generators of the group, and the result. With `auto`, the exploration proves the
    guessed symmetries, and is repeated without those that it refutes.
    """

    def under(generators: Generators) -> Result:
        with request.exploration(group=True) as settings:
            return exploration(generators, settings)

    if request.group.symmetry != AUTO:
        generators = named(request, process)
        if not generators:
            message = f"no symmetry that exchanges values of `{request.group.symmetry}` was found"
            why = NotProven(message, missing="none of them was found to be like another one")
            return alone(request, why, under)
        found = under(generators)
        if found.order == 1 and any(generator.cycles for generator in generators):
            shown = ", ".join(f"`{generator}`" for generator in generators)
            request.warn(
                f"{shown}: no state or transition contains its values, so it acts as the identity"
            )
        return generators, found
    from lts.symmetry.data.find.candidates import propose
    from lts.symmetry.data.find.refutations import with_traces
    from lts.symmetry.data.find.search import prove

    def proposed(*, likely: bool) -> Proposal:
        threads = request.exploring.threads
        return propose(process, limits=request.limits, threads=threads, likely=likely)

    proposal, explored = prove(
        proposed(likely=True),
        lambda generators: under(generators) if generators else None,
        lambda: proposed(likely=False),
    )
    if explored is None or explored.order == 1:
        proposal = with_traces(process, proposal, request.limits)
        return alone(request, none_found(request, process, proposal), under)
    shown = group_shown(proposal.permutations, sorts_of(proposal))
    # Some generators, but not all of them, may act trivially on states and steps.
    request.note(f"found {shown}; a group of order {explored.order}")
    return proposal.permutations, explored


def alone(
    request: Request,
    why: NotSymmetric | NotProven,
    exploration: Callable[[Generators], Other],
) -> tuple[Generators, Other]:
    """Explore under the identity, since no symmetry was found, unless the command asks for one."""
    from lts.symmetry import Permutation

    if request.takes.asks_symmetry:
        raise why
    request.note(f"{why.message}: the group consists of the identity alone")
    identity = (Permutation(()),)
    return identity, exploration(identity)


def named(request: Request, process: LinearProcess) -> Generators:
    """Return the generators that `--symmetry` names: permutations, those of a file, or all
    permutations of sorts. A file takes precedence over a sort of the same name."""
    from lts.symmetry import symmetric_sorts
    from lts.symmetry.data.closed_terms import as_printed

    text = request.symmetry
    if text.lstrip().startswith("(") or (text and Path(text).exists()):
        generators = read_symmetry(text, process.specification.parameters).generators
        return as_printed(process.specification, generators)
    names = [name.strip() for name in text.split(",")]
    if "" in names:
        raise LtsError(f"`--symmetry {text}` has an empty name where a sort is expected")
    known = process.specification.sorts
    if not any(name in known for name in names) and ("/" in text or "." in text):
        raise LtsError(f"the symmetry file `{text}` does not exist")
    sorts = symmetric_sorts(
        process, names, limits=request.limits, threads=request.exploring.threads
    )
    for value in sorts.fixed:
        request.note(f"`{value}` is kept fixed: the specification mentions it explicitly")
    return sorts.generators


def sorts_of(proposal: Proposal) -> dict[str, str]:
    """Return the sorts of the values that symmetries may move, by their texts."""
    return {str(point): point.sort for point in proposal.facts.points}


def none_found(
    request: Request, process: LinearProcess, proposal: Proposal
) -> NotSymmetric | NotProven:
    """Return why no symmetry was found: because of the specification, or because of the options."""
    from lts.symmetry.data.find.refutations import is_alone

    refused = [refusal for refusal in proposal.refused if refusal.of]
    if not refused:
        why = broken(proposal) or "no sort has several constants that could be permuted"
        message = "no symmetry of the specification was found"
        if request.takes.asks_symmetry and is_alone(process, proposal.facts, request.limits):
            return NotSymmetric(message, witness=why)
        return NotProven(message, missing=why)
    why = "\n".join(str(refusal.error) for refusal in refused)
    message = f"no symmetry of the specification is known to be one of {refused[0].of}, too"
    if all(refusal.refuted for refusal in refused):
        return NotSymmetric(message, witness=why)
    return NotProven(message, missing=why)


def broken(proposal: Proposal) -> str:
    """Return lines about what breaks the symmetry of sorts."""
    from lts.symmetry import breaks

    return "\n".join(str(item) for item in breaks(proposal))
