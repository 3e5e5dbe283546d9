"""The static rules of muCRL: from the syntax tree to a specification that makes sense."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from lts.errors import SpecificationError, Unsupported
from lts.mucrl import specification as typed
from lts.mucrl import syntax
from lts.mucrl.source import Place

__all__ = ["check"]

Scope = Mapping[str, typed.Variable]


def check(
    tree: syntax.Specification, parameters: Mapping[str, int] | None = None
) -> typed.Specification:
    """Resolve every name and check every static rule.

    `parameters` are those the text was expanded with; they are only kept.
    Raises `SpecificationError` with the place of the first violation, `Unsupported` for time.
    """
    return _Checker(tree).specification(parameters or {})


class _Checker:
    """The declarations seen so far, and the errors that point into their text."""

    def __init__(self, tree: syntax.Specification) -> None:
        self.tree = tree
        self.sorts: dict[str, syntax.Name] = {}
        self.functions: dict[tuple[str, tuple[str, ...]], typed.Function] = {}
        self.actions: dict[typed.ActionName, syntax.Name] = {}
        self.definitions: dict[typed.ProcessName, syntax.Definition] = {}
        self.function_overloads: dict[str, list[tuple[str, ...]]] = {}
        self.process_overloads: dict[str, list[tuple[str, ...]]] = {}
        """The argument sorts of every action and process name."""

    def specification(self, parameters: Mapping[str, int]) -> typed.Specification:
        """Check section after section; later ones need the names of earlier ones."""
        self.declare_sorts()
        self.declare_functions()
        rules = tuple(self.rule(equation) for equation in self.tree.equations)
        self.declare_actions()
        communications = self.communications()
        self.declare_processes()
        definitions = {
            name: self.definition(definition) for name, definition in self.definitions.items()
        }
        return typed.Specification(
            source=self.tree.source,
            sorts=tuple(self.sorts),
            functions=tuple(self.functions.values()),
            rules=rules,
            actions=frozenset(self.actions),
            communications=communications,
            definitions=definitions,
            initial=self.initial(),
            parameters=parameters,
        )

    def error(self, message: str, place: Place) -> SpecificationError:
        return self.tree.source.error(SpecificationError, message, place)

    def declare_sorts(self) -> None:
        for name in self.tree.sorts:
            if name in self.sorts:
                raise self.error(f"sort `{name}` is declared twice", name.place)
            self.sorts[name] = name

    def sort(self, name: syntax.Name) -> str:
        if name not in self.sorts:
            raise self.error(f"sort `{name}` is not declared{_near(name, self.sorts)}", name.place)
        return str(name)

    def declare_functions(self) -> None:
        for declared in self.tree.functions:
            arguments = tuple(map(self.sort, declared.arguments))
            key = (str(declared.name), arguments)
            if key in self.functions:
                shown = _overload(declared.name, arguments)
                raise self.error(f"function `{shown}` is declared twice", declared.name.place)
            self.functions[key] = typed.Function(
                str(declared.name), arguments, self.sort(declared.sort), declared.constructor
            )
            self.function_overloads.setdefault(str(declared.name), []).append(arguments)
        place = self.tree.sorts[0].place if self.tree.sorts else (1, 1)
        if "Bool" not in self.sorts:
            raise self.error("sort `Bool` must be declared, with `func T,F:->Bool`", place)
        for constant in ("T", "F"):
            function = self.functions.get((constant, ()))
            if function is None or function.sort != "Bool" or not function.constructor:
                where = self.sorts["Bool"].place
                raise self.error(f"sort `Bool` needs the constructor `{constant}`", where)
        for function in self.functions.values():
            if function.constructor and function.sort == "Bool" and function.name not in "TF":
                where = next(
                    f.name.place
                    for f in self.tree.functions
                    if f.name == function.name and f.constructor and f.sort == "Bool"
                )
                raise self.error("sort `Bool` has no constructors but `T` and `F`", where)

    def rule(self, equation: syntax.Equation) -> typed.Rule:
        scope = self.scope(equation.variables)
        left, right = self.term(equation.left, scope), self.term(equation.right, scope)
        if left.sort != right.sort:
            raise self.error(
                f"the left side has sort `{left.sort}`, the right side `{right.sort}`",
                equation.right.name.place,
            )
        if isinstance(left, typed.Variable):
            raise self.error("the left side is only a variable", equation.left.name.place)
        if left.function.constructor and not left.arguments:
            raise self.error(f"constructor `{left}` cannot be rewritten", equation.left.name.place)
        missing = set(typed.variables_of(right)) - set(typed.variables_of(left))
        if missing:
            name, place = _first_use(equation.right, {v.name for v in missing})
            raise self.error(f"variable `{name}` does not occur on the left side", place)
        return typed.Rule(left, right, equation.left.name.place)

    def scope(self, variables: Iterable[syntax.VariableDeclaration]) -> dict[str, typed.Variable]:
        scope: dict[str, typed.Variable] = {}
        for declared in variables:
            if declared.name in scope and scope[declared.name].sort != declared.sort:
                raise self.error(
                    f"variable `{declared.name}` is declared twice", declared.name.place
                )
            scope[str(declared.name)] = self.variable(declared.name, declared.sort)
        return scope

    def variable(self, name: syntax.Name, sort: syntax.Name) -> typed.Variable:
        if (str(name), ()) in self.functions:
            raise self.error(f"`{name}` is a constant, so no variable may be called so", name.place)
        return typed.Variable(str(name), self.sort(sort))

    def term(self, term: syntax.Term, scope: Scope) -> typed.Term:
        if not term.arguments and term.name in scope:
            return scope[term.name]
        arguments = tuple(self.term(argument, scope) for argument in term.arguments)
        sorts = tuple(argument.sort for argument in arguments)
        function = self.functions.get((str(term.name), sorts))
        if function is None:
            raise self.unknown("function", term.name, sorts, scope)
        return typed.Application(function, arguments)

    def boolean(self, term: syntax.Term, scope: Scope) -> typed.Term:
        found = self.term(term, scope)
        if found.sort != "Bool":
            raise self.error(f"a condition has sort `Bool`, not `{found.sort}`", term.name.place)
        return found

    def unknown(
        self, what: str, name: syntax.Name, sorts: tuple[str, ...], scope: Scope
    ) -> SpecificationError:
        known = self.function_overloads if what == "function" else self.process_overloads
        overloads = known.get(name, [])
        if overloads:
            listed = " and ".join(f"`{_overload(name, sorts)}`" for sorts in overloads)
            message = f"`{_overload(name, sorts)}` is not declared, only {listed}"
        elif what == "function" and not sorts:
            near = _near(name, [*known, *scope])
            message = f"`{name}` is no variable or constant in scope{near}"
        else:
            message = f"{what} `{name}` is not declared{_near(name, known)}"
        return self.error(message, name.place)

    def declare_actions(self) -> None:
        for declared in self.tree.actions:
            action = typed.ActionName(str(declared.name), tuple(map(self.sort, declared.arguments)))
            if action in self.actions:
                shown = _overload(action.name, action.sorts)
                raise self.error(f"action `{shown}` is declared twice", declared.name.place)
            self.actions[action] = declared.name
            self.process_overloads.setdefault(action.name, []).append(action.sorts)

    def action_name(self, name: syntax.Name) -> str:
        names = {action.name for action in self.actions}
        if name not in names:
            raise self.error(f"action `{name}` is not declared{_near(name, names)}", name.place)
        return str(name)

    def communications(self) -> dict[frozenset[str], str]:
        table: dict[frozenset[str], str] = {}
        for declared in self.tree.communications:
            first, second, result = map(
                self.action_name, (declared.first, declared.second, declared.result)
            )
            pair = frozenset((first, second))
            if table.get(pair, result) != result:
                raise self.error(
                    f"`{first}|{second}` is already `{table[pair]}`", declared.first.place
                )
            table[pair] = result
            common = self.overloads(first) & self.overloads(second)
            if not common:
                raise self.error(
                    f"`{first}` and `{second}` have no argument sorts in common",
                    declared.first.place,
                )
            for sorts in sorted(common - self.overloads(result)):
                shown = _overload(result, sorts)
                raise self.error(
                    f"`{first}|{second}` needs the action `{shown}`", declared.result.place
                )
        self.check_associative(table)
        return table

    def overloads(self, name: str) -> set[tuple[str, ...]]:
        return {action.sorts for action in self.actions if action.name == name}

    def check_associative(self, table: Mapping[frozenset[str], str]) -> None:
        def joined(first: str | None, second: str | None) -> str | None:
            if first is None or second is None:
                return None
            return table.get(frozenset((first, second)))

        names = sorted({name for pair in table for name in pair})
        for declared in self.tree.communications:
            a, b = str(declared.first), str(declared.second)
            for first, second in ((a, b), (b, a)):
                for third in names:
                    left = joined(joined(first, second), third)
                    right = joined(first, joined(second, third))
                    if left != right:
                        raise self.error(
                            f"communication is not associative: `({first}|{second})|{third}` is "
                            f"`{left or 'delta'}`, `{first}|({second}|{third})` is "
                            f"`{right or 'delta'}`",
                            declared.first.place,
                        )

    def declare_processes(self) -> None:
        for definition in self.tree.definitions:
            sorts = tuple(self.sort(parameter.sort) for parameter in definition.parameters)
            name = typed.ProcessName(str(definition.name), sorts)
            if name in self.definitions:
                raise self.error(f"process `{name}` is defined twice", definition.name.place)
            if typed.ActionName(name.name, sorts) in self.actions:
                raise self.error(f"`{name}` is an action already", definition.name.place)
            self.definitions[name] = definition
            self.process_overloads.setdefault(name.name, []).append(sorts)

    def definition(
        self, definition: syntax.Definition
    ) -> tuple[tuple[typed.Variable, ...], typed.Process]:
        names = [parameter.name for parameter in definition.parameters]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise self.error(f"parameter `{name}` stands twice", name.place)
        scope = self.scope(definition.parameters)
        parameters = tuple(scope[parameter.name] for parameter in definition.parameters)
        return parameters, self.process(definition.body, scope)

    def initial(self) -> typed.Process:
        if not self.tree.initial:
            lines = self.tree.source.text.split("\n")
            raise self.error("there is no `init`", (len(lines), len(lines[-1]) + 1))
        if len(self.tree.initial) > 1:
            raise self.error("there is a second `init`", self.tree.initial[1][1])
        return self.process(self.tree.initial[0][0], {})

    def process(self, process: syntax.Process, scope: Scope) -> typed.Process:
        match process:
            case syntax.Delta():
                return typed.DELTA
            case syntax.Tau(place):
                return typed.Tau(place)
            case syntax.Call(name, arguments):
                return self.call(name, arguments, scope)
            case syntax.Sequence(first, second):
                return _sequence(self.process(first, scope), self.process(second, scope))
            case syntax.Choice(alternatives):
                return typed.Choice(tuple(self.process(p, scope) for p in alternatives))
            case syntax.Condition(then, condition, otherwise):
                return typed.Condition(
                    self.process(then, scope),
                    self.boolean(condition, scope),
                    self.process(otherwise, scope),
                    condition.name.place,
                )
            case syntax.Sum(name, sort, body):
                variable = self.variable(name, sort)
                return typed.Sum(variable, self.process(body, {**scope, str(name): variable}))
            case syntax.Parallel(parts, place):
                return typed.Parallel(tuple(self.process(p, scope) for p in parts), place)
            case syntax.Encap(actions, body, place):
                forbidden = frozenset(map(self.action_name, actions))
                return typed.Encap(forbidden, self.process(body, scope), place)
            case syntax.Hide(actions, body, place):
                hidden = frozenset(map(self.action_name, actions))
                return typed.Hide(hidden, self.process(body, scope), place)
            case syntax.Rename(pairs, body, place):
                return typed.Rename(self.renaming(pairs), self.process(body, scope), place)
            case syntax.AtTime() | syntax.Before():
                raise self.tree.source.error(
                    Unsupported, "timed processes (`@`, `<<`) are not supported", process.place
                )
            case syntax.LeftMerge(first, second, place):
                return typed.LeftMerge(
                    self.process(first, scope), self.process(second, scope), place
                )
            case syntax.Synchronous(parts, place):
                return typed.Communication(tuple(self.process(p, scope) for p in parts), place)

    def call(
        self, name: syntax.Name, arguments: tuple[syntax.Term, ...], scope: Scope
    ) -> typed.Process:
        terms = tuple(self.term(argument, scope) for argument in arguments)
        sorts = tuple(term.sort for term in terms)
        action = typed.ActionName(str(name), sorts)
        if action in self.actions:
            return typed.Action(action, terms, name.place)
        process = typed.ProcessName(str(name), sorts)
        if process in self.definitions:
            return typed.Call(process, terms, name.place)
        raise self.unknown("action or process", name, sorts, scope)

    def renaming(
        self, pairs: tuple[tuple[syntax.Name, syntax.Name], ...]
    ) -> tuple[tuple[str, str], ...]:
        renamed: dict[str, str] = {}
        for old, new in pairs:
            self.action_name(old)
            self.action_name(new)
            if renamed.get(old, new) != new:
                raise self.error(f"`{old}` is renamed twice", old.place)
            for sorts in sorted(self.overloads(old) - self.overloads(new)):
                raise self.error(f"renaming needs the action `{_overload(new, sorts)}`", new.place)
            renamed[str(old)] = str(new)
        return tuple(renamed.items())


def _sequence(first: typed.Process, second: typed.Process) -> typed.Process:
    """Return `first . second` nested to the right."""
    if isinstance(first, typed.Sequence):
        return typed.Sequence(first.first, _sequence(first.second, second))
    return typed.Sequence(first, second)


def _overload(name: str, sorts: tuple[str, ...]) -> str:
    return f"{name}:{'#'.join(sorts)}" if sorts else str(name)


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def _first_use(term: syntax.Term, names: set[str]) -> tuple[str, Place]:
    """Return the first of `names` that stands in the term without arguments, and where."""
    if not term.arguments and term.name in names:
        return str(term.name), term.name.place
    for argument in term.arguments:
        found = _first_use(argument, names)
        if found[0]:
            return found
    return "", term.name.place
