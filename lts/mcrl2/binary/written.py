"""Terms of a file to write: from a specification, and the values that its labels show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

from lts.mcrl2.binary.stream import EMPTY, LIST
from lts.mcrl2.data.sort_names import function_sort
from lts.mcrl2.data.symbols import RATIO
from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.tree import Specification as Tree
from lts.mcrl2.trees import tree_of
from lts.names import Named, normal, read_actions
from lts.specification.generators import Recursion, run
from lts.specification.processes import ActionName
from lts.specification.specification import Specification
from lts.specification.terms import Application, Term
from lts.specification.values import Values

if TYPE_CHECKING:
    from lts._engine import TermWriter

__all__ = [
    "Builder",
    "Declarations",
    "OfSpecification",
    "Section",
    "actions_of",
    "encoded",
]

_MOST_DIGITS = 4_000
"""Most digits of numbers; longer ones are constants like other values that cannot be read."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9']*")


def encoded(name: str) -> bytes:
    """Return the bytes of a name."""
    return name.encode("utf-8", "surrogateescape")


Section = list[tuple[bytes, list[int]]]
"""Terms, each its name and its arguments."""


@dataclass(slots=True)
class Declarations:
    """What a file declares before its transitions."""

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


class OfSpecification:
    """The labels of a specification: their actions have the sorts of its declarations.

    Values that are built of constructors are the terms that mCRL2 writes for them. A function, a
    set or bag given by a condition, and an application that no equation fits are constants of their
    sorts, whose names are their texts.
    """

    def __init__(self, builder: Builder, specification: Specification) -> None:
        self.builder = builder
        self.tree: Tree = tree_of(specification.source, ignores_time=specification.ignores_time)
        self.values = Values(specification, digits=_MOST_DIGITS)
        self.aliases = {str(one.name): one.sort for one in self.tree.sorts if one.sort is not None}
        self.functions = {
            (name, len(sorts), self._name(result)): sorts for name, sorts, result in self._typed()
        }
        self.overloads: dict[tuple[str, int], list[tuple[tree.Sort, ...]]] = {}
        for one in self.tree.actions:
            known = ActionName(str(one.name), tuple(map(self._name, one.sorts)))
            if known in specification.actions:
                key = str(one.name), len(one.sorts)
                self.overloads.setdefault(key, []).append(one.sorts)
        self.declared = self._declarations()

    def _typed(self) -> Iterator[tuple[str, tuple[tree.Sort, ...], tree.Sort]]:
        """Yield name, argument sorts and result sort of constructors and functions."""
        for declared in self.tree.functions:
            sort = declared.sort
            if isinstance(sort, tree.Function):
                yield str(declared.name), sort.arguments, sort.result
            else:
                yield str(declared.name), (), sort
        for alias in self.tree.sorts:
            if isinstance(alias.sort, tree.Structure):
                for made in alias.sort.constructors:
                    fields = tuple(of for _, of in made.projections)
                    yield str(made.name), fields, tree.SortName(alias.name)

    def _declarations(self) -> Declarations:
        """Return the declarations of the specification, without its equations."""
        found, builder = Declarations(), self.builder
        for one in self.tree.sorts:
            name = builder.term(str(one.name))
            if one.sort is None:
                found.sorts.append((b"SortId", [name]))
            else:
                sort = self._sort(one.sort, whole=True)
                found.aliases.append((b"SortRef", [builder.sort(str(one.name)), sort]))
        for declared in self.tree.functions:
            section = found.constructors if declared.constructor else found.functions
            given = [builder.term(str(declared.name)), self._sort(declared.sort)]
            section.append((b"OpIdNoIndex", given))
        found.actions = dict.fromkeys(
            builder.label(str(one.name), map(self._sort, one.sorts)) for one in self.tree.actions
        )
        return found

    def actions(self, wanted: Iterable[Named]) -> dict[Named, int]:
        """Return the terms of those actions that are declared."""
        found = ((one, self._action(*one)) for one in wanted)
        return {one: term for one, term in found if term is not None}

    def _action(self, name: str, given: tuple[str, ...]) -> int | None:
        overloads = self.overloads.get((name, len(given)), [])
        for sorts in overloads:
            read = [
                self.values.value(text, self._name(sort))
                for text, sort in zip(given, sorts, strict=True)
            ]
            if len(overloads) == 1 or None not in read:
                terms = [
                    self.builder.once((text, id(sort)), partial(self._value, value, text, sort))
                    for value, text, sort in zip(read, given, sorts, strict=True)
                ]
                return self.builder.action(name, map(self._sort, sorts), terms)
        return None

    def _resolved(self, sort: tree.Sort) -> tree.Sort:
        """Return a sort without the aliases that stand for it, other than names of structures."""
        while isinstance(sort, tree.SortName):
            of = self.aliases.get(str(sort.name))
            if of is None or isinstance(of, tree.Structure):
                return sort
            sort = of
        return sort

    def _name(self, sort: tree.Sort) -> str:
        """Return the name that a sort has in a typed specification."""
        match sort := self._resolved(sort):
            case tree.SortName(name):
                return str(name)
            case tree.Container(name, element):
                return f"{str(name).removeprefix('F')}({self._name(element)})"
            case tree.Function(arguments, result):
                return function_sort(map(self._name, arguments), self._name(result))
        return ""  # a structure without a name

    def _sort(self, sort: tree.Sort, *, whole: bool = False) -> int:
        """Return the term of a sort; with `whole`, a structure is not abbreviated to its name."""
        builder = self.builder
        match sort if whole else (sort := self._resolved(sort)):
            case tree.SortName(name):
                return builder.sort(str(name))
            case tree.Container(name, element):
                return builder.container(str(name), self._sort(element))
            case tree.Function(arguments, result):
                return builder.arrow(map(self._sort, arguments), self._sort(result))
            case tree.Structure(constructors):
                return builder.term(
                    "SortStruct",
                    builder.listed(
                        builder.term(
                            "StructCons",
                            builder.term(str(one.name)),
                            builder.listed(
                                builder.term(
                                    "StructProj", builder.term(str(of or "")), self._sort(inner)
                                )
                                for of, inner in one.projections
                            ),
                            builder.term(str(one.recogniser or "")),
                        )
                        for one in constructors
                    ),
                )
        raise AssertionError(sort)

    def _value(self, value: Application | None, text: str, sort: tree.Sort) -> int:
        if value is None:
            return self.builder.constant(text, self._sort(sort))
        found: int = run(self._made(value, sort))
        return found

    def _made(self, value: Term, sort: tree.Sort) -> Recursion[int]:
        """Return the term of a value of this sort, which has no variables."""
        assert isinstance(value, Application)
        builder = self.builder
        match sort := self._resolved(sort):
            case tree.SortName(name) if str(name) in ("Pos", "Nat", "Int"):
                number = str(value)
                if number.removeprefix("-").isdigit():
                    return builder.number(int(number), str(name))
                return builder.constant(number, self._sort(sort))
            case tree.SortName(name) if str(name) == "Real":
                parts = [str(one) for one in value.arguments]
                if value.function != RATIO or not parts[0].removeprefix("-").isdigit():
                    return builder.constant(str(value), self._sort(sort))
                given = [
                    (builder.number(int(parts[0]), "Int"), builder.sort("Int")),
                    (builder.number(int(parts[1]), "Pos"), builder.sort("Pos")),
                ]
                return builder.applied("@cReal", given, builder.sort("Real"))
            case tree.Container(name, element):
                made: int = yield self._container(value, str(name), element)
                return made
            case tree.Function():
                return builder.constant(str(value), self._sort(sort))
        symbol = value.function.name
        if not value.arguments:
            return builder.constant(symbol, self._sort(sort))
        sorts = self.functions.get((symbol, len(value.arguments), self._name(sort)))
        if sorts is None:
            return builder.constant(str(value), self._sort(sort))
        terms = []
        for one, of in zip(value.arguments, sorts, strict=True):
            terms.append(((yield self._made(one, of)), self._sort(of)))
        return builder.applied(symbol, terms, self._sort(sort))

    def _container(self, value: Term, kind: str, element: tree.Sort) -> Recursion[int]:
        """Return the term of a list, set or bag."""
        assert isinstance(value, Application)
        builder, of = self.builder, self._sort(element)
        finite = kind if kind in ("List", "FSet", "FBag") else f"F{kind}"
        chain = builder.container(finite, of)
        name = {"List": "|>", "FSet": "@fset_cons", "FBag": "@fbag_cons"}[finite]
        elements, whole = [], value
        empty, add = {
            "List": self.values.specification.lists,
            "FSet": self.values.specification.sets,
            "FBag": self.values.specification.bags,
        }[finite][value.sort]
        while value.function != empty:
            if value.function != add:
                return builder.constant(str(whole), builder.container(kind, of))
            *parts, rest = value.arguments
            assert isinstance(rest, Application)
            value = rest
            given = [((yield self._made(parts[0], element)), of)]
            if finite == "FBag":
                given.append((builder.number(int(str(parts[1])), "Pos"), builder.sort("Pos")))
            elements.append(given)
        found = builder.constant(empty.name, chain)
        for given in reversed(elements):
            found = builder.applied(name, [*given, (found, chain)], chain)
        if finite == kind:
            return found
        function = builder.arrow([of], builder.sort("Bool" if kind == "Set" else "Nat"))
        rule = builder.constant("@false_" if kind == "Set" else "@zero_", function)
        given = [(rule, function), (found, chain)]
        return builder.applied(f"@{kind.lower()}", given, builder.container(kind, of))


def actions_of(label: str) -> list[Named] | None:
    """Return the actions of a label in order; None if it is not in the syntax of mCRL2."""
    found = sorted(read_actions(label), key=_shown)
    is_named = all(_NAME.fullmatch(name) and name != "tau" for name, _ in found)
    if is_named and normal("|".join(map(_shown, found))) == normal(label):
        return found
    return None


def _shown(action: Named) -> str:
    name, given = action
    return f"{name}({','.join(given)})" if given else name
