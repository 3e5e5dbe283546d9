"""Specifications as passed to the engine: sorts and symbols numbered, terms in prefix code."""

from __future__ import annotations

from collections.abc import Mapping

import lts._engine as _engine
from lts.base.bounds import COMPILED_SUBTERMS, LARGEST_MATCHED
from lts.errors import Unsupported
from lts.specification import codes
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    Term,
    Variable,
)
from lts.specification.terms import NUMERAL, VALUE, is_larger
from lts.text.source import NO_PLACE

__all__ = ["CONSTRUCTOR", "FREE", "MAP", "Signature", "in_bytes"]

CONSTRUCTOR, MAP, FREE = 0, 1, 2
"""Kinds of symbols; `FREE` is a value that no sum ranges over."""

_LARGE = 1000
"""Longest code in which shared subterms are written out."""


class Signature:
    """The numbering of the sorts and symbols of a specification, for the engine."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.sorts: dict[str, int] = {}
        self.symbols: dict[Function, int] = {}
        self._declared: list[codes.Symbol] = []
        for sort in specification.sorts:
            self.sorts[sort] = len(self.sorts)
        rewritten = {rule.left.function for rule in specification.rules}
        for function in specification.functions:
            # A constant without rules is a value of its own, though no sum ranges over it; in a
            # loose specification it may equal any value, and is a map.
            is_value = function.native == VALUE or not (
                function.arguments or function in rewritten or specification.loose
            )
            other = FREE if is_value else MAP
            self.declare(function, CONSTRUCTOR if function.constructor else other)
        self._numbers: list[codes.Numbers] = [
            codes.Numbers(of.kind, self.sorts[sort], (first, second))
            for sort, of in specification.numbers.items()
            for first, second in [map(self.symbols.__getitem__, of.constructors)]
        ]
        self.rules = [self.rule(rule) for rule in specification.rules]

    def declare(self, function: Function, kind: int) -> None:
        """Number a function whose sorts are numbered already."""
        arguments = [self.sorts[sort] for sort in function.arguments]
        self.symbols[function] = len(self._declared)
        notation = function.notation
        # In a name passed to the engine, a zero byte marks the position of an argument.
        shown = function.name if notation is None else "\0".join(notation.around)
        name, sort = in_bytes(shown), self.sorts[function.sort]
        native = None if function.native in (NUMERAL, VALUE) else function.native
        self._declared.append(codes.Symbol(name, arguments, sort, kind, native))

    def rule(self, rule: Rule) -> codes.Rule:
        """Encode a rule whose functions are numbered already."""
        numbers: dict[Variable, int] = {}
        left = self._left(rule, numbers)
        of_left = len(numbers)
        right = self.term(rule.right, numbers)
        name = self._name(rule)
        condition = None if rule.condition is None else self.term(rule.condition, numbers)
        sorts = [self.sorts[v.sort] for v in numbers]
        # A rule is compiled to code that repeats what it shares; a quantifier is not compiled.
        compiled = (rule.left, *rule.results) if len(numbers) == of_left else ()
        if any(is_larger(term, COMPILED_SUBTERMS.default) for term in compiled):
            message = (
                f"an equation with {COMPILED_SUBTERMS.exceeded()}, counting each as often as "
                "it occurs, is not supported"
            )
            raise self.specification.source.error(Unsupported, message, rule.place)
        return codes.Rule(sorts, left, right, condition, name)

    def _name(self, rule: Rule) -> str:
        """Return a name of a rule for messages: with the names of the text, not those invented for
        functions."""
        name = rule.left.function.name
        word = name.removeprefix("@").partition(" ")[0].partition("@")[0]
        if rule.place == NO_PLACE:
            return "a predefined rule" if name.startswith("@") else f"the rule for `{word}`"
        origin = self.specification.source.origin(rule.place[0])
        in_file = "" if origin.included is None else f" of {origin.file}"
        return f"the rule for `{word}` of line {origin.line}{in_file}"

    def _left(self, rule: Rule, numbers: dict[Variable, int]) -> list[int]:
        """Encode a left side, whose numerals are matched by value and so never symbols."""
        code = [self.symbols[rule.left.function]]
        waiting: list[Term] = [*reversed(rule.left.arguments)]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Application) and part.function.native == NUMERAL:
                if abs(int(part.function.name)) > LARGEST_MATCHED.default:
                    raise self.specification.source.error(
                        Unsupported,
                        "the largest number on the left side of an equation is "
                        f"{LARGEST_MATCHED.default}",
                        rule.place,
                    )
                code.append(self._numeral(part.function))
            elif isinstance(part, Application):
                code.append(self.symbols[part.function])
                waiting += reversed(part.arguments)
            else:
                code.append(-1 - numbers.setdefault(part, len(numbers)))
        return code

    def term(self, term: Term, variables: Mapping[Variable, int] | None = None) -> list[int]:
        """Return a term in prefix code: symbols from 0, variable `v` as `-(v+1)`.

        `variables` numbers the variables; variables that it lacks are added to it. A large term is
        coded with references to the subterms that it shares.
        """
        code: list[int] = []
        waiting: list[Term] = [term]
        while waiting:
            part = waiting.pop()
            if len(code) > _LARGE:
                return self._shared(term, variables)
            if isinstance(part, Application):
                code.append(self._symbol(part.function))
                waiting += reversed(part.arguments)
            else:
                assert variables is not None
                if isinstance(variables, dict) and part not in variables:
                    variables[part] = len(variables)
                code.append(-1 - variables[part])
        return code

    def _shared(self, term: Term, variables: Mapping[Variable, int] | None) -> list[int]:
        """Return the code of a term in which each shared subterm is written out only once.

        The engine reads a code backwards, so the code is built from its end.
        """
        code: list[int] = []
        numbers: dict[int, int] = {}
        waiting: list[tuple[Term, bool]] = [(term, False)]
        while waiting:
            part, done = waiting.pop()
            if isinstance(part, Variable) or not part.arguments:
                code += self.term(part, variables)
            elif id(part) in numbers:
                code.append(_engine.REPEATED + numbers[id(part)])
            elif done:
                code.append(self._symbol(part.function))
                numbers[id(part)] = len(numbers)
            else:
                waiting.append((part, True))
                waiting += ((argument, False) for argument in part.arguments)
        code.reverse()
        return code

    def _symbol(self, function: Function) -> int:
        """Return the number of a symbol; that of a numeral encodes its sort and its value."""
        if self._has_code(function):
            return self._numeral(function)
        return self.symbols[function]

    def _has_code(self, function: Function) -> bool:
        """Whether it is a numeral small enough to be encoded by value, not as a symbol."""
        is_number = function.native == NUMERAL and function.sort in self.specification.numbers
        return is_number and abs(int(function.name)) < 1 << 55

    def _numeral(self, function: Function) -> int:
        place = list(self.specification.numbers).index(function.sort)
        return (1 << 60) + (place << 56) + (1 << 55) + int(function.name)

    def data(self) -> _engine.Data:
        """Return sorts, symbols and rules as an engine object, for evaluating single terms."""
        return _engine.Data(self.declared())

    def declared(self) -> codes.Data:
        """Return everything declared so far, for the engine."""
        specification = self.specification
        fractions = specification.fractions
        return codes.Data(
            sorts=list(map(in_bytes, self.sorts)),
            symbols=self._declared,
            rules=self.rules,
            truth=self.symbols[specification.true.function],
            falsity=self.symbols[specification.false.function],
            strict=specification.strict,
            loose=specification.loose,
            numbers=self._numbers,
            collections=[
                codes.Collection(kind, self.symbols[empty], self.symbols[insert])
                for kind, sorts in (
                    ("list", specification.lists),
                    ("set", specification.sets),
                    ("bag", specification.bags),
                )
                for empty, insert in sorts.values()
            ],
            fraction=None if fractions is None else self.symbols[fractions],
        )


def in_bytes(name: str) -> bytes:
    """Return a name as bytes; lone surrogates become the bytes that they stand for."""
    return name.encode("utf-8", "surrogateescape")
