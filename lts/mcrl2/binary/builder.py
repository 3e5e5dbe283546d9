"""Makes the terms of a file to write: sorts, numbers, actions and declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from lts.mcrl2.binary.stream import EMPTY, LIST

if TYPE_CHECKING:
    from lts._engine import TermWriter

__all__ = ["Builder", "FileDeclarations", "Section", "encoded"]


def encoded(name: str) -> bytes:
    """Return the bytes of a name."""
    return name.encode("utf-8", "surrogateescape")


Section = list[tuple[bytes, list[int]]]
"""Terms, each its name and its arguments."""


@dataclass(slots=True)
class FileDeclarations:
    """What a file declares before its transitions or its process."""

    sorts: Section = field(default_factory=list)
    aliases: Section = field(default_factory=list)
    constructors: Section = field(default_factory=list)
    functions: Section = field(default_factory=list)
    equations: Section = field(default_factory=list)
    parameters: list[int] = field(default_factory=list)
    actions: dict[int, None] = field(default_factory=dict)


class Builder:
    """Makes the terms that labels consist of."""

    def __init__(self, writer: TermWriter) -> None:
        self.writer = writer
        self._made: dict[tuple[object, ...], int] = {}

    def term(self, name: str, *arguments: int) -> int:
        """Return the number of a term."""
        return self.writer.term(encoded(name), arguments)

    def listed(self, elements: Iterable[int]) -> int:
        """Return a list."""
        found = self.term(EMPTY)
        for element in reversed([*elements]):
            found = self.term(LIST, element, found)
        return found

    def once(self, of: tuple[object, ...], make: Callable[[], int]) -> int:
        """Return the term for a key, making it on first use."""
        if of not in self._made:
            self._made[of] = make()
        return self._made[of]

    def output_list(self, elements: Iterable[int]) -> None:
        """Write a list as an item of the stream."""
        given = [*elements]
        if given:
            self.writer.output(encoded(LIST), [given[0], self.listed(given[1:])])
        else:
            self.writer.output(encoded(EMPTY), [])

    def output_data(self, declared: FileDeclarations) -> None:
        """Write the declarations of data."""
        for section in (
            declared.sorts,
            declared.aliases,
            declared.constructors,
            declared.functions,
            declared.equations,
        ):
            self.writer.output_number(len(section))
            for name, given in section:
                self.writer.output(name, given)

    def sort(self, name: str) -> int:
        """Return a sort by its name."""
        return self.once(("sort", name), lambda: self.term("SortId", self.term(name)))

    def container(self, kind: str, element: int) -> int:
        """Return the sort of lists, sets or bags of an element sort."""
        return self.term("SortCons", self.term(f"Sort{kind}"), element)

    def arrow(self, arguments: Iterable[int], result: int) -> int:
        """Return a sort of functions."""
        return self.term("SortArrow", self.listed(arguments), result)

    def constant(self, name: str, sort: int) -> int:
        """Return a function symbol, which is a constant if its sort is not one of functions."""
        return self.term("OpIdNoIndex", self.term(name), sort)

    def applied(self, name: str, arguments: Iterable[tuple[int, int]], sort: int) -> int:
        """Return an application to arguments, which are pairs of a term and its sort."""
        given = [*arguments]
        function = self.constant(name, self.arrow((of for _, of in given), sort))
        return self.term("DataAppl", function, *(term for term, _ in given))

    def number(self, value: int, sort: str) -> int:
        """Return the term of a `Pos`, `Nat` or `Int`, in machine words of 64 bits."""
        if sort == "Int":
            name, of = ("@cNeg", "Pos") if value < 0 else ("@cInt", "Nat")
            given = [(self.number(abs(value), of), self.sort(of))]
            return self.applied(name, given, self.sort(sort))
        words = []
        while value >> 64:
            words.append(value & 2**64 - 1)
            value >>= 64
        to, word = self.sort(sort), self.sort("@word")
        name = "@most_significant_digit" + ("Nat" if sort == "Nat" else "")
        found = self.applied(name, [(self.writer.number(value), word)], to)
        for digit in reversed(words):
            given = [(found, to), (self.writer.number(digit), word)]
            found = self.applied("@concat_digit", given, to)
        return found

    def action(self, name: str, sorts: Iterable[int], values: Iterable[int]) -> int:
        """Return an action with arguments of these sorts."""
        return self.term("Action", self.label(name, sorts), self.listed(values))

    def label(self, name: str, sorts: Iterable[int]) -> int:
        """Return the declaration of an action."""
        return self.term("ActId", self.term(name), self.listed(sorts))

    @cached_property
    def untimed(self) -> int:
        """The time of an action that has none."""
        return self.term("DataVarId", self.term("@undefined_real"), self.sort("Real"))
