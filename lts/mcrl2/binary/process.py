"""Linear processes: from a `.lps` file to the syntax tree of a specification.

The tree is that of a text with a single process, `P`, with one alternative for each summand, so
that static checks and all later stages are shared with texts.
"""

from __future__ import annotations

from collections import Counter

from lts.errors import LtsError, Unsupported
from lts.mcrl2.binary.data import Expressions
from lts.mcrl2.binary.forms import Applied, Variable
from lts.mcrl2.binary.kinds import LINEAR_PROCESS, described
from lts.mcrl2.binary.source import LinearSource
from lts.mcrl2.binary.stream import Stream
from lts.mcrl2.text import data_tree, tree
from lts.text.names import Name
from lts.text.source import Place

__all__ = ["linear_tree"]

_PROCESS = "P"


def linear_tree(source: LinearSource) -> tree.Specification:
    """Return the syntax tree of a linear process.

    Raises `FormatError` with the byte offset, or `Unsupported`.
    """
    stream = Stream(source.text.encode("utf-8", "surrogateescape"), source.file)
    return _Reader(source, stream).specification()


class _Reader:
    """Reads the parts of a linear process in their order in the file."""

    def __init__(self, source: LinearSource, stream: Stream) -> None:
        source.items[:] = ["the file"]
        self.items = source.items
        self.stream = stream
        self.expressions = Expressions(stream)
        self.tree = tree.Specification(source, shared=self.expressions.shared)

    def begin(self, what: str) -> Place:
        """Begin a part of the file, and return its place."""
        self.items.append(what)
        self.expressions.next()
        return self.expressions.place

    def name(self, number: int) -> Name:
        return self.expressions.name(self.stream.identifier(number))

    def many(self, what: str) -> range:
        """Read a number of items and return their range, from 1; the items follow in the file."""
        return range(1, self.stream.number(f"how many {what}s there are") + 1)

    def specification(self) -> tree.Specification:
        """Read the whole file."""
        stream = self.stream
        mark = stream.output()
        if mark == ("labelled_transition_system", ()):
            raise LtsError("this is an LTS: rename the file to `.lts`", file=stream.file)
        if mark != (LINEAR_PROCESS, ()):
            stream.wrong(f"expected a linear process; this is {described(mark)}")
        self.declarations()
        self.process()
        if stream.output() is not None:
            stream.wrong("unexpected data after the initial state")
        return self.tree

    def declarations(self) -> None:
        """Read the sorts, functions, equations, actions and global variables."""
        stream, expressions, found = self.stream, self.expressions, self.tree
        for number in self.many("sort"):
            self.begin(f"sort {number}")
            (name,) = self.arguments("SortId", 1)
            found.sorts.append(tree.SortDeclaration(self.name(name), None))
        for number in self.many("alias"):
            self.begin(f"alias {number}")
            declared, of = self.arguments("SortRef", 2)
            (name,) = stream.of(declared, "SortId", 1)
            found.sorts.append(tree.SortDeclaration(self.name(name), expressions.sort(of)))
        for kind in ("constructor", "function"):
            for number in self.many(kind):
                self.begin(f"{kind} {number}")
                name, of = self.arguments("OpIdNoIndex", 2)
                sort, is_constructor = expressions.sort(of), kind == "constructor"
                declaration = tree.FunctionDeclaration(self.name(name), sort, is_constructor)
                found.functions.append(declaration)
        self.note_functions()
        for number in self.many("equation"):
            place = self.begin(f"equation {number}")
            variables, condition, left, right = self.arguments("DataEqn", 4)
            declared_here = [*expressions.declared(expressions.forms.variables(variables))]
            if expressions.forms.looks_inside(left):
                message = (
                    "a positive number in place of a natural number is not supported on the left"
                )
                stream.wrong(f"{message} side of an equation", Unsupported)
            if_ = None if self.is_true(condition) else expressions.data(condition)
            one, other = (expressions.data(side, alone=True) for side in (left, right))
            found.equations.append(tree.Equation(declared_here, if_, one, other, place))
        for number, action in enumerate(stream.elements("actions"), 1):
            self.begin(f"action {number}")
            name, sorts = stream.of(action, "ActId", 2)
            found.actions.append(tree.ActionDeclaration(self.name(name), expressions.sorts(sorts)))
        for number in self.many("global variable"):
            self.begin(f"global variable {number}")
            name, of = self.arguments("DataVarId", 2)
            variable = expressions.variable_name(stream.word(name))
            found.globals.append(data_tree.Variable(variable, expressions.sort(of)))

    def arguments(self, name: str, count: int) -> tuple[int, ...]:
        """Read a term with this name and number of arguments; return the arguments."""
        _, found = self.stream.term(f"a term `{name}`", name)
        if len(found) != count:
            self.stream.wrong(f"a term `{name}` with {len(found)} arguments, not {count}")
        return found

    def note_functions(self) -> None:
        """Collect the names of functions, including those of structured sorts."""
        names = Counter(str(function.name) for function in self.tree.functions)
        for declaration in self.tree.sorts:
            if isinstance(declaration.sort, data_tree.StructuredSort):
                for made in declaration.sort.constructors:
                    of_it = (made.name, made.recogniser, *(field for field, _ in made.projections))
                    names.update({str(name) for name in of_it if name is not None})
        self.expressions.taken = {*names}
        self.expressions.overloaded = {name for name, count in names.items() if count > 1}

    def is_true(self, number: int) -> bool:
        """Whether an expression is the constant `true`."""
        form = self.expressions.forms.form(number)
        return isinstance(form, Applied) and (form.name, form.arguments) == ("true", ())

    def process(self) -> None:
        """Read the process and the initial state."""
        stream, expressions = self.stream, self.expressions
        place = self.begin("the parameters of the process")
        parameters = expressions.declared(self.variables("parameters"))
        actions = {declared.name for declared in self.tree.actions}
        name = _PROCESS
        while name in actions:
            name += "_"
        called = expressions.name(name)
        summands = []
        for number in self.many("summand"):
            self.begin(f"summand {number}")
            summands.append(self.summand(called))
        for number in self.many("summand of `delta`"):
            self.begin(f"summand {number} of `delta`")
            variables = self.variables("variables")
            condition = self.condition()
            timed = self.timed(tree.Delta(expressions.place))
            if isinstance(timed, tree.At):
                summands.append(self.under(variables, condition, timed))
        body = tree.Choice(tuple(summands), place) if summands else tree.Delta(place)
        self.tree.definitions.append(tree.Definition(called, parameters, body))
        place = self.begin("the initial state")
        values, distribution = self.arguments("LinearProcessInit", 2)
        self.certain(*stream.of(distribution, "Distribution", 2))
        given = [expressions.data(value) for value in stream.list_of(values, "values")]
        if len(given) != len(parameters):
            stream.wrong(f"{len(given)} initial values of {len(parameters)} parameters")
        self.tree.initial.append((tree.Call(called, tuple(given)), place))
        self.tree.end = place

    def summand(self, called: Name) -> tree.Process:
        """Read a summand with an action."""
        stream, expressions = self.stream, self.expressions
        self.certain(*self.arguments("Distribution", 2))
        variables = self.variables("variables")
        condition = self.condition()
        actions: list[tree.Process] = []
        for declared in stream.elements("actions"):
            action, given = stream.of(declared, "Action", 2)
            (name, _) = stream.of(action, "ActId", 2)
            values = [expressions.data(value) for value in stream.list_of(given, "arguments")]
            actions.append(tree.Call(self.name(name), tuple(values)))
        done: tree.Process = tree.Tau(expressions.place)
        if actions:
            done = actions[0]
        if len(actions) > 1:
            done = tree.Synchronous(tuple(actions), expressions.place)
        done = self.timed(done)
        assigned = [
            (expressions.variable_name(name), expressions.data(value))
            for name, value in expressions.forms.assignments(stream.elements("assignments"))
        ]
        after = tree.Assignments(called, tuple(assigned))
        return self.under(variables, condition, tree.Sequence((done, after), expressions.place))

    def variables(self, what: str) -> tuple[Variable, ...]:
        """Read a list of variables."""
        forms = self.expressions.forms
        return tuple([forms.variable(element) for element in self.stream.elements(what)])

    def condition(self) -> data_tree.Data | None:
        """Read a condition; return None for `true`."""
        number = self.stream.numbered("a condition")
        return None if self.is_true(number) else self.expressions.data(number)

    def under(
        self,
        variables: tuple[Variable, ...],
        condition: data_tree.Data | None,
        process: tree.Process,
    ) -> tree.Process:
        """Put a process under a condition and a sum over variables."""
        place = self.expressions.place
        if condition is not None:
            process = tree.Condition(condition, process, None, place)
        declared = self.expressions.declared(variables)
        return tree.Sum(declared, process, place) if declared else process

    def timed(self, process: tree.Process) -> tree.Process:
        """Read a time stamp, and return the process at that time."""
        time = self.stream.numbered("a time")
        if self.expressions.forms.is_untimed(time):
            return process
        return tree.At(process, self.expressions.data(time), self.expressions.place)

    def certain(self, variables: int, _: int) -> None:
        """Raise `Unsupported` if a distribution has variables, that is, probabilities."""
        if self.stream.list_of(variables, "variables"):
            message = "`dist` is not supported: processes are not probabilistic"
            raise self.tree.source.error(Unsupported, message, self.expressions.place)
