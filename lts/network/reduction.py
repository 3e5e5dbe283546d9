"""Compositional minimisation: networks that are minimised during composition.

Components are minimised first, after hiding what no other component needs; then parts are merged
and minimised, until one is left. Strong, branching, weak and divergence-preserving branching
bisimulation are congruences for networks, since vectors neither change nor synchronise internal
steps (Lang, Exp.Open 2.0, IFM 2005; van Glabbeek, Luttik and Trcka, 2009, on divergence). So is
sharp bisimulation, if all labels of parts count as strong that occur in a vector with a strong
result (Lang, Mateescu and Mazzanti, TACAS 2020). Hence the result is equivalent to the network, and
since minimal systems are canonical, it is the same as that of minimising the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic

import lts._engine as _engine
from lts.base.label_names import matched
from lts.equivalence.minimisation import minimise, refuse_strong
from lts.equivalence.names import equivalence_named as named
from lts.errors import LtsError, Unsupported
from lts.network.exploration import Explored, compose, composer
from lts.network.network import TAU, Nesting, Network
from lts.network.parts import Part, Parts
from lts.network.runs import RunStep, run_of
from lts.network.smart import Chooser
from lts.state_space.settings import NO_LIMITS, Limits, Settings
from lts.system.lts import LTS

__all__ = [
    "CONGRUENCES",
    "STRATEGIES",
    "Composers",
    "MergeStep",
    "Order",
    "Reduction",
    "parse_order",
    "reduce",
]

CONGRUENCES = ("strong", "branching", "divergence-preserving-branching", "weak")
"""The equivalences by which networks can be minimised."""

STRATEGIES = ("smart", "node", "leaf", "root", "root leaf")
"""Names of orders, as in CADP's SVL: "smart" merges parts as `lts.network.smart` chooses, "node" as
the operators of the text compose them; "leaf" minimises only components, "root" only the whole, and
"root leaf" both."""

Order = Nesting | str
"""One of `STRATEGIES`, or nested groups of components, merged from the innermost."""


@dataclass(frozen=True, slots=True)
class MergeStep:
    """One merge: the components of the part, the size of the composition, and its minimal size.

    If `known`, an equal sub-network was built before, and this is a copy of it under other labels.
    """

    components: tuple[int, ...]
    states: int
    transitions: int
    minimal_states: int
    minimal_transitions: int
    known: bool


@dataclass(frozen=True, slots=True)
class Reduction:
    """The minimal LTS of a network, the steps that led to it, and all parts.

    The last part contains all components; `results` are its slots with their labels in the network.
    `minimising` is the time spent on minimisation, in seconds.
    """

    lts: LTS
    steps: tuple[MergeStep, ...]
    parts: tuple[Part, ...]
    results: tuple[tuple[int, str], ...]
    minimising: float

    def __repr__(self) -> str:
        return f"<Reduction: {self.lts.state_count} states, in {len(self.steps)} steps>"

    @property
    def largest(self) -> int:
        """The number of states of the largest intermediate composition."""
        return max((step.states for step in self.steps), default=self.lts.state_count)

    def run(self, labels: Iterable[str]) -> tuple[RunStep, ...]:
        """Return a run of the whole network with these visible labels.

        Raises `LtsError` if the network has no such run.
        """
        return run_of(self.parts, self.results, [*labels])

    @property
    def built(self) -> int:
        """How many parts were composed and minimised; the others were copies of known ones."""
        return sum(not step.known for step in self.steps)


def reduce(
    network: Network,
    equivalence: str,
    *,
    order: Order = "smart",
    strong: Collection[str] = (),
    limits: Limits = NO_LIMITS,
    threads: int = 1,
    report: Callable[[MergeStep], object] | None = None,
) -> Reduction:
    """Return the minimal LTS of a network modulo one of `CONGRUENCES`, composed part by part.

    The `order` is one of `STRATEGIES`, or nested groups of components; components that it omits are
    merged with the rest in the end. With "leaf" the result is composed of minimal components, and
    is not minimal itself. Of sub-networks that are images of each other only one is built. `strong`
    labels of the network are as in `lts.equivalence.minimise`. `report` is called with each step.
    Raises `Unsupported` for another equivalence, `LtsError` for an invalid order, and
    `LimitReached` if an intermediate composition is too large.

    >>> from lts.network import Network
    >>> one = LTS.from_transitions([(0, "a", 1), (1, "b", 0)])
    >>> vectors = [({0: "a", 1: "a"}, "a"), ({0: "b"}, "tau"), ({1: "b"}, "tau")]
    >>> reduce(Network.of([one, one], vectors), "branching").lts.state_count
    1
    """
    name = named(equivalence).name
    if name not in CONGRUENCES:
        known = ", ".join(CONGRUENCES[:-1])
        raise Unsupported(
            f"the parts of a network are minimised modulo {known} or {CONGRUENCES[-1]}; "
            f"modulo {name} only the whole: compose it first"
        )
    explore = composer(Settings(limits=limits, threads=threads))
    visible = dict.fromkeys(vector.result for vector in network.vectors if vector.result != TAU)
    if strong:
        refuse_strong(name, strong, (TAU,))
    at_once = frozenset(matched(strong, visible))
    parts = Parts(network, name, explore, at_once)
    steps: list[MergeStep] = []

    def merge(chosen: Sequence[int], *, minimising: bool = True) -> int:
        number, is_known = parts.merge(chosen, minimising=minimising)
        part = parts.parts[number]
        system = part.shape.system
        sizes = (*part.shape.product, system.state_count, system.transition_count)
        step = MergeStep(tuple(sorted(part.members)), *sizes, is_known)
        steps.append(step)
        if report is not None:
            report(step)
        return number

    def join(chosen: Sequence[int], *, minimising: bool = True) -> int:
        with _engine.Stage(f"merging {len(chosen)} of {len(parts.parts)} parts", 0):
            return merge(chosen, minimising=minimising)

    count = len(network.components)
    leaves = [*range(count)]
    if order != "root":
        with _engine.Stage("component", count, items=True) as stage:
            for leave in leaves:
                stage.reach(leave + 1)
                leaves[leave] = merge([leave])
    if order == "smart":
        chooser = Chooser(parts)
        while len(parts.parts) > 1:
            chooser.add(join(chooser.best()))
    elif not isinstance(order, str) or order == "node":
        groups = network.nesting if isinstance(order, str) else order
        _check(groups, count)

        def group(members: Nesting) -> int:
            numbers = [
                leaves[member] if isinstance(member, int) else group(member) for member in members
            ]
            return join(numbers) if len(numbers) > 1 else numbers[0]

        if groups:
            group(groups)
    elif order not in STRATEGIES:
        raise LtsError(
            f"unknown order `{order}`: use {', '.join(STRATEGIES)}, or groups of components"
        )
    minimal = order != "leaf"
    if len(parts.parts) > 1 or (order == "root" and count):
        join(sorted(parts.parts), minimising=minimal)
    whole = explore(parts.rest())
    if minimal:
        begun = monotonic()
        whole = minimise(whole, name, consume=True, strong=at_once)
        parts.minimising += monotonic() - begun
    results = [(slot, label) for slots, label in parts.vectors.values() for slot in slots.values()]
    history = tuple(steps), tuple(parts.history), tuple(results), parts.minimising
    return Reduction(whole, *history)


@dataclass(frozen=True, slots=True)
class Composers:
    """How parts of a network are composed while its text is read."""

    whole: Explored = compose
    """Generates the state space of a part that has an interface, or is one."""
    bisimilar: Explored = compose
    """Generates that of a part with priorities, or a strongly bisimilar system."""
    reduce: Callable[[Network, str], Reduction] = reduce
    """Minimises a network modulo an equivalence, to verify interfaces."""


def _check(order: Nesting, count: int) -> None:
    """Raise `LtsError` if an order names a component that does not exist, or one twice."""
    seen: set[int] = set()
    waiting: list[Nesting] = [order]
    while waiting:
        for one in waiting.pop():
            if not isinstance(one, int):
                waiting.append(one)
                continue
            if not 0 <= one < count:
                raise LtsError(f"there is no component {one + 1}: there are {count}")
            if one in seen:
                raise LtsError(f"component {one + 1} occurs twice in the order")
            seen.add(one)


def parse_order(text: str) -> Order:
    """Parse an order: a word, or numbers from 1 in nested brackets.

    Raises `LtsError` for any other text.

    >>> parse_order("((1 2) (3 4)) 5")
    (((0, 1), (2, 3)), 4)
    """
    name = " ".join(text.split())
    if name in STRATEGIES:
        return name
    stack: list[list[int | Nesting]] = [[]]
    for word in text.replace("(", " ( ").replace(")", " ) ").replace(",", " ").split():
        if word == "(":
            stack.append([])
        elif word == ")":
            if len(stack) == 1 or not stack[-1]:
                raise LtsError(f"unmatched bracket in the order `{text}`")
            done = tuple(stack.pop())
            stack[-1].append(done)
        elif word.isdecimal() and word.isascii() and len(word) < 10 and int(word) > 0:
            stack[-1].append(int(word) - 1)
        else:
            words = ", ".join(f"`{name}`" for name in STRATEGIES)
            raise LtsError(
                f"an order is {words}, or has numbers from 1 and brackets, such as `((1 2) 3)`, "
                f"not `{word}`"
            )
    if len(stack) > 1:
        raise LtsError(f"unclosed bracket in the order `{text}`")
    return tuple(stack[0])
