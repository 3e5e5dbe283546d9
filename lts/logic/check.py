"""Checks formulas in the initial state of a system, with evidence."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import lts._engine as _engine
from lts.base.argument_types import expect_text
from lts.base.bounds import PAIRS
from lts.base.spelling import nearest
from lts.errors import LimitReached, LtsError, ParseError
from lts.logic.acceptance import accepts
from lts.logic.data import LabelData, ReadLabel
from lts.logic.fairness import is_vacuous
from lts.logic.instances import Instances
from lts.logic.nodes import PATHS, Formula, slots_of
from lts.logic.terms.text import TextTerms
from lts.logic.text.formula import parse, parse_property, tokens_of
from lts.system.lts import LTS, expect_systems
from lts.text.uses import Uses
from lts.trace import Preimage

if TYPE_CHECKING:
    from bitarray import bitarray

__all__ = [
    "PROPERTIES",
    "Lasso",
    "Verdict",
    "check",
    "read",
    "satisfying_states",
    "too_many",
    "unknown_actions",
]

PROPERTIES = {
    "deadlock-free": "[true*]<true>true",
    "livelock-free": "[true*]!<tau>@",
    "action A possible": "<true*.A>true",
    "A inevitable": "mu X. <true>true && [!A]X",
    "A before B": "[(!A)*.B]false",
}
"""Named properties, with their formulas; A and B stand for actions, such as `send(...)`. There is
also `deterministic`, which is not a formula: no state has transitions with one label to two states.
The word `action` is optional before the properties that name actions."""


@dataclass(frozen=True, slots=True)
class Lasso:
    """A path: steps as source, label and target; the steps from index `again` on repeat forever.

    If `again` is None, the path ends there, or may continue arbitrarily. `preimages` says for each
    step which step of a representative it is the image of; None if single states were explored.
    """

    steps: tuple[tuple[int, str, int], ...]
    again: int | None
    preimages: tuple[Preimage, ...] | None = None

    @classmethod
    def of(
        cls,
        steps: Sequence[tuple[int, str, int]],
        again: int | None,
        preimages: Sequence[Preimage] | None = None,
    ) -> Lasso:
        """Return the path with as few steps as possible."""
        if again is None:
            return cls(tuple(steps), None, None if preimages is None else tuple(preimages))
        loop = list(steps[again:])
        periods = (n for n in range(1, len(loop) + 1) if len(loop) % n == 0)
        least = next(n for n in periods if loop[n:] == loop[:-n])
        loop = loop[:least]
        while again > 0 and steps[again - 1] == loop[-1]:
            again -= 1
            loop = [loop[-1], *loop[:-1]]
        # These are the first steps of the path that was given.
        shown = None if preimages is None else tuple(preimages[: again + least])
        return cls((*steps[:again], *loop), again, shown)

    def __repr__(self) -> str:
        repeats = "" if self.again is None else f", repeated from step {self.again + 1} on"
        return f"<Lasso: {len(self.steps)} steps{repeats}>"

    def __str__(self) -> str:
        labels = [label for _, label, _ in self.steps]
        if self.again is None:
            return " ".join(labels)
        return " ".join([*labels[: self.again], f"({' '.join(labels[self.again :])})*"])


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a formula holds, with a part of the system as evidence.

    `evidence` has the transitions visited in the formula's game when the winner (the verifier if
    the formula holds, the refuter if not) plays a winning strategy and the opponent plays
    arbitrarily. For `deterministic` it is a shortest path to a nondeterministic state and two of
    its transitions. States are those of the system.
    """

    holds: bool
    evidence: LTS
    unknown: tuple[str, ...] = ()
    """Actions named in the formula that no label of the system has: perhaps misspelt."""
    path: Lasso | None = None
    """For `A p` that does not hold, or `E p` that does, a path in `evidence` that proves it. Other
    formulas have one if the winner makes all choices, for instance a counterexample to
    `[a*.b]false`. None if there is no such path, or if it is too long."""
    vacuous: bool = False
    """Whether no path from the initial state satisfies the fairness assumption."""

    def __bool__(self) -> bool:
        return self.holds


def check(
    system: LTS,
    formula: str,
    *,
    fair: str | None = None,
    max_positions: int = PAIRS.default,
    file: str = "formula",
) -> Verdict:
    """Check a formula, or a property of `PROPERTIES`, in the initial state.

    `fair` is a path formula: `A` and `E` then range over the paths that satisfy it. `file` is the
    name of the formula in errors. Raises `ParseError` for a malformed formula, `LtsError` if no
    path of the system satisfies `fair` or it names what no label is, and `LimitReached` if there
    are more than `max_positions` pairs of a subformula and a state.

    >>> check(LTS.from_transitions([(0, "a", 1)]), "deadlock-free").holds
    False
    >>> check(LTS.from_transitions([(0, "a", 1), (1, "b", 1)]), "<a>nu X. <b>X").holds
    True
    """
    expect_systems(system)
    expect_text(formula, "a formula")
    if is_deterministic(formula, fair):
        return _deterministic(system)
    parsed = read(formula, file, fair)
    found = solved(system, parsed, max_positions)
    unknown = unknown_actions(parsed, system.labels, set(system.internal))
    path = None if found.path is None else _lasso(system, *found.path)

    def assumed(text: str) -> tuple[Formula, Callable[[], bool]]:
        other = read(text, "formula", fair)
        return other, lambda: solved(system, other, max_positions).holds

    vacuous = fair is not None and is_vacuous((parsed, found.holds), unknown, assumed)
    return Verdict(found.holds, _restricted(system, found.transitions), unknown, path, vacuous)


class Solved(NamedTuple):
    """Whether a formula holds, and what shows it, as numbers of transitions: in ascending order,
    and those of a path, in its order, with the position from which it repeats."""

    holds: bool
    transitions: list[int]
    path: tuple[list[int], int | None] | None


def solved(system: LTS, parsed: Formula, max_positions: int) -> Solved:
    """Check a formula that has been read, as `check` does."""
    walked = _walked(system, parsed, max_positions) if parsed.has_paths else None
    if walked is not None:
        return walked
    checked = _without_paths(system, parsed)
    instances = Instances(checked, LabelData(checked, system.labels), _visible(system))
    found = _engine.check(system._engine, instances, instances.root, max_positions, checked.shown)
    if found is None:
        raise too_many(max_positions)
    holds, transitions, played = found
    if played is not None:
        on_path = set(played[0])
        transitions = sorted({*transitions, *on_path} if says_of_states(parsed) else on_path)
    return Solved(holds, transitions, played)


def _without_paths(system: LTS, parsed: Formula) -> Formula:
    """Return an equivalent formula without path quantifiers."""
    if not parsed.has_paths:
        return parsed
    # Other formulas do not wait for this to be loaded.
    from lts.logic.paths.modal import without_paths

    return without_paths(parsed, LabelData(parsed, system.labels))


def _walked(system: LTS, parsed: Formula, most: int) -> Solved | None:
    """Decide a formula with one path quantifier by a search for a path.

    If it also says something of states, the evidence has all transitions of the states on the path.
    None if it is of another form, or if the automaton has too many states.
    """
    from lts.logic.paths.instances import Walks
    from lts.logic.paths.walks import as_walks

    walks = as_walks(parsed, LabelData(parsed, system.labels))
    if walks is None:
        return None
    of_states = says_of_states(parsed)
    states = Walks(walks, LabelData(walks, system.labels), _visible(system))
    kind, transitions, again = _engine.find_path(system._engine, states, states.root, most)
    if kind == "many":
        return None
    if kind == "limit":
        raise too_many(most)
    if kind == "nothing":
        # That no path exists is only proven by all transitions of the visited states.
        return Solved(not walks.shown, _steps_of_visited(system, transitions), None)
    walked = sorted(set(transitions))
    shown = _steps_of_visited(system, walked) if of_states else walked
    return Solved(bool(walks.shown), shown, (transitions, again))


def says_of_states(formula: Formula) -> bool:
    """Whether a path formula also contains state formulas about the states of paths."""
    operators = [operator for operator, _, _ in formula.nodes]
    about = sum(operator in PATHS for operator in operators)
    return about > 1 or (about == 1 and not {"can", "must", "mu", "nu"}.isdisjoint(operators))


def _steps_of_visited(system: LTS, transitions: Sequence[int]) -> list[int]:
    """Return all transitions of the initial state and of the states on some transitions."""
    engine = system._engine
    source, target = (
        memoryview(column).cast("B").cast("I") for column in (engine.source, engine.target)
    )
    visited = {
        system.initial,
        *(source[row] for row in transitions),
        *(target[row] for row in transitions),
    }
    return [row for row, state in enumerate(source) if state in visited]


def _lasso(system: LTS, walked: list[int], again: int | None) -> Lasso:
    columns = (system._engine.source, system._engine.label, system._engine.target)
    source, label, target = (memoryview(column).cast("B").cast("I") for column in columns)
    steps = [(source[row], system.labels[label[row]], target[row]) for row in walked]
    return Lasso.of(steps, again)


def satisfying_states(
    system: LTS,
    formula: str,
    *,
    fair: str | None = None,
    max_positions: int = PAIRS.default,
    file: str = "formula",
) -> bitarray:
    """Return the states, reachable or not, that satisfy a formula or property of `PROPERTIES`.

    Raises the same errors as `check`.

    >>> satisfying_states(LTS.from_transitions([(0, "a", 1), (1, "b", 2)]), "<b>true")
    bitarray('010')
    """
    expect_systems(system)
    expect_text(formula, "a formula")
    if is_deterministic(formula, fair):
        return ~_reaching(system, system.nondeterministic_states())
    parsed = read(formula, file, fair)
    checked = _without_paths(system, parsed)
    instances = Instances(checked, LabelData(checked, system.labels), _visible(system))
    found = _engine.satisfying_states(system._engine, instances, instances.root, max_positions)
    if found is None:
        raise too_many(max_positions)
    return system._state_set(found)


def _reaching(system: LTS, goal: bitarray) -> bitarray:
    """Return the states from which some state of `goal` is reachable."""
    before: dict[int, list[int]] = {}
    for source, target in zip(system.source.tolist(), system.target.tolist(), strict=True):
        before.setdefault(target, []).append(source)
    found = goal.copy()
    waiting = list(goal.search(1))
    while waiting:
        for state in before.get(waiting.pop(), ()):
            if not found[state]:
                found[state] = True
                waiting.append(state)
    return found


def _visible(system: LTS) -> Callable[[str], str | None]:
    """Return a function that is None for internal labels, and returns the others."""
    internal = set(system.internal)
    return lambda label: None if label in internal else label


def too_many(most: int) -> LimitReached:
    """Return the error that there are too many pairs."""
    message = PAIRS.exceeded(most)
    return LimitReached(message, limit=most, found={"positions": most})


def unknown_actions(
    formula: Formula, labels: Iterable[str], internal: Container[str]
) -> tuple[str, ...]:
    """Return actions in a formula that no label has; for a pattern with variables, its name."""
    if not formula.named:
        return ()
    known = {label for label in labels if label not in internal}
    labels_read = [ReadLabel.of(label) for label in known]
    names = {label.name for label in labels_read}
    in_several = {name for label in labels_read for name, _ in label.actions}
    found: dict[str, None] = {}
    for named in formula.named:
        match named.tree:
            case ("name", name):
                is_known = name in names
            case ("pattern", _, _, None) | ("or", ("label", _), _) if not slots_of(named):
                data = LabelData(formula, ())
                is_known = any(accepts(named.tree, label, False, data, {}) for label in labels_read)
            case ("pattern", name, _, _) | ("or", ("pattern", name, _, _), *_):
                is_known = name in names
            case ("multi", *parts):
                is_known = in_several.issuperset(map(_name, parts))
            case ("label", str() as text):
                is_known = any(label.is_label(text) for label in labels_read)
            case _:
                raise AssertionError(named)
        if not is_known:
            found[named.plain] = None
    return tuple(found)


def _name(tree: object) -> object:
    """Return the name of an action, of whichever declaration."""
    assert isinstance(tree, tuple)
    return _name(tree[1]) if tree[0] == "or" else tree[1]


def is_deterministic(formula: str, fair: str | None) -> bool:
    """Whether a formula is the property `deterministic`, which cannot be combined with fairness."""
    if formula.strip() != "deterministic":
        return False
    if fair is not None:
        raise LtsError("fairness restricts paths, but `deterministic` is not about paths")
    return True


def read(
    formula: str,
    file: str,
    fair: str | None = None,
    terms: TextTerms | None = None,
    uses: Uses | None = None,
) -> Formula:
    """Parse a formula or property; if that fails, the error may suggest a property.

    `uses` is given the places of the variables of a formula.
    """
    try:
        found = _property(formula, file, terms)
        if found is None:
            return parse(formula, fair=fair, file=file, terms=terms, uses=uses)
        if fair is not None:
            message = "fairness restricts paths, but named properties are not about paths"
            raise ParseError(message, file=file, line=1, column=1, text=formula.split("\n")[0])
        return found
    except ParseError as error:
        names = [*PROPERTIES, "deterministic"]
        near = nearest(formula.strip(), names)
        if near is None or any(map(error.message.endswith, map(_meaning, PROPERTIES))):
            raise
        message = f"{error.message}; did you mean the property `{near}`?"
        raise ParseError(
            message, file=error.file, line=error.line, column=error.column, text=error.text
        ) from error


def _deterministic(system: LTS) -> Verdict:
    """Check determinism; the evidence is a shortest path to a nondeterministic state."""
    nearest = system.nearest(system.nondeterministic_states())
    if not nearest:
        return Verdict(True, _restricted(system, []))
    [(chosen, path)] = nearest
    import numpy as np

    internal = system._engine.internal
    # The first transition with each label; all internal labels count as one.
    first: dict[int, int] = {}
    for row in np.flatnonzero(system.source == chosen).tolist():
        label = int(system.label[row])
        known = first.setdefault(internal[0] if label in internal else label, row)
        if system.target[known] != system.target[row]:
            return Verdict(False, _restricted(system, [*path, known, row]))
    raise AssertionError("a state with a choice has none")


def _property(text: str, file: str, terms: TextTerms | None) -> Formula | None:
    """Return the formula of a named property; None if the text is not one.

    Raises `ParseError`, with the place in the text, for an argument that is not a set of labels.
    """
    if text.strip() in PROPERTIES:
        return parse(PROPERTIES[text.strip()], file=file, terms=terms)
    try:
        words = tokens_of(text, file)
    except ParseError as error:
        shape = next((s for s in PROPERTIES if _word(s) in text.split()[1:]), None)
        if shape is not None:
            error.message += f"; {_meaning(shape)}"
            raise
        return None
    if not words or words[0].text in ("<", "[", "mu", "nu", "let"):
        return None
    positions = {word.text: position for position, word in enumerate(words) if position}
    last = len(words) - 1
    for shape, formula in PROPERTIES.items():
        position = positions.get(_word(shape))
        if position is None or (position < last) != shape.endswith(" B"):
            continue
        first = words[1 if words[0].text == "action" and position > 1 else 0]
        extents = {"A": (first.begin, words[position - 1].end)}
        if position < last:
            extents["B"] = (words[position + 1].begin, words[-1].end)
        try:
            return parse_property(text, formula, extents, file=file, terms=terms)
        except ParseError as error:
            error.message += f"; {_meaning(shape)}"
            raise
    return None


def _meaning(shape: str) -> str:
    """Return in words what a property stands for.

    >>> print(_meaning("deadlock-free"))
    `deadlock-free` is `[true*]<true>true`
    """
    names = [name for name in ("A", "B") if name in shape.split()]
    where = {0: "", 1: ", where A is an action", 2: ", where A and B are actions"}[len(names)]
    return f"`{shape}` is `{PROPERTIES[shape]}`{where}"


def _word(shape: str) -> str:
    """Return the keyword that identifies a property."""
    return shape.removeprefix("action A ").removeprefix("A ").removesuffix(" B")


def _restricted(system: LTS, transitions: list[int]) -> LTS:
    def chosen(column: _engine.Column) -> array[int]:
        values = memoryview(column).cast("B").cast("I")
        return array("I", [values[row] for row in transitions])

    engine = system._engine
    part = LTS.from_columns(
        chosen(engine.source),
        chosen(engine.label),
        chosen(engine.target),
        system.labels,
        system.initial,
        system.state_count,
    )
    return part.with_internal(system.internal)._with_origin(system)
