"""Live variable analysis: resets or removes parameters that nothing reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from lts.linear.control_flow import ControlFlow
from lts.linear.process import LinearProcess
from lts.linear.simplify.constants import with_what_is_assigned
from lts.linear.simplify.data_flow import DataFlow
from lts.linear.simplify.parameters import (
    kind_of,
    unset_value,
    with_starts,
    without_parameters,
)
from lts.specification.specification import Term, Variable, variables_of

__all__ = ["Liveness"]


class Liveness:
    """The control states in which each data variable is live: read by a step, or needed for one.

    A node is a control state with a data variable of its shape; liveness is propagated backwards
    along the steps. Components of one shape are analysed together. All components must still have
    their control states, since liveness depends on them. The constants of a parameter may take the
    place of the control states, see `DataFlow`.
    """

    def __init__(self, linear: LinearProcess, flow: ControlFlow | DataFlow | None = None) -> None:
        self.linear = linear
        self.flow = flow or ControlFlow(linear)
        self.controls = self.flow.controls
        self.numbers = {p.variable: number for number, p in enumerate(linear.parameters)}
        self.live: set[tuple[int, Term, Variable]] = set()
        self.find()

    def process(self, *, reset: bool, remove: bool) -> LinearProcess:
        """Return the process with dead parameters reset, or removed if they are never live.

        A reset parameter gets the placeholder of its sort.
        """
        process = self.linear
        remarks: list[str] = []
        if reset:
            process = self.reset(remarks)
        if remove:
            used = {(shape, variable) for shape, _, variable in self.live}
            used = with_what_is_assigned(process, used)
            unused = [
                number
                for number, parameter in enumerate(process.parameters)
                if (kind := kind_of(process, parameter)) is not None and kind not in used
            ]
            process = with_starts(process, {n: unset_value(process, n) for n in unused})
            remarks += [
                f"parameter `{process.parameters[number].variable.name}` is never used"
                for number in unused
            ]
            if unused:
                process = without_parameters(process, set(unused))
        return replace(process, remarks=(*process.remarks, *remarks))

    def find(self) -> None:
        """Compute the live nodes."""
        flows: dict[tuple[int, Term, Variable], list[tuple[int, Term, Variable]]]
        flows = defaultdict(list)
        waiting: list[tuple[int, Term, Variable]] = []
        process = self.linear

        def nodes(
            sources: Mapping[int, Sequence[Term]], terms: Iterable[Term]
        ) -> list[tuple[int, Term, Variable]]:
            found = []
            for variable in {v for term in terms for v in variables_of(term)}:
                number = self.numbers.get(variable)
                if number is None:
                    continue
                parameter = process.parameters[number]
                if parameter.origin is None:
                    continue
                shape = process.components[parameter.component].shape
                for source in sources[parameter.component]:
                    found.append((id(shape), source, parameter.origin))
            return found

        for summand in process.summands:
            sources = self.flow.sources(summand)
            targets = self.flow.targets(summand)
            read = [g.term for g in summand.guards] + list(summand.arguments)
            read += [term for equation in summand.equations for term in equation]
            updates = dict(summand.updates)
            for component in {**sources, **targets}:
                shape = process.components[component].shape
                own = sources.get(component, ())
                for number in self.changed(component, targets, updates):
                    parameter = process.parameters[number]
                    if parameter.origin is None:
                        if number in updates and parameter.variable not in self.controls:
                            read.append(updates[number])  # whatever is pushed on a stack is live
                        continue
                    if number in updates and len(own) > 1 and component not in targets:
                        # It is not known whether the new value is needed. If it were kept where it
                        # is not, there might be more states than before.
                        waiting += [(id(shape), source, parameter.origin) for source in own]
                    if number in updates:
                        term = updates[number]
                    elif own:
                        term = parameter.variable
                    else:
                        continue
                    # Without an own control state, a component is started by others.
                    for source in own or (None,):
                        here = sources if source is None else {**sources, component: (source,)}
                        target = targets.get(component, source)
                        assert target is not None, "what is started has a control state"
                        flows[id(shape), target, parameter.origin] += nodes(here, [term])
            waiting += nodes(sources, read)
        for decision in process.decisions:
            waiting += nodes(self.flow.sources(decision), decision.terms)
        while waiting:
            node = waiting.pop()
            if node not in self.live:
                self.live.add(node)
                waiting += flows[node]

    def changed(
        self, component: int, targets: Mapping[int, Term], updates: Mapping[int, Term]
    ) -> Iterable[int]:
        """Return the parameters of a component whose liveness or value may be another one after a
        step: all if it gets another control state, else those that are updated."""
        own = self.linear.components[component].parameters
        return own if component in targets else [n for n in updates if n in own]

    def reset(self, remarks: list[str]) -> LinearProcess:
        """Return the process with dead parameters reset, and append remarks on the changes."""
        process = self.linear
        summands = []
        sometimes: set[int] = set()
        for summand in process.summands:
            sources, targets = self.flow.sources(summand), self.flow.targets(summand)
            old = dict(summand.updates)
            updates = dict(summand.updates)
            for component in {**sources, **targets}:
                shape = process.components[component].shape
                own = sources.get(component, ())
                after = [targets[component]] if component in targets else own
                for number in self.changed(component, targets, old):
                    parameter = process.parameters[number]
                    if parameter.origin is None or parameter.variable in self.controls:
                        continue
                    unset = process.unset[parameter.origin.sort]
                    if any((id(shape), to, parameter.origin) in self.live for to in after):
                        continue
                    updates.pop(number, None)
                    if any((id(shape), source, parameter.origin) in self.live for source in own):
                        updates[number] = unset
                    if updates.get(number) != old.get(number):
                        sometimes.add(number)
            summands.append(replace(summand, updates=tuple(sorted(updates.items(), key=_first))))
        initial = list(process.initial)
        starts = {
            parameter.component: term
            for parameter, term in zip(process.parameters, process.initial, strict=True)
            if parameter.variable in self.controls
        }
        for number, parameter in enumerate(process.parameters):
            if parameter.origin is not None and parameter.variable not in self.controls:
                shape = process.components[parameter.component].shape
                node = (id(shape), starts[parameter.component], parameter.origin)
                if node not in self.live:
                    initial[number] = process.unset[parameter.origin.sort]
        changed = [process.parameters[number] for number in sorted(sometimes)]
        remarks += [
            f"parameter `{parameter.variable}` is reset where it is not read"
            for parameter in changed
        ]
        process = replace(process, reset=process.reset.union(p.variable for p in changed))
        if sometimes or tuple(initial) != process.initial:
            decisions = tuple(map(self.flow.guarded, process.decisions))
            process = replace(process, decisions=decisions)
            summands = [*map(self.flow.guarded, summands)]
        process = replace(process, summands=tuple(summands), initial=tuple(initial))
        return with_starts(process, dict(enumerate(initial)))


def _first(update: tuple[int, Term]) -> int:
    return update[0]
