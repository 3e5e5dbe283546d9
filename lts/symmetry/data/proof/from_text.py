"""The proof of a symmetry from the text alone, without looking at a state.

A permutation g renames constants. A function f *commutes* with it if `f(g v) = g f(v)` for all
values v; then, by induction, terms of such functions become `t(g v) = g t(v)`, where g t is t with
its constants renamed. So if a summand whose functions commute becomes another one by renaming
constants and moving parameters, but for closed terms that have the same value, then the image of
each of its steps is a step of that one, whatever the values are. So it is if it is never possible.
That each has the images of another one's steps makes them the same, since each comes back to itself
in the end. In summands of these kinds nothing need be compared after the exploration.

A function commutes

- if renaming maps its rules to themselves, and keeps which of several comes first, and the
  functions that these rules come to commute: then each step of rewriting has its image;
- if it does so for all its arguments, where these are constants: that is evaluated;
- if it is one of the library's for arrays and sets, see `data.library_arrays`: these are not
  renamed but permuted index by index, so functions with rules that look inside them do not count.

For terms that have no value nothing is claimed: of them no state space can be generated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from lts.errors import NotProven, SpecificationError
from lts.linear.process import LinearProcess, Summand
from lts.linear.total import Totality
from lts.specification.specification import Application, Function, Rule
from lts.specification.terms import functions_in, renamed
from lts.symmetry.data.library_arrays import Indexed
from lts.symmetry.data.proof.cells import Cells
from lts.symmetry.data.proof.matching import (
    Match,
    Matcher,
    conditions_of,
    overlap,
    row,
    terms_of,
)
from lts.symmetry.data.proof.open_terms import OpenTerms, TooLong
from lts.symmetry.data.proof.sort_values import SortValues
from lts.symmetry.data.proof.truths import Truths
from lts.symmetry.permutation.notation import Permutation
from lts.text.source import Place

__all__ = ["Text"]

_ALIKE = frozenset(("equal", "different"))
"""What the engine computes of identities, and what every permutation of them leaves as it is."""

_CALLS = 10_000
"""Arguments for which a function is evaluated."""


@dataclass(frozen=True, slots=True)
class _Obstacle:
    """Why something does not commute, and where that is written."""

    why: str
    place: Place | None = None


@dataclass
class Text:
    """What the text of a process shows of a permutation.

    `images` are those of the values that it moves, `positions` and `summands` what it does to the
    parameters and summands; `arrays` are the sorts that are permuted index by index, and of them
    `indexed` those of the library; `moved` are the sorts whose values it moves by maps. `evaluate`
    returns the normal form of a closed term if that is a value. Where there are `cells`, the
    process is theirs, and the summands are those before that, of which each may have several cases.
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
        """Raise `NotProven` unless the text shows that the permutation is a symmetry.

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
        """Whether the steps of a summand have their images in its image, whatever the values."""
        return self.at_all is None and self.obstacle(number) is None

    @cached_property
    def at_all(self) -> _Obstacle | None:
        """Why nothing of this permutation can be proven in this way, if so."""
        specification = self.process.specification
        for value in self.images:
            is_identity = value.sort in specification.identities
            if value.arguments or not (value.function.constructor or is_identity):
                return _Obstacle(f"`{value}` is no constant that its sort is made of")
            if value in (specification.true, specification.false):
                return _Obstacle(f"`{value}` is what conditions come to")
        return None

    @cached_property
    def renaming(self) -> dict[Function, Function]:
        """The constants that move, with their images."""
        return {value.function: image.function for value, image in self.images.items()}

    def obstacle(self, number: int) -> _Obstacle | None:
        """Why a summand and its image are not proven to correspond, if so."""
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
        """Why a summand and another one are not proven to correspond, if so, neither as they are
        nor with what does not commute unfolded."""
        obstacle = self.difference(summand, image)
        if obstacle is None or not self.broken:
            return obstacle
        try:
            unfolded = [self.unfolding.summand(one) for one in (summand, image)]
        except TooLong:
            return obstacle
        return obstacle if self.difference(*unfolded) is not None else None

    @cached_property
    def unfolding(self) -> OpenTerms:
        """Rewriting of those functions that come to one that does not commute."""
        opaque = self.rules.keys() - set(self.users(self.broken))
        truths = self.process.specification.true, self.process.specification.false
        return OpenTerms(self.rules, self.evaluate, *truths, opaque)

    def difference(self, summand: Summand, image: Summand) -> _Obstacle | None:
        """Why the steps of a summand are not proven to have their images in another one, if so."""
        reached, sorts = self.reached(
            functions_in(terms_of(summand)), {v.sort for v in summand.variables}
        )
        for sort in sorts:
            if sort in self.moved:
                name = self.moved[sort].name
                return _Obstacle(f"`{name}` is a map: what it keeps does not show in its rules")
            if sort in self.arrays and sort not in self.indexed:
                return _Obstacle(
                    f"`{sort}` is a sort of arrays, which are permuted index by index, and not the "
                    "library's"
                )
        for function in reached:
            if (obstacle := self.broken.get(function)) is not None:
                return obstacle
        matcher = Matcher(self.renaming, self.are_images, self.truths)
        if matcher.is_image(summand, image, self.parameters):
            return None
        if self.is_impossible(summand):
            return None
        return self.differing(summand)

    def differing(self, summand: Summand) -> _Obstacle:
        """Return that a summand does not become its image."""
        name = summand.action or "tau"
        mentioned = (f for f in functions_in(terms_of(summand)) if self.renaming.get(f, f) != f)
        constant = next(mentioned, None)
        why = f"`{name}` and its image differ"
        if constant is not None:
            why = f"`{name}` treats `{constant.name}` in a way of its own"
        return _Obstacle(why, summand.places[0])

    def is_impossible(self, summand: Summand) -> bool:
        """Whether a condition without variables does not hold."""
        for wanted, terms in conditions_of(summand):
            values = [self.evaluate(t) for t in terms if isinstance(t, Application) and t.is_ground]
            if len(values) < len(terms) or None in values:
                continue
            one, other = values if wanted is None else (*values, self.truth(wanted))
            if one != other:
                return True
        return False

    def truth(self, value: bool) -> Application:
        """Return what a condition comes to that holds, or not."""
        specification = self.process.specification
        return specification.true if value else specification.false

    def are_images(self, one: Application, other: Application) -> bool:
        """Whether the value of a closed term is renamed that of another one."""
        if any(
            sort in self.arrays or sort in self.moved
            for sort in self.sort_values.inside([one.sort])
        ):
            return False
        values = [self.evaluate(term) for term in (one, other)]
        return values[0] is not None and self.image(values[0]) == values[1]

    @cached_property
    def truths(self) -> Truths:
        """What conditions come to, whatever the order of what they join."""
        specification = self.process.specification
        return Truths(
            specification.true,
            specification.false,
            specification.functions,
            self.evaluate,
            Totality(self.process).are_total,
        )

    @cached_property
    def parameters(self) -> tuple[Match, Sequence[int]]:
        """For each parameter the one that it moves to, as variables and as numbers."""
        variables = [parameter.variable for parameter in self.process.parameters]
        match = {v: variables[self.positions[p]] for p, v in enumerate(variables)}
        return match, self.positions

    @cached_property
    def rules(self) -> dict[Function, list[Rule]]:
        """The rules for each function, in order."""
        found: dict[Function, list[Rule]] = {}
        for rule in [*self.process.specification.rules, *self.process.rules]:
            found.setdefault(rule.left.function, []).append(rule)
        return found

    @cached_property
    def unfree(self) -> dict[str, list[Function]]:
        """What stands in values and has rules, by sort, but for those of arrays."""
        found: dict[str, list[Function]] = {}
        for function in self.rules:
            makes_values = self.sort_values.makes_values(function)
            if makes_values and function.sort not in self.arrays:
                found.setdefault(function.sort, []).append(function)
        return found

    @cached_property
    def sort_values(self) -> SortValues:
        """What values there are, and what they are made of."""
        return SortValues(self.process)

    def reached(
        self, functions: Iterable[Function], sorts: set[str]
    ) -> tuple[list[Function], list[str]]:
        """Return functions with those that their rules come to, and that values of their sorts are
        made of if that has rules; and all those sorts.

        What is known to commute as a whole is not looked into.
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
        """Return the functions that have to commute if one is to."""
        known = self.of_library(function)
        if known is not None:
            return [*known]
        if function in self.tabled:
            return []
        return [f for rule in self.rules.get(function, ()) for f in functions_in(rule.results)]

    def of_library(self, function: Function) -> Sequence[Function] | None:
        """Return what a function of the library for arrays needs; None if it is no such one."""
        for sort in (*function.arguments[:2], function.sort):
            if sort in self.indexed and function in self.indexed[sort].commuting:
                return self.indexed[sort].commuting[function]
        return None

    @cached_property
    def own(self) -> dict[Function, _Obstacle]:
        """What is wrong with the rules of functions themselves."""
        found: dict[Function, _Obstacle] = {}
        for function in self.process.specification.functions:
            if function.constructor and function.sort in self.arrays:
                found[function] = _Obstacle(
                    f"`{function.name}` builds `{function.sort}`, which is permuted index by index"
                )
        identities = self.process.specification.identities
        for function in self.process.specification.functions:
            ordered = function.native is not None and function.native not in _ALIKE
            if ordered and not identities.keys().isdisjoint(function.arguments):
                found[function] = _Obstacle("identities have an order in sets, and as keys")
        for function, rules in self.rules.items():
            obstacle = self.wrong_rules(rules)
            if obstacle is not None:
                found.setdefault(function, obstacle)
        return {f: obstacle for f, obstacle in found.items() if self.of_library(f) is None}

    def wrong_rules(self, rules: Sequence[Rule]) -> _Obstacle | None:
        """Why renaming does not map the rules of a function to themselves, those that overlap in
        their order, since the first that matches is applied; or why that would not be enough."""
        known: dict[tuple[object, ...], int] = {}
        for number, rule in enumerate(rules):
            known.setdefault(row((rule.left, *rule.results), {}), number)
        moved: list[int] = []
        for rule in rules:
            name = rule.left.function.name
            image = known.get(row((rule.left, *rule.results), self.renaming))
            if image is None:
                return _Obstacle(f"the image of this rule for `{name}` is no rule", rule.place)
            moved.append(image)
            for function in functions_in(rule.left.arguments):
                if function.constructor and function.sort in self.arrays:
                    return _Obstacle(
                        f"this rule for `{name}` looks inside `{function.sort}`, which is permuted "
                        "index by index",
                        rule.place,
                    )
        for at, second in enumerate(rules):
            for first, rule in enumerate(rules[:at]):
                if moved[first] > moved[at] and overlap(rule.left, second.left):
                    name = second.left.function.name
                    why = f"rules for `{name}` overlap, and their images come in another order"
                    return _Obstacle(why, second.place)
        return None

    @cached_property
    def tabled(self) -> frozenset[Function]:
        """The functions that commute for all their arguments, which are constants, although their
        rules do not show it."""
        return frozenset(filter(self.commutes, self.users(self.own)))

    def users(self, functions: Iterable[Function]) -> list[Function]:
        """Return functions with all that come to them, but for what is known to commute."""
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
        """What is wrong with functions that are not evaluated."""
        return {f: obstacle for f, obstacle in self.own.items() if f not in self.tabled}

    def commutes(self, function: Function) -> bool:
        """Whether a function is on constants only, and commutes with the permutation there."""
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
        """Return the values of a sort if all are constants that no map moves, else nothing."""
        return [] if sort in self.moved else self.sort_values.constants(sort)

    def image(self, value: Application) -> Application:
        """Return a value with its constants renamed."""
        return renamed(value, self.images.get)
