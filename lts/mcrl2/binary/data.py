"""Data expressions: from terms of a binary file to the syntax trees that the parser would build."""

from __future__ import annotations

from lts.mcrl2.binary.forms import (
    Applied,
    Binding,
    Forms,
    Given,
    Number,
    Valued,
    Variable,
    parts_of,
)
from lts.mcrl2.binary.sorts import sort
from lts.mcrl2.binary.stream import Stream
from lts.mcrl2.data.signatures import MONOMORPHIC
from lts.mcrl2.text import data_tree as tree
from lts.mcrl2.text.data import BINARY
from lts.specification.generators import Recursion, run
from lts.text.names import Name
from lts.text.source import Place

__all__ = ["Expressions"]

_PREFIX = ("!", "-", "#")


class Expressions:
    """Converts terms of a stream to expressions, all with the current `place`."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.forms = Forms(stream)
        self.place: Place = (1, 1)
        self.taken: set[str] = set()
        """Names of functions; variables of these names are renamed, since texts cannot tell them
        apart."""
        self.overloaded: set[str] = set()
        """Names that several functions have."""
        self.shared: dict[int, tuple[tree.Data, frozenset[str]]] = {}
        """By identity, the expressions that occur several times, with their free variables."""
        self._known: dict[int, tuple[tree.Data, frozenset[str]]] = {}

    def next(self) -> None:
        """Advance to the next place."""
        self.place = (self.place[0] + 1, 1)
        self._known.clear()

    def name(self, text: str) -> Name:
        """Return a name at the current place."""
        return Name.at(text, self.place)

    def variable_name(self, text: str) -> Name:
        """Return the name of a variable."""
        while text in self.taken:
            text += "'"
        return self.name(self.stream.known_identifier(text))

    def sort(self, number: int) -> tree.Sort:
        """Convert a term to a sort."""
        return sort(self.stream, number, self.place)

    def sorts(self, number: int) -> tuple[tree.Sort, ...]:
        """Convert a list to sorts."""
        return tuple([self.sort(sort) for sort in self.stream.list_of(number, "sorts")])

    def declared(self, variables: tuple[Variable, ...]) -> tuple[tree.Variable, ...]:
        """Return declarations of variables."""
        return tuple(
            [tree.Variable(self.variable_name(v.name), self.sort(v.sort)) for v in variables]
        )

    def data(self, number: int, *, alone: bool = False) -> tree.Data:
        """Convert a term to an expression.

        Its sort is made explicit where the text would be ambiguous, but not if it stands `alone`,
        where the context determines the sort.
        """
        made, _ = run(self._made(number))
        found: tree.Data = made
        return found.data if alone and isinstance(found, tree.Sorted) else found

    def _made(self, number: int) -> Recursion[tuple[tree.Data, frozenset[str]]]:
        """Return the expression and the names of its free variables."""
        if number in self._known:
            found, names = self._known[number]
            if not isinstance(found, tree.Identifier):
                self.shared[id(found)] = found, names
            return found, names
        self.stream.spend(1)
        names = frozenset[str]()
        made: list[tree.Data] = []
        free: list[frozenset[str]] = []
        form = self.forms.form(number)
        for part in parts_of(form):
            one, of_part = yield self._made(part)
            made.append(one)
            free.append(of_part)
            names = of_part if names <= of_part else names | of_part
        match form:
            case Variable(name):
                variable = self.variable_name(name)
                data: tree.Data = tree.Identifier(variable)
                names = frozenset((str(variable),))
            case Number(value, of):
                digits: tree.Data = tree.Number(self.name(str(abs(value))))
                if value < 0:
                    digits = tree.Operation(self.name("-"), (digits,))
                data = tree.Sorted(digits, tree.SortName(self.name(of)))
            case Valued():
                data = tree.Application(made[0], tuple(made[1:]))
            case Binding(word, variables):
                declared = self.declared(variables)
                names -= {str(variable.name) for variable in declared}
                if word in ("set", "bag"):
                    data = tree.Comprehension(declared[0], made[0], self.place)
                else:
                    data = tree.Binder(self.name(word), declared, made[0])
            case Given(_, values):
                defined = [self.variable_name(name) for name, _ in values]
                data = tree.Where(made[0], tuple(zip(defined, made[1:], strict=True)), self.place)
                names = (free[0] - set(map(str, defined))).union(*free[1:])
            case Applied(name, of_function):
                data = self._applied(name, of_function, tuple(made))
        self._known[number] = data, names
        return data, names

    def _applied(self, name: str, of: int, arguments: tuple[tree.Data, ...]) -> tree.Data:
        place = self.place
        match name, arguments:
            case "[]", ():
                return tree.Sorted(tree.ListOf((), place), self.sort(of))
            case "{}", ():
                return tree.Sorted(tree.SetOf((), place), self.sort(of))
            case "{:}", ():
                return tree.Sorted(tree.Bag((), place), self.sort(of))
            case "@insert", (element, rest):
                return self._put(tree.SetOf((element,), place), rest)
            case "@insert", (element, count, rest):
                return self._put(tree.Bag(((element, count),), place), rest)
            case "@update", (function, argument, value):
                return tree.Update(function, argument, value, place)
            case "@cReal", (above, below):
                above = tree.Application(tree.Identifier(self.name("Int2Real")), (above,))
                below = tree.Application(tree.Identifier(self.name("Pos2Real")), (below,))
                return tree.Operation(self.name("/"), (above, below))
        if (len(arguments) == 1 and name in _PREFIX) or (len(arguments) == 2 and name in BINARY):
            return tree.Operation(self.name(name), arguments)
        if name not in ("true", "false") and name not in MONOMORPHIC:
            self.stream.known_identifier(name)
        known = tree.Identifier(self.name(name))
        made = tree.Application(known, arguments) if arguments else known
        if name not in self.overloaded:
            return made
        match self.stream.at(of):
            case ("SortArrow", (_, result)) if arguments:
                of = result
        return tree.Sorted(made, self.sort(of))

    def _put(self, element: tree.SetOf | tree.Bag, rest: tree.Data) -> tree.Data:
        """Add an element to a set or bag expression."""
        match element, rest:
            case tree.SetOf(elements), tree.SetOf(others):
                return tree.SetOf((*elements, *others), self.place)
            case tree.Bag(counted), tree.Bag(more):
                return tree.Bag((*counted, *more), self.place)
            case _, tree.Sorted(tree.SetOf(()) | tree.Bag(())):
                return element
        return tree.Operation(self.name("+"), (element, rest))
