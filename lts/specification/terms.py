"""Data terms of any depth: no function here recurses on them; hashes are stored in the nodes."""

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
    "short_text",
    "substitute",
    "subterms",
    "variables_of",
]


@dataclass(frozen=True, slots=True)
class Function:
    """A function symbol, a constructor or a map; names may be overloaded by argument sorts."""

    name: str
    arguments: tuple[str, ...]
    sort: str
    constructor: bool = field(default=False, compare=False)
    native: str | None = field(default=None, compare=False)
    """Name of the built-in function that replaces the rules where all arguments are numerals."""
    notation: Notation | None = field(default=None, compare=False, repr=False)
    """How applications are written; None for `name(a,b)`."""


NUMERAL = "numeral"
"""`Function.native` of a numeral: a constant that is the number in its name."""

VALUE = "value"
"""`Function.native` of a value that is not a constructor: no sum ranges over it."""

COMPUTED = "computed"
"""`Function.native` of an operator outside the specification, computed by the caller's
evaluator."""

MOST_DIGITS = 16
"""Most digits of a number that is written in a text; computed numbers may have more."""


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

    Its hash, and whether it has variables, are computed once, from those of its arguments.
    """

    function: Function
    arguments: tuple[Term, ...] = ()
    is_ground: bool = field(init=False, repr=False)
    """Whether the term is closed: it has no variables."""
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
        if not (self.arguments or other.arguments):
            return self.function == other.function
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
            # Shared subterms are compared once: written out, terms may be exponentially large.
            identity = id(one), id(two)
            if identity not in seen:
                seen.add(identity)
                waiting += zip(one.arguments, two.arguments, strict=True)
        return True

    def __str__(self) -> str:
        return "".join(_texts(self))


Term = Variable | Application

_SUCCESSOR = "@succ"
"""The name of the successor function of mCRL2, which is written as an addition."""

_Part = str | tuple[Term, bool]
"""A part of the text, or a term and whether it stands alone, so that it needs no brackets."""


def short_text(term: Term, most: int, *, in_label: bool = False) -> str | None:
    """Return the text of a term; None if it has more than `most` characters. Labels have brackets
    around operators everywhere, and around fractions only where these are multiplied or divided."""
    written: list[str] = []
    for text in _texts(term, in_label=in_label):
        written.append(text)
        most -= len(text)
        if most < 0:
            return None
    return "".join(written)


def _texts(term: Term, *, in_label: bool = False) -> Iterator[str]:
    """Yield the parts of a term's text."""
    waiting: list[_Part] = [(term, not in_label)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
            continue
        term, alone = part
        if isinstance(term, Variable):
            yield term.name
        elif term.function.name == _SUCCESSOR:
            inside: Term = term
            count = 0
            while isinstance(inside, Application) and inside.function == term.function:
                inside, count = inside.arguments[0], count + 1
            if isinstance(inside, Application) and inside.function.name.isdecimal():
                yield str(int(inside.function.name) + count)
                continue
            yield "" if alone else "("
            waiting += (f"+{count}" if alone else f"+{count})", (inside, False))
        elif term.function.notation is not None:
            parts = _in_notation(term, term.function.notation, alone, in_label)
            waiting += reversed([*parts])
        elif not term.arguments:
            yield term.function.name
        else:
            yield f"{term.function.name}("
            waiting.append(")")
            for argument in reversed(term.arguments[1:]):
                waiting += ((argument, not in_label), ",")
            waiting.append((term.arguments[0], not in_label))


def _in_notation(
    term: Application, notation: Notation, alone: bool, in_label: bool
) -> Iterator[_Part]:
    """Yield the parts of a term that is written in a notation."""
    row = None if notation.row is None else _row(term, notation.row)
    if notation.row is not None and row is not None:
        yield notation.row[0]
        for number, element in enumerate(row):
            yield "," * (number > 0)
            for place, argument in enumerate(element.arguments[:-1]):
                yield ":" * (place > 0)
                yield argument, not in_label
        yield notation.row[-1]
        return
    around, arguments = notation.around, term.arguments
    omitted = notation.omitted
    if omitted is not None and short_text(arguments[-1], len(omitted)) == omitted:
        yield arguments[0], alone
        return
    if (alone or (in_label and omitted is not None)) and notation.is_bracketed:
        around = ("", *around[1:-1], "")
    is_product = in_label and around[1:2] in (("*",), ("/",))
    for before, argument in zip(around, arguments, strict=False):
        is_bracketed = is_product and _is_fraction(argument)
        yield f"{before}(" if is_bracketed else before
        yield argument, False
        yield ")" if is_bracketed else ""
    yield around[-1]


def _is_fraction(term: Term) -> bool:
    """Whether a term is written as a fraction."""
    if isinstance(term, Variable) or term.function.notation is None:
        return False
    omitted = term.function.notation.omitted
    return omitted is not None and short_text(term.arguments[-1], len(omitted)) != omitted


def _row(term: Application, empty: str) -> list[Application] | None:
    """Return the applications that each prepend one element; None if they do not end in `empty`."""
    found = []
    part: Term = term
    while isinstance(part, Application) and part.function == term.function:
        found.append(part)
        part = part.arguments[-1]
    is_end = isinstance(part, Application) and part.function.name == empty
    return found if is_end else None


def subterms(*terms: Term) -> Iterator[Term]:
    """Yield each subterm once, in the order of first occurrence.

    Terms share their subterms: written out, they may be exponentially larger than in memory.
    """
    waiting, seen = [*reversed(terms)], set[int]()
    while waiting:
        part = waiting.pop()
        if isinstance(part, Variable) or not part.arguments:
            yield part
        elif id(part) not in seen:
            seen.add(id(part))
            yield part
            waiting += reversed(part.arguments)


def variables_of(term: Term) -> Iterator[Variable]:
    """Yield the variables of a term in the order of first occurrence, some repeatedly."""
    if isinstance(term, Variable):
        yield term
    elif not term.is_ground:
        waiting, seen = [*reversed(term.arguments)], set[int]()
        while waiting:
            part = waiting.pop()
            if isinstance(part, Variable):
                yield part
            elif not part.is_ground and id(part) not in seen:
                seen.add(id(part))
                waiting += reversed(part.arguments)


def is_larger(term: Term, most: int) -> bool:
    """Whether a term has more than `most` subterms, counted with repetitions."""
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
    """Return a term with variables replaced by their values."""
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
    """Return a term with each outermost subterm that has an image replaced by it."""
    done: dict[int, Application] = {}
    waiting = [term]
    while waiting:
        part = waiting[-1]
        if id(part) in done:
            waiting.pop()
            continue
        moved = image(part)
        if moved is not None or not part.arguments:
            done[id(part)] = part if moved is None else moved
            continue
        missing = [a for a in part.arguments if isinstance(a, Application) and id(a) not in done]
        if missing:
            waiting += reversed(missing)
            continue
        arguments = tuple([a if isinstance(a, Variable) else done[id(a)] for a in part.arguments])
        done[id(part)] = Application(part.function, arguments)
    return done[id(term)]


def functions_in(terms: Iterable[Term]) -> Iterator[Function]:
    """Yield the function symbols of terms, once for each subterm."""
    for part in subterms(*terms):
        if isinstance(part, Application):
            yield part.function


def applications(term: Term) -> Iterator[tuple[Application, bool]]:
    """Yield the applications in a term, each with whether it is inside the argument of a map."""
    waiting, seen = [(term, False)], set[tuple[int, bool]]()
    while waiting:
        part, inside = waiting.pop()
        if isinstance(part, Application) and (id(part), inside) not in seen:
            seen.add((id(part), inside))
            yield part, inside
            deeper = inside or not part.function.constructor
            waiting += [(argument, deeper) for argument in reversed(part.arguments)]


def numeral(text: str, sort: str = "Nat", most: int = MOST_DIGITS) -> Application | None:
    """Return the numeral with this text; None if it is not a number, or has more than `most`
    digits."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > most:
        return None
    if digits[0] == "0" and text != "0":
        return None
    return Application(Function(text, (), sort, native=NUMERAL))


def identity(number: int, sort: str) -> Application:
    """Return the number of a sort of identities; it is written with its sort, as in `P.id(1)`."""
    shown = Notation((f"{sort}({number})",))
    return Application(Function(str(number), (), sort, native=NUMERAL, notation=shown))
