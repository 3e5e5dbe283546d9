"""The forms of data terms, independent of mCRL2's internal representation.

mCRL2 writes `3` as digits applied to machine words, `{1, 2}` as insertions into a set, and the
conversion from `Pos` to `Nat` as an application; the representation differs between versions. Here
a number is a number, and conversions have the names that they have in texts.
"""

from __future__ import annotations

from dataclasses import dataclass

from lts.base.bounds import DIGITS
from lts.errors import Unsupported
from lts.mcrl2.binary.stream import Stream
from lts.mcrl2.data.signatures import MONOMORPHIC

__all__ = ["Applied", "Binding", "Form", "Forms", "Given", "Number", "Valued", "Variable"]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; `sort` is the number of the term of its sort."""

    name: str
    sort: int


@dataclass(frozen=True, slots=True)
class Number:
    """A number literal with its sort."""

    value: int
    sort: str


@dataclass(frozen=True, slots=True)
class Applied:
    """A constant, or an application of a named function; `sort` is the function's own."""

    name: str
    sort: int
    arguments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Valued:
    """An application of a function that is given as a value, not by name."""

    function: int
    arguments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """A quantifier or `lambda`; for a comprehension, the word is `set` or `bag`."""

    word: str
    variables: tuple[Variable, ...]
    body: int


@dataclass(frozen=True, slots=True)
class Given:
    """`body whr name = value end`."""

    body: int
    values: tuple[tuple[str, int], ...]


Form = Variable | Number | Applied | Valued | Binding | Given


def parts_of(form: Form) -> tuple[int, ...]:
    """Return the numbers of the subterms of a form."""
    match form:
        case Applied(_, _, arguments):
            return arguments
        case Valued(of, arguments):
            return (of, *arguments)
        case Binding(_, _, body):
            return (body,)
        case Given(body, values):
            return (body, *(value for _, value in values))
    return ()


_SAME = {
    "@cNat": "Pos2Nat", "@cInt": "Nat2Int", "@cNeg": "-", "@fset_insert": "@insert",
    "@fset_cons": "@insert", "@fbag_insert": "@insert", "@fbag_cons": "@insert",
    "@fbag_cinsert": "@insert", "@func_update": "@update", "@func_update_stable": "@update",
    "@succ_pos": "succ", "@succ_nat": "succ", "@plus_pos": "+", "@plus_nat": "+",
}  # fmt: skip
"""Names in texts, or in the library here, of mCRL2's internal functions."""

_OF_SAME_VALUE = frozenset(("@setfset", "@bagfbag"))
"""Conversions of finite sets and bags to sets and bags, which are identical here."""

_BINDERS = {
    "Forall": "forall", "Exists": "exists", "Lambda": "lambda", "SetComp": "set",
    "BagComp": "bag", "UntypedSetBagComp": "set",
}  # fmt: skip

_WORDS = {
    **{f"@{name}_word": n for n, name in enumerate(("zero", "one", "two", "three", "four"))},
    "@max_word": 2**64 - 1,
}
"""Machine words that have names."""

_MOST_BITS = 13_000
"""Most bits of a number, since texts have numbers of at most 4,000 digits."""


class Forms:
    """Determines the forms of the terms in a stream."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._no_digits: set[int] = set()
        """Terms that are known not to be number literals, though they look like it from outside."""

    def variable(self, number: int) -> Variable:
        """Return the variable that a term represents."""
        name, sort = self.stream.of(number, "DataVarId", 2)
        return Variable(self.stream.word(name), sort)

    def variables(self, number: int) -> tuple[Variable, ...]:
        """Return the variables in a list."""
        return tuple(
            [self.variable(variable) for variable in self.stream.list_of(number, "variables")]
        )

    def is_untimed(self, number: int) -> bool:
        """Whether a time stamp is the placeholder for none."""
        match self.stream.at(number):
            case ("DataVarId", (name, _)):
                return self.stream.word(name) == "@undefined_real"
        return False

    def form(self, number: int) -> Form:
        """Return the form of a term."""
        stream = self.stream
        while True:
            literal = self._literal(number)
            if literal is not None:
                return literal
            match stream.at(number):
                case ("DataVarId", (_, _)):
                    return self.variable(number)
                case ("DataAppl", (head, *arguments)) if arguments:
                    name, sort = self._operation(head)
                    if name is None:
                        return Valued(head, tuple(arguments))
                    if name not in _OF_SAME_VALUE:
                        return self._applied(name, sort, arguments)
                    number = arguments[0]
                case ("Binder", (kind, bound, body)):
                    word = _BINDERS.get(stream.word(kind))
                    if word is None:
                        stream.wrong(f"expected a quantifier, not `{stream.word(kind)}`")
                    return Binding(word, self.variables(bound), body)
                case ("Whr", (body, values)):
                    return Given(body, tuple(self.assignments(stream.list_of(values, "values"))))
                case _:
                    name, sort = self._operation(number)
                    if name is None:
                        stream.wrong(f"expected data, not `{stream.head(number)}`")
                    return self._applied(name, sort, [])

    def assignments(self, numbers: list[int]) -> list[tuple[str, int]]:
        """Return the names of variables and the terms assigned to them."""
        found = []
        for number in numbers:
            variable, value = self.stream.of(number, "DataVarIdInit", 2)
            found.append((self.variable(variable).name, value))
        return found

    def name(self, number: int) -> str | None:
        """Return the name that a function has in the file, if the term applies one."""
        return self._call(number)[0]

    def _operation(self, number: int) -> tuple[str | None, int]:
        """Return the name and sort of a function symbol; the name is None for other terms."""
        match self.stream.at(number):
            case ("OpIdNoIndex", (name, sort)) | ("OpId", (name, sort, _)):
                return self.stream.word(name), sort
        return None, 0

    def _applied(self, name: str, sort: int, arguments: list[int]) -> Form:
        match name, arguments:
            case (("@set" | "@bag"), (function, rest)):
                return self._large(name, function, rest)
            case (("@setcomp" | "@bagcomp"), (function,)):
                return self._comprehension(name[1:4], function)
            case "@cReal", (above, below):
                one = self._literal(below)
                if one is not None and one.value == 1:
                    return Applied("Int2Real", sort, (above,))
        known = _SAME.get(name, name)
        is_own = known.startswith("@") and known not in ("@insert", "@update", "@cReal")
        if is_own and known not in MONOMORPHIC:
            self.stream.wrong(
                f"`{name}`, an internal function of mCRL2, is not supported", Unsupported
            )
        return Applied(known, sort, tuple(arguments))

    def _large(self, name: str, function: int, rest: int) -> Form:
        """Return the form of `@set(function, rest)` or `@bag(function, rest)`.

        Depending on the function, it is the finite set `rest`, its complement, or a comprehension.
        """
        of_function, _ = self._operation(function)
        if of_function in ("@false_", "@zero_"):
            return self.form(rest)
        if of_function == "@true_":
            return Applied("!", 0, (rest,))
        end, _ = self._operation(rest)
        if end in ("{}", "{:}"):
            return self._comprehension(name[1:4], function)
        if name == "@set":
            return self._differing(function, rest)
        message = "a bag that combines a finite bag with a function is not supported"
        self.stream.wrong(message, Unsupported)

    def _differing(self, function: int, rest: int) -> Form:
        """Return the set of what either a function or a finite set has, but not both."""
        variable, applied = self._at_variable(function)
        made = self.stream.made
        inside = made("DataAppl", made("OpIdNoIndex", made("in"), 0), variable, rest)
        body = made("DataAppl", made("OpIdNoIndex", made("!="), 0), applied, inside)
        return Binding("set", (self.variable(variable),), body)

    def _at_variable(self, function: int) -> tuple[int, int]:
        """Return a new variable, and a function applied to it."""
        stream = self.stream
        match stream.at(function):
            case ("Binder", (_, bound, _)):
                _, sort = stream.of(stream.list_of(bound, "variables")[0], "DataVarId", 2)
            case ("DataVarId", (_, of)) | ("OpIdNoIndex", (_, of)) | ("OpId", (_, of, _)):
                arguments, _ = stream.of(of, "SortArrow", 2)
                sort = stream.list_of(arguments, "sorts")[0]
            case _:
                stream.wrong("a set given by such a function is not supported", Unsupported)
        variable = stream.made("DataVarId", stream.made("element'"), sort)
        return variable, stream.made("DataAppl", function, variable)

    def _comprehension(self, word: str, function: int) -> Form:
        match self.stream.at(function):
            case ("Binder", (kind, bound, body)) if self.stream.word(kind) == "Lambda":
                variables = self.variables(bound)
                if len(variables) == 1:
                    return Binding(word, variables, body)
        name, _ = self._operation(function)
        if name is not None and name.startswith("@"):
            message = f"`{name}`, an internal function of mCRL2, is not supported"
            self.stream.wrong(message, Unsupported)
        variable, applied = self._at_variable(function)
        return Binding(word, (self.variable(variable),), applied)

    def _literal(self, number: int) -> Number | None:
        """Return the number that a term represents literally, or None."""
        name, arguments = self._call(number)
        if name is None or not name.startswith("@"):
            return None
        match name, arguments:
            case "@cReal", (above, below):
                one = self._digits(below)
                whole = None if one is None or one.value != 1 else self._integer(above)
                return _as(whole, 1, "Real")
        return self._integer(number)

    def _integer(self, number: int) -> Number | None:
        match self._call(number):
            case "@cInt", (natural,):
                return _as(self._natural(natural), 1, "Int")
            case "@cNeg", (positive,):
                return _as(self._digits(positive), -1, "Int")
        return self._natural(number)

    def _natural(self, number: int) -> Number | None:
        match self._call(number):
            case "@cNat", (positive,):
                return _as(self._digits(positive), 1, "Nat")
        return self._digits(number)

    def _digits(self, number: int) -> Number | None:
        """Return the number that a term spells by digits, the last one outermost; else None."""
        passed: list[int] = []
        digits: list[tuple[int, int]] = []
        while number not in self._no_digits:
            passed.append(number)
            match self._call(number):
                case "@cDub", (bit, rest) if self._operation(bit)[0] in ("true", "false"):
                    digits.append((int(self._operation(bit)[0] == "true"), 1))
                    number = rest
                case "@concat_digit", (rest, word):
                    digits.append((self._word(word), 64))
                    number = rest
                case "@c1", ():
                    return self._number("Pos", 1, digits)
                case "@c0", ():
                    return self._number("Nat", 0, digits)
                case "@most_significant_digit", (word,):
                    return self._number("Pos", self._word(word), digits)
                case "@most_significant_digitNat", (word,):
                    return self._number("Nat", self._word(word), digits)
                case _:
                    break
            if len(digits) * digits[-1][1] > _MOST_BITS:
                message = f"numbers of {DIGITS.exceeded()} are not supported"
                self.stream.wrong(message, Unsupported)
        self._no_digits.update(passed)
        return None

    def _number(self, sort: str, first: int, digits: list[tuple[int, int]]) -> Number:
        self.stream.spend(len(digits))
        value = first
        for digit, width in reversed(digits):
            value = (value << width) + digit
        return Number(value, sort)

    def looks_inside(self, number: int) -> bool:
        """Whether a left side matches the positive number inside a natural number.

        That is the case in versions where numbers are lists of bits; texts have no such left sides.
        """
        waiting, seen = [number], {number}
        while waiting:
            form = self.form(part := waiting.pop())
            if self._call(part)[0] == "@cNat" and not isinstance(form, Number):
                return True
            waiting += [one for one in parts_of(form) if one not in seen]
            seen.update(parts_of(form))
        return False

    def _call(self, number: int) -> tuple[str | None, tuple[int, ...]]:
        """Return the name of a constant or applied function, with the arguments."""
        match self.stream.at(number):
            case ("DataAppl", (head, *arguments)):
                return self._operation(head)[0], tuple(arguments)
        return self._operation(number)[0], ()

    def _word(self, number: int) -> int:
        found = self.stream.at(number)
        if isinstance(found, int):
            return found
        name, _ = self._operation(number)
        if name not in _WORDS:
            self.stream.wrong("expected a machine word")
        return _WORDS[name]


def _as(found: Number | None, sign: int, sort: str) -> Number | None:
    """Convert a number to a larger sort."""
    return None if found is None else Number(sign * found.value, sort)
