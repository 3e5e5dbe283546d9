"""Answers properties of nets: formulas of the Model Checking Contest, and upper bounds.

The reachable markings are explored, or one of each orbit: as formulas name places and transitions
with all of their colours, they hold in all markings of an orbit or in none. Conditions on single
markings are evaluated for all markings at once, and so are nested path quantifiers, from the
innermost outwards: each operator of CTL by a search backwards. Other formulas about paths are left
to `lts.logic`, on a system in which the label of each step is the set of conditions that hold in
the marking where it begins.

Paths are maximal. In LTL, a path that ends in a deadlock repeats the last marking forever; but the
`next` of CTL is about steps of the net: in a deadlock, `exists-path next f` is false, and
`all-paths next f` true. The published answers of the contest agree with this, and so does TAPAAL
(its `verifypn` lets a deadlock loop in the product with a Büchi automaton). Where LTL and CTL
differ, in a `next` directly inside a path quantifier and of a formula about a marking, it is that
of CTL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from math import inf
from typing import TYPE_CHECKING

import numpy as np

import lts._engine as _engine
from lts.base.bounds import PAIRS, PATH_FORMULA
from lts.errors import LimitReached, Unsupported
from lts.logic import check, satisfying_states
from lts.logic.text.tokens import deeply
from lts.petri.automorphisms import Roles
from lts.petri.diagrams import BY_MARKINGS, BY_ORBITS, Diagram, is_about_markings
from lts.petri.exploration import explore, net_quotient
from lts.petri.fixed_points import Predecessors
from lts.petri.grounding import Firing, GroundNet
from lts.petri.net import Truth
from lts.petri.properties import (
    Arithmetic,
    Count,
    CountComparison,
    Deadlock,
    Fireable,
    Formula,
    Number,
    Operation,
    PlaceBound,
    Property,
    TokensIn,
    reachability,
)
from lts.petri.symmetry import NetAction
from lts.petri.unbounded import MARKINGS, limit_remark, unbounded_places
from lts.state_space.generation import Generation, refuse
from lts.state_space.settings import DEFAULT, Settings
from lts.system.lts import LTS

if TYPE_CHECKING:
    import numpy.typing as npt

    Truths = npt.NDArray[np.bool_]
    Numbers = npt.NDArray[np.int64]

__all__ = ["Answer", "answers", "roles_for"]

Answer = bool | int | float
"""Whether a formula holds, or a bound, which may be infinite."""


def roles_for(net: GroundNet, properties: Sequence[Property]) -> Roles:
    """Return the roles that symmetries of a net without colours must preserve to answer the
    properties on orbits: in each set of transitions or places that is named.

    If the net has inhibitor or reset arcs, each place that is named has a role of its own: tokens
    of a place that is reset are no sum of changes.
    """
    places: dict[str, list[object]] = {}
    transitions: dict[str, list[object]] = {}
    waiting: list[Formula | PlaceBound | Count] = [property.content for property in properties]
    for number, content in enumerate(waiting):  # grows during the loop
        match content:
            case TokensIn(named) | PlaceBound(named):
                for name in named:
                    own = name if net.has_inhibitors_or_resets else None
                    places.setdefault(name, []).append((number, own))
            case Fireable(named):
                for name in named:
                    transitions.setdefault(name, []).append(number)
            case CountComparison(_, left, right):
                waiting += (left, right)
            case Operation(_, parts) | Arithmetic(_, parts):
                waiting += parts

    def of(roles: Mapping[str, list[object]]) -> Callable[[str], object]:
        return lambda name: tuple(roles.get(name, ()))

    return Roles(of(transitions), of(places))


def answers(
    net: GroundNet,
    properties: Sequence[Property],
    action: NetAction | None = None,
    settings: Settings = DEFAULT,
    *,
    report: Callable[[int, Answer], object] | None = None,
) -> list[tuple[str, Answer]]:
    """Return the identifier and the answer of each property: whether its formula holds initially,
    or, for a bound, the largest number of tokens in a reachable marking, infinite if the places are
    found to be unbounded.

    The net is explored under those symmetries of an action, if one is given, that preserve the
    `roles_for` the properties; if all properties are about reachable markings, `MANY` markings are
    explored before, which may decide them. Where there are many markings or orbits, decision
    diagrams answer what is about reachable markings, see `lts.petri.diagrams`.
    `report` is given the index and the answer of each when it is known. Raises `LimitReached` if a
    limit of the settings is exceeded, after what the explored markings decide was reported. The
    limit on states is about the orbits or markings that are stored, that on `positions` about each
    formula; the others are about the exploration.
    """
    # Properties name transitions by their identifiers.
    net = replace(net, net=net.net.by_identifier())
    if action is not None:
        action = action.by_identifier().preserving(roles_for(net, properties))
        action = None if action.order == 1 else action
    limits = settings.limits
    settings = replace(settings, limits=replace(limits, positions=PAIRS.default))
    known: dict[int, Answer] = {}

    def found(number: int, answer: Answer) -> None:
        known[number] = answer
        if report is not None:
            report(number, answer)

    def find_infinite(markings: int) -> None:
        """Report the bounds of places that so many markings of a tree show to be unbounded."""
        bounds = [
            (number, property.content.places)
            for number, property in enumerate(properties)
            if isinstance(property.content, PlaceBound) and number not in known
        ]
        unbounded = unbounded_places(net, markings) if bounds else frozenset()
        for number, places in bounds:
            if not unbounded.isdisjoint(places):
                found(number, inf)

    def explored(most: int | None) -> Generation:
        """Explore at most `most` markings, and report the properties that they decide if there are
        more."""
        some = replace(settings, limits=replace(settings.limits, states=most)).without_group
        result = explore(net, some)
        if result.incomplete not in (None, "interrupted") and result.lts is not None:
            markings = _Markings(net, result.lts, limits.positions)
            for number, property in enumerate(properties):
                if number not in known:
                    answer = _decided(markings, property, result.statistics.explored)
                    if answer is not None:
                        found(number, answer)
            find_infinite(MARKINGS)
        return result

    def decide_by_diagram(nodes: int) -> None:
        """Report what a decision diagram of the reachable markings tells."""
        diagram = Diagram.of(net, limits, nodes)
        for number, property in enumerate(properties):
            if diagram is not None and number not in known and is_about_markings(property.content):
                with deeply("", property.file):
                    answer = diagram.answer(property.content)
                if answer is not None:
                    found(number, answer)

    def whole(most: int | None) -> LTS:
        """Explore all markings, or one of each orbit, unless there are more than `most`."""
        within = replace(settings, limits=replace(settings.limits, states=most))
        if action is not None:
            return LTS(net_quotient(action, within).quotient.graph())
        result = begun
        if result is None or (result.incomplete == "states" and (most is None or most > MANY)):
            result = explored(most)
        if result.incomplete is not None or result.lts is None:
            refuse(None, result, within.limits)
        return result.lts

    find_infinite(FEW_COVERED)
    most = limits.states
    begun = None
    if all(reachability(property.content) is not None for property in properties):
        begun = explored(MANY if most is None else min(most, MANY))
    system = None
    efforts = BY_MARKINGS if action is None else BY_ORBITS
    for few, nodes in () if net.has_inhibitors_or_resets else efforts:
        unknown = (
            property.content for number, property in enumerate(properties) if number not in known
        )
        if (most is not None and most <= few) or not any(map(is_about_markings, unknown)):
            break
        try:
            system = whole(few)
            break
        except LimitReached as error:
            if error.limit != few:
                raise
        if limit_remark(net):
            break
        decide_by_diagram(nodes)
    if len(known) < len(properties):
        try:
            system = whole(most) if system is None else system
        except LimitReached:
            if action is not None and (begun is None or (most is not None and most > MANY)):
                explored(MANY if most is None else most)
            raise
        _answer_all(_Markings(net, system, limits.positions), properties, known, found)
    return [(property.identifier, known[n]) for n, property in enumerate(properties)]


def _answer_all(
    markings: _Markings,
    properties: Sequence[Property],
    known: Container[int],
    found: Callable[[int, Answer], object],
) -> None:
    """Answer the properties that are not `known` on all markings."""
    with _engine.Stage("property", len(properties), items=True) as stage:
        for number, property in enumerate(properties):
            stage.reach(number + 1)
            if number not in known:
                with deeply("", property.file):
                    found(number, _answer(markings, property.content))


FEW_COVERED = 2_000
"""Markings of a coverability tree that are tried before bounds of places are explored."""

MANY = 100_000
"""Markings that are explored before all others if they may decide all properties."""


def _decided(markings: _Markings, one: Property, explored: int) -> bool | None:
    """Return the answer that the first `explored` markings decide, all of whose steps are known."""
    reached = reachability(one.content)
    if reached is None:
        return None
    answer, goal = reached
    with deeply("", one.file):
        truths = _evaluated(markings, goal)
    assert not isinstance(truths, _Path)
    return answer if truths[:explored].any() else None


def _answer(markings: _Markings, content: Formula | PlaceBound) -> bool | int:
    match content:
        case PlaceBound(places):
            return int(markings.tokens(places).max())
        case Operation(("A" | "E") as quantifier, (inner,)):
            path = _evaluated(markings, inner)
            match path:
                case _Path("G", (np.ndarray() as truths,)) if quantifier == "A":
                    return bool(truths.all())
                case _Path("F", (np.ndarray() as truths,)) if quantifier == "E":
                    return bool(truths.any())
                case _Path():
                    found = _one_operator(markings, quantifier, path)
                    if found is not None:
                        return bool(found[markings.system.initial])
            # From the initial marking alone, a path is often found in a part of the system.
            system, text = _on_paths(markings, quantifier, path)
            return check(system, text, max_positions=markings.most).holds
    holds = _evaluated(markings, content)
    assert not isinstance(holds, _Path)
    return bool(holds[markings.system.initial])


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """A formula about paths; its parts about markings are evaluated."""

    operator: str
    parts: tuple[_Path | Truths, ...]


def _evaluated(markings: _Markings, formula: Formula) -> _Path | Truths:
    """Return in which markings a formula holds, or a formula about paths."""
    match formula:
        case Truth(holds):
            return np.full(markings.system.state_count, holds)
        case Deadlock():
            return markings.deadlocks
        case Fireable(transitions):
            return markings.fireable(transitions)
        case CountComparison(relation, left, right):
            compared: Truths = _RELATIONS[relation](markings.count(left), markings.count(right))
            return compared
    parts = tuple(_evaluated(markings, part) for part in formula.parts)
    truths = [part for part in parts if not isinstance(part, _Path)]
    if formula.operator in ("A", "E"):
        return _quantified(markings, formula.operator, parts[0])
    if len(truths) < len(parts) and formula.operator in ("!", "xor", "<=>"):
        return _parity(np.full(markings.system.state_count, formula.operator != "xor"), parts)
    if len(truths) < len(parts) or formula.operator not in _CONNECTIVES:
        return _Path(formula.operator, parts)
    return _CONNECTIVES[formula.operator](*truths)


def _parity(truths: Truths, parts: Sequence[_Path | Truths]) -> _Path:
    """Return that an odd number of some formulas hold.

    So are negations, equivalences and exclusive disjunctions, in each other, too: one sum, whose
    text repeats no formula for each level in which it stands.
    """
    paths: list[_Path | Truths] = []
    for part in parts:
        match part:
            case np.ndarray():
                truths = truths != part
            case _Path("odd", (np.ndarray() as own, *others)):
                truths = truths != own
                paths += others
            case _:
                paths.append(part)
    return _Path("odd", (truths, *paths))


_RELATIONS = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}

_CONNECTIVES: Mapping[str, Callable[..., Truths]] = {
    "!": np.logical_not,
    "&&": lambda *parts: np.logical_and.reduce(parts),
    "||": lambda *parts: np.logical_or.reduce(parts),
    "xor": np.not_equal,
    "=>": np.less_equal,
    "<=>": np.equal,
}


def _quantified(markings: _Markings, quantifier: str, path: _Path | Truths) -> Truths:
    """Return in which markings all paths satisfy a formula, or some path does."""
    if not isinstance(path, _Path):
        return path
    found = _one_operator(markings, quantifier, path)
    if found is not None:
        return found
    system, text = _on_paths(markings, quantifier, path)
    states = satisfying_states(system, text, max_positions=markings.most)
    return np.array(states.tolist(), dtype=bool)


def _one_operator(markings: _Markings, quantifier: str, path: _Path) -> Truths | None:
    """Return in which markings all paths satisfy one operator of formulas about markings, or some
    path does; None for another formula."""
    if any(isinstance(part, _Path) for part in path.parts) or path.operator == "odd":
        return None
    graph = markings.predecessors
    match path:
        case _Path("X", (np.ndarray() as truths,)):
            return markings.next(quantifier, truths)
        case _Path("F", (np.ndarray() as goal,)) if quantifier == "E":
            return graph.until(np.ones_like(goal), goal)
        case _Path("F", (np.ndarray() as goal,)):
            return ~graph.always(~goal)
        case _Path("G", (np.ndarray() as holds,)) if quantifier == "E":
            return graph.always(holds)
        case _Path("G", (np.ndarray() as holds,)):
            return ~graph.until(np.ones_like(holds), ~holds)
        case _Path("U", (np.ndarray() as before, np.ndarray() as goal)) if quantifier == "E":
            return graph.until(before, goal)
        case _Path("U", (np.ndarray() as before, np.ndarray() as goal)):
            # Some path stays out of the goal, or leaves `before` on its way there.
            return ~(graph.until(~goal, ~before & ~goal) | graph.always(~goal))
    return None


def _on_paths(markings: _Markings, quantifier: str, path: _Path | Truths) -> tuple[LTS, str]:
    """Return a formula of `lts.logic` about all paths or some path, and the system for it."""
    atoms: list[Truths] = []
    for truths in _truths(path):
        if _number(atoms, truths) is None:
            atoms.append(truths)

    def text(part: _Path | Truths) -> str:
        found = written(part)
        _refuse_long(found)
        return found

    def written(part: _Path | Truths) -> str:
        if not isinstance(part, _Path):
            own = _number(atoms, part)
            values = ("!1" if number == own else "?any" for number in range(len(atoms)))
            return f"<{{s {' '.join(values)}}}>true"
        if part.operator == "odd":
            return odd(part)
        texts = [f"({text(inside)})" for inside in part.parts]
        if part.operator in ("G", "F", "X"):
            return f"{part.operator} {texts[0]}"
        return f" {part.operator} ".join(texts)

    def odd(part: _Path) -> str:
        truths, *paths = part.parts
        assert not isinstance(truths, _Path)
        counts = Counter(f"({text(inside)})" for inside in paths)
        texts = [inside for inside, count in counts.items() if count % 2]
        if truths.all():
            if not texts:
                return "true"
            texts[0] = f"(!{texts[0]})"
        elif truths.any():
            texts.append(f"({text(truths)})")
        # Pairs of pairs: the text is at most quadratic.
        while len(texts) > 1:
            pairs = zip_longest(texts[::2], texts[1::2])
            texts = [f"(({a} || {b}) && !({a} && {b}))" if b else a for a, b in pairs]
            _refuse_long(*texts)
        return texts[0] if texts else "false"

    return markings.valued(atoms), f"{quantifier} ({text(path)})"


def _refuse_long(*texts: str) -> None:
    if sum(map(len, texts)) > PATH_FORMULA.default:
        raise Unsupported(f"a formula of {PATH_FORMULA.exceeded()} without `equivalence`")


def _truths(path: _Path | Truths) -> Iterator[Truths]:
    """Yield what is about markings in a formula."""
    if not isinstance(path, _Path):
        yield path
        return
    for part in path.parts:
        yield from _truths(part)


def _number(atoms: Sequence[Truths], truths: Truths) -> int | None:
    return next((n for n, known in enumerate(atoms) if np.array_equal(known, truths)), None)


@dataclass(eq=False)
class _Markings:
    """The reachable markings of a net, or one of each orbit.

    `most` is the largest number of pairs of a marking and a subformula.
    """

    net: GroundNet
    explored: LTS
    most: int
    known: dict[str, Numbers] = field(default_factory=dict)
    """The numbers of tokens in places."""

    def __post_init__(self) -> None:
        self.transitions = {t.identifier: n for n, t in enumerate(self.net.net.transitions)}
        # Breadth first, with steps sorted by source: the initial marking is number 0, and the first
        # step into another one is from a smaller number.
        self.system = self.explored.reachable()
        self.source = np.asarray(self.system.source)
        self.target = np.asarray(self.system.target)
        # A label is the identifier of a transition, with the colours of variables in brackets. An
        # identifier has no brackets, but may have blanks, which would separate an action and its
        # arguments elsewhere.
        of_label = [self.transitions[text.partition("(")[0]] for text in self.system.labels]
        self.transition = np.array(of_label, dtype=np.int64)[np.asarray(self.system.label)]

    @cached_property
    def zeros(self) -> Numbers:
        """The number zero for each marking."""
        return np.zeros(self.system.state_count, dtype=np.int64)

    @cached_property
    def deadlocks(self) -> Truths:
        """In which markings no transition is enabled."""
        found = np.ones(self.system.state_count, dtype=bool)
        found[self.source] = False
        return found

    def fireable(self, names: Sequence[str]) -> Truths:
        """Return in which markings one of some transitions is enabled."""
        selected = np.zeros(len(self.transitions), dtype=bool)
        selected[[self.transitions[name] for name in names]] = True
        found = np.zeros(self.system.state_count, dtype=bool)
        found[self.source[selected[self.transition]]] = True
        return found

    def next(self, quantifier: str, truths: Truths) -> Truths:
        """Return from which markings all steps lead to some markings, or one step does."""
        if quantifier == "A":
            return ~self.next("E", ~truths)
        found = np.zeros(self.system.state_count, dtype=bool)
        found[self.source[truths[self.target]]] = True
        return found

    @cached_property
    def predecessors(self) -> Predecessors:
        """The steps by their targets."""
        return Predecessors(self.system)

    def count(self, count: Count) -> Numbers:
        """Return a number for each marking."""
        match count:
            case Number(value):
                return np.full(self.system.state_count, value, dtype=np.int64)
            case TokensIn(places):
                return self.tokens(places)
            case Arithmetic("+", parts):
                return sum(map(self.count, parts), start=self.zeros)
        left, right = map(self.count, count.parts)
        return left - right

    def tokens(self, places: Sequence[str]) -> Numbers:
        """Return the number of tokens in some places for each marking."""
        for place in places:
            if place not in self.known:
                self.known[place] = self._tokens(place)
        return sum((self.known[place] for place in places), start=self.zeros)

    def _tokens(self, place: str) -> Numbers:
        # A transition changes this number by as much for all colours of its variables: terms have
        # as many tokens for all of them.
        spots = {number for number, (name, _) in enumerate(self.net.spots) if name == place}
        initial = sum(self.net.initial[spot] for spot in spots)
        changes = np.zeros(len(self.transitions), dtype=np.int64)
        resets = np.zeros(len(self.transitions), dtype=bool)
        for number, firing in self.first.items():
            put = sum(count for spot, count in firing.puts if spot in spots)
            resets[number] = not spots.isdisjoint(firing.resets)
            # A reset place has only the dot, and then what is put there.
            taken = sum(count for spot, count in firing.takes if spot in spots)
            changes[number] = put - (initial if resets[number] else taken)
        steps, before = self.tree
        found = self.zeros.copy()
        found[1:] = changes[self.transition[steps[1:]]]
        before = before.copy()
        before[1:][resets[self.transition[steps[1:]]]] = 0
        while before.any():
            # Each is the sum of the changes since the marking before it; the next ones go back
            # twice as far.
            found += found[before]
            before = before[before]
        return found + initial

    @cached_property
    def first(self) -> dict[int, Firing]:
        """One transition without variables for each transition that has one."""
        found: dict[int, Firing] = {}
        for firing in self.net.firings:
            found.setdefault(firing.transition, firing)
        return found

    @cached_property
    def tree(self) -> tuple[Numbers, Numbers]:
        """For each marking the number of the first step into it, and the marking where that begins.
        For the initial marking, that is itself."""
        targets, first = np.unique(self.target, return_index=True)
        steps = self.zeros.copy()
        steps[targets] = first
        before = self.zeros.copy()
        before[1:] = self.source[steps[1:]]
        return steps, before

    def valued(self, atoms: Sequence[Truths]) -> LTS:
        """Return the system with other labels: which atoms hold where a step begins. Deadlocks
        loop."""
        classes = self.zeros
        for atom in atoms:
            _, classes = np.unique(2 * classes + atom, return_inverse=True)
        _, first = np.unique(classes, return_index=True)
        valuations = np.stack(atoms, axis=1)[first].astype(int).tolist()
        labels = [f"s({','.join(map(str, row))})" for row in valuations]
        deadlocks = np.flatnonzero(self.deadlocks)
        source = np.append(self.source, deadlocks)
        steps = (source, classes[source], np.append(self.target, deadlocks))
        sources, numbers, targets = (memoryview(column.data) for column in steps)
        return LTS.from_columns(
            sources, numbers, targets, labels, self.system.initial, self.system.state_count
        )
