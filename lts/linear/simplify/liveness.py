"""Live variable analysis: resets or removes parameters that nothing reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from lts.linear.control_flow import control_states, sources_of, targets_of
from lts.linear.process import LinearProcess
from lts.linear.simplify.constants import with_what_is_assigned
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
    their control states, since liveness depends on them.
    """

    def __init__(self, linear: LinearProcess) -> None:
        self.linear = linear
        self.controls = control_states(linear)
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
            sources: Mapping[int, Term], terms: Iterable[Term]
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
                found.append((id(shape), sources[parameter.component], parameter.origin))
            return found

        for summand in process.summands:
            sources = sources_of(summand, self.controls)
            targets = {**sources, **targets_of(process.parameters, summand, self.controls)}
            read = [g.term for g in summand.guards] + list(summand.arguments)
            read += [term for equation in summand.equations for term in equation]
            updates = dict(summand.updates)
            for component, target in targets.items():
                shape = process.components[component].shape
                for number in process.components[component].parameters:
                    parameter = process.parameters[number]
                    if parameter.origin is None:
                        if number in updates and parameter.variable not in self.controls:
                            read.append(updates[number])  # whatever is pushed on a stack is live
                        continue
                    if number in updates:
                        flows[id(shape), target, parameter.origin] += nodes(
                            sources, [updates[number]]
                        )
                    elif component in sources:
                        flows[id(shape), target, parameter.origin].append(
                            (id(shape), sources[component], parameter.origin)
                        )
            waiting += nodes(sources, read)
        for decision in process.decisions:
            waiting += nodes(sources_of(decision, self.controls), decision.terms)
        while waiting:
            node = waiting.pop()
            if node not in self.live:
                self.live.add(node)
                waiting += flows[node]

    def reset(self, remarks: list[str]) -> LinearProcess:
        """Return the process with dead parameters reset, and append remarks on the changes."""
        process = self.linear
        summands = []
        sometimes: set[int] = set()
        for summand in process.summands:
            sources = sources_of(summand, self.controls)
            targets = {**sources, **targets_of(process.parameters, summand, self.controls)}
            old = dict(summand.updates)
            updates = dict(summand.updates)
            for component, target in targets.items():
                shape = process.components[component].shape
                for number in process.components[component].parameters:
                    parameter = process.parameters[number]
                    if parameter.origin is None:
                        continue
                    unset = process.unset[parameter.origin.sort]
                    if (id(shape), target, parameter.origin) in self.live:
                        continue
                    updates.pop(number, None)
                    if (id(shape), sources.get(component), parameter.origin) in self.live:
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
            if parameter.origin is not None:
                shape = process.components[parameter.component].shape
                node = (id(shape), starts[parameter.component], parameter.origin)
                if node not in self.live:
                    initial[number] = process.unset[parameter.origin.sort]
        remarks += [
            f"parameter `{parameter.variable}` is reset where it is not read"
            for number, parameter in enumerate(process.parameters)
            if number in sometimes
        ]
        process = replace(process, summands=tuple(summands), initial=tuple(initial))
        return with_starts(process, dict(enumerate(initial)))


def _first(update: tuple[int, Term]) -> int:
    return update[0]
