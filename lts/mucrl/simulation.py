"""Walking through a specification, its states computed on demand and shown by component."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lts import _engine
from lts.mucrl.encode import Encoder
from lts.mucrl.generation import evaluation_errors, sum_shown
from lts.mucrl.linear import LinearProcess
from lts.mucrl.linearisation import linearise
from lts.mucrl.sequential import Control
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
        shown = [ComponentState(c.name, None, None, {}) for c in self.process.components]
        for parameter, raw in zip(self.process.parameters, self._walk.values(state), strict=True):
            text = raw.decode("utf-8", "surrogateescape")
            old = shown[parameter.component]
            if parameter.origin is None:
                new = ComponentState(old.name, text, self.remaining.get(text), old.values)
                shown[parameter.component] = new
            else:
                old.values[parameter.origin.name] = None if text in self.unneeded else text
        return tuple(shown)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with evaluation_errors(self.process):
            yield

    def _sum_shown(self, summand: int) -> str:
        return sum_shown(self.process, summand, self.max_values)


def _remaining(control: Control) -> str:
    """Return a control state as text."""
    if len(control) < 2:
        return "".join(map(str, control)) or "(terminated)"
    return ".".join(
        f"({part})" if isinstance(part, Choice | Condition) else str(part) for part in control
    )
