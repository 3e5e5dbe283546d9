"""The texts of labels, written as for textual specifications: `a(1,[true])|b`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from lts.base.bounds import BINARY_ARGUMENT, LABELS
from lts.errors import Unsupported
from lts.mcrl2.binary.forms import (
    Applied,
    Binding,
    Form,
    Forms,
    Given,
    Number,
    Valued,
    Variable,
    parts_of,
)
from lts.mcrl2.binary.sorts import sort_name
from lts.mcrl2.binary.stream import Stream
from lts.mcrl2.binary.tables import Tables
from lts.mcrl2.data.functions import changed
from lts.mcrl2.data.sort_names import function_sort
from lts.mcrl2.data.symbols import (
    RATIO,
    bag_constructors,
    function,
    list_constructors,
    numeral,
    set_constructors,
)
from lts.specification.generators import Recursion, run
from lts.specification.notation import Notation
from lts.specification.terms import Application, Function, Term, short_text
from lts.specification.terms import Variable as Named

__all__ = ["Labels"]

_LONGEST = 1_000
"""Most characters of an argument of a table."""

_ANY = "D"
"""Stands for any sort: the text of a label shows only the sorts of bound variables."""
_LISTS, _SETS, _BAGS = f"List({_ANY})", f"Set({_ANY})", f"Bag({_ANY})"
_FUNCTIONS = function_sort((_ANY,), _ANY)


class Labels:
    """Converts terms of a stream to labels; `structures` are its structured sorts, by name."""

    def __init__(self, stream: Stream, structures: Mapping[str, int]) -> None:
        self.stream = stream
        self.forms = Forms(stream)
        self.tables = Tables(stream, self.forms, structures)
        self._known: dict[int, tuple[Term, int]] = {}
        """The terms, and the subterms of each, counted as often as they occur."""
        self._updates: dict[int, tuple[Term, Term]] = {}
        """For functions that are updated: the function itself, and all updates, in order."""
        self._added: dict[int, tuple[Term, int]] = {}
        """For successors: what they are of, and how many."""
        self._shown: dict[int, str] = {}
        self._bytes = 0

    def text(self, actions: int, time: int) -> str:
        """Return the label of a multi-action; the empty one is `tau`."""
        stream = self.stream
        found = [self.action(action) for action in stream.list_of(actions, "actions")]
        if not self.forms.is_untimed(time):
            shown = "|".join(found) if found else "tau"
            stream.wrong(f"`{shown}` has a time, which is not supported", Unsupported)
        return "|".join(sorted(found)) if found else "tau"

    def _counted(self, text: str) -> str:
        """Return a part of a label; raise an error if all labels together become too long."""
        self._bytes += len(text)
        if self._bytes > LABELS.default:
            self.stream.wrong(f"the labels take {LABELS.exceeded()}", Unsupported)
        return text

    def action(self, number: int) -> str:
        """Return the text of an action with its arguments."""
        stream = self.stream
        action, given = stream.of(number, "Action", 2)
        name = self._counted(stream.word(stream.of(action, "ActId", 2)[0]))
        arguments = [self._argument(argument) for argument in stream.list_of(given, "arguments")]
        return f"{name}({','.join(arguments)})" if arguments else name

    def _argument(self, number: int) -> str:
        if number not in self._shown:
            term, _ = run(self._made(number))
            self._shown[number] = self._text(term, in_label=True)
        return self._counted(self._shown[number])

    def _text(self, term: Term, *, in_label: bool = False) -> str:
        text = short_text(term, BINARY_ARGUMENT.default, in_label=in_label)
        if text is None:
            self._too_large()
        return text

    def _too_large(self) -> NoReturn:
        message = f"an argument of a label of {BINARY_ARGUMENT.exceeded()} is not supported"
        self.stream.wrong(message, Unsupported)

    def _made(self, number: int) -> Recursion[tuple[Term, int]]:
        """Return the term for a term of the stream, and how many parts its text has."""
        if number not in self._known:
            form = self.forms.form(number)
            terms, size = [], 1
            for part in parts_of(form):
                term, parts = yield self._made(part)
                terms.append(term)
                size += parts
            if size > BINARY_ARGUMENT.default:
                self._too_large()
            table = self._table(number, form, terms)
            if table is not None:
                made = table
            elif (name := self.forms.name(number)) == "@func_update_stable":
                made = self._updated(number, parts_of(form)[0], terms)
            elif name in ("@succ_nat", "@succ_pos"):
                made = self._successor(number, parts_of(form)[0], terms[0])
            else:
                made = self._of_form(form, tuple(terms))
            self._known[number] = made, size
        return self._known[number]

    def _table(self, number: int, form: Form, terms: list[Term]) -> Term | None:
        """Return the table of a function with few arguments, None for anything else."""
        shown = {}
        match form:
            case Binding("lambda"):
                pass
            case Applied("@update", _, (_, argument, _)):
                shown[argument] = short_text(terms[1], _LONGEST) or ""
            case _:
                return None
        results = self.tables.results(number, form, shown)
        if results is None:
            return None
        values = [
            self._known[result][0] if isinstance(result, int) else _written((), result)
            for result in results.values()
        ]
        keys = [f"{',' if at else '{'}{key} -> " for at, key in enumerate(results)]
        return _written(tuple(values), *keys, "}")

    def _successor(self, number: int, before: int, term: Term) -> Term:
        """Return the successor of a number that has no value."""
        base, count = self._added.get(before, (term, 0))
        self._added[number] = base, count + 1
        return _written((base,), "(", f"+{count + 1})")

    def _updated(self, number: int, function: int, terms: list[Term]) -> Term:
        """Return an update of a function, which may be updated at larger arguments already."""
        before = self._updates.get(function)
        base, rest = (terms[0], _written(())) if before is None else before
        changes = _written((*terms[1:], rest), "[", " -> ", "]", "")
        self._updates[number] = base, changes
        return _written((base, changes), "", "", "")

    def _of_form(self, form: Form, terms: tuple[Term, ...]) -> Term:
        match form:
            case Number(value, sort):
                return numeral(value, sort)
            case Variable(name):
                return Named(name, _ANY)
            case Applied(name):
                return _applied(name, terms)
            case Valued():
                return _written(terms, "", "(", *("," for _ in terms[2:]), ")")
            case Binding(word, variables):
                shown = ",".join(f"{v.name}:{sort_name(self.stream, v.sort)}" for v in variables)
                body = self._counted(self._text(terms[0]))
                if word in ("set", "bag"):
                    return _written((), f"{{{shown} | {body}}}")
                return _written((), f"({word} {shown}. {body})")
            case Given(_, values):
                first, *names = [f"{name}=" for name, _ in values]
                return _written(terms, "(", f" whr {first}", *(f",{n}" for n in names), " end)")


def _applied(name: str, terms: tuple[Term, ...]) -> Term:
    match name, terms:
        case (("Pos2Nat" | "Nat2Int" | "Int2Real"), (number,)):
            return number
        case "@cReal", (_, _):
            return Application(RATIO, terms)
        case "|>", (_, _):
            return Application(list_constructors(_LISTS)[1], terms)
        case "@insert", (_, _):
            return Application(set_constructors(_SETS)[1], terms)
        case "@insert", (_, _, _):
            return Application(bag_constructors(_BAGS)[1], terms)
        case "@update", (_, _, _):
            return Application(changed(_FUNCTIONS), terms)
    return Application(function(name, (_ANY,) * len(terms), _ANY), terms)


def _written(terms: tuple[Term, ...], *around: str) -> Term:
    around = around or ("",)
    sorts = (_ANY,) * len(terms)
    return Application(Function("", sorts, _ANY, notation=Notation(around)), terms)
