"""Follows the operators of a specification from the outside to its components."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from lts.linear.parallel.multi_actions import Filter
from lts.linear.parallel.synchronisation import Communications
from lts.network.specification.actions import JointStep
from lts.network.specification.synchronisation import (
    at_once,
    bag_of,
    merge,
    relabelled,
    under,
)
from lts.specification.specification import (
    Allow,
    Call,
    Comm,
    Encap,
    Hide,
    Parallel,
    Process,
    ProcessName,
    Rename,
    Specification,
    instantiate,
)

__all__ = ["Walk"]


class Walk:
    """Composes the steps of components, each given by `own`, by the operators around them.

    A process in `joint` is a single component, even if it is a composition.
    """

    def __init__(
        self,
        specification: Specification,
        own: Callable[[Process], list[JointStep]],
        joint: Container[Process],
    ) -> None:
        self.specification = specification
        self.own = own
        self.joint = joint
        self.around: list[Process | None] = []
        """For each component the nearest operator around it that blocks actions; None if that
        contains all components."""
        self._forbidding: list[Process | None] = [None]
        self._is_inside = False

    def compose(
        self,
        process: Process,
        calls: frozenset[ProcessName],
        around: Filter,
        comm: Communications | None = None,
    ) -> list[JointStep]:
        """Return the steps of a closed process that pass `around`, after those of `comm`."""
        if process in self.joint:
            return self._component(process, around)
        before = self._is_inside
        self._is_inside = before or isinstance(process, Parallel)
        is_forbidding = isinstance(process, Allow | Encap)
        if is_forbidding:
            self._forbidding.append(process if before else None)
        found = self._composed(process, calls, around, comm)
        if is_forbidding:
            self._forbidding.pop()
        self._is_inside = before
        return found

    def _component(self, process: Process, around: Filter) -> list[JointStep]:
        self.around.append(self._forbidding[-1])
        return [step for step in self.own(process) if around.admits(bag_of(step))]

    def _composed(
        self,
        process: Process,
        calls: frozenset[ProcessName],
        around: Filter,
        comm: Communications | None,
    ) -> list[JointStep]:
        communications = self.specification.communications
        match process:
            case Parallel(processes):
                if communications is None:
                    return self.side_by_side(processes, calls, around, comm)
                steps: list[JointStep] = []
                for operand in processes:
                    other = self.compose(operand, calls, around)
                    steps = merge(steps, other, communications) if steps else other
                return steps
            case Allow() | Comm() | Encap() | Hide() | Rename():
                if communications is None:
                    pairs = (
                        Communications(process.pairs, around) if isinstance(process, Comm) else None
                    )
                    inside = self.compose(process.body, calls, around.inside(process), pairs)
                    return under(inside, process, around)
                assert not isinstance(process, Allow | Comm)
                return relabelled(self.compose(process.body, calls, around), process)
            case Call(name, arguments) if name not in calls:
                parameters, body = self.specification.definitions[name]
                if self.specification.is_composition(body, calls | {name}):
                    values = dict(zip(parameters, arguments, strict=True))
                    return self.compose(instantiate(body, values), calls | {name}, around, comm)
        return self._component(process, around)

    def side_by_side(
        self,
        processes: Sequence[Process],
        calls: frozenset[ProcessName],
        around: Filter,
        comm: Communications | None,
    ) -> list[JointStep]:
        """Return the steps of processes in parallel, including simultaneous steps of several."""
        one_of_them = around.opened()
        lists = [self.compose(process, calls, one_of_them) for process in processes]
        offered = [{bag_of(step) for step in steps} for steps in lists]
        found: list[JointStep] = []
        for number, steps in enumerate(lists, start=1):
            inside = around.before(offered[number:])
            together = at_once(found, steps, inside, comm)
            found = [step for step in (*found, *steps, *together) if inside.admits(bag_of(step))]
        return found
