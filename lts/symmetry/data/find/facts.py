"""What the text of a specification says about its constants: the facts that a symmetry must
preserve.

The points are the constants that may occur in states and labels, as far as the text shows. Other
constants (companions) and the control states may move along with them. The relations between
points are collected from the linear process: the initial data of components, which constants occur
together in a step, and how the functions applied in terms treat values. A function on finite sorts
is represented by its table of values, any other by the set of its rules. Array functions are left
out, since arrays are permuted with their indices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

import lts._engine as _engine
from lts.linear.linearise import linearise
from lts.linear.process import Component, LinearProcess
from lts.linear.simplify import SIMPLIFICATIONS
from lts.specification.specification import Application, Function, Specification, Term, Variable
from lts.specification.terms import applications
from lts.state_space.encode import Encoder
from lts.symmetry.data.arrays import array_maps, partial_maps
from lts.symmetry.data.closed_terms import ClosedTerms
from lts.text.source import Place

__all__ = ["Fact", "Facts", "Statement", "facts_of"]

Fact = tuple[str, tuple[int, ...]]
"""A relation and the points that are in it."""

_TABLE = 16384
"""The most entries for which the table of a function is computed."""
_CONTROLS = 2000
"""The most control states that become points; if there are more, each is fixed."""


@dataclass(frozen=True, slots=True)
class Statement:
    """The facts that one part of the text states.

    `kind` is `start` (the number of components of one shape, called `name`, with these initial
    data), `steps` (of one form) or `function`. If a statement `is_certain`,
    every symmetry preserves it, or these steps are never possible; otherwise it may be an artefact,
    as the order of a loop over all values may not matter. `chain` lists the functions through which
    the linear process reaches this one.
    """

    kind: str
    name: str
    facts: frozenset[Fact]
    is_certain: bool
    place: Place | None = None
    chain: tuple[str, ...] = ()
    components: int = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """All constants that may move, and all statements about them.

    The first `own` of the `points` may occur in states or labels; the others are companions: no
    permutation of them alone has an effect. The `controls` are numbered after them.
    """

    specification: Specification
    points: tuple[Application, ...]
    own: int
    controls: int
    statements: tuple[Statement, ...]

    def numbers(self, sort: str) -> list[int]:
        """Return the points of a sort, without companions."""
        own = self.points[: self.own]
        return [number for number, point in enumerate(own) if point.sort == sort]

    @property
    def sorts(self) -> list[str]:
        """The sorts that have points, without companions."""
        return list(dict.fromkeys(point.sort for point in self.points[: self.own]))


def facts_of(process: LinearProcess) -> Facts:
    """Collect the facts that a process states about constants of sorts with several constants."""
    # Inlining constant parameters would add constants to terms that the text does not mention.
    without_constants = [kind for kind in SIMPLIFICATIONS if kind != "constants"]
    unsimplified = linearise(process.specification, simplifications=without_constants)
    return _Collector(unsimplified, occurring(process)).facts()


def occurring(process: LinearProcess) -> Callable[[Application], bool]:
    """Return a test whether a constant may occur in a state or label of a process.

    Permutations of other constants change nothing. A constant may occur if its sort is one of those
    in states and labels, and some sum ranges over that sort, or a term mentions the constant, or so
    does the right-hand side of a rule that evaluation may apply.
    """
    sorts = concerned(process)
    summands = (*process.summands, *process.decisions)
    ranges = _parts(process, {v.sort for summand in summands for v in summand.variables})
    rules: dict[Function, list[Term]] = {}
    for rule in (*process.specification.rules, *process.rules):
        rules.setdefault(rule.left.function, []).extend(rule.results)
    terms = [*process.initial, *(term for summand in summands for term in summand.terms)]
    mentioned: set[Function] = set()
    while terms:
        for part, _ in applications(terms.pop()):
            if part.function not in mentioned:
                mentioned.add(part.function)
                terms += rules.get(part.function, ())
    return lambda constant: (
        constant.sort in sorts and (constant.sort in ranges or constant.function in mentioned)
    )


def concerned(process: LinearProcess) -> set[str]:
    """Return the sorts whose values may be part of states, labels or components of a process;
    permutations of other sorts change nothing."""
    sorts = {parameter.variable.sort for parameter in process.parameters}
    sorts |= {term.sort for summand in process.summands for term in summand.arguments}
    sorts |= {term.sort for component in process.components for term in component.start}
    return _parts(process, sorts)


def _parts(process: LinearProcess, sorts: set[str]) -> set[str]:
    """Return sorts with the sorts of everything that their values may contain."""
    functions = process.specification.functions
    arrays = array_maps(process.specification, process.specification.sorts)
    waiting = [*sorts]
    while waiting:
        sort = waiting.pop()
        inside = {s for f in functions if f.sort == sort and f.constructor for s in f.arguments}
        for get, _ in arrays.get(sort, ()):
            inside |= {get.arguments[1], get.sort}
        waiting += inside - sorts
        sorts |= inside
    return sorts


def constants_of(specification: Specification, sort: str) -> list[Application]:
    """Return the constants of a sort, none of the sort of conditions."""
    if sort == specification.true.sort:
        return []
    found = [f for f in specification.functions if f.constructor and f.sort == sort]
    own = [Application(f) for f in found if not f.arguments]
    return [*specification.identities.get(sort, own)]


@dataclass(eq=False)
class _Use:
    """Where a function is first used: in a summand, or in a rule of another function."""

    place: Place
    by: Function | None = None


@dataclass(eq=False)
class _Collector:
    process: LinearProcess
    occurs: Callable[[Application], bool]
    specification: Specification = field(init=False)
    encoder: Encoder = field(init=False)
    data: _engine.Data = field(init=False)
    points: dict[Application, int] = field(init=False, default_factory=dict)
    controls: dict[Application, int] = field(init=False, default_factory=dict)
    used: dict[Function, _Use] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.specification = self.process.specification
        self.closed_terms = ClosedTerms(self.specification)
        self.encoder = Encoder(self.process)
        self.data = self.encoder.data()

    def facts(self) -> Facts:
        of_sorts = (constants_of(self.specification, s) for s in self.specification.sorts)
        constants = [c for of in of_sorts if len(of) > 1 for c in of if self.normal(c) == c]
        found = [c for c in constants if self.occurs(c)]
        several = Counter(c.sort for c in found)
        own = [c for c in found if several[c.sort] > 1]
        companions = [c for c in constants if not self.occurs(c)]
        self.points = {c: number for number, c in enumerate((*own, *companions))}
        controls = [c for shape in self.process.shapes for c in shape.constants]
        if len(controls) <= _CONTROLS:
            self.controls = {c: number for number, c in enumerate(controls, len(self.points))}
        statements = [*self.starts(), *self.steps(), *self.functions()]
        points = tuple(self.points)
        return Facts(self.specification, points, len(own), len(self.controls), tuple(statements))

    def normal(self, term: Term) -> Application | str:
        """Return the normal form of a closed term; as text, if it is not a term of the
        specification."""
        return self.evaluated(term)[0]

    def evaluated(self, term: Term) -> tuple[Application | str, bool]:
        """Return the normal form of a closed term, as text if it is not a term of the
        specification, and whether it is a value or a placeholder."""
        if term in self.process.unset.values():
            return str(term), True
        try:
            shown, is_value = self.data.normal_form(self.encoder.term(term))
        except _engine.EvaluationError:
            return f"? {term}", False
        text = shown.decode("utf-8", "surrogateescape")
        found = self.closed_terms.term(text, term.sort)
        return (text, False) if found is None else (found, is_value)

    def skeleton(self, terms: Iterable[Term | str], *, open_maps: bool = True) -> Fact:
        """Return terms with their points replaced by holes and variables numbered, and the points.
        Without `open_maps`, an application of a map is represented by the name of the map alone."""
        written: list[str] = []
        points: list[int] = []
        variables: dict[Variable, int] = {}
        for term in terms:
            waiting: list[Term | str] = [term]
            while waiting:
                part = waiting.pop()
                if isinstance(part, str):
                    written.append(part)
                elif isinstance(part, Variable):
                    written.append(f"?{variables.setdefault(part, len(variables))}:{part.sort}")
                elif part in self.points:
                    written.append(f"*:{part.sort}")
                    points.append(self.points[part])
                elif part in self.controls:
                    written.append("*")
                    points.append(self.controls[part])
                elif not (open_maps or part.function.constructor):
                    written.append(part.function.name)
                else:
                    sorts = "#".join(part.function.arguments)
                    written.append(f"{part.function.name}:{sorts}:{part.sort}(")
                    waiting += [")", *reversed(part.arguments)]
            written.append(";")
        return " ".join(written), tuple(points)

    def steps(self) -> Iterator[Statement]:
        """Yield which constants and control states occur together in the steps of each form;
        symmetries preserve the form of a step. Certain facts ignore the arguments of maps, which
        may be written in other ways.

        Records the functions that occur in summands.
        """
        found: dict[tuple[bool, str], tuple[set[Fact], Place]] = {}
        # Control states of different components may correspond, so the sorts of control parameters
        # are left out of the names. Only if there are too many control states for points, these
        # sorts distinguish components.
        sorts = {shape.sort for shape in self.process.shapes} if self.controls else set()
        variables = [parameter.variable for parameter in self.process.parameters]
        names = [Variable(v.name, "" if v.sort in sorts else v.sort) for v in variables]
        for summand in self.process.summands:
            place = summand.places[0]
            for part, _ in (pair for term in summand.terms for pair in applications(term)):
                if part.function not in self.used and not part.function.constructor:
                    self.used[part.function] = _Use(place)
            terms: list[Term | str] = [summand.action or "", *summand.arguments]
            terms += [
                text for guard in summand.guards for text in (guard.term, str(guard.positive))
            ]
            terms += [side for sides in summand.equations for side in sides]
            terms += [part for number, value in summand.updates for part in (names[number], value)]
            for is_certain in (True, False):
                relation, points = self.skeleton(terms, open_maps=not is_certain)
                known, _ = found.setdefault((is_certain, relation), (set(), place))
                known.add((f"steps {is_certain} {relation}", points))
        first = [c for term, c in self.controls.items() if term in self.process.initial]
        found[True, "first"] = ({("first", (number,)) for number in first}, (1, 1))
        for (is_certain, _), (facts, place) in found.items():
            if any(points for _, points in facts):
                yield Statement("steps", "", frozenset(facts), is_certain, place)

    def starts(self) -> Iterator[Statement]:
        """Yield the initial data of the components of each shape.

        Facts about data that no equation reduces to a value are not certain: the notation of such a
        term may distinguish constants that a symmetry exchanges.
        """
        shapes: dict[int, list[Component]] = {}
        for component in self.process.components:
            shapes.setdefault(id(component.shape), []).append(component)
        for number, components in enumerate(shapes.values()):
            found: dict[bool, Counter[Fact]] = {True: Counter(), False: Counter()}
            for component in components:
                for fact, is_certain in self.start(component):
                    found[is_certain][fact] += 1
            name = components[0].shape.name
            for is_certain, counted in found.items():
                facts = frozenset(
                    (f"start {number} {relation} x{count}", points)
                    for (relation, points), count in counted.items()
                )
                if facts:
                    yield Statement("start", name, facts, is_certain, components=len(components))

    def start(self, component: Component) -> Iterator[tuple[Fact, bool]]:
        """Yield facts about the initial data of a component, each with whether it is certain."""
        arrays = self.arrays()
        known = [self.evaluated(term) for term in component.start]
        plain = [at for at, term in enumerate(component.start) if term.sort not in arrays]
        relation, points = self.skeleton([known[at][0] for at in plain])
        yield (relation, points), all(known[at][1] for at in plain)
        for at, (value, is_value) in enumerate(known):
            get = arrays.get(component.start[at].sort)
            if get is None or isinstance(value, str):
                continue
            partial = partial_maps(self.specification, get)
            for point, index in self.points_of(get.arguments[1]):
                is_certain = is_value
                if partial is not None:
                    has_element, is_known = self.evaluated(Application(partial[0], (value, point)))
                    is_certain = is_certain and is_known
                    if has_element == self.specification.false:
                        yield (f"{relation} [{at}] none", (*points, index)), is_certain
                        continue
                element, is_known = self.evaluated(Application(get, (value, point)))
                inner, more = self.skeleton([element])
                fact = (f"{relation} [{at}] {inner}", (*points, index, *more))
                yield fact, is_certain and is_known

    def functions(self) -> Iterator[Statement]:
        """Yield how functions treat points: functions applied in terms, or in the rules of such
        functions."""
        rules: dict[Function, list[tuple[tuple[Term, ...], Place]]] = {}
        for rule in self.specification.rules:
            sides = (rule.left, *rule.results)
            rules.setdefault(rule.left.function, []).append((sides, rule.place))
        arrays = {
            function
            for pairs in array_maps(self.specification, self.sorts()).values()
            if len(pairs) == 1
            for function in pairs[0]
        }
        # All functions of the library on its arrays treat indices alike, if those that they rely
        # on do so.
        of_library = self.of_library()
        arrays |= of_library.keys()
        waiting = [function for function in self.used if function not in arrays]
        reached = {
            on: by for by in self.used for on in of_library.get(by, ()) if on not in self.used
        }
        for function, by in reached.items():
            self.used[function] = _Use(self.used[by].place, by)
        waiting += reached
        for function in waiting:
            own = rules.get(function, [])
            facts = self.table(function)
            places = [
                place
                for sides, place in own
                if any(part in self.points for side in sides for part, _ in applications(side))
            ]
            if facts is None:
                facts = frozenset(
                    (f"rule {relation}", points)
                    for relation, points in (self.skeleton(sides) for sides, _ in own)
                    if points
                )
                for sides, place in own:
                    for side in sides:
                        for part, _ in applications(side):
                            inner = part.function
                            if inner.constructor or inner in self.used:
                                continue
                            self.used[inner] = _Use(place, function)
                            if inner not in arrays:
                                waiting.append(inner)
            if facts:
                places += [place for _, place in own]
                first = places[0] if places else None
                chain = self.chain(function)
                yield Statement("function", function.name, facts, False, first, chain)

    def table(self, function: Function) -> frozenset[Fact] | None:
        """Return the table of a function; None unless its arguments are of small finite sorts."""
        carriers = [self.carrier(sort) for sort in function.arguments]
        sizes = [len(carrier) for carrier in carriers if carrier is not None]
        if not function.arguments or len(sizes) < len(carriers) or prod(sizes) > _TABLE:
            return None
        found = set()
        for arguments in product(*(carrier for carrier in carriers if carrier is not None)):
            value = self.normal(Application(function, arguments))
            relation, points = self.skeleton([*arguments, value])
            if points:
                found.add((f"value {function.name} {relation}", points))
        return frozenset(found)

    def carrier(self, sort: str) -> list[Application] | None:
        """Return the values of a sort that has only constants; None for any other sort."""
        own = [f for f in self.specification.functions if f.constructor and f.sort == sort]
        if not own or any(f.arguments for f in own):
            return None
        values = dict.fromkeys(self.normal(Application(f)) for f in own)
        found = [value for value in values if not isinstance(value, str)]
        return found if len(found) == len(values) else None

    def chain(self, function: Function) -> tuple[str, ...]:
        """Return the functions through which a summand reaches this one, which is the last."""
        names = [function.name]
        use = self.used[function]
        while use.by is not None:
            names.append(use.by.name)
            use = self.used[use.by]
        return tuple(reversed(names))

    def sorts(self) -> set[str]:
        return {point.sort for point in self.points}

    def arrays(self) -> dict[str, Function]:
        """Return the maps that read arrays indexed by points, by sort of array."""
        found = array_maps(self.specification, self.sorts())
        return {sort: pairs[0][0] for sort, pairs in found.items() if len(pairs) == 1}

    def of_library(self) -> dict[Function, Sequence[Function]]:
        """Return the functions on arrays, maps and sets of the library that commute with every
        permutation of indices, each with the functions that must commute for it to do so."""
        from lts.symmetry.data.library_arrays import library_arrays

        def evaluate(term: Application) -> Application | None:
            found = self.normal(term)
            return None if isinstance(found, str) else found

        found = library_arrays(self.process, self.arrays(), self.sorts(), evaluate)
        return {f: on for one in found.values() for f, on in one.commuting.items()}

    def points_of(self, sort: str) -> list[tuple[Application, int]]:
        return [(point, number) for point, number in self.points.items() if point.sort == sort]
