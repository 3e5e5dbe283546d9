"""Terms and linear processes as the engine takes them: symbols numbered, terms in prefix order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lts import _engine
from lts.errors import Unsupported
from lts.linear.process import LinearProcess, Summand
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    Term,
    Variable,
)
from lts.specification.terms import NUMERAL, VALUE

__all__ = ["Encoder", "Signature"]

_CONSTRUCTOR, _MAP, _FREE = 0, 1, 2


class Signature:
    """The numbering of the sorts and symbols of a specification, as the engine takes them."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.sorts: dict[str, int] = {}
        self.symbols: dict[Function, int] = {}
        self._declared: list[_engine.RawSymbol] = []
        for sort in specification.sorts:
            self.sorts[sort] = len(self.sorts)
        rewritten = {rule.left.function for rule in specification.rules}
        for function in specification.functions:
            # A constant without rules stands for itself, but no sum ranges over it; where it may be
            # any value, it is no more than a map.
            is_value = function.native == VALUE or not (
                function.arguments or function in rewritten or specification.loose
            )
            other = _FREE if is_value else _MAP
            self._declare(function, _CONSTRUCTOR if function.constructor else other)
        self._numbers: list[_engine.RawNumbers] = [
            (of.kind, self.sorts[sort], (first, second))
            for sort, of in specification.numbers.items()
            for first, second in [map(self.symbols.__getitem__, of.constructors)]
        ]
        self._rules = [self._rule(rule) for rule in specification.rules]

    def _declare(self, function: Function, kind: int) -> None:
        arguments = [self.sorts[sort] for sort in function.arguments]
        self.symbols[function] = len(self._declared)
        name, sort = _bytes(function.name), self.sorts[function.sort]
        native = None if function.native in (NUMERAL, VALUE) else function.native
        self._declared.append((name, arguments, sort, kind, native))

    def _rule(self, rule: Rule) -> _engine.RawRule:
        numbers: dict[Variable, int] = {}
        left = self._left(rule, numbers)
        right = self.term(rule.right, numbers)
        origin = self.specification.source.origin(rule.place[0])
        name = f"the rule for `{rule.left.function.name}` of line {origin.line}"
        if origin.included is not None:
            name += f" of {origin.file}"
        condition = None if rule.condition is None else self.term(rule.condition, numbers)
        return [self.sorts[v.sort] for v in numbers], left, right, condition, name

    def _left(self, rule: Rule, numbers: dict[Variable, int]) -> list[int]:
        """Return a left side: the numerals in it are what values are made of, not constants."""
        code = [self.symbols[rule.left.function]]
        waiting: list[Term] = [*reversed(rule.left.arguments)]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Application) and part.function.native == NUMERAL:
                if abs(int(part.function.name)) > _engine.LARGEST_MATCHED:
                    raise self.specification.source.error(
                        Unsupported,
                        f"on the left side of an equation, {_engine.LARGEST_MATCHED} is the most",
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
        """Return a term in prefix order: symbols from 0, variable `v` as `-(v+1)`.

        `variables` numbers the variables; a dict gets a number for each that it lacks.
        """
        code: list[int] = []
        waiting: list[Term] = [term]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Application):
                code.append(self._symbol(part.function))
                waiting += reversed(part.arguments)
            else:
                assert variables is not None
                if isinstance(variables, dict) and part not in variables:
                    variables[part] = len(variables)
                code.append(-1 - variables[part])
        return code

    def _symbol(self, function: Function) -> int:
        """Return the number of a symbol; of a numeral a number that tells its sort and value."""
        known = self.symbols.get(function)
        if known is not None:
            return known
        return self._numeral(function)

    def _numeral(self, function: Function) -> int:
        assert function.native == NUMERAL, function
        place = list(self.specification.numbers).index(function.sort)
        return (1 << 60) + (place << 56) + (1 << 55) + int(function.name)

    def data(self) -> _engine.Data:
        """Return sorts, symbols and rules in the engine, to ask about single terms."""
        return _engine.Data(self._signature())

    def _signature(self) -> _engine.RawData:
        specification = self.specification
        return (
            list(map(_bytes, self.sorts)),
            self._declared,
            self._rules,
            self.symbols[specification.true.function],
            self.symbols[specification.false.function],
            (specification.strict, specification.loose),
            self._numbers,
            [
                (kind, self.symbols[empty], self.symbols[insert])
                for kind, sorts in (
                    ("list", specification.lists),
                    ("set", specification.sets),
                    ("bag", specification.bags),
                )
                for empty, insert in sorts.values()
            ],
            None if specification.fractions is None else self.symbols[specification.fractions],
        )


class Encoder(Signature):
    """The same with what a linear process adds, and the process itself."""

    def __init__(self, process: LinearProcess) -> None:
        super().__init__(process.specification)
        self.process = process
        for sort in process.sorts:
            self.sorts[sort] = len(self.sorts)
        for function in process.functions:
            # Placeholders and constants without rules are values that no sum ranges over.
            other = _MAP if function.arguments else _FREE
            self._declare(function, _CONSTRUCTOR if function.constructor else other)
        self._rules += [self._rule(rule) for rule in process.rules]

    def linear_process(self, groups: Sequence[Sequence[int]] = ()) -> _engine.Process:
        """Return the linear process in the engine.

        The first summand of each of the `groups`, which are of one action, has the steps of all of
        them there, and writes all that any of them writes; the others have none.
        """
        process = self.process
        alternatives = [self._summand(summand, summand.updates) for summand in process.summands]
        summands: list[_engine.RawSummand] = [(*one, []) for one in alternatives]
        for first, *others in groups:
            written = {p for n in (first, *others) for p, _ in process.summands[n].updates}

            def updates(number: int, written: set[int] = written) -> list[tuple[int, Term]]:
                own = dict(process.summands[number].updates)
                return [(p, own.get(p, process.parameters[p].variable)) for p in sorted(written)]

            further = [self._summand(process.summands[n], updates(n)) for n in others]
            summands[first] = (*self._summand(process.summands[first], updates(first)), further)
            for number in others:
                never = (self.term(process.specification.true), self.false)
                summands[number] = ([], [], [never], b"tau", [], [], [])
        found = _engine.Process(
            self._signature(),
            [self.term(term) for term in process.initial],
            summands,
        )
        found.bound_calls(process.stacks)
        return found

    @property
    def false(self) -> list[int]:
        """The term that does not hold."""
        return self.term(self.process.specification.false)

    def _summand(
        self, summand: Summand, updates: Sequence[tuple[int, Term]]
    ) -> _engine.RawAlternative:
        variables = [p.variable for p in self.process.parameters] + list(summand.variables)
        numbers = {v: i for i, v in enumerate(variables)}
        equations = [(self.term(a, numbers), self.term(b, numbers)) for a, b in summand.equations]
        equations += [
            (self.term(g.term, numbers), self.false) for g in summand.guards if not g.positive
        ]
        return (
            [self.sorts[v.sort] for v in summand.variables],
            [self.term(g.term, numbers) for g in summand.guards if g.positive],
            equations,
            _bytes(summand.action or "tau"),
            [self.term(argument, numbers) for argument in summand.arguments],
            [(p, self.term(term, numbers)) for p, term in updates],
        )


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
