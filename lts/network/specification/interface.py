"""Computes the values that components exchange, so that each component is finite by itself.

A component that receives any number is generated only with the numbers that another component
sends. Of communicating actions, those are receivers whose arguments contain sum variables, and the
others senders; if all contain variables, the least bounded are receivers. The values sent are a
least fixed point: at first nothing can be received, then what was sent so far, until no value is
added. Since senders are never restricted themselves, every run of the whole specification is
covered, by induction on its length. (These are interfaces in the sense of Graf and Steffen, CAV
1990, but for values only, and computed instead of declared.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from lts.base.bounds import INTERFACE_ROUNDS
from lts.errors import LimitReached
from lts.linear.equations import Equations
from lts.linear.parallel.multi_actions import split
from lts.linear.process import LinearProcess, Summand
from lts.network.network import TAU
from lts.network.specification.actions import Action, Actions, JointStep, Occurrence
from lts.specification.specification import (
    Application,
    Function,
    Rule,
    Specification,
    Term,
    Variable,
    variables_of,
)
from lts.specification.values import Values
from lts.system.lts import LTS

__all__ = ["Leaf", "StillGrows", "generated"]

Row = tuple[str, ...]
"""The arguments of an action, as texts."""
Kind = tuple[tuple[str, tuple[str, ...]], ...]
"""The names of the actions in a label, with the sorts of their arguments."""
Generate = Callable[[LinearProcess, int], LTS]


class StillGrows(LimitReached):
    """The values that components exchange keep growing."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """A component to generate: its name, its linear process, and the kinds of its labels."""

    name: str
    process: LinearProcess
    kinds: tuple[Kind, ...]


def generated(
    specification: Specification,
    actions: Actions,
    leaves: Sequence[Leaf],
    steps: Iterable[JointStep],
    generate: Generate,
) -> list[LTS]:
    """Generate the components with everything that they can do in the whole, or more.

    `steps` are the joint steps irrespective of values. Raises `StillGrows` if the exchanged values
    keep growing, and whatever `generate` raises.
    """
    interface = _Interface(specification, actions, leaves, steps)
    systems: list[LTS | None] = [None] * len(leaves)
    allowed: list[object] = [None] * len(leaves)
    for _ in range(INTERFACE_ROUNDS.default):
        is_stable = True
        for number in range(len(leaves)):
            now = interface.allowed(number)
            if systems[number] is None or now != allowed[number]:
                is_stable = False
                allowed[number] = now
                system = generate(interface.restricted(number, now), number)
                systems[number] = system
                interface.note(number, system)
        if is_stable:
            return [system for system in systems if system is not None]
    shown = ", ".join(dict.fromkeys(leaf.name for leaf in leaves))
    raise StillGrows(
        f"the set of values that {shown} exchange still grows after "
        f"{INTERFACE_ROUNDS.amount()}: it may be infinite",
        limit=INTERFACE_ROUNDS.default,
        found={},
    )


Allowed = dict[tuple[int, int], frozenset[Row]]
"""For each kind of label and action in it, both by number: the arguments that it may receive."""


class _Interface:
    def __init__(
        self,
        specification: Specification,
        actions: Actions,
        leaves: Sequence[Leaf],
        steps: Iterable[JointStep],
    ) -> None:
        self.specification = specification
        self.actions = actions
        self.leaves = leaves
        self.values = Values(specification)
        self.numbers = [{kind: n for n, kind in enumerate(leaf.kinds)} for leaf in leaves]
        self.offers: dict[Occurrence, set[Row]] = {}
        self.givers: dict[Occurrence, set[tuple[Occurrence, ...]]] = {}
        """The groups of senders for each action that may occur; an empty group means no
        restriction."""
        finite = _Finite(specification)
        levels: dict[Occurrence, int] = {}
        for component, leaf in enumerate(leaves):
            for summand in leaf.process.summands:
                label = self.numbers[component][kind_of(actions.of_summand(summand))]
                for place, (_, arguments) in enumerate(split(summand.action, summand.arguments)):
                    one = component, label, place
                    levels[one] = max(levels.get(one, 0), finite.level(summand, arguments))
        for step in steps:
            group_of = {member: group for group in step.groups for member in group}
            # Nested communications come last, so that the largest group counts.
            for component, label in step.moves:
                kind = leaves[component].kinds[label]
                for place in range(len(kind)):
                    one = component, label, place
                    group = group_of.get(one, ())
                    least = min((levels[other] for other in group), default=0)
                    # A label that both receives and sends is not restricted: it could wait for
                    # itself.
                    givers = () if levels[one] == least or len(kind) > 1 else group
                    those = tuple(other for other in givers if levels[other] == least)
                    self.givers.setdefault(one, set()).add(those)

    def allowed(self, component: int) -> Allowed:
        """Return the restrictions of a component."""
        found: Allowed = {}
        for label, kind in enumerate(self.leaves[component].kinds):
            for place in range(len(kind)):
                groups = self.givers.get((component, label, place), set())
                if () in groups:
                    continue
                rows: set[Row] = set()
                for first, *others in groups:
                    together = set(self.offers.get(first, ()))
                    for other in others:
                        together &= self.offers.get(other, set())
                    rows |= together
                found[label, place] = frozenset(rows)
        return found

    def note(self, component: int, system: LTS) -> None:
        """Record what a generated component sends."""
        counts = system.label_counts()
        for text in system.labels:
            if text == TAU or not counts[text]:
                continue
            actions = self.actions.of_label(text)
            kind = kind_of(actions)
            label = self.numbers[component][kind]
            for place in range(len(kind)):
                rows = self.offers.setdefault((component, label, place), set())
                rows.update(
                    action.arguments
                    for action, one in zip(actions, kind, strict=True)
                    if one == kind[place]
                )

    def restricted(self, component: int, allowed: Allowed) -> LinearProcess:
        """Return the process of a component, restricted to what is allowed."""
        leaf = self.leaves[component]
        made = _Restriction(leaf.process)
        values: dict[tuple[int, int], list[tuple[Application, ...]] | None] = {}
        for (label, place), rows in allowed.items():
            values[label, place] = self._values(leaf.kinds[label][place][1], rows)
        for summand in leaf.process.summands:
            kind = kind_of(self.actions.of_summand(summand))
            label = self.numbers[component][kind]
            taken = [values.get((label, place)) for place in range(len(kind))]
            made.add(summand, taken)
        return made.process()

    def _values(
        self, sorts: tuple[str, ...], rows: Iterable[Row]
    ) -> list[tuple[Application, ...]] | None:
        """Return rows as values; None if a text is ambiguous."""
        found = []
        for row in sorted(rows):
            terms = tuple(self.values.value(t, s) for t, s in zip(row, sorts, strict=True))
            if None in terms:
                return None
            found.append(tuple(term for term in terms if term is not None))
        return found


def kind_of(actions: Iterable[Action]) -> Kind:
    """Return the names of actions with the sorts of their arguments."""
    return tuple((action.name, action.sorts) for action in actions)


class _Finite:
    """Decides which sorts are finite, by their constructors."""

    def __init__(self, specification: Specification) -> None:
        self.numbers = specification.numbers
        self.constructors: dict[str, list[Function]] = {}
        for function in specification.functions:
            if function.constructor:
                self.constructors.setdefault(function.sort, []).append(function)
        self.known: dict[str, bool] = {}

    def __call__(self, sort: str) -> bool:
        known = self.known.get(sort)
        if known is None:
            # A recursive sort is infinite.
            self.known[sort] = False
            own = self.constructors.get(sort, ())
            known = bool(own) and sort not in self.numbers
            known = known and all(
                self(argument) for function in own for argument in function.arguments
            )
            self.known[sort] = known
        return known

    def level(self, summand: Summand, arguments: Iterable[Term]) -> int:
        """Return how weakly the arguments of an action are bounded. 0: they contain no variables of
        the summand; 1: only variables of finite sorts; 2: variables of infinite sorts, which all
        occur in conditions; 3: also others.
        """
        own = set(summand.variables)
        variables = {v for term in arguments for v in variables_of(term) if v in own}
        infinite = {v for v in variables if not self(v.sort)}
        if not infinite:
            return min(len(variables), 1)
        conditions = [guard.term for guard in summand.guards]
        conditions += [term for sides in summand.equations for term in sides]
        bounded = {v for term in conditions for v in variables_of(term)}
        return 2 if infinite <= bounded else 3


class _Restriction:
    """A linear process whose summands receive only some values.

    The allowed rows of arguments are represented by the constructors of a new sort, with a map for
    each column. (Names with blanks cannot clash with those in a text.)
    """

    def __init__(self, process: LinearProcess) -> None:
        self.original = process
        self.sorts: list[str] = []
        self.functions: list[Function] = []
        self.rules: list[Rule] = []
        self.summands: list[Summand] = []
        self.equations = Equations(process.specification)
        self.known: dict[tuple[tuple[Application, ...], ...], tuple[str, list[Function]]] = {}
        self.fresh = count()

    def add(self, summand: Summand, taken: Sequence[list[tuple[Application, ...]] | None]) -> None:
        """Add a summand with the arguments of each action restricted to rows (None: any)."""
        actions = split(summand.action, summand.arguments)
        equations: list[tuple[Term, Term]] = []
        variables: list[Variable] = []
        for (_, arguments), rows in zip(actions, taken, strict=True):
            if rows is None:
                continue
            if not rows:
                return
            if len(rows) == 1:
                equations += zip(arguments, rows[0], strict=True)
                continue
            sort, columns = self.columns(tuple(rows))
            variable = Variable(f"row {next(self.fresh)}", sort)
            variables.append(variable)
            images = (Application(column, (variable,)) for column in columns)
            equations += zip(arguments, images, strict=True)
        solved = self.equations.solve(
            replace(
                summand,
                variables=(*summand.variables, *variables),
                equations=(*summand.equations, *equations),
            )
        )
        if solved is not None:
            self.summands.append(solved)

    def columns(self, rows: tuple[tuple[Application, ...], ...]) -> tuple[str, list[Function]]:
        """Return the sort that represents the rows, and the maps for the columns."""
        if rows not in self.known:
            sort = f"rows {next(self.fresh)}"
            names = [
                Application(Function(f"{sort} {n}", (), sort, constructor=True))
                for n in range(len(rows))
            ]
            columns = [
                Function(f"{sort} column {n}", (sort,), term.sort) for n, term in enumerate(rows[0])
            ]
            self.sorts.append(sort)
            self.functions += [*(name.function for name in names), *columns]
            for n, column in enumerate(columns):
                for name, row in zip(names, rows, strict=True):
                    self.rules.append(Rule(Application(column, (name,)), row[n], (1, 1)))
            self.known[rows] = sort, columns
        return self.known[rows]

    def process(self) -> LinearProcess:
        """Return the restricted process."""
        specification = self.original.specification
        more = replace(
            specification,
            sorts=(*specification.sorts, *self.sorts),
            functions=(*specification.functions, *self.functions),
            rules=(*specification.rules, *self.rules),
        )
        return replace(self.original, specification=more, summands=tuple(self.summands))


def kinds_of(actions: Actions, process: LinearProcess) -> tuple[Kind, ...]:
    """Return the kinds of the labels of a process."""
    return tuple(
        dict.fromkeys(kind_of(actions.of_summand(summand)) for summand in process.summands)
    )


def occurring(actions: Actions, process: LinearProcess, component: int) -> list[JointStep]:
    """Return the steps of a component by itself, irrespective of values."""
    kinds: Mapping[Kind, tuple[Action, ...]] = {
        kind_of(own): own for own in map(actions.of_summand, process.summands)
    }
    return [
        JointStep(
            ((component, label),),
            tuple(
                replace(action, origin=((component, label, place),))
                for place, action in enumerate(own)
            ),
        )
        for label, own in enumerate(kinds.values())
    ]
