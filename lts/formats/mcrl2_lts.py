"""Files `.lts` of mCRL2: streams of binary terms, with the transitions one after the other.

A label is a multi-action whose arguments are data terms. It is read as the text that it has in
other formats. The terms are kept beside it, so that it is written as it was; labels of a
specification have the sorts of its declarations.
"""

from __future__ import annotations

import re
import warnings
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from itertools import islice
from typing import NoReturn

from lts._engine import Stage, TermReader, TermWriter, largest_state
from lts.base.label_names import Named
from lts.errors import FormatError, FormatWarning, LtsError, Unsupported
from lts.formats.transitions import Transitions
from lts.mcrl2.binary.builder import Builder, FileDeclarations, Section, encoded
from lts.mcrl2.binary.kinds import LINEAR_PROCESS, described
from lts.mcrl2.binary.labels import Labels
from lts.mcrl2.binary.stream import EMPTY, Stream
from lts.mcrl2.binary.written import OfLabels, actions_of
from lts.specification.label_terms import LabelTerms
from lts.system.internal_labels import TAU, by_name, used_labels
from lts.system.lts import LTS

__all__ = ["blocks", "read"]

BLOCK_TRANSITIONS = 1 << 18
"""Transitions read or written at a time."""


def read(data: bytes, name: str | None) -> LTS:
    """Read the LTS in a file; raise `FormatError` with the byte offset if it is malformed.

    The LTS remembers the terms of the file, with which it is written again.
    """
    stream = Stream(data, name)
    origin = Origin(stream)
    transitions = Transitions()
    initial: int | None = None
    more = True
    with Stage("reading", len(data)) as stage:
        while more:
            source, label, target, more = stream.transitions(BLOCK_TRANSITIONS)
            for column, found in zip(
                (transitions.source, transitions.label, transitions.target),
                (source, label, target),
                strict=True,
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
    origin.label(transitions)
    listed = stream.reader.lists
    states = max(initial, _largest(transitions.source, transitions.target), listed - 1) + 1
    system = transitions.system(initial, states, listed=listed, name=name).with_internal([TAU])
    system._origin = origin
    if listed == states and origin.declared.parameters:
        system._vectors = stream.reader
    elif listed and origin.declared.parameters:
        message = f"the file has state vectors of {listed} of {states} states, which are left out"
        warnings.warn(f"{name or 'text'}: {message}", FormatWarning, stacklevel=2)
    return system


def _largest(*columns: Iterable[int]) -> int:
    return max(max(column, default=0) for column in columns)


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


class Origin:
    """The declarations and labels of a file, as terms of its stream."""

    def __init__(self, stream: Stream) -> None:
        """Read the declarations before the transitions."""
        self.stream = stream
        mark = stream.output()
        if mark == (LINEAR_PROCESS, ()):
            raise LtsError(
                "this is a linear process: convert it to an LTS with `ltstool generate`",
                file=stream.file,
            )
        if mark != ("labelled_transition_system", ()):
            stream.wrong(f"expected an LTS; this is {described(mark)}")
        self.declared = FileDeclarations()
        for section, what in (
            (self.declared.sorts, "sorts"),
            (self.declared.aliases, "aliases"),
            (self.declared.constructors, "constructors"),
            (self.declared.functions, "functions"),
            (self.declared.equations, "equations"),
        ):
            for _ in range(stream.number(f"how many {what} there are")):
                name, given = stream.term(f"one of the {what}")
                section.append((encoded(name), [*given]))
        self.declared.parameters = stream.elements("parameters")
        self.declared.actions = dict.fromkeys(stream.elements("actions"))
        self.terms: dict[str, tuple[int, int]] = {}
        """The list of actions, and the time, of each label."""
        self._texts = Labels(stream, self._structures())

    def _structures(self) -> dict[str, int]:
        """Return the terms of the structured sorts, by their names."""
        found = {}
        for _, (name, sort) in self.declared.aliases:
            if self.stream.head(sort) == "SortStruct":
                found[self.stream.word(self.stream.of(name, "SortId", 1)[0])] = sort
        return found

    @property
    def reader(self) -> TermReader:
        """The terms of the file, and the values of the parameters in each state."""
        return self.stream.reader

    def __reduce__(self) -> tuple[object, ...]:
        """A copy is read from a file: with the labels alone, unless states have values."""
        data, file = self.stream.data, self.stream.file
        if not self.declared.parameters:
            labels = LTS.from_transitions((0, label, 0) for label in self.terms)
            labels._origin = self
            data = b"".join(blocks(labels))
        return _origin_of, (data, file)

    def label(self, transitions: Transitions) -> None:
        """Convert labels to text, merging labels of equal text."""
        stream, numbers = self.stream, transitions.numbers
        found, ambiguous = [], ""
        for name, arguments in stream.labels():
            if name != "TimedMultAct" or len(arguments) != 2:
                stream.wrong(f"expected a label, not `{name}`")
            text = self._texts.text(*arguments)
            if self.terms.setdefault(text, (arguments[0], arguments[1])) != arguments:
                ambiguous = ambiguous or text
            found.append(numbers.setdefault(text, len(numbers)))
        if ambiguous:
            transitions.label = array("I", map(found.__getitem__, transitions.label))
            message = f"several labels of different sorts or forms have the text `{ambiguous}`"
            shown = f"{stream.file or 'text'}: {message}, and are one here"
            warnings.warn(shown, FormatWarning, stacklevel=3)

    @cached_property
    def _actions(self) -> dict[str, int]:
        """The actions in labels, by their texts."""
        return {
            self._texts.action(action): action
            for actions, _ in self.terms.values()
            for action in self.stream.list_of(actions, "actions")
        }

    @cached_property
    def _given(self) -> dict[str, set[tuple[int, int]]]:
        """For the texts of arguments: the terms of their sorts, and of the arguments."""
        found: dict[str, set[tuple[int, int]]] = defaultdict(set)
        for text, term in self._actions.items():
            action, given = self.stream.of(term, "Action", 2)
            sorts = self.stream.of(action, "ActId", 2)[1]
            found[text.partition("(")[2]].add((sorts, given))
        return found


def _origin_of(data: bytes, file: str | None) -> object:
    """Return the declarations and labels of a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        return read(data, file)._origin


class _OfFile:
    """The terms of a file, copied to another one."""

    def __init__(self, builder: Builder, origin: Origin) -> None:
        self.builder, self.origin = builder, origin
        self.reader = origin.stream.reader
        self.declared = self._declarations()

    def copied(self, numbers: Iterable[int]) -> list[int]:
        return self.builder.writer.copied(self.reader, [*numbers])

    def _declarations(self) -> FileDeclarations:
        declared = self.origin.declared

        def all_copied(section: Section) -> Section:
            numbers = iter(self.copied(term for _, given in section for term in given))
            return [(name, [*islice(numbers, len(given))]) for name, given in section]

        return FileDeclarations(
            all_copied(declared.sorts),
            all_copied(declared.aliases),
            all_copied(declared.constructors),
            all_copied(declared.functions),
            all_copied(declared.equations),
            self.copied(declared.parameters),
            dict.fromkeys(self.copied(declared.actions)),
        )

    def labels(self, texts: Iterable[str]) -> dict[str, list[int]]:
        """Return the arguments of the terms of those labels that the file has."""
        terms = self.origin.terms
        known = {text: terms[text] for text in texts if text in terms}
        numbers = iter(self.copied(term for pair in known.values() for term in pair))
        return {text: [next(numbers), next(numbers)] for text in known}

    def actions(self, needed: Iterable[Named]) -> dict[Named, int]:
        """Return those actions that are in the file, or have the arguments of one that is there."""
        found: dict[Named, tuple[int, ...]] = {}
        for name, given in needed:
            inside = f"{','.join(given)})"
            known = self.origin._actions.get(f"{name}({inside}" if given else name)
            like = self.origin._given.get(inside, ())
            if known is not None:
                found[name, given] = (known,)
            elif not given:
                found[name, given] = ()
            elif len(like) == 1:
                found[name, given] = next(iter(like))
        # Copied at once, since each call goes through all terms of the file.
        numbers = iter(self.copied(part for parts in found.values() for part in parts))
        return {
            (name, given): self._action(name, [*islice(numbers, len(parts))])
            for (name, given), parts in found.items()
        }

    def _action(self, name: str, parts: list[int]) -> int:
        """Return an action: the only copied part, or an action of this name with the copied sorts
        and arguments."""
        if len(parts) == 1:
            return parts[0]
        builder = self.builder
        sorts, values = parts or (builder.listed(()), builder.listed(()))
        label = builder.term("ActId", builder.term(name), sorts)
        self.declared.actions[label] = None
        return builder.term("Action", label, values)


# From here on: writing.

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,18})")
_OTHER = "Value"
"""The sort of arguments that are neither numbers nor truth values."""
_LABEL = b"TimedMultAct"


def blocks(system: LTS) -> Iterator[bytes]:
    """Yield the contents of a file; labels have the terms of the file or specification that they
    come from. The sorts of other labels are guessed from the texts of their arguments.

    Raises `FormatError` for a visible label `tau`, which the format cannot represent.
    """
    names = {*used_labels(system)}
    internal = {*system.internal}
    if not internal.issuperset(by_name(names, [TAU])):
        raise FormatError("the label `tau` is visible here, but always internal in an .lts file")
    writer = TermWriter()
    silent = {label for label in system.labels if label in internal or label not in names}
    labels = _Written(Builder(writer), system, silent)
    labels.head()
    count = system.transition_count
    with Stage("writing", count) as stage:
        for start in range(0, count, BLOCK_TRANSITIONS):
            stop = min(count, start + BLOCK_TRANSITIONS)
            writer.transitions(system._engine, (start, stop), _LABEL, labels.arguments)
            yield writer.take()
            stage.reach(stop)
    if system._vectors is not None:
        writer.lists(system._vectors)
    elif max(system.initial, largest_state(system._engine)) + 1 < system.state_count:
        # Only state labels, which are empty here, tell a reader that there are further states.
        for _ in range(system.state_count):
            writer.output(encoded(EMPTY), [])
    writer.output(b"initial_state", [])
    writer.output_number(1)
    writer.output_number(system.initial)
    writer.end()
    yield writer.take()


class _Written:
    """The labels of an LTS converted to terms."""

    def __init__(self, builder: Builder, system: LTS, silent: set[str]) -> None:
        self.builder = builder
        self.values: dict[str, int] = {}
        """The constants of the sort `_OTHER`, with their terms."""
        self.declared = FileDeclarations()
        of: _OfFile | OfLabels | None = None
        known: dict[str, list[int]] = {}
        match system._origin:
            case Origin() as origin:
                of = _OfFile(builder, origin)
            case LabelTerms() as typed:
                of = OfLabels(builder, typed)
        if of is not None:
            known = of.labels(label for label in system.labels if label not in silent)
            self.declared = of.declared
        if system._vectors is None:
            self.declared.parameters = []
        parts = {
            label: [] if label in silent else actions_of(label) or [(label, ())]
            for label in system.labels
            if label not in known
        }
        texts: dict[tuple[str, int, int], list[str]] = defaultdict(list)
        needed = dict.fromkeys(action for actions in parts.values() for action in actions)
        self.actions = {} if of is None else of.actions(needed)
        for name, given in needed.keys() - self.actions.keys():
            for place, text in enumerate(given):
                texts[name, len(given), place].append(text)
        self.sorts = {which: _sort(all_of_one) for which, all_of_one in texts.items()}
        self.arguments = [
            known.get(label)
            or [
                builder.listed(self.action(*action) for action in parts[label]),
                builder.untimed,
            ]
            for label in system.labels
        ]

    def action(self, name: str, given: tuple[str, ...]) -> int:
        """Return an action, whose sorts are guessed if nothing else is known."""
        builder = self.builder
        if (name, given) not in self.actions:
            # Of an unknown declaration, or with arguments that do not fit it.
            sorts = [self.sorts[name, len(given), place] for place in range(len(given))]
            terms = [*map(builder.sort, sorts)]
            self.declared.actions[builder.label(name, terms)] = None
            values = [
                builder.once(("value", *value), partial(self.value, *value))
                for value in zip(given, sorts, strict=True)
            ]
            self.actions[name, given] = builder.action(name, terms, values)
        return self.actions[name, given]

    def value(self, text: str, sort: str) -> int:
        if sort in ("Nat", "Int"):
            return self.builder.number(int(text), sort)
        made = self.builder.constant(text, self.builder.sort(sort))
        if sort == _OTHER:
            self.values[text] = made
        return made

    def head(self) -> None:
        """Write the declarations of everything that occurs in labels."""
        writer, builder, declared = self.builder.writer, self.builder, self.declared
        if self.values:
            _extend(declared.sorts, b"SortId", [[builder.term(_OTHER)]])
        constants = [[builder.term(text), builder.sort(_OTHER)] for text in self.values]
        _extend(declared.constructors, b"OpIdNoIndex", constants)
        writer.output(b"labelled_transition_system", [])
        builder.output_data(declared)
        builder.output_list(declared.parameters)
        builder.output_list(declared.actions)


def _extend(section: Section, name: bytes, terms: list[list[int]]) -> None:
    """Add declarations that a file that was read does not have already."""
    known = {(name, *given) for name, given in section}
    section += [(name, given) for given in terms if (name, *given) not in known]


def _sort(texts: list[str]) -> str:
    """Return the most specific sort that contains all given arguments."""
    if all(text in ("true", "false") for text in texts):
        return "Bool"
    if all(_NUMBER.fullmatch(text) and text != "-0" for text in texts):
        return "Int" if any(text[0] == "-" for text in texts) else "Nat"
    return _OTHER
