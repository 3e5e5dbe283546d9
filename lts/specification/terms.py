"""Data terms: of any depth, so nothing here recurs on them, and compared and hashed at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lts.specification.notation import Notation

__all__ = [
    "COMPUTED",
    "NUMERAL",
    "VALUE",
    "Application",
    "Function",
    "Term",
    "Variable",
    "applications",
    "functions_in",
    "identity",
    "is_larger",
    "numeral",
    "renamed",
    "substitute",
    "variables_of",
]


@dataclass(frozen=True, slots=True)
class Function:
    """A function symbol: a constructor or a map, told apart from others by its argument sorts."""

    name: str
    arguments: tuple[str, ...]
    sort: str
    constructor: bool = field(default=False, compare=False)
    native: str | None = field(default=None, compare=False)
    """What the engine computes in place of the rules where all arguments are numerals."""
    notation: Notation | None = field(default=None, compare=False, repr=False)
    """How its terms are written; None for `name(a,b)`."""


NUMERAL = "numeral"
"""What `Function.native` says of a constant that is a number, as its name shows."""

VALUE = "value"
"""What it says of what stands in values though it is no constructor: no sum ranges over it."""

COMPUTED = "computed"
"""What it says of an operator that no specification has: who evaluates a term computes it."""

MOST_DIGITS = 16
"""Digits of a number that is written; those that are computed may have more."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a sort."""

    name: str
    sort: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class Application:
    """A function applied to terms.

    It knows its hash, and whether it has variables, from those of its arguments.
    """

    function: Function
    arguments: tuple[Term, ...] = ()
    is_ground: bool = field(init=False, repr=False)
    """Whether it has no variables."""
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        arguments = self.arguments
        ground = all(type(a) is Application and a.is_ground for a in arguments)
        object.__setattr__(self, "is_ground", ground)
        object.__setattr__(self, "_hash", hash((self.function.name, arguments)))

    @property
    def sort(self) -> str:
        """The sort of the result."""
        return self.function.sort

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Application):
            return NotImplemented
        if self._hash != other._hash:
            return False
        waiting: list[tuple[Term, Term]] = [(self, other)]
        seen = set()
        while waiting:
            pair = waiting.pop()
            one, two = pair
            if one is two:
                continue
            if isinstance(one, Variable) or isinstance(two, Variable):
                if one != two:
                    return False
                continue
            if (
                one._hash != two._hash
                or one.function != two.function
                or len(one.arguments) != len(two.arguments)
            ):
                return False
            # What is shared is compared once, so that terms may be exponentially large.
            identity = id(one), id(two)
            if identity not in seen:
                seen.add(identity)
                waiting += zip(one.arguments, two.arguments, strict=True)
        return True

    def __str__(self) -> str:
        written: list[str] = []
        waiting: list[_Part] = [(self, True)]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                written.append(part)
                continue
            term, alone = part
            if isinstance(term, Variable):
                written.append(term.name)
            elif term.function.notation is not None:
                waiting += reversed([*_in_notation(term, term.function.notation, alone)])
            elif not term.arguments:
                written.append(term.function.name)
            else:
                written.append(f"{term.function.name}(")
                waiting.append(")")
                for argument in reversed(term.arguments[1:]):
                    waiting += ((argument, True), ",")
                waiting.append((term.arguments[0], True))
        return "".join(written)


Term = Variable | Application

_Part = str | tuple[Term, bool]
"""A piece of text; or a term, and whether nothing stands beside it that brackets are needed for."""


def _in_notation(term: Application, notation: Notation, alone: bool) -> Iterator[_Part]:
    """Yield what a term is written as."""
    row = None if notation.row is None else _row(term, notation.row)
    if notation.row is not None and row is not None:
        yield notation.row[0]
        for number, element in enumerate(row):
            yield "," * (number > 0)
            for place, argument in enumerate(element.arguments[:-1]):
                yield ":" * (place > 0)
                yield argument, True
        yield notation.row[-1]
        return
    around, arguments = notation.around, term.arguments
    if notation.omitted is not None and str(arguments[-1]) == notation.omitted:
        yield arguments[0], alone
        return
    if alone and notation.is_bracketed:
        around = ("", *around[1:-1], "")
    for before, argument in zip(around, arguments, strict=False):
        yield before
        yield argument, False
    yield around[-1]


def _row(term: Application, empty: str) -> list[Application] | None:
    """Return the terms that put one element each in front of a row; None without its end."""
    found = []
    part: Term = term
    while isinstance(part, Application) and part.function == term.function:
        found.append(part)
        part = part.arguments[-1]
    is_end = isinstance(part, Application) and part.function.name == empty
    return found if is_end else None


def variables_of(term: Term) -> Iterator[Variable]:
    """Yield the variables of a term, as often as they occur."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Variable):
            yield part
        elif not part.is_ground:
            waiting += reversed(part.arguments)


def is_larger(term: Term, most: int) -> bool:
    """Whether a term has more parts than so many, each counted as often as it occurs."""
    waiting, count = [term], 0
    while waiting:
        part = waiting.pop()
        count += 1
        if count > most:
            return True
        if isinstance(part, Application):
            waiting += part.arguments
    return False


def substitute(term: Term, values: Mapping[Variable, Term]) -> Term:
    """Return the term with variables replaced by their values."""
    if isinstance(term, Variable):
        return values.get(term, term)
    if term.is_ground:
        return term
    done: dict[int, Term] = {}
    waiting = [term]
    while waiting:
        part = waiting[-1]
        arguments: list[Term] = []
        missing = False
        for argument in part.arguments:
            if isinstance(argument, Variable):
                arguments.append(values.get(argument, argument))
            elif argument.is_ground:
                arguments.append(argument)
            elif id(argument) in done:
                arguments.append(done[id(argument)])
            else:
                waiting.append(argument)
                missing = True
        if missing:
            continue
        waiting.pop()
        same = all(new is old for new, old in zip(arguments, part.arguments, strict=True))
        done[id(part)] = part if same else Application(part.function, tuple(arguments))
    return done[id(term)]


def renamed(term: Application, image: Callable[[Application], Application | None]) -> Application:
    """Return a term where the largest parts that have an image are replaced by it."""
    done: list[Term] = []
    waiting: list[tuple[Term, bool]] = [(term, False)]
    while waiting:
        part, seen = waiting.pop()
        if isinstance(part, Variable):
            done.append(part)
        elif seen:
            count = len(part.arguments)
            arguments = tuple(done[len(done) - count :])
            del done[len(done) - count :]
            done.append(Application(part.function, arguments))
        elif (moved := image(part)) is not None:
            done.append(moved)
        elif not part.arguments:
            done.append(part)
        else:
            waiting.append((part, True))
            waiting += [(a, False) for a in reversed(part.arguments)]
    assert isinstance(done[0], Application)
    return done[0]


def functions_in(terms: Iterable[Term]) -> Iterator[Function]:
    """Yield the functions that terms apply."""
    waiting = [*terms]
    while waiting:
        term = waiting.pop()
        if isinstance(term, Application):
            yield term.function
            waiting += term.arguments


def applications(term: Term) -> Iterator[tuple[Application, bool]]:
    """Yield the applications in a term, and whether some map is around them."""
    waiting = [(term, False)]
    while waiting:
        part, inside = waiting.pop()
        if isinstance(part, Application):
            yield part, inside
            deeper = inside or not part.function.constructor
            waiting += [(argument, deeper) for argument in reversed(part.arguments)]


def numeral(text: str, sort: str = "Nat") -> Application | None:
    """Return the number of a sort that a text of digits is; None if it is none, or too long."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > MOST_DIGITS:
        return None
    if digits[0] == "0" and text != "0":
        return None
    return Application(Function(text, (), sort, native=NUMERAL))


def identity(number: int, sort: str) -> Application:
    """Return a number of a sort of identities, which is written with its sort: `P.id(1)`."""
    shown = Notation((f"{sort}({number})",))
    return Application(Function(str(number), (), sort, native=NUMERAL, notation=shown))
