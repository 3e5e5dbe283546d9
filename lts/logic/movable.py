"""Formulas on which a group acts: data are replaced by variables.

Each datum named in a formula becomes a variable with that value, and permutations act on values.
The remaining formula must treat all data alike, which is checked syntactically: equality does, and
so do numbers and comparisons on data that no permutation moves; other functions are tested on all
values and their images. A formula is refused if it is not known to treat data alike. Then the parts
of the image of an instance are the images of its parts, and a set of labels contains a label if and
only if the image of the set contains the image of the label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import NoReturn

from lts.errors import LtsError
from lts.logic.data import ReadLabel, Value
from lts.logic.nodes import Actions, Call, DataTerm, Formula, Node, Quantifier, Slot, slots_of
from lts.logic.specification_data import SpecificationData
from lts.specification.specification import Function
from lts.symmetry.data.lift import Lifted
from lts.symmetry.permutation.known import undecided

__all__ = ["movable"]

MOST_CASES = 10_000
"""Most argument tuples for which a function is tested."""


def movable(
    formula: Formula, data: SpecificationData, lifted: Sequence[Lifted]
) -> tuple[Formula, dict[int, Value]]:
    """Return a formula in which moved data are variables, and the initial values of these.

    Raises `NotProven` if the formula may distinguish data that a permutation maps to each other.
    """
    return _Moving(formula, data, lifted).whole()


class _Moving:
    def __init__(self, formula: Formula, data: SpecificationData, lifted: Sequence[Lifted]) -> None:
        self.formula = formula
        self.data = data
        self.lifted = lifted
        self.slots = list(formula.slots)
        self.values: dict[int, Value] = {}
        self.numbers: dict[tuple[str, str], int] = {}
        self._moves: dict[str, int | None] = {}
        # Functions proven to treat all data alike, and the values of the sorts for which they were
        # tested.
        self._alike: set[Function] = set()
        self._ranges: dict[str, set[str]] = {}

    def whole(self) -> tuple[Formula, dict[int, Value]]:
        if (moving := self.moves("Bool")) is not None:
            self.refuse("the truth values are moved", moving)
        for number in range(len(self.formula.slots)):
            self.check_range(number)
        nodes: list[Node] = []
        for operator, what, parts in self.formula.nodes:
            match what:
                case DataTerm():
                    what = self.term(what)
                case Call(binder, slots, values):
                    sorts = [self.data.sort_of_slot(slot) for slot in slots]
                    what = Call(binder, slots, tuple(map(self.term_of, values, sorts)))
                case Actions(text, tree):
                    what = Actions(text, self.tree(tree))
                case Quantifier(slot):
                    what = Quantifier(slot)  # permutations do not act on its `term`
            nodes.append((operator, what, parts))
        for place, value in self.values.items():
            known = self._ranges.get(sort := self.slots[place].sort or "")
            text = self.data.shown(value)
            if known is not None and text not in known:
                self.refuse(f"`{text}` is not a constructor term of `{sort}`")
        own = tuple(
            replace(slot, bounds=None if slot.bounds is None else self.bounds(slot))
            for slot in self.slots
        )
        return replace(self.formula, nodes=tuple(nodes), slots=own), self.values

    def refuse(self, why: str, which: int = 0) -> NoReturn:
        """Raise the error that a permutation is not known to preserve the formula."""
        permutation = self.lifted[which].permutation
        raise undecided(permutation, missing=why, which=which, of="what the formula says")

    def moves(self, sort: str) -> int | None:
        """Return the number of a permutation that moves values of a sort, or None."""
        if sort not in self._moves:
            moving = (which for which, one in enumerate(self.lifted) if one.moves_in(sort))
            self._moves[sort] = next(moving, None)
        return self._moves[sort]

    # Variables.

    def check_range(self, number: int) -> None:
        """Check that the range of a variable is invariant."""
        slot, sort = self.formula.slots[number], self.data.sort_of_slot(number)
        moving = self.moves(sort)
        if moving is None or not self.is_quantified(number):
            return
        if self.data.is_endless(number):
            return  # labels bind the variable, and permutations act on them
        if slot.bounds is not None and any(map(slots_of, slot.bounds)):
            self.refuse(f"`{slot.name}` has bounds that depend on data", moving)
        self.range(sort, moving)
        values = set(map(self.data.shown, self.data.range(number, {})))
        for which, one in enumerate(self.lifted):
            for value in values:
                if (image := one.image(value, sort)) not in values:
                    why = f"`{slot.name}` may be `{value}`, but not its image `{image}`"
                    self.refuse(why, which)

    def range(self, sort: str, which: int) -> Sequence[str] | None:
        """Return the values of a sort; refuse arrays, on which permutations act differently."""
        if any(one.has_arrays(sort) for one in self.lifted):
            self.refuse(f"values of `{sort}` contain arrays", which)
        found = self.data.values_of(sort)
        return None if found is None else [*map(self.data.shown, found)]

    def is_quantified(self, number: int) -> bool:
        """Whether a variable is bound by a quantifier, not as a parameter."""
        calls = (what for _, what, _ in self.formula.nodes if isinstance(what, Call))
        return all(number not in call.slots for call in calls)

    def bounds(self, slot: Slot) -> tuple[DataTerm, DataTerm]:
        """Return the bounds of a range as numbers, which permutations do not move."""
        assert slot.bounds is not None
        first, last = (
            self.constant(bound) if not slots_of(bound) else self.term(bound)
            for bound in slot.bounds
        )
        return first, last

    def constant(self, term: DataTerm) -> DataTerm:
        """Return the value of a closed term."""
        return DataTerm("value", (), self.value(term), term.at, self.data.sort(term))

    def value(self, term: DataTerm) -> Value:
        return self.data.value(term, {})

    # Terms.

    def term(self, term: DataTerm) -> DataTerm:
        """Return a term in which moved data are variables."""
        if term.operator == "any":
            return term
        if not slots_of(term):
            found = self.constant(term)
            return found if self.moves(found.sort) is None else self.variable(found)
        if term.operator == "slot":
            return term
        wanted = [self.data.sort(part) for part in term.parts]
        if term.operator == "call":
            wanted = [*_function(term).arguments]
        elif term.operator in ("==", "!="):
            identities = self.data.specification.identities
            wanted = [next((s for s in wanted if s in identities), s) for s in wanted]
        parts = tuple(map(self.term_of, term.parts, wanted))
        if term.operator not in ("==", "!=", "&&", "||", "=>", "!"):
            for each in (term, *term.parts):
                sort = self.data.sort(each)
                if (which := self.moves(sort)) is None:
                    continue
                if term.operator != "call":
                    self.refuse(f"`{term.operator}` computes with permuted values", which)
                self.check_function(_function(term), which)
        return replace(term, parts=parts)

    def term_of(self, term: DataTerm, sort: str) -> DataTerm:
        """Return a term of a sort; the number of an identity is converted to the identity."""
        own = self.data.sort(term)
        if own == sort or term.operator == "any":
            return self.term(term)
        if slots_of(term) or sort not in self.data.specification.identities:
            self.refuse(
                f"`{own}` occurs where numbers have sort `{sort}`, whose values may be permuted"
            )
        return self.variable(DataTerm("value", (), self.value(term), term.at, sort))

    def check_function(self, function: Function, which: int) -> None:
        """Check that a function commutes with the permutations, for all values."""
        if function in self._alike:
            return
        ranges = [self.range(sort, which) for sort in (*function.arguments, function.sort)]
        if any(values is None for values in ranges):
            why = (
                f"it is unknown whether `{function.name}` treats all of infinitely many "
                "values alike"
            )
            self.refuse(why, which)
        *domains, results = (values for values in ranges if values is not None)
        if prod(map(len, domains)) > MOST_CASES:
            self.refuse(f"`{function.name}` has more than {MOST_CASES} cases", which)
        for arguments in product(*domains):
            value = self.applied(function, arguments, which)
            assert value in results
            for number, one in enumerate(self.lifted):
                images = tuple(map(one.image, arguments, function.arguments))
                moved = self.applied(function, images, number)
                if moved != one.image(value, function.sort):
                    shown = f"{function.name}({','.join(arguments)})"
                    self.refuse(f"`{shown}` is `{value}`, and the image of that is not what "
                                "the function is of the images", number)  # fmt: skip
        for sort, values in zip((*function.arguments, function.sort), ranges, strict=True):
            self._ranges.setdefault(sort, set(values or ()))
        self._alike.add(function)

    def applied(self, function: Function, arguments: tuple[str, ...], which: int) -> str:
        """Return the value of a function on values."""
        try:
            return self.data.applied(function, arguments)
        except LtsError as error:
            self.refuse(error.message, which)

    def variable(self, constant: DataTerm) -> DataTerm:
        """Return the variable that stands for a value."""
        key = (self.data.shown(constant.what), constant.sort)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.slots)
            self.slots.append(Slot(key[0], key[1], None, constant.at))
            is_own = constant.sort in self.data.symbols.sorts
            self.values[number] = constant.what if is_own else key[0]
        return DataTerm("slot", (), number, constant.at, constant.sort)

    # Sets of labels.

    def tree(self, tree: tuple[object, ...]) -> tuple[object, ...]:
        """Return a set of labels in which moved data are variables."""
        match tree:
            case ("label", str() as text):
                return self.label(text)
            case ("pattern", str() as name, tuple() as terms):
                return self.pattern(name, terms)
            case ("val", DataTerm() as term):
                return "val", self.term(term)
            case (operator, *parts):
                moved = (self.tree(part) if isinstance(part, tuple) else part for part in parts)
                return operator, *moved
        raise AssertionError(tree)

    def pattern(self, name: str, terms: tuple[DataTerm, ...]) -> tuple[object, ...]:
        sorts = {
            action.sorts
            for action in self.data.specification.actions
            if action.name == name and len(action.sorts) == len(terms)
        }
        moving = [which for s in sorts for sort in s if (which := self.moves(sort)) is not None]
        if len(sorts) > 1 and moving:
            self.refuse(f"`{name}` is declared for data of several sorts", moving[0])
        if len(sorts) != 1:
            return "pattern", name, tuple(map(self.term, terms))
        return "pattern", name, tuple(map(self.term_of, terms, *sorts))

    def label(self, text: str) -> tuple[object, ...]:
        """Return the pattern for a single label, on whose arguments permutations act."""
        names = {action.name for action in self.data.specification.actions}
        if text in names:
            return "label", text
        read = ReadLabel.of(text)
        takes = [
            action.sorts
            for action in self.data.specification.actions
            if action.name == read.name and len(action.sorts) == len(read.arguments or ())
        ]
        if not read.arguments or len(takes) != 1:
            self.refuse(f"the image of the label `{text}` under a permutation is unknown")
        [sorts] = takes
        try:
            values = tuple(map(self.data.normal, read.arguments, sorts))
        except LtsError:
            self.refuse(f"the image of the label `{text}` under a permutation is unknown")
        if f"{read.name}({','.join(values)})" != text:
            return ("false",)  # no label has this text
        constants = zip(values, sorts, strict=True)
        return self.pattern(
            read.name, tuple(DataTerm("value", (), value, 0, sort) for value, sort in constants)
        )


def _function(term: DataTerm) -> Function:
    """Return the function of a call."""
    assert term.function is not None
    return term.function
