"""FSM files of mCRL2.

Sections, with a line `---` between them: parameters of the states, with their values; a line for
every state, with the numbers of its values; transitions `1 2 "label"` with states numbered from 1;
and the initial state, if it is not 1.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import NoReturn

import lts._engine as _engine
from aut_format.reader import printable
from lts.base.bounds import FILE_STATES
from lts.errors import FormatError, FormatWarning
from lts.formats.labels import refuse_line_breaks, remark_visible
from lts.formats.packed import Bytes
from lts.formats.transitions import Transitions
from lts.system.lts import LTS

__all__ = ["blocks", "read"]

_BLOCK = 1 << 22
_LINES = 1 << 15  # converted to text at a time

_TRANSITIONS = re.compile(rb'^[ \t]*([0-9]+)[ \t]+([0-9]+)[ \t]+"(.*)"[ \t\r]*$', re.MULTILINE)
_LINE = re.compile(rb"^.*[^ \t\r\n].*$", re.MULTILINE)
_PARAMETER = re.compile(rb"\s*([^\s(]+)\s*\(\s*([0-9]+)\s*\)")
_NUMBERS = re.compile(rb"[ \t\r]*(?:[0-9]+[ \t\r]*)*")
_LONGEST_NUMBER = 20
_NAMES = ("parameters", "states", "transitions", "the initial state")


def _number(digits: bytes) -> int:
    """Return a number; for one with too many digits, any number that is too large for a state."""
    if len(digits) > _LONGEST_NUMBER:
        digits = digits.lstrip(b"0")[:_LONGEST_NUMBER] or b"0"
    return int(digits)


def read(file: Bytes, name: str | None) -> LTS:
    """Read an FSM file; the values of the states are dropped, with a `FormatWarning`.

    Raises `FormatError` with the place.
    """
    return _Reader(file, name).read()


class _Reader:
    def __init__(self, file: Bytes, name: str | None) -> None:
        self.file = file
        self.name = name
        self.line = 0
        self.section = 0
        self.sizes: list[int] = []  # how many values each parameter has; 0 if none are listed
        self.parameters = 0
        self.listed = 0
        self.largest = 0
        self.initial: int | None = None
        self.transitions = Transitions()

    def read(self) -> LTS:
        for block in self._blocks():
            self._block(block)
        if self.section < 2:
            message = (
                f"the file ends before its transitions: {2 - self.section} lines `---` are missing"
            )
            raise FormatError(message, file=self.name, line=self.line + 1)
        initial = 1 if self.initial is None else self.initial
        states = max(self.listed, self.largest, 1)
        if initial > states:
            message = f"the initial state is {initial}, but there are only {states} states"
            raise FormatError(message, file=self.name)
        if self.parameters:
            said = f"{self.name or 'this'}: the values of {self.parameters} state parameters"
            warnings.warn(f"{said} are left out", FormatWarning, stacklevel=2)
        return self.transitions.system(initial - 1, states, listed=self.listed, name=self.name)

    def _blocks(self) -> Iterator[bytes]:
        """Yield blocks of many whole lines."""
        pending: list[bytes] = []
        first = True
        while block := self.file.read(_BLOCK):
            if first:
                block = block.removeprefix(b"\xef\xbb\xbf")
                first = False
            end = block.rfind(b"\n") + 1
            if not end:
                pending.append(block)
                continue
            yield b"".join(pending) + block[:end]
            pending = [block[end:]] if end < len(block) else []
        if pending:
            yield b"".join(pending)

    def _block(self, block: bytes) -> None:
        """Read a block of whole lines: transitions in bulk, the sections before and after line by
        line."""
        at = 0
        while at < len(block):
            if self.section == 2:
                cut = re.compile(rb"^[ \t]*---", re.MULTILINE).search(block, at)
                end = len(block) if cut is None else cut.start()
                self._transitions(block[at:end])
                if cut is None:
                    return
                at = end
            end = block.find(b"\n", at)
            end = len(block) if end < 0 else end
            self._single(block[at:end])
            at = end + 1

    def _single(self, line: bytes) -> None:
        self.line += 1
        shown = line.strip()
        if shown == b"---":
            self.section += 1
            if self.section > 3:
                self._wrong(line, 0, "expected no more sections")
            return
        if self.section == 1:
            self._state(line, shown)
        elif not shown:
            return
        elif self.section == 0:
            found = _PARAMETER.match(line)
            if found is None:
                self._wrong(line, 0, "expected a parameter `name(values) sort`, or `---`")
            self.sizes.append(_number(found[2]))
            self.parameters += self.sizes[-1] > 0
        else:
            digits = re.fullmatch(rb"[ \t]*(0*[0-9]{1,10})[ \t\r]*", line)
            if digits is None or self.initial is not None:
                what = "one initial state, by its number"
                more = " (distributions are not supported)" if shown.startswith(b"[") else ""
                self._wrong(line, 0, f"expected {what}{more}")
            self.initial = self._state_number(digits[1], line, digits.start(1))

    def _state(self, line: bytes, shown: bytes) -> None:
        if not shown and self.parameters:
            return
        found = _NUMBERS.match(line)
        if found is None or found.end() != len(line):
            at = 0 if found is None else found.end()
            self._wrong(line, at, "expected the numbers of the values of a state, or `---`")
        self._check_values(line)
        self.listed += 1
        if self.listed > FILE_STATES.default - 1:
            self._wrong(line, 0, "there are too many states")

    def _check_values(self, line: bytes) -> None:
        """Refuse a state that does not have the values of the parameters; all states may leave out
        those of parameters that list none."""
        values = len(line.split())
        if not self.listed and values == self.parameters:
            self.sizes = [size for size in self.sizes if size]
        if values != len(self.sizes):
            self._wrong(line, 0, f"expected {len(self.sizes)} values, and found {values}")
        for found, size in zip(re.finditer(rb"[0-9]+", line), self.sizes, strict=True):
            if size and _number(found[0]) >= size:
                self._wrong(line, found.start(), f"expected a number below {size}")

    def _transitions(self, block: bytes) -> None:
        found = _TRANSITIONS.findall(block)
        if len(found) != len(_LINE.findall(block)):
            self._fault(block)
        transitions = self.transitions
        numbers, largest = transitions.numbers, self.largest
        known: dict[bytes, int] = {}
        add, label_of, end = (
            transitions.source.append,
            transitions.label.append,
            transitions.target.append,
        )
        bound = FILE_STATES.default if not self.parameters or not self.listed else self.listed + 1
        for source, target, label in found:
            one, other = _number(source), _number(target)
            if not (0 < one < bound and 0 < other < bound):
                self._fault(block)
            number = known.get(label)
            if number is None:
                text = label.decode("utf-8", "surrogateescape")
                number = known[label] = numbers.setdefault(text, len(numbers))
            add(one - 1)
            label_of(number)
            end(other - 1)
            if one > largest:
                largest = one
            if other > largest:
                largest = other
        self.largest = largest
        self.line += block.count(b"\n") + (not block.endswith(b"\n") and block != b"")

    def _fault(self, block: bytes) -> NoReturn:
        """Find the first malformed line, and raise `FormatError` about it."""
        for line in block.split(b"\n"):
            self.line += 1
            if not line.strip(b" \t\r"):
                continue
            found = _TRANSITIONS.fullmatch(line)
            if found is not None:
                for group in (1, 2):
                    self._state_number(found[group], line, found.start(group))
                continue
            if re.match(rb"[ \t]*[0-9]+[ \t]+\[", line):
                self._wrong(line, 0, "probabilistic transitions are not supported")
            at = re.match(rb'[ \t]*(?:[0-9]+[ \t]*){0,2}(?:".*")?[ \t]*', line)
            assert at is not None
            self._wrong(line, at.end(), 'expected a transition `1 2 "label"`')
        raise AssertionError("a block that is wrong has no line that is")

    def _state_number(self, digits: bytes, line: bytes, at: int) -> int:
        number = _number(digits)
        if number == 0:
            self._wrong(line, at, "states are numbered from 1")
        if number >= FILE_STATES.default:
            self._wrong(line, at, f"state number {number} is too large")
        if self.parameters and self.listed and number > self.listed:
            self._wrong(line, at, f"state {number} of {self.listed}")
        return number

    def _wrong(self, line: bytes, at: int, message: str) -> NoReturn:
        column = len(printable(line[:at])) + 1
        where = _NAMES[min(self.section, 3)]
        raise FormatError(
            f"{message} (among {where})" if self.section < 2 else message,
            file=self.name,
            line=self.line,
            column=column,
            text=printable(line),
        )


def blocks(system: LTS) -> Iterator[bytes]:
    """Yield the text of an FSM file. States have no parameters, so each is an empty line.

    Raises `FormatError` for a label that contains a line end.
    """
    refuse_line_breaks(system, ".fsm")
    remark_visible(system, ".fsm")
    yield b"---\n"
    for start in range(0, system.state_count, _LINES):
        yield b"\n" * min(_LINES, system.state_count - start)
    yield b"---\n"
    labels = [label.encode("utf-8", "surrogateescape") for label in system.labels]
    columns = (system.source, system.target, system.label)
    with _engine.Stage("writing", system.transition_count) as stage:
        for start in range(0, system.transition_count, _LINES):
            source, target, label = (column[start : start + _LINES].tolist() for column in columns)
            transitions = zip(source, target, label, strict=True)
            yield b"".join(b'%d %d "%b"\n' % (s + 1, t + 1, labels[a]) for s, t, a in transitions)
            stage.add(_LINES)
    if system.initial:
        yield b"---\n%d\n" % (system.initial + 1)
