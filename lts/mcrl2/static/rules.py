"""Turns the equations of a text into rules.

A rule matches its left side syntactically: functions in it are not computed. If no value matches
because of that, as `f(n + 1)` never matches `f(3)`, terms are not rewritten, as in mCRL2, and a
remark says so.
"""

from __future__ import annotations

from dataclasses import replace

from lts.errors import Unsupported
from lts.mcrl2.data.signatures import is_predefined as is_of_library
from lts.mcrl2.data.symbols import FALSE, RATIO, TRUE, is_number
from lts.mcrl2.static.binders import WHERE
from lts.mcrl2.static.declarations import Scope
from lts.mcrl2.static.inference import Inference
from lts.mcrl2.static.options import ANY, Typing
from lts.mcrl2.text import data_tree, tree
from lts.mcrl2.text.data_tree import place_of
from lts.specification import specification as typed
from lts.specification.terms import NUMERAL, VALUE, applications
from lts.text.names import Name
from lts.text.source import Place

__all__ = ["Rules"]


class Rules:
    """Makes rules from equations; errors are added to the report of the declarations."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference
        self.declared = inference.declared
        self.scopes: dict[int, Scope] = {}
        """The scope of each `var` section, by the identity of its declarations."""

    def with_arguments(self, equation: tree.Equation, scope: Scope) -> tuple[tree.Equation, Scope]:
        """Extend an equation between functions to one between their applications to variables."""
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
        """Return the rule for an equation; None after an error."""
        scope = self.scopes.get(id(equation.variables))
        if scope is None:
            scope = self.scopes[id(equation.variables)] = self.declared.scope(equation.variables)
        with self.declared.within(equation.variables, scope):
            return self._rule(*self.with_arguments(equation, scope))

    def _rule(self, equation: tree.Equation, scope: Scope) -> typed.Rule | None:
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
        self.declared.uses.equation(("function", function), equation.place)
        is_flat = function in self.inference.binders.currying.next.values()
        of_text = self.declared.functions.get(function.name, ())
        is_predefined = function not in of_text and not is_flat
        if is_predefined and (function.constructor or not function.arguments):
            self.declared.error(f"`{function.name}` cannot be rewritten", place_of(equation.left))
            return None
        if is_predefined and function.name in ("==", "!="):
            self.declared.values.compared.add(function.arguments[0])
            if function.name == "!=" or not _says_what_is_so(left, right, condition):
                # Sets, structured sorts and communication compare terms syntactically.
                message = f"this equation for `{function.name}` is not supported"
                message += ": values are equal only if they are identical"
                self.declared.error(message, place_of(equation.left), Unsupported)
        elif is_predefined and function.native not in (None, VALUE):
            sorts = " and ".join(f"`{sort}`" for sort in function.arguments)
            message = f"an equation for `{function.name}` of {sorts} is not supported"
            message += ": numbers are computed"
            self.declared.error(message, place_of(equation.left), Unsupported)
        looks_inside = any(
            part.function.name in _OF_VALUES
            for top in self.parts(left)
            for part, _ in applications(top)
        )
        unmatched = self.unmatched(left, is_predefined)
        if unmatched is not None:
            message = f"no value matches this left side, as in mCRL2: {unmatched} is evaluated, and"
            message += " left sides are not"
            self.declared.sorts.remarks.append((message, place_of(equation.left)))
        if any(part.function.name.startswith(WHERE) for part, _ in applications(left)):
            message = "`whr` with so large a value is not supported on the left side"
            self.declared.error(message, place_of(equation.left), Unsupported)
        mixed = [node for _, node in self.inference.binders.currying.mixed]
        if looks_inside and equation.left not in mixed:
            message = (
                "functions that are values, and infinite sets, are not supported on the left side"
            )
            self.declared.error(message, place_of(equation.left), Unsupported)
        of_left = list(typed.variables_of(left))
        known = set(of_left)
        for variable in known:
            # Equal functions may have different normal forms.
            if of_left.count(variable) > 1 and self.declared.values.is_endless(variable.sort):
                message = f"variable `{variable}` twice on the left side is not supported"
                message += f": `{variable.sort}` contains functions"
                self.declared.error(message, place_of(equation.left), Unsupported)
        for term, node in ((right, equation.right), (condition, equation.condition)):
            if term is None or node is None:
                continue
            for variable in dict.fromkeys(typed.variables_of(term)):
                if variable not in known:
                    message = f"variable `{variable}` does not occur on the left side"
                    self.declared.error(message, _first_use(node, variable.name))
        if any(_is_never_a_pattern(part) for part, _ in applications(left)):
            return None
        return typed.Rule(left, right, equation.place, condition)

    def unmatched(self, left: typed.Application, is_predefined: bool) -> str | None:
        """Return in words the part of a left side that no value matches, or None."""
        for part, _ in applications(left):
            function = part.function
            if function.native == NUMERAL and function.name.startswith("-"):
                return f"`{function.name}`"
            if _is_never_a_pattern(part):
                return "a fraction" if function == RATIO else "a set or bag of elements"
            is_of_numbers = bool(function.arguments) and all(map(is_number, function.arguments))
            is_top = part is left and is_predefined
            if is_of_numbers and not is_top and is_of_library(function):
                return f"`{function.name}`"
        return None

    def parts(self, left: typed.Application) -> list[typed.Term]:
        """Return a left side; for one that is applied repeatedly, also the further arguments."""
        found: list[typed.Term] = []
        distinguished = self.declared.values.distinguished
        while left.function.name == "@apply":
            first = left.arguments[0]
            if not isinstance(first, typed.Application) or first.sort not in distinguished:
                break
            found += left.arguments[1:]
            left = first
        return [left, *found]

    def sides(self, equation: tree.Equation, scope: Scope) -> tuple[typed.Term, typed.Term] | None:
        """Return both sides, in the cheapest sort that they have in common."""
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


def _says_what_is_so(
    left: typed.Application, right: typed.Term, condition: typed.Term | None
) -> bool:
    """Whether an equation for `==` agrees with syntactic equality of values.

    Equations about terms that are not values may say anything.
    """
    one, other = left.arguments
    if not (_is_built(one) and _is_built(other)):
        return True
    if condition is not None:
        return False
    if isinstance(one, typed.Variable) or isinstance(other, typed.Variable):
        return one == other and right == TRUE
    pairs: list[tuple[typed.Term, typed.Term]] = [(one, other)]
    compared = set()
    while pairs:
        one, other = pairs.pop()
        if isinstance(one, typed.Variable) or isinstance(other, typed.Variable):
            if one != other:
                compared.add(frozenset((one, other)))
        elif one.function != other.function:
            return right == FALSE
        else:
            pairs += zip(one.arguments, other.arguments, strict=True)
    said, waiting = set(), [right]
    while waiting:
        part = waiting.pop()
        if isinstance(part, typed.Application) and part.function.name == "&&":
            waiting += part.arguments
        elif isinstance(part, typed.Application) and part.function.name == "==":
            said.add(frozenset(part.arguments))
        elif part != TRUE:
            return False
    return said == compared


def _is_built(term: typed.Term) -> bool:
    """Whether a term consists of constructors, numerals and variables."""
    return all(
        part.function.constructor or part.function.native == NUMERAL
        for part, _ in applications(term)
    )


_OF_VALUES = frozenset(("@apply", "@update", "@keep", "@table", "@complement"))
"""Generated functions that left sides must not contain."""


def _common(left: Typing, right: Typing) -> str | None:
    """Return the cheapest common sort of both sides, or None."""
    found = []
    for sort in left.direct():
        known = right.fit(sort)
        if known is not None:
            cost = left.options[sort].cost + right.options[known].cost
            found.append((cost, known if ANY in sort else sort))
    return min(found)[1] if found else None


_ELEMENTS = frozenset(("@insert", "@put"))


def _is_never_a_pattern(part: typed.Application) -> bool:
    """Whether a part of a left side is never a normal form in mCRL2, so that nothing matches it.

    Such parts are sets and bags with elements, negative numbers and fractions.
    """
    function = part.function
    if function.name in _ELEMENTS:
        return True
    if function.native == NUMERAL:
        return function.name.startswith("-")
    return function == RATIO and not part.is_ground


def _first_use(node: data_tree.Data, name: str) -> Place:
    """Return the place of the first occurrence of a variable in an expression."""
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
