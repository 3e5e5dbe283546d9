"""Linear processes: what a specification is turned into before its states are generated.

    X(d) = sum_i sum(e_i) a_i(f_i(d,e_i)) . X(g_i(d,e_i)) <| c_i(d,e_i) |> delta

A state is a value for each parameter. Every parameter and summand remembers where it comes from:
symmetry and error messages need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from lts.linear.control_state import Control, Guard, Piece
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    Term,
    Variable,
)
from lts.text.source import Place

__all__ = ["Component", "LinearProcess", "Parameter", "Shape", "Summand", "constant"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the linear process: the control state of a component, or some of its data."""

    variable: Variable
    component: int
    origin: Variable | None
    """The variable of the component's text that it holds; None for control state and stack."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What equal components have in common: control states, data, steps.

    `states[k]` is written as the constant `constants[k]` of sort `sort`. Where recursion can grow,
    what is to be done after the control state is kept as a term of sort `stack`: `frames[k]` puts
    the piece `pieces[k]` with its data on top of it.
    """

    name: str
    sort: str
    states: tuple[Control, ...]
    constants: tuple[Application, ...]
    data: tuple[Variable, ...]
    end: Application | None = None
    """The control state of a component that has terminated, if that is possible."""
    running: Function | None = None
    """A map that tells the other control states from it, where a fork has to know."""
    stack: Application | None = None
    """The empty stack."""
    pieces: tuple[Piece, ...] = ()
    frames: tuple[Function, ...] = ()


@dataclass(frozen=True, slots=True)
class Component:
    """One of the processes that run in parallel.

    `parameters` are the numbers of its control state, of the data of its shape in order, and of its
    stack, without those that were simplified away. `start` are the values that data and stack had
    first, all of them, with the placeholder where a value was simplified away since nothing reads
    it. `parent` says whose fork it belongs to, if any: the number of the component,
    of its control state, and of the place in the fork.
    """

    name: str
    shape: Shape
    parameters: tuple[int, ...]
    start: tuple[Term, ...]
    parent: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Summand:
    """For all values of `variables` that meet the guards and equations: an action and updates.

    Terms are over the parameters' variables and `variables`. `action` None is the internal step.
    Parameters that are not updated keep their values. `origin` tells it from all other summands, by
    pairs of a component and a number, in order: the steps of the shapes that were combined, from 0,
    and negative numbers for what the fork or the stack of the component adds. `places` are those of
    the steps.
    """

    variables: tuple[Variable, ...]
    guards: tuple[Guard, ...]
    equations: tuple[tuple[Term, Term], ...]
    action: str | None
    arguments: tuple[Term, ...]
    updates: tuple[tuple[int, Term], ...]
    origin: tuple[tuple[int, int], ...]
    places: tuple[Place, ...]
    duplicates: tuple[Summand, ...] = ()
    """Equal summands that were taken out."""

    @property
    def terms(self) -> Iterator[Term]:
        """All terms: those of the guards, both sides of equations, arguments, and new values."""
        yield from (guard.term for guard in self.guards)
        for sides in self.equations:
            yield from sides
        yield from self.arguments
        yield from (term for _, term in self.updates)


@dataclass(frozen=True, slots=True)
class LinearProcess:
    """A linear process equation with its initial state.

    `unset[sort]` is the placeholder that a parameter of that sort holds while it is not needed; it
    is a normal form but no value of the sort, so no sum ranges over it, and every permutation of
    values leaves it alone.
    """

    specification: Specification
    components: tuple[Component, ...]
    parameters: tuple[Parameter, ...]
    initial: tuple[Term, ...]
    summands: tuple[Summand, ...]
    unset: dict[str, Application]
    comparisons: Mapping[Function, int] = field(default_factory=dict)
    """Maps that say whether rows of so many terms each, one after the other, are all equal."""
    remarks: tuple[str, ...] = ()
    """What was simplified, and why, in words."""
    decisions: tuple[Summand, ...] = ()
    """Conditions that may be neither true nor false: each is the only argument of one that has no
    action, and is asked for wherever the guards and equations of that hold."""

    def numbered(self, number: int) -> Summand:
        """Return a summand, or a decision, by its number in the engine."""
        return (*self.summands, *self.decisions)[number]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The different shapes of components."""
        return tuple({id(c.shape): c.shape for c in self.components}.values())

    @property
    def stacks(self) -> list[int]:
        """The numbers of the parameters that are stacks of calls."""
        return [
            number
            for number, parameter in enumerate(self.parameters)
            if (stack := self.components[parameter.component].shape.stack) is not None
            and parameter.variable.sort == stack.sort
        ]

    @property
    def sorts(self) -> Iterator[str]:
        """The sorts that it needs beyond those of the specification."""
        for shape in self.shapes:
            yield shape.sort
            if shape.stack is not None:
                yield shape.stack.sort

    @property
    def functions(self) -> Iterator[Function]:
        """The functions that it needs beyond those of the specification."""
        for shape in self.shapes:
            yield from (constant.function for constant in shape.constants)
            if shape.running is not None:
                yield shape.running
            if shape.stack is not None:
                yield shape.stack.function
            yield from shape.frames
        yield from (placeholder.function for placeholder in self.unset.values())
        yield from self.comparisons

    @property
    def rules(self) -> Iterator[Rule]:
        """The rules that it needs beyond those of the specification."""
        for shape in self.shapes:
            if shape.running is None:
                continue
            for constant in shape.constants:
                ended = constant == shape.end
                value = self.specification.false if ended else self.specification.true
                yield Rule(Application(shape.running, (constant,)), value, (1, 1))
        true, false = self.specification.true, self.specification.false
        for function, width in self.comparisons.items():
            different = tuple(
                Variable(f"x{place}", sort) for place, sort in enumerate(function.arguments)
            )
            equal = different[:width] * (len(different) // width)
            yield Rule(Application(function, equal), true, (1, 1))
            yield Rule(Application(function, different), false, (1, 1))

    def with_duplicates(self) -> LinearProcess:
        """Return the process with equal summands put back: components are alike with them only."""
        summands = tuple(
            summand
            for kept in self.summands
            for summand in (replace(kept, duplicates=()), *kept.duplicates)
        )
        return replace(self, summands=summands)

    def where(self, summand: Summand) -> str:
        """Return where a summand comes from: components and lines of the text."""
        line_number = self.specification.source.line_number
        steps = [component for component, step in summand.origin if step >= 0]
        return ", ".join(
            f"{self.components[component].name} line {line_number(place[0])}"
            for component, place in zip(steps, summand.places, strict=True)
        )


def constant(name: str, sort: str, *, constructor: bool) -> Application:
    """Return a constant that the specification does not declare."""
    return Application(Function(name, (), sort, constructor))
