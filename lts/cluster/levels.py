"""Levels explored by all partitions together, up to a goal or a limit.

A large level is explored in chunks, one range of source states after the other, so that messages in
flight take little memory. This does not affect the numbering, since steps of states with smaller
numbers come first in it anyway.

A search on one machine can stop in the middle of a level. For partitions to stop at exactly the
same step, a level ends at a *cut*, which is the key of a step: only the steps of the level with
smaller keys, and the states that they reach, are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import lts._engine as _engine
from lts.base.label_names import label_text
from lts.cluster.transport import Transport
from lts.cluster.worker import Expanded, Failed, Key, Settled
from lts.state_space.settings import Limits

__all__ = ["STEPS", "Cut", "Goal", "Levels", "Telling", "checked"]

STEPS = 1 << 17
"""Approximate number of steps of each partition that are processed at a time."""


def checked(answers: list[Any]) -> list[Any]:
    """Return the results of workers; raise the error of the first worker that failed."""
    for answer in answers:
        if isinstance(answer, Failed):
            raise answer.error()
    return answers


class Telling:
    """A transport that raises the errors that workers return."""

    def __init__(self, workers: Transport) -> None:
        self._workers = workers

    @property
    def steps(self) -> int | None:
        """Approximate number of steps of each partition to process at a time; None for no
        preference."""
        return self._workers.steps

    @property
    def bound(self) -> int | None:
        """Bytes of memory that the workers stay below by themselves."""
        return self._workers.bound

    def step(self, method: str, arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Perform a superstep."""
        return checked(self._workers.step(method, arguments))

    def call(self, which: int, method: str, *arguments: Any) -> Any:
        """Call one worker."""
        return checked([self._workers.call(which, method, *arguments)])[0]

    def call_all(self, method: str, *arguments: Any) -> list[Any]:
        """Call all workers with the same arguments."""
        return checked(self._workers.call_all(method, *arguments))

    def begin(self, lengths: Sequence[int], start: int) -> None:
        """Start new workers."""
        self._workers.begin(lengths, start)

    def stop(self) -> None:
        """Stop the workers."""
        self._workers.stop()


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal of the search: a deadlock, or the first step with a label that is searched for."""

    key: Key
    deadlock: bool

    @property
    def after(self) -> Key:
        """The key just behind the goal."""
        source, index = self.key
        return (source + 1, 0) if self.deadlock else (source, index + 1)


@dataclass(frozen=True, slots=True)
class Cut:
    """The key at which a level was cut, and why."""

    key: Key
    kind: str
    message: str = ""
    summand: int | None = None


@dataclass(slots=True)
class Levels:
    """The exploration state of the driver: the levels explored so far."""

    workers: Transport
    partitions: int
    max_states: int | None = None
    deadlocks: bool = False
    is_goal: Callable[[bytes], bool] | None = None
    enough: int | None = None
    states: int = 1
    start: int = 0
    """The first state that is not explored yet."""
    end: int = 0
    """The first state of the next level."""
    steps: int = field(default_factory=lambda: STEPS)
    """Approximate number of steps of each partition that are processed at a time."""
    transitions: int = 0
    dead: int = 0
    levels: int = 0
    labels: dict[bytes, int] = field(default_factory=dict)
    """The labels as written, numbered in the order of their first transitions."""
    texts: dict[bytes, int] = field(default_factory=dict)
    """The number of each original label."""
    goals: list[Goal] = field(default_factory=list)
    cut: Cut | None = None
    lengths: list[int] = field(default_factory=list)
    """Lengths of the workers' logs in bytes."""
    store: int = 0
    tables: int = 0
    """Bytes of the stored states and of the tables, summed over all workers."""

    @property
    def done(self) -> bool:
        """Whether all levels are explored."""
        return self.cut is not None or self.start == self.states

    @property
    def explored(self) -> int:
        """Number of states whose steps are all known."""
        return self.start if self.cut is None else self.cut.key[0]

    @property
    def until(self) -> int:
        """The end of the next chunk to explore: the end of the level, or an earlier state."""
        steps = min(self.steps, self.workers.steps or self.steps) * self.partitions
        sources = steps * self.start // max(1, self.transitions)
        end = self.states if self.start == self.end else self.end
        return min(end, self.start + max(1, sources))

    def explore(self) -> dict[str, Any]:
        """Explore a level or a chunk of it, and return what it added, as JSON data. If this fails,
        `self` is unchanged."""
        workers, nothing = self.workers, [()] * self.partitions
        start, until, states = self.start, self.until, self.states
        expanded: list[Expanded] = workers.step("expand", [(until,)] * self.partitions)
        first, shown = self._first_steps(expanded)
        goals = self._found(expanded, first)
        workers.step("receive", [(start, until)] * self.partitions)
        counts: list[int] = workers.step("rank", nothing)
        cut = self._first_cut(expanded, goals, counts)
        if cut is not None and cut.kind == "error":
            raise _engine.EvaluationError(cut.message, cut.summand)
        if cut is not None and cut.kind == "steps":
            raise _engine.StepLimit(cut.message, cut.summand)
        last = None if cut is None else cut.key
        firsts = [states + sum(counts[:ranker]) for ranker in range(self.partitions)]
        workers.step("number", [(firsts, last)] * self.partitions)
        texts, labels = self._numbered(first, shown, last)

        def number(text: bytes) -> int:
            # A label that occurs only behind the cut is not written; its number does not matter.
            return self.texts.get(text, texts.get(text, 0))

        checked = [
            [(label.own, number(label.text)) for label in answer.labels] for answer in expanded
        ]
        settled: list[Settled] = workers.step("finish_level", [(own, last) for own in checked])
        level = {
            "until": until,
            "texts": [[text.decode("latin-1"), number] for text, number in texts.items()],
            "labels": [text.decode("latin-1") for text in labels],
            "transitions": sum(answer.transitions for answer in settled),
            "deadlocks": sum(answer.deadlocks for answer in settled),
            "states": sum(answer.states for answer in settled),
            "goals": [
                [*goal.key, goal.deadlock] for goal in goals if last is None or goal.key < last
            ],
            "cut": None if cut is None else [*cut.key, cut.kind, cut.summand],
            "lengths": [answer.length for answer in settled],
            **self.more(settled),
        }
        self.add(level)
        self.store = sum(answer.store for answer in settled)
        self.tables = sum(answer.tables for answer in settled)
        return level

    def add(self, level: dict[str, Any]) -> None:
        """Add an explored level, or a chunk of one."""
        if self.start == self.end:
            self.levels += 1
            self.end = self.states
        self.texts |= {text.encode("latin-1"): number for text, number in level["texts"]}
        for text in level["labels"]:
            self.labels[text.encode("latin-1")] = len(self.labels)
        self.transitions += level["transitions"]
        self.dead += level["deadlocks"]
        self.start, self.states = level["until"], level["states"]
        self.lengths = level["lengths"]
        self.goals += [Goal((source, index), dead) for source, index, dead in level["goals"]]
        if level["cut"] is not None:
            source, index, kind, summand = level["cut"]
            self.cut = Cut((source, index), kind, summand=summand)

    def passed(self, limits: Limits, begun: float) -> str | None:
        """Return the limit that is exceeded, checked between levels; the memory limit is not
        checked here if workers observe it themselves."""
        if limits.time is not None:
            late = limits.until is not None and monotonic() > limits.until
            if late or monotonic() - begun > limits.time:
                return "time"
        if limits.memory is None or self.workers.bound is not None:
            return None
        return "memory" if self.store + self.tables > limits.memory else None

    def normal_forms(self) -> tuple[str, ...]:
        """Return one application of each function that no equation matched in some value."""
        forms: dict[int, bytes] = {}
        for answer in self.workers.call_all("normal_forms"):
            for symbol, shown in answer:
                known = forms.get(symbol, shown)
                forms[symbol] = min(shown, known, key=lambda text: (len(text), text))
        return tuple(label_text(forms[symbol]) for symbol in sorted(forms))

    def more(self, settled: Sequence[Settled]) -> dict[str, Any]:
        """Return what else a level added; overridden for orbits."""
        return {}

    def _first_steps(
        self, expanded: Sequence[Expanded]
    ) -> tuple[dict[bytes, Key], dict[bytes, bytes]]:
        """Return the new labels, each with its first step, in the order of these; and each without
        its hidden actions."""
        first: dict[bytes, Key] = {}
        shown: dict[bytes, bytes] = {}
        for answer in expanded:
            for label in answer.labels:
                if label.text not in self.texts:
                    first[label.text] = min(label.first, first.get(label.text, label.first))
                    shown[label.text] = label.shown
        return dict(sorted(first.items(), key=lambda pair: pair[1])), shown

    def _found(self, expanded: Sequence[Expanded], first: dict[bytes, Key]) -> list[Goal]:
        """Return the first goals found, in order, up to the number requested."""
        goals = []
        if self.deadlocks:
            goals += [Goal((state, 0), True) for answer in expanded for state in answer.deadlocks]
        if self.is_goal is not None:
            goals += [Goal(key, False) for text, key in first.items() if self.is_goal(text)]
        goals.sort(key=lambda goal: goal.key)
        return goals if self.enough is None else goals[: self.enough - len(self.goals)]

    def _first_cut(
        self, expanded: Sequence[Expanded], goals: list[Goal], counts: list[int]
    ) -> Cut | None:
        """Return the earliest cut of the level, if there is one."""
        cuts = []
        if self.enough is not None and len(self.goals) + len(goals) >= self.enough:
            cuts.append(Cut(goals[-1].after, "found"))
        for answer in expanded:
            if answer.ended is not None:
                ended = answer.ended
                cuts.append(Cut(ended.key, ended.kind, ended.message, ended.summand))
        if self.max_states is not None and self.states + sum(counts) > self.max_states:
            rank, ranker = self.max_states - self.states, 0
            while rank >= counts[ranker]:
                rank -= counts[ranker]
                ranker += 1
            cuts.append(Cut(self.workers.call(ranker, "ranked", rank), "states"))
        return min(cuts, key=lambda cut: cut.key, default=None)

    def _numbered(
        self, first: dict[bytes, Key], written: dict[bytes, bytes], until: Key | None
    ) -> tuple[dict[bytes, int], list[bytes]]:
        """Return numbers for new labels, and the texts as written that have no number yet."""
        texts: dict[bytes, int] = {}
        fresh: dict[bytes, int] = {}
        for text, key in first.items():
            if until is None or key < until:
                shown = written[text]
                number = self.labels.get(shown, fresh.get(shown))
                if number is None:
                    number = fresh[shown] = len(self.labels) + len(fresh)
                texts[text] = number
        return texts, list(fresh)
