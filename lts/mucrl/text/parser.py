"""The parser for specifications, with error recovery: it reports all syntax errors of a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from lts.errors import ParseError
from lts.mucrl.text import tree
from lts.mucrl.text.build import grammar
from lts.mucrl.text.errors import expectations
from lts.mucrl.text.errors.suggestions import Wrong
from lts.mucrl.text.tokens import tokens
from lts.text.grammar import END, Stopped, place_of
from lts.text.report import Report
from lts.text.source import Source

if TYPE_CHECKING:
    from lark import Token

__all__ = ["parse"]


def parse(source: Source) -> tree.Specification:
    """Parse the text of a specification.

    After an error, parsing resumes at the next declaration or section. Raises `ParseError` with the
    place of each error and what was expected there.
    """
    return _Parser(source).specification()


class _Parser:
    """Parses section by section; after an error it resumes at the section's next declaration."""

    def __init__(self, source: Source) -> None:
        self.grammar = grammar()
        self.tokens = tokens(source)
        self.report = Report(source)
        self.found = tree.Specification(source)
        self.variables: list[tree.VariableDeclaration] = []
        """The variables of the preceding `var` section, for the equations that follow it."""
        self.scope: tuple[tree.VariableDeclaration, ...] = ()

    def specification(self) -> tree.Specification:
        """Return the whole specification, or raise the errors found."""
        kinds, values = self.tokens.kinds, self.tokens.values
        at, doubt = 0, False
        if kinds[0] != END or not values[0]:
            self.add(expectations.no_section(self.tokens))
            at = kinds.index(END)
        while values[at]:
            if self.variables and values[at] != "rew":
                self.add(expectations.no_equations(self.tokens, at))
            self.scope, self.variables = tuple(self.variables), []
            doubt = self.section(at, quiet=doubt)
            at = kinds.index(END, at + 1)
        if self.variables:
            self.add(expectations.no_equations(self.tokens, at))
        self.report.raise_errors()
        self.found.end = place_of(values[-1])
        return self.found

    def section(self, head: int, *, quiet: bool) -> bool:
        """Parse the section that token `head` begins; return whether its end is doubtful.

        The end is doubtful if the keyword after it was unexpected: it may have been meant as a
        name. The next section is then parsed with `quiet`, which suppresses an error at its first
        token.
        """
        kinds, keyword = self.tokens.kinds, str(self.tokens.values[head])
        at = first = head + 1
        end = kinds.index(END, first)
        starts: list[int] | None = None
        heads: frozenset[int] = frozenset()
        while (failed := self.failure(head, at, end, keep=True)) is not None:
            if starts is None:
                starts = expectations.declarations(self.tokens, keyword, first)
                heads = frozenset(starts)
            number = bisect_right(starts, failed)
            begin = max([at, *starts[max(0, number - 1) : number]])
            later = starts[number] if number < len(starts) else None
            if begin > at:
                further = self.failure(head, begin, end if later is None else later)
                if further is None or further > failed:
                    # The text parses from here on, so the declaration before it is incomplete.
                    self.explain(self.wrong(head, at, begin), heads, expectations.unfinished)
                    at = begin
                    continue
            if not (quiet and failed == first):
                wrong = self.wrong(head, at, failed)
                wrong.begin = begin
                self.explain(wrong, heads, expectations.explained)
            if later is None:
                if failed == end:
                    return failed == first or not self.tokens.is_first(failed)
                return quiet and failed == first
            at = later
        return False

    def failure(self, head: int, begin: int, end: int, *, keep: bool = False) -> int | None:
        """Return the token where a section fails to parse from `begin` to `end`, or None.

        The section begins with the keyword at token `head`. With `keep`, its declarations are added
        to the specification if it parses.
        """
        try:
            found = self.grammar.parse("section", self.part(head, begin, end))
        except Stopped as stopped:
            return begin + stopped.at - 1
        if keep:
            self.keep(self.tokens.values[head], found)
        return None

    def keep(self, keyword: Token, found: Any) -> None:
        """Add the declarations of a section to the specification."""
        match keyword:
            case "sort":
                self.found.sorts += found
            case "func" | "map":
                self.found.functions += [
                    tree.FunctionDeclaration(name, sorts, sort, keyword == "func")
                    for names, sorts, sort in found
                    for name in names
                ]
            case "var":
                self.variables += chain.from_iterable(found)
            case "rew":
                self.found.equations += [tree.Equation(self.scope, *sides) for sides in found]
            case "act":
                self.found.actions += chain.from_iterable(found)
            case "comm":
                self.found.communications += found
            case "proc":
                self.found.definitions += found
            case "init":
                self.found.initial.append((found, place_of(keyword)))

    def part(self, head: int, begin: int, end: int) -> Iterator[Token]:
        """Return the tokens from `begin` to `end`, preceded by the section keyword at `head`."""
        return map(self.tokens.values.__getitem__, chain((head,), range(begin, end)))

    def wrong(self, head: int, begin: int, at: int) -> Wrong:
        """Return token `at` as an error, with what is expected after the text from `begin` on."""
        expected = self.grammar.expected("section", self.part(head, begin, at))
        return Wrong(self.tokens, str(self.tokens.values[head]), begin, at, expected)

    def explain(
        self,
        wrong: Wrong,
        heads: frozenset[int],
        explained: Callable[[Wrong], expectations.Explanation],
    ) -> None:
        """Report an error; it may be due to a name that looks like a definition, not in `heads`."""
        head = expectations.false_head(wrong, heads)
        if head is None:
            self.add(explained(wrong))
        else:
            self.add(expectations.no_operator(self.tokens, head))

    def add(self, error: expectations.Explanation) -> None:
        place, message = error
        self.report.add(ParseError, message, place)
