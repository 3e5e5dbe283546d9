"""Files `.lts` of mCRL2: streams of binary terms, with the transitions one after the other.

A label is a multi-action whose arguments are data terms. It is read as the text that it has in
other formats, and written with the terms that can be inferred from that text.
"""

from __future__ import annotations

import re
import warnings
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NoReturn

from lts._engine import Stage, TermWriter, largest_state
from lts.errors import FormatError, FormatWarning, LtsError, Unsupported
from lts.formats.labels import used
from lts.formats.rows import Rows
from lts.mcrl2.binary.labels import Labels
from lts.mcrl2.binary.source import described
from lts.mcrl2.binary.stream import EMPTY, LIST, Stream
from lts.specification.values import parted
from lts.system import LTS

__all__ = ["blocks", "read"]

BLOCK_ROWS = 1 << 18
"""Transitions read or written at a time."""

_TAU = "tau"


def read(data: bytes, name: str | None) -> LTS:
    """Read the LTS in a file; raise `FormatError` with the byte offset if it is malformed."""
    stream = Stream(data, name)
    parameters = _head(stream)
    rows = Rows()
    initial: int | None = None
    more = True
    with Stage("reading", len(data)) as stage:
        while more:
            source, label, target, more = stream.transitions(BLOCK_ROWS)
            for column, found in zip(
                (rows.source, rows.label, rows.target), (source, label, target), strict=True
            ):
                column.frombytes(found)
            stage.reach(stream.reader.offset)
            if not more and (mark := stream.output()) is not None:
                if mark != ("initial_state", ()):
                    _unknown(stream, mark)
                initial = _initial(stream)
                more = True
    if initial is None:
        raise FormatError("the initial state is missing", file=name)
    _labels(stream, rows)
    listed = stream.reader.lists
    if listed and parameters:
        message = "the values of state parameters are left out"
        warnings.warn(f"{name or 'text'}: {message}", FormatWarning, stacklevel=2)
    states = max(initial, _largest(rows.source, rows.target), listed - 1) + 1
    return rows.system(initial, states, listed=listed, name=name).with_internal([_TAU])


def _largest(*columns: Iterable[int]) -> int:
    return max(max(column, default=0) for column in columns)


def _head(stream: Stream) -> int:
    """Read the declarations before the transitions. Return the number of parameters.

    Nothing else of them is needed: the data in labels carry their sorts.
    """
    mark = stream.output()
    if mark == ("linear_process_specification", ()):
        raise LtsError(
            "this is a linear process: convert it to an LTS with `ltstool generate`",
            file=stream.file,
        )
    if mark != ("labelled_transition_system", ()):
        stream.wrong(f"expected an LTS; this is {described(mark)}")
    for what in ("sorts", "aliases", "constructors", "functions", "equations"):
        for _ in range(stream.number(f"how many {what} there are")):
            stream.term(f"one of the {what}")
    parameters = stream.elements("parameters")
    stream.elements("actions")
    return len(parameters)


def _initial(stream: Stream) -> int:
    """Read the initial state."""
    if stream.number("how many initial states there are") != 1:
        _probabilistic(stream)
    found = stream.output()
    if isinstance(found, tuple):  # with the probability 1, in files from before 2023
        found = stream.output()
    if not isinstance(found, int):
        stream.wrong("expected the initial state, a number")
    if found >= 2**32 - 1:
        stream.wrong(f"state number {found} is too large")
    return found


def _unknown(stream: Stream, mark: object) -> NoReturn:
    if mark == ("probabilistic_transition", ()):
        _probabilistic(stream)
    stream.wrong("expected a transition or the initial state")


def _probabilistic(stream: Stream) -> NoReturn:
    stream.wrong("an LTS with probabilities is not supported", Unsupported)


def _labels(stream: Stream, rows: Rows) -> None:
    """Convert labels to text, merging labels of equal text."""
    labels = Labels(stream)
    numbers = rows.numbers
    found = []
    for name, arguments in stream.labels():
        if name != "TimedMultAct" or len(arguments) != 2:
            stream.wrong(f"expected a label, not `{name}`")
        found.append(numbers.setdefault(labels.text(*arguments), len(numbers)))
    if len(numbers) < len(found):
        rows.label = array("I", map(found.__getitem__, rows.label))


# From here on: writing.

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,18})")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9']*")
_OTHER = "Value"
"""The sort of arguments that are neither numbers nor truth values."""
_LABEL = b"TimedMultAct"


def blocks(system: LTS) -> Iterator[bytes]:
    """Yield the contents of a file; arguments of labels are written as data terms.

    Raises `FormatError` for a visible label `tau`, which the format cannot represent.
    """
    names = {*used(system)}
    internal = {*system.internal}
    if _TAU in names and _TAU not in internal:
        raise FormatError("the label `tau` is visible here, but always internal in an .lts file")
    if any(name != _TAU and name in internal for name in names):
        message = "all internal labels are written as `tau` in an .lts file"
        warnings.warn(message, FormatWarning, stacklevel=3)
    writer = TermWriter()
    silent = {label for label in system.labels if label in internal or label not in names}
    labels = _Written(writer, system.labels, silent)
    labels.head()
    rows = system.transition_count
    with Stage("writing", rows) as stage:
        for start in range(0, rows, BLOCK_ROWS):
            stop = min(rows, start + BLOCK_ROWS)
            writer.transitions(system._engine, (start, stop), _LABEL, labels.arguments)
            yield writer.take()
            stage.reach(stop)
    if max(system.initial, largest_state(system._engine)) + 1 < system.state_count:
        # Only state labels, which are empty here, tell a reader that there are further states.
        for _ in range(system.state_count):
            writer.output(_bytes(EMPTY), [])
    writer.output(b"initial_state", [])
    writer.output_number(1)
    writer.output_number(system.initial)
    writer.end()
    yield writer.take()


_Parts = list[tuple[str, list[str]]]
"""The actions of a label, with the texts of their arguments."""


class _Written:
    """The labels of an LTS converted to terms."""

    def __init__(self, writer: TermWriter, labels: Iterable[str], silent: set[str]) -> None:
        self.writer = writer
        found = [[] if label in silent else _parts(label) for label in labels]
        texts: dict[tuple[str, int, int], list[str]] = defaultdict(list)
        for parts in found:
            for name, given in parts:
                for place, text in enumerate(given):
                    texts[name, len(given), place].append(text)
        self.sorts = {which: _sort(all_of_one) for which, all_of_one in texts.items()}
        self.values: dict[str, int] = {}
        """The constants of the sort `_OTHER`, with their terms."""
        self.actions: dict[tuple[str, int], int] = {}
        """Action declarations by name and number of arguments."""
        self.made: dict[tuple[str, ...], int] = {}
        """Cache of terms for sorts, functions and values, keyed by their parts."""
        untimed = self.term("DataVarId", self.name("@undefined_real"), self.sort("Real"))
        self.arguments = [[self.listed(map(self.action, parts)), untimed] for parts in found]

    def term(self, name: str, *arguments: int) -> int:
        return self.writer.term(_bytes(name), arguments)

    def name(self, text: str) -> int:
        return self.term(text)

    def listed(self, elements: Iterable[int]) -> int:
        found = self.term(EMPTY)
        for element in reversed([*elements]):
            found = self.term(LIST, element, found)
        return found

    def sort(self, name: str) -> int:
        return self.once((name,), lambda: self.term("SortId", self.name(name)))

    def once(self, of: tuple[str, ...], make: Callable[[], int]) -> int:
        """Return the cached term for a key, making it on first use."""
        if of not in self.made:
            self.made[of] = make()
        return self.made[of]

    def action(self, part: tuple[str, list[str]]) -> int:
        name, given = part
        sorts = [self.sorts[name, len(given), place] for place in range(len(given))]
        key = name, len(given)
        if key not in self.actions:
            of = self.listed(map(self.sort, sorts))
            self.actions[key] = self.term("ActId", self.name(name), of)
        values = [
            self.once(value, partial(self.value, *value))
            for value in zip(given, sorts, strict=True)
        ]
        return self.term("Action", self.actions[key], self.listed(values))

    def value(self, text: str, sort: str) -> int:
        if sort == "Nat":
            return self.digits(int(text), "@most_significant_digitNat", "Nat")
        if sort == "Int":
            number = int(text)
            if number < 0:
                positive = self.digits(-number, "@most_significant_digit", "Pos")
                return self.applied("@cNeg", "Pos", "Int", positive)
            natural = self.digits(number, "@most_significant_digitNat", "Nat")
            return self.applied("@cInt", "Nat", "Int", natural)
        made = self.term("OpIdNoIndex", self.name(text), self.sort(sort))
        if sort == _OTHER:
            self.values[text] = made
        return made

    def digits(self, number: int, name: str, sort: str) -> int:
        return self.applied(name, "@word", sort, self.writer.number(number))

    def applied(self, name: str, argument: str, sort: str, to: int) -> int:
        def function() -> int:
            of = self.term("SortArrow", self.listed([self.sort(argument)]), self.sort(sort))
            return self.term("OpIdNoIndex", self.name(name), of)

        return self.term("DataAppl", self.once((name, argument, sort), function), to)

    def head(self) -> None:
        """Write the declarations of everything that occurs in labels."""
        writer = self.writer
        writer.output(b"labelled_transition_system", [])
        writer.output_number(bool(self.values))
        if self.values:
            writer.output(b"SortId", [self.name(_OTHER)])
        writer.output_number(0)
        writer.output_number(len(self.values))
        for text in self.values:
            writer.output(b"OpIdNoIndex", [self.name(text), self.sort(_OTHER)])
        writer.output_number(0)
        writer.output_number(0)
        writer.output(_bytes(EMPTY), [])
        self.output_list([*self.actions.values()])

    def output_list(self, elements: list[int]) -> None:
        rest = self.listed(elements[1:])
        if elements:
            self.writer.output(_bytes(LIST), [elements[0], rest])
        else:
            self.writer.output(_bytes(EMPTY), [])


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def _parts(label: str) -> _Parts:
    """Return the actions of a label; a label not in the syntax of mCRL2 is one action of that
    name."""
    found: _Parts = []
    for part in parted(label, "|"):
        name, bracket, rest = part.partition("(")
        given = [*parted(rest[:-1], ",")] if bracket else []
        if not _NAME.fullmatch(name) or name == _TAU or (bracket and not rest.endswith(")")):
            return [(label, [])]
        if not all(given):
            return [(label, [])]
        found.append((name, given))
    # In the order in which they are read back, so that the label is unchanged.
    texts = [f"{name}({','.join(given)})" if given else name for name, given in found]
    return found if texts == sorted(texts) else [(label, [])]


def _sort(texts: list[str]) -> str:
    """Return the most specific sort that contains all given arguments."""
    if all(text in ("true", "false") for text in texts):
        return "Bool"
    if all(_NUMBER.fullmatch(text) and text != "-0" for text in texts):
        return "Int" if any(text[0] == "-" for text in texts) else "Nat"
    return _OTHER
