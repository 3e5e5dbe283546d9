"""Writes linear processes as mCRL2 specifications with a single process.

The declarations of data and actions are those of the text itself, with its comments, or those of a
binary file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lts.errors import LtsError, Unsupported
from lts.linear.declarations import Declared, Names
from lts.linear.parallel.multi_actions import split
from lts.linear.process import LinearProcess, Summand
from lts.mcrl2.binary.source import LinearSource
from lts.mcrl2.data.finite import TABLE
from lts.mcrl2.data.sort_names import is_function
from lts.mcrl2.reader import read_text
from lts.mcrl2.static.binders import WHERE
from lts.mcrl2.text import tree as syntax
from lts.mcrl2.text.constants import definitions, set_constants
from lts.mcrl2.text.data_tree import StructuredSort
from lts.mcrl2.text.declarations import declarations
from lts.mcrl2.text.tokens import NAME, SECTIONS, WORDS
from lts.mcrl2.trees import tree_of
from lts.specification.notation import Notation
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    Term,
    Variable,
    substitute,
)
from lts.specification.terms import is_larger, renamed, subterms

__all__ = ["linear_text"]

_OWN = ("proc", "init")
"""The sections that a linear process replaces."""

_NAME = re.compile(NAME)
_BLANK = r"(?:\s|%[^\n]*\n)*"
MOST_NAMED = 5
"""The most names of functions in an error."""

_WORD = re.compile(rf"%[^\n]*|{NAME}")


def linear_text(
    process: LinearProcess,
    heading: Sequence[str] = (),
    declared: Declared | None = None,
) -> str:
    """Return a linear process as the text of an mCRL2 specification.

    The lines of the `heading` come first, as comments. `declared` has sorts, functions and rules of
    the specification that are not in its text.

    Raises `Unsupported` if some term of it has no notation in mCRL2.
    """
    process.expect_written_out()
    source = process.specification.source
    text = _Printer(process, declared).text()
    text = "".join(f"% {line}\n" for line in heading) + text
    try:
        again = read_text(text, file=source.file)
    except LtsError as error:
        message = f"a term of the linear process has no notation in mCRL2: {error.message}"
        raise Unsupported(message, file=source.file) from error
    if isinstance(source, LinearSource):
        names = _overloaded(tree_of(source))
        before, after = (_uses(of, names) for of in (process.specification, again))
        if before != after:
            changed = {name for used in (before - after) | (after - before) for name, *_ in used}
            shown = ", ".join(f"`{name}`" for name in sorted(changed)[:MOST_NAMED])
            message = (
                "in a text, some equation would apply another function of the same name: "
                f"several are called {shown}"
            )
            raise Unsupported(message, file=source.file)
    return text


def _overloaded(tree: syntax.Specification) -> frozenset[str]:
    """Return the names that several functions of a specification have."""
    names = Counter(str(function.name) for function in tree.functions)
    for declaration in tree.sorts:
        if isinstance(declaration.sort, StructuredSort):
            names.update(str(made.name) for made in declaration.sort.constructors)
    return frozenset(name for name, count in names.items() if count > 1)


Use = tuple[str, tuple[str, ...], str]
"""A function that an equation applies: its name, and the sorts of its arguments and values."""


def _uses(specification: Specification, names: frozenset[str]) -> Counter[frozenset[Use]]:
    """Return the functions of these names that equations apply, a set for each equation.

    Bodies of quantifiers have rules of their own, which processes add, too: they are left out.
    """
    used = (
        frozenset(
            (part.function.name, part.function.arguments, part.function.sort)
            for term in (rule.left, rule.right, rule.condition)
            if term is not None
            for part in subterms(term)
            if isinstance(part, Application) and part.function.name in names
        )
        for rule in specification.rules
        if _NAME.fullmatch(rule.left.function.name)
    )
    return Counter(filter(None, used))


class _Printer:
    def __init__(self, process: LinearProcess, declared: Declared | None = None) -> None:
        self.process, self.declared = process, declared
        specification = process.specification
        self.given = _declarations(process).rstrip()
        taken = {word[0] for word in _WORD.finditer(self.given)}
        taken |= {*process.sorts, *WORDS, *(f.name for f in process.functions)}
        taken |= {p.variable.name for p in process.parameters}
        self.names = Names(taken)
        self.name = self.names.new("X")
        self.binders = {
            rule.left.function: rule
            for rule in specification.rules
            if rule.left.function.name.startswith(("@exists ", "@set ", f"{WHERE} "))
            and all(isinstance(argument, Variable) for argument in rule.left.arguments)
            and (rule.condition is not None or rule.left.function.name.startswith(WHERE))
        }
        """The rules of quantifiers, sets given by predicates, and `whr`."""
        self.variables: dict[Variable, Term] = {}
        """New variables for those whose names texts cannot have, or functions have, too."""
        self.overloaded = _overloaded(tree_of(specification.source))
        self.functions = {f.name for f in (*specification.functions, *process.functions)}
        self.unset = {
            placeholder.function: Function(self.names.new("unset"), (), sort)
            for sort, placeholder in process.unset.items()
        }

    def text(self) -> str:
        maps = [*self.maps(), *self.declarations()]
        process = [*self.process_lines()]
        used = {word[0] for line in (*maps, *process) for word in _WORD.finditer(line)}
        added = []
        for shape in self.process.shapes:
            if used.intersection((shape.sort, *map(str, shape.constants))):
                built = " | ".join(map(str, shape.constants))
                added.append(f"sort {shape.sort} = struct {built};")
            if shape.stack is not None:
                frames = [shape.stack.function, *shape.frames]
                listed = " | ".join(map(_constructor, frames))
                added.append(f"sort {shape.stack.sort} = struct {listed};")
        unset = [f for f in self.unset.values() if f.name in used]
        if unset:
            added.append("% Values that nothing depends on.")
        # As `glob`, mcrl22lps does not find them in assignments to parameters.
        added += (f"map {f.name}: {f.sort};" for f in unset)
        parts = [[self.given], [*added, *maps], process]
        return "\n\n".join("\n".join(part) for part in parts if part) + "\n"

    def process_lines(self) -> Iterator[str]:
        """Yield the lines of the process and of its initial call."""
        process = self.process
        for number, component in enumerate(process.components):
            held = [process.parameters[p] for p in component.parameters]
            names = ", ".join(
                self.term(p.variable) + ("" if p.origin is None else f" = {p.origin}") for p in held
            )
            yield f"% component {number}, {component.name}: {names or 'no parameters'}"
        yield from (f"% {remark}" for remark in process.parameter_remarks)
        typed = self.typed(p.variable for p in process.parameters)
        yield f"proc {self.name}{f'({typed})' if typed else ''} ="
        for number, summand in enumerate(process.summands):
            if where := self.where(summand):
                yield f"    % {where}"
            yield f"    {'+ ' if number else '  '}{self.summand(summand)}"
        if not process.summands:
            yield "      delta"
        initial = ", ".join(map(self.term, process.initial))
        yield from (
            "    ;",
            "",
            f"init {self.name}({initial});" if initial else f"init {self.name};",
        )

    def where(self, summand: Summand) -> str:
        """Return in words where a summand comes from."""
        source = self.process.specification.source
        if isinstance(source, LinearSource):
            return ", ".join(source.items[line - 1] for line, _ in summand.places)
        return self.process.where(summand)

    def maps(self) -> Iterator[str]:
        """Yield declarations of the maps that linearisation added, with their equations."""
        built = {f for shape in self.process.shapes for f in shape.frames}
        added = [f for f in self.process.own_functions() if f.arguments and f not in built]
        if added:
            yield from self.functions_lines(added)
            yield from self.equations(self.process.rules)

    def declarations(self) -> Iterator[str]:
        """Yield the declarations that are not in the text."""
        if self.declared is None:
            return
        yield from (f"sort {sort};" for sort in self.declared.sorts)
        yield from self.functions_lines(self.declared.functions)
        yield from self.equations(self.declared.rules)
        known = {
            str(declared.name) for declared in tree_of(self.process.specification.source).actions
        }
        for action in self.process.specification.actions:
            if action.name not in known:
                yield f"act {action.name}: {' # '.join(action.sorts)};"

    def functions_lines(self, functions: Iterable[Function]) -> Iterator[str]:
        """Yield declarations of functions."""
        for function in functions:
            arguments = " # ".join(function.arguments)
            sort = f"{arguments} -> {function.sort}" if arguments else function.sort
            yield f"{'cons' if function.constructor else 'map'} {function.name}: {sort};"

    def equations(self, rules: Iterable[Rule]) -> Iterator[str]:
        """Yield equations."""
        for rule in rules:
            variables = dict.fromkeys(v for v in _variables(rule.left))
            if variables:
                yield f"var {self.typed(variables)};"
            yield f"eqn {self.term(rule.left)} = {self.term(rule.right)};"

    def summand(self, summand: Summand) -> str:
        """Return a summand; parameters that are not named keep their values."""
        actions = [
            name + (f"({', '.join(map(self.term, arguments))})" if arguments else "")
            for name, arguments in split(summand.action, summand.arguments)
        ]
        updates = ", ".join(
            f"{self.term(self.process.parameters[number].variable)} = {self.term(term)}"
            for number, term in summand.updates
        )
        text = f"{'|'.join(actions) or 'tau'} .\n        {self.name}({updates})"
        conditions = [
            f"({self.term(left)}) == ({self.term(right)})" for left, right in summand.equations
        ]
        conditions += (
            f"{'' if guard.positive else '!'}({self.term(guard.term)})" for guard in summand.guards
        )
        if conditions:
            is_bracketed = (
                not summand.equations and len(conditions) == 1 and conditions[0][0] == "("
            )
            whole = conditions[0] if is_bracketed else f"({' && '.join(conditions)})"
            text = f"{whole} ->\n        {text}"
        if summand.variables:
            text = f"sum {self.typed(summand.variables)}.\n        {text}"
        return text

    def typed(self, variables: Iterable[Variable]) -> str:
        """Return declarations of variables."""
        return ", ".join(f"{self.term(v)}: {v.sort}" for v in variables)

    def term(self, term: Term) -> str:
        """Return the text of a term."""
        named = self.named(term)
        for part in subterms(named):
            if isinstance(part, Application) and _is_internal(part.function):
                raise Unsupported(
                    f"`{part}` of the linear process has no notation in mCRL2",
                    file=self.process.specification.source.file,
                )
        return str(named)

    def named(self, term: Term) -> Term:
        """Return a term with names and notations that texts can have."""
        for variable in _variables(term):
            is_free = _NAME.fullmatch(variable.name) and variable.name not in self.functions
            if variable not in self.variables and not is_free:
                name = self.names.new(re.sub(r"\W+", "_", variable.name.partition("@")[0]))
                self.variables[variable] = Variable(name, variable.sort)
        found = substitute(term, self.variables)
        return found if isinstance(found, Variable) else renamed(found, self.image)

    def image(self, term: Application) -> Application | None:
        """Return a term with a notation that texts can have for a placeholder, a table, and terms
        that bind variables; else None."""
        function, arguments = term.function, term.arguments
        if function in self.unset:
            return Application(self.unset[function])
        if function.name == TABLE:
            return self.table(term)
        if function.name in self.overloaded and arguments:
            around = (f"{function.name}(", *(", ",) * (len(arguments) - 1), ")")
            return _written(function.sort, around, tuple(map(_exactly, self.all(arguments))))
        if function.name == "@keep":
            return _written(function.sort, ("(if(", ", {", "}, {})+", ")"), self.all(arguments))
        if function.name == "@redfracwhr":  # of a binary file: n / p with an integer part
            p, integer, n = self.all(arguments)
            return _written(function.sort, ("(", " + ", " / ", ")"), (integer, n, p))
        if (rule := self.binders.get(function)) is not None:
            given = dict(zip(_variables(rule.left), arguments, strict=True))
            if rule.condition is None:
                return self.bound("", (), rule.right, given)
            found = dict.fromkeys(_variables(rule.condition))
            free = tuple(variable for variable in found if variable not in given)
            word = "exists" if function.sort == "Bool" else ""
            return self.bound(word, free, rule.condition, given)
        closure = self.process.specification.closures.get(function)
        # The value of a function of the text is written with its name.
        if closure is None or not function.name.rpartition(" ")[2].isdecimal():
            return None
        captured, variables, body = closure
        given = dict(zip(captured, arguments, strict=True))
        return self.bound("lambda" if is_function(function.sort) else "", variables, body, given)

    def bound(
        self,
        word: str,
        variables: Sequence[Variable],
        body: Term,
        given: Mapping[Variable, Term],
    ) -> Application:
        """Return a term that binds variables, a set if there is no word; `given` are values of
        other variables in its body."""
        inner = substitute(body, given)
        if is_larger(inner, _MOST_WRITTEN):
            raise Unsupported(
                "a term of the linear process is too large to be written without sharing",
                file=self.process.specification.source.file,
            )
        named = self.named(inner)
        typed = self.typed(variables)
        around = (f"({word} {typed}. ", ")") if word else (f"{{{typed} | ", "}")
        return _written(body.sort, around if variables else ("(", ")"), (named,))

    def table(self, term: Application) -> Application:
        """Return a table of results as a function that compares its arguments."""
        sort = term.function.sort
        keys = self.process.specification.tables[sort]
        variables = [Variable(self.names.new("x"), value.sort) for value in keys[0]]
        around = [f"(lambda {self.typed(variables)}. "]
        for key in keys[:-1]:
            tests = [f"{v} == {self.term(value)}" for v, value in zip(variables, key, strict=True)]
            around[-1] += f"if({' && '.join(tests)}, "
            around.append(", ")
        around.append(")" * len(keys))
        return _written(sort, around, self.all(term.arguments))

    def all(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        """Return terms with names and notations that texts can have."""
        return tuple(map(self.named, terms))


_MOST_WRITTEN = 10_000
"""Most subterms, counted with repetitions, of a term in which values were put for variables."""


def _written(sort: str, around: Sequence[str], arguments: tuple[Term, ...]) -> Application:
    """Return a term of a function that is only written."""
    sorts = tuple(argument.sort for argument in arguments)
    return Application(Function("", sorts, sort, notation=Notation(tuple(around))), arguments)


_EXACTLY = {
    "Nat": ("Int2Nat(Nat2Int(", "))"),
    "Int": ("Real2Int(Int2Real(", "))"),
    "Real": ("(", " / 1)"),
}
"""Notations for a number of exactly this sort, where its term alone could have a smaller sort."""


def _exactly(term: Term) -> Term:
    """Return an argument of an overloaded function, which tells by its sort which one is meant."""
    if isinstance(term, Variable) or term.sort not in _EXACTLY:
        return term
    return _written(term.sort, _EXACTLY[term.sort], (term,))


def _is_internal(function: Function) -> bool:
    """Whether a function is written with no name, or with one that means another in a text."""
    if "@" not in function.name or function.name == "@succ":
        return False
    shown = function.notation
    return shown is None or shown.around[0] == f"{function.name[1:]}("


def _constructor(function: Function) -> str:
    return (
        f"{function.name}({', '.join(function.arguments)})"
        if function.arguments
        else (function.name)
    )


def _variables(term: Term) -> Iterator[Variable]:
    return (part for part in subterms(term) if isinstance(part, Variable))


def _declarations(process: LinearProcess) -> str:
    """Return the sections of the text on data and actions, with the values of its parameters; those
    of a binary file are written."""
    specification = process.specification
    if isinstance(specification.source, LinearSource):
        tree = tree_of(specification.source)
        set_constants(tree, specification.parameters)
        return declarations(tree)
    text = specification.source.text
    changed = [
        (place, name, value)
        for name, (place, own) in definitions(tree_of(specification.source)).items()
        if (value := specification.parameters.get(name, own)) != own
    ]
    for place, name, value in sorted(changed, reverse=True):
        line, column = place
        start = sum(len(row) + 1 for row in text.split("\n")[: line - 1]) + column - 1
        equation = re.compile(rf"{name}({_BLANK}={_BLANK})-?{_BLANK}\d+").match(text, start)
        assert equation is not None, "a constant is defined by a number"
        text = f"{text[:start]}{name}{equation[1]}{value}{text[equation.end() :]}"
    found = [(m.start(), m[0]) for m in _WORD.finditer(text) if m[0] in SECTIONS]
    starts = [start for start, _ in found]
    parts: Iterable[str] = (
        text[start:end]
        for (start, word), end in zip(found, [*starts[1:], len(text)], strict=True)
        if word not in _OWN
    )
    return text[: starts[0]] + "".join(parts)
