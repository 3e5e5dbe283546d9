"""The control states of components, and the sorts that represent them."""

from __future__ import annotations

from lts.base.bounds import CONTROL_STATES
from lts.errors import Unsupported
from lts.linear.control import Unfolding
from lts.linear.control_state import Configuration, Control, ControlStep, Decision, Fork, Residual
from lts.linear.first_steps import fresh_name
from lts.linear.parts import (
    TERMINATED,
    Entry,
    Unfolded,
    entry_of,
    process_name,
)
from lts.linear.process import Shape, constant
from lts.specification.specification import (
    Application,
    Function,
    Process,
    Specification,
    bound_variables,
)

__all__ = ["Shapes"]


MOST_RESIDUALS = 10_000
"""Total number of residuals in control states above which pending calls are kept on a stack
instead."""


class _Long(Exception):
    """A process has too many control states; a stack would need fewer."""


class Shapes:
    """The shapes of components: each entry is unfolded once, so components with the same entry
    share a shape."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.unfolding = Unfolding(specification)
        self.names = {f.name for f in specification.functions} | set(specification.sorts)
        self.unfolded: dict[tuple[tuple[Entry, ...], bool, bool], Unfolded] = {}
        self.unset: dict[str, Application] = {}
        self.parameter_names: set[str] = set()
        self.variable_names = {
            variable.name
            for parameters, body in specification.definitions.values()
            for variable in (*parameters, *bound_variables(body))
        } | {variable.name for variable in bound_variables(specification.initial)}

    def fresh(self, name: str, taken: set[str]) -> str:
        """Return `name`, or the first of `name_2`, .. that is not taken, and take it."""
        fresh = fresh_name(name, taken, self.names)
        taken.add(fresh)
        return fresh

    def declare(self, name: str) -> str:
        """Return `name`, or a numbered variant, for a new sort or function; no variable has it."""
        fresh = fresh_name(name, self.names, self.parameter_names, self.variable_names)
        self.names.add(fresh)
        return fresh

    def is_long(self, process: Process) -> bool:
        """Whether control states are too many or too long to do without a stack of calls."""
        try:
            self.unfold([entry_of(self.unfolding.initial(process, stacked=False))], False, False)
        except _Long:
            return True
        return False

    def unfold(self, entries: list[Entry], idle: bool, stacked: bool) -> Unfolded:
        """Return all control states that are reachable from the given ones, with their steps.

        An `idle` component starts terminated, and is only started by a fork. Raises `_Long` if a
        stack would save many control states.
        """
        key = (tuple(entries), idle, stacked)
        if key in self.unfolded:
            return self.unfolded[key]
        numbers: dict[Control, int] = {}
        begins: dict[Control, list[dict[Entry, None]]] = {}
        residuals: dict[Residual, Configuration] = {}
        steps: list[tuple[int, ControlStep, int | None]] = []
        decisions: list[tuple[int, Decision]] = []
        continued: dict[int, Configuration | None] = {}
        states: list[Control] = []

        def reached(entry: Entry) -> int:
            """Number the control state of an entry, and those of the residuals on its stack."""
            control = entry.control
            if control not in numbers:
                numbers[control] = len(states)
                states.append(control)
            if control and isinstance(control[0], Fork):
                known = begins.setdefault(control, [{} for _ in range(control[0].leaves)])
                for begins_of_leaf, leaf in zip(known, entry.leaves, strict=True):
                    begins_of_leaf[leaf] = None
            for residual in entry.stack:
                if residual not in residuals:
                    residuals[residual] = self.unfolding.after_pop(residual)
                    reached(entry_of(residuals[residual]))
            return numbers[control]

        if idle:
            reached(Entry(()))
        for entry in entries:
            reached(entry)
        length = 0
        for state in states:  # grows during the loop
            number = numbers[state]
            if state and isinstance(state[0], Fork):
                continued[number] = None if stacked else self.unfolding.after_fork(state)
                reached(entry_of(continued[number] or TERMINATED))
                continue
            possible, to_decide = self.unfolding.steps(state, stacked=stacked)
            decisions += [(number, decision) for decision in to_decide]
            for step in possible:
                pops = stacked and not step.after.control
                target = reached(entry_of(step.after))
                steps.append((number, step, None if pops else target))
            length += len(state)
            if length > MOST_RESIDUALS and not (stacked or idle):
                raise _Long
            if len(states) > CONTROL_STATES.default:
                raise self.specification.source.error(
                    Unsupported,
                    f"a process has {CONTROL_STATES.exceeded()}",
                    steps[-1][1].place,
                )
        forks = {
            numbers[state]: (continued[numbers[state]], [list(leave) for leave in leaves])
            for state, leaves in begins.items()
        }
        shape = self.shape(entries[0].control, states, idle, stacked, list(residuals))
        if stacked and not residuals:  # the stack is never used
            steps = [(s, step, numbers[()] if t is None else t) for s, step, t in steps]
        unfolded = Unfolded(shape, numbers, steps, forks, list(residuals.values()), decisions)
        self.unfolded[key] = unfolded
        return unfolded

    def shape(
        self,
        initial: Control,
        states: list[Control],
        idle: bool,
        stacked: bool,
        residuals: list[Residual],
    ) -> Shape:
        """Declare the constants, sorts and functions of a shape."""
        name = process_name(initial)
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
        if residuals:
            stack_sort = self.declare(f"{name}_stack")
            empty = self.declare(f"{name}_empty")
            stack = constant(empty, stack_sort, constructor=True)
            for residual in residuals:
                sorts = [v.sort for v in self.unfolding.processes.free(residual.process)]
                frame = self.declare(f"{name}_then_{len(frames)}")
                frames.append(Function(frame, (*sorts, stack_sort), stack_sort, constructor=True))
        return Shape(
            name, sort, tuple(states), constants, data,
            end, running, stack, tuple(residuals), tuple(frames),
        )  # fmt: skip
