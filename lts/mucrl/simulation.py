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
    linear = process if isinstance(process, LinearProcess) else linearise(process)
    return _ProcessSimulation(linear, max_values)


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
        position = texts[component.first]
        if component.parent is not None:
            # A leaf of a fork is there while the component that forked is at the fork.
            above, fork, _ = component.parent
            parent = self.process.components[above]
            if texts[parent.first] != str(parent.shape.constants[fork]):
                return ComponentState(component.name, None, None, {})
        values = {
            variable.name: None if text in self.unneeded else text
            for variable, text in zip(
                component.shape.data, texts[component.first + 1 :], strict=False
            )
        }
        stack = component.shape.stack
        if stack is not None:
            text = texts[component.stack]
            values["stack"] = None if text == str(stack) else text
        return ComponentState(component.name, position, self.remaining.get(position), values)

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
