"""Linear processes, the form that specifications are translated to before states are generated.

    X(d) = sum_i sum(e_i) a_i(f_i(d,e_i)) . X(g_i(d,e_i)) <| c_i(d,e_i) |> delta

A state is a vector of values, one for each parameter. Parameters and summands record where they
come from, for symmetry and error messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from lts.errors import Unsupported
from lts.linear.control_state import Control, Guard, Residual
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    Term,
    Variable,
)
from lts.text.source import Place

__all__ = [
    "Component",
    "LinearProcess",
    "Parameter",
    "Shape",
    "Summand",
    "TakesPart",
    "constant",
]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the linear process: a component's control state, stack, or one of its data."""

    variable: Variable
    component: int
    origin: Variable | None
    """The variable in the text whose value it holds; None for a control state or stack."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What components with the same behaviour have in common: control states, data, steps.

    `states[k]` is represented by the constant `constants[k]` of sort `sort`. If recursion can grow
    without bound, the calls to return to are a term of sort `stack`: `frames[k]` pushes the
    residual `residuals[k]` with its data.
    """

    name: str
    sort: str
    states: tuple[Control, ...]
    constants: tuple[Application, ...]
    data: tuple[Variable, ...]
    end: Application | None = None
    """The control state of a terminated component, if it can terminate."""
    running: Function | None = None
    """A map that is true for all control states but `end`; only leaves of forks need it."""
    stack: Application | None = None
    """The empty stack."""
    residuals: tuple[Residual, ...] = ()
    frames: tuple[Function, ...] = ()


@dataclass(frozen=True, slots=True)
class Component:
    """One of the processes that run in parallel.

    `parameters` are the numbers of its control state, of the data of its shape in order, and of its
    stack, without those removed by simplification. `start` has the initial values of all data and
    the stack; the placeholder stands for a value that was removed because nothing reads it.
    `parent` is the position of a leaf in a fork, if it is one: the numbers of the component that
    forks, of the control state, and of the leaf.
    """

    name: str
    shape: Shape
    parameters: tuple[int, ...]
    start: tuple[Term, ...]
    parent: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class TakesPart:
    """How a summand takes part in steps of several parallel processes at once: the number of its
    process, and the names of its actions inside the operators around the processes."""

    process: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summand:
    """For all `variables` that satisfy the guards and equations: an action and updates.

    Terms are over the parameters' variables and `variables`. If `action` is None, it is the
    internal action. Parameters that are not updated keep their values. `origin` identifies the
    summand by sorted pairs of a component and a number: numbers from 0 are the combined steps of
    the shapes, negative ones are additions for a fork or stack of the component. `places` are the
    places of the steps.
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
    """Equal summands that were removed as duplicates."""
    takes_part: TakesPart | None = None
    """None for a summand with steps of its own; otherwise it has steps only together with other
    parallel processes."""

    @property
    def terms(self) -> Iterator[Term]:
        """All terms: guards, both sides of equations, arguments, and updates."""
        yield from (guard.term for guard in self.guards)
        for sides in self.equations:
            yield from sides
        yield from self.arguments
        yield from (term for _, term in self.updates)


@dataclass(frozen=True, slots=True)
class LinearProcess:
    """A linear process equation with its initial state.

    `unset[sort]` is the placeholder for a parameter of that sort while its value is not needed. It
    is a normal form but not a value of the sort: no sum ranges over it, and every permutation of
    values fixes it.
    """

    specification: Specification
    components: tuple[Component, ...]
    parameters: tuple[Parameter, ...]
    initial: tuple[Term, ...]
    summands: tuple[Summand, ...]
    unset: dict[str, Application]
    comparisons: Mapping[Function, int] = field(default_factory=dict)
    """Maps that test tuples of terms for equality, with the length of a tuple; the tuples are
    concatenated."""
    remarks: tuple[str, ...] = ()
    """The simplifications made, with reasons, in words."""
    reset: frozenset[Variable] = frozenset()
    """Parameters whose values are reset where nothing reads them, which may merge states that
    differ in the text; later simplifications may have removed some of them."""
    decisions: tuple[Summand, ...] = ()
    """Conditions that may be neither true nor false. Each is the only argument of a summand without
    an action; it is evaluated wherever the summand's guards and equations hold."""
    admitted: frozenset[tuple[str, ...]] | None = None
    """The names of actions that may happen together, as sorted tuples; None if all may."""

    @property
    def parameter_remarks(self) -> tuple[str, ...]:
        """The remarks on parameters that were removed or are reset, for comments in its text."""
        return tuple(remark for remark in self.remarks if remark.startswith("parameter `"))

    @property
    def reset_names(self) -> tuple[str, ...]:
        """The variables of the text whose values are reset where nothing reads them."""
        names = {
            p.origin.name: None for p in self.parameters if p.origin and p.variable in self.reset
        }
        return tuple(names)

    def __repr__(self) -> str:
        return (
            f"<LinearProcess: {len(self.components)} components, {len(self.parameters)} "
            f"parameters, {len(self.summands)} summands>"
        )

    def expect_written_out(self) -> None:
        """Raise `Unsupported` if some steps of several processes at once have no summand."""
        if any(summand.takes_part for summand in self.summands):
            message = "steps of several processes at once have no summands"
            hint = "linearise without `simultaneous`"
            raise Unsupported(f"{message}: {hint}", file=self.specification.source.file)

    def numbered(self, number: int) -> Summand | None:
        """Return a summand, or a decision, by its number in the engine; None for the steps of
        several parallel processes at once."""
        numbered = (*self.summands, *self.decisions)
        return numbered[number] if number < len(numbered) else None

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The distinct shapes of the components."""
        return tuple({id(c.shape): c.shape for c in self.components}.values())

    @property
    def stacks(self) -> list[int]:
        """The numbers of the parameters that are call stacks."""
        return [
            number
            for number, parameter in enumerate(self.parameters)
            if (stack := self.components[parameter.component].shape.stack) is not None
            and parameter.variable.sort == stack.sort
        ]

    @property
    def sorts(self) -> Iterator[str]:
        """The sorts in addition to those of the specification."""
        known = self.specification.sorts
        for shape in self.shapes:
            if shape.sort not in known:
                yield shape.sort
            if shape.stack is not None and shape.stack.sort not in known:
                yield shape.stack.sort

    @property
    def functions(self) -> Iterator[Function]:
        """The functions in addition to those of the specification."""
        known = set(self.specification.functions)
        return (function for function in self.own_functions() if function not in known)

    def own_functions(self) -> Iterator[Function]:
        """Yield the functions that linearisation added."""
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
        """The rules in addition to those of the specification."""
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
        """Return the process with duplicate summands restored.

        A symmetry of the components may map a summand to one that was removed as a duplicate.
        """
        summands = tuple(
            summand
            for first in self.summands
            for summand in (replace(first, duplicates=()), *first.duplicates)
        )
        return replace(self, summands=summands)

    def where(self, summand: Summand) -> str:
        """Return in words where a summand comes from: components and lines of the text."""
        line_number = self.specification.source.line_number
        steps = [component for component, step in summand.origin if step >= 0]
        return ", ".join(
            f"{self.components[component].name} line {line_number(place[0])}"
            for component, place in zip(steps, summand.places, strict=True)
        )


def constant(name: str, sort: str, *, constructor: bool) -> Application:
    """Return a constant that is not declared in the specification."""
    return Application(Function(name, (), sort, constructor))
