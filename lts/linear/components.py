"""Components: their parameters, and the summands of their own steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from lts.base.bounds import NESTED_COMPOSITIONS
from lts.errors import Unsupported
from lts.linear.control_flow import possible
from lts.linear.control_state import Configuration, Decision, Fork, Guard
from lts.linear.first_steps import outermost
from lts.linear.parallel.communication import Communication
from lts.linear.parts import (
    BLOCKED,
    TERMINATED,
    Continuation,
    Entry,
    Running,
    TerminatingSummand,
    Unfolded,
    component_name,
    constrained,
    join_number,
    pop_number,
    relabelled_parts,
)
from lts.linear.process import Component, Parameter, Summand
from lts.specification.specification import (
    Application,
    Process,
    Specification,
    Term,
    Variable,
    substitute,
)

__all__ = ["Components"]


class Components(Communication):
    """The numbered components created so far."""

    def __init__(self, specification: Specification) -> None:
        super().__init__(specification)
        self.components: list[Component] = []
        self.running: list[Running] = []
        self.parameters: list[Parameter] = []
        self.initial: list[Term] = []
        self.decisions: list[Summand] = []
        """Decisions, encoded as summands without an action whose only argument is the condition."""

    def component(
        self,
        entries: list[Entry],
        start: Configuration | None,
        stacked: bool,
        process: Process | None,
        parent: tuple[int, int, int] | None,
        path: tuple[Unfolded, ...],
    ) -> list[TerminatingSummand]:
        """Add a component, and components for the leaves of its forks; return their summands.

        The component starts in the configuration `start`, or idle if that is None. `path` are the
        components of the enclosing forks, of which it is a leaf.
        """
        unfolded = self.unfold(entries, start is None, stacked)
        shape, number, first = unfolded.shape, len(self.components), len(self.parameters)
        if unfolded.forks:
            fork = next(state[0] for state in shape.states if state and isinstance(state[0], Fork))
            assert isinstance(fork, Fork)
            if unfolded in path:
                raise self.endless("this process", fork.place)
            if len(path) >= NESTED_COMPOSITIONS.default:
                raise self.specification.source.error(
                    Unsupported,
                    f"parallel compositions are nested {NESTED_COMPOSITIONS.exceeded()}",
                    fork.place,
                )
            if self.specification.communications is None:
                raise outermost(self.specification, fork.place)
        label = self.fresh(component_name(shape, process), self.parameter_names)
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
        running = Running(unfolded, own)
        self.running.append(running)
        # The first control state; if the component starts idle, that is the idle one.
        self.initial.append(shape.constants[0])
        self.initial += (self.unset[v.sort] for v in shape.data)
        if shape.stack is not None:
            self.initial.append(shape.stack)
        forks: dict[int, list[TerminatingSummand]] = {}
        for state, (_, leaves) in unfolded.forks.items():
            members: list[int] = []
            above = (number, state)
            forks[state] = self.merge(
                self._leaves(leaves, above, members, stacked, (*path, unfolded))
            )
            running.leaves[state] = members
        if start is not None:
            for parameter, term in self.updates(number, None, start, {}, shape.stack):
                self.initial[parameter] = term
        self.decisions += [
            found
            for source, decision in unfolded.decisions
            if (found := self.decision(number, source, decision)) is not None
        ]
        parts = [part for i in range(len(unfolded.steps)) for part in self.step(number, i)]
        for state, inside in forks.items():
            [top, *_] = shape.states[state]
            inside = relabelled_parts(inside, top.relabelling)
            ending = {leaf for part in inside for leaf in part.terminating}
            joins = ending.issuperset(running.leaves[state])
            for part in inside:
                parts += self.in_fork(number, state, part, joins)
        if start is not None:
            parts = self.reached(number, parts)
            self.remember_constants(number, parts)
        return parts

    def _leaves(
        self,
        leaves: Iterable[list[Entry]],
        fork: tuple[int, int],
        members: list[int],
        stacked: bool,
        path: tuple[Unfolded, ...],
    ) -> Iterator[list[TerminatingSummand]]:
        """Add a component for each leaf of a fork, given by its component and control state, and
        yield the steps of each; append their numbers to `members`."""
        for leaf, begins in enumerate(leaves):
            members.append(len(self.components))
            yield self.component(begins, None, stacked, None, (*fork, leaf), path)

    def reached(self, first: int, parts: list[TerminatingSummand]) -> list[TerminatingSummand]:
        """Return the summands of the components from `first` on whose control states are reachable.

        Other components are not considered: the result holds for any behaviour of theirs.
        """
        controls = {
            self.parameters[component.parameters[0]].variable: number
            for number, component in enumerate(self.components[first:], start=first)
        }
        initial = [(n, self.initial[self.components[n].parameters[0]]) for n in controls.values()]
        found = possible(self.parameters, controls, initial, [part.summand for part in parts])
        return [part for number, part in enumerate(parts) if number in found]

    def remember_constants(self, component: int, parts: list[TerminatingSummand]) -> None:
        """Record the data of a component that no step changes, for any behaviour of other
        components."""
        updated = {number for part in parts for number, _ in part.summand.updates}
        placeholders = set(self.unset.values())
        for number in self.components[component].parameters:
            value = self.initial[number]
            if number not in updated and value not in placeholders:
                self.equations.ground_terms.constants[self.parameters[number].variable] = value

    def endless(self, what: str, place: tuple[int, int]) -> Unsupported:
        """Return the error that the number of parallel processes is unbounded."""
        return self.specification.source.error(
            Unsupported,
            f"{what} calls itself inside a parallel composition: the number of parallel "
            "processes must be bounded by the text",
            place,
        )

    def step(self, component: int, number: int) -> list[TerminatingSummand]:
        """Return step `number` of a component as summands over its parameters."""
        unfolded = self.running[component].unfolded
        shape, own = unfolded.shape, self.running[component].parameters
        source, step, target = unfolded.steps[number]
        # Copying all names for each step of thousands of components would take long.
        names = step.variables or shape.stack is not None
        taken = set(self.parameter_names) if names else set()
        bound = {v: Variable(self.fresh(v.name, taken), v.sort) for v in step.variables}
        values = {**self.here(component), **bound}
        found = []
        after = None if target is None else step.after
        for continuation in self.continuations(component, source, after, values, taken):
            origin = [(component, number)]
            if continuation.note is not None:
                origin.insert(0, (component, continuation.note))
            summand = self.equations.solve(
                Summand(
                    (*bound.values(), *continuation.variables),
                    tuple(Guard(substitute(g.term, values), g.positive) for g in step.guards),
                    (
                        (own[0].variable, shape.constants[source]),
                        *continuation.equations,
                        *(
                            (substitute(a, values), substitute(b, values))
                            for a, b in step.equations
                        ),
                    ),
                    step.action,
                    tuple(substitute(argument, values) for argument in step.arguments),
                    tuple(continuation.updates),
                    tuple(origin),
                    (step.place,),
                )
            )
            if summand is not None:
                found.append(
                    TerminatingSummand(
                        summand, frozenset([component] if continuation.terminates else ())
                    )
                )
        return found

    def decision(self, component: int, source: int, one: Decision) -> Summand | None:
        """Return a decision of a component as a summand; None if it never arises."""
        running = self.running[component]
        control, shape = running.parameters[0].variable, running.unfolded.shape
        taken = set(self.parameter_names)
        bound = {v: Variable(self.fresh(v.name, taken), v.sort) for v in one.variables}
        values = {**self.here(component), **bound}
        guards = tuple(Guard(substitute(g.term, values), g.positive) for g in one.guards)
        return self.equations.solve(
            Summand(
                tuple(bound.values()),
                guards,
                ((control, shape.constants[source]),),
                None,
                (substitute(one.condition, values),),
                (),
                ((component, source),),
                (one.place,),
            )
        )

    def here(self, component: int) -> dict[Variable, Term]:
        """Return the parameters of a component, by the data variable that each holds."""
        parameters = self.running[component].parameters
        return {p.origin: p.variable for p in parameters if p.origin is not None}

    def continuations(
        self,
        component: int,
        source: int,
        after: Configuration | None,
        values: Mapping[Variable, Term],
        taken: set[str],
    ) -> list[Continuation]:
        """Return the continuations of a control state: to `after`, or by popping the stack.

        There is one for each kind of stack frame; new variables get names that are not `taken`.
        """
        running = self.running[component]
        shape = running.unfolded.shape
        stack = running.parameters[-1].variable
        if shape.stack is None:
            after = after or TERMINATED
            updates = self.updates(component, source, after, values, None)
            return [Continuation((), (), updates, not after.control, None)]
        if after is not None:
            updates = self.updates(component, source, after, values, stack)
            return [Continuation((), (), updates, False, None)]
        ended = self.updates(component, source, TERMINATED, {}, stack)
        found = [Continuation((), ((stack, shape.stack),), ended, True, pop_number(0))]
        for number, residual in enumerate(shape.residuals):
            names = set(taken)
            inner = {
                v: Variable(self.fresh(v.name, names), v.sort)
                for v in self.unfolding.processes.free(residual.process)
            }
            below = Variable(self.fresh("stack", names), shape.stack.sort)
            frame = Application(shape.frames[number], (*inner.values(), below))
            popped = running.unfolded.popped[number]
            updates = self.updates(component, source, popped, inner, below)
            variables = (*inner.values(), below)
            found.append(
                Continuation(variables, ((stack, frame),), updates, False, pop_number(number + 1))
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
        """Return the updates that put a component into the configuration `after`.

        The component was idle if `source` is None. `stack` is the stack that the configuration's
        own frames are pushed on.
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
        if shape.stack is None:
            assert not after.stack
        else:
            assert stack is not None
            numbers = {residual: i for i, residual in enumerate(shape.residuals)}
            for residual, data in reversed(after.stack):
                arguments = tuple(substitute(term, values) for term in data.values())
                stack = Application(shape.frames[numbers[residual]], (*arguments, stack))
            if stack != own[-1].variable:
                updates.append((first + len(own) - 1, stack))
        for member, leaf in zip(
            running.leaves.get(target, ()), after.leaves, strict=bool(after.leaves)
        ):
            empty = self.running[member].unfolded.shape.stack
            updates += self.updates(member, None, leaf, values, empty)
        return updates

    def in_fork(
        self, component: int, state: int, part: TerminatingSummand, joins: bool
    ) -> list[TerminatingSummand]:
        """Return the summands for a step of a fork's leaves, given as `part`.

        If leaves terminate in the step, the parent continues provided that all other leaves have
        terminated before; `joins` says whether all leaves can terminate.
        """
        leaves = self.running[component].leaves[state]
        ended = part.terminating.intersection(leaves)
        rest = part.terminating.difference(leaves)
        if not ended:
            return [part]
        moved = {c for c, step in part.summand.origin if step >= 0}
        if not joins or any(leaf in moved - ended for leaf in leaves):
            return [TerminatingSummand(part.summand, rest)]
        found = []
        others = [leaf for leaf in leaves if leaf not in ended]
        equations: list[tuple[Term, Term]] = []
        for leaf in others:
            shape = self.running[leaf].unfolded.shape
            control = self.running[leaf].parameters[0].variable
            assert shape.running is not None
            assert shape.end is not None
            waits = Guard(Application(shape.running, (control,)), True)
            origin = tuple(sorted((*part.summand.origin, (leaf, BLOCKED))))
            blocked = constrained(part.summand, (waits,), tuple(equations), origin)
            found.append(TerminatingSummand(blocked, rest))
            equations.append((control, shape.end))
        after, _ = self.running[component].unfolded.forks[state]
        taken = self.parameter_names | {v.name for v in part.summand.variables}
        here = self.here(component)
        own = self.running[component].parameters[0].variable
        fork = self.running[component].unfolded.shape.constants[state]
        equations.append((own, fork))
        for continuation in self.continuations(component, state, after, here, taken):
            notes = [(component, join_number(state))]
            if continuation.note is not None:
                notes.append((component, continuation.note))
            origin = tuple(sorted((*part.summand.origin, *notes)))
            joined = constrained(part.summand, (), (*equations, *continuation.equations), origin)
            joined = replace(
                joined,
                variables=joined.variables + continuation.variables,
                # The continuation's updates win: a leaf that terminated may start again in the same
                # step.
                updates=tuple({**dict(joined.updates), **dict(continuation.updates)}.items()),
            )
            found.append(
                TerminatingSummand(joined, rest | {component} if continuation.terminates else rest)
            )
        return found
