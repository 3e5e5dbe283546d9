"""Equations of curried functions, such as `f(x)(y) = ..`.

They become rules of another function that takes all arguments at once, and replaces `f` wherever it
is applied to all of them; `f(x)` alone is the function value that applies it to the remaining
arguments. If `f(x)` occurs inside another left side, it must remain as it is: then the rules are
those of its application.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from lts.mcrl2.data.functions import applied
from lts.mcrl2.data.sort_names import is_function, signature
from lts.mcrl2.text import data_tree, tree
from lts.specification.notation import Notation
from lts.specification.specification import Rule
from lts.specification.terms import Application, Function, Term, Variable
from lts.text.names import Name

__all__ = ["Currying"]


def _called(function: Function) -> Notation:
    """Return the notation `name(a,b)`."""
    return Notation((f"{function.name}(", *("," for _ in function.arguments[1:]), ")"))


class Currying:
    """Records how many times functions are applied on the left sides of equations."""

    def __init__(self, equations: Iterable[tree.Equation], distinguished: Container[str]) -> None:
        self._distinguished = distinguished
        self._depths: dict[tuple[str, int], int] = {}
        """How many more applications follow, by name and number of the first arguments."""
        self.next: dict[Function, Function] = {}
        """For each function, the one that takes the arguments of one more application."""
        self._left: dict[Function, int] = {}
        self.mixed: list[tuple[Name, data_tree.Data]] = []
        """Left sides on which a function is applied a different number of times than on others."""
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
        """Apply a function value to arguments; if possible, uncurried."""
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
        shown = function.notation or _called(function)
        last, *more = _called(Function("", sorts, result)).around
        around = (*shown.around[:-1], shown.around[-1] + last, *more)
        made = Function(name, (*function.arguments, *sorts), result, notation=Notation(around))
        self.next[function] = made
        self._left[made] = depth - 1
        return made

    def rules(self, value: Callable[[str, tuple[Variable, ...], Term], Term]) -> list[Rule]:
        """Return the rules for partially applied functions; `value` makes a function value."""
        found = []
        for function, further in self.next.items():
            variables = [Variable(f"x{i}@", sort) for i, sort in enumerate(further.arguments)]
            given = tuple(variables[: len(function.arguments)])
            rest = tuple(variables[len(function.arguments) :])
            whole = value(function.sort, rest, Application(further, tuple(variables)))
            found.append(Rule(Application(function, given), whole, (1, 1)))
        return found
