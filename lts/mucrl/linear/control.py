"""The steps of a process, and the control states that they lead to.

A control state is what remains to be done, compared as it is written: a name is never identified
with its body. It is a stack of pieces, innermost first. A piece is either a call, whose arguments
are data whatever terms they were written as, or a part of one process body that begins with
something else; around it stands what `encap`, `hide` and `rename` do to its actions. The free
variables of the pieces are the data that the state holds. On top of the stack there may be a fork:
processes that run in parallel, each in a configuration of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from lts.errors import SpecificationError
from lts.mucrl.linear.call_graph import Recursion
from lts.mucrl.linear.hash_consing import Pool
from lts.mucrl.linear.relabelling import IDENTITY, Relabelling
from lts.mucrl.static.specification import (
    Action,
    Call,
    Choice,
    Communication,
    Condition,
    Delta,
    Encap,
    Hide,
    LeftMerge,
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
from lts.mucrl.text.source import Place

__all__ = [
    "Configuration",
    "Control",
    "Fork",
    "Guard",
    "Piece",
    "Step",
    "Unfolding",
    "fresh_name",
]

Values = Mapping[Variable, Term]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A part of a process body that remains; `process` is one of a pool."""

    process: Process
    relabelling: Relabelling = IDENTITY

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Piece)
            and self.process is other.process
            and self.relabelling == other.relabelling
        )

    def __hash__(self) -> int:
        return hash((id(self.process), self.relabelling))

    def __str__(self) -> str:
        return self.relabelling.around(str(self.process))


@dataclass(frozen=True, slots=True)
class Fork:
    """Processes that run in parallel: how many, and what stands around them."""

    leaves: int
    relabelling: Relabelling
    place: Place = field(compare=False)

    def __str__(self) -> str:
        return self.relabelling.around(" || ".join("_" * self.leaves))


Control = tuple[Piece | Fork, ...]
"""What remains, innermost first; no two pieces have a free variable in common. Only the first can
be a fork. Where calls can grow without end, it is only the first that remains: see `Configuration`.
"""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A control state, the values of its data, and the leaves of its fork if it is one.

    `stack` are the pieces to be done after the control state, innermost first, with their data,
    where they are kept as data because there may be any number of them.
    """

    control: Control
    values: Values
    leaves: tuple[Configuration, ...] = ()
    stack: tuple[tuple[Piece, Values], ...] = ()


@dataclass(frozen=True, slots=True)
class Guard:
    """A Boolean term and the value that it must have for a step to be possible."""

    term: Term
    positive: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One way to do an action: for all values of `variables` that meet `guards` and `equations`.

    Terms are over the data of the control state that does the step and over `variables`.
    `action` None is the internal step.
    """

    variables: tuple[Variable, ...]
    guards: tuple[Guard, ...]
    equations: tuple[tuple[Term, Term], ...]
    action: str | None
    arguments: tuple[Term, ...]
    after: Configuration
    place: Place


@dataclass(frozen=True, slots=True)
class _Fragment:
    """A process that remains, and the values of its free variables.

    `scope` tells one unfolding of a body from another: fragments of one scope may be joined.
    """

    process: Process
    values: Values
    scope: object
    relabelling: Relabelling = IDENTITY


@dataclass(frozen=True, slots=True)
class _Forked:
    """What remains of processes that run in parallel."""

    leaves: tuple[tuple[_Item, ...], ...]
    relabelling: Relabelling
    place: Place


_Item = _Fragment | _Forked


@dataclass(frozen=True, slots=True)
class _Start:
    """A step whose remainder is not a configuration yet."""

    variables: tuple[Variable, ...]
    guards: tuple[Guard, ...]
    equations: tuple[tuple[Term, Term], ...]
    action: str | None
    arguments: tuple[Term, ...]
    remaining: tuple[_Item, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class _Joint:
    """A step of some of the processes that run in parallel, with what remains of each."""

    start: _Start
    moved: Mapping[int, tuple[_Item, ...]]


class Unfolding:
    """The control states of one specification."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.pool = Pool()
        self.recursion = Recursion(specification)

    def initial(self, process: Process, *, stacked: bool) -> Configuration:
        """Return the configuration in which a closed process starts."""
        return self._configuration([_Fragment(process, {}, None)], stacked)

    def after_pop(self, piece: Piece) -> Configuration:
        """Return the configuration of a piece that comes back from the stack."""
        return self._configuration([self._fragment(piece)], stacked=True)

    def after_fork(self, control: Control) -> Configuration:
        """Return what follows when all processes of the fork on top have terminated."""
        return self._configuration(self._rest(control), stacked=False)

    def data(self, control: Control) -> dict[Variable, None]:
        """Return the variables of a control state, in order of their first occurrence."""
        pieces = (piece for piece in control if isinstance(piece, Piece))
        return dict.fromkeys(v for piece in pieces for v in self.pool.free(piece.process))

    def steps(self, control: Control, *, stacked: bool) -> list[Step]:
        """Return the steps of a control state that is no fork, in the order of the text."""
        if not control:
            return []
        head = control[0]
        assert isinstance(head, Piece)
        start = _Starts(self, {v.name for v in self.data(control)})
        identity: Values = {v: v for v in self.pool.free(head.process)}
        found = start.unfold(head.process, identity, None, frozenset())
        rest = self._rest(control)
        return [
            Step(
                s.variables, s.guards, s.equations, s.action, s.arguments,
                self._configuration([*s.remaining, *rest], stacked), s.place,
            )
            for s in _relabelled(found, head.relabelling)
        ]  # fmt: skip

    def _rest(self, control: Control) -> list[_Fragment]:
        return [self._fragment(piece) for piece in control[1:] if isinstance(piece, Piece)]

    def _fragment(self, piece: Piece) -> _Fragment:
        identity: Values = {v: v for v in self.pool.free(piece.process)}
        return _Fragment(piece.process, identity, None, piece.relabelling)

    def _configuration(self, remaining: Iterable[_Item], stacked: bool) -> Configuration:
        return self._named(list(self._normal(remaining)), stacked)

    def _named(self, items: list[_Item], stacked: bool) -> Configuration:
        """Return the configuration of items that are normal, their variables named apart."""
        control: list[Piece | Fork] = []
        data: dict[Variable, Term] = {}
        leaves: tuple[Configuration, ...] = ()
        taken: set[str] = set()
        for item in items[:1] if stacked else items:
            if isinstance(item, _Forked):
                control.append(Fork(len(item.leaves), item.relabelling, item.place))
                leaves = tuple(self._named(list(leaf), stacked) for leaf in item.leaves)
                continue
            renamed: dict[Variable, Term] = {}
            for variable in self.pool.free(item.process):
                name = fresh_name(variable.name, taken)
                taken.add(name)
                data[Variable(name, variable.sort)] = item.values[variable]
                renamed[variable] = Variable(name, variable.sort)
            control.append(Piece(self.pool.instance(item.process, renamed), item.relabelling))
        stack: list[tuple[Piece, Values]] = []
        for item in items[1:] if stacked else ():
            assert isinstance(item, _Fragment)
            values = {v: item.values[v] for v in self.pool.free(item.process)}
            stack.append((Piece(self.pool.keep(item.process), item.relabelling), values))
        return Configuration(tuple(control), data, leaves, tuple(stack))

    def _normal(self, remaining: Iterable[_Item]) -> Iterator[_Item]:
        """Yield what remains with leading calls, relabellings and forks split off.

        The arguments of calls are made data. Only what comes first can be forked.
        """
        first = True
        waiting = deque(remaining)
        while waiting:
            item = waiting.popleft()
            if isinstance(item, _Forked):
                found = self._forked(item)
                if isinstance(found, _Forked):
                    yield found
                    first = False
                else:
                    waiting.extendleft(reversed(found))
                continue
            head, rest = (
                (item.process.first, item.process.second)
                if isinstance(item.process, Sequence)
                else (item.process, None)
            )
            match head:
                case Call(name, arguments, place):
                    parameters, _ = self.specification.definitions[name]
                    values = (substitute(argument, item.values) for argument in arguments)
                    yield _Fragment(
                        Call(name, parameters, place),
                        dict(zip(parameters, values, strict=True)),
                        None,
                        item.relabelling,
                    )
                    first = False
                    if name in self.recursion.growing and name in self.recursion.endless:
                        return
                case Encap() | Hide() | Rename():
                    around = Relabelling.of(head).then(item.relabelling)
                    if rest is not None:
                        waiting.appendleft(replace(item, process=rest))
                    waiting.appendleft(replace(item, process=head.body, relabelling=around))
                    continue
                case Parallel(processes, place) if first:
                    leaves = tuple(
                        (replace(item, process=process, relabelling=IDENTITY),)
                        for process in processes
                    )
                    if rest is not None:
                        waiting.appendleft(replace(item, process=rest))
                    waiting.appendleft(_Forked(leaves, item.relabelling, place))
                    continue
                case _:
                    yield item
                    first = False
                    continue
            if rest is not None:
                waiting.appendleft(replace(item, process=rest))

    def _forked(self, fork: _Forked) -> _Forked | tuple[_Item, ...]:
        """Return a fork with leaves that are normal, none of them terminated or a mere fork; what
        remains otherwise, if there are fewer than two."""
        leaves: list[tuple[_Item, ...]] = []
        for leaf in fork.leaves:
            match tuple(self._normal(leaf)):
                case ():
                    pass
                case (_Forked(inner, relabelling),) if relabelling == IDENTITY:
                    leaves += inner
                case normal:
                    leaves.append(normal)
        if len(leaves) > 1:
            return replace(fork, leaves=tuple(leaves))
        return tuple(_around(item, fork.relabelling) for leaf in leaves for item in leaf)


class _Starts:
    """Calls are unfolded, and choices taken apart, up to the first action."""

    def __init__(self, unfolding: Unfolding, taken: Iterable[str]) -> None:
        self.specification = unfolding.specification
        self.pool = unfolding.pool
        self.taken = set(taken)
        """Names that a sum variable may not have here."""

    def fragment(self, process: Process, values: Values, scope: object) -> _Fragment:
        return _Fragment(process, {v: values[v] for v in self.pool.free(process)}, scope)

    def unfold(
        self, process: Process, values: Values, scope: object, calls: frozenset[ProcessName]
    ) -> list[_Start]:
        """Return the ways to start `process` where its free variables have these values.

        `calls` are the processes being unfolded: meeting one again means that it can call itself
        without doing an action.
        """
        match process:
            case Delta():
                return []
            case Tau(place):
                return [_Start((), (), (), None, (), (), place)]
            case Action(action, arguments, place):
                terms = tuple(substitute(argument, values) for argument in arguments)
                return [_Start((), (), (), action.name, terms, (), place)]
            case Choice(alternatives):
                return [s for p in alternatives for s in self.unfold(p, values, scope, calls)]
            case Condition(then, condition, otherwise, _):
                term = substitute(condition, values)
                if term == self.specification.true:
                    return self.unfold(then, values, scope, calls)
                if term == self.specification.false:
                    return self.unfold(otherwise, values, scope, calls)
                return [
                    replace(start, guards=(Guard(term, positive), *start.guards))
                    for branch, positive in ((then, True), (otherwise, False))
                    for start in self.unfold(branch, values, scope, calls)
                ]
            case Sum(variable, body):
                fresh = Variable(fresh_name(variable.name, self.taken), variable.sort)
                self.taken.add(fresh.name)
                starts = self.unfold(body, {**values, variable: fresh}, scope, calls)
                self.taken.discard(fresh.name)  # another alternative may use the name again
                return [replace(s, variables=(fresh, *s.variables)) for s in starts]
            case Sequence(first, second):
                rest = self.fragment(second, values, scope)
                return [
                    replace(start, remaining=_followed(start.remaining, rest))
                    for start in self.unfold(first, values, scope, calls)
                ]
            case Call(name, arguments, place):
                if name in calls:
                    raise self.specification.source.error(
                        SpecificationError,
                        f"process `{name}` can call itself without doing an action",
                        place,
                    )
                parameters, body = self.specification.definitions[name]
                terms = tuple(substitute(argument, values) for argument in arguments)
                inner = dict(zip(parameters, terms, strict=True))
                return self.unfold(body, inner, object(), calls | {name})
            case Encap() | Hide() | Rename():
                starts = self.unfold(process.body, values, scope, calls)
                return _relabelled(starts, Relabelling.of(process))
        parts: tuple[Process, ...]
        match process:
            case LeftMerge():
                parts = (process.first, process.second)
            case Parallel() | Communication():
                parts = process.processes
        single = [
            [_Joint(s, {i: s.remaining}) for s in self.unfold(part, values, scope, calls)]
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
                    _Forked(
                        tuple(joint.moved.get(i, rest) for i, rest in enumerate(idle)),
                        IDENTITY,
                        process.place,
                    ),
                ),
            )
            for joint in joints
        ]

    def together(self, left: list[_Joint], right: list[_Joint]) -> list[_Joint]:
        """Return the communications of steps on the left with steps on the right."""
        communications = self.specification.communications
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

    def joined(self, one: _Joint, other: _Joint, action: str) -> _Joint:
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
        start = _Start(
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
        return _Joint(start, {**one.moved, **moved})


def _substituted(item: _Item, renamed: Values) -> _Item:
    """Return what remains with its values changed."""
    if isinstance(item, _Forked):
        leaves = tuple(tuple(_substituted(i, renamed) for i in leaf) for leaf in item.leaves)
        return replace(item, leaves=leaves)
    return replace(item, values={v: substitute(t, renamed) for v, t in item.values.items()})


def _relabelled(starts: list[_Start], relabelling: Relabelling) -> list[_Start]:
    if relabelling == IDENTITY:
        return starts
    found = []
    for start in starts:
        if not relabelling.forbids(start.action):
            action = relabelling(start.action)
            arguments = () if action is None else start.arguments
            remaining = tuple(_around(item, relabelling) for item in start.remaining)
            found.append(replace(start, action=action, arguments=arguments, remaining=remaining))
    return found


def _around(item: _Item, relabelling: Relabelling) -> _Item:
    return replace(item, relabelling=item.relabelling.then(relabelling))


def _followed(remaining: tuple[_Item, ...], then: _Fragment) -> tuple[_Item, ...]:
    """Return what remains followed by one more, joined to the last where they share a scope."""
    last = remaining[-1] if remaining else None
    if (
        not isinstance(last, _Fragment)
        or last.scope is not then.scope
        or last.relabelling != then.relabelling
        or any(last.values.get(v, value) != value for v, value in then.values.items())
    ):
        return (*remaining, then)  # also where a sum variable hides one that is needed later
    process = _sequence(last.process, then.process)
    joined = _Fragment(process, {**last.values, **then.values}, then.scope, then.relabelling)
    return (*remaining[:-1], joined)


def _sequence(first: Process, second: Process) -> Process:
    if isinstance(first, Sequence):
        return Sequence(first.first, _sequence(first.second, second))
    return Sequence(first, second)


def fresh_name(name: str, taken: set[str]) -> str:
    """Return `name`, or the first of `name_2`, `name_3`, .. that is not taken."""
    fresh, number = name, 1
    while fresh in taken:
        number += 1
        fresh = f"{name}_{number}"
    return fresh
