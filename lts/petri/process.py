"""Nets as linear processes in the engine: a parameter for the tokens of each place and colour, a
summand for each transition and colours of its variables."""

from __future__ import annotations

from collections.abc import Sequence

from lts import _engine
from lts.petri.ground import GroundNet
from lts.petri.net import Class, Colour
from lts.specification import codes

__all__ = ["Points", "process_of"]

_TRUE, _FALSE, _ZERO, _SUCCESSOR, _AT_LEAST, _PLUS, _MINUS, _FIRST = range(8)
"""The symbols of a net; those of the colours come last."""

_BOOL, _NAT, _FIRST_CLASS = range(3)
"""The sorts of a net; those of the classes come last."""


class Points:
    """The colours of all classes as constants, on which groups act.

    `names` are their texts, which are unique: a colour whose name occurs in another class, too, is
    written with its class. `numbers[c]` is the number of the first colour of class `c`; `first` is
    the symbol of the first colour of all.
    """

    def __init__(self, classes: Sequence[Class]) -> None:
        self.numbers: dict[Class, int] = {}
        texts: list[tuple[str, str]] = []
        for one in classes:
            self.numbers[one] = len(texts)
            texts += ((one.identifier, name) for name in one.names)
        seen: dict[str, int] = {}
        for _, name in texts:
            seen[name] = seen.get(name, 0) + 1
        self.names = [name if seen[name] == 1 else f"{of}.{name}" for of, name in texts]

        self.first = _FIRST
        self._classes = [one for one in classes for _ in one.names]

    def class_of(self, point: int) -> Class:
        """Return the class of a colour."""
        return self._classes[point]

    def symbol(self, sort: Class, colour: Colour) -> int:
        """Return the symbol of a colour."""
        assert isinstance(colour, int)
        return _FIRST + self.numbers[sort] + colour


def process_of(net: GroundNet) -> _engine.Process:
    """Return a net as an engine object. Labels are names of transitions with the colours of their
    variables, in the order in which the variables are declared."""
    classes = classes_of(net)
    points = Points(classes)
    symbols = [
        codes.Symbol(b"true", (), _BOOL, 0, None),
        codes.Symbol(b"false", (), _BOOL, 0, None),
        codes.Symbol(b"0", (), _NAT, 0, None),
        codes.Symbol(b"succ", (_NAT,), _NAT, 0, None),
        codes.Symbol(b">=", (_NAT, _NAT), _BOOL, 1, "greater_or_equal"),
        codes.Symbol(b"+", (_NAT, _NAT), _NAT, 1, "add"),
        codes.Symbol(b"-", (_NAT, _NAT), _NAT, 1, "monus"),
    ]
    for number, one in enumerate(classes):
        sort = _FIRST_CLASS + number
        symbols += (codes.Symbol(name.encode(), (), sort, 0, None) for name in one.names)
    data = codes.Data(
        sorts=[b"Bool", b"Nat", *(one.identifier.encode() for one in classes)],
        symbols=symbols,
        rules=[],
        truth=_TRUE,
        falsity=_FALSE,
        strict=False,
        loose=False,
        numbers=[codes.Numbers("Nat", _NAT, (_ZERO, _SUCCESSOR))],
        collections=[],
        fraction=None,
    )
    initial = [[_numeral(count)] for count in net.initial]
    return _engine.Process(data, initial, list(_summands(net, points)), [])


def _summands(net: GroundNet, points: Points) -> Sequence[codes.Summand]:
    found = []
    for firing in net.firings:
        transition = net.net.transitions[firing.transition]
        conditions = [
            ([_AT_LEAST, -1 - place, _numeral(count)], True) for place, count in firing.takes
        ]
        changes: dict[int, int] = {}
        for place, count in firing.puts:
            changes[place] = count
        for place, count in firing.takes:
            changes[place] = changes.get(place, 0) - count
        updates = [
            (place, [_PLUS if change > 0 else _MINUS, -1 - place, _numeral(abs(change))])
            for place, change in sorted(changes.items())
            if change
        ]
        arguments = [
            [points.symbol(variable.sort, colour)]
            for variable, colour in zip(transition.variables, firing.colours, strict=True)
            if isinstance(variable.sort, Class)
        ]
        action = transition.identifier.encode()
        found.append(codes.Summand([], conditions, [], action, arguments, updates))
    return found


def classes_of(net: GroundNet) -> list[Class]:
    """Return the classes of the variables of transitions, and the other ones of the net."""
    used = dict.fromkeys(net.net.classes)
    for transition in net.net.transitions:
        used.update((v.sort, None) for v in transition.variables if isinstance(v.sort, Class))
    return [*used]


def _numeral(number: int) -> int:
    """Return the code of a natural number, the first sort of numbers."""
    return (1 << 60) + (1 << 55) + number
