"""Nets as linear processes in the engine: each place of a colour is a parameter, its number of
tokens; each transition with colours for its variables is a summand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import lts._engine as _engine
from lts.petri.grounding import GroundNet
from lts.petri.net import Class, Colour, Sort, classes_in
from lts.specification import codes

__all__ = ["SORT_OF_TOKENS", "SORT_OF_TOTAL", "Points", "labels_of", "process_of"]

_BOOL, _FIRST_NUMBERS, _FIRST_CLASS = 0, 1, 4
"""The sorts of a net: Booleans, numbers, and the classes."""

_CONSTANTS, SORT_OF_TOKENS, SORT_OF_TOTAL = range(3)
"""The sorts of numbers: those in conditions, tokens of a place, tokens of all places. They have
sorts of their own, so that the largest number of each is known."""

_TRUE, _FALSE, _AT_LEAST = 0, 1, 2
_ZERO, _SUCCESSOR, _PLUS, _MINUS, _LESS = 3, 6, 9, 12, 15
"""The symbols of a net; those of numbers have one of each sort of numbers, in order. The last is
the number of all tokens without those of a place."""
_WITHOUT = 16
"""The symbol of the tokens of a place without those of a place."""
_FIRST = 17
"""The symbol of the first colour."""


class Points:
    """The colours of all classes as constants, on which groups act.

    `names` are their texts, which are unique: a colour whose name occurs in another class, too, is
    written with its class. `numbers[c]` is the number of the first colour of class `c`; `first` is
    the symbol of the first colour of all.
    """

    def __init__(self, classes: Sequence[Class]) -> None:
        self.numbers: dict[Class, int] = {}
        texts: list[tuple[str, str]] = []
        for colours in classes:
            self.numbers[colours] = len(texts)
            texts += ((colours.identifier, name) for name in colours.names)
        seen: dict[str, int] = {}
        for _, name in texts:
            seen[name] = seen.get(name, 0) + 1
        self.names = [name if seen[name] == 1 else f"{of}.{name}" for of, name in texts]

        self.first = _FIRST
        self._classes = [colours for colours in classes for _ in colours.names]

    def class_of(self, point: int) -> Class:
        """Return the class of a colour."""
        return self._classes[point]

    def symbol(self, sort: Class, colour: Colour) -> int:
        """Return the symbol of a colour."""
        assert isinstance(colour, int)
        return _FIRST + self.numbers[sort] + colour


def process_of(
    net: GroundNet, *, has_total: bool = False, labels: Class | None = None
) -> _engine.Process:
    """Return a net as an engine object. Labels are names of transitions with the colours of their
    variables, in the order in which the variables are declared.

    With `has_total`, a last parameter has the number of all tokens. `labels` are those of a net
    without colours, if groups permute them.
    """
    classes = classes_of(net) if labels is None else [labels]
    points = Points(classes)
    numbers = [_FIRST_NUMBERS + kind for kind in (_CONSTANTS, SORT_OF_TOKENS, SORT_OF_TOTAL)]
    constants, tokens, total = numbers
    symbols = [
        codes.Symbol(b"true", (), _BOOL, 0, None),
        codes.Symbol(b"false", (), _BOOL, 0, None),
        codes.Symbol(b">=", (tokens, constants), _BOOL, 1, "greater_or_equal"),
        *(codes.Symbol(b"0", (), sort, 0, None) for sort in numbers),
        *(codes.Symbol(b"succ", (sort,), sort, 0, None) for sort in numbers),
        *(codes.Symbol(b"+", (sort, constants), sort, 1, "add") for sort in numbers),
        *(codes.Symbol(b"-", (sort, constants), sort, 1, "monus") for sort in numbers),
        codes.Symbol(b"-", (total, tokens), total, 1, "monus"),
        codes.Symbol(b"-", (tokens, tokens), tokens, 1, "monus"),
    ]
    for number, colours in enumerate(classes):
        sort = _FIRST_CLASS + number
        symbols += (codes.Symbol(name.encode(), (), sort, 0, None) for name in colours.names)
    data = codes.Data(
        sorts=[
            b"Bool",
            b"Nat",
            b"Tokens",
            b"Total",
            *(colours.identifier.encode() for colours in classes),
        ],
        symbols=symbols,
        rules=[],
        truth=_TRUE,
        falsity=_FALSE,
        strict=False,
        loose=False,
        numbers=[
            codes.Numbers("Nat", sort, (_ZERO + kind, _SUCCESSOR + kind))
            for kind, sort in enumerate(numbers)
        ],
        collections=[],
        fraction=None,
    )
    initial = [[_numeral(SORT_OF_TOKENS, count)] for count in net.initial]
    if has_total:
        initial.append([_numeral(SORT_OF_TOTAL, sum(net.initial))])
    summands = _summands(net, points, labels, has_total=has_total)
    return _engine.Process(data, initial, summands, [])


def _summands(
    net: GroundNet, points: Points, labels: Class | None, *, has_total: bool
) -> list[codes.Summand]:
    found = []
    numbers = {} if labels is None else {name: n for n, name in enumerate(labels.names)}
    for firing in net.firings:
        transition = net.net.transitions[firing.transition]
        conditions = [
            ([_AT_LEAST, -1 - place, _numeral(_CONSTANTS, count)], True)
            for place, count in firing.takes
        ]
        conditions += (
            ([_AT_LEAST, -1 - place, _numeral(_CONSTANTS, count)], False)
            for place, count in firing.below
        )
        changes: dict[int, int] = {}
        for place, count in firing.puts:
            changes[place] = count
        for place, count in firing.takes:
            changes[place] = changes.get(place, 0) - count
        put = dict(firing.puts)
        changes.update((place, put.get(place, 0)) for place in firing.resets)
        updates = [
            (place, _plus(SORT_OF_TOKENS, _unless_reset(place, firing.resets), change))
            for place, change in sorted(changes.items())
            if change or place in firing.resets
        ]
        if has_total and (firing.resets or sum(changes.values())):
            number = len(net.spots)
            total = [-1 - number]
            for place in firing.resets:
                total = [_LESS, *total, -1 - place]
            updates.append((number, _plus(SORT_OF_TOTAL, total, sum(changes.values()))))
        arguments = [
            [symbol]
            for variable, colour in zip(transition.variables, firing.colours, strict=True)
            for symbol in _symbols(points, variable.sort, colour)
        ]
        action = transition.label.encode()
        if labels is not None:
            # The text of an action without a name is that of its argument.
            colour = numbers[transition.label]
            action, arguments = b"", [[points.symbol(labels, colour)]]
        found.append(codes.Summand([], conditions, [], action, arguments, updates))
    return found


def _symbols(points: Points, sort: Sort, colour: Colour) -> Iterator[int]:
    """Yield the symbols of the parts of a colour."""
    if isinstance(sort, Class):
        yield points.symbol(sort, colour)
        return
    assert isinstance(colour, tuple)
    for factor, part in zip(sort.factors, colour, strict=True):
        yield from _symbols(points, factor, part)


def _unless_reset(place: int, resets: Collection[int]) -> list[int]:
    """Return the code of the tokens of a place, or of none of them if it is reset.

    They are not the constant 0, to which the engine would add a constant even if no step does: then
    the sum would be the largest number of tokens.
    """
    tokens = [-1 - place]
    return [_WITHOUT, *tokens, *tokens] if place in resets else tokens


def _plus(kind: int, code: list[int], change: int) -> list[int]:
    """Return the code of a number plus another one, or minus its amount."""
    if not change:
        return code
    operation = (_PLUS if change > 0 else _MINUS) + kind
    return [operation, *code, _numeral(_CONSTANTS, abs(change))]


def labels_of(net: GroundNet) -> Class | None:
    """Return the labels of a net without colours as a class; None for another net."""
    declared = net.net
    has_colours = any(len(place.sort) > 1 for place in declared.places.values())
    if has_colours or any(transition.variables for transition in declared.transitions):
        return None
    labels = (declared.transitions[firing.transition].label for firing in net.firings)
    return Class("transition", tuple(dict.fromkeys(labels)))


def classes_of(net: GroundNet) -> list[Class]:
    """Return the classes of the variables of transitions, and the other ones of the net."""
    used = dict.fromkeys(net.net.classes)
    for transition in net.net.transitions:
        used.update((colours, None) for v in transition.variables for colours in classes_in(v.sort))
    return [*used]


def _numeral(kind: int, number: int) -> int:
    """Return the code of a number of a sort of numbers."""
    return (1 << 60) + (kind << 56) + (1 << 55) + number
