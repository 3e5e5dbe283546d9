"""Checks formulas on the fly: only states that the formula needs are explored.

The states of a process and the subformulas form a parity game (see `lts._engine`). With
permutations that are symmetries of the process, one pair of each orbit is explored; the formula
need not be symmetric, since permutations act on its data as well.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import lts._engine as _engine
from lts.base.bounds import EVIDENCE, PAIRS
from lts.base.label_names import action_names, encoded, label_text, several, without_hidden
from lts.errors import LtsError, NotProven, NotSymmetric, SpecificationError
from lts.linear.linearise import linearise
from lts.linear.parallel.multi_actions import joined, split
from lts.linear.process import LinearProcess, Summand
from lts.logic.check import (
    Lasso,
    is_deterministic,
    read,
    says_of_states,
    too_many,
    unknown_actions,
)
from lts.logic.data import DECLARED, Data, Value, undeclared
from lts.logic.fairness import is_vacuous
from lts.logic.instances import Instances
from lts.logic.movable import movable
from lts.logic.nodes import Formula
from lts.logic.paths.instances import NeedsGame, Walks
from lts.logic.paths.one_player import one_player
from lts.logic.specification_data import SpecificationData, overloads
from lts.logic.terms.typed import TypedTerms
from lts.specification.specification import Specification
from lts.state_space.generation import NOTHING, explore, preimages_of, refuse, refuse_limit
from lts.state_space.settings import DEFAULT, TAU_ALONE, Internal, Settings
from lts.symmetry.data.action import GroupAction
from lts.symmetry.data.closed_terms import as_printed
from lts.symmetry.data.exploration import Exploration, Task
from lts.symmetry.data.proof.deciding import on_orbits
from lts.symmetry.permutation.known import SEEN, SYSTEM, refuted
from lts.symmetry.permutation.notation import Permutation, as_permutations
from lts.system.lts import LTS
from lts.text.source import Source
from lts.trace import Preimage

__all__ = [
    "PreparedFormula",
    "ProcessVerdict",
    "answered",
    "check_process",
    "forms",
    "visible_in",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessVerdict(Exploration):
    """Whether a formula holds initially, and how much was explored to decide it.

    `evidence` is a part of the system as for `Verdict`, with states renumbered; None if it was not
    requested, or has more than `EVIDENCE` pairs. `positions` are pairs of a state and a
    subformula, or with a group the orbits of pairs, which represent `pairs`; `explored` of them
    were expanded. Without a group, `states` is the number of states whose steps were computed.
    """

    holds: bool
    evidence: LTS | None
    path: Lasso | None
    """As for `Verdict`, if evidence was requested."""
    unknown: tuple[str, ...]
    """Actions that the formula names and the specification does not declare."""
    positions: int
    explored: int
    pairs: int
    states: int
    vacuous: bool = False
    """Whether no path from the initial state satisfies the fairness assumption."""

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True, slots=True)
class Question:
    """A query to the engine about the instances of a formula.

    `root` is the instance to decide, or a walk. With a group, `shapes` are the number of shapes and
    the most values of an instance. `most` bounds the number of pairs, and `evidence` that of pairs
    in evidence, if requested; `path` is the answer that a path can prove, if any.
    """

    root: int
    shapes: tuple[int, int] | None
    most: int
    evidence: int | None
    path: bool | None
    walks: bool


def check_process(
    process: Specification | LinearProcess,
    formula: str | Source,
    permutations: Permutation | Sequence[Permutation] = (),
    settings: Settings = DEFAULT,
    *,
    fair: str | None = None,
    internal: Internal = TAU_ALONE,
    evidence: bool = False,
) -> ProcessVerdict:
    """Check a formula, or a property of `PROPERTIES`, in the initial state of a specification.

    States are explored only as the formula needs them, until it is decided. Data terms are those of
    the specification. `fair` is a path formula: `A` and `E` then range over the paths that satisfy
    it. With permutations, one pair of each orbit is explored; they must be symmetries of the
    process, which is proven, otherwise `NotSymmetric` or `NotProven` is raised. The answer and the
    evidence refer to the original system.

    Of the limits, `states` bounds the states (with permutations, the orbits of pairs) and
    `positions` the pairs. Raises `ParseError` and `SpecificationError` for a malformed formula,
    `LimitReached` if a limit is reached before the formula is decided, and `LtsError` for a
    `node_limit`, since images are never approximate. The `proof` is as for `certified_quotient`.
    """
    settings.refuse("node_limit", what="a check")
    if isinstance(process, LinearProcess):
        linear = process
    else:
        linear = linearise(process, simultaneous=not permutations)
    source = Source(formula, "formula") if isinstance(formula, str) else formula
    if is_deterministic(source.text, fair):
        raise LtsError("`deterministic` is about a whole system: generate it first")
    permutations = as_printed(linear.specification, as_permutations(permutations))
    linear = _declared(linear)

    def under(text: str, file: str) -> tuple[Formula, Callable[[bool], ProcessVerdict]]:
        terms = TypedTerms(linear.specification)
        formula = read(text, file, fair, terms)
        moved = _with_data(linear, terms) if permutations else linear
        subject = _Subject(moved, permutations, settings, terms, internal)
        return formula, lambda evidence: _decided(subject, formula, evidence=evidence)

    return answered(source, under, fair, evidence=evidence)


def answered(
    source: Source,
    under: Callable[[str, str], tuple[Formula, Callable[[bool], ProcessVerdict]]],
    fair: str | None,
    *,
    evidence: bool,
) -> ProcessVerdict:
    """Decide a formula; `under` reads a text, and returns what decides it, with evidence or not."""

    def assumed(text: str) -> tuple[Formula, Callable[[], bool]]:
        other, decide = under(text, "formula")
        return other, lambda: decide(False).holds

    parsed, decide = under(source.text, source.file or "formula")
    found = decide(evidence)
    if fair is None:
        return found
    return replace(found, vacuous=is_vacuous((parsed, found.holds), found.unknown, assumed))


@dataclass(frozen=True, slots=True)
class PreparedFormula:
    """A formula as passed to the engine: `checked` has no path quantifiers, or is a search for a
    path, the `walks`."""

    parsed: Formula
    checked: Formula
    walks: Formula | None
    evidence: bool
    visible: Callable[[str], str | None]
    possible: set[str]
    """The names of the actions of the system."""
    has_path: bool = False
    """Whether to look for a path even if no evidence is wanted."""

    def question(self, instances: Instances, most: int, *, moved: bool) -> Question:
        """Return the query to the engine, about at most `most` pairs of an instance and a state."""
        return Question(
            instances.root,
            instances.shapes if moved else None,
            most,
            EVIDENCE.default if self.evidence or self.has_path else None,
            self.checked.shown,
            self.walks is not None,
        )

    def verdict(
        self,
        found: _engine.Checked,
        in_game: Callable[[], ProcessVerdict],
        preimages: Sequence[Preimage] | None,
        labels: Callable[[], Sequence[bytes]],
        facts: Mapping[str, Any],
    ) -> ProcessVerdict:
        """Return an answer of the engine; `in_game` decides the formula without a search for a
        path, and `labels` returns those of the steps found."""
        assert found.holds is not None
        of_states = says_of_states(self.parsed)
        holds, whole = found.holds, None
        if self.walks is not None:
            if self.evidence and (not holds or of_states) and found.pairs <= EVIDENCE.default:
                # Absence of a path is proven only by everything explored, and what the states of a
                # path can do is more than the path.
                whole = in_game()
                if holds and whole.path is None:
                    whole = None
            holds = holds == self.checked.shown
        path_only = self.walks is not None or not of_states
        shown, path = _evidence(found, preimages, path_only=path_only)
        if not self.evidence:
            shown = None
        return ProcessVerdict(
            holds=holds,
            evidence=shown if whole is None else whole.evidence,
            path=path if whole is None else whole.path,
            unknown=_unknown(self.parsed, self.possible, labels, self.visible),
            positions=found.orbits,
            explored=found.explored,
            pairs=found.pairs,
            states=found.states,
            **facts,
        )


@dataclass(frozen=True, slots=True)
class _Subject:
    """A process and the group under which formulas are decided on it."""

    process: LinearProcess
    permutations: tuple[Permutation, ...]
    settings: Settings
    terms: TypedTerms
    internal: Internal


def _decided(subject: _Subject, parsed: Formula, *, evidence: bool) -> ProcessVerdict:
    """Decide a formula that has been read, as `check_process` does."""
    linear, permutations, terms = subject.process, subject.permutations, subject.terms
    settings, limits = subject.settings, subject.settings.limits
    visible = visible_in(subject.internal)
    possible = _possible_actions(linear, visible)

    @cache
    def every_label() -> list[bytes]:
        whole = Settings(limits=replace(limits, positions=PAIRS.default), threads=settings.threads)
        found = explore(linear, whole, output=NOTHING)
        if found.incomplete is not None:
            refuse(linear, found, limits)
        return encoded(found.labels)

    def data_of(formula: Formula, group_action: GroupAction) -> SpecificationData:
        return SpecificationData(formula, group_action.process, group_action.encoder, terms)

    def preimages(found: _engine.Checked, group_action: GroupAction) -> list[Preimage]:
        known = preimages_of(found.preimages, group_action.written)
        return [preimage._replace(label=undeclared(preimage.label)) for preimage in known]

    def under(
        group_action: GroupAction, settings: Settings = settings, *, by_paths: bool = True
    ) -> ProcessVerdict:
        data = data_of(parsed, group_action)
        checked, walks = forms(parsed, data, by_paths=by_paths)
        if checked is not parsed:
            data = data_of(checked, group_action)
        moved = bool(permutations)
        values: dict[int, Value] = {}
        if moved:
            data.only_built = True
            checked, values = movable(checked, data, group_action)
            data = data_of(checked, group_action)
            data.only_built = True
        kind = Instances if walks is None else Walks
        instances = kind(checked, data, visible, values, every_label)
        task = Task(group_action, settings)
        prepared = PreparedFormula(parsed, checked, walks, evidence, visible, possible)
        question = prepared.question(instances, limits.positions, moved=moved)
        try:
            with task.errors():
                found = _engine.check_process(
                    group_action.engine, task.symmetry, task.settings, instances, question
                )
        except (NeedsGame, SpecificationError):
            # A game may decide it: it evaluates other terms, and bounds variables in more ways.
            if walks is None:
                raise
            found = None
        if found is None:
            return under(group_action, settings, by_paths=False)
        if task.is_about_others:
            return under(group_action, replace(settings, proof="tested"), by_paths=by_paths)
        if found.broken is not None:
            raise _refused(group_action, *found.broken)
        task.refuse_defect(found.defect)
        if found.holds is None:
            if found.incomplete == "found":
                raise too_many(limits.positions)
            assert found.incomplete is not None
            sizes = {"orbits of pairs" if moved else "pairs": found.orbits}
            if not moved:
                sizes = {"states": found.states} | sizes
            refuse_limit(task.process, found.incomplete, found.limit_summand, sizes, limits)
        return prepared.verdict(
            found,
            lambda: under(group_action, settings, by_paths=False),
            preimages(found, group_action) if moved else None,
            group_action.engine.labels,
            task.facts(found, SEEN if moved else SYSTEM),
        )

    return on_orbits(linear, permutations, under, limits=limits, any_generators=True)


def visible_in(internal: Internal) -> Callable[[str], str | None]:
    """Return a function that is None for internal labels, and returns the others without what is
    hidden."""
    hidden, silent = several(internal.hidden), several(internal.labels)
    not_hidden = without_hidden(hidden)

    def visible(label: str) -> str | None:
        shown = undeclared(label)
        if shown in silent:
            return None
        rest = not_hidden(shown)
        return label if rest == shown else rest

    return visible


def forms(parsed: Formula, data: Data, *, by_paths: bool) -> tuple[Formula, Formula | None]:
    """Return a formula without path quantifiers, or as a search for a path; then it is the second
    result, too."""
    if parsed.has_paths:
        # Other formulas do not wait for these to be loaded.
        from lts.logic.paths.modal import without_paths
        from lts.logic.paths.walks import as_walks

        walks = as_walks(parsed, data) if by_paths else None
        return walks or without_paths(parsed, data), walks
    walks = one_player(parsed) if by_paths else None
    return walks or parsed, walks


def _evidence(
    found: _engine.Checked, preimages: Sequence[Preimage] | None, *, path_only: bool
) -> tuple[LTS | None, Lasso | None]:
    """Return the part of the system that proves an answer, and a path in it; with `path_only`, the
    path is all that is shown if there is one."""
    if found.evidence is None:
        return None, None
    transitions, labels, states = found.evidence
    if found.path is None:
        return _system(transitions, labels, states), None
    walked, again = found.path
    steps = [
        (transitions[n][0], _text(labels[transitions[n][1]]), transitions[n][2]) for n in walked
    ]
    if path_only:
        on_path = set(walked)
        transitions = [row for n, row in enumerate(transitions) if n in on_path]
    return _system(transitions, labels, states), Lasso.of(steps, again, preimages)


def _with_data(process: LinearProcess, terms: TypedTerms) -> LinearProcess:
    """Return the process with the data of a formula, too, so that it has all values of it.

    The process itself if the formula's data are not an extension, as with moved numbers.
    """
    own, of = terms.specification, process.specification
    if of.identities or not set(of.functions).issubset(own.functions):
        return process
    return replace(process, specification=own)


def _declared(process: LinearProcess) -> LinearProcess:
    """Return the process with the number of its declaration behind the name of each action that is
    overloaded: the text of its arguments may fit several."""
    known = overloads(process.specification)
    several = {key: sorts for key, sorts in known.items() if len(sorts) > 1}
    if not several:
        return process

    def named(name: str, sorts: tuple[str, ...]) -> str:
        declared = several.get((name, len(sorts)), [])
        return f"{name}{DECLARED}{declared.index(sorts)}" if sorts in declared else name

    def marked(summand: Summand) -> Summand:
        duplicates = tuple(map(marked, summand.duplicates))
        action, arguments = joined(
            (named(name, tuple(one.sort for one in own)), own)
            for name, own in split(summand.action, summand.arguments)
        )
        return replace(summand, action=action, arguments=arguments, duplicates=duplicates)

    return replace(process, summands=tuple(map(marked, process.summands)))


def _possible_actions(process: LinearProcess, visible: Callable[[str], str | None]) -> set[str]:
    """Return the names of the visible actions of summands; those that are declared if some steps
    have no summands."""
    if any(summand.takes_part for summand in process.summands):
        names = {action.name for action in process.specification.actions}
    else:
        names = {
            undeclared(name)
            for summand in process.summands
            if summand.action is not None
            for name, _ in split(summand.action, summand.arguments)
        }
    return {name for name in names if visible(name) is not None}


def _unknown(
    formula: Formula,
    possible: set[str],
    labels: Callable[[], Sequence[bytes]],
    visible: Callable[[str], str | None],
) -> tuple[str, ...]:
    """Return the actions that the formula names, that were not seen, and that are not possible."""

    def impossible(shown: Sequence[str]) -> tuple[str, ...]:
        found = unknown_actions(formula, shown, ())
        return tuple(name for name in found if possible.isdisjoint(action_names([name])))

    if not impossible(()):
        return ()
    # There may be millions of labels, which are needed only now.
    shown = [label for label in map(visible, map(_text, labels())) if label is not None]
    return impossible(shown)


def _system(
    transitions: Sequence[tuple[int, int, int]], labels: Sequence[bytes], states: int
) -> LTS:
    texts = [_text(labels[n]) for n in sorted({row[1] for row in transitions})]
    used = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    columns = (
        array("I", [row[0] for row in transitions]),
        array("I", [used[_text(labels[row[1]])] for row in transitions]),
        array("I", [row[2] for row in transitions]),
    )
    return LTS.from_columns(*columns, used, 0, states)


def _text(label: bytes) -> str:
    """Return a label of the engine as it is shown."""
    return undeclared(label_text(label))


def _refused(
    group_action: GroupAction, which: int, kind: str, why: object
) -> NotSymmetric | NotProven:
    """Return the error that a generator is not a symmetry, or not proven to be one."""
    if kind == "process":
        return group_action.not_proven(which, why)  # type: ignore[arg-type]
    one, other = map(_text, why)  # type: ignore[call-overload]
    return refuted(
        group_action.lifted[which].permutation,
        of="what is hidden",
        witness=f"`{one}` is mapped to `{other}`, and only one of them is internal",
        which=which,
    )
