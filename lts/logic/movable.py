"""Formulas on which a group acts: data are replaced by variables.

Each datum named in a formula becomes a variable with that value, and permutations act on values.
The remaining formula must commute with the permutations, which is checked syntactically. These
commute: equality, numbers and comparisons on data that no permutation moves, constructors, the
predefined functions of mCRL2 on lists, sets, bags and functions, and functions that equations
without moved data define by these; other functions are tested on all values and their images. A
formula is refused if it is not known to commute with them. Then the parts of the image of an
instance are the images of its parts, and a set of labels contains a label if and only if the image
of the set contains the image of the label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import NoReturn

import lts._engine as _engine
from lts.base.bounds import MOVED_CASES
from lts.errors import LtsError
from lts.logic.data import ReadLabel, Value
from lts.logic.nodes import (
    Actions,
    Argument,
    Call,
    DataVariable,
    Expression,
    Formula,
    Literal,
    Node,
    Quantifier,
    Slot,
    slots_of,
)
from lts.logic.specification_data import SpecificationData
from lts.specification.specification import Application, Function, Term
from lts.specification.terms import COMPUTED, NUMERAL, VALUE, applications, functions_in
from lts.symmetry.data.action import GroupAction
from lts.symmetry.permutation.known import undecided
from lts.text.source import NO_PLACE, Place

__all__ = ["movable"]

_EQUIVARIANT = frozenset(("==", "!=", "!", "&&", "||", "=>"))
"""Operators of all formulas that commute with every permutation of data."""


def movable(
    formula: Formula, data: SpecificationData, group_action: GroupAction
) -> tuple[Formula, dict[int, Value]]:
    """Return a formula in which moved data are variables, and the initial values of these.

    Raises `NotProven` if the formula may distinguish data that a permutation maps to each other.
    """
    return _Moving(formula, data, group_action).whole()


class _Moving:
    def __init__(
        self, formula: Formula, data: SpecificationData, group_action: GroupAction
    ) -> None:
        self.formula = formula
        self.data = data
        self.group_action = group_action
        self.lifted = group_action.lifted
        self.symmetry = group_action.on_labels()
        self._images: dict[tuple[Value, str], list[Value]] = {}
        self.slots = list(formula.slots)
        self.values: dict[int, Value] = {}
        self.numbers: dict[tuple[str, str], int] = {}
        self._moves: dict[str, int | None] = {}
        # Functions proven to treat all data alike, and the values of the sorts for which they were
        # tested.
        self._alike: set[Function] = set()
        self._ranges: dict[str, set[Value]] = {}

    def whole(self) -> tuple[Formula, dict[int, Value]]:
        if (moving := self.moves("Bool")) is not None:
            self.refuse("the truth values are moved", moving)
        for number in range(len(self.formula.slots)):
            self.check_range(number)
        nodes: list[Node] = []
        for operator, what, parts in self.formula.nodes:
            match what:
                case Expression(term, at):
                    what = Expression(self.term(term, at), at)
                case Call(binder, slots, values):
                    sorts = [self.data.sort_of_slot(slot) for slot in slots]
                    what = Call(binder, slots, tuple(map(self.of_sort, values, sorts)))
                case Actions(text, tree):
                    what = Actions(text, self.tree(tree))
                case Quantifier(slot):
                    what = Quantifier(slot)  # permutations do not act on its `term`
            nodes.append((operator, what, parts))
        for place, value in self.values.items():
            known = self._ranges.get(sort := self.slots[place].sort or "")
            if known is not None and value not in known:
                self.refuse(f"`{self.data.shown(value)}` is not a constructor term of `{sort}`")
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
            moving = (which for which, lifted in enumerate(self.lifted) if lifted.moves_in(sort))
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
        values = dict.fromkeys(self.data.range(number, {}))
        self.learn([*values], sort)
        for value in values:
            for which, image in enumerate(self.images(value, sort)):
                if image not in values:
                    shown, moved = map(self.data.shown, (value, image))
                    why = f"`{slot.name}` may be `{shown}`, but not its image `{moved}`"
                    self.refuse(why, which)

    # Images of values.

    def images(self, value: Value, sort: str) -> list[Value]:
        """Return the image of a value under each permutation."""
        if (value, sort) not in self._images:
            self.learn([value], sort)
        return self._images[value, sort]

    def learn(self, values: Sequence[Value], sort: str) -> None:
        """Compute the images of values of a sort."""
        own = self.data.shared
        if own is None:
            is_own = sort in self.data.symbols.sorts
            for value in values:
                texts = (lifted.image(self.data.shown(value), sort) for lifted in self.lifted)
                self._images[value, sort] = [
                    self.data.of_text(text, sort) if is_own else text for text in texts
                ]
            return
        terms = [value for value in values if not isinstance(value, str)]
        found = _engine.value_images(self.group_action.engine, self.symmetry, own, terms)
        if found is None or len(terms) < len(values):
            self.refuse(f"the images of values of `{sort}` are unknown")
        for value, *images in zip(terms, *found, strict=True):
            self._images[value, sort] = images

    def is_quantified(self, number: int) -> bool:
        """Whether a variable is bound by a quantifier, not as a parameter."""
        calls = (what for _, what, _ in self.formula.nodes if isinstance(what, Call))
        return all(number not in call.slots for call in calls)

    def bounds(self, slot: Slot) -> tuple[Expression, Expression]:
        """Return the bounds of a range as numbers, which permutations do not move."""
        assert slot.bounds is not None

        def moved(bound: Expression) -> Expression:
            of = self.term if slots_of(bound) else self.constant
            return Expression(of(bound.term, bound.at), bound.at)

        first, last = map(moved, slot.bounds)
        return first, last

    def constant(self, term: Term, at: Place) -> Literal:
        """Return the value of a closed term."""
        return Literal("", term.sort, self.value(term, at))

    def value(self, term: Term, at: Place) -> Value:
        return self.data.value(Expression(term, at), {})

    # Terms.

    def term(self, term: Term, at: Place) -> Term:
        """Return a term in which moved data are variables."""
        if not slots_of(term):
            found = self.constant(term, at)
            return found if self.moves(found.sort) is None else self.variable(found, at)
        if not isinstance(term, Application):
            return term
        if (updates := self.updates(term, at)) is not None:
            return self.term(updates, at)
        function = term.function
        is_equivariant, is_computed = function.name in _EQUIVARIANT, function.native == COMPUTED
        expected = [part.sort for part in term.arguments]
        if function.name in ("==", "!="):
            identities = self.data.specification.identities
            expected = [next((s for s in expected if s in identities), s) for s in expected]
        elif not (is_equivariant or is_computed):
            expected = [*function.arguments]
        parts = [
            self.term_of(*argument, at) for argument in zip(term.arguments, expected, strict=True)
        ]
        for sort in () if is_equivariant else (term.sort, *(part.sort for part in term.arguments)):
            if (which := self.moves(sort)) is not None:
                if is_computed:
                    self.refuse(f"`{function.name}` computes with permuted values", which)
                self.check_function(function, which)
        return Application(function, tuple(parts))

    def updates(self, term: Application, at: Place) -> Term | None:
        """Return a table of a function, whose results are in the order of its arguments, as updates
        of some table at each argument: permutations act on these. None if it is not one."""
        table = term.function
        if not (table.constructor and self.is_array(table.sort)):
            return None
        update, keys = self.data.table(table)
        [value] = self.data.first_of(table.arguments[0], 1)
        same = Literal("", table.arguments[0], value)
        found: Term = self.constant(Application(table, (same,) * len(term.arguments)), at)
        for key, part in zip(keys, term.arguments, strict=True):
            own = Literal("", update.arguments[1], self.value(key, at))
            found = Application(update, (found, own, part))
        return found

    def term_of(self, term: Term, sort: str, at: Place) -> Term:
        """Return a term of a sort; a value of numbers that are identities is converted to one of
        these."""
        if term.sort == sort:
            return self.term(term, at)
        if slots_of(term) or not self.data.has_value(self.data.shown(self.value(term, at)), sort):
            self.refuse(f"`{term.sort}` occurs where numbers have sort `{sort}`, "
                        "whose values may be permuted")  # fmt: skip
        return self.variable(Literal("", sort, self.value(term, at)), at)

    def of_sort(self, expression: Expression, sort: str) -> Expression:
        """Return an expression of a sort in which moved data are variables."""
        at = expression.at
        return Expression(self.term_of(expression.term, sort, at), at)

    def check_function(self, function: Function, which: int) -> None:
        """Check that a function commutes with the permutations, for all values."""
        if function in self._alike:
            return
        if self.is_parametric(function):
            self._alike.add(function)
            return
        ranges = [self.data.values_of(sort) for sort in (*function.arguments, function.sort)]
        if any(values is None for values in ranges):
            why = (
                f"it is unknown whether `{function.name}` treats all of infinitely many "
                "values alike"
            )
            self.refuse(why, which)
        *domains, results = (values for values in ranges if values is not None)
        if prod(map(len, domains)) > MOVED_CASES.default:
            self.refuse(f"`{function.name}` has {MOVED_CASES.exceeded()}", which)
        sorts = (*function.arguments, function.sort)
        for range_, sort in zip((*domains, results), sorts, strict=True):
            self.learn(range_, sort)
        for arguments in product(*domains):
            value = self.applied(function, arguments, which)
            each = map(self.images, arguments, function.arguments)
            expected = self.images(value, function.sort)
            for number, images in enumerate(zip(*each, strict=True)):
                if self.applied(function, images, number) != expected[number]:
                    shown = f"{function.name}({','.join(map(self.data.shown, arguments))})"
                    self.refuse(f"`{shown}` is `{self.data.shown(value)}`, and the image of that "
                                "is not what the function is of the images", number)  # fmt: skip
        for sort, values in zip((*function.arguments, function.sort), ranges, strict=True):
            self._ranges.setdefault(sort, set(values or ()))
        self._alike.add(function)

    def is_parametric(self, function: Function) -> bool:
        """Whether a function only passes on or compares the data that move.

        Then it commutes with every permutation: it is a constructor without equations, one of the
        functions of lists, sets, bags and functions that mCRL2 predefines, or defined by these.
        """
        sorts = (*function.arguments, function.sort)
        if self.data.shared is None or any(
            s in lifted.maps for lifted in self.lifted for s in sorts
        ):
            return False
        points = {value.sort for lifted in self.lifted for value in lifted.images}
        if function.constructor and (function.sort in points or self.is_array(function.sort)):
            return False
        if function.constructor and not self.data.rules_of(function):
            return True
        if not self.is_library(function):
            return self.is_defined_alike(function)
        from lts.mcrl2.identities.predefined import computed_with

        computed = computed_with(function)
        if function.name in ("@apply", "@update") and not self.is_array(function.arguments[0]):
            computed += (
                function.arguments[1:2] if function.name == "@update" else function.arguments[1:]
            )
        return all(self.moves(sort) is None for sort in computed)

    def is_defined_alike(self, function: Function) -> bool:
        """Whether the equations of a text for a function contain none of the data that move, and
        use only functions that commute with permutations: then the images of equations are
        equations."""
        seen, waiting = {function}, [function]
        while waiting:
            rules = self.data.rules_of(waiting.pop())
            if not rules:
                return False
            used = {*functions_in(term for rule in rules for term in (rule.left, *rule.results))}
            for one in used - seen:
                is_moved = one.native == NUMERAL and self.moves(one.sort) is not None
                if is_moved or one.native == VALUE:
                    return False
                if any(rule.place != NO_PLACE for rule in self.data.rules_of(one)):
                    waiting.append(one)
                elif not self.is_parametric(one):
                    return False
            seen |= used
        return True

    def is_array(self, sort: str) -> bool:
        """Whether values of a sort are moved index by index."""
        return any(sort in lifted.array_sorts for lifted in self.lifted)

    def is_library(self, function: Function) -> bool:
        """Whether mCRL2 alone defines a function, and all functions that it uses."""
        if self.data.own.communications is not None:
            return False
        seen, waiting = {function}, [function]
        while waiting:
            one = waiting.pop()
            rules = self.data.rules_of(one)
            if any(rule.place != NO_PLACE for rule in rules):
                return False
            if not (rules or one.constructor or one.native):
                return False
            used = {
                part.function
                for rule in rules
                for term in rule.results
                for part, _ in applications(term)
            }
            waiting += used - seen
            seen |= used
        return True

    def applied(self, function: Function, arguments: tuple[Value, ...], which: int) -> Value:
        """Return the value of a function on values."""
        try:
            return self.data.result(function, arguments)
        except LtsError as error:
            self.refuse(error.message, which)

    def variable(self, constant: Literal, at: Place) -> DataVariable:
        """Return the variable that stands for a value."""
        key = (self.data.shown(constant.value), constant.sort)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.slots)
            self.slots.append(Slot(*key, None, at))
            is_own = constant.sort in self.data.symbols.sorts
            self.values[number] = constant.value if is_own else key[0]
        return DataVariable(*key, number)

    # Sets of labels.

    def tree(self, tree: tuple[object, ...]) -> tuple[object, ...]:
        """Return a set of labels in which moved data are variables."""
        match tree:
            case ("label", str() as text):
                return self.label(text)
            case ("pattern", str() as name, tuple() as terms, tuple() | None as sorts):
                return self.pattern(name, terms, sorts)
            case ("val", Expression(term, at)):
                return "val", Expression(self.term(term, at), at)
            case (operator, *parts):
                moved = (self.tree(part) if isinstance(part, tuple) else part for part in parts)
                return operator, *moved
        raise AssertionError(tree)

    def pattern(
        self, name: str, terms: tuple[Argument, ...], sorts: tuple[str, ...] | None
    ) -> tuple[object, ...]:
        if sorts is None:
            return "pattern", name, terms, None  # an action without arguments, one of several
        moved = sorts
        if self.data.shared is None:
            # Moved numbers have sorts of their own in the process.
            known = self.declared(name, len(terms))
            if len(known) == 1:
                [moved] = known
            elif any(self.moves(sort) is not None for own in known for sort in own):
                self.refuse(f"`{name}` is declared for data of several sorts")
        pairs = zip(terms, moved, strict=True)
        own = (self.of_sort(t, s) if isinstance(t, Expression) else None for t, s in pairs)
        return "pattern", name, tuple(own), sorts

    def declared(self, name: str, count: int) -> list[tuple[str, ...]]:
        """Return the argument sorts of each declaration of an action with `count` arguments."""
        actions = self.data.specification.actions
        return sorted({a.sorts for a in actions if a.name == name and len(a.sorts) == count})

    def label(self, text: str) -> tuple[object, ...]:
        """Return the pattern for a single label, on whose arguments permutations act."""
        names = {action.name for action in self.data.specification.actions}
        if text in names:
            return "label", text
        actions = ReadLabel.of(text).actions
        each = [self.action(text, name, arguments) for name, arguments in actions]
        if not each:
            self.refuse(f"the image of the label `{text}` under a permutation is unknown")
        return each[0] if len(each) == 1 else ("multi", *each)

    def action(self, text: str, name: str, arguments: tuple[str, ...]) -> tuple[object, ...]:
        """Return the pattern for an action in a label, for each declaration that it fits."""
        found: list[tuple[object, ...]] = []
        for sorts in self.declared(name, len(arguments)):
            values = map(self.value_in_label, arguments, sorts)
            terms = tuple(
                Expression(Literal("", sort, value), NO_PLACE)
                for value, sort in zip(values, sorts, strict=True)
                if value is not None
            )
            if len(terms) == len(sorts):
                found.append(self.pattern(name, terms, sorts))
        if not found:
            self.refuse(f"the image of the label `{text}` under a permutation is unknown")
        return found[0] if len(found) == 1 else ("or", *found)

    def value_in_label(self, text: str, sort: str) -> Value | None:
        """Return the value that an argument of a label has; None if it is not of this sort."""
        if sort not in self.data.symbols.sorts:
            return text
        value = self.data.of_text(text, sort)
        return None if isinstance(value, str) else value
