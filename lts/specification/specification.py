"""A specification whose static rules hold: every name resolved, every term sorted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lts.specification.processes import (
    DELTA,
    Action,
    ActionName,
    Allow,
    Call,
    Choice,
    Comm,
    Communication,
    Condition,
    Delta,
    Encap,
    Hide,
    LeftMerge,
    MultiAction,
    Parallel,
    Process,
    ProcessName,
    Rename,
    Sequence,
    Sum,
    Tau,
    bound_variables,
    free_variables,
    instantiate,
)
from lts.specification.terms import (
    Application,
    Function,
    Term,
    Variable,
    numeral,
    substitute,
    variables_of,
)
from lts.text.source import Place, Source

__all__ = [
    "DELTA",
    "Action",
    "ActionName",
    "Allow",
    "Application",
    "Call",
    "Choice",
    "Comm",
    "Communication",
    "Condition",
    "Delta",
    "Encap",
    "Function",
    "Hide",
    "LeftMerge",
    "MultiAction",
    "Numbers",
    "Parallel",
    "Process",
    "ProcessName",
    "Rename",
    "Rule",
    "Sequence",
    "Specification",
    "Sum",
    "Tau",
    "Term",
    "Variable",
    "bound_variables",
    "free_variables",
    "instantiate",
    "substitute",
    "variables_of",
]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rewrite rule `left -> right`, where the condition, if there is one, holds."""

    left: Application
    right: Term
    place: Place = field(compare=False)
    condition: Term | None = None

    @property
    def results(self) -> tuple[Term, ...]:
        """What is evaluated where the left side matches: the condition if any, the right side."""
        return (self.right,) if self.condition is None else (self.condition, self.right)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A sort of numbers, and the constructors that its numerals stand for.

    Of `Nat` they are zero and the successor, of `Pos` one and the successor, of `Int` what makes it
    of a natural number and minus a positive number.
    """

    kind: Literal["Pos", "Nat", "Int"]
    constructors: tuple[Function, Function]


@dataclass(frozen=True, slots=True)
class Specification:
    """The declarations of a specification and its initial process."""

    source: Source
    sorts: tuple[str, ...]
    functions: tuple[Function, ...]
    rules: tuple[Rule, ...]
    actions: frozenset[ActionName]
    communications: Mapping[frozenset[str], str] | None
    """For a pair of action names (or one, with itself): the name of what they do together.

    None if whatever happens at once is a multi-action, as in mCRL2.
    """
    definitions: Mapping[ProcessName, tuple[tuple[Variable, ...], Process]]
    initial: Process
    parameters: Mapping[str, int]
    """The values of the text's own parameters (`%@ parameter`), in mCRL2 of constants."""
    strict: bool = False
    """Whether values are built from constructors only; else every closed normal form is one."""
    loose: bool = False
    """Whether what no equation fits may be any value, so that two such terms may be equal, as in
    mCRL2; else different normal forms are different."""
    ignores_time: bool = False
    """Whether it is read as if no times were in it."""
    remarks: tuple[str, ...] = ()
    """What is odd in the text, though it has a meaning, each with its place."""

    truth: tuple[str, str] = ("T", "F")
    """The names of the Boolean constants."""
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    """The sorts of numbers, which are written in decimals."""
    fractions: Function | None = None
    """What makes a fraction, written `1/2`, of two numbers, the lower of which is positive."""
    lists: Mapping[str, tuple[Function, Function]] = field(default_factory=dict)
    """The sorts of lists, written `[1,2]`: the empty one and what puts an element in front."""
    sets: Mapping[str, tuple[Function, Function]] = field(default_factory=dict)
    """The sorts of sets, written `{1,2}`: the empty one and what adds an element to larger ones."""
    bags: Mapping[str, tuple[Function, Function]] = field(default_factory=dict)
    """The sorts of bags, as `{1:2,2:1}`: the empty one and what adds an element to larger ones.

    The latter takes the element, how often it is there, and the rest.
    """
    identities: Mapping[str, tuple[Application, ...]] = field(default_factory=dict)
    """The sorts of numbers that tell things apart and count nothing: those that the text names."""

    def numeral(self, text: str) -> Application | None:
        """Return the natural number that a text is; None without such numbers, or if it is none."""
        return numeral(text) if "Nat" in self.numbers else None

    @property
    def true(self) -> Application:
        """The Boolean constant that holds."""
        return Application(Function(self.truth[0], (), "Bool"))

    @property
    def false(self) -> Application:
        """The Boolean constant that does not hold."""
        return Application(Function(self.truth[1], (), "Bool"))
