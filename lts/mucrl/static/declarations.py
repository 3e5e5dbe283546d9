"""The declarations of a specification, with their checks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager

from lts.base.spelling import near
from lts.errors import SpecificationError
from lts.mucrl.text import tree
from lts.specification import specification as typed
from lts.text.names import Name
from lts.text.report import Reporting
from lts.text.uses import Uses

__all__ = ["Declarations", "Header", "Scope", "Sorts", "applied", "overload"]

Sorts = tuple[str, ...]
Scope = dict[str, typed.Variable | None]
"""The variables in scope; None for one whose declaration has an error."""
Header = tuple[typed.ProcessName, tree.Definition, tuple[typed.Variable, ...], Scope]
"""The name of a defined process, its definition, its parameters, and the scope of its body."""


class Declarations(Reporting):
    """The declared names with their sorts and places; errors are added to the report.

    A declaration with an error of its own causes no further errors where it is used.
    """

    def __init__(self, tree: tree.Specification, strict: bool, uses: Uses | None = None) -> None:
        self.tree = tree
        self.uses = uses or Uses()
        self.uses.begin(tree.source)
        self.strict = strict
        self.remarks: list[str] = []
        super().__init__(tree.source)
        self.sorts: dict[str, Name] = {}
        self.functions: dict[tuple[str, Sorts], typed.Function] = {}
        self.function_names: dict[str, dict[Sorts, Name]] = defaultdict(dict)
        self.action_names: dict[str, dict[Sorts, Name]] = defaultdict(dict)
        self.process_names: dict[str, dict[Sorts, Name]] = defaultdict(dict)
        """The places where the overloads of each name are declared."""
        self.wrong: set[str] = set()
        """Functions, actions and processes whose declaration has an error."""
        self.actions: dict[tuple[str, Sorts], typed.ActionName] = {}
        self.definitions: dict[tuple[str, Sorts], typed.ProcessName] = {}
        self._declare_sorts()
        self._declare_functions()
        self._declare_actions()
        self.headers = self._declare_processes()
        self.communications = self._declare_communications()

    def _declare_sorts(self) -> None:
        for name in self.tree.sorts:
            if name in self.sorts:
                first = self.sorts[name]
                self.error(f"sort `{name}` is already declared ({self.line(first)})", name.place)
            else:
                self.sorts[str(name)] = name
                self.uses.declare(("sort", str(name)), "sort", name, str(name))
        if "Bool" not in self.sorts:
            place = self.tree.sorts[0].place if self.tree.sorts else (1, 1)
            self.error("sort `Bool` must be declared, with `func T,F:->Bool`", place)
            self.is_new("sort", "Bool")
            self.wrong |= {"T", "F"}

    def sort(self, name: Name) -> str | None:
        """Return a sort; None if it is undeclared, which is reported once."""
        if name in self.sorts:
            self.uses.use(name, ("sort", str(name)))
            return str(name)
        if self.is_new("sort", name):
            self.report.add(
                SpecificationError,
                lambda: f"sort `{name}` is not declared{near(name, self.sorts)}",
                name.place,
            )
        return None

    def _all_sorts(self, names: Iterable[Name]) -> Sorts | None:
        """Return the sorts; None if any of them is undeclared, each of which is reported."""
        found = [self.sort(name) for name in names]
        sorts = tuple(sort for sort in found if sort is not None)
        return sorts if len(sorts) == len(found) else None

    def _declare_functions(self) -> None:
        for declared in self.tree.functions:
            name = str(declared.name)
            arguments, sort = self._all_sorts(declared.arguments), self.sort(declared.sort)
            if arguments is None or sort is None:
                self.wrong.add(name)
                continue
            overloads = self.function_names[name]
            if arguments in overloads:
                shown = overload(name, arguments)
                first = self.line(overloads[arguments])
                self.error(f"function `{shown}` is already declared ({first})", declared.name.place)
                continue
            overloads[arguments] = declared.name
            kind = "constructor" if declared.constructor else "map"
            shown = f"{overload(name, arguments)} -> {sort}" if arguments else f"{name}: -> {sort}"
            self.uses.declare(("function", name, arguments), kind, declared.name, shown)
            self.functions[name, arguments] = typed.Function(
                name, arguments, sort, declared.constructor
            )
            if sort == "Bool" and declared.constructor and (name not in "TF" or arguments):
                self.error(
                    "sort `Bool` cannot have constructors other than `T` and `F`",
                    declared.name.place,
                )
        self._check_truth_values()
        self._check_sorts_have_values()

    def _check_truth_values(self) -> None:
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

    def _check_sorts_have_values(self) -> None:
        """Report constructor sorts without a finite value.

        A sort has a finite value if it has no constructors, or a constructor all of whose argument
        sorts have finite values.
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
        for sort in found:  # grows during the loop
            if sort not in empty:
                continue
            empty.discard(sort)
            for function in needed[sort]:
                missing[function] -= 1
                if not missing[function] and function.sort in empty:
                    found.append(function.sort)
        for sort in empty:
            self.error(
                f"sort `{sort}` has no finite values: each of its constructors needs one as an "
                "argument, directly or indirectly",
                self.sorts[sort].place,
            )

    def _declare_actions(self) -> None:
        for declared in self.tree.actions:
            name, sorts = str(declared.name), self._all_sorts(declared.arguments)
            overloads = self.action_names[name]
            if sorts is None:
                self.wrong.add(name)
            elif sorts in overloads:
                first = self.line(overloads[sorts])
                shown = overload(name, sorts)
                self.error(f"action `{shown}` is already declared ({first})", declared.name.place)
            else:
                overloads[sorts] = declared.name
                shown = overload(name, sorts)
                self.uses.declare(("action", name), "action", declared.name, shown)
                self.actions[name, sorts] = typed.ActionName(name, sorts)

    def _declare_processes(self) -> list[Header]:
        """Declare the processes; return their headers."""
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
                self.error(f"process `{applied(name, sorts)}` is already defined ({first})", place)
            elif sorts in self.action_names.get(name, {}):
                first = self.line(self.action_names[name][sorts])
                self.error(f"`{applied(name, sorts)}` is already an action ({first})", place)
            else:
                self.process_names[name][sorts] = definition.name
                shown = ", ".join(f"{v.name}: {v.sort}" for v in parameters)
                shown = f"{name}({shown})" if shown else name
                self.uses.declare(("process", name, sorts), "process", definition.name, shown)
                self.definitions[name, sorts] = typed.ProcessName(name, sorts)
            headers.append((typed.ProcessName(name, sorts), definition, parameters, scope))
        return headers

    def scope(self, variables: Iterable[tree.VariableDeclaration]) -> Scope:
        """Return the scope of variable declarations; report those of the same name."""
        scope: Scope = {}
        for declared in variables:
            if declared.name in scope:
                self.error(f"variable `{declared.name}` is declared twice", declared.name.place)
            else:
                scope[str(declared.name)] = self.variable(declared.name, declared.sort)
        return scope

    def within(
        self, variables: Iterable[tree.VariableDeclaration], scope: Scope
    ) -> AbstractContextManager[None]:
        """Return a context that has the scope of these variables: uses of their names inside refer
        to them."""
        known = ((declared.name, scope.get(declared.name)) for declared in variables)
        return self.uses.within((name, v.sort if v is not None else "") for name, v in known)

    def variable(self, name: Name, sort: Name) -> typed.Variable | None:
        """Return a variable, or None if its sort is undeclared; report the name of a constant."""
        constant = self.function_names.get(name, {}).get(())
        if constant is not None:
            self.error(
                f"variable `{name}` has the name of a constant ({self.line(constant)})",
                name.place,
            )
        known = self.sort(sort)
        return None if known is None else typed.Variable(str(name), known)

    def action_name(self, name: Name) -> str | None:
        """Return the name of an action; None if it is undeclared, which is reported once."""
        if name in self.action_names:
            self.uses.use(name, ("action", str(name)))
            return str(name)
        if self.is_new("action", name):
            kind = " (it is a process)" if name in self.process_names else ""
            self.report.add(
                SpecificationError,
                lambda: f"action `{name}` is not declared{kind}{near(name, self.action_names)}",
                name.place,
            )
        return None

    def _declare_communications(self) -> dict[frozenset[str], str]:
        table: dict[frozenset[str], str] = {}
        declared: dict[frozenset[str], tree.Communication] = {}
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
            self._check_sorts_of(communication)
        if not self.report:
            self._check_associative(table, declared)
        return table

    def _check_sorts_of(self, communication: tree.Communication) -> None:
        first, second, result = communication.first, communication.second, communication.result
        if not self.wrong.isdisjoint((first, second, result)):
            return
        common = self.action_names[first].keys() & self.action_names[second].keys()
        if not common:
            self.error(f"`{first}` and `{second}` have no argument sorts in common", first.place)
        for sorts in sorted(common - self.action_names[result].keys()):
            self.error(
                f"`{first}|{second}` needs the action `{overload(result, sorts)}`", result.place
            )

    def _check_associative(
        self,
        table: Mapping[frozenset[str], str],
        declared: Mapping[frozenset[str], tree.Communication],
    ) -> None:
        """Report, or warn of, the first violation of `(a|b)|c = a|(b|c)`.

        Since `|` is commutative, only those a, b, c need testing for which the left side is
        defined.
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
                        message = (
                            "communication is not associative: "
                            f"`({one}|{other})|{third}` is `{left}`, `{one}|({other}|{third})` is "
                            f"`{right or 'delta'}`"
                        )
                        place = declared[pair].first.place
                        if self.strict:
                            self.error(message, place)
                        else:
                            message += "; parallel compositions are grouped by their brackets"
                            source = self.tree.source
                            self.remarks.append(
                                str(source.error(SpecificationError, message, place))
                            )
                        return


def overload(name: str, sorts: Sorts) -> str:
    """Return the declaration of a function or action as text, without a result sort."""
    return f"{name}:{'#'.join(sorts)}" if sorts else str(name)


def applied(name: str, sorts: Sorts) -> str:
    """Return the text of a call of a process with arguments of these sorts, for messages."""
    return f"{name}({','.join(sorts)})" if sorts else str(name)
