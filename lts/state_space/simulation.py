"""Step-by-step simulation of a specification: states are computed on demand, shown by component."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lts._engine as _engine
from lts.base.argument_types import expect_limit
from lts.base.bounds import SIMULATED_VALUES
from lts.linear.control_state import Control, Fork, Residual
from lts.linear.linearise import linearise
from lts.linear.parallel.relabelling import IDENTITY
from lts.linear.process import Component, LinearProcess
from lts.linear.simplify import simplify
from lts.simulation import ComponentState, Simulation
from lts.specification.specification import Choice, Condition, Specification
from lts.state_space.containers import Containers
from lts.state_space.encode import Encoder
from lts.state_space.generation import evaluation_errors, sum_shown
from lts.trace import TraceStep

__all__ = ["simulate"]


def simulate(
    process: Specification | LinearProcess, *, max_values: int = SIMULATED_VALUES.default
) -> Simulation:
    """Return a simulation of a specification or linear process.

    The state space may be infinite. If a sum has more than `max_values` values to try, some of its
    steps are missing, see `Simulation.missing`.
    """
    expect_limit(max_values, "the limit on values")
    if isinstance(process, LinearProcess):
        return _ProcessSimulation(process, process, max_values)
    # States show all parameters of the text, needed or not; traces are numbered as `generate`
    # numbers those of the simplified process.
    whole = linearise(process, simplifications=())
    return _ProcessSimulation(whole, simplify(whole), max_values)


class _ProcessSimulation(Simulation):
    """A simulation of `process`; marks are the states of `generated`, a simplification of it."""

    def __init__(self, process: LinearProcess, generated: LinearProcess, max_values: int) -> None:
        self.process = process
        numbers = {p.variable: number for number, p in enumerate(process.parameters)}
        self.numbers_in_process = [
            numbers[parameter.variable] for parameter in generated.parameters
        ]
        """For each parameter of `generated`, the number of that parameter in `process`."""
        self.max_values = max_values
        self._marked: dict[int, list[tuple[str, int]]] = {}
        self.unneeded = {placeholder.function.name for placeholder in process.unset.values()}
        self.remaining = {
            str(name): _remaining(control)
            for shape in process.shapes
            for name, control in zip(shape.constants, shape.states, strict=True)
        }
        """For the name of each control state, the rest of the process from there, as text."""
        self.containers = Containers(process.specification)
        self._simplified = None if generated is process else generated
        self._begin([], [])
        super().__init__(self._walk)

    def _begin(self, grown: list[int], marks: list[int]) -> None:
        """Start the engine's walks, of the process from `grown` and of the marks from `marks`."""

        def walk(process: LinearProcess, grown: list[int]) -> _engine.Walk:
            engine = Encoder(process).linear_process()
            return _engine.Walk.of_process(engine, self.max_values, grown)

        with evaluation_errors(self.process):
            self._walk = self.generated = walk(self.process, grown)
            if self._simplified is not None:
                self.generated = walk(self._simplified, marks)

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        grown = self._walk.grown(), self.generated.grown()
        return {**state, "generated": None, "_marked": {}, "_grown": grown}

    def _walk_again(self) -> None:
        self._begin(*self.__dict__.pop("_grown"))

    def components(self, state: int) -> tuple[ComponentState, ...]:
        self._refuse_asking()
        texts = [raw.decode("utf-8", "surrogateescape") for raw in self._walk.values(state)]
        return tuple(self._component(component, texts) for component in self.process.components)

    def positions(self) -> list[tuple[int, ...]]:
        found = []
        for component in self.process.components:
            above = () if component.parent is None else (component.parent[0],)
            parents = [self.process.components[number] for number in above]
            found.append(tuple(n for each in (component, *parents) for n in each.parameters))
        return found

    def _first_mark(self) -> int | None:
        return self.generated.initial

    def _advance(
        self, place: tuple[int, int | None], number: int
    ) -> tuple[TraceStep, tuple[int, int | None]]:
        state, mark = place
        step = self._possible(state)[0][number]
        choice = 0
        for label, target in self._generated_steps(mark):
            if label == step.label:
                choice += 1
                if self._alike(step.target, target):
                    return TraceStep(label, choice), (step.target, target)
        # Reached only if steps are missing because a sum has too many values.
        return TraceStep(step.label), (step.target, None)

    def _generated_steps(self, mark: int | None) -> list[tuple[str, int]]:
        if mark is None:
            return []
        if mark not in self._marked:
            if len(self._marked) > 1000:
                self._marked.clear()
            with evaluation_errors(self.process):
                steps, _ = self.generated.steps(mark)
            self._marked[mark] = [
                (label.decode("utf-8", "surrogateescape"), target) for label, target in steps
            ]
        return self._marked[mark]

    def _alike(self, state: int, generated: int) -> bool:
        """Whether a state of `generated` agrees with a state in all parameters that are needed."""
        shown = self._walk.values(state)
        return all(
            value == shown[number] or value.decode("utf-8", "surrogateescape") in self.unneeded
            for number, value in zip(
                self.numbers_in_process, self.generated.values(generated), strict=True
            )
        )

    def _component(self, component: Component, texts: list[str]) -> ComponentState:
        """Return the state of one component, given the values of all parameters."""
        position = self._control(component, texts)
        if component.parent is not None:
            # A branch of a fork exists only while the component that forked is at the fork.
            above, fork, _ = component.parent
            parent = self.process.components[above]
            if self._control(parent, texts) != str(parent.shape.constants[fork]):
                return ComponentState(component.name, None, None, {})
        values: dict[str, str | None] = {}
        for number in component.parameters:
            parameter, text = self.process.parameters[number], texts[number]
            if parameter.origin is not None:
                sort = parameter.variable.sort
                shown = None if text in self.unneeded else self.containers.shown(text, sort)
                values[parameter.origin.name] = shown
            elif parameter.variable.sort != component.shape.sort:
                values["stack"] = None if text == str(component.shape.stack) else text
        return ComponentState(component.name, position, self.remaining.get(position), values)

    def _control(self, component: Component, texts: list[str]) -> str:
        """Return the control state of a component, which has no parameter if it never changes."""
        for number in component.parameters:
            if self.process.parameters[number].variable.sort == component.shape.sort:
                return texts[number]
        return str(component.shape.constants[0])

    def _steps(self, state: int) -> tuple[list[tuple[bytes, int]], str | None]:
        with evaluation_errors(self.process):
            steps, summand = self._walk.steps(state)
        return steps, self._missing(summand)

    def _search(self, max_states: int, is_goal: Callable[[bytes], bool]) -> dict[str, Any]:
        with evaluation_errors(self.process):
            return super()._search(max_states, is_goal)

    def _missing(self, summand: int | None) -> str | None:
        """Return a message that a sum has too many values, or None."""
        return None if summand is None else sum_shown(self.process, summand, self.max_values)


def _remaining(control: Control) -> str:
    """Return a control state as text."""

    def bracketed(part: Residual | Fork) -> str:
        loose = isinstance(part, Fork) or isinstance(part.process, Choice | Condition)
        return f"({part})" if loose and part.relabelling == IDENTITY else str(part)

    if len(control) < 2:
        return "".join(map(str, control)) or "(terminated)"
    return ".".join(map(bracketed, control))
