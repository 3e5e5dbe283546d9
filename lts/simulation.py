"""Step-by-step simulation of a system: possible steps, undo, search, replay."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import lts._engine as _engine
from lts.base.argument_types import expect_limit
from lts.base.bounds import SIMULATED_STATES
from lts.base.label_names import label_text, normal
from lts.errors import LimitReached, LtsError
from lts.system.lts import LTS
from lts.trace import TraceStep

__all__ = ["ComponentState", "Possible", "Simulation"]


@dataclass(frozen=True, slots=True)
class ComponentState:
    """The control state and the data of one component of a specification.

    `position` is the name of its control state, `remaining` the behaviour still to come; both are
    None while the component is inactive, as part of a parallel composition that has not begun or
    has ended. `values` maps names of data to their values, None if a value is not needed.
    """

    name: str
    position: str | None
    remaining: str | None
    values: dict[str, str | None]


@dataclass(frozen=True, slots=True)
class Possible:
    """A possible step: its label, and the number of the state that it leads to."""

    label: str
    target: int


class Simulation:
    """A run through the states of a system from the initial one, which can be undone.

    `Simulation.of_lts` simulates an LTS, `lts.mucrl.simulate` a specification, whose states are
    computed on demand and numbered in the order in which they are visited.

    >>> system = LTS.from_transitions([(0, "a", 1), (1, "b", 0), (1, "c", 2)])
    >>> simulation = Simulation.of_lts(system)
    >>> simulation.take(0)
    >>> [step.label for step in simulation.steps]
    ['b', 'c']
    >>> simulation.run("c".__eq__)
    0
    >>> simulation.undo()
    >>> simulation.state
    0
    """

    def __init__(self, walk: _engine.Walk) -> None:
        self._walk = walk
        self._marked_states: list[tuple[int, int | None]] = [(walk.initial, self._first_mark())]
        """The states of the run, each with its mark (see `_advance`)."""
        self._taken: list[TraceStep] = []
        """The steps of the run, with undone ones at the end: step i leads from state i to i + 1."""
        self._position = 0
        self._known: dict[int, tuple[tuple[Possible, ...], str | None]] = {}
        self._asking: int | None = None
        """The thread in which `run` calls its predicate."""
        self._system: LTS | None = None
        """The LTS that is simulated, if it is one."""

    @classmethod
    def of_lts(cls, system: LTS) -> Simulation:
        """Return a simulation of an LTS; states keep their numbers."""
        simulation = cls(_engine.Walk.of_lts(system._engine))
        simulation._system = LTS(system._engine)  # `system` itself may be consumed
        return simulation

    def __getstate__(self) -> dict[str, Any]:
        self._refuse_asking()
        return {**self.__dict__, "_walk": None, "_known": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._walk_again()

    def _walk_again(self) -> None:
        """Make the engine visit the states again that this copied simulation has visited."""
        assert self._system is not None
        self._walk = _engine.Walk.of_lts(self._system._engine)

    @property
    def state(self) -> int:
        """The number of the current state."""
        return self._marked_states[self._position][0]

    @property
    def steps(self) -> tuple[Possible, ...]:
        """The possible steps of the current state, each label and target once, in order.

        Raises `SpecificationError` if a term of a step does not reduce to a value.
        """
        return self._possible(self.state)[0]

    def steps_of(self, state: int) -> tuple[Possible, ...]:
        """Return the possible steps of a visited state, as `steps` does."""
        return self._possible(state)[0]

    @property
    def missing(self) -> str | None:
        """The sum that has more values here than are tried, so that steps are missing; None if none
        are."""
        return self._possible(self.state)[1]

    @property
    def trace(self) -> tuple[TraceStep, ...]:
        """The exact trace from the initial state to the current one."""
        return tuple(self._taken[: self._position])

    @property
    def undone(self) -> int:
        """How many steps `redo` can take."""
        return len(self._taken) - self._position

    def components(self, state: int) -> tuple[ComponentState, ...]:
        """Return the components of a visited state; an LTS has none."""
        return ()

    def vectors(self, count: int) -> list[list[int]]:
        """Return the vectors of the first `count` visited states: a number for the value of each
        parameter of a process, or for the state of each component of a network. Equal values have
        equal numbers."""
        return [self._walk.components_of(state) for state in range(count)]

    def positions(self) -> list[tuple[int, ...]]:
        """Return for every component the positions in the vectors that determine it."""
        return []

    def take(self, number: int) -> None:
        """Take a step, by its position in `steps`. Raises `LtsError` if there is none."""
        steps = self.steps
        if not 0 <= number < len(steps):
            raise LtsError(f"there is no step number {number}, only {len(steps)} steps")
        self._extend([number])

    def undo(self, count: int = 1) -> None:
        """Go back by `count` steps. Raises `LtsError` if there are fewer."""
        self.goto(self._position - count)

    def redo(self, count: int = 1) -> None:
        """Repeat `count` undone steps. Raises `LtsError` if there are fewer."""
        self.goto(self._position + count)

    def goto(self, position: int) -> None:
        """Go to the state after `position` steps of the run, backward or forward."""
        self._refuse_asking()
        if not 0 <= position <= len(self._taken):
            raise LtsError(
                f"the trace has {len(self._taken)} steps, so there is no step {position}"
            )
        self._position = position

    def run(
        self, wanted: Callable[[str], bool], *, max_states: int = SIMULATED_STATES.default
    ) -> int | None:
        """Go, by a shortest path, to a state that has a step with a wanted label.

        `wanted` may read the simulation in its state before the search, but not change it. Returns
        the number of steps taken, or None if no such state is reachable. Raises `LimitReached` if
        there is none among the first `max_states` states.
        """
        expect_limit(max_states, "the limit on states")
        self._refuse_asking()
        self._possible(self.state)  # loads the steps, so that `wanted` can read them

        def is_goal(label: bytes) -> bool:
            before, self._asking = self._asking, threading.get_ident()
            try:
                return wanted(label_text(label))
            finally:
                self._asking = before

        found = self._search(max_states, is_goal)
        path: list[int] | None = found["path"]
        if path is not None:
            self._extend(path)
            return len(path)
        if found["complete"]:
            return None
        states = found["states"]
        message = f"no such step in the first {states} states"
        if (missing := self._missing(found["missing"])) is not None:
            message += f"; some steps are unknown: {missing}"
        raise LimitReached(message, limit=max_states, found={"states": states})

    def wander(self, count: int, seed: int) -> int:
        """Take `count` random steps, or fewer up to a deadlock; return how many were taken. The
        same seed gives the same choices."""
        expect_limit(count, "the number of steps")
        choose = random.Random(seed)
        for taken in range(count):
            if not self.steps:
                return taken
            self._extend([choose.randrange(len(self.steps))])
        return count

    def replay(
        self, trace: Iterable[TraceStep], *, max_states: int = SIMULATED_STATES.default
    ) -> None:
        """Restart and follow a trace; if it leaves choices open, search for a run that has it.

        Raises `LtsError` with the first step that is not possible, leaving the simulation
        unchanged; `LimitReached` if more than `max_states` states would have to be visited.
        """
        expect_limit(max_states, "the limit on states")
        # For every step, the states that the trace may have reached, with a way back.
        Place = tuple[int, int | None]
        layers: list[dict[Place, tuple[Place, int]]] = [
            {self._marked_states[0]: (self._marked_states[0], 0)}
        ]
        looked_at = 0
        for number, expected in enumerate(trace, start=1):
            layer: dict[Place, tuple[Place, int]] = {}
            for place in layers[-1]:
                looked_at += 1
                if looked_at > max_states:
                    reached = SIMULATED_STATES.exceeded(max_states)
                    message = f"step {number} of the trace: {reached} are possible"
                    found = {"states": max_states}
                    raise LimitReached(message, limit=max_states, found=found)
                for step, target in self._fitting(place, expected):
                    layer.setdefault(target, (place, step))
            if not layer:
                raise self._impossible(number, expected, [state for state, _ in layers[-1]])
            layers.append(layer)
        path = []
        place = next(iter(layers[-1]))
        for layer in reversed(layers[1:]):
            place, step = layer[place]
            path.append(step)
        self._position = 0
        self._extend(reversed(path))

    def _impossible(self, number: int, expected: TraceStep, states: Iterable[int]) -> LtsError:
        labels = {step.label: None for state in states for step in self._possible(state)[0]}
        if expected.label in labels:
            what = f"there is no choice {expected.choice} of `{expected.label}`"
        else:
            shown = ", ".join(f"`{label}`" for label in list(labels)[:5]) or "nothing"
            more = " .." if len(labels) > 5 else ""
            what = f"`{expected.label}` is not possible, but {shown}{more}"
        return LtsError(f"step {number} of the trace: {what}")

    def _extend(self, steps: Iterable[int]) -> None:
        """Take steps from the current state, by their numbers; undone steps are discarded."""
        self._refuse_asking()
        marked_states, taken = (
            self._marked_states[: self._position + 1],
            self._taken[: self._position],
        )
        for number in steps:
            step, marked = self._advance(marked_states[-1], number)
            marked_states.append(marked)
            taken.append(step)
        self._marked_states, self._taken, self._position = marked_states, taken, len(taken)

    def _first_mark(self) -> int | None:
        """Return the mark of the initial state."""
        return None

    def _advance(
        self, place: tuple[int, int | None], number: int
    ) -> tuple[TraceStep, tuple[int, int | None]]:
        """Return a step as in a trace, and the place that it leads to.

        Choices are counted in the system that `generate` makes. If the simulated states hold more
        data than its states, the mark of a simulated state identifies its state there.
        """
        steps = self._possible(place[0])[0]
        label = steps[number].label
        choice = sum(step.label == label for step in steps[: number + 1])
        return TraceStep(label, choice), (steps[number].target, None)

    def _fitting(
        self, place: tuple[int, int | None], expected: TraceStep
    ) -> Iterator[tuple[int, tuple[int, int | None]]]:
        """Yield the steps that match a step of a trace, by number, with their targets.

        If the trace leaves choices open, it may come from another tool, which writes blanks or the
        actions of a multi-action in another order.
        """
        is_open = expected.choice is None
        label = normal(expected.label) if is_open else expected.label
        for number, step in enumerate(self._possible(place[0])[0]):
            if (normal(step.label) if is_open else step.label) == label:
                taken, target = self._advance(place, number)
                if expected.choice in (None, taken.choice):
                    yield number, target

    def _possible(self, state: int) -> tuple[tuple[Possible, ...], str | None]:
        if state not in self._known:
            self._refuse_asking()
            if len(self._known) > 1000:  # bounds the memory of a long random run
                self._known.clear()
            steps, missing = self._steps(state)
            found = tuple(Possible(label_text(label), target) for label, target in steps)
            self._known[state] = found, missing
        return self._known[state]

    def _refuse_asking(self) -> None:
        """Raise `LtsError` for a call within a search that is possible only after it."""
        if self._asking == threading.get_ident():
            raise LtsError(
                "`wanted` must not move the simulation or explore states during a search"
            )

    def _steps(self, state: int) -> tuple[list[tuple[bytes, int]], str | None]:
        """Return the steps of a state, and why some are missing, if so; for an LTS none are."""
        return self._walk.steps(state)[0], None

    def _search(self, max_states: int, is_goal: Callable[[bytes], bool]) -> dict[str, Any]:
        """Search for a state with a step that is a goal. The result has the `path` to it, or None;
        `states`, the number of visited states; `complete`, whether these are all states; and
        `missing`, the number of a summand whose steps are missing, or None."""
        return self._walk.search(self.state, max_states, is_goal)

    def _missing(self, summand: int | None) -> str | None:
        """Return why steps are missing; for an LTS none are."""
        return None
