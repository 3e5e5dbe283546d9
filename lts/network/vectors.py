"""Flattens a composition expression to a network, whose vectors are computed bottom-up.

For every expression it is known which labels of its components synchronise to each of its labels.
Hidden labels are not synchronised, renamed or cut. (Lang, Exp.Open 2.0, IFM 2005.) An expression
with priorities is composed, and then is a component: priorities depend on states, so vectors cannot
express them. The same holds for interfaces; an interface to be verified is checked in the whole
network (`interface`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, count, product
from math import prod
from types import MappingProxyType
from typing import Protocol

from lts.base.bounds import COMPONENTS, VECTORS
from lts.base.label_names import normal
from lts.errors import LimitReached, LtsError, SpecificationError, Unsupported
from lts.network import parallel
from lts.network.interface import Outside, allowed, verified
from lts.network.labels import Pattern, offers_of
from lts.network.language import CO_ACTION
from lts.network.network import TAU, Nesting, Network, Vector, refuse_visible_tau
from lts.network.parallel import Sharing, key_of
from lts.network.priority import Order, without_lower
from lts.network.reduction import Composers
from lts.network.tree import (
    Component,
    Composition,
    Cut,
    Expression,
    Hide,
    Labels,
    Pairs,
    Parallel,
    PatternFile,
    Priorities,
    Rename,
    Rules,
    Vectors,
    Within,
)
from lts.system.lts import LTS
from lts.text.source import Place

__all__ = ["Files", "flatten"]

NOTHING: Mapping[int, tuple[str, Place]] = MappingProxyType({})

Moves = tuple[tuple[int, int], ...]
Steps = dict[str, list[Moves]]
"""For each label of an expression, the moves of components that result in it; `TAU` if hidden."""

Remark = tuple[str, Place]
"""A warning about an entry without effect, and its place."""


class Files(Protocol):
    """The files that a text names: components, and pattern files."""

    remarks: list[Remark]
    """Warnings about entries without effect, or with a surprising meaning."""

    def component(self, component: Component) -> LTS:
        """Return a component with the internal labels that it has in the network."""

    def labels(self, file: PatternFile) -> Labels:
        """Return the labels in a file for `hide` or `cut`."""

    def rules(self, file: PatternFile) -> Rules:
        """Return the rules in a file for `rename`."""

    def error(self, kind: type[LtsError], message: str, place: Place) -> LtsError:
        """Return an error at a place of the text."""

    composers: Composers
    """How parts are composed."""


def flatten(composition: Composition, files: Files) -> Network:
    """Return the network of an expression.

    Raises `LimitReached` for more than `VECTORS` or `COMPONENTS`,
    `SpecificationError` for cyclic priorities and interfaces that do not hold, `Unsupported` for a
    component with a visible label `tau`, and whatever `files` raises.
    """
    made = _Flattener(composition, files)
    if composition.communications and not composition.language.bars_communicate:
        made.remark("`comm` has an effect only under `mcrl`", composition.place)
    network = made.network(composition.expression)
    if made.outside:
        network = verified(network, made.outside, files.composers.reduce, files.error)
    remarks = sorted({*files.remarks}, key=lambda remark: remark[::-1])
    errors = tuple(files.error(SpecificationError, *remark) for remark in remarks)
    return replace(network, remarks=errors)


class _Flattener:
    def __init__(
        self,
        composition: Composition,
        files: Files,
        *,
        is_whole: bool = True,
        is_exact: bool = False,
    ) -> None:
        self.composition = composition
        self.is_exact = is_exact
        self.is_whole = is_whole
        self.language = composition.language
        self.files = files
        self.components: list[LTS] = []
        self.names: list[str] = []
        self.outside: Outside = {}
        """The labels of components that are outside of interfaces."""
        self.spelt: dict[str, str] = {}
        """How labels are written that differ only in blanks or the order of actions: as the first
        of them."""

    def network(self, expression: Expression) -> Network:
        steps = self.steps(expression)
        vectors = (
            Vector(moves, label) for label, alternatives in steps.items() for moves in alternatives
        )
        made = tuple(dict.fromkeys(vectors))
        nesting = _nesting(expression, count())
        whole = nesting if isinstance(nesting, tuple) else (nesting,)
        return Network(tuple(self.components), made, tuple(self.names), nesting=whole)

    def steps(self, expression: Expression) -> Steps:
        """Return the steps of an expression, whose components are added to those known."""
        match expression:
            case Component(name):
                return self.component(self.files.component(expression), name)
            case Hide(labels, body):
                steps = self.steps(body)
                hidden = self.matched(labels, steps)
                return self.relabelled(steps, lambda label: TAU if label in hidden else label)
            case Cut(labels, body):
                steps = self.steps(body)
                cut = self.matched(labels, steps)
                return self.relabelled(steps, lambda label: None if label in cut else label)
            case Rename(rules, body):
                return self.renamed(self.steps(body), rules)
            case Parallel():
                return self.parallel(expression)
            case Pairs(operands, by_gates):
                return _limited(self.pairs([self.steps(operand) for operand in operands], by_gates))
            case Vectors():
                return self.synchronised(expression)
            case Priorities():
                return self.ordered(expression)
            case Within():
                return self.within(expression)

    def component(
        self, system: LTS, name: str, outside: Mapping[int, tuple[str, Place]] = NOTHING
    ) -> Steps:
        """Add a component, and return its steps.

        The labels with the numbers in `outside` are outside of its interface, and get names of
        their own.
        """
        number = len(self.components)
        if number == COMPONENTS.default:
            counted = {"components": number + 1}
            raise LimitReached(COMPONENTS.exceeded(), limit=number, found=counted)
        found: Steps = {}
        refuse_visible_tau(system)
        counts, internal = system.label_counts(), {*system.internal}
        for place, label in enumerate(system.labels):
            if counts[label]:
                made = TAU if label in internal else self.spelling(label)
                if place in outside:
                    made = outside[place][0]
                    self.outside[number, place] = outside[place]
                found.setdefault(made, []).append(((number, place),))
        self.components.append(system)
        self.names.append(name)
        return found

    def spelling(self, label: str) -> str:
        """Return how a label is written that may have several spellings."""
        return self.spelt.setdefault(normal(label), label)

    # Hiding, cutting, renaming.

    def matched(self, labels: Labels | PatternFile, steps: Steps) -> set[str]:
        """Return the visible labels that match; warn of patterns without a match."""
        if isinstance(labels, PatternFile):
            labels = self.files.labels(labels)
        visible = _visible(steps)
        for pattern in labels.patterns:
            self.remark_idle(pattern, visible)
        return {label for label in visible if label in labels}

    def remark_idle(self, pattern: Pattern, labels: Iterable[str]) -> None:
        if pattern.place is None or any(map(pattern.matches, labels)):
            return
        why = ", which has no offers (`total` is for whole labels)" if pattern.has_offers else ""
        what = "gate" + why if pattern.mode == "gate" else "label"
        self.remark(f"`{pattern.text}` matches no {what}", pattern.place)

    def remark(self, message: str, place: Place) -> None:
        self.files.remarks.append((message, place))

    def renamed(self, steps: Steps, rules: Rules | PatternFile) -> Steps:
        if isinstance(rules, PatternFile):
            rules = self.files.rules(rules)
        for pattern, _ in rules:
            self.remark_idle(pattern, _visible(steps))

        def renamed(label: str) -> str:
            news = (pattern.renamed(label, new) for pattern, new in rules)
            return next((new for new in news if new is not None), label)

        return self.relabelled(steps, renamed)

    def relabelled(self, steps: Steps, new: Callable[[str], str | None]) -> Steps:
        """Rename the labels of steps; steps for which `new` returns None are removed."""
        found: Steps = {}
        for label, alternatives in steps.items():
            name = label if label == TAU else new(label)
            if name is not None:
                name = name if name == label else self.spelling(name)
                hidden = name != label and name in (self.language.hidden, TAU)
                found.setdefault(TAU if hidden else name, []).extend(alternatives)
        return found

    # Parallel composition.

    def parallel(self, expression: Parallel) -> Steps:
        operands = [self.steps(operand) for operand in expression.operands]
        visible = [_visible(steps) for steps in operands]
        for message, place in parallel.remarks(expression, visible):
            self.remark(message, place)
        sharing = Sharing(expression, self.language.termination)
        return _limited(_together(operands, sharing))

    def pairs(self, operands: Sequence[Steps], by_gates: bool) -> Iterator[tuple[str, Moves]]:
        """Yield the steps of single operands, and the synchronisations of pairs."""
        for steps in operands:
            for label, alternatives in steps.items():
                yield from ((label, moves) for moves in alternatives)
        partners = self.communicating if by_gates else _co_actions
        for left, right in combinations(operands, 2):
            for label, other, result in partners(left, right):
                for one, two in product(left[label], right[other]):
                    yield result, (*one, *two)

    def communicating(self, left: Steps, right: Steps) -> Iterator[tuple[str, str, str]]:
        """Yield pairs of labels whose gates communicate, with the resulting label."""
        others: dict[tuple[str, str], list[str]] = {}
        gate = key_of(by_label=False)
        for label in _visible(right):
            others.setdefault((gate(label), offers_of(label)), []).append(label)
        for (one, two), result in self.composition.communications.items():
            for label in _visible(left):
                if gate(label) == one:
                    name = TAU if result == self.language.hidden else result + offers_of(label)
                    for other in others.get((two, offers_of(label)), []):
                        yield label, other, name

    def synchronised(self, expression: Vectors) -> Steps:
        """Return the steps by the vectors, and the internal steps."""
        key = key_of(by_label=expression.by_label)
        operands = [self.steps(operand) for operand in expression.operands]
        tables: list[dict[str, dict[str, list[Moves]]]] = []
        for steps in operands:
            table: dict[str, dict[str, list[Moves]]] = {}
            for label, alternatives in steps.items():
                if label != TAU:
                    offers = "" if expression.by_label else offers_of(label)
                    table.setdefault(key(label), {}).setdefault(offers, []).extend(alternatives)
            tables.append(table)

        def made() -> Iterator[tuple[str, Moves]]:
            for steps in operands:
                yield from ((TAU, moves) for moves in steps.get(TAU, ()))
            for vector in expression.vectors:
                able = [
                    table.get(part, {})
                    for table, part in zip(tables, vector.parts, strict=True)
                    if part is not None
                ]
                common = [offers for offers in able[0] if all(offers in labels for labels in able)]
                if not common:
                    self.remark("this vector has no effect: no labels match it", vector.place)
                for offers in common:
                    name = TAU if vector.result is None else vector.result + offers
                    for parts in product(*(labels[offers] for labels in able)):
                        yield name, tuple(move for part in parts for move in part)

        return _limited(made())

    # Priorities.

    def ordered(self, expression: Priorities) -> Steps:
        """Compose an expression, and return its steps without those of lower priority."""
        inner, network = self.inner(expression.body, is_exact=self.is_exact)

        def name(label: str) -> str:
            return self.language.hidden if label == TAU else label

        composers = self.files.composers
        system = (composers.whole if self.is_exact else composers.bisimilar)(network)
        labels = [name(label) for label, count in system.label_counts().items() if count]
        for labels_of in (one for rule in expression.rules for one in rule):
            for pattern in labels_of.patterns:
                self.remark_idle(pattern, labels)
        order = Order(expression.rules, labels)
        if order.circular is not None:
            message = f"the priorities are not an order: `{order.circular}` precedes itself"
            raise self.files.error(SpecificationError, message, expression.place)
        names = " ".join(inner.names)
        return self.component(without_lower(system, order, name), f"prio in {names}")

    def inner(self, expression: Expression, *, is_exact: bool) -> tuple[_Flattener, Network]:
        """Return the network of a subexpression that is composed on its own."""
        inner = _Flattener(self.composition, self.files, is_whole=False, is_exact=is_exact)
        inner.spelt = self.spelt
        return inner, inner.network(expression)

    # Interfaces.

    def within(self, expression: Within) -> Steps:
        """Compose an expression, and return the steps that its interface allows."""
        if expression.verified and not self.is_whole:
            message = "a verified interface cannot be inside `prio` or another interface"
            raise self.files.error(Unsupported, message, expression.place)
        # An interface restricts single states, so states must not be merged by minimisation.
        operands = [self.inner(operand, is_exact=True) for operand in expression.operands]
        (inner, body), (_, other) = operands
        system, interface = map(self.files.composers.whole, (body, other))
        key = key_of(by_label=False)
        visible = [
            [label for label, count in source.label_counts().items() if count and label != TAU]
            for source in (system, interface)
        ]
        joint = Parallel(expression.operands, expression.shared, ((), ()))
        for message, place in parallel.remarks(joint, visible):
            self.remark(message, place)
        gates = {element.label for element in expression.shared}
        shared = {label for labels in visible for label in labels if key(label) in gates}
        found, outside = allowed(system, interface, shared, failing=expression.verified)
        labels = {number: (label, expression.place) for number, label in outside.items()}
        return self.component(found, " ".join(inner.names), labels)


def _nesting(expression: Expression, numbers: Iterator[int]) -> int | Nesting:
    """Return the operators of an expression as nested groups of component numbers."""
    match expression:
        case Component() | Priorities() | Within():
            return next(numbers)
        case Hide(_, body) | Cut(_, body) | Rename(_, body):
            return _nesting(body, numbers)
        case Parallel(operands) | Pairs(operands) | Vectors(operands):
            found = tuple(_nesting(operand, numbers) for operand in operands)
            return found if len(found) > 1 else found[0]


def _visible(steps: Steps) -> list[str]:
    return [label for label in steps if label != TAU]


def _together(operands: Sequence[Steps], sharing: Sharing) -> Iterator[tuple[str, Moves]]:
    """Yield the steps of parallel operands."""
    labels = dict.fromkeys(label for steps in operands for label in steps)
    for label in labels:
        able = [n for n, steps in enumerate(operands) if label in steps]
        if label == TAU:
            groups: Iterable[tuple[int, ...]] = [(n,) for n in able]
        elif sharing.count(label, able) > VECTORS.default:
            raise _too_many()
        else:
            groups = sharing.groups(label, able)
        for group in groups:
            alternatives = [operands[n][label] for n in group]
            if prod(map(len, alternatives)) > VECTORS.default:
                raise _too_many()
            for parts in product(*alternatives):
                yield label, tuple(move for part in parts for move in part)


def _co_actions(left: Steps, right: Steps) -> Iterator[tuple[str, str, str]]:
    """Yield pairs of a label and its co-action, with the hidden result."""
    for label in left:
        partners = [CO_ACTION + label, label.removeprefix(CO_ACTION)]
        for other in partners:
            if TAU not in (label, other) and other != label and other in right:
                yield label, other, TAU


def _limited(made: Iterable[tuple[str, Moves]]) -> Steps:
    """Return steps by label; raise `LimitReached` for too many."""
    found: Steps = {}
    for number, (label, moves) in enumerate(made):
        if number == VECTORS.default:
            raise _too_many()
        found.setdefault(label, []).append(moves)
    return found


def _too_many() -> LimitReached:
    most = VECTORS.default
    return LimitReached(VECTORS.exceeded(), limit=most, found={"vectors": most + 1})
