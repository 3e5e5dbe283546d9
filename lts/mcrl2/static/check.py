"""The static rules of mCRL2: from the syntax tree to a specification that makes sense."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lts.errors import Unsupported
from lts.mcrl2.data.equations import ap
from lts.mcrl2.data.finite import Values
from lts.mcrl2.data.library import Library
from lts.mcrl2.data.sort_names import element_of, is_bag, is_function, is_set
from lts.mcrl2.data.symbols import SUCC_NAT, function
from lts.mcrl2.identities.naming import Identities
from lts.mcrl2.identities.parts import Parts
from lts.mcrl2.identities.split import identities_of, split
from lts.mcrl2.static.binders import WHERE
from lts.mcrl2.static.declarations import Declarations, Scope
from lts.mcrl2.static.inference import Inference
from lts.mcrl2.static.options import ANY, Typing
from lts.mcrl2.static.processes import Processes
from lts.mcrl2.text import data_tree, tree
from lts.mcrl2.text.data_tree import place_of
from lts.specification import specification as typed
from lts.specification.terms import VALUE, applications, renamed
from lts.text.names import Name
from lts.text.source import Place

__all__ = ["Checker", "check", "numbers_in"]


def check(
    tree: tree.Specification, *, strict: bool = False, identities: Sequence[str] | None = None
) -> typed.Specification:
    """Resolve every name and check every static rule.

    With `strict`, closed terms that no equation fits are no values. The numbers of which
    `identities` are names get sorts of their own; all that are no counts, if these are no names.
    Raises `SpecificationError` with the place of each violation, `Unsupported` for what has a
    meaning in mCRL2 only.
    """
    checker = Checker(tree)
    parts = checker.parts()
    if identities is not None:
        parts = split(parts, identities or None)
    return checker.specification(parts, strict)


def numbers_in(tree: tree.Specification) -> tuple[Identities, ...]:
    """Return the classes of numbers of a specification; raise what `check` raises."""
    return identities_of(Checker(tree).parts())


class Checker:
    """Types equations and processes, then adds the rules of what they use.

    Raises everything that is wrong with the text. Other terms may be typed with its `inference`
    after that, and then belong to its parts, too.
    """

    def __init__(self, tree: tree.Specification) -> None:
        self.tree = tree
        self.declared = Declarations(tree)
        self.inference = Inference(self.declared)
        self.processes = Processes(self.inference)
        self.scopes: dict[int, Scope] = {}
        """Of each `var` section."""

        self.rules = [self.rule(equation) for equation in self.tree.equations]
        for left in self.inference.binders.currying.mixed:
            message = "a function that is applied more or less often elsewhere is not supported"
            self.declared.error(f"{message} on the left side", place_of(left), Unsupported)
        self.definitions = {
            name: (parameters, self.processes.body(definition.body, parameters, scope))
            for name, definition, parameters, scope in self.declared.headers
        }
        self.first = self._initial()
        self.inference.look_at_comparisons()
        self.declared.report.raise_errors()

    def parts(self) -> Parts:
        """Return what the text says, and what else was typed."""
        declared = self.declared
        closures = self.inference.binders.closures
        made = [
            rule for known in self.inference.binders.quantifiers.values() for rule in known.values()
        ]
        made += self.inference.binders.sets + self.inference.binders.wheres
        currying = self.inference.binders.currying
        made += currying.rules(self.inference.binders.value)
        of_text = [rule for rule in self.rules if rule is not None]
        return Parts(
            source=self.tree.source,
            functions={
                **{function: name.place for function, name in declared.all_functions().items()},
                **{rule.left.function: rule.place for rule in made},
                **dict.fromkeys(currying.next.values(), (1, 1)),
            },
            rules=(*of_text, *declared.structure_rules, *made),
            closures=closures,
            values=declared.values,
            structures=declared.structures,
            actions={
                action: name.place
                for overloads in declared.actions.values()
                for action, name in overloads.items()
            },
            definitions=self.definitions,
            initial=self.first,
            sorts=(*declared.sorts.used,),
            terms=(*self.inference.terms, *(term for rule in made for term in rule.results)),
            identities={},
        )

    def specification(self, parts: Parts, strict: bool) -> typed.Specification:
        """Return the specification of these parts, with the rules of what it uses."""
        declared = self.declared
        library = Library(parts.functions, parts.structures, parts.values, parts.closures)
        for sort in parts.sorts:
            library.use_sort(sort)
        for term in parts.terms:
            library.use(term)
        library.complete()
        self.sorts_have_normal_forms(library.sorts, parts.values)
        self.complements_are_known(library, parts.values)
        # Actions that happen together may have equal functions that do not look so.
        shown = {s for a in parts.actions for sort in a.sorts for s in parts.values.reached(sort)}
        return typed.Specification(
            source=self.tree.source,
            sorts=tuple(dict.fromkeys((*declared.sorts.names, *library.sorts))),
            functions=tuple(
                replace(f, native=None) if f.sort in shown and is_function(f.sort) else f
                for f in (*parts.functions, *library.functions)
            ),
            rules=(*parts.rules, *library.rules),
            actions=frozenset(parts.actions),
            communications=None,
            loose=True,
            definitions=parts.definitions,
            initial=parts.initial,
            parameters={},
            strict=strict,
            ignores_time=self.tree.ignores_time,
            remarks=declared.remarks,
            truth=("true", "false"),
            numbers=library.numbers,
            fractions=library.fractions,
            lists=library.lists,
            sets=library.sets,
            bags=library.bags,
            identities=parts.identities,
        )

    def sorts_have_normal_forms(self, sorts: Iterable[str], values: Values) -> None:
        """Raise an error if there are sets without order."""
        declared = self.declared
        for sort in sorts:
            if is_set(sort) or is_bag(sort):
                element = element_of(sort)
                if not values.is_ordered(element):
                    message = f"`{sort}` is not supported: values of `{element}` have no order"
                    place = declared.sorts.places.get(sort, self.tree.end)
                    declared.sorts.unsupported(message, place)
        declared.report.raise_errors()

    def complements_are_known(self, library: Library, values: Values) -> None:
        """Raise an error if it is not known whether all values but some are finitely many."""
        declared = self.declared
        for sort in [f.sort for f in library.functions if f.name == "@complement"]:
            element = element_of(sort)
            if values.all(element) is None and not values.is_infinite(element):
                message = f"`!` is not supported for `{sort}`: `{element}` has too many values"
                place = declared.sorts.places.get(sort, self.tree.end)
                declared.sorts.unsupported(message, place)
        declared.report.raise_errors()

    def _initial(self) -> typed.Process:
        if not self.tree.initial:
            self.declared.error("there is no `init`", self.tree.end)
        for _, place in self.tree.initial[1:]:
            self.declared.error("there is an `init` already", place)
        scope = self.declared.globals
        bodies = [self.processes.body(process, None, scope) for process, _ in self.tree.initial]
        return bodies[0] if bodies else typed.DELTA

    def with_arguments(self, equation: tree.Equation, scope: Scope) -> tuple[tree.Equation, Scope]:
        """Return what an equation says of a function as one of what it is applied to arguments."""
        left = equation.left
        if not isinstance(left, data_tree.Identifier) or left.name in scope:
            return equation, scope
        functions = list(self.declared.functions.get(left.name, ()))
        if len(functions) != 1 or not functions[0].arguments:
            return equation, scope
        place = left.name.place
        names = [Name.at(f"@{i}", place) for i, _ in enumerate(functions[0].arguments)]
        variables = [
            typed.Variable(str(name), sort)
            for name, sort in zip(names, functions[0].arguments, strict=True)
        ]
        arguments = tuple([data_tree.Identifier(name) for name in names])
        said = replace(
            equation,
            left=data_tree.Application(left, arguments),
            right=data_tree.Application(equation.right, arguments),
        )
        return said, {**scope, **{variable.name: variable for variable in variables}}

    def rule(self, equation: tree.Equation) -> typed.Rule | None:
        """Return the rule that an equation is; None if something is wrong with it."""
        scope = self.scopes.get(id(equation.variables))
        if scope is None:
            scope = self.scopes[id(equation.variables)] = self.declared.scope(equation.variables)
        equation, scope = self.with_arguments(equation, scope)
        condition = None
        if equation.condition is not None:
            condition = self.inference.term(equation.condition, "Bool", scope, "a condition")
        sides = self.sides(equation, scope)
        if sides is None or (condition is None and equation.condition is not None):
            return None
        left, right = sides
        if isinstance(left, typed.Variable):
            self.declared.error("the left side is only a variable", place_of(equation.left))
            return None
        function = left.function
        is_flat = function in self.inference.binders.currying.next.values()
        of_text = self.declared.functions.get(function.name, ())
        is_predefined = function not in of_text and not is_flat
        if is_predefined and (function.constructor or not function.arguments):
            self.declared.error(f"`{function.name}` cannot be rewritten", place_of(equation.left))
            return None
        if is_predefined and function.name in ("==", "!="):
            # Sets, structures and communication compare terms.
            message = f"an equation for `{function.name}` is not supported"
            self.declared.error(message, place_of(equation.left), Unsupported)
        elif is_predefined and function.native not in (None, VALUE):
            sorts = " and ".join(f"`{sort}`" for sort in function.arguments)
            message = f"an equation for `{function.name}` of {sorts} is not supported"
            message += ": numbers are computed"
            self.declared.error(message, place_of(equation.left), Unsupported)
        looks_inside = any(part.function.name in _OF_VALUES for part, _ in applications(left))
        if any(part.function.name.startswith(WHERE) for part, _ in applications(left)):
            message = "`whr` with so large a value is not supported on the left side"
            self.declared.error(message, place_of(equation.left), Unsupported)
        if looks_inside and equation.left not in self.inference.binders.currying.mixed:
            message = "functions that are values, sets and bags are not supported on the left side"
            self.declared.error(message, place_of(equation.left), Unsupported)
        of_left = list(typed.variables_of(left))
        known = set(of_left)
        for variable in known:
            # Functions may be equal and not look so.
            if of_left.count(variable) > 1 and self.declared.values.is_endless(variable.sort):
                message = f"variable `{variable}` twice on the left side is not supported"
                message += f": `{variable.sort}` has functions in it"
                self.declared.error(message, place_of(equation.left), Unsupported)
        for term, node in ((right, equation.right), (condition, equation.condition)):
            if term is None or node is None:
                continue
            for variable in dict.fromkeys(typed.variables_of(term)):
                if variable not in known:
                    message = f"variable `{variable}` does not occur on the left side"
                    self.declared.error(message, _first_use(node, variable.name))
        looked_inside = _looked_inside(left)
        if looked_inside is None:
            self.declared.error(
                "a positive number that stands for a natural one is not supported on the left side",
                place_of(equation.left),
                Unsupported,
            )
        elif looked_inside:
            left = _as_successors(left, looked_inside)
            positive = {p: ap(_POSITIVE, n) for p, n in looked_inside.items()}
            right = typed.substitute(right, positive)
            condition = None if condition is None else typed.substitute(condition, positive)
        return typed.Rule(left, right, equation.place, condition)

    def sides(self, equation: tree.Equation, scope: Scope) -> tuple[typed.Term, typed.Term] | None:
        """Return both sides, of the sort that the left one has by itself."""
        left = self.inference.typing(equation.left, scope)
        right = self.inference.typing(equation.right, scope)
        if not left.options or not right.options:
            return None
        sort = _common(left, right)
        if sort is None:
            sort = left.best
            self.inference.as_sort(right, sort, "the right side")
            return None
        one, other = self.inference.built(left, sort), self.inference.built(right, sort)
        return None if one is None or other is None else (one, other)


_OF_VALUES = frozenset(("@apply", "@update", "@keep", "@insert", "@put", "@table", "@complement"))
"""What an equation cannot say something of."""


def _common(left: Typing, right: Typing) -> str | None:
    """Return the sort of an equation."""
    found = []
    for sort in left.direct():
        known = right.fit(sort)
        if known is not None:
            cost = left.options[sort].cost + right.options[known].cost
            found.append((cost, known if ANY in sort else sort))
    return min(found)[1] if found else None


_OF_POSITIVE = function("Pos2Nat", ("Pos",), "Nat")
_POSITIVE = function("succ", ("Nat",), "Pos")
"""What makes a positive number of the natural one below it."""


def _looked_inside(left: typed.Application) -> dict[typed.Variable, typed.Variable] | None:
    """Return the positive numbers that a left side has as natural ones, each with the number below.

    None if it has one as a positive number, too, or the natural number is not of a variable.
    """
    found: dict[typed.Variable, typed.Variable] = {}
    others = set()
    waiting: list[typed.Term] = [*left.arguments]
    while waiting:
        part = waiting.pop()
        if isinstance(part, typed.Variable):
            others.add(part)
        elif part.function == _OF_POSITIVE and not part.is_ground:
            (positive,) = part.arguments
            if not isinstance(positive, typed.Variable):
                return None
            found[positive] = typed.Variable(f"{positive.name}@", "Nat")
        else:
            waiting += part.arguments
    return None if others & found.keys() else found


def _as_successors(
    left: typed.Application, numbers: dict[typed.Variable, typed.Variable]
) -> typed.Application:
    """Return a left side with a successor for each positive number that is a natural one."""
    successors = {ap(_OF_POSITIVE, p): ap(SUCC_NAT, n) for p, n in numbers.items()}
    return renamed(left, successors.get)


def _first_use(node: data_tree.Data, name: str) -> Place:
    """Return the first place where a variable stands in an expression."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        match part:
            case data_tree.Identifier(found) if found == name:
                return found.place
            case data_tree.Application(function, arguments):
                waiting += [*reversed(arguments), function]
            case data_tree.Operation(_, operands):
                waiting += reversed(operands)
            case data_tree.ListOf(elements) | data_tree.SetOf(elements):
                waiting += reversed(elements)
            case data_tree.Update(function, argument, value):
                waiting += (value, argument, function)
            case data_tree.Binder(_, _, body) | data_tree.Comprehension(_, body):
                waiting.append(body)
            case data_tree.Where(body, assignments):
                waiting += [*(value for _, value in reversed(assignments)), body]
    return place_of(node)
