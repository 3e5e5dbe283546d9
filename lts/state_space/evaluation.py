"""Single terms: what the rules of a specification make of them."""

from __future__ import annotations

from dataclasses import dataclass

from lts import _engine
from lts.errors import LimitReached, ParseError, SpecificationError
from lts.mucrl.text.build import grammar
from lts.mucrl.text.tree import Term, inside_out
from lts.specification.signature import Signature
from lts.specification.specification import Application, Specification
from lts.text.grammar import Stopped, place_of
from lts.text.names import Name
from lts.text.source import Source

__all__ = ["MAX_STEPS", "Evaluation", "evaluate"]

MAX_STEPS = 10_000_000
"""Rewrite steps before a term is taken to have no normal form."""

_LONGEST = 1 << 28


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The normal form of a term.

    `is_value` says whether it is a value: it is, unless the specification is strict; then it has to
    be built from constructors, and from constants without rules, only.
    `steps` counts the rules that were applied; `found` the calls whose result was known already, so
    that no rule was applied for them.
    """

    text: str
    sort: str
    is_value: bool
    steps: int
    found: int

    def __str__(self) -> str:
        return self.text


def evaluate(
    specification: Specification, term: str, *, max_steps: int = MAX_STEPS, memoise: bool = True
) -> Evaluation:
    """Return the normal form of a closed term, such as `plus(S(0),S(0))`.

    Raises `ParseError` and `SpecificationError` with the place in `term` if it is none of the
    specification's, `SpecificationError` if rewriting does not end within `max_steps` steps,
    `LimitReached` if the normal form is longer than 256 MB. Without `memoise`, no result of a call
    is used again; the normal form is the same.
    """
    typed = _parsed(specification, Source(term, "term"))
    signature = Signature(specification)
    try:
        found = signature.data().evaluate(signature.term(typed), max_steps, memoise, _LONGEST)
    except _engine.EvaluationError as error:
        raise SpecificationError(error.args[0], file=specification.source.file) from None
    if found is None:
        message = f"the normal form is longer than {_LONGEST >> 20} MB"
        raise LimitReached(message, limit=_LONGEST, found={})
    text = found.text.decode("utf-8", "surrogateescape")
    return Evaluation(text, typed.sort, found.is_value, found.steps, found.found)


def _parsed(specification: Specification, source: Source) -> Application:
    """Return the closed term that a text is, its functions resolved by their argument sorts."""
    functions = {(f.name, f.arguments): f for f in specification.functions}
    words = grammar().tokens(source.text)
    try:
        term: Term = grammar().parse("term", words[:-1])
    except Stopped as stopped:
        found, expected = words[stopped.at], grammar().expected("term", words[: stopped.at])
        shown = f"`{found}` stands" if found else "the text ends"
        what = "a name" if "NAME" in expected else "the end of the term"
        message = f"{shown} where {'`,` or `)`' if ')' in expected else what} is expected"
        raise source.error(ParseError, message, place_of(found)) from None

    def applied(name: Name, arguments: list[Application]) -> Application:
        sorts = tuple(argument.sort for argument in arguments)
        function = functions.get((str(name), sorts))
        number = None if sorts or function is not None else specification.numeral(name)
        if number is not None:
            return number
        if function is None:
            shown = _overload(str(name), sorts)
            others = [f"`{_overload(*key)}`" for key in functions if key[0] == name]
            only = f", only {' and '.join(others)}" if others else ""
            message = f"the specification declares no function `{shown}`{only}"
            raise source.error(SpecificationError, message, name.place)
        return Application(function, tuple(arguments))

    done: list[Application] = []
    for part in inside_out(term):
        first = len(done) - len(part.arguments)
        done[first:] = [applied(part.name, done[first:])]
    return done[0]


def _overload(name: str, sorts: tuple[str, ...]) -> str:
    return f"{name}:{'#'.join(sorts)}" if sorts else name
