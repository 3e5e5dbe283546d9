"""The declarations of a specification, with their checks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from contextlib import AbstractContextManager

from lts.errors import SpecificationError
from lts.mcrl2.data.equations import Equation, Equations, ap, eq
from lts.mcrl2.data.finite import Values
from lts.mcrl2.data.functions import Closure
from lts.mcrl2.data.signatures import is_predefined
from lts.mcrl2.data.sort_names import function_sort, is_container, is_function, signature
from lts.mcrl2.data.symbols import FALSE, TRUE
from lts.mcrl2.static.sorts import Sorts
from lts.mcrl2.static.values import a_value, closed_terms, constant_functions
from lts.mcrl2.text import data_tree, tree
from lts.mcrl2.text.tokens import SORTS
from lts.specification import specification as typed
from lts.text.names import Name
from lts.text.report import Reporting
from lts.text.uses import Uses

__all__ = ["Declarations", "Header", "Scope", "applied", "declared_as"]

Scope = dict[str, typed.Term | None]
"""The terms that names stand for: variables, or values given by `whr`; None after an error."""
Header = tuple[typed.ProcessName, tree.Definition, tuple[typed.Variable, ...], Scope]
"""The name of a defined process, its definition, its parameters, and the scope of its body."""


class Declarations(Reporting):
    """The declared names with their sorts and places; errors are added to the report.

    A declaration with an error of its own causes no further errors where it is used.
    """

    def __init__(self, tree: tree.Specification, uses: Uses | None = None) -> None:
        self.tree = tree
        self.uses = uses or Uses()
        self.uses.begin(tree.source)
        super().__init__(tree.source)
        self.sorts = Sorts(tree.sorts, self.report, self.uses)
        self.functions: dict[str, dict[typed.Function, Name]] = defaultdict(dict)
        """The overloads of each function name, with the places of their declarations."""
        self.values = Values(self._rewritten())
        self.structures: dict[str, tuple[typed.Function, ...]] = {}
        """The constructors of each structured sort."""
        self.structure_rules: list[typed.Rule] = []
        self.actions: dict[str, dict[typed.ActionName, Name]] = defaultdict(dict)
        self.processes: dict[str, dict[typed.ProcessName, Name]] = defaultdict(dict)
        self.wrong: set[str] = set()
        """Functions, actions and processes whose declaration has an error."""
        self._declare_functions()
        self._declare_structures()
        self._declare_actions()
        self._declare_structures()
        self._distinguish()
        self.constants: dict[typed.Function, Closure] = {}
        """The functions in the values of global variables."""
        self.globals = self._declare_globals()
        self.headers = self._declare_processes()
        self.parameters = {name: parameters for name, _, parameters, _ in self.headers}

    @property
    def remarks(self) -> tuple[str, ...]:
        """Warnings about valid but suspicious declarations, each with its place."""
        source = self.tree.source
        found = sorted(self.sorts.remarks, key=lambda remark: remark[1])
        return tuple(str(source.error(SpecificationError, *remark)) for remark in found)

    def all_functions(self) -> dict[typed.Function, Name]:
        """Return the functions declared in the text, in order."""
        return {f: place for named in self.functions.values() for f, place in named.items()}

    def _rewritten(self) -> set[str]:
        """Return the names of functions that have equations."""
        found: set[str] = set()
        for equation in self.tree.equations:
            left = equation.left
            while isinstance(left, data_tree.Application):
                left = left.function
            if isinstance(left, data_tree.Identifier):
                found.add(str(left.name))
        return found

    def _declare_functions(self) -> None:
        for declared in self.tree.functions:
            name = declared.name
            sorts = self.sorts.function(declared.sort)
            if sorts is None:
                self.wrong.add(str(name))
                continue
            arguments, sort = sorts
            if declared.constructor and (sort in SORTS or is_container(sort) or is_function(sort)):
                self.error(
                    f"sort `{sort}` is predefined, so it cannot have further constructors",
                    name.place,
                )
                continue
            if declared.constructor and sort in self.sorts.structures:
                self.error(
                    f"`{sort}` is a structured sort, which cannot have further constructors",
                    name.place,
                )
                continue
            function = typed.Function(str(name), arguments, sort, constructor=declared.constructor)
            self.declare(function, name)

    def declare(self, function: typed.Function, name: Name) -> None:
        """Declare a function, unless one of the same name and arguments exists.

        Repeating a declaration exactly is no error, as in mCRL2.
        """
        if is_predefined(function):
            self.error(f"`{declared_as(function)}` is predefined", name.place)
            return
        for other, place in self.functions[name].items():
            if other == function or (other.arguments == function.arguments == ()):
                message = f"`{declared_as(other)}` is already declared ({self.line(place)})"
                if other == function and other.constructor == function.constructor:
                    self._record(other, name)
                    self.sorts.remarks.append((message, name.place))
                else:
                    self.error(message, name.place)
                return
        self.functions[name][function] = name
        self._record(function, name)
        if function.constructor:
            known = self.values.constructors.get(function.sort, ())
            self.values.constructors[function.sort] = (*known, function)

    def _record(self, function: typed.Function, name: Name) -> None:
        """Record the declaration of a function."""
        kind = "constructor" if function.constructor else "map"
        self.uses.declare(("function", function), kind, name, declared_as(function))

    def _declare_structures(self) -> None:
        """Declare the functions of new structured sorts, including nested ones."""
        while len(self.structures) < len(self.sorts.structures):
            for sort in list(self.sorts.structures)[len(self.structures) :]:
                self.structures[sort] = ()
                self._declare_structure(sort, self.sorts.structures[sort])

    def _declare_structure(self, sort: str, structure: data_tree.StructuredSort) -> None:
        constructors: list[typed.Function] = []
        fields: dict[typed.Function, list[Name]] = defaultdict(list)
        recognisers: dict[typed.Function, list[typed.Function]] = defaultdict(list)
        rules: list[Equation] = []
        for declared in structure.constructors:
            made = self._constructor(sort, declared)
            if made is None:
                continue
            if made in constructors:
                message = f"constructor `{declared_as(made)}` is declared twice"
                self.error(message, declared.name.place)
                continue
            constructors.append(made)
            self.declare(made, declared.name)
            values = [typed.Variable(f"x{i}", of) for i, of in enumerate(made.arguments)]
            named: set[str] = set()
            for (name, _), value in zip(declared.projections, values, strict=True):
                if name is None:
                    continue
                if name in named:
                    self.error(f"projection `{name}` is declared twice", name.place)
                named.add(str(name))
                projection = typed.Function(str(name), (sort,), value.sort)
                fields[projection].append(name)
                rules.append(eq(ap(projection, ap(made, *values)), value))
            if declared.recogniser is not None:
                recogniser = typed.Function(str(declared.recogniser), (sort,), "Bool")
                fields[recogniser].append(declared.recogniser)
                recognisers[recogniser].append(made)
        for function, names in fields.items():
            self.declare(function, names[0])
            for name in names[1:]:
                self._record(function, name)
        for recogniser, recognised in recognisers.items():
            rules += _recognise(recogniser, recognised)
        self.structures[sort] = tuple(constructors)
        self.structure_rules += [typed.Rule(*rule[:2], structure.place) for rule in rules]

    def _constructor(self, sort: str, declared: data_tree.Constructor) -> typed.Function | None:
        """Return a constructor of a structured sort; None if one of its sorts has an error."""
        found = [self.sorts.resolve(of) for _, of in declared.projections]
        sorts = tuple(of for of in found if of is not None)
        if len(sorts) == len(found):
            return typed.Function(str(declared.name), sorts, sort, constructor=True)
        self.wrong.add(str(declared.name))
        self.wrong.update(str(name) for name, _ in declared.projections if name)
        if declared.recogniser:
            self.wrong.add(str(declared.recogniser))
        return None

    def _declare_actions(self) -> None:
        for declared in self.tree.actions:
            name = declared.name
            found = [self.sorts.resolve(sort) for sort in declared.sorts]
            sorts = tuple(sort for sort in found if sort is not None)
            if len(sorts) < len(found):
                self.wrong.add(str(name))
                continue
            action = typed.ActionName(str(name), sorts)
            if action in self.actions[name]:
                first = self.line(self.actions[name][action])
                self.error(
                    f"action `{declared_as(action)}` is already declared ({first})", name.place
                )
            else:
                self.actions[name][action] = name
                self.uses.declare(("action", str(name)), "action", name, declared_as(action))

    def sorts_of(self, action: str) -> set[tuple[str, ...]]:
        """Return the argument sorts with which an action is declared."""
        return {overload.sorts for overload in self.actions[action]}

    def _distinguish(self) -> None:
        """Record the sorts of functions that occur inside left sides."""
        for equation in self.tree.equations:
            variables = {variable.name for variable in equation.variables}
            waiting: list[data_tree.Data] = [equation.left]
            while waiting:
                node = waiting.pop()
                if node is not equation.left:
                    self.values.distinguished.update(self._sorts_as_function(node, variables))
                if isinstance(node, data_tree.Application):
                    waiting += node.arguments
                    while isinstance(node.function, data_tree.Application):
                        node = node.function
                        waiting += node.arguments
                elif isinstance(node, data_tree.Operation):
                    waiting += node.operands
                elif isinstance(node, data_tree.ListOf):
                    waiting += node.elements

    def _sorts_as_function(self, node: data_tree.Data, variables: Container[str]) -> list[str]:
        """Return the sorts of functions that an expression may have."""
        match node:
            case data_tree.Identifier(name) if name not in variables:
                of_name = self.functions.get(name, ())
                return [function_sort(f.arguments, f.sort) for f in of_name if f.arguments]
            case data_tree.Application(data_tree.Identifier(name), arguments):
                of_name = self.functions.get(name, ())
                fitting = [f.sort for f in of_name if len(f.arguments) == len(arguments)]
                return [sort for sort in fitting if is_function(sort)]
        return []

    def _declare_globals(self) -> Scope:
        """Return an arbitrary value for each global variable, as the language permits."""
        scope = self.scope(self.tree.globals)
        self.uses.bind(self._with_sorts(self.tree.globals, scope))
        values = closed_terms(self.all_functions()) if scope else {}
        found: Scope = {}
        for name, variable in scope.items():
            if variable is None:
                found[name] = None
                continue
            value = a_value(variable.sort, values)
            if value is None:
                # A sort without constructors and constants gets a constant of which nothing is
                # known.
                sort = variable.sort
                while is_function(sort):
                    sort = signature(sort)[1]
                place = next(d.name.place for d in self.tree.globals if d.name == name)
                constant = typed.Function(name, (), sort)
                self.functions.setdefault(name, {})[constant] = Name.at(name, place)
                values[sort] = typed.Application(constant)
                value = a_value(variable.sort, values)
                assert value is not None
            self.constants.update(constant_functions(value, values))
            found[name] = value
        return found

    def _declare_processes(self) -> list[Header]:
        """Declare the processes; return their headers."""
        headers = []
        for definition in self.tree.definitions:
            name = definition.name
            inner = self.scope(definition.parameters)
            parameters = tuple(v for v in inner.values() if isinstance(v, typed.Variable))
            sorts = tuple(variable.sort for variable in parameters)
            process = typed.ProcessName(str(name), sorts)
            if len(parameters) < len(definition.parameters):
                self.wrong.add(str(name))
            elif process in self.processes[name]:
                first = self.line(self.processes[name][process])
                self.error(f"process `{process}` is already defined ({first})", name.place)
            elif name in self.actions:
                first = self.line(next(iter(self.actions[name].values())))
                self.error(f"`{name}` is already an action ({first})", name.place)
            else:
                self.processes[name][process] = name
                shown = ", ".join(f"{v.name}: {v.sort}" for v in parameters)
                shown = f"{name}({shown})" if shown else str(name)
                self.uses.declare(("process", process), "process", name, shown)
            headers.append((process, definition, parameters, {**self.globals, **inner}))
        return headers

    def scope(self, variables: Iterable[data_tree.Variable]) -> Scope:
        """Return the scope of variable declarations; report those of the same name."""
        scope: Scope = {}
        for declared in variables:
            if declared.name in scope:
                self.error(f"variable `{declared.name}` is declared twice", declared.name.place)
            else:
                scope[str(declared.name)] = self.variable(declared)
        return scope

    def within(
        self, variables: Iterable[data_tree.Variable], scope: Scope
    ) -> AbstractContextManager[None]:
        """Return a context that has the scope of these variables: uses of their names inside refer
        to them."""
        return self.uses.within(self._with_sorts(variables, scope))

    def _with_sorts(
        self, variables: Iterable[data_tree.Variable], scope: Scope
    ) -> Iterator[tuple[Name, str]]:
        for declared in variables:
            term = scope.get(declared.name)
            yield declared.name, term.sort if term is not None else ""

    def variable(self, declared: data_tree.Variable) -> typed.Variable | None:
        """Return a variable; None if its sort has an error."""
        sort = self.sorts.resolve(declared.sort)
        self._declare_structures()
        return None if sort is None else typed.Variable(str(declared.name), sort)


def _recognise(recogniser: typed.Function, recognised: list[typed.Function]) -> Equations:
    for constructor in recognised:
        values = [typed.Variable(f"x{i}", sort) for i, sort in enumerate(constructor.arguments)]
        yield eq(ap(recogniser, ap(constructor, *values)), TRUE)
    yield eq(ap(recogniser, typed.Variable("x", recogniser.arguments[0])), FALSE)


def declared_as(what: typed.Function | typed.ActionName) -> str:
    """Return the declaration of a function or action as text."""
    sorts = what.arguments if isinstance(what, typed.Function) else what.sorts
    shown = "#".join(sorts)
    if isinstance(what, typed.Function):
        shown = f"{shown}->{what.sort}" if sorts else what.sort
    return f"{what.name}:{shown}" if shown else what.name


def applied(name: str, sorts: Iterable[str]) -> str:
    """Return the text of an application to arguments of these sorts, for messages."""
    return f"{name}({','.join(sorts)})"
