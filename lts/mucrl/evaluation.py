"""Evaluation of single terms by the rules of a specification."""

from __future__ import annotations

from dataclasses import dataclass

import lts._engine as _engine
from lts.base.argument_types import expect_limit
from lts.base.bounds import NORMAL_FORM, REWRITE_STEPS
from lts.errors import LimitReached, ParseError, RewritingLimit, SpecificationError
from lts.mucrl.text.build import grammar
from lts.mucrl.text.tree import Term, inside_out
from lts.specification.signature import Signature
from lts.specification.specification import Application, Specification
from lts.text.grammar import Stopped, place_of
from lts.text.names import Name
from lts.text.source import Source

__all__ = ["Evaluation", "evaluate"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The normal form of a term.

    `is_value` is false only in strict specifications, for a normal form with a map that has
    arguments or rules. `steps` counts the applications of rules, `found` the calls answered from
    the cache.
    """

    text: str
    sort: str
    is_value: bool
    steps: int
    found: int

    def __str__(self) -> str:
        return self.text


def evaluate(
    specification: Specification,
    term: str,
    *,
    max_steps: int = REWRITE_STEPS.default,
    memoise: bool = True,
) -> Evaluation:
    """Return the normal form of a closed term, such as `plus(S(0),S(0))`, or for a specification in
    mCRL2 `tail([1, 2]) ++ [3]`.

    Raises `ParseError` and `SpecificationError` with the place in `term` if it is not a term of the
    specification, `RewritingLimit` if rewriting takes more than `max_steps` steps, and
    `LimitReached` if the normal form is longer than 256 MB. Without `memoise` the results of calls
    are not cached; the normal form is the same.
    """
    expect_limit(max_steps, "the limit on steps")
    source, file = Source(term, "term"), specification.source.file
    if specification.communications is None:
        from lts.mcrl2.terms import closed_term

        typed, specification = closed_term(specification, source)
    else:
        typed = _parsed(specification, source)
    signature = Signature(specification)
    try:
        found = signature.data().evaluate(
            signature.term(typed), max_steps, memoise, NORMAL_FORM.default
        )
    except _engine.StepLimit as error:
        where = "" if file is None else f"{file}: "
        raise RewritingLimit(f"{where}{error.args[0]}", limit=max_steps, found={}) from None
    except _engine.EvaluationError as error:
        raise SpecificationError(error.args[0], file=file) from None
    if found is None:
        message = f"the normal form is longer than {NORMAL_FORM.amount()}"
        raise LimitReached(message, limit=NORMAL_FORM.default, found={})
    text = found.text.decode("utf-8", "surrogateescape")
    return Evaluation(text, typed.sort, found.is_value, found.steps, found.found)


def _parsed(specification: Specification, source: Source) -> Application:
    """Parse a closed term and resolve its functions by their argument sorts."""
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
