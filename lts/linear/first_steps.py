"""The first steps of a process: calls are unfolded and choices split, up to the first actions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace

from lts.base.bounds import FIRST_CALLS
from lts.errors import SpecificationError, Unsupported
from lts.linear.control_state import Decision, Guard, Values
from lts.linear.ground_terms import GroundTerms
from lts.linear.hash_consing import ProcessTable
from lts.linear.parallel.multi_actions import joined
from lts.linear.parallel.relabelling import IDENTITY, Relabelling
from lts.specification.specification import (
    Action,
    Allow,
    Call,
    Choice,
    Comm,
    Communication,
    Condition,
    Delta,
    Encap,
    Hide,
    LeftMerge,
    MultiAction,
    Parallel,
    Process,
    ProcessName,
    Rename,
    Sequence,
    Specification,
    Sum,
    Tau,
    Term,
    Variable,
    substitute,
)
from lts.text.source import Place

__all__ = [
    "Forked",
    "Fragment",
    "Item",
    "Joint",
    "Start",
    "Starts",
    "followed",
    "fresh_name",
    "outermost",
]


@dataclass(frozen=True, slots=True)
class Fragment:
    """The rest of a process, with the values of its free variables.

    `scope` identifies one unfolding of a process body: fragments of the same scope can be merged.
    """

    process: Process
    values: Values
    scope: object
    relabelling: Relabelling = IDENTITY


@dataclass(frozen=True, slots=True)
class Forked:
    """The rests of processes that run in parallel."""

    leaves: tuple[tuple[Item, ...], ...]
    relabelling: Relabelling
    place: Place


Item = Fragment | Forked


@dataclass(frozen=True, slots=True)
class Start:
    """A first step, and the rest of the process after it, which is not normalised yet."""

    variables: tuple[Variable, ...]
    guards: tuple[Guard, ...]
    equations: tuple[tuple[Term, Term], ...]
    action: str | None
    arguments: tuple[Term, ...]
    remaining: tuple[Item, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Joint:
    """A step of some of the parallel processes, with the rest of each that takes part."""

    start: Start
    moved: Mapping[int, tuple[Item, ...]]


class Starts:
    """Unfolds calls and splits choices up to the first actions."""

    def __init__(
        self,
        specification: Specification,
        processes: ProcessTable,
        ground_terms: GroundTerms,
        taken: Iterable[str],
    ) -> None:
        self.specification = specification
        self.processes = processes
        self.ground_terms = ground_terms
        self.taken = set(taken)
        """Names that a sum variable must not have."""
        self.decisions: list[Decision] = []
        """The conditions found, outer before inner ones."""
        self._calls = 0
        """The number of calls that the current outermost call leads to without an action."""

    def fragment(self, process: Process, values: Values, scope: object) -> Fragment:
        """Return a process as a fragment with the values of its free variables."""
        return Fragment(process, {v: values[v] for v in self.processes.free(process)}, scope)

    def unfold(
        self, process: Process, values: Values, scope: object, calls: frozenset[ProcessName]
    ) -> list[Start]:
        """Return the first steps of `process`, whose free variables have these values.

        `calls` are the processes that are being unfolded: one that occurs again can call itself
        without performing an action, which is unguarded recursion.
        """
        match process:
            case Delta():
                return []
            case Tau(place):
                return [Start((), (), (), None, (), (), place)]
            case Action(action, arguments, place):
                terms = tuple(substitute(argument, values) for argument in arguments)
                return [Start((), (), (), action.name, terms, (), place)]
            case MultiAction(actions):
                name_of_all, terms = joined(
                    (offered.action.name, tuple(substitute(a, values) for a in offered.arguments))
                    for offered in actions
                )
                return [Start((), (), (), name_of_all, terms, (), actions[0].place)]
            case Choice(alternatives):
                # Equal alternatives are one object.
                different = {id(one): one for one in map(self.processes.intern, alternatives)}
                return [s for p in different.values() for s in self.unfold(p, values, scope, calls)]
            case Condition(then, condition, otherwise, place):
                term = substitute(condition, values)
                holds = self.ground_terms.truth(term)
                if holds is not None:
                    return self.unfold(then if holds else otherwise, values, scope, calls)
                self.decisions.append(Decision((), (), term, place))
                found = []
                for branch, positive in ((then, True), (otherwise, False)):
                    guard, outer = Guard(term, positive), len(self.decisions)
                    found += [
                        replace(start, guards=(guard, *start.guards))
                        for start in self.unfold(branch, values, scope, calls)
                    ]
                    self.decisions[outer:] = [
                        replace(decision, guards=(guard, *decision.guards))
                        for decision in self.decisions[outer:]
                    ]
                return found
            case Sum(variable, body):
                fresh = Variable(fresh_name(variable.name, self.taken), variable.sort)
                self.taken.add(fresh.name)
                outer = len(self.decisions)
                starts = self.unfold(body, {**values, variable: fresh}, scope, calls)
                self.decisions[outer:] = [
                    replace(decision, variables=(fresh, *decision.variables))
                    for decision in self.decisions[outer:]
                ]
                self.taken.discard(fresh.name)  # other alternatives may reuse the name
                return [replace(s, variables=(fresh, *s.variables)) for s in starts]
            case Sequence(first, second):
                rest = self.fragment(second, values, scope)
                return [
                    replace(start, remaining=followed(start.remaining, rest))
                    for start in self.unfold(first, values, scope, calls)
                ]
            case Call(name, arguments, place):
                if name in calls:
                    raise self.specification.source.error(
                        SpecificationError,
                        f"process `{name}` can call itself without an action: recursion must be "
                        "guarded",
                        place,
                    )
                self._calls = self._calls + 1 if calls else 1
                if self._calls > FIRST_CALLS.default:
                    message = f"{FIRST_CALLS.exceeded()} before the first actions"
                    raise self.specification.source.error(
                        Unsupported, f"{message} are not supported", place
                    )
                parameters, body = self.specification.definitions[name]
                terms = tuple(substitute(argument, values) for argument in arguments)
                inner = dict(zip(parameters, terms, strict=True))
                return self.unfold(body, inner, object(), calls | {name})
            case Encap() | Hide() | Rename():
                starts = self.unfold(process.body, values, scope, calls)
                return _relabelled(starts, Relabelling.of(process))
            case Allow(_, _, place) | Comm(_, _, place):
                raise outermost(self.specification, place)
        if self.specification.communications is None:
            raise outermost(self.specification, process.place)
        parts: tuple[Process, ...]
        match process:
            case LeftMerge():
                parts = (process.first, process.second)
            case Parallel() | Communication():
                parts = process.processes
        single = [
            [Joint(s, {i: s.remaining}) for s in self.unfold(part, values, scope, calls)]
            for i, part in enumerate(parts[:1] if isinstance(process, LeftMerge) else parts)
        ]
        joints = single[0]
        for more in single[1:]:
            together = self.together(joints, more)
            joints = together if isinstance(process, Communication) else [*joints, *more, *together]
        idle = [(self.fragment(part, values, scope),) for part in parts]
        return [
            replace(
                joint.start,
                remaining=(
                    Forked(
                        tuple(joint.moved.get(i, rest) for i, rest in enumerate(idle)),
                        IDENTITY,
                        process.place,
                    ),
                ),
            )
            for joint in joints
        ]

    def together(self, left: list[Joint], right: list[Joint]) -> list[Joint]:
        """Return the communications between steps of the left and of the right side."""
        communications = self.specification.communications
        assert communications is not None
        found = []
        for one in left:
            for other in right:
                if one.start.action is None or other.start.action is None:
                    continue
                pair = frozenset((one.start.action, other.start.action))
                sorts = [[t.sort for t in joint.start.arguments] for joint in (one, other)]
                if pair in communications and sorts[0] == sorts[1]:
                    found.append(self.joined(one, other, communications[pair]))
        return found

    def joined(self, one: Joint, other: Joint, action: str) -> Joint:
        """Return the communication of two steps."""
        taken = self.taken | {v.name for v in one.start.variables}
        renamed: dict[Variable, Term] = {}
        variables = []
        for variable in other.start.variables:
            fresh = Variable(fresh_name(variable.name, taken), variable.sort)
            taken.add(fresh.name)
            renamed[variable] = fresh
            variables.append(fresh)
        a, b = one.start, other.start
        arguments = [substitute(t, renamed) for t in b.arguments]
        start = Start(
            (*a.variables, *variables),
            (*a.guards, *(Guard(substitute(g.term, renamed), g.positive) for g in b.guards)),
            (
                *a.equations,
                *((substitute(x, renamed), substitute(y, renamed)) for x, y in b.equations),
                *zip(a.arguments, arguments, strict=True),
            ),
            action,
            a.arguments,
            (),
            a.place,
        )
        moved = {
            i: tuple(_substituted(item, renamed) for item in remaining)
            for i, remaining in other.moved.items()
        }
        return Joint(start, {**one.moved, **moved})


def outermost(specification: Specification, place: Place) -> Unsupported:
    """Return the error that a parallel composition occurs inside a sequential process."""
    return specification.source.error(
        Unsupported,
        "a parallel composition, or a process inside `allow` or `comm`, cannot be part of a "
        "sequential process",
        place,
    )


def _substituted(item: Item, renamed: Values) -> Item:
    """Return the rest of a process with its values substituted."""
    if isinstance(item, Forked):
        leaves = tuple(tuple(_substituted(i, renamed) for i in leaf) for leaf in item.leaves)
        return replace(item, leaves=leaves)
    return replace(item, values={v: substitute(t, renamed) for v, t in item.values.items()})


def _relabelled(starts: list[Start], relabelling: Relabelling) -> list[Start]:
    if relabelling == IDENTITY:
        return starts
    found = []
    for start in starts:
        applied = relabelling.applied(start.action, start.arguments)
        if applied is not None:
            action, arguments = applied
            remaining = tuple(_around(item, relabelling) for item in start.remaining)
            found.append(replace(start, action=action, arguments=arguments, remaining=remaining))
    return found


def _around(item: Item, relabelling: Relabelling) -> Item:
    return replace(item, relabelling=item.relabelling.then(relabelling))


def followed(remaining: tuple[Item, ...], then: Fragment) -> tuple[Item, ...]:
    """Append a fragment to the rest of a process, merged with the last one of the same scope."""
    last = remaining[-1] if remaining else None
    if (
        not isinstance(last, Fragment)
        or last.scope is not then.scope
        or last.relabelling != then.relabelling
        or any(last.values.get(v, value) != value for v, value in then.values.items())
    ):
        return (*remaining, then)  # also if a sum variable shadows one that `then` needs
    process = _sequence(last.process, then.process)
    joined = Fragment(process, {**last.values, **then.values}, then.scope, then.relabelling)
    return (*remaining[:-1], joined)


def fresh_name(name: str, *taken: Container[str]) -> str:
    """Return `name`, or the first of `name_2`, `name_3`, .. that is not taken."""
    fresh, number = name, 1
    while any(fresh in names for names in taken):
        number += 1
        fresh = f"{name}_{number}"
    return fresh


def _sequence(first: Process, second: Process) -> Process:
    if isinstance(first, Sequence):
        return Sequence(first.first, _sequence(first.second, second))
    return Sequence(first, second)
