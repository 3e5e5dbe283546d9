"""Resolves sorts to the names used in typed specifications: aliases are expanded, `List(D)`.

`Set(D)` stands for `FSet(D)` as well, since all sets have one representation here; likewise for
bags. A sort of functions is parenthesised.

A structured sort has the name that it is declared with, the first if there are several; structured
sorts with the same constructors are one sort. Without a declaration, its name is its own text.
"""

from __future__ import annotations

from lts.base.bounds import LETTERS_OF_SORTS, SORT_LETTERS
from lts.base.spelling import near
from lts.errors import LtsError, SpecificationError, Unsupported
from lts.mcrl2.data.sort_names import function_sort, is_function, signature
from lts.mcrl2.text import data_tree
from lts.mcrl2.text.tokens import SORTS
from lts.mcrl2.text.tree import SortDeclaration
from lts.specification.generators import Recursion, run
from lts.text.names import Name
from lts.text.report import Report
from lts.text.source import Place
from lts.text.uses import Uses

__all__ = ["Sorts"]


class Sorts:
    """The declared sorts; errors are added to the report."""

    def __init__(
        self, declarations: list[SortDeclaration], report: Report, uses: Uses | None = None
    ) -> None:
        self.report = report
        self.uses = uses or Uses()
        self.declared: dict[str, SortDeclaration] = {}
        self.structures: dict[str, data_tree.StructuredSort] = {}
        """The structured sorts by name."""
        self.remarks: list[tuple[str, Place]] = []
        """Warnings about valid but suspicious declarations."""
        self.places: dict[str, Place] = {}
        """The first occurrence of each container and function sort."""
        self.used: dict[str, None] = {}
        """The sorts used in declarations."""
        self._same: dict[str, str] = {}
        """For a structured sort that equals one declared before: the name of that."""
        self._texts: dict[str, str] = {}
        self._resolved: dict[str, str | None] = {}
        self._nodes: dict[int, tuple[data_tree.Sort, str]] = {}
        """The names of composed sorts, by the identity of their trees, which may share parts."""
        self._letters = 0
        self._reported: set[tuple[str, ...]] = set()
        self._quiet = False
        repeated = []
        for declaration in declarations:
            name = declaration.name
            self.uses.declare(("sort", str(name)), "sort", name, str(name))
            if name in self.declared:
                repeated.append(declaration)
            else:
                self.declared[str(name)] = declaration
        self._name_structures()
        for known in self.declared:
            run(self._named(Name.at(known, self.declared[known].name.place), ()))
        for declaration in repeated:
            self._repeated(declaration)

    @property
    def names(self) -> tuple[str, ...]:
        """The declared sorts that are not aliases."""
        return tuple(name for name in self.declared if self._resolved.get(name) == name)

    def error(self, message: str, place: Place, kind: type[LtsError] = SpecificationError) -> None:
        """Add an error to the report."""
        if not self._quiet:
            self.report.add(kind, message, place)

    def unsupported(self, message: str, place: Place) -> None:
        """Report an unsupported construct, once."""
        if not self._quiet and (message,) not in self._reported:
            self._reported.add((message,))
            self.error(message, place, Unsupported)

    def _repeated(self, declaration: SortDeclaration) -> None:
        """Check that a repeated declaration of a sort is the same as the first."""
        name = declaration.name
        first = self.declared[name]
        line = self.report.source.line_number(first.name.place[0])
        message = f"sort `{name}` is already declared (line {line})"
        if self._meaning(first) != self._meaning(declaration):
            self.error(message, name.place)
        else:
            self.remarks.append((message, name.place))

    def _meaning(self, declaration: SortDeclaration) -> str | None:
        if declaration.sort is None:
            return ""
        found: str | None
        if isinstance(declaration.sort, data_tree.StructuredSort):
            found = run(self._text(declaration.sort, ()))
        else:
            found = run(self._resolve(declaration.sort, ()))
        return found

    def resolve(self, sort: data_tree.Sort) -> str | None:
        """Return the name of a sort; None after an error, which is reported."""
        found: str | None = run(self._resolve(sort, ()))
        if found is not None:
            self.used[found] = None
        return found

    def function(self, sort: data_tree.Sort) -> tuple[tuple[str, ...], str] | None:
        """Return the argument sorts and the result sort; a constant has no arguments."""
        if not isinstance(sort, data_tree.Function):
            result = self.resolve(sort)
            if result is None:
                return None
            return signature(result) if is_function(result) else ((), result)
        found = [self.resolve(part) for part in (*sort.arguments, sort.result)]
        sorts = [part for part in found if part is not None]
        return None if len(sorts) < len(found) else (tuple(sorts[:-1]), sorts[-1])

    def _name_structures(self) -> None:
        self._quiet = True
        named: dict[str, str] = {}
        for name, declaration in self.declared.items():
            if isinstance(declaration.sort, data_tree.StructuredSort):
                text = run(self._text(declaration.sort, ()))
                if text is None:
                    continue
                first = named.setdefault(text, name)
                if first != name:
                    self._same[name] = first
        self._resolved.clear()
        self._nodes.clear()
        self._texts = named
        if self._same:
            # Repeat, since sorts that are now equal may make others equal.
            for name, declaration in self.declared.items():
                if isinstance(declaration.sort, data_tree.StructuredSort):
                    text = run(self._text(declaration.sort, ()))
                    if text is not None:
                        self._same.setdefault(name, named.setdefault(text, name))
            self._same = {name: first for name, first in self._same.items() if name != first}
            self._resolved.clear()
            self._nodes.clear()
        self._quiet = False
        for name, declaration in self.declared.items():
            if isinstance(declaration.sort, data_tree.StructuredSort) and name not in self._same:
                self.structures[name] = declaration.sort

    def _resolve(self, sort: data_tree.Sort, inside: tuple[str, ...]) -> Recursion[str | None]:
        """Resolve a sort; `inside` are the aliases being resolved, to detect cycles."""
        known = self._nodes.get(id(sort))
        if known is not None:
            return known[1]
        found: str | None = yield self._composed(sort, inside)
        if found is not None and not isinstance(sort, data_tree.SortName):
            self._nodes[id(sort)] = sort, found
        return found

    def _is_too_long(self, parts: list[str], place: Place) -> bool:
        """Whether a sort of these parts is too long without aliases; if so, report it."""
        letters = sum(map(len, parts))
        self._letters += letters
        if letters <= SORT_LETTERS.default and self._letters <= LETTERS_OF_SORTS.default:
            return False
        message = f"a sort of {SORT_LETTERS.exceeded()}, written without aliases, "
        if letters <= SORT_LETTERS.default:
            message = f"sorts of {LETTERS_OF_SORTS.exceeded()}, without aliases, "
        self.unsupported(
            f"{message}{'is' if letters > SORT_LETTERS.default else 'are'} not supported", place
        )
        return True

    def _composed(self, sort: data_tree.Sort, inside: tuple[str, ...]) -> Recursion[str | None]:
        match sort:
            case data_tree.SortName(name):
                found: str | None = yield self._named(name, inside)
                return found
            case data_tree.Container(name, element):
                inner: str | None = yield self._resolve(element, inside)
                if inner is None or self._is_too_long([inner], name.place):
                    return None
                made = f"{name.removeprefix('F')}({inner})"
                self.places.setdefault(made, name.place)
                return made
            case data_tree.StructuredSort():
                text: str | None = yield self._text(sort, inside)
                if text is None:
                    return None
                if text not in self._texts and not self._quiet:
                    self._texts[text] = text
                    self.structures[text] = sort
                return self._texts.get(text, text)
            case data_tree.Product(sorts):
                self.error(
                    "`#` is allowed only between the arguments of a function", _place(sorts[0])
                )
                return None
            case data_tree.Function(arguments, result, place):
                known: list[str] = []
                for part in (*arguments, result):
                    resolved: str | None = yield self._resolve(part, inside)
                    if resolved is None:
                        return None
                    known.append(resolved)
                if self._is_too_long(known, place):
                    return None
                made = function_sort(known[:-1], known[-1])
                self.places.setdefault(made, place)
                return made

    def _named(self, name: Name, inside: tuple[str, ...]) -> Recursion[str | None]:
        if name in SORTS:
            return str(name)
        declaration = self.declared.get(name)
        if declaration is None:
            if ("sort", str(name)) not in self._reported and not self._quiet:
                self._reported.add(("sort", str(name)))
                self.report.add(
                    SpecificationError,
                    lambda: f"sort `{name}` is not declared{near(name, (*self.declared, *SORTS))}",
                    name.place,
                )
            return None
        self.uses.use(name, ("sort", str(name)))
        if name in self._same:
            return self._same[name]
        if declaration.sort is None or isinstance(declaration.sort, data_tree.StructuredSort):
            self._resolved[str(name)] = str(name)
            return str(name)
        if name in self._resolved:
            return self._resolved[name]
        if name in inside:
            message = f"sort `{name}` is an alias of itself"
            self.error(message, declaration.name.place)
            self._resolved[str(name)] = None
            return None
        found: str | None = yield self._resolve(declaration.sort, (*inside, str(name)))
        self._resolved[str(name)] = found
        return found

    def _text(
        self, structure: data_tree.StructuredSort, inside: tuple[str, ...]
    ) -> Recursion[str | None]:
        """Return a text that identifies a structured sort."""
        parts, letters = [], 0
        for constructor in structure.constructors:
            part = str(constructor.name)
            fields = []
            for projection, sort in constructor.projections:
                found: str | None = yield self._resolve(sort, inside)
                if found is None:
                    return None
                fields.append(found if projection is None else f"{projection}: {found}")
                letters += len(found)
                if letters > SORT_LETTERS.default and self._is_too_long(fields, structure.place):
                    return None
            if fields:
                part += f"({', '.join(fields)})"
            if constructor.recogniser is not None:
                part += f"?{constructor.recogniser}"
            parts.append(part)
        return f"struct {' | '.join(parts)}"


def _place(sort: data_tree.Sort) -> Place:
    """Return the place where a sort begins."""
    while True:
        match sort:
            case data_tree.SortName(name) | data_tree.Container(name):
                return name.place
            case data_tree.Product(sorts):
                sort = sorts[0]
            case _:
                return sort.place
