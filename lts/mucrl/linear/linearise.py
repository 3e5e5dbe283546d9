"""Linearisation: a network of processes becomes one linear process.

The initial process is a composition, by `||`, `encap`, `hide` and `rename`, of components. Each
component is unfolded into its control states. Where a component forks, the leaves of the fork are
components too: they are idle until the control state of the fork is reached, and when the last of
them terminates, the component that forked goes on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from lts.errors import Unsupported
from lts.mucrl import gc_pause
from lts.mucrl.linear.control import Configuration, Control, Fork, Guard, Piece, Step, Unfolding
from lts.mucrl.linear.equations import Equations, substituted
from lts.mucrl.linear.process import Component, LinearProcess, Parameter, Shape, Summand, constant
from lts.mucrl.linear.relabelling import Relabelling
from lts.mucrl.linear.simplify import SIMPLIFICATIONS, simplify
from lts.mucrl.static.specification import (
    Application,
    Call,
    Encap,
    Function,
    Hide,
    Parallel,
    Process,
    ProcessName,
    Rename,
    Sequence,
    Specification,
    Term,
    Variable,
    bound_variables,
    instantiate,
    substitute,
)

__all__ = ["linearise"]

_LONG = 10_000
"""Pieces in control states from which on calls that others follow are kept on a stack."""

_MOST_STATES = 1_000_000
"""Control states that a component may have."""

_MOST_NESTED = 50
"""How deep forks may be nested."""


class _Long(Exception):
    """A process has many control states."""


def linearise(
    specification: Specification, *, simplifications: Iterable[str] = SIMPLIFICATIONS
) -> LinearProcess:
    """Return the linear process of a specification, simplified (see `simplification.simplify`).

    Raises `SpecificationError` for unguarded recursion, `Unsupported` if the number of processes
    that run in parallel has no bound in the text, or if processes are nested some hundreds deep.
    """
    try:
        with gc_pause.suspended():
            return simplify(_Linearisation(specification).process(), simplifications)
    except RecursionError:
        message = "processes are nested, or call one another before an action, too deeply"
        raise Unsupported(message, file=specification.source.file) from None


Entry = tuple[Control, tuple["Entry", ...]]
"""A control state in which a component can begin, and those of the leaves if it is a fork."""


@dataclass(slots=True, eq=False)
class _Unfolded:
    """A shape with what its components can do, control states numbered from 0.

    `steps` are (from, step, to), where `to` None takes what is next from the stack. `forks` gives
    for each fork what follows it, None being the stack again, and how each of its leaves can begin.
    `popped` says for every frame where taking it from the stack leads.
    """

    shape: Shape
    numbers: dict[Control, int]
    steps: list[tuple[int, Step, int | None]]
    forks: dict[int, tuple[Configuration | None, list[list[Entry]]]]
    popped: list[Configuration]


@dataclass(frozen=True, slots=True)
class _Part:
    """A summand, and the components that terminate when it happens."""

    summand: Summand
    ends: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Continuation:
    """One way in which a component goes on after a step or a fork."""

    variables: tuple[Variable, ...]
    equations: tuple[tuple[Term, Term], ...]
    updates: list[tuple[int, Term]]
    ends: bool
    note: int | None
    """What to add to the origin of the summand."""


_TERMINATED = Configuration((), {})
_BLOCKED = -1


def _join(fork: int) -> int:
    return -2 - 2 * fork


def _pop(frame: int) -> int:
    return -3 - 2 * frame


@dataclass(slots=True)
class _Running:
    """A component while it is built."""

    unfolded: _Unfolded
    parameters: list[Parameter]
    leaves: dict[int, list[int]] = field(default_factory=dict)
    """For every fork the components that are its leaves."""


class _Linearisation:
    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.unfolding = Unfolding(specification)
        self.names = {f.name for f in specification.functions} | set(specification.sorts)
        self.equations = Equations(specification)
        self.unfolded: dict[tuple[tuple[Entry, ...], bool, bool], _Unfolded] = {}
        self.components: list[Component] = []
        self.running: list[_Running] = []
        self.parameters: list[Parameter] = []
        self.initial: list[Term] = []
        self.unset: dict[str, Application] = {}
        self.parameter_names: set[str] = set()
        self.variable_names = {
            variable.name
            for parameters, body in specification.definitions.values()
            for variable in (*parameters, *bound_variables(body))
        } | {variable.name for variable in bound_variables(specification.initial)}

    def process(self) -> LinearProcess:
        parts = self.compose(self.specification.initial, frozenset())
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
        )

    def fresh(self, name: str, taken: set[str]) -> str:
        """Return `name`, or a longer one, that is not taken, and take it."""
        fresh, number = name, 1
        while fresh in taken or fresh in self.names:
            number += 1
            fresh = f"{name}_{number}"
        taken.add(fresh)
        return fresh

    def declare(self, name: str) -> str:
        """Return `name`, or a longer one, for a sort or function; no variable is called so."""
        fresh, number = name, 1
        while fresh in self.names or fresh in self.parameter_names or fresh in self.variable_names:
            number += 1
            fresh = f"{name}_{number}"
        self.names.add(fresh)
        return fresh

    # The network of the initial process.

    def compose(self, process: Process, calls: frozenset[ProcessName]) -> list[_Part]:
        """Return the summands of a closed process; its components are added to the list."""
        match process:
            case Parallel(processes):
                parts: list[_Part] = []
                for one in processes:
                    parts = self.merge(parts, self.compose(one, calls))
                return parts
            case Encap() | Hide() | Rename():
                return _relabelled(self.compose(process.body, calls), Relabelling.of(process))
            case Call(name, arguments, place) if self.is_composition(process, frozenset()):
                if name in calls:
                    raise self.endless(f"process `{name}`", place)
                parameters, body = self.specification.definitions[name]
                values = dict(zip(parameters, arguments, strict=True))
                return self.compose(instantiate(body, values), calls | {name})
        stacked = self.unfolding.recursion.grows([process]) or self.is_long(process)
        start = self.unfolding.initial(process, stacked=stacked)
        return self.component([_entry(start)], start, stacked, process, None, ())

    def endless(self, what: str, place: tuple[int, int]) -> Unsupported:
        return self.specification.source.error(
            Unsupported,
            f"{what} comes back to itself inside a parallel composition: the number of processes "
            "that run in parallel must have a bound in the text",
            place,
        )

    def is_composition(self, process: Process, calls: frozenset[ProcessName]) -> bool:
        """Whether a process is a composition once calls are replaced by their bodies."""
        match process:
            case Parallel() | Encap() | Hide() | Rename():
                return True
            case Call(name) if name not in calls:
                return self.is_composition(self.specification.definitions[name][1], calls | {name})
        return False

    def merge(self, left: list[_Part], right: list[_Part]) -> list[_Part]:
        """Return the steps of `left`, those of `right`, and what they do together."""
        if not left:
            return right
        communications = self.specification.communications
        partners: dict[str, list[_Part]] = defaultdict(list)
        for part in right:
            if part.summand.action is not None:
                partners[part.summand.action].append(part)
        together = []
        results: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for pair, result in sorted(
            ((min(pair), max(pair)), result) for pair, result in communications.items()
        ):
            first, second = pair
            results[first].append((second, result))
            if first != second:
                results[second].append((first, result))
        for one in left:
            for name, result in results.get(one.summand.action or "", ()):
                for other in partners.get(name, ()):
                    if _sorts(one.summand.arguments) == _sorts(other.summand.arguments):
                        joined = self.communication(one.summand, other.summand, result)
                        if joined is not None:
                            together.append(_Part(joined, one.ends | other.ends))
        return [*left, *right, *together]

    def communication(self, one: Summand, other: Summand, action: str) -> Summand | None:
        """Return the step that two steps do together; None if it is never possible."""
        taken = set(self.parameter_names)
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
                tuple(sorted(one.origin + other.origin)),
                _places(one, other),
            )
        )

    def apart(self, summand: Summand, taken: set[str]) -> Summand:
        """Return a summand whose variables have names that are not taken; they are then."""
        renamed: dict[Variable, Term] = {
            v: Variable(self.fresh(v.name, taken), v.sort) for v in summand.variables
        }
        return substituted(summand, renamed)

    # Components.

    def component(
        self,
        entries: list[Entry],
        start: Configuration | None,
        stacked: bool,
        process: Process | None,
        parent: tuple[int, int, int] | None,
        path: tuple[_Unfolded, ...],
    ) -> list[_Part]:
        """Add a component, with the leaves of its forks, and return their summands.

        It begins with `start`, or is idle first if that is None. `path` are the components whose
        forks it is a leaf of.
        """
        unfolded = self.unfold(entries, start is None, stacked)
        shape, number, first = unfolded.shape, len(self.components), len(self.parameters)
        if unfolded in path or len(path) > _MOST_NESTED:
            fork = next(state[0] for state in shape.states if state and isinstance(state[0], Fork))
            assert isinstance(fork, Fork)
            raise self.endless("this process", fork.place)
        label = self.fresh(_component_name(shape, process), self.parameter_names)
        count = 1 + len(shape.data) + (shape.stack is not None)
        parameters = tuple(range(first, first + count))
        self.components.append(Component(label, shape, parameters, (), parent))
        own = [Parameter(Variable(label, shape.sort), number, None)]
        for variable in shape.data:
            name = self.fresh(f"{label}_{variable.name}", self.parameter_names)
            own.append(Parameter(Variable(name, variable.sort), number, variable))
        if shape.stack is not None:
            name = self.fresh(f"{label}_stack", self.parameter_names)
            own.append(Parameter(Variable(name, shape.stack.sort), number, None))
        self.parameters += own
        running = _Running(unfolded, own)
        self.running.append(running)
        if shape.end is not None:
            self.initial.append(shape.end)
        else:
            self.initial.append(shape.constants[0])
        self.initial += (self.unset[v.sort] for v in shape.data)
        if shape.stack is not None:
            self.initial.append(shape.stack)
        forks: dict[int, list[_Part]] = {}
        for state, (_, leaves) in unfolded.forks.items():
            inside: list[_Part] = []
            members = []
            for leaf, begins in enumerate(leaves):
                members.append(len(self.components))
                above = (number, state, leaf)
                more = self.component(begins, None, stacked, None, above, (*path, unfolded))
                inside = self.merge(inside, more)
            running.leaves[state] = members
            forks[state] = inside
        if start is not None:
            for parameter, term in self.updates(number, None, start, {}, shape.stack):
                self.initial[parameter] = term
        parts = [p for i in range(len(unfolded.steps)) for p in self.step(number, i)]
        for state, inside in forks.items():
            [top, *_] = shape.states[state]
            for part in _relabelled(inside, top.relabelling):
                parts += self.in_fork(number, state, part)
        return parts

    def step(self, component: int, number: int) -> list[_Part]:
        """Return step `number` of a component as summands over its parameters."""
        unfolded = self.running[component].unfolded
        shape, own = unfolded.shape, self.running[component].parameters
        source, step, target = unfolded.steps[number]
        taken = set(self.parameter_names)
        bound = {v: Variable(self.fresh(v.name, taken), v.sort) for v in step.variables}
        values = {**self.here(component), **bound}
        found = []
        after = None if target is None else step.after
        for way in self.continuations(component, source, after, values, taken):
            origin = [(component, number)]
            if way.note is not None:
                origin.insert(0, (component, way.note))
            summand = self.equations.solve(
                Summand(
                    (*bound.values(), *way.variables),
                    tuple(Guard(substitute(g.term, values), g.positive) for g in step.guards),
                    (
                        (own[0].variable, shape.constants[source]),
                        *way.equations,
                        *(
                            (substitute(a, values), substitute(b, values))
                            for a, b in step.equations
                        ),
                    ),
                    step.action,
                    tuple(substitute(argument, values) for argument in step.arguments),
                    tuple(way.updates),
                    tuple(origin),
                    (step.place,),
                )
            )
            if summand is not None:
                found.append(_Part(summand, frozenset([component] if way.ends else ())))
        return found

    def here(self, component: int) -> dict[Variable, Term]:
        """Return the parameters that hold the data of a component."""
        parameters = self.running[component].parameters
        return {p.origin: p.variable for p in parameters if p.origin is not None}

    def continuations(
        self,
        component: int,
        source: int,
        after: Configuration | None,
        values: Mapping[Variable, Term],
        taken: set[str],
    ) -> list[_Continuation]:
        """Return the ways to go on from a control state, to a configuration or to what is next on
        the stack; new variables have names that are not taken."""
        running = self.running[component]
        shape = running.unfolded.shape
        stack = running.parameters[-1].variable
        if shape.stack is None:
            after = after or _TERMINATED
            updates = self.updates(component, source, after, values, None)
            return [_Continuation((), (), updates, not after.control, None)]
        if after is not None:
            updates = self.updates(component, source, after, values, stack)
            return [_Continuation((), (), updates, False, None)]
        ended = self.updates(component, source, _TERMINATED, {}, stack)
        found = [_Continuation((), ((stack, shape.stack),), ended, True, _pop(0))]
        for number, piece in enumerate(shape.pieces):
            names = set(taken)
            inner = {
                v: Variable(self.fresh(v.name, names), v.sort)
                for v in self.unfolding.pool.free(piece.process)
            }
            below = Variable(self.fresh("stack", names), shape.stack.sort)
            frame = Application(shape.frames[number], (*inner.values(), below))
            popped = running.unfolded.popped[number]
            updates = self.updates(component, source, popped, inner, below)
            variables = (*inner.values(), below)
            found.append(
                _Continuation(variables, ((stack, frame),), updates, False, _pop(number + 1))
            )
        return found

    def updates(
        self,
        component: int,
        source: int | None,
        after: Configuration,
        values: Mapping[Variable, Term],
        stack: Term | None,
    ) -> list[tuple[int, Term]]:
        """Return the updates that put a component, idle if `source` is None, in a configuration.

        `stack` is what will be below the configuration's own stack.
        """
        running = self.running[component]
        unfolded, own = running.unfolded, running.parameters
        shape, first = unfolded.shape, self.components[component].parameters[0]
        target = unfolded.numbers[after.control]
        updates: list[tuple[int, Term]] = []
        if source != target:
            updates.append((first, shape.constants[target]))
        before = {} if source is None else self.unfolding.data(shape.states[source])
        for offset, variable in enumerate(shape.data, start=1):
            if variable in after.values:
                term = substitute(after.values[variable], values)
                if term != own[offset].variable:
                    updates.append((first + offset, term))
            elif variable in before:
                updates.append((first + offset, self.unset[variable.sort]))
        if shape.stack is not None:
            assert stack is not None
            numbers = {piece: i for i, piece in enumerate(shape.pieces)}
            for piece, data in reversed(after.stack):
                arguments = tuple(substitute(term, values) for term in data.values())
                stack = Application(shape.frames[numbers[piece]], (*arguments, stack))
            if stack != own[-1].variable:
                updates.append((first + len(own) - 1, stack))
        for member, leaf in zip(
            running.leaves.get(target, ()), after.leaves, strict=bool(after.leaves)
        ):
            empty = self.running[member].unfolded.shape.stack
            updates += self.updates(member, None, leaf, values, empty)
        return updates

    def in_fork(self, component: int, state: int, part: _Part) -> list[_Part]:
        """Return what a step of the leaves of a fork becomes: if it ends some of them, the
        component goes on when all the others have ended."""
        leaves = self.running[component].leaves[state]
        ended = part.ends.intersection(leaves)
        rest = part.ends.difference(leaves)
        if not ended:
            return [part]
        moved = {c for c, step in part.summand.origin if step >= 0}
        if any(leaf in moved - ended for leaf in leaves):
            return [_Part(part.summand, rest)]
        found = []
        others = [leaf for leaf in leaves if leaf not in ended]
        equations: list[tuple[Term, Term]] = []
        for leaf in others:
            shape = self.running[leaf].unfolded.shape
            control = self.running[leaf].parameters[0].variable
            assert shape.running is not None
            assert shape.end is not None
            waits = Guard(Application(shape.running, (control,)), True)
            origin = tuple(sorted((*part.summand.origin, (leaf, _BLOCKED))))
            blocked = _constrained(part.summand, (waits,), tuple(equations), origin)
            found.append(_Part(blocked, rest))
            equations.append((control, shape.end))
        after, _ = self.running[component].unfolded.forks[state]
        taken = self.parameter_names | {v.name for v in part.summand.variables}
        here = self.here(component)
        own = self.running[component].parameters[0].variable
        fork = self.running[component].unfolded.shape.constants[state]
        equations.append((own, fork))
        for way in self.continuations(component, state, after, here, taken):
            notes = [(component, _join(state))]
            if way.note is not None:
                notes.append((component, way.note))
            origin = tuple(sorted((*part.summand.origin, *notes)))
            joined = _constrained(part.summand, (), (*equations, *way.equations), origin)
            joined = replace(
                joined,
                variables=joined.variables + way.variables,
                updates=(*joined.updates, *way.updates),
            )
            found.append(_Part(joined, rest | {component} if way.ends else rest))
        return found

    # Control states.

    def is_long(self, process: Process) -> bool:
        """Whether what remains to be done has so many forms that it is better kept on a stack."""
        try:
            self.unfold([_entry(self.unfolding.initial(process, stacked=False))], False, False)
        except _Long:
            return True
        return False

    def unfold(self, entries: list[Entry], idle: bool, stacked: bool) -> _Unfolded:
        """Return all control states that are reachable from the given ones, with their steps.

        One that is idle begins terminated, and never is anything but forked into. Raises `_Long` if
        there are many that a stack would do without.
        """
        key = (tuple(entries), idle, stacked)
        if key in self.unfolded:
            return self.unfolded[key]
        numbers: dict[Control, int] = {}
        begins: dict[Control, list[dict[Entry, None]]] = {}
        pieces: dict[Piece, Configuration] = {}
        steps: list[tuple[int, Step, int | None]] = []
        continued: dict[int, Configuration | None] = {}
        states: list[Control] = []

        def found(control: Control, leaves: Iterable[Entry]) -> int:
            if control not in numbers:
                numbers[control] = len(states)
                states.append(control)
            if control and isinstance(control[0], Fork):
                known = begins.setdefault(control, [{} for _ in range(control[0].leaves)])
                for one, leaf in zip(known, leaves, strict=True):
                    one[leaf] = None
            return numbers[control]

        def reached(after: Configuration) -> int:
            for piece, _ in after.stack:
                if piece not in pieces:
                    pieces[piece] = self.unfolding.after_pop(piece)
                    reached(pieces[piece])
            return found(after.control, [_entry(leaf) for leaf in after.leaves])

        if idle:
            found((), ())
        for control, leaves in entries:
            found(control, leaves)
        length = 0
        for state in states:  # grows while it is read
            number = numbers[state]
            if state and isinstance(state[0], Fork):
                continued[number] = None if stacked else self.unfolding.after_fork(state)
                reached(continued[number] or _TERMINATED)
                continue
            for step in self.unfolding.steps(state, stacked=stacked):
                pops = stacked and not step.after.control
                target = reached(step.after)
                steps.append((number, step, None if pops else target))
            length += len(state)
            if length > _LONG and not (stacked or idle):
                raise _Long
            if len(states) > _MOST_STATES:
                raise self.specification.source.error(
                    Unsupported,
                    f"a process has more than {_MOST_STATES} control states",
                    steps[-1][1].place,
                )
        forks = {
            numbers[state]: (continued[numbers[state]], [list(one) for one in leaves])
            for state, leaves in begins.items()
        }
        shape = self.shape(entries[0][0], states, idle, stacked, list(pieces))
        if stacked and not pieces:  # nothing is ever put on the stack
            steps = [(s, step, numbers[()] if t is None else t) for s, step, t in steps]
        unfolded = _Unfolded(shape, numbers, steps, forks, list(pieces.values()))
        self.unfolded[key] = unfolded
        return unfolded

    def shape(
        self,
        initial: Control,
        states: list[Control],
        idle: bool,
        stacked: bool,
        pieces: list[Piece],
    ) -> Shape:
        """Name the control states and what belongs to them."""
        name = _process_name(initial)
        sort = self.declare(f"{name}_control")
        data = tuple({v: None for state in states for v in self.unfolding.data(state)})
        for variable in data:
            if variable.sort not in self.unset:
                unset = self.declare(f"unset_{variable.sort}")
                self.unset[variable.sort] = constant(unset, variable.sort, constructor=False)
        constants = tuple(
            constant(self.declare(f"{name}_{number}"), sort, constructor=True)
            for number in range(len(states))
        )
        end = next((c for c, s in zip(constants, states, strict=True) if not s), None)
        running = stack = None
        frames: list[Function] = []
        if idle:
            running = Function(self.declare(f"{name}_runs"), (sort,), "Bool")
        if pieces:
            stack_sort = self.declare(f"{name}_stack")
            empty = self.declare(f"{name}_empty")
            stack = constant(empty, stack_sort, constructor=True)
            for piece in pieces:
                sorts = [v.sort for v in self.unfolding.pool.free(piece.process)]
                frame = self.declare(f"{name}_then_{len(frames)}")
                frames.append(Function(frame, (*sorts, stack_sort), stack_sort, constructor=True))
        return Shape(
            name, sort, tuple(states), constants, data,
            end, running, stack, tuple(pieces), tuple(frames),
        )  # fmt: skip


def _entry(configuration: Configuration) -> Entry:
    return configuration.control, tuple(map(_entry, configuration.leaves))


def _constrained(
    summand: Summand,
    guards: tuple[Guard, ...],
    equations: tuple[tuple[Term, Term], ...],
    origin: tuple[tuple[int, int], ...],
) -> Summand:
    return replace(
        summand,
        guards=(*summand.guards, *guards),
        equations=(*summand.equations, *equations),
        origin=origin,
    )


def _relabelled(parts: list[_Part], relabelling: Relabelling) -> list[_Part]:
    found = []
    for part in parts:
        summand = part.summand
        if not relabelling.forbids(summand.action):
            action = relabelling(summand.action)
            arguments = () if action is None else summand.arguments
            found.append(_Part(replace(summand, action=action, arguments=arguments), part.ends))
    return found


def _places(*summands: Summand) -> tuple[tuple[int, int], ...]:
    """Return the places of the steps of summands that are combined, in the order of the origin."""
    placed = [
        (origin, place)
        for summand in summands
        for origin, place in zip(
            (o for o in summand.origin if o[1] >= 0), summand.places, strict=True
        )
    ]
    return tuple(place for _, place in sorted(placed))


def _sorts(terms: Iterable[Term]) -> tuple[str, ...]:
    return tuple(term.sort for term in terms)


def _process_name(control: Control) -> str:
    match control:
        case (Piece(Call(name)), *_) | (Piece(Sequence(Call(name))), *_):
            return name.name
    return "Init"


def _component_name(shape: Shape, process: Process | None) -> str:
    """Return what to call a component: its process, and the constant that tells it from others."""
    match process:
        case Call(_, (Application(function, ()),)):
            return f"{shape.name}_{function.name}"
    return shape.name
