"""The control states of a process, and the steps between them.

A control state is the rest of a process, compared syntactically: a name is never identified with
its body. It is a stack of residuals, innermost first. A residual is either a call, whose arguments
become data whatever terms they are written as, or a part of one process body that begins with
something else; it carries the composition of the `encap`, `hide` and `rename` operators around it.
The free variables of the residuals are the data of the control state. The top of the stack may be a
fork: processes that run in parallel, each in a configuration of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace

from lts.linear.call_graph import Recursion
from lts.linear.control_state import (
    Configuration,
    Control,
    ControlStep,
    Decision,
    Fork,
    Residual,
    Values,
)
from lts.linear.first_steps import (
    Forked,
    Fragment,
    Item,
    Starts,
    _around,
    _relabelled,
    fresh_name,
)
from lts.linear.ground_terms import GroundTerms
from lts.linear.hash_consing import ProcessTable
from lts.linear.parallel.relabelling import IDENTITY, Relabelling
from lts.specification.specification import (
    Call,
    Encap,
    Hide,
    Parallel,
    Process,
    Rename,
    Sequence,
    Specification,
    Term,
    Variable,
    substitute,
)

__all__ = ["Unfolding"]


class Unfolding:
    """Computes the control states of one specification."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.processes = ProcessTable()
        self.ground_terms = GroundTerms(specification)
        self.recursion = Recursion(specification)

    def initial(self, process: Process, *, stacked: bool) -> Configuration:
        """Return the configuration in which a closed process starts."""
        return self._configuration([Fragment(process, {}, None)], stacked)

    def after_pop(self, residual: Residual) -> Configuration:
        """Return the configuration in which a residual starts that is popped from the stack."""
        return self._configuration([self._fragment(residual)], stacked=True)

    def after_fork(self, control: Control) -> Configuration:
        """Return the configuration after all processes of the fork on top have terminated."""
        return self._configuration(self._rest(control), stacked=False)

    def data(self, control: Control) -> dict[Variable, None]:
        """Return the data variables of a control state, in order of their first occurrence."""
        residuals = (residual for residual in control if isinstance(residual, Residual))
        return dict.fromkeys(
            v for residual in residuals for v in self.processes.free(residual.process)
        )

    def steps(self, control: Control, *, stacked: bool) -> tuple[list[ControlStep], list[Decision]]:
        """Return the steps of a control state that is not a fork, and the decisions for them.

        Steps are in the order of the text, without duplicates: each duplicate would otherwise be
        multiplied by every communication with other components.
        """
        if not control:
            return [], []
        head = control[0]
        assert isinstance(head, Residual)
        start = Starts(
            self.specification,
            self.processes,
            self.ground_terms,
            {v.name for v in self.data(control)},
        )
        identity: Values = {v: v for v in self.processes.free(head.process)}
        found = start.unfold(head.process, identity, None, frozenset())
        rest = self._rest(control)
        steps = (
            ControlStep(
                s.variables, s.guards, s.equations, s.action, s.arguments,
                self._configuration([*s.remaining, *rest], stacked), s.place,
            )
            for s in _relabelled(found, head.relabelling)
        )  # fmt: skip
        distinct: dict[object, ControlStep] = {}
        for step in steps:
            distinct.setdefault(step.content, step)
        return list(distinct.values()), start.decisions

    def _rest(self, control: Control) -> list[Fragment]:
        return [
            self._fragment(residual) for residual in control[1:] if isinstance(residual, Residual)
        ]

    def _fragment(self, residual: Residual) -> Fragment:
        identity: Values = {v: v for v in self.processes.free(residual.process)}
        return Fragment(residual.process, identity, None, residual.relabelling)

    def _configuration(self, remaining: Iterable[Item], stacked: bool) -> Configuration:
        return self._named(list(self._normal(remaining)), stacked)

    def _named(self, items: list[Item], stacked: bool) -> Configuration:
        """Return the configuration of normalised items; variables get names unique in it."""
        control: list[Residual | Fork] = []
        data: dict[Variable, Term] = {}
        leaves: tuple[Configuration, ...] = ()
        taken: set[str] = set()
        for item in items[:1] if stacked else items:
            if isinstance(item, Forked):
                control.append(Fork(len(item.leaves), item.relabelling, item.place))
                leaves = tuple(self._named(list(leaf), stacked) for leaf in item.leaves)
                continue
            renamed: dict[Variable, Term] = {}
            for variable in self.processes.free(item.process):
                name = fresh_name(variable.name, taken)
                taken.add(name)
                data[Variable(name, variable.sort)] = item.values[variable]
                renamed[variable] = Variable(name, variable.sort)
            control.append(
                Residual(self.processes.instance(item.process, renamed), item.relabelling)
            )
        stack: list[tuple[Residual, Values]] = []
        for item in items[1:] if stacked else ():
            assert isinstance(item, Fragment)
            values = {v: item.values[v] for v in self.processes.free(item.process)}
            stack.append((Residual(self.processes.intern(item.process), item.relabelling), values))
        return Configuration(tuple(control), data, leaves, tuple(stack))

    def _normal(self, remaining: Iterable[Item]) -> Iterator[Item]:
        """Normalise the rest of a process: expand leading calls, relabellings and forks.

        The arguments of calls become data. Only the first item can become a fork.
        """
        first = True
        waiting = deque(remaining)
        while waiting:
            item = waiting.popleft()
            if isinstance(item, Forked):
                found = self._forked(item)
                if isinstance(found, Forked):
                    yield found
                    first = False
                else:
                    waiting.extendleft(reversed(found))
                continue
            head, rest = (
                (item.process.first, item.process.second)
                if isinstance(item.process, Sequence)
                else (item.process, None)
            )
            match head:
                case Call(name, arguments, place):
                    parameters, _ = self.specification.definitions[name]
                    values = (substitute(argument, item.values) for argument in arguments)
                    yield Fragment(
                        Call(name, parameters, place),
                        dict(zip(parameters, values, strict=True)),
                        None,
                        item.relabelling,
                    )
                    first = False
                    if self.recursion.is_endless(name):
                        return
                case Encap() | Hide() | Rename():
                    around = Relabelling.of(head).then(item.relabelling)
                    if rest is not None:
                        waiting.appendleft(replace(item, process=rest))
                    waiting.appendleft(replace(item, process=head.body, relabelling=around))
                    continue
                case Parallel(processes, place) if first:
                    leaves = tuple(
                        (replace(item, process=process, relabelling=IDENTITY),)
                        for process in processes
                    )
                    if rest is not None:
                        waiting.appendleft(replace(item, process=rest))
                    waiting.appendleft(Forked(leaves, item.relabelling, place))
                    continue
                case _:
                    yield item
                    first = False
                    continue
            if rest is not None:
                waiting.appendleft(replace(item, process=rest))

    def _forked(self, fork: Forked) -> Forked | tuple[Item, ...]:
        """Normalise the leaves of a fork: drop terminated leaves and flatten nested forks.

        If fewer than two leaves remain, it is no fork: the items of the remaining leaf, if any, are
        returned.
        """
        leaves: list[tuple[Item, ...]] = []
        for leaf in fork.leaves:
            match tuple(self._normal(leaf)):
                case ():
                    pass
                case (Forked(inner, relabelling),) if relabelling == IDENTITY:
                    leaves += inner
                case normal:
                    leaves.append(normal)
        if len(leaves) > 1:
            return replace(fork, leaves=tuple(leaves))
        return tuple(_around(item, fork.relabelling) for leaf in leaves for item in leaf)
