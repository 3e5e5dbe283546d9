"""Data of a specification: its sorts, its functions, and what its rules make of terms."""

from __future__ import annotations

from collections.abc import Sequence

from lts.errors import LtsError
from lts.linear.process import LinearProcess
from lts.logic.data import MOST_VALUES, Data, Values, is_number
from lts.logic.nodes import Actions, Call, DataTerm, Formula, Quantifier
from lts.specification.signature import Signature
from lts.specification.specification import Application, Function
from lts.specification.terms import numeral
from lts.state_space.encode import Encoder
from lts.symmetry.data.closed_terms import closed_term
from lts.text.spelling import near

__all__ = ["SpecificationData", "is_built"]

_COMPARED = ("<", "<=", ">", ">=")
_COMPUTED = ("+", "-", "*", "div", "mod", "negative")
_JOINED = ("!", "&&", "||", "=>")


class SpecificationData(Data):
    """What terms of a formula mean where they are terms of a specification.

    `==` is equality of values, also where the specification has no such function; numbers are
    compared and computed as such. Numbers have one sort, as in muCRL; mCRL2 takes `TypedData`.
    """

    def __init__(self, formula: Formula, process: LinearProcess, encoder: Encoder) -> None:
        super().__init__(formula)
        self.process = process
        self.specification = process.specification
        self.encoder = encoder
        self.own = self.specification
        """Where the functions and sorts of terms are declared."""
        self.symbols: Signature = encoder
        """The numbers of these functions in the engine."""
        self.engine = encoder.data()
        self.functions: dict[DataTerm, Function] = {}
        """The function of every call."""
        self.only_built = False
        """Whether results of functions have to be built from constructors."""
        self._values: dict[tuple[Function, tuple[str, ...]], str] = {}
        self._values_of: dict[str, tuple[str, ...] | None] = {}
        self._unlisted: set[str] = set()
        """Sorts that have more values than are listed, or take too long to list."""
        self._terms: dict[tuple[str, str], Application] = {}
        self._truth = {self.specification.truth[0]: True, self.specification.truth[1]: False}
        self._check()

    # Sorts, which are found once.

    def sort_of_slot(self, slot: int) -> str:
        """Return the sort of a variable: a number between bounds is natural."""
        of = self.formula.slots[slot]
        if of.bounds is not None:
            return self._number_sort(of.at)
        known = set(self.specification.sorts)
        if of.sort is None:
            self.wrong(of.at, f"`{of.name}` needs a sort, as in `{of.name}:D`")
        if of.sort not in known:
            self.wrong(of.at, f"there is no sort `{of.sort}`{near(of.sort, known)}")
        return of.sort

    def _number_sort(self, at: int) -> str:
        if "Nat" not in self.specification.numbers:
            self.wrong(at, "the specification has no numbers")
        return "Nat"

    def function(self, term: DataTerm) -> Function:
        """Return the function of a call."""
        return self.functions[term]

    def _check(self) -> None:
        for number, slot in enumerate(self.formula.slots):
            self.sort_of_slot(number)
            for bound in slot.bounds or ():
                self._numeric(bound)
        waiting: list[object] = []
        for _, what, _ in self.formula.nodes:
            match what:
                case Call(_, slots, values):
                    for parameter, value in zip(slots, values, strict=True):
                        self._expect(value, self.sort_of_slot(parameter))
                case DataTerm():
                    self._expect(what, "Bool")
                case Actions(_, tree):
                    waiting.append(tree)
        while waiting:
            match waiting.pop():
                case ("pattern", str() as name, tuple() as terms):
                    self._action(name, terms)
                case ("val", DataTerm() as term):
                    self._expect(term, "Bool")
                case tuple() as parts:
                    waiting += (part for part in parts if not isinstance(part, str | Quantifier))

    def _action(self, name: str, terms: tuple[DataTerm, ...]) -> None:
        sorts = tuple(self.sort(term) for term in terms)
        takes = sorted(a.sorts for a in self.specification.actions if a.name == name)
        if takes and not any(_fit(sorts, wanted) for wanted in takes):
            at = terms[0].at if terms else 0
            shown = " or ".join(
                f"({','.join(wanted)})" if wanted else "nothing" for wanted in takes
            )
            self.wrong(at, f"`{name}` takes {shown}, not ({','.join(sorts)})")

    def _expect(self, term: DataTerm, wanted: str) -> None:
        found = self.sort(term)
        if found != wanted:
            self.wrong(term.at, f"a term of sort `{wanted}` is expected, this has sort `{found}`")

    def _numeric(self, term: DataTerm) -> None:
        self._expect(term, self._number_sort(term.at))

    def sort(self, term: DataTerm) -> str:
        """Return the sort of a term, whose functions are resolved; raises where there are none."""
        parts = term.parts
        match term.operator:
            case "slot":
                assert isinstance(term.what, int)
                return self.sort_of_slot(term.what)
            case "value" | "any":
                return term.sort
            case "call" | "number":
                return self._resolve(term, tuple(self.sort(part) for part in parts))
            case "==" | "!=":
                one, other = (self.sort(part) for part in parts)
                if one != other:
                    message = f"`{term.operator}` compares `{one}` and `{other}`"
                    self.wrong(term.at, message)
            case operator if operator in _JOINED:
                for part in parts:
                    self._expect(part, "Bool")
            case operator:
                for part in parts:
                    self._numeric(part)
                if operator in _COMPUTED:
                    return "Nat"
                assert operator in _COMPARED
        return "Bool"

    def _resolve(self, term: DataTerm, sorts: tuple[str, ...]) -> str:
        name = str(term.what)
        called = [f for f in self.specification.functions if f.name == name]
        found = [f for f in called if f.arguments == sorts]
        if found:
            self.functions[term] = found[0]
            return found[0].sort
        if not sorts and (name in self.specification.parameters or term.operator == "number"):
            return self._number_sort(term.at)
        if not sorts and self._truth_word(name) is not None:
            return "Bool"
        shown = f"{name}({','.join(sorts)})" if sorts else name
        hint = near(name, {f.name for f in self.specification.functions})
        self.wrong(term.at, f"the specification declares no function `{shown}`{hint}")

    def _truth_word(self, name: str) -> bool | None:
        return {"true": True, "false": False}.get(name)

    # Values.

    def range(self, slot: int, values: Values) -> Sequence[str]:
        """Return the values of a sort that has an end, or the numbers between bounds."""
        of = self.formula.slots[slot]
        if of.bounds is not None:
            return self.numbers(of, values)
        assert of.sort is not None
        found = self.values_of(of.sort)
        if found is None:
            if of.sort in self._unlisted:
                self.too_many(of)
            hint = f": say `{of.name}:0..9`" if of.sort in self.specification.numbers else ""
            message = f"nothing bounds `{of.name}`, and `{of.sort}` has infinitely many values"
            self.wrong(of.at, f"{message}, or none{hint}")
        return found

    def is_endless(self, slot: int) -> bool:
        """Whether the sort of a variable has values without end."""
        of = self.formula.slots[slot]
        return of.bounds is None and of.sort is not None and self.values_of(of.sort) is None

    def fits(self, slot: int, text: str) -> bool:
        """Whether what stands in a label is a value of the sort of a variable."""
        sort = self.sort_of_slot(slot)
        if (kind := self.own.numbers.get(sort)) is None:
            return True
        return is_number(text) and int(text) >= {"Nat": 0, "Pos": 1}.get(kind.kind, int(text))

    def counts(self, slot: int) -> bool:
        """Whether the values of a variable are numbers, without a gap."""
        return self.sort_of_slot(slot) in self.own.numbers

    def least(self, slot: int) -> int | None:
        """Return the least number that a variable may be, if there is one."""
        kind = self.own.numbers.get(self.sort_of_slot(slot))
        return None if kind is None else {"Nat": 0, "Pos": 1}.get(kind.kind)

    def values_of(self, sort: str) -> tuple[str, ...] | None:
        """Return the values of a sort; None if there is no end to them, or none in sight."""
        if sort not in self._values_of:
            self._values_of[sort] = self._listed(sort)
        found = self._values_of[sort]
        if self.only_built or self.specification.strict:
            for text in found or ():
                self._check_built(text, sort, 0)
        return found

    def normal(self, text: str, sort: str) -> str:
        """Return the value of a closed term of a sort, from its text."""
        return self._evaluated(self.term(text, sort, 0), 0)[0]

    def applied(self, function: Function, arguments: tuple[str, ...]) -> str:
        """Return the value of a function of values."""
        return self._normal(function, arguments, 0)

    def _listed(self, sort: str) -> tuple[str, ...] | None:
        """Return the values that the engine lists; None if these are not all, or there are none."""
        from lts.state_space.generation import evaluation_errors

        number = self.symbols.sorts[sort]
        if self.engine.is_infinite(number):
            return None
        with evaluation_errors(self.process):
            found = self.engine.values(number, MOST_VALUES)
        if found is None:
            return None
        texts, complete = found
        if not complete:
            self._unlisted.add(sort)
            return None
        return tuple([text.decode("utf-8", "surrogateescape") for text in texts])

    def call(self, term: DataTerm, arguments: Sequence[str]) -> str:
        """Return the normal form of a function of values."""
        function = self.functions.get(term)
        if function is None:
            name = str(term.what)
            if name in self.specification.parameters:
                return str(self.specification.parameters[name])
            holds = self._truth_word(name)
            return str(int(name)) if holds is None else self.truth(holds)
        return self._normal(function, tuple(arguments), term.at)

    def number(self, term: DataTerm) -> str:
        """Return the value of a numeral, which may be a constant."""
        return self.call(term, ())

    def _normal(self, function: Function, arguments: tuple[str, ...], at: int) -> str:
        known = self._values.get((function, arguments))
        if known is None:
            sorts = function.arguments
            terms = (self.term(text, sort, at) for text, sort in zip(arguments, sorts, strict=True))
            application = Application(function, tuple(terms))
            shown, is_value = self._evaluated(application, at)
            if not is_value:
                self.wrong(at, f"`{application}` does not reduce to a value, but to `{shown}`")
            if self.only_built:
                self._check_built(shown, function.sort, at)
            self._values[function, arguments] = known = shown
        return known

    def _check_built(self, text: str, sort: str, at: int) -> None:
        if not is_built(self.term(text, sort, at)):
            where = "not on orbits" if self.only_built else "which --strict refuses"
            self.wrong(at, f"`{text}` is no value that constructors make: {where}")

    def _evaluated(self, term: Application, at: int) -> tuple[str, bool]:
        return self._normal_form(self.symbols.term(term), at)

    def _normal_form(self, code: list[int], at: int) -> tuple[str, bool]:
        from lts.state_space.generation import evaluation_errors

        try:
            with evaluation_errors(self.process):
                shown, is_value = self.engine.normal_form(code)
        except LtsError as error:
            raise self.error(at, error.message) from error
        return shown.decode("utf-8", "surrogateescape"), is_value

    def term(self, text: str, sort: str, at: int) -> Application:
        """Return the term of a value."""
        known = self._terms.get((text, sort))
        if known is None:
            found = None
            if sort in self.specification.numbers:
                found = numeral(text, sort)
            found = closed_term(self.process, text, sort) if found is None else found
            if found is None or found.sort != sort:
                self.wrong(at, f"values such as `{text}` cannot stand in terms of a formula")
            self._terms[text, sort] = known = found
        return known

    def argument(self, slot: int, value: str, term: DataTerm) -> str:
        """Return a value of a parameter; a number has to be one of its sort."""
        kind = self.specification.numbers.get(self.sort_of_slot(slot))
        least = {"Nat": 0, "Pos": 1}.get(kind.kind) if kind is not None else None
        if least is not None and int(value) < least:
            name = self.formula.slots[slot].name
            self.wrong(term.at, f"`{name}` gets {value}, which is no `{self.sort_of_slot(slot)}`")
        return value

    def code(self, value: str, slot: int) -> list[int]:
        """Return a value of a variable as a term of the engine."""
        of = self.formula.slots[slot]
        return self.encoder.term(self.term(value, self.sort_of_slot(slot), of.at))

    def truth(self, holds: bool) -> str:
        """Return a Boolean constant."""
        return self.specification.truth[not holds]

    def is_true(self, text: str) -> bool | None:
        """Return which Boolean constant a text is."""
        return self._truth.get(text)


def _fit(sorts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether arguments have the sorts that an action takes, where "" is any sort."""
    return len(sorts) == len(wanted) and all(
        one in ("", other) for one, other in zip(sorts, wanted, strict=True)
    )


def is_built(term: Application) -> bool:
    """Whether a closed term is built from constructors, numbers and constants."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if part.arguments and not part.function.constructor:
            return False
        waiting += (each for each in part.arguments if isinstance(each, Application))
    return True
