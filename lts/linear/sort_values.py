"""The functions that build the values of a sort, and the sorts of their arguments."""

from __future__ import annotations

from collections.abc import Iterable

from lts.linear.process import LinearProcess
from lts.specification.specification import Application, Function
from lts.specification.terms import VALUE

__all__ = ["SortValues"]


class SortValues:
    """The values of the sorts of a process."""

    def __init__(self, process: LinearProcess) -> None:
        self.functions = process.specification.functions
        self.all_functions = (*self.functions, *process.functions)
        self.ruled = {rule.left.function for rule in process.specification.rules}
        self.ruled |= {rule.left.function for rule in process.rules}
        self.made_of: dict[str, set[str]] = {}
        for function in self.all_functions:
            if self.makes_values(function):
                self.made_of.setdefault(function.sort, set()).update(function.arguments)

    def inside(self, sorts: Iterable[str]) -> list[str]:
        """Return sorts with all sorts that their values are built from, in order."""
        found = set(sorts)
        waiting = [*found]
        while waiting:
            new = self.made_of.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return sorted(found)

    def builders(self, sort: str) -> list[Function]:
        """Return the functions that values of a sort are built from, in the order of
        declaration."""
        return [f for f in self.all_functions if f.sort == sort and self.makes_values(f)]

    def constants(self, sort: str) -> list[Application]:
        """Return the values of a sort if all are constants, else nothing."""
        values = [f for f in self.functions if f.sort == sort and self.makes_values(f)]
        if any(f.arguments or f in self.ruled for f in values):
            return []
        return [Application(f) for f in values]

    def are_free(self, sort: str) -> bool:
        """Whether no function that builds values of sorts has rules."""
        return all(f.sort != sort or not self.makes_values(f) for f in self.ruled)

    def makes_values(self, function: Function) -> bool:
        """Whether a function occurs in values: a constructor, a builder of function values, or a
        constant without rules."""
        if function.constructor or function.native == VALUE:
            return True
        return not (function.arguments or function in self.ruled)
