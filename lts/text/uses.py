"""Where the names of a text are declared and used, as the static checks resolve them.

The checks of each language call `Uses`, which keeps nothing. An editor gives them `Recorded`
instead, so that there is one resolution of names, that of the checks. All places are in the text as
parsed; `lts.text.source.Source.in_file` finds those in the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace

from lts.text.names import Name
from lts.text.source import Place, Source

__all__ = ["Recorded", "Symbol", "Uses"]


class Uses:
    """The names of a text, as the checks report them; this class ignores them, `Recorded` stores
    them. Declarations are identified by a key that the language chooses."""

    keeps = False
    """Whether names are stored; otherwise a check of many names need not build their keys."""

    def begin(self, source: Source) -> None:
        """Begin with a text."""

    def declare(self, key: Hashable, kind: str, name: Name, shown: str) -> None:
        """Add a declaration; several with the same key are declarations of one symbol."""

    def use(self, name: Name, key: Hashable, predefined: Callable[[], str] | None = None) -> None:
        """Add a use of a declaration; `predefined` says what else is known."""

    def variable(self, name: Name) -> None:
        """Add a use of the innermost variable of this name."""

    def equation(self, key: Hashable, place: Place) -> None:
        """Add the place of an equation for a function."""

    def bind(self, variables: Iterable[tuple[Name, str]]) -> None:
        """Bring variables, each with its sort, into scope."""

    def release(self, names: Iterable[str]) -> None:
        """Take the innermost variables of these names out of scope."""

    def within(self, variables: Iterable[tuple[Name, str]]) -> AbstractContextManager[None]:
        """Return a context inside which variables, each with its sort, are in scope."""
        return nullcontext()


@dataclass(slots=True, eq=False)
class Symbol:
    """The object that a name denotes: its kind, its declarations as lines of text, and all its
    places. Predefined objects have no `declared` places. `equations` are those of a function.
    `elsewhere` is the text with the declaration and the equations, if it is another text.
    """

    kind: str
    name: str
    shown: str
    declared: list[Place] = field(default_factory=list)
    used: list[Place] = field(default_factory=list)
    equations: list[Place] = field(default_factory=list)
    elsewhere: Source | None = None

    @property
    def places(self) -> list[Place]:
        """Where the name is declared or used in the text, in its order."""
        declared = self.declared if self.elsewhere is None else ()
        return sorted({*declared, *self.used})


class Recorded(Uses):
    """Keeps the symbols of a text, and the symbol at each place; filled as far as checks came."""

    keeps = True

    def __init__(self) -> None:
        self.source = Source("")
        self.symbols: dict[Hashable, Symbol] = {}
        self.at: dict[Place, Symbol] = {}
        self._bound: dict[str, list[Symbol]] = defaultdict(list)

    def begin(self, source: Source) -> None:
        """Begin with a text."""
        self.source = source

    def include(self, other: Recorded) -> None:
        """Add the declarations of another text, which this one may use."""
        for key, symbol in other.symbols.items():
            if symbol.declared and symbol.kind != "variable":
                found = replace(symbol, used=[], elsewhere=symbol.elsewhere or other.source)
                self.symbols.setdefault(key, found)

    def declare(self, key: Hashable, kind: str, name: Name, shown: str) -> None:
        """Add a declaration; several with the same key are declarations of one symbol."""
        symbol = self.symbols.setdefault(key, Symbol(kind, str(name), shown))
        if shown not in symbol.shown.split("\n"):
            symbol.shown += f"\n{shown}"
        if name.place not in symbol.declared:
            symbol.declared.append(name.place)
            self.at[name.place] = symbol

    def use(self, name: Name, key: Hashable, predefined: Callable[[], str] | None = None) -> None:
        """Add a use of a declaration; `predefined` says what else is known."""
        symbol = self.symbols.get(key)
        if symbol is None and predefined is not None:
            symbol = self.symbols[key] = Symbol("function", str(name), predefined())
        if symbol is not None:
            self._used(name, symbol)

    def variable(self, name: Name) -> None:
        """Add a use of the innermost variable of this name."""
        bound = self._bound.get(name)
        if bound:
            self._used(name, bound[-1])

    def equation(self, key: Hashable, place: Place) -> None:
        """Add the place of an equation for a function."""
        if key in self.symbols:
            self.symbols[key].equations.append(place)

    def bind(self, variables: Iterable[tuple[Name, str]]) -> None:
        """Bring variables, each with its sort, into scope."""
        self._open(variables)

    def release(self, names: Iterable[str]) -> None:
        """Take the innermost variables of these names out of scope."""
        for name in names:
            self._bound[name].pop()

    @contextmanager
    def within(self, variables: Iterable[tuple[Name, str]]) -> Iterator[None]:
        """Return a context inside which variables, each with its sort, are in scope."""
        names = self._open(variables)
        yield
        self.release(names)

    def _open(self, variables: Iterable[tuple[Name, str]]) -> list[str]:
        names = []
        for name, sort in variables:
            key = ("variable", name.place)
            self.declare(key, "variable", name, f"{name}: {sort}" if sort else str(name))
            self._bound[name].append(self.symbols[key])
            names.append(str(name))
        return names

    def _used(self, name: Name, symbol: Symbol) -> None:
        # A name without a place of its own, such as that of a generated variable, has another text.
        known = self.at.get(name.place)
        here = name.place not in symbol.declared or symbol.elsewhere is not None
        if name == symbol.name and known is not symbol and here:
            if known is not None and name.place in known.used:
                known.used.remove(name.place)  # the context has chosen another overload
            symbol.used.append(name.place)
            self.at[name.place] = symbol
