"""The static rules of muCRL: from a syntax tree to a typed specification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lts.base.spelling import near
from lts.errors import SpecificationError, Unsupported
from lts.mucrl.static.declarations import Declarations, Scope, Sorts, applied, overload
from lts.mucrl.static.numbers import library_numbers
from lts.mucrl.static.places import first_difference, first_use
from lts.mucrl.static.terms import Resolver, copied
from lts.mucrl.text import tree
from lts.specification import specification as typed
from lts.specification.alphabets import without_effect
from lts.specification.generators import Recursion, run
from lts.text.names import Name
from lts.text.source import Place
from lts.text.syntax import flat
from lts.text.uses import Uses

__all__ = ["check"]


def check(
    tree: tree.Specification,
    parameters: Mapping[str, int] | None = None,
    *,
    strict: bool = False,
    uses: Uses | None = None,
) -> typed.Specification:
    """Resolve every name and check every static rule.

    `parameters` are those that the text was expanded with; they are only recorded. `uses` is given
    the places of all names, also if there are errors. With `strict`, a
    violation of a rule is an error even if the text still has a meaning, and a closed term that no
    equation matches is not a value. Raises `SpecificationError` with the place of each violation,
    and `Unsupported` for time.
    """
    return _Checker(tree, strict, uses or Uses()).specification(parameters or {})


class _Checker(Resolver):
    """Resolves the names in equations and processes."""

    def __init__(self, tree: tree.Specification, strict: bool, uses: Uses) -> None:
        super().__init__(Declarations(tree, strict, uses))
        self.tree = tree
        self.strict = strict
        self.scopes: dict[int, Scope] = {}
        """The scope of each `var` section, by the identity of its declarations."""

    def specification(self, parameters: Mapping[str, int]) -> typed.Specification:
        """Return the specification, or raise all errors found in it."""
        tree = self.tree
        rules = [self.rule(equation) for equation in tree.equations]
        functions = tuple(self.declared.functions.values())
        known = tuple(rule for rule in rules if rule is not None)
        self.numbers, functions, known = library_numbers(self.declared, functions, known)
        definitions = {
            name: (parameters_of, self.body_of(definition, scope))
            for name, definition, parameters_of, scope in self.declared.headers
        }
        initial = self.initial()
        self.declared.report.raise_errors()
        absent = (
            str(tree.source.error(SpecificationError, *each))
            for each in without_effect(definitions, initial, "encap", self.declared.communications)
        )
        return typed.Specification(
            source=tree.source,
            sorts=tuple(self.declared.sorts),
            functions=functions,
            rules=known,
            actions=frozenset(self.declared.actions.values()),
            communications=self.declared.communications,
            definitions=definitions,
            initial=initial,
            parameters=parameters,
            strict=self.strict,
            remarks=(*self.declared.remarks, *absent),
            numbers=self.numbers,
        )

    def rule(self, equation: tree.Equation) -> typed.Rule | None:
        scope = self.scopes.get(id(equation.variables))
        if scope is None:
            scope = self.scopes[id(equation.variables)] = self.declared.scope(equation.variables)
        with self.declared.within(equation.variables, scope):
            left, right = self.term(equation.left, scope), self.term(equation.right, scope)
        place = equation.left.name.place
        if isinstance(left, typed.Variable):
            self.declared.error("the left side is only a variable", place)
            return None
        if left is None:
            return None
        function = left.function
        self.declared.uses.equation(("function", function.name, function.arguments), place)
        if left.sort == "Bool" and left.function.constructor:
            self.declared.error(
                f"the left side is the constructor `{left}`, which cannot be rewritten", place
            )
        if right is None:
            return None
        if left.sort != right.sort:
            self.declared.error(
                f"the left side has sort `{left.sort}`, the right side `{right.sort}`",
                equation.right.name.place,
            )
        free = set(typed.variables_of(right))
        if free:
            free.difference_update(typed.variables_of(left))
        for variable in free:
            self.declared.error(
                f"variable `{variable}` does not occur on the left side",
                first_use(equation.right, variable.name),
            )
        return typed.Rule(left, right, place)

    def initial(self) -> typed.Process:
        if not self.tree.initial:
            self.declared.error("there is no `init`", self.tree.end)
        for _, place in self.tree.initial[1:]:
            self.declared.error("there is already an `init`", place)
        bodies = [self.body(process, {}) for process, _ in self.tree.initial]
        return bodies[0] if bodies else typed.DELTA

    def body_of(self, definition: tree.Definition, scope: Scope) -> typed.Process:
        with self.declared.within(definition.parameters, scope):
            return self.body(definition.body, scope)

    def body(self, process: tree.Process, scope: Scope) -> typed.Process:
        return run(self.process(process, scope))

    def process(self, process: tree.Process, scope: Scope) -> Recursion[typed.Process]:
        """Return the process with its names resolved; after an error, any process."""
        match process:
            case tree.Call():
                return self.call(process, scope)
            case tree.Sequence():
                parts = yield self.parts(flat(process, tree.Sequence), scope)
                result: typed.Process = parts[-1]
                for part in reversed(parts[:-1]):
                    result = typed.Sequence(part, result)
                return result
            case tree.Choice(alternatives):
                return typed.Choice((yield self.parts(alternatives, scope)))
            case tree.Delta():
                return typed.DELTA
            case tree.Tau(place):
                return typed.Tau(place)
            case tree.Condition(then, condition, otherwise):
                term = self.condition(condition, scope)
                branches = yield self.parts((then, otherwise), scope)
                return typed.Condition(branches[0], term, branches[1], condition.name.place)
            case tree.Sum(name, sort, body):
                variable = self.declared.variable(name, sort)
                hidden = name in scope, scope.get(name)
                scope[str(name)] = variable
                with self.declared.uses.within(((name, str(sort)),)):
                    inner = yield self.process(body, scope)
                del scope[str(name)]
                if hidden[0]:
                    scope[str(name)] = hidden[1]
                return inner if variable is None else typed.Sum(variable, inner)
            case tree.Parallel(processes, place):
                return typed.Parallel((yield self.parts(processes, scope)), place)
            case tree.Synchronous(processes, place):
                return typed.Communication((yield self.parts(processes, scope)), place)
            case tree.LeftMerge(first, second, place):
                sides = yield self.parts((first, second), scope)
                return typed.LeftMerge(sides[0], sides[1], place)
            case tree.Encap(names, body, place):
                actions = self.action_set(names)
                return typed.Encap(actions, (yield self.process(body, scope)), place)
            case tree.Hide(names, body, place):
                actions = self.action_set(names)
                return typed.Hide(actions, (yield self.process(body, scope)), place)
            case tree.Rename(pairs, body, place):
                renamed = self.renaming(pairs)
                return typed.Rename(renamed, (yield self.process(body, scope)), place)
            case tree.At(timed, time, place):
                self.timed("@", place)
                self.term(time, scope)
                yield self.process(timed, scope)
                return typed.DELTA
            case tree.Until(first, second, place):
                self.timed("<<", place)
                yield self.parts((first, second), scope)
                return typed.DELTA

    def parts(
        self, processes: Iterable[tree.Process], scope: Scope
    ) -> Recursion[tuple[typed.Process, ...]]:
        found: list[typed.Process] = []
        for process in processes:
            if isinstance(process, tree.Call):
                found.append(self.call(process, scope))
            else:
                found.append((yield self.process(process, scope)))
        return tuple(found)

    def timed(self, operator: str, place: Place) -> None:
        if self.declared.is_new("time", operator):
            self.declared.error(
                f"`{operator}` is not supported: processes are untimed", place, Unsupported
            )

    def condition(self, term: tree.Term, scope: Scope) -> typed.Term:
        found = self.term(term, scope)
        if found is None:
            return _NO_TERM
        if found.sort != "Bool":
            self.declared.error(f"a condition has sort `Bool`, not `{found.sort}`", term.name.place)
        return found

    def call(self, call: tree.Call[tree.Term], scope: Scope) -> typed.Process:
        name = call.name
        terms = [self.term(argument, scope) for argument in call.arguments]
        known = tuple([term for term in terms if term is not None])
        if len(known) < len(terms):
            return typed.DELTA
        sorts = tuple([term.sort for term in known])
        action = self.declared.actions.get((name, sorts))
        if action is not None:
            self.declared.uses.use(name, ("action", str(name)))
            return typed.Action(action, known, name.place)
        process = self.declared.definitions.get((name, sorts))
        if process is not None:
            self.declared.uses.use(name, ("process", str(name), sorts))
            return typed.Call(process, known, name.place)
        self.unknown_process(call, sorts, scope)
        return typed.DELTA

    def unknown_process(self, call: tree.Call[tree.Term], sorts: Sorts, scope: Scope) -> None:
        name = call.name
        if name in self.declared.wrong or not self.declared.is_new("process", name, *sorts):
            return
        actions = self.declared.action_names.get(name, {})
        processes = self.declared.process_names.get(name, {})
        overloads = [*actions, *processes]
        place = name.place
        if len(overloads) == 1 and len(overloads[0]) == len(sorts):
            place = first_difference(call.arguments, sorts, overloads[0])
        here = copied(scope)

        def message() -> str:
            if overloads:
                listed = [
                    *((overload(name, o), at) for o, at in actions.items()),
                    *((applied(name, o), at) for o, at in processes.items()),
                ]
                return self.mismatch("action or process", name, sorts, overloads, listed)
            if name in here or name in self.declared.function_names:
                kind = "variable" if name in here else "function"
                return f"`{name}` is a {kind}, not an action or process"
            if name in _DEADLOCK:
                return f"action or process `{name}` is not declared; deadlock is `delta`"
            known = [*self.declared.action_names, *self.declared.process_names, "delta", "tau"]
            return f"action or process `{name}` is not declared{near(name, known)}"

        self.declared.report.add(SpecificationError, message, place)

    def action_set(self, names: Iterable[Name]) -> frozenset[str]:
        return frozenset(a for a in map(self.declared.action_name, names) if a is not None)

    def renaming(self, pairs: Iterable[tuple[Name, Name]]) -> tuple[tuple[str, str], ...]:
        renamed: dict[str, str] = {}
        for old, new in pairs:
            if self.declared.action_name(old) is None or self.declared.action_name(new) is None:
                continue
            if renamed.get(old, new) != new:
                self.declared.error(f"`{old}` is renamed to `{renamed[old]}` already", old.place)
                continue
            renamed[str(old)] = str(new)
            if self.declared.wrong.isdisjoint((old, new)):
                names = self.declared.action_names
                for sorts in sorted(names[old].keys() - names[new].keys()):
                    message = f"renaming needs the action `{overload(new, sorts)}`"
                    self.declared.error(message, new.place)
        return tuple(renamed.items())


_NO_TERM = typed.Application(typed.Function("T", (), "Bool"))
_DEADLOCK = frozenset(("nil", "NIL", "stop", "STOP", "skip", "Stop", "deadlock", "0"))
"""Common names for deadlock that are not muCRL, for hints."""
