"""Linearisation: from a specification to one linear process.

The initial process is a composition, by `||`, `encap`, `hide` and `rename`, of components. Each
component is unfolded into its control states. The leaves of a fork inside a component are
components, too: they are idle until the fork's control state is reached, and when all of them have
terminated, the component that forked continues.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from lts.base.argument_types import expect
from lts.base.bounds import MULTI_ACTIONS
from lts.errors import Unsupported
from lts.linear.components import Components
from lts.linear.confluence import without_confluent_steps
from lts.linear.invariants import verified
from lts.linear.parallel.multi_actions import Filter, bag_of
from lts.linear.parallel.relabelling import Relabelling
from lts.linear.parallel.synchronisation import Communications, Synchronisation
from lts.linear.parts import (
    Part,
    entry_of,
    relabelled_parts,
)
from lts.linear.process import LinearProcess
from lts.linear.simplify import SIMPLIFICATIONS, simplify
from lts.linear.simplify.decisions import without_what_is_decided
from lts.specification import gc_pause
from lts.specification.specification import (
    Allow,
    Call,
    Comm,
    Encap,
    Hide,
    Parallel,
    Process,
    ProcessName,
    Rename,
    Specification,
    instantiate,
)
from lts.text.source import Place

__all__ = ["linearise"]


def linearise(
    specification: Specification,
    *,
    simplifications: Iterable[str] = SIMPLIFICATIONS,
    confluence: bool = False,
) -> LinearProcess:
    """Return the linear process of a specification, simplified (see `simplify`).

    With `confluence`, internal steps that commute with all others are taken together with those
    before them: the result is bisimilar modulo divergence-preserving branching bisimulation only.

    Raises `SpecificationError` for unguarded recursion, and `Unsupported` if the number of parallel
    processes is not bounded by the text, or if processes are nested some hundreds deep.
    """
    expect(specification, Specification, "a specification that was read", "see lts.mucrl.read")
    try:
        with gc_pause.suspended():
            process = without_what_is_decided(_Linearisation(specification).process())
            process = verified(process)
            if confluence:
                # Steps that are never reached do not stand in the way.
                process = without_confluent_steps(simplify(process, ["unreachable"]))
            return simplify(verified(process), simplifications)
    except RecursionError:
        message = "processes are nested, or call one another before an action, too deeply"
        raise Unsupported(message, file=specification.source.file) from None


class _Linearisation(Components, Synchronisation):
    def process(self) -> LinearProcess:
        parts = self.compose(self.specification.initial, frozenset(), Filter())
        components = [
            replace(c, start=tuple(self.initial[p] for p in c.parameters[1:]))
            for c in self.components
        ]
        return LinearProcess(
            self.specification,
            tuple(components),
            tuple(self.parameters),
            tuple(self.initial),
            tuple(part.summand for part in parts),
            self.unset,
            {function: width for (width, _), function in self.alike.items()},
            decisions=tuple(dict.fromkeys(self.decisions)),
        )

    def compose(
        self,
        process: Process,
        calls: frozenset[ProcessName],
        around: Filter,
        comm: Communications | None = None,
    ) -> list[Part]:
        """Add the components of a closed process, and return its summands.

        Summands that cannot pass the filter `around`, after the communications of `comm`, are left
        out.
        """
        match process:
            case Parallel(processes, place):
                if self.specification.communications is None:
                    return self.side_by_side(processes, calls, around, comm, place)
                return self.merge(self.compose(one, calls, around) for one in processes)
            case Allow() | Comm() | Encap() | Hide() | Rename():
                if self.specification.communications is None:
                    pairs = (
                        Communications(process.pairs, around) if isinstance(process, Comm) else None
                    )
                    inside = self.compose(process.body, calls, around.inside(process), pairs)
                    return self.under(inside, process, around)
                # In muCRL, an action that `encap` blocks may communicate first, so the filter is
                # left as it is.
                assert not isinstance(process, Allow | Comm)
                inside = self.compose(process.body, calls, around)
                return relabelled_parts(inside, Relabelling.of(process))
            case Call(name, arguments, place) if self.specification.is_composition(process):
                if name in calls:
                    raise self.endless(f"process `{name}`", place)
                parameters, body = self.specification.definitions[name]
                values = dict(zip(parameters, arguments, strict=True))
                return self.compose(instantiate(body, values), calls | {name}, around, comm)
        stacked = self.unfolding.recursion.grows([process]) or self.is_long(process)
        start = self.unfolding.initial(process, stacked=stacked)
        parts = self.component([entry_of(start)], start, stacked, process, None, ())
        return [part for part in parts if around.admits(bag_of(part.summand.action))]

    def side_by_side(
        self,
        processes: Sequence[Process],
        calls: frozenset[ProcessName],
        around: Filter,
        comm: Communications | None,
        place: Place,
    ) -> list[Part]:
        """Return the summands of processes in parallel, including the steps of several at once."""
        one_of_them = around.opened()
        lists = [self.compose(one, calls, one_of_them) for one in processes]
        offered = [{bag_of(part.summand.action) for part in parts} for parts in lists]
        found: list[Part] = []
        for number, parts in enumerate(lists, start=1):
            inside = around.before(offered[number:])
            together = self.at_once(found, parts, inside, comm, partial(self.many, place))
            found = [
                part
                for part in (*found, *parts, *together)
                if inside.admits(bag_of(part.summand.action))
            ]
        return found

    def many(self, place: Place) -> Unsupported:
        """Return the error that too many actions can happen at once."""
        return self.specification.source.error(
            Unsupported,
            f"{MULTI_ACTIONS.exceeded()} are possible here: restrict them with `allow`",
            place,
        )
