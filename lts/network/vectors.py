"""The network that a composition expression is: its vectors, from the components upwards.

Of every expression it is known which labels of its components make which label of it. Labels that
are hidden do not synchronise, are not renamed and not cut. (Lang, Exp.Open 2.0, IFM 2005.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations, product
from math import comb, prod

from lts.errors import LimitReached
from lts.network.labels import Pattern
from lts.network.network import TAU, Network, Vector, internal_vectors
from lts.network.tree import Component, Cut, Expression, Hide, Parallel, Rename, Vectors
from lts.system import LTS

__all__ = ["MAX_VECTORS", "flatten"]

MAX_VECTORS = 4_000_000
MAX_COMPONENTS = 10_000
"""Synchronisation vectors of a network, at most."""

Moves = tuple[tuple[int, int], ...]
Steps = dict[str, list[Moves]]
"""For every label of an expression what makes it; `TAU` is what is hidden."""

HIDDEN = (TAU, "i")
"""What a label is called that becomes internal: `i` in CADP."""


def flatten(expression: Expression, load: Callable[[Component], Network]) -> Network:
    """Return the network of an expression, whose components are networks themselves.

    Raises `LimitReached` for more than `MAX_VECTORS` vectors, `Unsupported` for a component with a
    visible label `tau`, and what `load` raises.
    """
    made = _Flattener(load)
    steps = made.steps(expression)
    vectors = (Vector(moves, label) for label, all in steps.items() for moves in all)
    return Network(tuple(made.components), tuple(dict.fromkeys(vectors)), tuple(made.names))


def of_component(system: LTS, name: str) -> Network:
    """Return the network of one component, which does what it does."""
    internal = set(system.internal)
    used = _used(system)
    vectors = [
        Vector(((0, number),), label)
        for number, label in enumerate(system.labels)
        if number in used and label not in internal
    ]
    return Network((system,), (*internal_vectors([system]), *vectors), (name,))


def _used(system: LTS) -> set[int]:
    """The labels that some transition has."""
    counts = system.label_counts()
    return {number for number, label in enumerate(system.labels) if counts[label]}


class _Flattener:
    def __init__(self, load: Callable[[Component], Network]) -> None:
        self.load = load
        self.components: list[LTS] = []
        self.names: list[str] = []

    def steps(self, expression: Expression) -> Steps:
        """Return what an expression does; its components come behind those known."""
        match expression:
            case Component():
                return self.component(self.load(expression))
            case Hide(patterns, all_but, body):
                return _relabelled(
                    self.steps(body),
                    lambda label: TAU if _matches(patterns, label) != all_but else label,
                )
            case Cut(patterns, all_but, body):
                return _relabelled(
                    self.steps(body),
                    lambda label: None if _matches(patterns, label) != all_but else label,
                )
            case Rename(rules, body):

                def renamed(label: str) -> str:
                    news = (pattern.renamed(label, new) for pattern, new in rules)
                    return next((new for new in news if new is not None), label)

                return _relabelled(self.steps(body), renamed)
            case Parallel():
                return _parallel([self.steps(one) for one in expression.operands], expression)
            case Vectors(operands, vectors):
                return _synchronised([self.steps(one) for one in operands], vectors)

    def component(self, network: Network) -> Steps:
        first = len(self.components)
        count = first + len(network.components)
        if count > MAX_COMPONENTS:
            message = f"more than {MAX_COMPONENTS} components"
            raise LimitReached(message, limit=MAX_COMPONENTS, found={"components": count})
        self.components += network.components
        self.names += network.names
        found: Steps = {}
        for moves, result in network.vectors:
            moved = tuple((first + component, label) for component, label in moves)
            found.setdefault(result, []).append(moved)
        return found


def _matches(patterns: Iterable[Pattern], label: str) -> bool:
    return any(pattern.matches(label) for pattern in patterns)


def _relabelled(steps: Steps, new: Callable[[str], str | None]) -> Steps:
    """Return steps with new labels; those without one are gone."""
    found: Steps = {}
    for label, all in steps.items():
        name = label if label == TAU else new(label)
        if name is not None:
            found.setdefault(TAU if name in HIDDEN and name != label else name, []).extend(all)
    return found


def _parallel(operands: Sequence[Steps], expression: Parallel) -> Steps:
    """Return the steps of operands side by side."""
    found: Steps = {}
    labels = dict.fromkeys(label for steps in operands for label in steps)
    count = 0
    for label in labels:
        groups, size = _together(operands, expression, label)
        count += size
        if count > MAX_VECTORS:
            message = f"more than {MAX_VECTORS} synchronisation vectors"
            raise LimitReached(message, limit=MAX_VECTORS, found={"vectors": count})
        all = [moves for group in groups for moves in _joined([operands[n] for n in group], label)]
        if all:
            found[label] = all
    return found


def _joined(operands: Sequence[Steps], label: str) -> Iterator[Moves]:
    """All ways in which operands, in their order, do a label together."""
    for parts in product(*(steps.get(label, ()) for steps in operands)):
        yield tuple(move for part in parts for move in part)


def _together(
    operands: Sequence[Steps], expression: Parallel, label: str
) -> tuple[Iterable[tuple[int, ...]], int]:
    """Return the sets of operands that do a label together, and the number of vectors they make."""
    everyone = tuple(range(len(operands)))
    ways = [len(steps.get(label, ())) for steps in operands]
    alone = [(n,) for n in everyone], sum(ways)
    if label == TAU:
        return alone
    if expression.gates is None:
        return [everyone], prod(ways)
    gate = next((gate for gate in expression.gates if gate.pattern.matches(label)), None)
    having = tuple(n for n in everyone if _matches(expression.interfaces[n], label))
    if gate is None and not having:
        return alone
    if gate is not None and gate.degree is None:
        # A gate of all operands, whatever their interfaces.
        return [everyone], prod(ways)
    among = having or everyone
    degree = len(among) if gate is None or gate.degree is None else gate.degree
    rest = [(n,) for n in everyone if n not in among]
    able = [n for n in among if ways[n]]
    if degree > len(able):
        return rest, sum(ways[n] for (n,) in rest)
    # So many as come of choosing with the ways of each: the elementary symmetric polynomial.
    sizes = reduce(
        lambda row, w: [1] + [row[k] + w * row[k - 1] for k in range(1, len(row))],
        (ways[n] for n in able),
        [1] + [0] * degree,
    )
    size = sizes[degree] + sum(ways[n] for (n,) in rest)
    if comb(len(able), degree) > MAX_VECTORS:
        return [], MAX_VECTORS + 1
    return (*combinations(able, degree), *rest) if size <= MAX_VECTORS else [], size


def _synchronised(
    operands: Sequence[Steps], vectors: Iterable[tuple[tuple[str | None, ...], str]]
) -> Steps:
    """Return the steps that vectors say, and internal ones."""
    found: Steps = {}
    hidden = [moves for steps in operands for moves in steps.get(TAU, ())]
    if hidden:
        found[TAU] = hidden
    count = len(hidden)
    for labels, result in vectors:
        name = TAU if result in HIDDEN else result
        able = [
            _exactly(steps, label)
            for steps, label in zip(operands, labels, strict=True)
            if label is not None
        ]
        if any(label in HIDDEN for label in labels):
            continue
        count += prod(map(len, able))
        if count > MAX_VECTORS:
            message = f"more than {MAX_VECTORS} synchronisation vectors"
            raise LimitReached(message, limit=MAX_VECTORS, found={"vectors": count})
        for parts in product(*able):
            found.setdefault(name, []).append(tuple(move for part in parts for move in part))
    return found


def _exactly(steps: Steps, label: str) -> list[Moves]:
    """Return what makes a label; its quotation marks may have a backslash in files, or none."""
    return steps.get(label) or steps.get(label.replace('\\"', '"')) or []
