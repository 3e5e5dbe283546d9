"""The parser: from the text of a specification to its syntax tree, past the errors in it."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from lts.errors import ParseError
from lts.mucrl.text import tree
from lts.mucrl.text.errors import expectations
from lts.mucrl.text.errors.suggestions import Wrong
from lts.mucrl.text.lalr import END, Failure, tables
from lts.mucrl.text.tokens import ILLEGAL, tokens
from lts.text.names import Name
from lts.text.report import Report
from lts.text.source import Place, Source

__all__ = ["parse"]


def parse(source: Source) -> tree.Specification:
    """Parse the text of a specification.

    After an error, parsing goes on with the next declaration or section. Raises `ParseError` with
    the place of each error and what was expected there.
    """
    return _Parser(source).specification()


class _Parser:
    """Runs the tables over each section, and again over what follows a wrong declaration."""

    def __init__(self, source: Source) -> None:
        self.tokens = tokens(source)
        self.tables = tables()
        self.report = Report(source)
        self.builder = _Builder(source)
        productions = self.tables.productions
        self.build = [getattr(self.builder, name) if name else None for *_, name in productions]
        self.idle = [None] * len(productions)
        """Builds nothing: to see whether something parses."""

    def specification(self) -> tree.Specification:
        """Return the whole, or raise what is wrong."""
        kinds, values = self.tokens.kinds, self.tokens.values
        at, doubt = 0, False
        if kinds[0] != END or not values[0]:
            self.add(expectations.no_section(self.tokens))
            at = kinds.index(END)
        while keyword := str(values[at]):
            if self.builder.variables and keyword != "rew":
                self.add(expectations.no_equations(self.tokens, at))
            self.builder.enter(keyword, values[at].place)
            doubt = self.section(keyword, at + 1, quiet=doubt)
            at = kinds.index(END, at + 1)
        if self.builder.variables:
            self.add(expectations.no_equations(self.tokens, at))
        self.report.raise_errors()
        self.builder.specification.end = values[-1].place
        return self.builder.specification

    def section(self, keyword: str, first: int, *, quiet: bool) -> bool:
        """Parse the section that begins at token `first`; return whether its end is in doubt.

        It is if the word after it was not expected, so that it may have been meant as a name. The
        next section is then read with `quiet`: nothing is said of what stands first in it.
        """
        kinds, at = self.tokens.kinds, first
        starts: list[int] | None = None
        heads: frozenset[int] = frozenset()
        while failure := self.run(keyword, at, self.build):
            if starts is None:
                starts = expectations.declarations(self.tokens, keyword, first)
                heads = frozenset(starts)
            number = bisect_right(starts, failure.at)
            begin = max([at, *starts[max(0, number - 1) : number]])
            later = starts[number] if number < len(starts) else None
            if begin > at and self.parses(keyword, begin, later, failure.at):
                # All is well from here on, so what stands before was not finished.
                wrong = self.wrong(keyword, at, begin)
                head = expectations.false_head(wrong, heads)
                if head is None:
                    self.add(expectations.unfinished(wrong))
                else:
                    self.add(expectations.no_operator(self.tokens, head))
                at = begin
                continue
            if not (quiet and failure.at == first):
                wrong = self.wrong(keyword, at, failure.at)
                wrong.begin = begin
                head = expectations.false_head(wrong, heads)
                if head is None:
                    self.add(expectations.explained(wrong))
                else:
                    self.add(expectations.no_operator(self.tokens, head))
            if later is None:
                if kinds[failure.at] == END:
                    return failure.at == first or not self.tokens.is_first(failure.at)
                return quiet and failure.at == first
            at = later
        return False

    def wrong(self, keyword: str, begin: int, at: int) -> Wrong:
        """Return token `at` with what is expected in its place, in a text that begins at `begin`.

        The parser may have reduced because of the token; what it does without having seen it tells
        what is expected.
        """
        failure = self.until(keyword, begin, at, ILLEGAL)
        assert failure is not None
        expected = self.tables.shifts(failure.states)
        return Wrong(self.tokens, keyword, begin, at, expected)

    def add(self, error: expectations.Explanation) -> None:
        place, message = error
        self.report.add(ParseError, message, place)

    def run(self, keyword: str, at: int, build: list[Any]) -> Failure | None:
        start = self.tables.start[keyword]
        return self.tables.run(start, self.tokens.kinds, self.tokens.values, at, build)

    def until(self, keyword: str, begin: int, at: int, kind: str) -> Failure | None:
        """Return where the tokens from `begin` fail to parse if token `at` is of another kind."""
        kinds = self.tokens.kinds
        kept, kinds[at] = kinds[at], kind
        failure = self.run(keyword, begin, self.idle)
        kinds[at] = kept
        return failure

    def parses(self, keyword: str, begin: int, later: int | None, most: int) -> bool:
        """Whether a declaration, up to where a later one begins, parses past token `most`."""
        if later is not None:
            failure = self.until(keyword, begin, later, END)
        else:
            failure = self.run(keyword, begin, self.idle)
        return failure is None or failure.at > most


class _Builder:
    """Makes the tree: a method for each alias of the grammar, given the values of its symbols.

    The value of a token is a `Name`, of a list a list, of a process or term its node.
    """

    def __init__(self, source: Source) -> None:
        self.specification = tree.Specification(source)
        self.variables: list[tree.VariableDeclaration] = []
        """Those of a `var` section, for the equations that follow it."""
        self.scope: tuple[tree.VariableDeclaration, ...] = ()
        self.constructor = False
        self.place: Place = (1, 1)

    def enter(self, keyword: str, place: Place) -> None:
        """Begin a section."""
        self.constructor = keyword == "func"
        self.place = place
        self.scope = tuple(self.variables)
        self.variables = []

    # Lists.

    def one(self, v: list[Any]) -> list[Any]:
        return v

    def two(self, v: list[Any]) -> list[Any]:
        return [v[0], v[2]]

    def append(self, v: list[Any]) -> list[Any]:
        found: list[Any] = v[0]
        found.append(v[2])
        return found

    # Declarations.

    def declare_sort(self, v: list[Any]) -> None:
        self.specification.sorts.append(v[-1])

    def declare_constants(self, v: list[Any]) -> None:
        self.functions(v[0], (), v[3])

    def declare_functions(self, v: list[Any]) -> None:
        self.functions(v[0], tuple(v[2]), v[4])

    def functions(self, names: list[Name], arguments: tuple[Name, ...], sort: Name) -> None:
        self.specification.functions += [
            tree.FunctionDeclaration(name, arguments, sort, self.constructor) for name in names
        ]

    def declare_variables(self, v: list[Any]) -> None:
        self.variables += [tree.VariableDeclaration(name, v[2]) for name in v[0]]

    def declare_equation(self, v: list[Any]) -> None:
        self.specification.equations.append(tree.Equation(self.scope, v[0], v[2]))

    def declare_plain_actions(self, v: list[Any]) -> None:
        self.specification.actions += [tree.ActionDeclaration(name, ()) for name in v[0]]

    def declare_actions(self, v: list[Any]) -> None:
        sorts = tuple(v[2])
        self.specification.actions += [tree.ActionDeclaration(name, sorts) for name in v[0]]

    def declare_communication(self, v: list[Any]) -> None:
        self.specification.communications.append(tree.Communication(v[0], v[2], v[4]))

    def parameter(self, v: list[Any]) -> tree.VariableDeclaration:
        return tree.VariableDeclaration(v[0], v[2])

    def define_plain(self, v: list[Any]) -> None:
        self.specification.definitions.append(tree.Definition(v[0], (), v[2]))

    def define(self, v: list[Any]) -> None:
        self.specification.definitions.append(tree.Definition(v[0], tuple(v[2]), v[5]))

    def start(self, v: list[Any]) -> None:
        self.specification.initial.append((v[0], self.place))

    # Terms.

    def constant(self, v: list[Any]) -> tree.Term:
        return tree.Term(v[0], ())

    def application(self, v: list[Any]) -> tree.Term:
        return tree.Term(v[0], tuple(v[2]))

    # Processes.

    def choice(self, v: list[Any]) -> tree.Process:
        return tree.Choice(tuple(v[0]), v[0][0].place)

    def parallel(self, v: list[Any]) -> tree.Process:
        return tree.Parallel(tuple(v[0]), v[0][0].place)

    def synchronous(self, v: list[Any]) -> tree.Process:
        return tree.Synchronous(tuple(v[0]), v[0][0].place)

    def left_merge(self, v: list[Any]) -> tree.Process:
        return tree.LeftMerge(v[0], v[2], v[1].place)

    def condition(self, v: list[Any]) -> tree.Process:
        return tree.Condition(v[0], v[2], v[4], v[0].place)

    def before(self, v: list[Any]) -> tree.Process:
        return tree.Until(v[0], v[2], v[1].place)

    def sequence(self, v: list[Any]) -> tree.Process:
        return tree.Sequence(tuple(v[0]), v[0][0].place)

    def delta(self, v: list[Any]) -> tree.Process:
        return tree.Delta(v[0].place)

    def tau(self, v: list[Any]) -> tree.Process:
        return tree.Tau(v[0].place)

    def call(self, v: list[Any]) -> tree.Process:
        return tree.Call(v[0], ())

    def call_with(self, v: list[Any]) -> tree.Process:
        return tree.Call(v[0], tuple(v[2]))

    def inner(self, v: list[Any]) -> tree.Process:
        process: tree.Process = v[1]
        return process

    def sum(self, v: list[Any]) -> tree.Process:
        return tree.Sum(v[2], v[4], v[6])

    def encap(self, v: list[Any]) -> tree.Process:
        return tree.Encap(tuple(v[3]), v[6], v[0].place)

    def hide(self, v: list[Any]) -> tree.Process:
        return tree.Hide(tuple(v[3]), v[6], v[0].place)

    def renaming(self, v: list[Any]) -> tuple[Name, Name]:
        return v[0], v[2]

    def rename(self, v: list[Any]) -> tree.Process:
        return tree.Rename(tuple(v[3]), v[6], v[0].place)

    def at_time(self, v: list[Any]) -> tree.Process:
        return tree.At(v[0], v[2], v[1].place)
