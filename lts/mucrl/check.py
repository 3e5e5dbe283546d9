"""The static rules of muCRL: from the syntax tree to a specification that makes sense."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import islice

from lts.errors import LtsError, SpecificationError, Unsupported
from lts.mucrl import specification as typed
from lts.mucrl import syntax
from lts.mucrl.report import Report
from lts.mucrl.source import Place
from lts.mucrl.tokens import Name
from lts.mucrl.trampoline import Recursion, run

__all__ = ["check"]

Sorts = tuple[str, ...]
Scope = dict[str, typed.Variable | None]
"""The variables that may be used, None for one whose declaration is wrong."""


def check(
    tree: syntax.Specification, parameters: Mapping[str, int] | None = None
) -> typed.Specification:
    """Resolve every name and check every static rule.

    `parameters` are those the text was expanded with; they are only kept. Raises
    `SpecificationError` with the place of each violation, `Unsupported` for time.
    """
    return _Checker(tree).specification(parameters or {})


class _Checker:
    """The declarations, and what is wrong with them or with their use.

    What is wrong in itself is not used to find fault with anything else: a term with an error in it
    is None, and so is the sort of a variable that is not declared.
    """

    def __init__(self, tree: syntax.Specification) -> None:
        self.tree = tree
        self.report = Report(tree.source)
        self.told: set[tuple[str, ...]] = set()
        self.sorts: dict[str, Name] = {}
        self.functions: dict[tuple[str, Sorts], typed.Function] = {}
        self.constants: dict[str, typed.Application] = {}
        self.function_names: dict[str, dict[Sorts, Name]] = defaultdict(dict)
        self.action_names: dict[str, dict[Sorts, Name]] = defaultdict(dict)
        self.process_names: dict[str, dict[Sorts, Name]] = defaultdict(dict)
        """Where each overload of a name is declared."""
        self.wrong: set[str] = set()
        """Functions, actions and processes with a declaration that is wrong."""
        self.actions: dict[tuple[str, Sorts], typed.ActionName] = {}
        self.definitions: dict[tuple[str, Sorts], typed.ProcessName] = {}
        self.scopes: dict[int, Scope] = {}
        """Of each `var` section."""

    def specification(self, parameters: Mapping[str, int]) -> typed.Specification:
        """Check section after section; later ones need the names of earlier ones."""
        tree = self.tree
        self.declare_sorts()
        self.declare_functions()
        self.declare_actions()
        headers = self.declare_processes()
        rules = [self.rule(equation) for equation in tree.equations]
        communications = self.communications()
        definitions = {
            name: (parameters_of, self.body(definition.body, scope))
            for name, definition, parameters_of, scope in headers
        }
        initial = self.initial()
        self.report.raise_errors()
        return typed.Specification(
            source=tree.source,
            sorts=tuple(self.sorts),
            functions=tuple(self.functions.values()),
            rules=tuple(rule for rule in rules if rule is not None),
            actions=frozenset(self.actions.values()),
            communications=communications,
            definitions=definitions,
            initial=initial,
            parameters=parameters,
        )

    def error(self, message: str, place: Place, kind: type[LtsError] = SpecificationError) -> None:
        self.report.add(kind, message, place)

    def is_new(self, *what: str) -> bool:
        """Whether this was not told before; it is told once."""
        if what in self.told:
            return False
        self.told.add(what)
        return True

    def line(self, name: Name) -> str:
        """Return where a name stands, in words."""
        origin = self.tree.source.origin(name.place[0])
        elsewhere = "" if origin.file == self.tree.source.file else f" of {origin.file}"
        return f"line {origin.line}{elsewhere}"

    # Sorts and functions.

    def declare_sorts(self) -> None:
        for name in self.tree.sorts:
            if name in self.sorts:
                first = self.sorts[name]
                self.error(f"sort `{name}` is declared already ({self.line(first)})", name.place)
            else:
                self.sorts[str(name)] = name
        if "Bool" not in self.sorts:
            place = self.tree.sorts[0].place if self.tree.sorts else (1, 1)
            self.error("sort `Bool` must be declared, with `func T,F:->Bool`", place)
            self.told.add(("sort", "Bool"))
            self.wrong |= {"T", "F"}

    def sort(self, name: Name) -> str | None:
        if name in self.sorts:
            return str(name)
        if self.is_new("sort", name):
            self.report.add(
                SpecificationError,
                lambda: f"sort `{name}` is not declared{_near(name, self.sorts)}",
                name.place,
            )
        return None

    def all_sorts(self, names: Iterable[Name]) -> Sorts | None:
        """Return the sorts, None if one of them is not declared; each that is not is told."""
        found = [self.sort(name) for name in names]
        sorts = tuple(sort for sort in found if sort is not None)
        return sorts if len(sorts) == len(found) else None

    def declare_functions(self) -> None:
        for declared in self.tree.functions:
            name = str(declared.name)
            arguments, sort = self.all_sorts(declared.arguments), self.sort(declared.sort)
            if arguments is None or sort is None:
                self.wrong.add(name)
                continue
            overloads = self.function_names[name]
            if arguments in overloads:
                shown = _overload(name, arguments)
                first = self.line(overloads[arguments])
                self.error(f"function `{shown}` is declared already ({first})", declared.name.place)
                continue
            overloads[arguments] = declared.name
            self.functions[name, arguments] = typed.Function(
                name, arguments, sort, declared.constructor
            )
            if sort == "Bool" and declared.constructor and (name not in "TF" or arguments):
                self.error("sort `Bool` has no constructors but `T` and `F`", declared.name.place)
        self.check_truth_values()
        self.check_sorts_have_values()

    def check_truth_values(self) -> None:
        for name in ("T", "F") if "Bool" in self.sorts else ():
            function = self.functions.get((name, ()))
            if function is None:
                if name not in self.wrong:
                    place = self.sorts["Bool"].place
                    self.error(f"sort `Bool` needs the constructor `{name}`", place)
                self.wrong.add(name)
            elif function.sort != "Bool" or not function.constructor:
                place = self.function_names[name][()].place
                self.error(f"`{name}` must be a constructor of sort `Bool`", place)
                self.wrong.add(name)

    def check_sorts_have_values(self) -> None:
        """Report constructor sorts without a finite value.

        A sort has one if it has no constructors, or one whose argument sorts have values.
        """
        constructors = [f for f in self.functions.values() if f.constructor]
        empty = {f.sort for f in constructors}
        empty -= {
            str(d.sort) for d in self.tree.functions if d.constructor and d.name in self.wrong
        }
        missing = {f: len(empty.intersection(f.arguments)) for f in constructors}
        needed = defaultdict(list)
        for function in constructors:
            for sort in set(function.arguments):
                needed[sort].append(function)
        found = [f.sort for f in constructors if not missing[f] and f.sort in empty]
        for sort in found:  # grows while it is read
            if sort not in empty:
                continue
            empty.discard(sort)
            for function in needed[sort]:
                missing[function] -= 1
                if not missing[function] and function.sort in empty:
                    found.append(function.sort)
        for sort in empty:
            self.error(
                f"sort `{sort}` has no finite value: each of its constructors needs one first",
                self.sorts[sort].place,
            )

    # Equations and terms.

    def rule(self, equation: syntax.Equation) -> typed.Rule | None:
        scope = self.scopes.get(id(equation.variables))
        if scope is None:
            scope = self.scopes[id(equation.variables)] = self.scope(equation.variables)
        left, right = self.term(equation.left, scope), self.term(equation.right, scope)
        place = equation.left.name.place
        if isinstance(left, typed.Variable):
            self.error("the left side is only a variable", place)
            return None
        if left is None:
            return None
        if left.function.constructor and not left.arguments:
            self.error(f"constructor `{left}` cannot be rewritten", place)
        if right is None:
            return None
        if left.sort != right.sort:
            self.error(
                f"the left side has sort `{left.sort}`, the right side `{right.sort}`",
                equation.right.name.place,
            )
        free = set(typed.variables_of(right))
        if free:
            free.difference_update(typed.variables_of(left))
        for variable in free:
            self.error(
                f"variable `{variable}` does not occur on the left side",
                _first_use(equation.right, variable.name),
            )
        return typed.Rule(left, right, place)

    def scope(self, variables: Iterable[syntax.VariableDeclaration]) -> Scope:
        """Return the scope of declarations of variables, which must be different."""
        scope: Scope = {}
        for declared in variables:
            if declared.name in scope:
                self.error(f"variable `{declared.name}` is declared twice", declared.name.place)
            else:
                scope[str(declared.name)] = self.variable(declared.name, declared.sort)
        return scope

    def variable(self, name: Name, sort: Name) -> typed.Variable | None:
        constant = self.function_names.get(name, {}).get(())
        if constant is not None:
            self.error(
                f"`{name}` is a constant ({self.line(constant)}), so no variable may be called so",
                name.place,
            )
        known = self.sort(sort)
        return None if known is None else typed.Variable(str(name), known)

    def term(self, term: syntax.Term, scope: Scope) -> typed.Term | None:
        """Return the term with its sorts; None if something is wrong with it, which is told."""
        if not term.arguments:
            return self.leaf(term, scope)
        waiting, parts = [term], []
        while waiting:
            part = waiting.pop()
            parts.append(part)
            waiting.extend(part.arguments)
        done: list[typed.Term | None] = []
        for part in reversed(parts):  # arguments before what they are arguments of
            count = len(part.arguments)
            if not count:
                done.append(self.leaf(part, scope))
                continue
            arguments = done[-count:]
            del done[-count:]
            done.append(self.application(part, arguments, scope))
        return done[0]

    def leaf(self, term: syntax.Term, scope: Scope) -> typed.Term | None:
        name = term.name
        if name in scope:
            return scope[name]
        found = self.constants.get(name)
        if found is None:
            function = self.functions.get((name, ()))
            if function is None:
                self.unknown_function(term, (), scope)
                return None
            found = self.constants[str(name)] = typed.Application(function)
        return found

    def application(
        self, term: syntax.Term, arguments: list[typed.Term | None], scope: Scope
    ) -> typed.Term | None:
        known = [argument for argument in arguments if argument is not None]
        if len(known) < len(arguments):
            return None
        sorts = tuple([argument.sort for argument in known])
        function = self.functions.get((term.name, sorts))
        if function is None:
            self.unknown_function(term, sorts, scope)
            return None
        return typed.Application(function, tuple(known))

    def unknown_function(self, term: syntax.Term, sorts: Sorts, scope: Scope) -> None:
        name = term.name
        if name in self.wrong or not self.is_new("function", name, *sorts):
            return
        overloads = self.function_names.get(name, {})
        place = name.place
        if len(overloads) == 1 and len(only := next(iter(overloads))) == len(sorts):
            place = _first_difference(term.arguments, sorts, only)
        here = _kept(scope)

        def message() -> str:
            if name in here:
                return f"`{name}` is a variable, so it takes no arguments"
            if overloads:
                listed = [
                    (f"{name}:{'#'.join(o)}->{self.functions[name, o].sort}", at)
                    for o, at in overloads.items()
                ]
                return self.mismatch("function", name, sorts, [*overloads], listed)
            if name in self.action_names or name in self.process_names:
                kind = "an action" if name in self.action_names else "a process"
                return f"`{name}` is {kind}, not a function"
            if sorts:
                return f"function `{name}` is not declared{_near(name, self.function_names)}"
            known = [*here, *(n for n, o in self.function_names.items() if () in o)]
            return f"`{name}` is no variable or constant in scope{_near(name, known)}"

        self.report.add(SpecificationError, message, place)

    def mismatch(
        self,
        kind: str,
        name: Name,
        sorts: Sorts,
        overloads: list[Sorts],
        listed: list[tuple[str, Name]],
    ) -> str:
        """Say that no overload of a name fits these argument sorts; list those there are."""
        if len(overloads) == 1:
            shown, at = listed[0]
            (only,) = overloads
            declared = f"`{shown}` ({self.line(at)})"
            if len(only) != len(sorts):
                takes = f"{len(only)} argument{'s' if len(only) > 1 else ''}" if only else "none"
                if not only:
                    return f"{declared} takes no arguments, not {len(sorts)}"
                return f"{declared} takes {takes}, not {len(sorts)}"
            number, wanted, given = next(
                (i, w, g) for i, (w, g) in enumerate(zip(only, sorts, strict=True), 1) if w != g
            )
            return f"argument {number} of {declared} has sort `{given}` instead of `{wanted}`"
        words = [f"`{shown}` ({self.line(at)})" for shown, at in listed]
        if len(words) > 6:
            words[5:] = [f"{len(words) - 5} more"]
        applied = _overload(name, sorts) if kind == "function" else _applied(name, sorts)
        known = ", ".join(words[:-1]) + " and " + words[-1]
        return f"there is no {kind} `{applied}`; there are {known}"

    # Actions and processes.

    def declare_actions(self) -> None:
        for declared in self.tree.actions:
            name, sorts = str(declared.name), self.all_sorts(declared.arguments)
            overloads = self.action_names[name]
            if sorts is None:
                self.wrong.add(name)
            elif sorts in overloads:
                first = self.line(overloads[sorts])
                shown = _overload(name, sorts)
                self.error(f"action `{shown}` is declared already ({first})", declared.name.place)
            else:
                overloads[sorts] = declared.name
                self.actions[name, sorts] = typed.ActionName(name, sorts)

    def action_name(self, name: Name) -> str | None:
        if name in self.action_names:
            return str(name)
        if self.is_new("action", name):
            kind = " (it is a process)" if name in self.process_names else ""
            self.report.add(
                SpecificationError,
                lambda: f"action `{name}` is not declared{kind}{_near(name, self.action_names)}",
                name.place,
            )
        return None

    def communications(self) -> dict[frozenset[str], str]:
        table: dict[frozenset[str], str] = {}
        declared: dict[frozenset[str], syntax.Communication] = {}
        for communication in self.tree.communications:
            place = communication.first.place
            names = [
                self.action_name(name)
                for name in (communication.first, communication.second, communication.result)
            ]
            first, second, result = names
            if first is None or second is None or result is None:
                continue
            pair = frozenset((first, second))
            if table.get(pair, result) != result:
                at = self.line(declared[pair].first)
                self.error(f"`{first}|{second}` is `{table[pair]}` already ({at})", place)
                continue
            table[pair] = result
            declared[pair] = communication
            self.check_sorts_of(communication)
        if not self.report:
            self.check_associative(table, declared)
        return table

    def check_sorts_of(self, communication: syntax.Communication) -> None:
        first, second, result = communication.first, communication.second, communication.result
        if not self.wrong.isdisjoint((first, second, result)):
            return
        common = self.action_names[first].keys() & self.action_names[second].keys()
        if not common:
            self.error(f"`{first}` and `{second}` have no argument sorts in common", first.place)
        for sorts in sorted(common - self.action_names[result].keys()):
            self.error(
                f"`{first}|{second}` needs the action `{_overload(result, sorts)}`", result.place
            )

    def check_associative(
        self,
        table: Mapping[frozenset[str], str],
        declared: Mapping[frozenset[str], syntax.Communication],
    ) -> None:
        """Report the first violation of `(a|b)|c = a|(b|c)`.

        As `|` commutes, it is enough to look at those a, b, c for which the left side is defined.
        """
        partners: dict[str, set[str]] = defaultdict(set)
        for pair in table:
            for name in pair:
                partners[name] |= pair - {name} or pair
        for pair, result in table.items():
            first, second = str(declared[pair].first), str(declared[pair].second)
            for third in sorted(partners[result]):
                left = table[frozenset((result, third))]
                for one, other in ((first, second), (second, first)):
                    inner = table.get(frozenset((other, third)))
                    right = None if inner is None else table.get(frozenset((one, inner)))
                    if left != right:
                        self.error(
                            "communication is not associative: "
                            f"`({one}|{other})|{third}` is `{left}`, `{one}|({other}|{third})` is "
                            f"`{right or 'delta'}`",
                            declared[pair].first.place,
                        )
                        return

    def declare_processes(
        self,
    ) -> list[tuple[typed.ProcessName, syntax.Definition, tuple[typed.Variable, ...], Scope]]:
        """Declare the processes; return them with their parameters."""
        headers = []
        for definition in self.tree.definitions:
            name, place = str(definition.name), definition.name.place
            scope = self.scope(definition.parameters)
            parameters = tuple(v for v in scope.values() if v is not None)
            sorts = tuple(variable.sort for variable in parameters)
            if len(parameters) < len(definition.parameters):
                self.wrong.add(name)
            elif sorts in self.process_names[name]:
                first = self.line(self.process_names[name][sorts])
                self.error(f"process `{_applied(name, sorts)}` is defined already ({first})", place)
            elif sorts in self.action_names.get(name, {}):
                first = self.line(self.action_names[name][sorts])
                self.error(f"`{_applied(name, sorts)}` is an action already ({first})", place)
            else:
                self.process_names[name][sorts] = definition.name
                self.definitions[name, sorts] = typed.ProcessName(name, sorts)
            headers.append((typed.ProcessName(name, sorts), definition, parameters, scope))
        return headers

    def initial(self) -> typed.Process:
        if not self.tree.initial:
            self.error("there is no `init`", self.tree.end)
        for _, place in self.tree.initial[1:]:
            self.error("there is an `init` already", place)
        bodies = [self.body(process, {}) for process, _ in self.tree.initial]
        return bodies[0] if bodies else typed.DELTA

    def body(self, process: syntax.Process, scope: Scope) -> typed.Process:
        return run(self.process(process, scope))

    def process(self, process: syntax.Process, scope: Scope) -> Recursion[typed.Process]:
        """Return the process with its names resolved; anything, if something is wrong."""
        match process:
            case syntax.Call():
                return self.call(process, scope)
            case syntax.Sequence():
                parts = yield self.parts(_flat(process), scope)
                result: typed.Process = parts[-1]
                for part in reversed(parts[:-1]):
                    result = typed.Sequence(part, result)
                return result
            case syntax.Choice(alternatives):
                return typed.Choice((yield self.parts(alternatives, scope)))
            case syntax.Delta():
                return typed.DELTA
            case syntax.Tau(place):
                return typed.Tau(place)
            case syntax.Condition(then, condition, otherwise):
                term = self.condition(condition, scope)
                branches = yield self.parts((then, otherwise), scope)
                return typed.Condition(branches[0], term, branches[1], condition.name.place)
            case syntax.Sum(name, sort, body):
                variable = self.variable(name, sort)
                hidden = name in scope, scope.get(name)
                scope[str(name)] = variable
                inner = yield self.process(body, scope)
                del scope[str(name)]
                if hidden[0]:
                    scope[str(name)] = hidden[1]
                return inner if variable is None else typed.Sum(variable, inner)
            case syntax.Parallel(processes, place):
                return typed.Parallel((yield self.parts(processes, scope)), place)
            case syntax.Synchronous(processes, place):
                return typed.Communication((yield self.parts(processes, scope)), place)
            case syntax.LeftMerge(first, second, place):
                sides = yield self.parts((first, second), scope)
                return typed.LeftMerge(sides[0], sides[1], place)
            case syntax.Encap(names, body, place):
                actions = self.action_set(names)
                return typed.Encap(actions, (yield self.process(body, scope)), place)
            case syntax.Hide(names, body, place):
                actions = self.action_set(names)
                return typed.Hide(actions, (yield self.process(body, scope)), place)
            case syntax.Rename(pairs, body, place):
                renamed = self.renaming(pairs)
                return typed.Rename(renamed, (yield self.process(body, scope)), place)
            case syntax.AtTime(timed, time, place):
                self.timed("@", place)
                self.term(time, scope)
                yield self.process(timed, scope)
                return typed.DELTA
            case syntax.Before(first, second, place):
                self.timed("<<", place)
                yield self.parts((first, second), scope)
                return typed.DELTA

    def parts(
        self, processes: Iterable[syntax.Process], scope: Scope
    ) -> Recursion[tuple[typed.Process, ...]]:
        found: list[typed.Process] = []
        for process in processes:
            if isinstance(process, syntax.Call):
                found.append(self.call(process, scope))
            else:
                found.append((yield self.process(process, scope)))
        return tuple(found)

    def timed(self, operator: str, place: Place) -> None:
        if self.is_new("time", operator):
            self.error(
                f"`{operator}` is not supported: processes have no time here", place, Unsupported
            )

    def condition(self, term: syntax.Term, scope: Scope) -> typed.Term:
        found = self.term(term, scope)
        if found is None:
            return _NO_TERM
        if found.sort != "Bool":
            self.error(f"a condition has sort `Bool`, not `{found.sort}`", term.name.place)
        return found

    def call(self, call: syntax.Call, scope: Scope) -> typed.Process:
        name = call.name
        terms = [self.term(argument, scope) for argument in call.arguments]
        known = tuple([term for term in terms if term is not None])
        if len(known) < len(terms):
            return typed.DELTA
        sorts = tuple([term.sort for term in known])
        action = self.actions.get((name, sorts))
        if action is not None:
            return typed.Action(action, known, name.place)
        process = self.definitions.get((name, sorts))
        if process is not None:
            return typed.Call(process, known, name.place)
        self.unknown_process(call, sorts, scope)
        return typed.DELTA

    def unknown_process(self, call: syntax.Call, sorts: Sorts, scope: Scope) -> None:
        name = call.name
        if name in self.wrong or not self.is_new("process", name, *sorts):
            return
        actions = self.action_names.get(name, {})
        processes = self.process_names.get(name, {})
        overloads = [*actions, *processes]
        place = name.place
        if len(overloads) == 1 and len(overloads[0]) == len(sorts):
            place = _first_difference(call.arguments, sorts, overloads[0])
        here = _kept(scope)

        def message() -> str:
            if overloads:
                listed = [
                    *((_overload(name, o), at) for o, at in actions.items()),
                    *((_applied(name, o), at) for o, at in processes.items()),
                ]
                return self.mismatch("action or process", name, sorts, overloads, listed)
            if name in here or name in self.function_names:
                kind = "variable" if name in here else "function"
                return f"`{name}` is a {kind}, not an action or process"
            if name in _DEADLOCK:
                return f"action or process `{name}` is not declared; deadlock is `delta`"
            known = [*self.action_names, *self.process_names, "delta", "tau"]
            return f"action or process `{name}` is not declared{_near(name, known)}"

        self.report.add(SpecificationError, message, place)

    def action_set(self, names: Iterable[Name]) -> frozenset[str]:
        return frozenset(a for a in map(self.action_name, names) if a is not None)

    def renaming(self, pairs: Iterable[tuple[Name, Name]]) -> tuple[tuple[str, str], ...]:
        renamed: dict[str, str] = {}
        for old, new in pairs:
            if self.action_name(old) is None or self.action_name(new) is None:
                continue
            if renamed.get(old, new) != new:
                self.error(f"`{old}` is renamed to `{renamed[old]}` already", old.place)
                continue
            renamed[str(old)] = str(new)
            if self.wrong.isdisjoint((old, new)):
                for sorts in sorted(self.action_names[old].keys() - self.action_names[new].keys()):
                    self.error(f"renaming needs the action `{_overload(new, sorts)}`", new.place)
        return tuple(renamed.items())


_NO_TERM = typed.Application(typed.Function("T", (), "Bool"))
_DEADLOCK = frozenset(("nil", "NIL", "stop", "STOP", "skip", "Stop", "deadlock", "0"))
"""How deadlock is called elsewhere."""


def _flat(sequence: syntax.Sequence) -> list[syntax.Process]:
    """Return what is done in sequence, however it is put in parentheses."""
    waiting: list[syntax.Process] = [sequence]
    parts: list[syntax.Process] = []
    while waiting:
        part = waiting.pop()
        if isinstance(part, syntax.Sequence):
            waiting.extend(reversed(part.processes))
        else:
            parts.append(part)
    return parts


def _overload(name: str, sorts: Sorts) -> str:
    """Return how a function or action is declared, without the result."""
    return f"{name}:{'#'.join(sorts)}" if sorts else str(name)


def _applied(name: str, sorts: Sorts) -> str:
    return f"{name}({','.join(sorts)})" if sorts else str(name)


def _first_difference(arguments: tuple[syntax.Term, ...], given: Sorts, wanted: Sorts) -> Place:
    """Return the place of the first argument whose sort is not the one wanted."""
    differ = (a for a, g, w in zip(arguments, given, wanted, strict=True) if g != w)
    return next(differ).name.place


def _kept(scope: Scope) -> Scope:
    """Return a scope as it is now; one that is very large may change until it is read."""
    return scope if len(scope) > 1000 else dict(scope)


_MOST_COMPARED = 2000
"""Names that a misspelt one is compared with: comparing is slow."""


def _near(name: str, known: Iterable[str]) -> str:
    """Return a question after the known name that is most like this one, if one is."""
    import difflib

    alike = (
        other
        for other in dict.fromkeys(known)
        if abs(len(other) - len(name)) <= 3
        and (other[:1].lower() == name[:1].lower() or other[-1:] == name[-1:])
    )
    near = difflib.get_close_matches(name, [*islice(alike, _MOST_COMPARED)], n=1)
    if not near:
        near = [other for other in known if other.lower() == name.lower()][:1]
    return f"; did you mean `{near[0]}`?" if near else ""


def _first_use(term: syntax.Term, name: str) -> Place:
    """Return the first place where a variable stands in a term in which it occurs."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if not part.arguments and part.name == name:
            return part.name.place
        waiting.extend(reversed(part.arguments))
    raise AssertionError(name)
