"""The LTS in a graph: its states and its initial state, without nodes that are only decoration."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lts.base.bounds import DOT_FILE
from lts.errors import FormatError, FormatWarning, Unsupported
from lts.formats.dot.parser import DOUBLE, MARKS, TLC, Graph, parse
from lts.formats.dot.tokens import TokenCursor
from lts.formats.packed import Bytes
from lts.system.lts import LTS

if TYPE_CHECKING:
    # An array of numpy, which is imported on demand.
    Column = Any

__all__ = ["read"]

ACCEPTING = "accepting"
"""The label of a loop that marks an accepting state."""

INIT = "Init"
"""The label of steps from a new initial state to several initial states of TLC."""

_LABELLED = 'write `[label="tau"]` for an internal step'

_BLOCK = 1 << 22
_NONE = 2**32 - 1
"""The number of a node that is not a state."""
_NUMBERED = re.compile(r"([A-Za-z_]*)(0|[1-9][0-9]{0,9})")
_SYMMETRY = re.compile(r"^[^\S\n]*SYMMETRY\b", re.MULTILINE)


def read(file: Bytes, name: str | None) -> LTS:
    """Read a graph as an LTS whose transitions are the edges, with their labels.

    States are numbered by their first occurrence, or by their names if these are `0`, `1`, .. or
    `s0`, `s1`, .. with none missing. The initial state is marked: by an edge without a label from a
    node without a shape (Graphviz, AutomataLib, AALpy) or without other edges, by its fill (TLC),
    or by two outlines (mCRL2); without a mark it is the first, with a `FormatWarning`. A graph of
    TLC with several initial states gets a new one, with steps `Init` to them. Other states with
    two outlines are accepting, which becomes a loop `accepting`; the output of a Moore machine, in
    the label of a state, becomes a loop `output(..)`; for both there is a `FormatWarning`.

    Raises `FormatError` with the place, `Unsupported` for a graph that TLC made under SYMMETRY.
    """
    data, size = [], 0
    while block := file.read(_BLOCK):
        data.append(block)
        size += len(block)
        if size > DOT_FILE.default:
            message = (
                f"the DOT file has {DOT_FILE.exceeded()}: convert it to .aut, which has no "
                "such limit"
            )
            raise FormatError(message, file=name)
    text = b"".join(data).decode("utf-8", "surrogateescape")
    data.clear()
    tokens = TokenCursor(text, name)
    return _System(parse(tokens), tokens).system()


class _System:
    def __init__(self, graph: Graph, tokens: TokenCursor) -> None:
        self.graph = graph
        self.tokens = tokens
        self.name = tokens.name
        self.is_tlc = graph.name == TLC

    def system(self) -> LTS:
        graph = self.graph
        if self.is_tlc:
            self.refuse_symmetry()
        marks, first = self.marks()
        self.check_labels(marks)
        initial = self.initial(first)
        if graph.unread:
            named = ", ".join(f"`{name[:40]}`" for name in [*graph.unread][:5])
            self.remark(
                f"attributes that are not known to be drawing are left out: {named}"
                + (" and others" if len(graph.unread) > 5 else "")
            )
        left_out = marks | graph.legend
        names = [each for each, number in graph.nodes.items() if number not in left_out]
        if not names:
            raise FormatError("the graph has no states", file=self.name)
        numbers = self.numbers(names)
        source, label, target = self.columns(numbers)
        # No transition has the number of the missing label.
        table = [INIT if each is None else each for each in graph.labels]
        if None in graph.labels:
            absent = graph.labels[None]
            del table[absent]
            label = label - (label > absent)
        source, label, target, table = self.with_loops((source, label, target), table, numbers)
        if len(initial) == 1:
            start = int(numbers[initial[0]])
            return LTS.from_columns(source, label, target, table, start, len(names))
        return self.with_start((source, label, target), table, numbers[initial], len(names))

    def check_labels(self, marks: set[int]) -> None:
        """Raise `FormatError` for edges without a label, except those of markers and the stuttering
        of TLC."""
        graph = self.graph
        hint = "TLC writes labels with `-dump dot,actionlabels`"
        for edge, place in graph.unlabelled.items():
            if self.is_tlc and graph.source[edge] != graph.target[edge]:
                self.tokens.wrong(f"this edge has no label: {hint}", place)
            if not self.is_tlc and graph.source[edge] not in marks:
                self.tokens.wrong(f"this edge has no label: {_LABELLED}", place)
        if self.is_tlc and "" in graph.labels:
            raise FormatError(f"the edges have no labels: {hint}", file=self.name)

    def columns(self, numbers: Column) -> tuple[Column, Column, Column]:
        """Return the transitions: the edges between states."""
        import numpy as np

        graph = self.graph
        source, label, target = (
            np.frombuffer(column, dtype=np.uint32)
            for column in (graph.source, graph.label, graph.target)
        )
        source, target = numbers[source], numbers[target]
        mask = (source != _NONE) & (target != _NONE)
        if None in graph.labels:
            mask &= label != graph.labels[None]
        return source[mask], label[mask], target[mask]

    def with_loops(
        self, columns: tuple[Column, Column, Column], table: list[str], numbers: Column
    ) -> tuple[Column, Column, Column, list[str]]:
        """Return the transitions with loops for accepting states and for outputs added."""
        import numpy as np

        loops: list[tuple[int, str]] = []
        accepting = 0
        self.labels_as_outputs(numbers)
        for node, found in self.graph.attributes.items():
            if self.is_tlc or numbers[node] == _NONE:
                continue
            if not self.graph.is_mcrl2 and _is_double(found):
                loops.append((int(numbers[node]), ACCEPTING))
                accepting += 1
            if "output" in found:
                loops.append((int(numbers[node]), f"output({found['output']})"))
        if not loops:
            return (*columns, table)
        if taken := sorted({label for _, label in loops} & {*table}):
            message = f"`{taken[0]}` is already an action, so it cannot mark states"
            raise FormatError(message, file=self.name)
        if accepting:
            states = "1 state is" if accepting == 1 else f"{accepting} states are"
            self.remark(f"{states} accepting, marked by a loop `{ACCEPTING}`")
        if len(loops) > accepting:
            self.remark("states have outputs, marked by loops `output(..)`")
        table = [*table, *dict.fromkeys(label for _, label in loops)]
        label_numbers = {label: number for number, label in enumerate(table)}
        own = (
            np.array([state for state, _ in loops]),
            np.array([label_numbers[a] for _, a in loops]),
        )
        more = (own[0], own[1], own[0])
        source, label, target = (np.concatenate(each) for each in zip(columns, more, strict=True))
        return source, label, target, table

    def labels_as_outputs(self, numbers: Column) -> None:
        """Take the labels of states as outputs if they are not names of the states.

        AALpy writes Markov decision processes so: without a shape, and with the output alone as
        label. Labels that repeat are no names either. Others may be: then a remark says that they
        are left out.
        """
        graph = self.graph
        if self.is_tlc or graph.is_mcrl2:
            return
        names = [*graph.nodes]
        texts = {n: text for n, text in graph.texts.items() if numbers[n] != _NONE and text.strip()}
        repeat = len({*texts.values()}) < len(texts)
        if not repeat and all(_is_name(text, names[n]) for n, text in texts.items()):
            return
        is_shaped = graph.is_shaped or texts.keys() & graph.shaped
        is_named = is_shaped or any(text == names[n] for n, text in texts.items())
        if repeat or not is_named:
            for node, text in texts.items():
                found = graph.attributes.setdefault(node, {})
                graph.attributes[node] = {"output": text} | found
        else:
            self.remark("the labels of states are taken as their names, and left out")

    def with_start(
        self,
        columns: tuple[Column, Column, Column],
        table: list[str],
        initial: Column,
        count: int,
    ) -> LTS:
        """Return the LTS with a new initial state, which has steps to the several initial ones."""
        import numpy as np

        source: Column
        label: Column
        target: Column
        if INIT in table:
            message = f"several states are initial, but `{INIT}` is already an action"
            raise FormatError(message, file=self.name)
        said = f"{len(initial)} states are initial: a new initial state has steps `{INIT}` to them"
        self.remark(said)
        first = np.full(len(initial), count), np.full(len(initial), len(table)), initial
        source, label, target = (np.concatenate(each) for each in zip(columns, first, strict=True))
        return LTS.from_columns(source, label, target, [*table, INIT], count, count + 1)

    def marks(self) -> tuple[set[int], list[int]]:
        """Return the marker nodes that only point at an initial state, and the nodes they point
        at."""
        graph = self.graph
        shaped = {
            number
            for name, number in graph.nodes.items()
            if name.startswith("__start") or _is_mark(graph.attributes.get(number, {}))
        }
        shaped |= self.arrow()
        if not shaped:
            return shaped, []
        first: dict[int, list[tuple[str | None, int]]] = {}
        labels: list[str | None] = list(graph.labels)
        entered = set()
        for s, a, t in zip(graph.source, graph.label, graph.target, strict=True):
            if t in shaped:
                entered.add(t)
            elif s in shaped:
                first.setdefault(s, []).append((labels[a], t))
        marked, lone = {}, len(shaped) == 1
        for s, arrows in first.items():
            named = [label for label, _ in arrows if label]
            # A label on the only arrow of a node that is only a start does not make it a state.
            is_start = (
                named and len(arrows) == 1 and (lone or [*graph.nodes][s].startswith("__start"))
            )
            if s in entered or (named and not is_start):
                continue
            if named:
                self.remark(f"the label `{named[0][:100]}` of the start arrow is left out")
            marked[s] = [t for _, t in arrows]
        return {*marked}, sorted({t for targets in marked.values() for t in targets})

    def arrow(self) -> set[int]:
        """Return the source of the only edge without a label, if no other edge has this source: as
        in textbooks, its arrow marks the initial state."""
        graph = self.graph
        if self.is_tlc or len(graph.unlabelled) != 1:
            return set()
        [edge] = graph.unlabelled
        source = graph.source[edge]
        is_alone = sum(each == source for each in graph.source) == 1
        return {source} if is_alone and len(graph.source) > 1 else set()

    def initial(self, marked: list[int]) -> list[int]:
        """Return the initial states; several only for TLC."""
        graph = self.graph
        if self.is_tlc:
            filled = [
                number
                for number, found in graph.attributes.items()
                if "filled" in found.get("style", "")
                and "fillcolor" not in found
                and number not in graph.legend
            ]
            if not filled:
                raise FormatError("no state of TLC's graph is filled, so none is initial")
            return filled
        if len(marked) > 1:
            raise FormatError(f"{len(marked)} states are marked as initial", file=self.name)
        if marked:
            return marked
        double = [n for n, found in graph.attributes.items() if found.get("peripheries") == "2"]
        if graph.is_mcrl2 and len(double) == 1:
            return double
        if not graph.nodes:
            raise FormatError("the graph has no states", file=self.name)
        first = next(iter(graph.nodes))
        self.remark(f"no state is marked as initial: the first one is taken, `{first}`")
        return [0]

    def numbers(self, names: list[str]) -> Column:
        """Return the state of every node, or `_NONE`."""
        import numpy as np

        nodes = self.graph.nodes
        states: Iterable[int] = range(len(names))
        found = [_NUMBERED.fullmatch(name) for name in names]
        if all(found) and len({each[1] for each in found if each}) == 1:
            given = [int(each[2]) for each in found if each]
            if max(given) < len(names):
                states = given
        numbers = np.full(len(nodes), _NONE, dtype=np.uint32)
        numbers[[nodes[name] for name in names]] = list(states)
        return numbers

    def refuse_symmetry(self) -> None:
        """Raise `Unsupported` for a graph if the TLC configuration beside it has a symmetry.

        The graph does not record it: its states stand for orbits, its edges lead to orbits, and the
        permutations applied are not written. So the LTS cannot be recovered either.
        """
        if self.name is None:
            return
        stem = re.sub(r"\.(dot|gv)(\.\w+)?$", "", self.name, flags=re.IGNORECASE)
        path = f"{stem}.cfg"
        if not os.path.isfile(path):
            return
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            config = re.sub(r"\\\*[^\n]*|\(\*.*?(?:\*\)|\Z)", "", file.read(), flags=re.DOTALL)
        if _SYMMETRY.search(config):
            raise Unsupported(
                f"{self.name} was made under SYMMETRY, as {path} says: its states are orbits, and "
                "which permutation leads from one to the next was not written, so the graph is "
                "neither the state space nor its quotient; dump it without SYMMETRY, and reduce "
                "it here"
            )

    def remark(self, text: str) -> None:
        warnings.warn(f"{self.name or 'this'}: {text}", FormatWarning, stacklevel=2)


def _is_name(text: str, name: str) -> bool:
    """Whether the label of a state is its name, or the number in its name."""
    digits = re.search(r"[0-9]*\Z", name)
    number = digits[0] if digits else ""
    return text.strip() == name or (
        number != "" and re.fullmatch(rf"\D*0*{number}", text.strip()) is not None
    )


def _is_double(attributes: dict[str, str]) -> bool:
    """Whether a node is drawn with two outlines."""
    is_double = attributes.get("shape") in DOUBLE
    return attributes.get("peripheries", "2" if is_double else "1") == "2"


def _is_mark(attributes: dict[str, str]) -> bool:
    return attributes.get("shape") in MARKS or "invis" in attributes.get("style", "")
