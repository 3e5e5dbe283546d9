"""Resolves names in terms of muCRL; functions are overloaded by the sorts of their arguments."""

from __future__ import annotations

from collections.abc import Mapping

from lts.base.spelling import near
from lts.errors import SpecificationError
from lts.mucrl.static.declarations import Declarations, Scope, Sorts, applied, overload
from lts.mucrl.static.numbers import number_called
from lts.mucrl.static.places import first_difference
from lts.mucrl.text import tree
from lts.specification import specification as typed
from lts.text.names import Name

__all__ = ["Resolver", "copied"]


class Resolver:
    """Resolves the names in terms, using the declarations in `declared`, and reports errors there.

    A term with an error resolves to None, and no error is reported for the terms around it.
    """

    def __init__(self, declared: Declarations) -> None:
        self.declared = declared
        self.uses = declared.uses
        self.numbers: Mapping[str, typed.Numbers] | None = None
        """The sorts of numbers; None until all rules are known."""
        self.constants: dict[str, typed.Application] = {}

    def term(self, term: tree.Term, scope: Scope) -> typed.Term | None:
        """Return the term with its sorts; None if it has an error, which is reported."""
        if not term.arguments:
            return self.leaf(term, scope)
        done: list[typed.Term | None] = []
        for part in tree.inside_out(term):
            count = len(part.arguments)
            if not count:
                done.append(self.leaf(part, scope))
                continue
            arguments = done[-count:]
            del done[-count:]
            done.append(self.application(part, arguments, scope))
        return done[0]

    def leaf(self, term: tree.Term, scope: Scope) -> typed.Term | None:
        """Return the variable, constant or number that a name without arguments denotes."""
        name = term.name
        if name in scope:
            if self.uses.keeps:
                self.uses.variable(name)
            return scope[name]
        found = self.constants.get(name)
        if found is None:
            function = self.declared.functions.get((name, ()))
            if function is None:
                number = number_called(name, self.declared, self.numbers)
                if number is not None:
                    return number
                self.unknown_function(term, (), scope)
                return None
            found = self.constants[str(name)] = typed.Application(function)
        if self.uses.keeps:
            self.uses.use(name, ("function", str(name), ()))
        return found

    def application(
        self, term: tree.Term, arguments: list[typed.Term | None], scope: Scope
    ) -> typed.Term | None:
        """Return the application of a function to terms."""
        known = [argument for argument in arguments if argument is not None]
        if len(known) < len(arguments):
            return None
        sorts = tuple([argument.sort for argument in known])
        function = self.declared.functions.get((term.name, sorts))
        if function is None:
            self.unknown_function(term, sorts, scope)
            return None
        if self.uses.keeps:
            self.uses.use(term.name, ("function", str(term.name), sorts))
        return typed.Application(function, tuple(known))

    def unknown_function(self, term: tree.Term, sorts: Sorts, scope: Scope) -> None:
        """Report that no function has this name and takes these sorts."""
        name = term.name
        if name in self.declared.wrong or not self.declared.is_new("function", name, *sorts):
            return
        names = self.declared.function_names
        overloads = names.get(name, {})
        place = name.place
        if len(overloads) == 1 and len(only := next(iter(overloads))) == len(sorts):
            place = first_difference(term.arguments, sorts, only)
        here = copied(scope)

        def message() -> str:
            if name in here:
                return f"`{name}` is a variable, so it takes no arguments"
            if overloads:
                listed = [
                    (f"{name}:{'#'.join(o)}->{self.declared.functions[name, o].sort}", at)
                    for o, at in overloads.items()
                ]
                return self.mismatch("function", name, sorts, [*overloads], listed)
            if name in self.declared.action_names or name in self.declared.process_names:
                kind = "an action" if name in self.declared.action_names else "a process"
                return f"`{name}` is {kind}, not a function"
            if sorts:
                return (
                    f"function `{name}` is not declared{near(name, self.declared.function_names)}"
                )
            known = [*here, *(n for n, o in self.declared.function_names.items() if () in o)]
            return f"`{name}` is not a variable or constant in scope{near(name, known)}"

        self.declared.report.add(SpecificationError, message, place)

    def mismatch(
        self,
        kind: str,
        name: Name,
        sorts: Sorts,
        overloads: list[Sorts],
        listed: list[tuple[str, Name]],
    ) -> str:
        """Return the message that no overload of a name fits these sorts, listing the overloads."""
        if len(overloads) == 1:
            shown, at = listed[0]
            (only,) = overloads
            declared = f"`{shown}` ({self.declared.line(at)})"
            if len(only) != len(sorts):
                takes = f"{len(only)} argument{'s' if len(only) > 1 else ''}" if only else "none"
                if not only:
                    return f"{declared} takes no arguments, not {len(sorts)}"
                return f"{declared} takes {takes}, not {len(sorts)}"
            number, expected, given = next(
                (i, w, g) for i, (w, g) in enumerate(zip(only, sorts, strict=True), 1) if w != g
            )
            return f"argument {number} of {declared} has sort `{given}` instead of `{expected}`"
        words = [f"`{shown}` ({self.declared.line(at)})" for shown, at in listed]
        if len(words) > 6:
            words[5:] = [f"{len(words) - 5} more"]
        signature = overload(name, sorts) if kind == "function" else applied(name, sorts)
        known = ", ".join(words[:-1]) + " and " + words[-1]
        return f"there is no {kind} `{signature}`; there are {known}"


def copied(scope: Scope) -> Scope:
    """Return a copy of a scope; a very large scope is shared, and may change before it is used."""
    return scope if len(scope) > 1000 else dict(scope)
