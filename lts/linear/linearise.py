"""Linearisation: from a specification to one linear process.

The initial process is a composition, by `||`, `encap`, `hide` and `rename`, of components. Each
component is unfolded into its control states. The leaves of a fork inside a component are
components, too: they are idle until the fork's control state is reached, and when all of them have
terminated, the component that forked continues.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lts.base.argument_types import expect
from lts.base.bounds import MULTI_ACTIONS
from lts.errors import Unsupported
from lts.linear.components import Components
from lts.linear.confluence import without_confluent_steps
from lts.linear.invariants import verified
from lts.linear.parallel.multi_actions import Bag, Filter, bag_of
from lts.linear.parallel.relabelling import IDENTITY, Relabelling
from lts.linear.parallel.synchronisation import Communications, Synchronisation
from lts.linear.parts import (
    TerminatingSummand,
    entry_of,
    relabelled_parts,
)
from lts.linear.process import LinearProcess, Summand, TakesPart
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
    simultaneous: bool = False,
) -> LinearProcess:
    """Return the linear process of a specification, simplified (see `simplify`).

    If `simultaneous`, and parallel processes can step at once in many ways, there is no summand for
    each of these: some summands then take part in such steps instead (see `Summand.takes_part`),
    which only the engine combines. With `confluence` there are summands for all.

    With `confluence`, internal steps that commute with all others are taken together with those
    before them: the result is bisimilar modulo divergence-preserving branching bisimulation only.

    Raises `SpecificationError` for unguarded recursion, and `Unsupported` if the number of parallel
    processes is not bounded by the text, or if processes are nested some hundreds deep.
    """
    expect(specification, Specification, "a specification that was read", "see lts.mucrl.read")
    try:
        with gc_pause.suspended():
            composed = _Linearisation(specification, simultaneous=simultaneous and not confluence)
            process = without_what_is_decided(composed.process())
            process = verified(process)
            if confluence:
                # Steps that are never reached do not stand in the way.
                process = without_confluent_steps(simplify(process, ["unreachable"]))
            return simplify(verified(process), simplifications)
    except RecursionError:
        message = "processes are nested, or call one another before an action, too deeply"
        raise Unsupported(message, file=specification.source.file) from None


MOST_WRITTEN_OUT = 1_000
"""Most summands for steps of several processes at once, if they can be left to the engine."""


@dataclass(frozen=True, slots=True)
class _Operands:
    """The summands of each operand of a parallel composition; nested compositions stay nested."""

    place: Place
    processes: Sequence[list[TerminatingSummand] | _Operands]

    def lists(self) -> Iterator[list[TerminatingSummand]]:
        """Yield the summands of each process."""
        for process in self.processes:
            if isinstance(process, _Operands):
                yield from process.lists()
            else:
                yield process


class _TooMany(Exception):
    """More than `MOST_WRITTEN_OUT` summands."""


@dataclass(frozen=True, slots=True)
class _Together:
    """Parallel processes whose simultaneous steps may be left to the engine.

    `place` is that of the composition in the text, `relabelling` the effect of the operators around
    it. `admitted` are the multi-actions of `allow` that contain no left side of `comm`, None
    without `allow`; `pairs` are the left sides.
    """

    place: Place
    relabelling: Relabelling
    admitted: frozenset[Bag] | None
    pairs: tuple[Counter[str], ...]

    def communicates(self, bag: Bag) -> bool:
        """Whether actions with these names may communicate."""
        return any(pair <= Counter(bag) for pair in self.pairs)

    def may_join(self, bag: Bag, others: Sequence[Collection[Bag]]) -> bool:
        """Whether actions with these names may happen together with some of the `others`, lists of
        what each other process can do."""
        if self.admitted is None:
            return True
        offers: Counter[str] = Counter()
        for bags in others:
            most: Counter[str] = Counter()
            for other in bags:
                most |= Counter(other)
            offers += most
        # The internal action is admitted with all others.
        if not bag or (bag in self.admitted and any(() in bags for bags in others)):
            return True
        own = Counter(bag)
        lacking = [Counter(allowed) - own for allowed in self.admitted if own <= Counter(allowed)]
        return any(rest and rest <= offers for rest in lacking)


class _Linearisation(Components, Synchronisation):
    def __init__(self, specification: Specification, *, simultaneous: bool) -> None:
        super().__init__(specification)
        is_possible = simultaneous and specification.communications is None
        self.together = self._outermost(specification.initial) if is_possible else None
        self.taking_part: list[Summand] = []

    def process(self) -> LinearProcess:
        parts = self.compose(self.specification.initial, frozenset(), Filter())
        components = [
            replace(c, start=tuple(self.initial[p] for p in c.parameters[1:]))
            for c in self.components
        ]
        admitted = self.together.admitted if self.together and self.taking_part else None
        return LinearProcess(
            self.specification,
            tuple(components),
            tuple(self.parameters),
            tuple(self.initial),
            (*(part.summand for part in parts), *self.taking_part),
            self.unset,
            {function: width for (width, _), function in self.alike.items()},
            decisions=tuple(dict.fromkeys(self.decisions)),
            admitted=admitted,
        )

    def _outermost(self, process: Process) -> _Together | None:
        """Return the parallel processes inside the outermost operators, if all of these act on
        single names but for one `allow` that may be around one `comm`."""
        operators: list[Encap | Hide | Rename] = []
        allow: Allow | None = None
        comm: Comm | None = None
        calls: set[ProcessName] = set()
        while True:
            match process:
                case Parallel(_, place):
                    break
                case Call(name, arguments) if self.specification.is_composition(process):
                    if name in calls:
                        return None
                    calls.add(name)
                    parameters, body = self.specification.definitions[name]
                    process = instantiate(body, dict(zip(parameters, arguments, strict=True)))
                    continue
                case Encap() | Hide() | Rename() if allow is None:
                    operators.append(process)
                case Allow() if allow is None:
                    allow = process
                case Comm() if allow is not None and comm is None:
                    comm = process
                case _:
                    return None
            process = process.body
        relabelling = IDENTITY
        for operator in reversed(operators):
            relabelling = relabelling.then(Relabelling.of(operator))
        pairs = () if comm is None else tuple(Counter(names) for names, _ in comm.pairs)
        together = _Together(place, relabelling, None, pairs)
        if allow is None:
            return together
        admitted = frozenset(bag for bag in allow.names if not together.communicates(bag))
        return replace(together, admitted=admitted)

    def compose(
        self,
        process: Process,
        calls: frozenset[ProcessName],
        around: Filter,
        comm: Communications | None = None,
    ) -> list[TerminatingSummand]:
        """Add the components of a closed process, and return its summands.

        Summands that cannot pass the filter `around`, after the communications of `comm`, are left
        out.
        """
        match process:
            case Parallel(processes):
                if self.specification.communications is None:
                    return self.side_by_side(process, calls, around, comm)
                return self.merge(self.compose(operand, calls, around) for operand in processes)
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
        parallel: Parallel,
        calls: frozenset[ProcessName],
        around: Filter,
        comm: Communications | None,
    ) -> list[TerminatingSummand]:
        """Return the summands of processes in parallel, including the steps of several at once."""
        together = self.together
        if together is None or parallel.place != together.place:
            return self._multiplied(self._operands_of(parallel, calls, around), around, comm, None)
        operands = self._operands_of(parallel, calls, around)
        try:
            return self._multiplied(operands, around, comm, MOST_WRITTEN_OUT)
        except _TooMany:
            return self._separate(operands, around, comm, together)

    def _operands_of(
        self, parallel: Parallel, calls: frozenset[ProcessName], around: Filter
    ) -> _Operands:
        """Return the summands of each of the processes, nested as these are."""
        one_of_them = around.opened()
        return _Operands(
            parallel.place,
            [
                self._operands_of(process, calls, one_of_them)
                if isinstance(process, Parallel)
                else self.compose(process, calls, one_of_them)
                for process in parallel.processes
            ],
        )

    def _multiplied(
        self, operands: _Operands, around: Filter, comm: Communications | None, most: int | None
    ) -> list[TerminatingSummand]:
        """Return a summand for each combination; raise `_TooMany` beyond `most`."""
        one_of_them = around.opened()
        lists = [
            self._multiplied(process, one_of_them, None, most)
            if isinstance(process, _Operands)
            else process
            for process in operands.processes
        ]
        return [part for part, _ in self._combined(lists, operands.place, around, comm, most)]

    def _combined(
        self,
        lists: Sequence[list[TerminatingSummand]],
        place: Place,
        around: Filter,
        comm: Communications | None,
        most: int | None,
    ) -> list[tuple[TerminatingSummand, bool]]:
        """Return the steps of processes in parallel, each with whether several take part in it.

        With `most`, raise `_TooMany` if several take part in more summands than that; otherwise
        `Unsupported` if one process adds more than `MULTI_ACTIONS`.
        """
        offered = [{bag_of(part.summand.action) for part in parts} for parts in lists]
        found: list[tuple[TerminatingSummand, bool]] = []
        limit = MULTI_ACTIONS.default if most is None else most
        too_many = partial(self.many, place) if most is None else _TooMany
        for number, parts in enumerate(lists, start=1):
            inside = around.before(offered[number:])
            before = [part for part, _ in found]
            joint = self.at_once(before, parts, inside, comm, limit, too_many)
            if most is not None:
                limit -= len(joint)
            single = ((part, False) for part in parts)
            found = [
                (part, several)
                for part, several in (*found, *single, *((part, True) for part in joint))
                if inside.admits(bag_of(part.summand.action))
            ]
        return found

    def _separate(
        self,
        operands: _Operands,
        around: Filter,
        comm: Communications | None,
        together: _Together,
    ) -> list[TerminatingSummand]:
        """Return the steps of single processes and those in which some communicate; the summands of
        the other simultaneous steps are added to those that take part."""
        lists = list(operands.lists())
        offered = [{bag_of(part.summand.action) for part in parts} for parts in lists]
        communicating: list[TerminatingSummand] = []
        if together.pairs:
            assert together.admitted is not None
            if around.bags is None:
                return self._multiplied(operands, around, comm, None)
            inside = replace(around, bags=around.bags - together.admitted)
            # The engine combines the steps in which no actions communicate.
            communicating = [
                part
                for part, several in self._combined(lists, operands.place, inside, comm, None)
                if several and together.communicates(bag_of(part.summand.action))
            ]
        for number, parts in enumerate(lists):
            others = [*offered[:number], *offered[number + 1 :]]
            joining = {bag for bag in offered[number] if together.may_join(bag, others)}
            for part in parts:
                summand = part.summand
                names = bag_of(summand.action)
                applied = together.relabelling.applied(summand.action, summand.arguments)
                if applied is not None and names in joining:
                    action, arguments = applied
                    taking_part = TakesPart(number, names)
                    self.taking_part.append(
                        replace(summand, action=action, arguments=arguments, takes_part=taking_part)
                    )
        single = [
            part for parts in lists for part in parts if around.admits(bag_of(part.summand.action))
        ]
        return [*single, *communicating]

    def many(self, place: Place) -> Unsupported:
        """Return the error that too many actions can happen at once."""
        return self.specification.source.error(
            Unsupported,
            f"{MULTI_ACTIONS.exceeded()} are possible here: restrict them with `allow`",
            place,
        )
