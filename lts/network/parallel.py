"""Which operands of `par` synchronise on a label, and which entries of its lists have no effect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain, combinations
from math import comb

from lts.network.labels import gate_of, has_offers, plain_quotes
from lts.network.tree import Element, Parallel
from lts.text.source import Place

__all__ = ["Sharing", "key_of", "remarks"]

Group = tuple[int, ...]
"""Operands that synchronise, in increasing order."""


def key_of(by_label: bool) -> Callable[[str], str]:
    """Return the function from labels to the keys in lists and vectors: the gate, or the label."""
    return plain_quotes if by_label else lambda label: plain_quotes(gate_of(label))


class Sharing:
    """Which operands synchronise on a label, by the lists of a `par`."""

    def __init__(self, expression: Parallel, termination: str | None) -> None:
        self.everyone: Group = tuple(range(len(expression.operands)))
        self.everything = expression.everything
        self.termination = termination
        self._key = key_of(expression.by_label)
        self._shared = _degrees(expression.shared)
        self._own = [_degrees(elements) for elements in expression.own]

    def choices(self, label: str, able: Collection[int]) -> list[tuple[Sequence[int], int]]:
        """Return pairs of operands and a degree: each choice of `degree` operands synchronises on
        the label. The label is visible, and `able` are the operands that have it."""
        key = self._key(label)
        shared = [*self._shared.get(key, ()), *([None] if self.everything else [])]
        own = [degrees.get(key, []) for degrees in self._own]
        if gate_of(label) == self.termination:
            shared = [None]
        found: list[tuple[Sequence[int], int]] = []
        for degree in shared:
            count = len(self.everyone) if degree is None else degree
            found.append((self.everyone, count))
        for degree in dict.fromkeys(chain(*own)):
            among = [n for n in self.everyone if degree in own[n]]
            found.append((among, len(among) if degree is None else degree))
        alone = [n for n in self.everyone if not shared and not own[n]]
        found.append((alone, 1))
        return [([n for n in among if n in able], count) for among, count in found if count]

    def groups(self, label: str, able: Collection[int]) -> Iterator[Group]:
        """Yield the distinct sets of operands that synchronise on a visible label."""
        choices = self.choices(label, able)
        found = (group for among, count in choices for group in combinations(among, count))
        yield from dict.fromkeys(found)

    def count(self, label: str, able: Collection[int]) -> int:
        """Return an upper bound of the number of groups."""
        return sum(comb(len(among), count) for among, count in self.choices(label, able))


def _degrees(elements: Sequence[Element]) -> dict[str, list[int | None]]:
    found: dict[str, list[int | None]] = {}
    for element in elements:
        found.setdefault(element.label, []).append(element.degree)
    return found


def remarks(
    expression: Parallel, operands: Sequence[Collection[str]]
) -> Iterator[tuple[str, Place]]:
    """Yield warnings about entries of the lists without effect, given the operands' labels."""
    key = key_of(expression.by_label)
    having = [set(map(key, labels)) for labels in operands]
    width = len(operands)
    shared, own = expression.shared, expression.own
    for element in chain(shared, *own):
        if not expression.by_label and has_offers(element.label):
            message = f"`{element.label}` is not a gate: gates are written without offers"
            yield f"{message} (`label par` is for whole labels)", element.place
    for element in shared:
        label, degree = element.label, element.degree
        able = sum(label in labels for labels in having)
        if degree is None and able < width:
            lacking = next(n for n in range(width) if label not in having[n])
            yield f"`{label}` is blocked: operand {lacking + 1} does not have it", element.place
        elif degree is not None and degree > width:
            yield f"`{_shown(element)}`: there are {width} operands", element.place
        elif degree is not None and degree > able:
            yield f"`{_shown(element)}`: {able} operands have `{label}`", element.place
        if degree == 0 and _beside(element, shared, *own):
            yield f"`{_shown(element)}` is redundant next to another `{label}`", element.place
    for n, elements in enumerate(own):
        for element in elements:
            label, degree = element.label, element.degree
            lists = sum(_has(other, label, degree) for other in own)
            if label not in having[n]:
                yield f"operand {n + 1} has no `{label}`", element.place
            elif degree is None and lists < 2:
                yield f"no other operand has `{label}` in its list", element.place
            elif degree is not None and degree > lists:
                yield f"`{_shown(element)}` is in the lists of {lists} operands", element.place
            if degree == 0 and _beside(element, shared, elements):
                yield f"`{_shown(element)}` is redundant next to another `{label}`", element.place


def _shown(element: Element) -> str:
    return element.label if element.degree is None else f"{element.label}#{element.degree}"


def _has(elements: Sequence[Element], label: str, degree: int | None) -> bool:
    return any((element.label, element.degree) == (label, degree) for element in elements)


def _beside(element: Element, *lists: Sequence[Element]) -> bool:
    """Whether one of the lists has the same label with another degree."""
    return any(
        one.label == element.label and one.degree != element.degree for own in lists for one in own
    )
