"""A specification after static checks: every name is resolved, every term has a sort."""

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
    """A rewrite rule `left -> right`, which applies only where the condition, if any, holds."""

    left: Application
    right: Term
    place: Place = field(compare=False)
    condition: Term | None = None

    @property
    def results(self) -> tuple[Term, ...]:
        """The terms to evaluate where the left side matches: condition (if any), right side."""
        return (self.right,) if self.condition is None else (self.condition, self.right)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A sort of numbers, and the two constructors that its numerals stand for.

    For `Nat` these are zero and successor; for `Pos`, one and successor; for `Int`, the conversion
    from a natural number and the negation of a positive number.
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
    """For a pair of action names (a singleton for an action with itself): the name of their
    communication.

    None if actions that happen at once form a multi-action, as in mCRL2.
    """
    definitions: Mapping[ProcessName, tuple[tuple[Variable, ...], Process]]
    initial: Process
    parameters: Mapping[str, int]
    """The values of the specification's parameters (`%@ parameter`); in mCRL2, of its constants."""
    strict: bool = False
    """Whether values are built of constructors only; otherwise every closed normal form is a
    value."""
    loose: bool = False
    """Whether a term that no equation matches may equal any value, as in mCRL2, so that two
    different normal forms may be equal; otherwise different normal forms are different values."""
    ignores_time: bool = False
    """Whether time stamps are ignored."""
    remarks: tuple[str, ...] = ()
    """Warnings about constructs that are valid but suspicious, each with its place."""

    truth: tuple[str, str] = ("T", "F")
    """The names of the Boolean constants."""
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    """The sorts of numbers; their values are written in decimal."""
    fractions: Function | None = None
    """The function that builds a fraction, written `1/2`, of a numerator and a positive
    denominator."""
    lists: Mapping[str, tuple[Function, Function]] = field(default_factory=dict)
    """The sorts of lists, written `[1,2]`: the empty list, and the function that prepends an
    element."""
    sets: Mapping[str, tuple[Function, Function]] = field(default_factory=dict)
    """The sorts of sets, written `{1,2}`: the empty set, and the function that adds an element."""
    bags: Mapping[str, tuple[Function, Function]] = field(default_factory=dict)
    """The sorts of bags, written `{1:2,2:1}`: the empty bag, and the function that adds an element.

    The latter takes the element, its multiplicity, and the rest of the bag.
    """
    identities: Mapping[str, tuple[Application, ...]] = field(default_factory=dict)
    """The sorts whose numbers serve only as identities, each with the numbers that occur in the
    text."""

    closures: Mapping[Function, tuple[tuple[Variable, ...], tuple[Variable, ...], Term]] = field(
        default_factory=dict
    )
    """The functions as values, and the sets given by predicates: the variables that they capture,
    their own, and the body."""
    tables: Mapping[str, tuple[tuple[Application, ...], ...]] = field(default_factory=dict)
    """For the sorts of functions whose values are tables: the arguments, in order."""

    def is_composition(self, process: Process, calls: frozenset[ProcessName] = frozenset()) -> bool:
        """Whether a process is a parallel composition, once calls are replaced by their bodies.

        `calls` are the processes whose bodies are being looked at.
        """
        match process:
            case Parallel() | Allow() | Comm() | Encap() | Hide() | Rename():
                return True
            case Call(name) if name not in calls:
                return self.is_composition(self.definitions[name][1], calls | {name})
        return False

    def __repr__(self) -> str:
        file = "" if self.source.file is None else f" of {self.source.file}"
        sizes = {
            "sorts": len(self.sorts),
            "functions": len(self.functions),
            "actions": len(self.actions),
            "processes": len(self.definitions),
        }
        return f"<Specification{file}: {', '.join(f'{n} {what}' for what, n in sizes.items())}>"

    def numeral(self, text: str) -> Application | None:
        """Return the natural number with this text; None if there is none, or no sort `Nat`."""
        return numeral(text) if "Nat" in self.numbers else None

    @property
    def true(self) -> Application:
        """The Boolean constant true."""
        return Application(Function(self.truth[0], (), "Bool"))

    @property
    def false(self) -> Application:
        """The Boolean constant false."""
        return Application(Function(self.truth[1], (), "Bool"))
