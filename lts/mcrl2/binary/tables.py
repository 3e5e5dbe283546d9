"""Functions over few values, which texts show as tables: `{d1 -> 2,d2 -> 0}`.

mCRL2 represents such a function by a `lambda` and updates, and a text here by all its results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod

from lts.mcrl2.binary.forms import Applied, Binding, Form, Forms, Number, Variable, parts_of
from lts.mcrl2.binary.stream import Stream
from lts.mcrl2.data.finite import MOST_ARGUMENTS
from lts.specification.generators import Recursion, run

__all__ = ["Tables"]

_DEEPEST = 50
"""Deepest conditions and values that are looked into."""

Results = dict[str, int | str]
"""The results of a function by the texts of its arguments: terms of the stream, or texts."""


class Tables:
    """Finds the results of functions in a stream; `structures` are the structured sorts."""

    def __init__(self, stream: Stream, forms: Forms, structures: Mapping[str, int]) -> None:
        self.stream, self.forms, self.structures = stream, forms, structures
        self._known: dict[int, Results | None] = {}
        self._values: dict[int, tuple[str, ...] | None] = {}
        self._open: dict[int, bool] = {}

    def results(self, number: int, form: Form, shown: Mapping[int, str]) -> Results | None:
        """Return the results of a function, None if it is not known to be given by few; `shown`
        has the texts of arguments at which it is updated."""
        if number not in self._known:
            found = None
            match form:
                case Binding("lambda", variables, body):
                    found = self._of_lambda(variables, body)
                case Applied("@update", _, (function, argument, value)):
                    before = self._known.get(function)
                    if before is not None and shown.get(argument) in before:
                        found = {**before, shown[argument]: value}
            self._known[number] = found
        return self._known[number]

    def _of_lambda(self, variables: tuple[Variable, ...], body: int) -> Results | None:
        domains = [self.values(variable.sort) for variable in variables]
        known = [domain for domain in domains if domain is not None]
        if len(known) < len(domains) or prod(map(len, known)) > MOST_ARGUMENTS:
            return None
        names = [variable.name for variable in variables]
        found: Results = {}
        for given in product(*known):
            result = self._result(body, dict(zip(names, given, strict=True)))
            if result is None:
                return None
            found[given[0] if len(given) == 1 else f"({','.join(given)})"] = result
        return found

    def _result(self, number: int, given: Mapping[str, str]) -> int | str | None:
        """Return the value of a body for these values of its variables."""
        while self.is_open(number):
            match self.forms.form(number):
                case Variable(name):
                    return given.get(name)
                case Applied("if", _, (condition, then, otherwise)):
                    holds = self._holds(condition, given, 0)
                    if holds is None:
                        return None
                    self.stream.spend(1)
                    number = then if holds else otherwise
                case _:
                    return None
        return number

    def _holds(self, number: int, given: Mapping[str, str], depth: int) -> bool | None:
        """Return the truth value of a condition; None if it is unknown."""
        if depth > _DEEPEST:
            return None
        match self.forms.form(number):
            case Variable(name):
                return {"true": True, "false": False}.get(given.get(name, ""))
            case Applied("true" | "false" as word, _, ()):
                return word == "true"
            case Applied("&&", _, (one, other)):
                first = self._holds(one, given, depth + 1)
                return self._holds(other, given, depth + 1) if first else first
            case Applied("==", _, sides):
                texts = [self._text(side, given, depth + 1) for side in sides]
                return None if None in texts else texts[0] == texts[1]
        return None

    def _text(self, number: int, given: Mapping[str, str], depth: int) -> str | None:
        """Return the text of a variable's value, or of a constructor applied to such texts."""
        if depth > _DEEPEST:
            return None
        match self.forms.form(number):
            case Variable(name):
                return given.get(name)
            case Applied(name, _, ()):
                return name
            case Number(value):
                return str(value)
            case Applied(name, _, arguments) if name.isidentifier():
                texts = [self._text(argument, given, depth + 1) for argument in arguments]
                known = [text for text in texts if text is not None]
                return f"{name}({','.join(known)})" if len(known) == len(texts) else None
        return None

    def is_open(self, number: int) -> bool:
        """Whether there are variables in a term."""
        if number not in self._open:
            run(self._look(number))
        return self._open[number]

    def _look(self, number: int) -> Recursion[bool]:
        if number not in self._open:
            form = self.forms.form(number)
            found = isinstance(form, Variable)
            for part in parts_of(form):
                found |= yield self._look(part)
            self._open[number] = found
        return self._open[number]

    def values(self, sort: int, depth: int = 0) -> tuple[str, ...] | None:
        """Return the texts of all values of a sort, in order; None if they may be many."""
        if sort not in self._values and depth <= _DEEPEST:
            self._values[sort] = None  # a sort that contains itself has many
            self._values[sort] = self._all(sort, depth + 1)
        return self._values.get(sort)

    def _all(self, sort: int, depth: int) -> tuple[str, ...] | None:
        match self.stream.at(sort):
            case ("SortId", (name,)):
                word = self.stream.word(name)
                if word == "Bool":
                    return "false", "true"
                if word in self.structures:
                    return self.values(self.structures[word], depth)
            case ("SortStruct", (constructors,)):
                found: list[str] = []
                for constructor in self.stream.list_of(constructors, "constructors"):
                    name, fields, _ = self.stream.of(constructor, "StructCons", 3)
                    sorts = (
                        self.stream.of(field, "StructProj", 2)[1]
                        for field in self.stream.list_of(fields, "projections")
                    )
                    made = self._constructed(self.stream.word(name), sorts, depth)
                    if made is None or len(found) + len(made) > MOST_ARGUMENTS:
                        return None
                    found += made
                return tuple(found)
        return None

    def _constructed(self, name: str, sorts: Iterable[int], depth: int) -> list[str] | None:
        domains = [self.values(sort, depth) for sort in sorts]
        known = [domain for domain in domains if domain is not None]
        if len(known) < len(domains) or prod(map(len, known)) > MOST_ARGUMENTS:
            return None
        return [f"{name}({','.join(given)})" if given else name for given in product(*known)]
