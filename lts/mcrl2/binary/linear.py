"""Linear processes: from a typed specification to a `.lps` file, as `process` reads them.

The declarations are those of the specification, with the sorts and maps that linearisation added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import NoReturn

from lts._engine import TermWriter
from lts.errors import LtsError, Unsupported
from lts.linear.declarations import Names
from lts.linear.parallel.multi_actions import split
from lts.linear.process import LinearProcess, Shape, Summand
from lts.mcrl2.binary.builder import Builder, encoded
from lts.mcrl2.binary.kinds import LINEAR_PROCESS
from lts.mcrl2.binary.maker import Maker, NotFinite, Unwritable
from lts.mcrl2.binary.written import OfMcrl2
from lts.mcrl2.reader import read_text
from lts.mcrl2.text import data_tree as tree
from lts.specification.generators import run
from lts.specification.specification import Function, Term, Variable
from lts.specification.terms import Application, functions_in, renamed
from lts.text.names import Name

__all__ = ["linear_file"]

_NOWHERE = (1, 1)


def linear_file(process: LinearProcess) -> bytes:
    """Return a linear process as the contents of a `.lps` file of mCRL2.

    Raises `Unsupported` for a process of muCRL, and if some term has no counterpart in mCRL2.
    """
    process.expect_written_out()
    specification = process.specification
    if specification.communications is not None:
        message = "a .lps file contains a linear process of mCRL2, and this one is of muCRL"
        raise Unsupported(message, file=specification.source.file)
    narrow: dict[Variable, tree.Sort] = {}
    while True:
        try:
            found = _Writer(process, narrow).written()
            break
        except NotFinite as error:
            # Typed specifications do not distinguish finite sets from others.
            if error.variable in narrow:
                raise _refused(process, f"`{error}`, a variable of the linear process,") from None
            narrow[error.variable] = error.sort
    try:
        read_text(found.decode("utf-8", "surrogateescape"), file=specification.source.file)
    except LtsError as error:
        message = f"a term of the linear process has no counterpart in mCRL2: {error.message}"
        raise Unsupported(message, file=specification.source.file) from error
    return found


def _refused(process: LinearProcess, what: str) -> Unsupported:
    message = f"{what} has no counterpart in a .lps file of mCRL2"
    return Unsupported(message, file=process.specification.source.file)


class _Builder(Builder):
    """A builder whose terms can be written as items of the stream."""

    def __init__(self, writer: TermWriter) -> None:
        super().__init__(writer)
        self._parts: dict[int, tuple[bytes, tuple[int, ...]]] = {}

    def term(self, name: str, *arguments: int) -> int:
        """Return the number of a term."""
        number = super().term(name, *arguments)
        self._parts[number] = encoded(name), arguments
        return number

    def output(self, number: int) -> None:
        """Write a term as an item of the stream."""
        self.writer.output(*self._parts[number])


class _Writer:
    def __init__(self, process: LinearProcess, narrow: Mapping[Variable, tree.Sort]) -> None:
        self.process, self.narrow = process, narrow
        self.builder = builder = _Builder(TermWriter())
        self.of = OfMcrl2(builder, process.specification)
        unset = {placeholder.function: sort for sort, placeholder in process.unset.items()}
        known = (*process.specification.functions, *process.functions)
        names = Names(function.name for function in known if function not in unset)
        self.unset = {
            function: Function(names.new("unset"), (), sort) for function, sort in unset.items()
        }
        """Constants for values that nothing depends on, with names that a text can have."""
        if self.of.left_out:
            self.refuse(f"the equation in line {self.of.left_out[0]}")
        self.terms = self.of.terms
        self.truth = builder.sort("Bool")
        self.certain = self._certain()
        used = {*functions_in(self._terms())}
        self.functions = [self.unset.get(f, f) for f in process.functions if f in used]
        sorts = {sort for function in used for sort in (*function.arguments, function.sort)}
        sorts |= {parameter.variable.sort for parameter in process.parameters}
        self.structures = {
            sort: constructors
            for shape in process.shapes
            for sort, constructors in _structures(shape)
            if sort in sorts
        }
        """The sorts of control states and stacks, with their constructors."""
        try:
            self.declare()
        except Unwritable as error:
            self.refuse(f"the sort `{error}`")
        self.maker = Maker(self.terms, is_value=False)
        self.maker.take(names.taken)

    def _terms(self) -> Iterator[Term]:
        """Yield the terms of the process, and the sides of the rules that it added."""
        yield from self.process.initial
        for summand in self.process.summands:
            yield from summand.terms
        for rule in self.process.rules:
            yield from rule.left.arguments

    def _certain(self) -> int:
        """Return the distribution of a choice that is not probabilistic."""
        builder = self.builder
        parts = [(builder.number(1, sort), builder.sort(sort)) for sort in ("Int", "Pos")]
        one = builder.applied("@cReal", parts, builder.sort("Real"))
        return builder.term("Distribution", builder.listed(()), one)

    def refuse(self, what: str) -> NoReturn:
        """Raise an error for a part of the process that mCRL2 has no term for."""
        raise _refused(self.process, what)

    def declare(self) -> None:
        """Declare the sorts and functions that are not in the text."""
        terms, declared = self.terms, self.of.declared
        for sort in self.structures:
            terms.add_sort(sort)
        built = {f for constructors in self.structures.values() for f in constructors}
        # A constant that stands for a global variable is only in the typed specification.
        names = {str(variable.name) for variable in self.of.tree.globals}
        more = [f for f in self.process.specification.functions if f.name in names]
        more = [f for f in more if terms.declared(f) is None]
        more += [f for f in self.functions if f not in built]
        for function in (*built, *more):
            terms.add_function(function)
        for sort, constructors in self.structures.items():
            one = tree.StructuredSort(tuple(map(self.constructor, constructors)), _NOWHERE)
            alias = [self.builder.sort(sort), terms.sort(one, whole=True)]
            declared.aliases.append((b"SortRef", alias))
        for function in more:
            name = self.builder.term(function.name)
            of_it = terms.sort(self.declared_sort(function))
            declared.functions.append((b"OpIdNoIndex", [name, of_it]))
        defined = {*self.functions}
        for rule in self.process.rules:
            if rule.left.function in defined:
                declared.equations.append((b"DataEqn", terms.equation(rule, ())))

    def constructor(self, function: Function) -> tree.Constructor:
        """Return a constructor of a structured sort."""
        fields = tuple((None, self.terms.of_name(sort)) for sort in function.arguments)
        return tree.Constructor(Name.at(function.name, _NOWHERE), fields, None)

    def declared_sort(self, function: Function) -> tree.Sort:
        """Return the sort of a function, that of its result if it is a constant."""
        result = self.terms.of_name(function.sort)
        if not function.arguments:
            return result
        return tree.Function(tuple(map(self.terms.of_name, function.arguments)), result, _NOWHERE)

    def written(self) -> bytes:
        """Return the bytes of the file."""
        builder, process = self.builder, self.process
        writer, declared = builder.writer, self.of.declared
        variables = [parameter.variable for parameter in process.parameters]
        origins = [parameter.origin or parameter.variable for parameter in process.parameters]
        # One of several parameters that hold a variable of the text has a name of its own.
        counts = Counter(origin.name for origin in origins)
        parameters = [
            self.maker.bind(v, self.sort_of(v), o.name if counts[o.name] == 1 else v.name)
            for v, o in zip(variables, origins, strict=True)
        ]
        sorts = map(self.sort_of, variables)
        initial = [self.made(t, s) for t, s in zip(process.initial, sorts, strict=True)]
        writer.output(encoded(LINEAR_PROCESS), [])
        builder.output_data(declared)
        builder.output_list(declared.actions)
        writer.output_number(0)  # Global variables have values here.
        builder.output_list(parameters)
        writer.output_number(len(process.summands))
        for summand in process.summands:
            self.output_summand(summand, parameters)
        writer.output_number(0)  # Summands of `delta` do nothing without times.
        writer.output(b"LinearProcessInit", [builder.listed(initial), self.certain])
        writer.end()
        return writer.take()

    def output_summand(self, summand: Summand, parameters: Sequence[int]) -> None:
        """Write a summand."""
        builder = self.builder
        variables = [self.maker.bind(v, self.sort_of(v)) for v in summand.variables]
        condition = self.condition(summand)
        actions = [self.action(*action) for action in split(summand.action, summand.arguments)]
        assignments = []
        for number, value in summand.updates:
            sort = self.sort_of(self.process.parameters[number].variable)
            given = parameters[number], self.made(value, sort)
            assignments.append(builder.term("DataVarIdInit", *given))
        builder.output(self.certain)
        builder.output_list(variables)
        builder.output(condition)
        builder.output_list(actions)
        builder.output(builder.untimed)
        builder.output_list(assignments)

    def sort_of(self, variable: Variable) -> tree.Sort:
        """Return the sort of a variable in the file."""
        return self.narrow.get(variable) or self.sort(variable.sort)

    def sort(self, name: str) -> tree.Sort:
        """Return a sort by its name."""
        try:
            return self.terms.of_name(name)
        except Unwritable:
            self.refuse(f"the sort `{name}`")

    def term(self, term: Term, sort: str) -> int:
        """Return a term of a sort."""
        return self.made(term, self.sort(sort))

    def made(self, term: Term, sort: tree.Sort) -> int:
        """Return a term of a sort, possibly a finite set or bag as one that may be infinite."""
        if self.unset and isinstance(term, Application):
            term = renamed(term, self.image)
        try:
            made: int = run(self.maker.made(term, sort))
        except NotFinite:
            raise
        except Unwritable:
            self.refuse(f"`{term}`, a term of the linear process,")
        return made

    def image(self, term: Application) -> Application | None:
        """Return the constant for a value that nothing depends on; None for other terms."""
        return Application(self.unset[term.function]) if term.function in self.unset else None

    def condition(self, summand: Summand) -> int:
        """Return the conjunction of the conditions of a summand."""
        builder, truth = self.builder, self.truth
        parts = []
        for sides in summand.equations:
            sort = sides[0].sort
            inside = self.terms.sort(self.sort(sort))
            given = [(self.term(side, sort), inside) for side in sides]
            parts.append(builder.applied("==", given, truth))
        for guard in summand.guards:
            holds = self.term(guard.term, "Bool")
            parts.append(holds if guard.positive else builder.applied("!", [(holds, truth)], truth))
        if not parts:
            return builder.constant("true", truth)
        return reduce(
            lambda one, other: builder.applied("&&", [(one, truth), (other, truth)], truth), parts
        )

    def action(self, name: str, arguments: Sequence[Term]) -> int:
        """Return an action, whose sorts are those of its declaration."""
        sorts = self.of.sorts_of(name, [argument.sort for argument in arguments])
        assert sorts is not None, "the specification was checked"
        values = map(self.made, arguments, sorts)
        return self.builder.action(name, map(self.terms.sort, sorts), values)


def _structures(shape: Shape) -> Iterator[tuple[str, tuple[Function, ...]]]:
    """Yield the sorts that a shape adds, with their constructors."""
    yield shape.sort, tuple(constant.function for constant in shape.constants)
    if shape.stack is not None:
        yield shape.stack.sort, (shape.stack.function, *shape.frames)
