"""The proof of a symmetry from the text alone, without exploring a state.

A permutation g renames constants. A function f *commutes* with it if `f(g v) = g f(v)` for all
values v. By induction, terms t of such functions satisfy `t(g v) = g t(v)`, with the constants of t
renamed on the right. Now suppose that all functions of a summand commute, and that renaming
constants and moving parameters turns it into another summand, except that closed terms need only
have the same value. Then the image of each of its steps is a step of that other summand, whatever
the values are. The same holds trivially for a summand whose condition is never true. If the images
of the steps of each summand are steps of its image, the two sets of steps are equal, because each
summand returns to itself after finitely many applications of g. Summands of these kinds need no
comparison after the exploration.

A function commutes

- if renaming maps its rules to themselves, preserves the order of rules that overlap, and the
  functions that these rules use commute: then each rewrite step has its image;
- if its arguments are constants and it commutes for all of them, which is found by evaluation;
- if it is one of the library's functions on arrays and sets, see `data.library_arrays`: arrays are
  permuted index by index instead of renamed, so functions with rules that look inside them do not
  count.

Terms without a value are not covered: no state space can be generated from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from lts.errors import NotProven, SpecificationError
from lts.linear.process import LinearProcess, Summand
from lts.linear.sort_values import SortValues
from lts.linear.total import Totality
from lts.specification.specification import Application, Function, Rule
from lts.specification.terms import functions_in, renamed
from lts.symmetry.data.library_arrays import Indexed
from lts.symmetry.data.proof.cells import Cells
from lts.symmetry.data.proof.matching import (
    Match,
    Matcher,
    conditions_of,
    may_overlap,
    overlap,
    row,
    terms_of,
)
from lts.symmetry.data.proof.open_terms import OpenTerms, TooLong
from lts.symmetry.data.proof.truths import Truths
from lts.symmetry.permutation.notation import Permutation
from lts.text.source import Place

__all__ = ["TextProof"]

_COMPARING = frozenset(("equal", "different"))
"""Functions on identities that the engine computes and that every permutation of them preserves."""

_CALLS = 10_000
"""Most combinations of arguments for which a function is evaluated."""


@dataclass(frozen=True, slots=True)
class _Obstacle:
    """The reason why something does not commute, and its place in the text."""

    why: str
    place: Place | None = None


@dataclass
class TextProof:
    """The proof from the text of a process that one permutation is a symmetry.

    `images` are the images of the values that it moves; `positions` and `summands` are the images
    of parameters and summands; `arrays` are the sorts that are permuted index by index, `indexed`
    those of them from the library; `moved` are the sorts permuted by maps. `evaluate` returns the
    normal form of a closed term if that is a value. If there are `cells`, `process` is the one with
    cells, while `summands` are those of the original process, each of which may have several cases.
    """

    process: LinearProcess
    permutation: Permutation
    images: Mapping[Application, Application]
    positions: Sequence[int]
    summands: Sequence[int]
    arrays: frozenset[str]
    indexed: Mapping[str, Indexed]
    moved: Mapping[str, Function]
    evaluate: Callable[[Application], Application | None]
    cells: Cells | None = None

    def prove(self) -> None:
        """Raise `NotProven` unless the text proves that the permutation is a symmetry.

        The initial state is not compared with its image.
        """
        obstacle = self.at_all
        for number in range(len(self.summands)):
            obstacle = obstacle or self.obstacle(number)
        if obstacle is not None:
            why = obstacle.why
            if obstacle.place is not None:
                source = self.process.specification.source
                why = source.error(SpecificationError, why, obstacle.place).drawn()
            raise NotProven(f"the text alone does not prove `{self.permutation}`", missing=why)

    def proves(self, number: int) -> bool:
        """Whether the images of the steps of a summand are steps of its image, for all values."""
        return self.at_all is None and self.obstacle(number) is None

    @cached_property
    def at_all(self) -> _Obstacle | None:
        """Why nothing can be proven of this permutation from the text; None if something can."""
        specification = self.process.specification
        for value in self.images:
            is_identity = value.sort in specification.identities
            if value.arguments or not (value.function.constructor or is_identity):
                return _Obstacle(f"`{value}` is not a constructor constant of its sort")
            if value in (specification.true, specification.false):
                return _Obstacle(f"`{value}` is a value of conditions")
        return None

    @cached_property
    def renaming(self) -> dict[Function, Function]:
        """The image of each constant that moves."""
        return {value.function: image.function for value, image in self.images.items()}

    def obstacle(self, number: int) -> _Obstacle | None:
        """Why a summand and its image are not proven to correspond; None if they are."""
        image = self.summands[number]
        pairs: list[tuple[Summand, Summand]] | None
        if self.cells is None:
            pairs = [(self.process.summands[number], self.process.summands[image])]
        else:
            pairs = self.cells.pairs(number, image, self.positions, self.images)
            if pairs is None:
                return self.differing(self.cells.cases[number].whole)
        obstacles = (self.obstacle_between(case, other) for case, other in pairs)
        return next((obstacle for obstacle in obstacles if obstacle is not None), None)

    def obstacle_between(self, summand: Summand, image: Summand) -> _Obstacle | None:
        """Why two summands are not proven to correspond, as they are or with functions that do not
        commute unfolded; None if they are."""
        obstacle = self.difference(summand, image)
        if obstacle is None or not self.broken:
            return obstacle
        try:
            unfolded = [self.unfolding.summand(open_summand) for open_summand in (summand, image)]
        except TooLong:
            return obstacle
        return obstacle if self.difference(*unfolded) is not None else None

    @cached_property
    def unfolding(self) -> OpenTerms:
        """Rewriting with the rules of functions that do not commute, and of those that use them."""
        opaque = self.rules.keys() - set(self.users(self.broken))
        truths = self.process.specification.true, self.process.specification.false
        return OpenTerms(self.rules, self.evaluate, *truths, opaque)

    def difference(self, summand: Summand, image: Summand) -> _Obstacle | None:
        """Why the images of the steps of one summand are not proven to be steps of another; None if
        they are."""
        obstacle = self.unproven(summand)
        if obstacle is not None:
            return obstacle
        matcher = Matcher(self.renaming, self.are_images, self.truths, self.parameters)
        if matcher.is_image(summand, image, self.positions):
            return None
        if self.is_impossible(summand):
            return None
        return self.differing(summand)

    def unproven(self, summand: Summand) -> _Obstacle | None:
        """Why a function or sort that a summand uses is not known to commute; None if all are."""
        if not (self.moved or self.arrays or self.broken):
            return None
        reached, sorts = self.reached(
            functions_in(terms_of(summand)), {v.sort for v in summand.variables}
        )
        for sort in sorts:
            if sort in self.moved:
                name = self.moved[sort].name
                return _Obstacle(f"`{name}` is a map, whose rules do not show what it preserves")
            if sort in self.arrays and sort not in self.indexed:
                return _Obstacle(
                    f"`{sort}` is a sort of arrays, which are permuted index by index, but not "
                    "one of the library"
                )
        for function in reached:
            if (obstacle := self.broken.get(function)) is not None:
                return obstacle
        return None

    def differing(self, summand: Summand) -> _Obstacle:
        """Return the obstacle that a summand does not become its image."""
        name = summand.action or "tau"
        mentioned = (f for f in functions_in(terms_of(summand)) if self.renaming.get(f, f) != f)
        constant = next(mentioned, None)
        why = f"`{name}` and its image differ"
        if constant is not None:
            why = f"`{name}` treats `{constant.name}` differently from other values"
        return _Obstacle(why, summand.places[0])

    def is_impossible(self, summand: Summand) -> bool:
        """Whether a condition without variables is false."""
        for required, terms in conditions_of(summand):
            values = [self.evaluate(t) for t in terms if isinstance(t, Application) and t.is_ground]
            if len(values) < len(terms) or None in values:
                continue
            one, other = values if required is None else (*values, self.truth(required))
            if one != other:
                return True
        return False

    def truth(self, value: bool) -> Application:
        """Return the truth value that a condition must rewrite to."""
        specification = self.process.specification
        return specification.true if value else specification.false

    def are_images(self, one: Application, other: Application) -> bool:
        """Whether the value of one closed term, renamed, is the value of another."""
        if any(
            sort in self.arrays or sort in self.moved
            for sort in self.sort_values.inside([one.sort])
        ):
            return False
        values = [self.evaluate(term) for term in (one, other)]
        return values[0] is not None and self.image(values[0]) == values[1]

    @cached_property
    def truths(self) -> Truths:
        """Comparison of conditions up to propositional equivalence."""
        specification = self.process.specification
        return Truths(
            specification.true,
            specification.false,
            specification.functions,
            self.evaluate,
            Totality(self.process).are_total,
        )

    @cached_property
    def parameters(self) -> Match:
        """The image of every parameter."""
        variables = [parameter.variable for parameter in self.process.parameters]
        return {v: variables[self.positions[p]] for p, v in enumerate(variables)}

    @cached_property
    def rules(self) -> dict[Function, list[Rule]]:
        """The rules for each function, in order."""
        found: dict[Function, list[Rule]] = {}
        for rule in [*self.process.specification.rules, *self.process.rules]:
            found.setdefault(rule.left.function, []).append(rule)
        return found

    @cached_property
    def unfree(self) -> dict[str, list[Function]]:
        """Functions with rules that occur in values, by sort, except for sorts of arrays."""
        found: dict[str, list[Function]] = {}
        for function in self.rules:
            makes_values = self.sort_values.makes_values(function)
            if makes_values and function.sort not in self.arrays:
                found.setdefault(function.sort, []).append(function)
        return found

    @cached_property
    def sort_values(self) -> SortValues:
        """The values of the sorts of the process, and the sorts that they are built from."""
        return SortValues(self.process)

    def reached(
        self, functions: Iterable[Function], sorts: set[str]
    ) -> tuple[list[Function], list[str]]:
        """Return the given functions with all functions that their rules use, including functions
        with rules that build values of their sorts; and all these sorts.

        Functions that are known to commute as a whole are not expanded.
        """
        found: dict[Function, None] = {}
        waiting = [*functions]
        while True:
            while waiting:
                function = waiting.pop()
                if function not in found:
                    found[function] = None
                    sorts |= {function.sort, *function.arguments}
                    waiting += self.needed(function)
            inside = self.sort_values.inside(sorts)
            waiting = [c for sort in inside for c in self.unfree.get(sort, ()) if c not in found]
            if not waiting:
                return [*found], inside

    def needed(self, function: Function) -> list[Function]:
        """Return the functions that have to commute for `function` to commute."""
        known = self.of_library(function)
        if known is not None:
            return [*known]
        if function in self.tabled:
            return []
        return [f for rule in self.rules.get(function, ()) for f in functions_in(rule.results)]

    def of_library(self, function: Function) -> Sequence[Function] | None:
        """Return the functions that a library function on arrays needs to commute; None for any
        other."""
        for sort in (*function.arguments[:2], function.sort):
            if sort in self.indexed and function in self.indexed[sort].commuting:
                return self.indexed[sort].commuting[function]
        return None

    @cached_property
    def own(self) -> dict[Function, _Obstacle]:
        """Functions whose own rules do not commute, with the reason."""
        found: dict[Function, _Obstacle] = {}
        for function in self.process.specification.functions:
            if function.constructor and function.sort in self.arrays:
                found[function] = _Obstacle(
                    f"`{function.name}` builds `{function.sort}`, which is permuted index by index"
                )
        identities = self.process.specification.identities
        for function in self.process.specification.functions:
            ordered = function.native is not None and function.native not in _COMPARING
            if ordered and not identities.keys().isdisjoint(function.arguments):
                found[function] = _Obstacle("identities are ordered in sets and as keys")
        for function, rules in self.rules.items():
            obstacle = self.wrong_rules(rules)
            if obstacle is not None:
                found.setdefault(function, obstacle)
        return {f: obstacle for f, obstacle in found.items() if self.of_library(f) is None}

    def wrong_rules(self, rules: Sequence[Rule]) -> _Obstacle | None:
        """Why renaming does not map the rules of a function to themselves, with overlapping rules
        in the same order (the first that matches is applied); or why that would not suffice. None
        if it does."""
        known: dict[tuple[object, ...], int] = {}
        for number, rule in enumerate(rules):
            known.setdefault(row((rule.left, *rule.results), {}), number)
        moved: list[int] = []
        for rule in rules:
            name = rule.left.function.name
            image = known.get(row((rule.left, *rule.results), self.renaming))
            if image is None:
                return _Obstacle(f"the image of this rule for `{name}` is not a rule", rule.place)
            moved.append(image)
            for function in functions_in(rule.left.arguments):
                if function.constructor and function.sort in self.arrays:
                    return _Obstacle(
                        f"this rule for `{name}` looks inside `{function.sort}`, which is permuted "
                        "index by index",
                        rule.place,
                    )
        for at, earlier in may_overlap([rule.left for rule in rules]):
            second = rules[at]
            for first in earlier:
                if moved[first] > moved[at] and overlap(rules[first].left, second.left):
                    name = second.left.function.name
                    why = f"rules for `{name}` overlap, and their images have another order"
                    return _Obstacle(why, second.place)
        return None

    @cached_property
    def tabled(self) -> frozenset[Function]:
        """Functions on constants that commute for all their arguments although their rules do not
        show it."""
        return frozenset(filter(self.commutes, self.users(self.own)))

    def users(self, functions: Iterable[Function]) -> list[Function]:
        """Return functions with all that use them, except those known to commute."""
        users: dict[Function, list[Function]] = {}
        for function, rules in self.rules.items():
            for used in {f for rule in rules for f in functions_in(rule.results)}:
                users.setdefault(used, []).append(function)
        found = dict.fromkeys(functions)
        waiting = [*found]
        while waiting:
            new = [user for user in users.get(waiting.pop(), ()) if user not in found]
            new = [user for user in new if self.of_library(user) is None]
            found.update(dict.fromkeys(new))
            waiting += new
        return [*found]

    @cached_property
    def broken(self) -> dict[Function, _Obstacle]:
        """Functions that commute neither by their rules nor by evaluation, with the reason."""
        return {f: obstacle for f, obstacle in self.own.items() if f not in self.tabled}

    def commutes(self, function: Function) -> bool:
        """Whether a function takes only constants and commutes for all of them, by evaluation."""
        domains = [self.constants(sort) for sort in function.arguments]
        calls = 1
        for domain in domains:
            calls *= len(domain)
        if function.constructor or not 0 < calls <= _CALLS:
            return False
        if any(
            sort in self.arrays or sort in self.moved
            for sort in self.sort_values.inside([function.sort])
        ):
            return False
        values: dict[tuple[Application, ...], Application] = {}
        for arguments in product(*domains):
            value = self.evaluate(Application(function, arguments))
            if value is None:
                return False
            values[arguments] = value
        return all(
            values[tuple(self.images.get(a, a) for a in arguments)] == self.image(value)
            for arguments, value in values.items()
        )

    def constants(self, sort: str) -> list[Application]:
        """Return the values of a sort if all are constants and no map permutes it, else nothing."""
        return [] if sort in self.moved else self.sort_values.constants(sort)

    def image(self, value: Application) -> Application:
        """Return a value with its constants renamed."""
        return renamed(value, self.images.get)
