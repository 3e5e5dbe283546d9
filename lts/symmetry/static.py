"""The proof of a symmetry from the text alone, without looking at a state.

A permutation renames constants. If that maps the rules that the process comes to to themselves, and
keeps which of several comes first, then terms are rewritten as their images are. If it also maps
the summands of the linear process to one another, parameters included, then the image of each step
is a step of the image. So what has no constants of the permuted sorts but in an equality, or is
closed under the permutation, needs no certificate; what is symmetric for other reasons is not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from lts.errors import NotSymmetric, SpecificationError
from lts.mucrl.linear import LinearProcess, Summand
from lts.mucrl.source import Place
from lts.mucrl.specification import Application, Function, Rule, Term, Variable
from lts.symmetry.notation import Permutation

__all__ = ["prove_from_text"]

_Match = dict[Variable, Variable]
_Conditions = list[tuple[bool | None, tuple[Term, ...]]]

_STEPS = 10_000
"""Steps after which terms are taken to have a common instance."""


def prove_from_text(
    process: LinearProcess,
    permutation: Permutation,
    images: Mapping[Application, Application],
    positions: Sequence[int],
    summands: Sequence[int],
    arrays: Iterable[str],
) -> None:
    """Raise `NotSymmetric` unless the text shows that a permutation is a symmetry.

    `images` are those of the values that it moves, `positions` and `summands` what it does to the
    parameters and summands of the process; its initial state is not compared with its image.
    `arrays` are the sorts that are permuted index by index.
    """
    specification = process.specification
    if permutation.maps:
        why = f"`{permutation.maps[0]}` is a map: what it keeps does not show in its rules"
        raise NotSymmetric(f"the text alone does not prove `{permutation}`", witness=why)
    text = _Text(process, permutation, {v.function: i.function for v, i in images.items()})
    for value in images:
        if value.arguments or not value.function.constructor:
            text.refuse(f"`{value}` is no constant that its sort is made of")
        if value in (specification.true, specification.false):
            text.refuse(f"`{value}` is what conditions come to")
    rules, sorts = _reached(process)
    for sort in arrays:
        if sort in sorts:
            text.refuse(f"`{sort}` is a sort of arrays, which are permuted index by index")
    text.check_rules(rules)
    for number, image in enumerate(summands):
        text.check_summand(process.summands[number], process.summands[image], positions)


@dataclass
class _Text:
    process: LinearProcess
    permutation: Permutation
    images: Mapping[Function, Function]

    def refuse(self, why: str, place: Place | None = None) -> NoReturn:
        """Raise that the text alone does not show the symmetry."""
        if place is not None:
            source = self.process.specification.source
            why = source.error(SpecificationError, why, place).drawn()
        raise NotSymmetric(f"the text alone does not prove `{self.permutation}`", witness=why)

    def check_rules(self, rules: Sequence[Rule]) -> None:
        """Check that renaming maps rules to rules, and keeps the order of those that overlap: the
        first that matches is applied."""
        known: dict[tuple[object, ...], int] = {}
        heads: dict[Function, list[int]] = {}
        for number, rule in enumerate(rules):
            known.setdefault(_row((rule.left, rule.right), {}), number)
            heads.setdefault(rule.left.function, []).append(number)
        moved: list[int] = []
        for rule in rules:
            image = known.get(_row((rule.left, rule.right), self.images))
            if image is None:
                name = rule.left.function.name
                self.refuse(f"the image of this rule for `{name}` is no rule", rule.place)
            moved.append(image)
        for numbers in heads.values():
            for at, second in enumerate(numbers):
                for first in numbers[:at]:
                    one, other = rules[first].left, rules[second].left
                    if moved[first] > moved[second] and _overlap(one, other):
                        why = f"rules for `{one.function.name}` overlap, and their images come in "
                        self.refuse(why + "another order", rules[second].place)

    def check_summand(self, summand: Summand, image: Summand, positions: Sequence[int]) -> None:
        """Check that renaming and moving the parameters of a summand gives its image, but for the
        names of its variables and the order of its conditions."""
        if not self.is_image(summand, image, positions):
            name = summand.action or "tau"
            mentioned = (c for c in _functions(_terms(summand)) if self.images.get(c, c) != c)
            constant = next(mentioned, None)
            why = f"`{name}` and its image differ"
            if constant is not None:
                why = f"`{name}` treats `{constant.name}` in a way of its own"
            self.refuse(why, summand.places[0] if summand.places else None)

    def is_image(self, summand: Summand, image: Summand, positions: Sequence[int]) -> bool:
        """Whether a summand becomes the other one."""
        own = {positions[p]: term for p, term in summand.updates}
        other = dict(image.updates)
        sorts = [sorted(v.sort for v in each.variables) for each in (summand, image)]
        if (summand.action, own.keys(), sorts[0]) != (image.action, other.keys(), sorts[1]):
            return False
        parameters = [parameter.variable for parameter in self.process.parameters]
        match = {v: parameters[positions[p]] for p, v in enumerate(parameters)}
        left, right = list(summand.arguments), list(image.arguments)
        left += own.values()
        right += (other[p] for p in own)
        if len(left) != len(right) or not self.extend(match, left, right):
            return False
        return self.same(match, _conditions(summand), _conditions(image))

    def same(self, match: _Match, left: _Conditions, right: _Conditions) -> bool:
        """Whether conditions are the images of others, in any order."""
        if not left or len(left) != len(right):
            return not left and not right
        (kind, terms), *rest = left
        for at, (other, images) in enumerate(right):
            if kind is not other:
                continue
            for order in (images, images[::-1]) if kind is None else (images,):
                further = dict(match)
                if self.extend(further, terms, order) and self.same(
                    further, rest, right[:at] + right[at + 1 :]
                ):
                    return True
        return False

    def extend(self, match: _Match, left: Iterable[Term], right: Iterable[Term]) -> bool:
        """Whether terms are the images of others where variables match; `match` learns which do."""
        waiting = list(zip(left, right, strict=True))
        while waiting:
            one, other = waiting.pop()
            if isinstance(one, Application) and isinstance(other, Application):
                if self.images.get(one.function, one.function) != other.function:
                    return False
                waiting += zip(one.arguments, other.arguments, strict=True)
            elif isinstance(one, Variable) and isinstance(other, Variable):
                if one not in match:
                    if one.sort != other.sort or other in match.values():
                        return False
                    match[one] = other
                if match[one] != other:
                    return False
            else:
                return False
        return True


def _conditions(summand: Summand) -> _Conditions:
    """Return the guards with what they come to, and the equations, in which sides may change."""
    guards: _Conditions = [(guard.positive, (guard.term,)) for guard in summand.guards]
    return guards + [(None, equation) for equation in summand.equations]


def _reached(process: LinearProcess) -> tuple[list[Rule], set[str]]:
    """Return the rules that may be applied to terms of the process, in order, and the sorts of what
    they are about. Constructors come from sums, too."""
    rules = [*process.specification.rules, *process.rules]
    heads: dict[Function, list[Rule]] = {}
    for rule in rules:
        heads.setdefault(rule.left.function, []).append(rule)
    waiting = [function for function in heads if function.constructor]
    waiting += (f for summand in process.summands for f in _functions(_terms(summand)))
    waiting += _functions(process.initial)
    reached: set[Function] = set()
    sorts = {parameter.variable.sort for parameter in process.parameters}
    sorts |= {v.sort for summand in process.summands for v in summand.variables}
    while waiting:
        function = waiting.pop()
        if function not in reached:
            reached.add(function)
            sorts |= {function.sort, *function.arguments}
            waiting += (f for rule in heads.get(function, ()) for f in _functions([rule.right]))
    inside: dict[str, set[str]] = {}
    for function in process.specification.functions:
        if function.constructor:
            inside.setdefault(function.sort, set()).update(function.arguments)
    open_sorts = [*sorts]
    while open_sorts:
        new = inside.get(open_sorts.pop(), set()) - sorts
        sorts |= new
        open_sorts += new
    return [rule for rule in rules if rule.left.function in reached], sorts


def _terms(summand: Summand) -> list[Term]:
    terms = [*summand.arguments, *(term for _, term in summand.updates)]
    return terms + [term for _, condition in _conditions(summand) for term in condition]


def _functions(terms: Iterable[Term]) -> Iterator[Function]:
    """Yield the functions that terms apply."""
    waiting = [*terms]
    while waiting:
        term = waiting.pop()
        if isinstance(term, Application):
            yield term.function
            waiting += term.arguments


def _row(terms: Iterable[Term], images: Mapping[Function, Function]) -> tuple[object, ...]:
    """Return terms in prefix order, constants renamed and variables numbered as they come."""
    numbers: dict[Variable, int] = {}
    row: list[object] = []
    waiting = [*terms][::-1]
    while waiting:
        term = waiting.pop()
        if isinstance(term, Application):
            row.append(images.get(term.function, term.function))
            waiting += reversed(term.arguments)
        else:
            row.append((numbers.setdefault(term, len(numbers)), term.sort))
    return tuple(row)


def _overlap(one: Term, other: Term) -> bool:
    """Whether some term is an instance of both; yes where that is not easily seen."""
    values: dict[tuple[int, Variable], tuple[int, Term]] = {}

    def value(side: int, term: Term) -> tuple[int, Term]:
        while isinstance(term, Variable) and (side, term) in values:
            side, term = values[side, term]
        return side, term

    waiting = [((0, one), (1, other))]
    for _ in range(_STEPS):
        if not waiting:
            return True
        left, right = waiting.pop()
        left, right = value(*left), value(*right)
        if left == right:
            continue
        if isinstance(left[1], Variable):
            values[left[0], left[1]] = right
        elif isinstance(right[1], Variable):
            values[right[0], right[1]] = left
        elif left[1].function != right[1].function:
            return False
        else:
            arguments = zip(left[1].arguments, right[1].arguments, strict=True)
            waiting += (((left[0], a), (right[0], b)) for a, b in arguments)
    return True
