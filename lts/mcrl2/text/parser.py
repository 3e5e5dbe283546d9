"""Parses the sections of a specification, with recovery after syntax errors."""

from __future__ import annotations

from lts.errors import ParseError
from lts.mcrl2.text import tree
from lts.mcrl2.text.data import data
from lts.mcrl2.text.data_tree import Variable
from lts.mcrl2.text.processes import process
from lts.mcrl2.text.sorts import product, sort, variables
from lts.mcrl2.text.tokens import MCRL2, SECTIONS
from lts.text.reader import Reader
from lts.text.report import Failed, Report
from lts.text.source import Source
from lts.text.tokens import END, tokens

__all__ = ["parse"]


def parse(source: Source) -> tree.Specification:
    """Parse the text of a specification.

    After an error, parsing resumes at the next declaration or section. Raises `ParseError` with the
    place of each error and what was expected there.
    """
    report = Report(source)
    parser = _Parser(source, report)
    report.raise_errors()
    parser.sections()
    report.raise_errors()
    return parser.tree


class _Parser:
    """Parses one section after the other."""

    def __init__(self, source: Source, report: Report) -> None:
        self.report = report
        self.reader = Reader(tokens(source, report, MCRL2))
        self.tree = tree.Specification(source, end=self.reader.values[-1].place)
        self.variables: list[Variable] = []
        """The variables of the preceding `var` section."""

    def sections(self) -> None:
        reader = self.reader
        if reader.kind not in SECTIONS and reader.kind != END:
            words = ", ".join(f"`{word}`" for word in SECTIONS)
            self.add_error(reader.failed(f"a section ({words})"))
            self.skip_to(SECTIONS)
        while reader.kind != END:
            word = reader.take()
            if word != "eqn" and word != "var":
                self.variables = []
            if word == "var":
                self.variables = []
            self.section(str(word))
            if word == "var" and reader.kind != "eqn":
                self.add_error(reader.failed("`eqn` after the variables"))
        # An `eqn` section may be followed by any section.

    def section(self, word: str) -> None:
        """Parse the declarations of a section, which must not be empty."""
        reader = self.reader
        declaration = getattr(self, f"_{word}")
        first = True
        while first or (reader.kind not in SECTIONS and reader.kind != END):
            try:
                declaration()
                if reader.kind != ";":
                    raise reader.failed(self.after(word))
                reader.take()
            except Failed as error:
                self.add_error(error)
                self.skip_to((*SECTIONS, ";"))
                reader.skip(";")
            if word == "init":
                if reader.kind not in SECTIONS and reader.kind != END:
                    self.add_error(reader.failed("a section or the end"))
                    self.skip_to(SECTIONS)
                return
            first = False

    def after(self, word: str) -> str:
        """Return in words what may follow a complete declaration."""
        return "an operator or `;`" if word in ("proc", "init", "eqn") else "`;`"

    def add_error(self, error: Failed) -> None:
        """Add an error to the report."""
        self.report.add(ParseError, error.message, error.place)

    def skip_to(self, kinds: tuple[str, ...]) -> None:
        """Skip to the next token of one of these kinds, or to the end."""
        while self.reader.kind not in kinds and self.reader.kind != END:
            self.reader.at += 1

    def _sort(self) -> None:
        reader = self.reader
        names = reader.names("a sort")
        if len(names) == 1 and reader.skip("="):
            self.tree.sorts.append(tree.SortDeclaration(names[0], sort(reader)))
            return
        self.tree.sorts += [tree.SortDeclaration(name, None) for name in names]

    def _functions(self, what: str, constructor: bool) -> None:
        names = self.reader.names(what)
        self.reader.expect(":")
        of = sort(self.reader)
        self.tree.functions += [tree.FunctionDeclaration(n, of, constructor) for n in names]

    def _cons(self) -> None:
        self._functions("a constructor", True)

    def _map(self) -> None:
        self._functions("a function", False)

    def _glob(self) -> None:
        self.tree.globals += variables(self.reader)

    def _var(self) -> None:
        self.variables = [*self.variables, *variables(self.reader)]

    def _eqn(self) -> None:
        reader = self.reader
        condition, place = None, reader.place
        left = data(reader)
        if reader.skip("->"):
            condition, place = left, reader.place
            left = data(reader)
        if reader.kind != "=":
            raise reader.failed("an operator or `=`" if condition else "an operator, `=` or `->`")
        reader.take()
        right = data(reader)
        self.tree.equations.append(tree.Equation(self.variables, condition, left, right, place))

    def _act(self) -> None:
        names = self.reader.names("an action")
        sorts = product(self.reader) if self.reader.skip(":") else ()
        self.tree.actions += [tree.ActionDeclaration(name, sorts) for name in names]

    def _proc(self) -> None:
        reader = self.reader
        name = reader.name("a process")
        parameters: list[Variable] = []
        if reader.skip("("):
            parameters = variables(reader)
            reader.expect(")")
        reader.expect("=")
        self.tree.definitions.append(tree.Definition(name, tuple(parameters), process(reader)))

    def _init(self) -> None:
        place = self.reader.place
        self.tree.initial.append((process(self.reader), place))
