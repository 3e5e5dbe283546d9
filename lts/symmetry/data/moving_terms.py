"""Maps in the language of a specification that move values by the elements of a group, and compare
values: with them the text of a process can choose the least of the images of a state."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce

from lts.base.bounds import WRITTEN_ELEMENTS
from lts.errors import Unsupported
from lts.linear.declarations import AddedDeclarations, Names
from lts.mcrl2.data.sort_names import is_list
from lts.mcrl2.data.symbols import function, is_number
from lts.mcrl2.text.tokens import NAME
from lts.specification.specification import Application, Function, Term, Variable
from lts.symmetry.data.action import GroupAction
from lts.symmetry.data.arrays import partial_maps
from lts.symmetry.permutation.cycles import Images

__all__ = ["MovingTerms", "elements"]

_NAME = re.compile(NAME)


def elements(points: int, generators: Sequence[Images]) -> list[Images]:
    """Return all elements of a group of permutations of 0, 1, .., the identity first."""
    found = {tuple(range(points)): None}
    waiting = [*found]
    for element in waiting:
        for generator in generators:
            product = tuple(generator[image] for image in element)
            if product not in found:
                if len(found) == WRITTEN_ELEMENTS.default:
                    raise Unsupported(
                        f"the group has {WRITTEN_ELEMENTS.exceeded()}, too many to write one "
                        "equation for each into the text of a process: choose fewer symmetries"
                    )
                found[product] = None
                waiting.append(product)
    return waiting


class MovingTerms(AddedDeclarations):
    """Sorts, functions and rules that are added to a specification.

    `moved(g,x)` is the image of a value under the element `g` of the group; `compared(x,y)` is the
    order of two values of one sort. Values are ordered by their outermost function, in the order of
    declaration, then by their arguments. Both are overloaded, and defined for a sort when they are
    first asked for.
    """

    def __init__(self, group_action: GroupAction, names: Names, group: Sequence[Images]) -> None:
        super().__init__(names)
        self.group_action = group_action
        self.group = group
        """The images of the points, for every element of the group but the identity."""
        self.true = group_action.process.specification.true
        self.false = group_action.process.specification.false
        self.is_mcrl2 = group_action.process.specification.communications is None
        self.values = group_action.lifted[0].sort_values
        numbers = {text: number for number, text in enumerate(group_action.points)}
        self.points = {
            value: numbers[str(value)] for lifted in group_action.lifted for value in lifted.images
        }
        self.point_terms = {number: value for value, number in self.points.items()}
        self.element = self.sort("Symmetry")
        self.order = self.sort("Order")
        prefix = names.prefix("g")
        self.of_group = [
            Application(self.function(f"{prefix}{number}", (), self.element, new=True))
            for number in range(1, len(group) + 1)
        ]
        self.less, self.same, self.greater = (
            Application(self.function(self.names.new(name), (), self.order, new=True))
            for name in ("less", "same", "greater")
        )
        self.g = Variable(prefix, self.element)
        self.moved_name, self.compared_name = names.new("moved"), names.new("compared")
        self.then = self._then()
        self.moves: dict[str, Function] = {}
        self.comparisons: dict[str, Function] = {}

    def _builders(self, sort: str) -> list[Function]:
        """Return the functions that values of a sort are built from, which equations can match."""
        found = self.values.builders(sort)
        if self.is_mcrl2 and not (is_list(sort) or all(_NAME.fullmatch(f.name) for f in found)):
            raise Unsupported(
                f"a state has values of sort `{sort}`: in mCRL2 a reduced process is written for "
                "structured sorts, lists, and numbers that do not move"
            )
        return found

    def _numbers(self, compared: Function) -> None:
        """Add the rule for two numbers of mCRL2, which equations cannot match."""
        sort = compared.arguments[0]
        one, other = sides = self.variables([sort, sort])
        less, same = (
            Application(function(name, (sort, sort), "Bool"), sides) for name in ("<", "==")
        )
        choose = function("if", ("Bool", self.order, self.order), self.order)
        rest = Application(choose, (same, self.same, self.greater))
        self.rule(Application(compared, (one, other)), Application(choose, (less, self.less, rest)))

    # Images of values.

    def moves_in(self, sort: str) -> bool:
        """Whether values of a sort may contain a value that the group moves."""
        return any(lifted.moves_in(sort) for lifted in self.group_action.lifted)

    def moved(self, element: Term, value: Term) -> Term:
        """Return the term for the image of a value."""
        if not self.moves_in(value.sort):
            return value
        return Application(self._moving(value.sort), (element, value))

    def _moving(self, sort: str) -> Function:
        if sort in self.moves:
            return self.moves[sort]
        found = self.moves[sort] = self.function(self.moved_name, (self.element, sort), sort)
        placeholder = self.group_action.process.unset.get(sort)
        for builder in self._builders(sort):
            whole = Application(builder, self.variables(builder.arguments))
            if whole == placeholder:
                self.rule(Application(found, (self.g, whole)), whole)
            elif whole in self.points:
                for element, images in zip(self.of_group, self.group, strict=True):
                    image = self.point_terms[images[self.points[whole]]]
                    self.rule(Application(found, (element, whole)), image)
            elif sort in self.group_action.maps:
                self.rule(Application(found, (self.g, whole)), self._array(whole))
            else:
                parts = tuple(self.moved(self.g, part) for part in whole.arguments)
                self.rule(Application(found, (self.g, whole)), Application(builder, parts))
        return found

    def _array(self, whole: Application) -> Term:
        """Return the image of an array: every index that moves gets the image of its element. Other
        subterms are mapped like those of any value."""
        sort = whole.sort
        get, put = self.group_action.maps[sort]
        index = get.arguments[1]
        inside = Function(f"{self.moved_name}_inside", (self.element, sort), sort)
        if inside not in self.functions:
            self.functions.append(inside)
        parts = tuple(
            Application(inside, (self.g, part)) if part.sort == sort else self.moved(self.g, part)
            for part in whole.arguments
        )
        image: Term = Application(whole.function, parts)
        self.rule(Application(inside, (self.g, whole)), image)
        optional = partial_maps(self.group_action.process.specification, get)
        for value in sorted(
            (p for p in self.points if p.sort == index), key=self.points.__getitem__
        ):
            if optional is None:
                element = self.moved(self.g, Application(get, (whole, value)))
                image = Application(put, (image, self.moved(self.g, value), element))
            else:
                contains, remove = optional
                copied = self._copied(sort, get, put, remove)
                known = Application(contains, (whole, value))
                image = Application(copied, (known, self.g, image, whole, value))
        return image

    def _copied(self, sort: str, get: Function, put: Function, remove: Function) -> Function:
        """Return the map that moves one element of an array, if there is one at the index."""
        index = get.arguments[1]
        sorts = (self.true.sort, self.element, sort, sort, index)
        copied = Function(f"{self.moved_name}_element", sorts, sort)
        if copied not in self.functions:
            self.functions.append(copied)
            image, whole, value = self.variables((sort, sort, index))
            to = self.moved(self.g, value)
            element = self.moved(self.g, Application(get, (whole, value)))
            arguments = (self.g, image, whole, value)
            self.rule(
                Application(copied, (self.true, *arguments)), Application(put, (image, to, element))
            )
            self.rule(
                Application(copied, (self.false, *arguments)), Application(remove, (image, to))
            )
        return copied

    # The order of values.

    def _then(self) -> Function:
        then = self.function(self.names.new("then"), (self.order, self.order), self.order)
        [later] = self.variables([self.order])
        for first, result in (
            (self.less, self.less),
            (self.same, later),
            (self.greater, self.greater),
        ):
            self.rule(Application(then, (first, later)), result)
        return then

    def compared(self, one: Term, other: Term) -> Term:
        """Return the term for the order of two values."""
        return Application(self.comparing(one.sort), (one, other))

    def in_turn(self, ones: Sequence[Term], others: Sequence[Term]) -> Term:
        """Return the term for the order of two rows of values."""
        orders = [self.compared(one, other) for one, other in zip(ones, others, strict=True)]
        if not orders:
            return self.same
        return reduce(lambda rest, order: Application(self.then, (order, rest)), reversed(orders))

    def comparing(self, sort: str) -> Function:
        """Return the map that compares values of a sort."""
        if sort in self.comparisons:
            return self.comparisons[sort]
        compared = self.function(self.compared_name, (sort, sort), self.order)
        self.comparisons[sort] = compared
        if self.is_mcrl2 and is_number(sort):
            self._numbers(compared)
            return compared
        builders = self._builders(sort)
        if len(builders) == 1:
            self.by_parts(compared, (), builders[0])
            return compared
        one, other = self.variables([sort, sort])
        ranks = self._ranks(sort, builders)
        if any(builder.arguments for builder in builders):
            name = f"{self.compared_name}_inside"
            inside = self.function(name, (self.order, sort, sort), self.order)
            self.rule(Application(compared, (one, other)), Application(inside, (ranks, one, other)))
            for decided in (self.less, self.greater):
                self.rule(Application(inside, (decided, one, other)), decided)
            for builder in builders:
                self.by_parts(inside, (self.same,), builder)
        else:
            self.rule(Application(compared, (one, other)), ranks)
        return compared

    def by_parts(self, compared: Function, before: tuple[Term, ...], builder: Function) -> None:
        """Add the rule for two values that are built by one function."""
        ones = self.variables(builder.arguments)
        others = self.variables(builder.arguments, 1 + len(ones))
        sides = (Application(builder, ones), Application(builder, others))
        self.rule(Application(compared, (*before, *sides)), self.in_turn(ones, others))

    def _ranks(self, sort: str, builders: Sequence[Function]) -> Term:
        """Return the order of two variables by the places of their outermost functions."""
        rank_sort, last, digits = self.ranks()
        if rank_sort not in self.comparisons:
            compared = self.function(self.compared_name, (rank_sort, rank_sort), self.order)
            self.comparisons[rank_sort] = compared
            self.rule(Application(compared, (last, last)), self.same)
            ones, others = self.variables([rank_sort, rank_sort])
            for place, first in enumerate(digits):
                for other_place, second in enumerate(digits):
                    sides = (Application(first, (ones,)), Application(second, (others,)))
                    order = self.less if place < other_place else self.greater
                    self.rule(
                        Application(compared, sides),
                        self.compared(ones, others) if place == other_place else order,
                    )
        rank = self.rank(sort, builders)
        one, other = self.variables([sort, sort])
        return self.compared(Application(rank, (one,)), Application(rank, (other,)))
