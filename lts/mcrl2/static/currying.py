"""Equations of functions that are applied twice, or more often: `f(x)(y) = ..`.

They are rules of another function of all arguments, which stands wherever `f` is applied so often;
alone, `f(x)` is the function that is this of a further argument. But where `f(x)` stands inside of
a left side it stays what it is, and the rules are those of its application.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from lts.mcrl2.data.functions import applied
from lts.mcrl2.data.sort_names import is_function, signature
from lts.mcrl2.text import data_tree, tree
from lts.specification.specification import Rule
from lts.specification.terms import Application, Function, Term, Variable
from lts.text.names import Name

__all__ = ["Currying"]


class Currying:
    """Knows how often functions of the text are applied on the left sides of its equations."""

    def __init__(self, equations: Iterable[tree.Equation], distinguished: Container[str]) -> None:
        self._distinguished = distinguished
        self._depths: dict[tuple[str, int], int] = {}
        """By name and number of first arguments, how many more applications follow."""
        self.next: dict[Function, Function] = {}
        """For a function the one of all arguments of one application more."""
        self._left: dict[Function, int] = {}
        self.mixed: list[tuple[Name, data_tree.Data]] = []
        """The left sides on which a function is applied more or less often than on others."""
        for equation in equations:
            depth, node = 0, equation.left
            while isinstance(node, data_tree.Application):
                inner = node.function
                if isinstance(inner, data_tree.Identifier):
                    key = str(inner.name), len(node.arguments)
                    if self._depths.setdefault(key, depth) != depth:
                        self.mixed.append((inner.name, equation.left))
                    break
                depth, node = depth + 1, inner

    def applied(self, function: Term, arguments: tuple[Term, ...]) -> Application:
        """Return what has the sort of a function applied to arguments."""
        if isinstance(function, Application) and function.arguments:
            is_flat = function.sort not in self._distinguished
            further = self._further(function.function) if is_flat else None
            if further is not None:
                return Application(further, (*function.arguments, *arguments))
        return applied(function, arguments)

    def _further(self, function: Function) -> Function | None:
        if function in self.next:
            return self.next[function]
        depth = self._left.get(function)
        if depth is None:
            depth = self._depths.get((function.name, len(function.arguments)), 0)
        if not depth or not is_function(function.sort):
            return None
        sorts, result = signature(function.sort)
        name = f"{function.name.partition('@')[0]}@{len((*function.arguments, *sorts))}"
        made = Function(name, (*function.arguments, *sorts), result)
        self.next[function] = made
        self._left[made] = depth - 1
        return made

    def rules(self, value: Callable[[str, tuple[Variable, ...], Term], Term]) -> list[Rule]:
        """Return what functions are that lack further arguments; `value` makes such a function."""
        found = []
        for function, further in self.next.items():
            variables = [Variable(f"x{i}@", sort) for i, sort in enumerate(further.arguments)]
            given = tuple(variables[: len(function.arguments)])
            rest = tuple(variables[len(function.arguments) :])
            whole = value(function.sort, rest, Application(further, tuple(variables)))
            found.append(Rule(Application(function, given), whole, (1, 1)))
        return found
