"""Walking through a specification, its states computed on demand and shown by component."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lts import _engine
from lts.mucrl.encode import Encoder
from lts.mucrl.generation import evaluation_errors, sum_shown
from lts.mucrl.linear import Component, LinearProcess
from lts.mucrl.linearisation import linearise
from lts.mucrl.relabelling import IDENTITY
from lts.mucrl.sequential import Control, Fork, Piece
from lts.mucrl.specification import Choice, Condition, Specification
from lts.simulation import ComponentState, Simulation

__all__ = ["simulate"]

MAX_VALUES = 10_000
"""Values that a sum may take in one state; a person does not look at more steps."""


def simulate(process: Specification | LinearProcess, *, max_values: int = MAX_VALUES) -> Simulation:
    """Return a walk through the states of a specification or linear process.

    The state space may be infinite. Where more than `max_values` values of a sum have to be tried,
    not all of its steps are shown, see `Simulation.missing`.
    """
    if isinstance(process, Specification):  # all that its text holds, needed or not
        process = linearise(process, simplifications=())
    return _ProcessSimulation(process, max_values)


class _ProcessSimulation(Simulation):
    def __init__(self, process: LinearProcess, max_values: int) -> None:
        self.process = process
        self.max_values = max_values
        self.unneeded = {placeholder.function.name for placeholder in process.unset.values()}
        self.remaining = {
            str(name): _remaining(control)
            for shape in process.shapes
            for name, control in zip(shape.constants, shape.states, strict=True)
        }
        """For the name of every control state, what remains to be done there."""
        with self._errors():
            super().__init__(_engine.Walk.of_process(Encoder(process).linear_process(), max_values))

    def components(self, state: int) -> tuple[ComponentState, ...]:
        texts = [raw.decode("utf-8", "surrogateescape") for raw in self._walk.values(state)]
        return tuple(self._component(component, texts) for component in self.process.components)

    def _component(self, component: Component, texts: list[str]) -> ComponentState:
        """Return one component where the parameters have these values."""
        position = self._control(component, texts)
        if component.parent is not None:
            # A leaf of a fork is there while the component that forked is at the fork.
            above, fork, _ = component.parent
            parent = self.process.components[above]
            if self._control(parent, texts) != str(parent.shape.constants[fork]):
                return ComponentState(component.name, None, None, {})
        values: dict[str, str | None] = {}
        for number in component.parameters:
            parameter, text = self.process.parameters[number], texts[number]
            if parameter.origin is not None:
                values[parameter.origin.name] = None if text in self.unneeded else text
            elif parameter.variable.sort != component.shape.sort:
                values["stack"] = None if text == str(component.shape.stack) else text
        return ComponentState(component.name, position, self.remaining.get(position), values)

    def _control(self, component: Component, texts: list[str]) -> str:
        """Return the control state of a component; one that never moves has no parameter for it."""
        for number in component.parameters:
            if self.process.parameters[number].variable.sort == component.shape.sort:
                return texts[number]
        return str(component.shape.constants[0])

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with evaluation_errors(self.process):
            yield

    def _sum_shown(self, summand: int) -> str:
        return sum_shown(self.process, summand, self.max_values)


def _remaining(control: Control) -> str:
    """Return a control state as text."""

    def bracketed(part: Piece | Fork) -> str:
        loose = isinstance(part, Fork) or isinstance(part.process, Choice | Condition)
        return f"({part})" if loose and part.relabelling == IDENTITY else str(part)

    if len(control) < 2:
        return "".join(map(str, control)) or "(terminated)"
    return ".".join(map(bracketed, control))
