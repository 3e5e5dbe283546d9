"""Traces: runs of a system as text files that can be replayed.

An exact trace begins with the line `%trace 1`. Every further line has a number, a blank and a
label: among the steps of the current state with this label, in order, the step taken is the one
with this number, counted from 1. Lines that begin with `%` are comments. Any other text is a plain
trace: one label a line, without blank lines, leaving the choice between steps with the same label
open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lts.base.label_names import action_names
from lts.errors import FormatError
from lts.system.lts import LTS

__all__ = [
    "IMAGES",
    "Preimage",
    "TraceStep",
    "format_trace",
    "label_shown",
    "labels_shown",
    "parse_seq",
    "parse_trace",
    "preimages_shown",
    "trace_along",
    "trace_of",
    "with_preimages",
]

IMAGES = "steps of the run that are images of steps of representatives:"
"""The words before `preimages_shown`."""

_WIDTH = 40
"""Most characters that the labels before a column are filled up to."""

_HEADER = "%trace 1"
_STEP = re.compile(r"([1-9][0-9]{0,17}) (.*)")


class TraceStep(NamedTuple):
    """A step of a trace; the internal step has the label `tau`.

    `choice` distinguishes steps with the same label: it numbers, from 1, the different target
    states of such steps in the order of the transitions. It is None if unknown.
    """

    label: str
    choice: int | None = None


class Preimage(NamedTuple):
    """The step of the representative of an orbit that a step of a run is the image of.

    `permutation`, in cycle notation, maps the representative's step, which has the label `label`,
    to the step of the run.
    """

    permutation: str
    label: str

    def __str__(self) -> str:
        return f"{self.permutation} of {label_shown(self.label)}"

    @property
    def is_moved(self) -> bool:
        """Whether the permutation is not the identity."""
        return self.permutation != "()"

    def as_json(self) -> dict[str, str]:
        """Return the preimage as a JSON object."""
        return {"permutation": self.permutation, "label": self.label}


def parse_trace(text: str, *, file: str | None = None) -> tuple[TraceStep, ...]:
    """Return the steps of a trace, exact or plain; errors call the text `file`.

    Raises `FormatError` for a malformed line of an exact trace.

    >>> parse_trace("%trace 1\\n1 a(0)\\n2 tau\\n")[1]
    TraceStep(label='tau', choice=2)
    >>> parse_trace("a(0)\\ntau")[1]
    TraceStep(label='tau', choice=None)
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines[0] != _HEADER:
        if re.fullmatch(r"%trace \d+", lines[0]):
            message = f"expected `%trace 1`, found `{lines[0]}`"
            raise FormatError(message, file=file, line=1, column=1, text=lines[0])
        return tuple(TraceStep(line.strip()) for line in lines if line.strip())
    steps = []
    for number, line in enumerate(lines[1:], start=2):
        if not line or line.startswith("%"):
            continue
        match = _STEP.fullmatch(line)
        if match is None:
            message = "expected a number (from 1), a space and a label"
            raise FormatError(message, file=file, line=number, column=1, text=line)
        steps.append(TraceStep(match[2], int(match[1])))
    return tuple(steps)


_SEQ_COMMENT = re.compile("\x01[^\x02]*\x02")
_SEQ_LINE = re.compile(r'[ \t]*(?:"([^"]*)"|(\[\])|(<deadlock>))?[ \t\r]*')


def parse_seq(text: str, *, file: str | None = None) -> tuple[TraceStep, ...]:
    """Return the steps of a trace in the format SEQ of CADP; errors call the text `file`.

    The format has one label in quotation marks a line. Raises `FormatError` for any other line,
    including lines with patterns for labels, and for a file with several traces.

    >>> parse_seq('"PUT !1"\\n"GET !1"\\n')
    (TraceStep(label='PUT !1', choice=None), TraceStep(label='GET !1', choice=None))
    """
    traces: list[list[TraceStep]] = [[]]
    ended = False
    uncommented = _SEQ_COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)
    for number, line in enumerate(uncommented.split("\n"), start=1):
        found = _SEQ_LINE.fullmatch(line)
        if found is None or (ended and found[1] is not None):
            message = "expected a label in quotation marks, `[]` or `<deadlock>`"
            if found is not None:
                message = "no step can follow `<deadlock>`"
            raise FormatError(message, file=file, line=number, column=1, text=line)
        if found[1] is not None:
            traces[-1].append(TraceStep(found[1]))
        elif found[2]:
            traces.append([])
        ended = bool(found[3]) or (ended and not found[2])
    several = [trace for trace in traces if trace]
    if len(several) > 1:
        message = f"the file contains {len(several)} traces instead of one"
        raise FormatError(message, file=file)
    return tuple(several[0]) if several else ()


def format_trace(steps: Sequence[TraceStep]) -> str:
    """Return the text of a trace: exact if every choice is known, else plain.

    Raises `FormatError` for a label that is not a line of text or that a plain trace cannot
    represent.

    >>> format_trace([TraceStep("a(0)", 1), TraceStep("tau", 2)])
    '%trace 1\\n1 a(0)\\n2 tau\\n'
    """
    exact = all(step.choice is not None for step in steps)
    plain = [step.label for step in steps]
    for number, label in enumerate(plain):
        representable = "\n" not in label and not label.endswith("\r")
        representable = representable and (
            exact or (label == label.strip() != "" and (number > 0 or label[0] != "%"))
        )
        if not representable:
            raise FormatError(f"a trace cannot contain the label {label!r}")
    lines = [_HEADER, *(f"{step.choice} {step.label}" for step in steps)] if exact else plain
    return "".join(f"{line}\n" for line in lines)


def trace_along(system: LTS, rows: Iterable[int]) -> tuple[TraceStep, ...]:
    """Return the exact trace along transitions of an LTS, given by their positions in its columns.

    >>> system = LTS.from_transitions([(0, "a", 0), (0, "a", 1), (1, "b", 0)])
    >>> trace_along(system, [1, 2])
    (TraceStep(label='a', choice=2), TraceStep(label='b', choice=1))
    """
    import numpy as np

    path = np.fromiter(rows, dtype=np.int64)
    pairs = set(zip(system.source[path].tolist(), system.label[path].tolist(), strict=True))
    near = np.flatnonzero(np.isin(system.source, system.source[path]))
    targets: dict[tuple[int, int], dict[int, int]] = {pair: {} for pair in pairs}
    columns = (system.source[near], system.label[near], system.target[near])
    for s, a, t in zip(*(column.tolist() for column in columns), strict=True):
        if (s, a) in targets:
            known = targets[s, a]
            known.setdefault(t, len(known) + 1)
    columns = (system.source[path], system.label[path], system.target[path])
    return tuple(
        TraceStep(system.labels[a], targets[s, a][t])
        for s, a, t in zip(*(column.tolist() for column in columns), strict=True)
    )


def trace_of(system: LTS, *, file: str | None = None) -> tuple[TraceStep, ...]:
    """Return the trace that an LTS consists of, as mCRL2's `.trc` files contain one; errors call
    it `file`. It does not say which of several steps with the same label was taken.

    Raises `FormatError` if the LTS is not a single path.

    >>> trace_of(LTS.from_transitions([(0, "a(0)", 1), (1, "tau", 2)]))
    (TraceStep(label='a(0)', choice=None), TraceStep(label='tau', choice=None))
    """
    following: dict[int, tuple[str, int]] = {}
    for source, label, target in system:
        if source in following:
            message = f"this LTS is not a trace: several transitions leave state {source}"
            raise FormatError(message, file=file)
        following[source] = label, target
    steps, state = [], system.initial
    while state in following:
        label, state = following.pop(state)
        steps.append(TraceStep(label))
    if following or state in system.source[: len(steps)]:
        raise FormatError("this LTS is not a trace: it is not a single path", file=file)
    return tuple(steps)


def label_shown(label: str) -> str:
    """Return a label for a list of labels: in quotation marks if it would not be recognised as one.

    >>> print(label_shown("a(d1,0)"), label_shown("send it"))
    a(d1,0) "send it"
    """
    names = "".join(action_names([label]))
    plain = label and not any(c.isspace() for c in label) and not set(names) & set(',{}"')
    if plain:
        return label
    import json

    return json.dumps(label, ensure_ascii=False)


def labels_shown(labels: Sequence[str], most: int) -> str:
    """Return the first `most` labels of a trace in one line, and how many follow.

    >>> labels_shown(["a", "b", "c"], 2)
    'a b ... (and 1 more)'
    """
    shown = " ".join(map(label_shown, labels[:most])) or "(the empty trace)"
    return shown if len(labels) <= most else f"{shown} ... (and {len(labels) - most} more)"


def with_preimages(texts: Sequence[str], preimages: Sequence[Preimage]) -> list[str]:
    """Return the texts of steps, with a column for the step of the original that each is the image
    of, if the permutation is not the identity."""
    pairs = list(zip(texts, preimages, strict=True))
    width = min(
        max((len(text) for text, preimage in pairs if preimage.is_moved), default=0), _WIDTH
    )
    return [
        f"{text:{width}}  {preimage}" if preimage.is_moved else text for text, preimage in pairs
    ]


def preimages_shown(labels: Sequence[str], preimages: Sequence[Preimage], most: int) -> str:
    """Return lines with those of the first `most` steps of a run that are not steps of
    representatives: the number of the step, its label, and what it is the image of.

    >>> both = Preimage("()", "a(1)"), Preimage("(1 2)", "a(1)")
    >>> print(preimages_shown(["a(1)", "a(2)"], both, 9))
      2 a(2)  (1 2) of a(1)
    """
    numbered = enumerate(zip(labels[:most], preimages[:most], strict=True), start=1)
    moved = [(f"{n:>3} {label_shown(label)}", one) for n, (label, one) in numbered if one.is_moved]
    return "\n".join(
        with_preimages([text for text, _ in moved], [preimage for _, preimage in moved])
    )
