"""The static rules of processes: resolves names in syntax trees of processes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from lts.base.spelling import near
from lts.errors import SpecificationError, Unsupported
from lts.mcrl2.static.action_sets import ActionSets
from lts.mcrl2.static.declarations import Declarations, Scope, declared_as
from lts.mcrl2.static.inference import Inference
from lts.mcrl2.static.options import Typing
from lts.mcrl2.text import data_tree, tree
from lts.specification import specification as typed
from lts.specification.generators import Recursion, run
from lts.text.names import Name
from lts.text.source import Place
from lts.text.syntax import flat

__all__ = ["Processes"]

T = TypeVar("T", typed.ActionName, typed.ProcessName)


class Processes:
    """Resolves the names in processes; errors are added to the report of the declarations."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.declared: Declarations = inference.declared
        self.action_sets = ActionSets(self.declared)
        self.current: Mapping[str, typed.Variable] | None = None
        """The parameters of the process whose definition is being read."""

    def body(
        self, process: tree.Process, parameters: Iterable[typed.Variable] | None, scope: Scope
    ) -> typed.Process:
        """Return the body of a process with these parameters; after an error, any process.

        `parameters` is None for the initial process.
        """
        self.current = None if parameters is None else {v.name: v for v in parameters}
        found: typed.Process = run(self._process(process, scope))
        return found

    def body_of(
        self, definition: tree.Definition, parameters: Iterable[typed.Variable], scope: Scope
    ) -> typed.Process:
        """Return the body of a definition, like `body`."""
        with self.declared.within(definition.parameters, scope):
            return self.body(definition.body, parameters, scope)

    def _process(self, process: tree.Process, scope: Scope) -> Recursion[typed.Process]:
        match process:
            case tree.Call():
                return self._call(process, scope)
            case tree.Assignments():
                return self._assignments(process, scope)
            case tree.Sequence():
                parts = yield self._all(flat(process, tree.Sequence), scope)
                result: typed.Process = parts[-1]
                for part in reversed(parts[:-1]):
                    result = typed.Sequence(part, result)
                return result
            case tree.Choice(alternatives):
                return typed.Choice((yield self._all(alternatives, scope)))
            case tree.Delta():
                return typed.DELTA
            case tree.Tau(place):
                return typed.Tau(place)
            case tree.Condition(condition, then, otherwise):
                term = self.inference.term(condition, "Bool", scope, "a condition")
                first = yield self._process(then, scope)
                second: typed.Process = typed.DELTA
                if otherwise is not None:
                    second = yield self._process(otherwise, scope)
                if term is None:
                    return typed.DELTA
                return typed.Condition(first, term, second, data_tree.place_of(condition))
            case tree.Sum(variables, body):
                inner, bound = self._bound(variables, scope)
                with self.declared.within(variables, inner):
                    result = yield self._process(body, inner)
                for variable in reversed(bound):
                    result = typed.Sum(variable, result)
                return result
            case tree.Parallel(processes, place):
                return typed.Parallel((yield self._all(processes, scope)), place)
            case tree.LeftMerge(first_tree, second_tree, place):
                sides = yield self._all((first_tree, second_tree), scope)
                return typed.LeftMerge(sides[0], sides[1], place)
            case tree.Synchronous(_, place):
                parts = yield self._all(flat(process, tree.Synchronous), scope)
                return _together(parts, place)
            case tree.Encap(names, body, place):
                blocked = self.action_sets.names(names)
                return typed.Encap(blocked, (yield self._process(body, scope)), place)
            case tree.Hide(names, body, place):
                hidden = self.action_sets.names(names)
                return typed.Hide(hidden, (yield self._process(body, scope)), place)
            case tree.Allow(actions, body, place):
                allowed = self.action_sets.allowed(actions)
                return typed.Allow(allowed, (yield self._process(body, scope)), place)
            case tree.Comm(pairs, body, place):
                communications = self.action_sets.communications(pairs)
                return typed.Comm(communications, (yield self._process(body, scope)), place)
            case tree.Rename(renamed, body, place):
                renaming = self.action_sets.renaming(renamed)
                return typed.Rename(renaming, (yield self._process(body, scope)), place)
            case tree.At(timed, time, place):
                self._timed("@", place)
                self.inference.term(time, "Real", scope, "a time")
                untimed: typed.Process = yield self._process(timed, scope)
                return untimed
            case tree.Until(first_tree, second_tree, place):
                self._timed("<<", place)
                initial: typed.Process = yield self._process(first_tree, scope)
                yield self._process(second_tree, scope)
                return initial
            case tree.Distribution(variables, density, body, place):
                self._refuse("dist", "processes are not probabilistic", place)
                inner, _ = self._bound(variables, scope)
                with self.declared.within(variables, inner):
                    self.inference.typing(density, inner)
                    yield self._process(body, inner)
        return typed.DELTA

    def _all(
        self, processes: Iterable[tree.Process], scope: Scope
    ) -> Recursion[tuple[typed.Process, ...]]:
        found: list[typed.Process] = []
        for process in processes:
            found.append((yield self._process(process, scope)))
        return tuple(found)

    def _timed(self, operator: str, place: Place) -> None:
        """Refuse an operator on time; if times are ignored, add a remark instead."""
        if not self.declared.tree.ignores_time:
            why = "processes are untimed (--ignore-time ignores times)"
            self._refuse(operator, why, place)
        elif self.declared.is_new("time", "ignored"):
            self.declared.sorts.remarks.append(
                ("times are ignored (--ignore-time), from here on", place)
            )

    def _refuse(self, operator: str, why: str, place: Place) -> None:
        if self.declared.is_new("time", operator):
            self.declared.error(f"`{operator}` is not supported: {why}", place, Unsupported)

    def _bound(
        self, variables: Sequence[data_tree.Variable], scope: Scope
    ) -> tuple[Scope, list[typed.Variable]]:
        """Return the scope of a sum's body, and the variables of the sum."""
        inner = self.declared.scope(variables)
        bound = [variable for variable in inner.values() if isinstance(variable, typed.Variable)]
        return {**scope, **inner}, bound

    def _call(self, call: tree.Call[data_tree.Data], scope: Scope) -> typed.Process:
        name = call.name
        if not self.declared.actions.get(name) and not self.declared.processes.get(name):
            self._unknown(name)
            return typed.DELTA
        parts = tuple([self.inference.typing(argument, scope) for argument in call.arguments])
        actions = self.declared.actions.get(name)
        if actions:
            action = self._overload("action", name, parts, {a: a.sorts for a in actions})
            arguments = None if action is None else self._built(parts, action.sorts)
            if action is None or arguments is None:
                return typed.DELTA
            self.declared.uses.use(name, ("action", str(name)))
            return typed.Action(action, arguments, name.place)
        processes = self.declared.processes[name]
        process = self._overload("process", name, parts, {p: p.sorts for p in processes})
        arguments = None if process is None else self._built(parts, process.sorts)
        if process is None or arguments is None:
            return typed.DELTA
        self.declared.uses.use(name, ("process", process))
        return typed.Call(process, arguments, name.place)

    def _built(
        self, parts: tuple[Typing, ...], sorts: tuple[str, ...]
    ) -> tuple[typed.Term, ...] | None:
        found = [self.inference.built(p, sort) for p, sort in zip(parts, sorts, strict=True)]
        terms = tuple([term for term in found if term is not None])
        return terms if len(terms) == len(found) else None

    def _overload(
        self,
        kind: str,
        name: Name,
        parts: tuple[Typing, ...],
        overloads: Mapping[T, tuple[str, ...]],
    ) -> T | None:
        """Return the overload that fits the arguments best; None after a reported error."""
        if not all(part.options for part in parts):
            return None
        found: list[tuple[int, T]] = []
        for overload, sorts in overloads.items():
            if len(sorts) != len(parts):
                continue
            costs = [part.cost(sort) for part, sort in zip(parts, sorts, strict=True)]
            if None not in costs:
                found.append((sum(cost for cost in costs if cost is not None), overload))
        if not found:
            if name not in self.declared.wrong:
                listed = [(sorts, _shown(overload)) for overload, sorts in overloads.items()]
                self.inference.mismatch(kind, name, parts, listed)
            return None
        least = min(cost for cost, _ in found)
        best = [overload for cost, overload in found if cost == least]
        if len(best) > 1:
            message = f"this may be `{_shown(best[0])}` or `{_shown(best[1])}`"
            self.declared.error(message, name.place)
            return None
        return best[0]

    def _unknown(self, name: Name) -> None:
        declared = self.declared
        if name in declared.wrong or not declared.is_new("process", name):
            return
        known = [*(n for n, of in declared.actions.items() if of), *declared.processes]
        declared.report.add(
            SpecificationError,
            lambda: f"there is no action or process `{name}`{near(name, known)}",
            name.place,
        )

    def _assignments(self, call: tree.Assignments, scope: Scope) -> typed.Process:
        """Return a call in which parameters that are not assigned retain their values."""
        name = call.name
        assigned: dict[str, data_tree.Data] = {}
        for target, value in call.assignments:
            if target in assigned:
                self.declared.error(f"`{target}` is assigned twice", target.place)
            assigned[str(target)] = value
        process = self._assigned_process(call, assigned)
        if process is None:
            return typed.DELTA
        self.declared.uses.use(name, ("process", process))
        for target, _ in call.assignments:
            self.declared.uses.use(target, ("variable", self._parameter(process, target)))
        terms: list[typed.Term] = []
        wrong = False
        for parameter in self.declared.parameters[process]:
            if parameter.name in assigned:
                what = f"parameter `{parameter.name}`"
                value = assigned[parameter.name]
                term = self.inference.term(value, parameter.sort, scope, what)
            else:
                term = scope.get(parameter.name)
                is_retained = self.current is None or self.current.get(parameter.name) == parameter
                if term is None or not is_retained or term.sort != parameter.sort:
                    message = f"parameter `{parameter}` of `{name}` has no value"
                    self.declared.error(message, name.place)
                    term = None
            if term is None:
                wrong = True
            else:
                terms.append(term)
        return typed.DELTA if wrong else typed.Call(process, tuple(terms), name.place)

    def _parameter(self, process: typed.ProcessName, name: Name) -> Place | None:
        """Return the place where a process declares a parameter."""
        return next(
            (
                declared.name.place
                for known, definition, *_ in self.declared.headers
                for declared in definition.parameters
                if known == process and declared.name == name
            ),
            None,
        )

    def _assigned_process(
        self, call: tree.Assignments, assigned: Mapping[str, data_tree.Data]
    ) -> typed.ProcessName | None:
        name = call.name
        overloads = self.declared.processes.get(name)
        if not overloads:
            if name in self.declared.actions:
                message = f"`{name}` is an action: it has no parameters to assign"
                if not assigned:
                    message = f"`{name}` is an action: leave out the parentheses"
                self.declared.error(message, name.place)
            else:
                self._unknown(name)
            return None
        found = [
            process
            for process in overloads
            if assigned.keys() <= {v.name for v in self.declared.parameters[process]}
        ]
        if len(found) == 1:
            return found[0]
        if found:
            message = f"this may be `{found[0]}` or `{found[1]}`"
            self.declared.error(message, name.place)
            return None
        names = [v.name for process in overloads for v in self.declared.parameters[process]]
        unknown = next((p for p, _ in call.assignments if p not in names), None)
        if unknown is None:
            self.declared.error(f"there is no `{name}` with all of these parameters", name.place)
        else:
            message = f"`{name}` has no parameter `{unknown}`{near(unknown, names)}"
            self.declared.error(message, unknown.place)
        return None


def _shown(overload: typed.ActionName | typed.ProcessName) -> str:
    return declared_as(overload) if isinstance(overload, typed.ActionName) else str(overload)


def _together(parts: tuple[typed.Process, ...], place: Place) -> typed.Process:
    """Return the synchronous composition of processes; of actions it is a multi-action."""
    actions = [part for part in parts if isinstance(part, typed.Action)]
    if len(actions) + sum(isinstance(part, typed.Tau) for part in parts) < len(parts):
        return typed.Communication(parts, place)
    if len(actions) > 1:
        return typed.MultiAction(tuple(actions))
    return actions[0] if actions else parts[0]
