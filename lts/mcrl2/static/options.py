"""The possible sorts of an expression.

A numeral may have any number sort that contains it, and a number is also one of every larger sort;
the empty list may have any list sort, written `List(*)`. So an expression has *options*: its
possible sorts, each with the cheapest derivation, where each conversion of a number to the next
larger sort costs 1. The context selects one of the options; then terms are built top-down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from lts.mcrl2.data.sort_names import (
    container_of,
    element_of,
    function_sort,
    is_container,
    is_function,
    signature,
)
from lts.mcrl2.data.symbols import convert
from lts.mcrl2.text import data_tree
from lts.specification.generators import Recursion
from lts.specification.terms import Term

__all__ = [
    "ANY", "Choice", "Typing", "Undetermined", "build", "filled", "in_words", "larger", "unified",
]  # fmt: skip

ANY = "*"
"""A placeholder for any sort in names of sorts; no name contains a star."""

_LARGER = {"Pos": ("Nat", "Int", "Real"), "Nat": ("Int", "Real"), "Int": ("Real",)}


class Undetermined(Exception):
    """Raised if an expression has two equally good readings."""

    def __init__(self, node: data_tree.Data, message: str) -> None:
        super().__init__(message)
        self.node = node
        self.message = message


@dataclass(slots=True, eq=False)
class Choice:
    """A derivation of a sort: the parts, their sorts, and how to build the term from them."""

    cost: int
    make: Callable[[str, tuple[Term, ...]], Term]
    parts: tuple[Typing, ...] = ()
    sorts: tuple[str, ...] = ()
    converted: bool = False
    """Whether this is the conversion of a number from a smaller sort."""
    shown: str = ""
    """The function in words, if the text declares several of its name."""
    rival: str = ""
    """Another function that is equally good, in words."""


@dataclass(slots=True, eq=False)
class Typing:
    """An expression and its options; none if it has an error, which has been reported."""

    node: data_tree.Data
    options: dict[str, Choice] = field(default_factory=dict)
    built: dict[str, Term] | None = None
    """The terms built so far, by sort: a part that several expressions share is built once."""

    def offer(self, sort: str, choice: Choice) -> None:
        """Add an option, if it is cheaper than the known one."""
        known = self.options.get(sort)
        if known is None or choice.cost < known.cost:
            self.options[sort] = choice
        elif choice.cost == known.cost and choice.shown and not known.rival:
            known.rival = choice.shown

    def close(self) -> Typing:
        """Add the conversions of numbers to larger sorts."""
        for sort in ("Int", "Nat", "Pos"):
            choice = self.options.get(sort)
            if choice is None or choice.converted:
                continue
            for steps, wider in enumerate(_LARGER[sort], 1):
                known = self.options.get(wider)
                cost = choice.cost + steps
                # At equal cost, prefer the overload that the arguments fit without conversion.
                if known is None or (known.cost, bool(known.shown)) > (cost, False):
                    self.options[wider] = Choice(cost, _converted, (self,), (sort,), converted=True)
        return self

    def fit(self, sort: str) -> str | None:
        """Return the option that can be this sort, or None."""
        if sort in self.options:
            return sort
        for known in self.options:
            if (ANY in known or ANY in sort) and unified(known, sort) is not None:
                return known
        return None

    def cost(self, sort: str) -> int | None:
        """Return the cost of this sort; None if it is impossible."""
        known = self.fit(sort)
        return None if known is None else self.options[known].cost

    def direct(self) -> Iterator[str]:
        """Yield the possible sorts without conversion, the cheapest first."""
        found = [sort for sort, choice in self.options.items() if not choice.converted]
        return iter(sorted(found, key=lambda sort: self.options[sort].cost))

    @property
    def best(self) -> str:
        """The cheapest sort."""
        return next(self.direct())

    @property
    def shown(self) -> str:
        """The cheapest sort, as shown in errors."""
        return self.best.replace(ANY, "?")


def _converted(sort: str, terms: tuple[Term, ...]) -> Term:
    return convert(terms[0], sort)


def larger(one: str, other: str) -> bool:
    """Whether the first sort of numbers is properly contained in the other."""
    return other in _LARGER.get(one, ())


def in_words(sorts: Iterable[str]) -> str:
    """Return a list of distinct sorts in words."""
    shown = [f"`{sort}`" for sort in dict.fromkeys(sorts)]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def unified(one: str, other: str) -> str | None:
    """Return the most general common instance of two sorts, where `*` is any sort; else None."""
    around: list[str] = []
    while one != other:
        if one == ANY:
            one = other
        elif other == ANY:
            other = one
        elif is_container(one) and is_container(other) and one[0] == other[0]:
            around.append(one)
            one, other = element_of(one), element_of(other)
        elif is_function(one) and is_function(other):
            parts = [(*sorts, result) for sorts, result in (signature(one), signature(other))]
            if len(parts[0]) != len(parts[1]):
                return None
            both = [unified(*pair) for pair in zip(*parts, strict=True)]
            known = [sort for sort in both if sort is not None]
            if len(known) < len(both):
                return None
            one = other = function_sort(known[:-1], known[-1])
        else:
            return None
    for sort in reversed(around):
        one = container_of(sort, one)
    return one


def filled(pattern: str, sort: str, part: str) -> str:
    """Replace `*` in a part's sort by what makes the `pattern` equal to `sort`."""
    if ANY not in part:
        return part
    while pattern != ANY:
        if is_container(pattern):
            pattern, sort = element_of(pattern), element_of(sort)
        elif is_function(pattern):
            parts = [(*sorts, result) for sorts, result in (signature(pattern), signature(sort))]
            pairs = zip(*parts, strict=True)
            pattern, sort = next(pair for pair in pairs if ANY in pair[0])
        else:
            return part
    return part.replace(ANY, sort)


def build(typing: Typing, sort: str) -> Recursion[Term]:
    """Build the term of an expression for one of its sorts; raise `Undetermined` if ambiguous."""
    # Without elements, the element sort makes no difference.
    sort = sort.replace(ANY, "Nat")
    if typing.built is None:
        typing.built = {}
    elif sort in typing.built:
        return typing.built[sort]
    key = typing.fit(sort)
    assert key is not None
    choice = typing.options[key]
    if choice.rival:
        message = f"this may be `{choice.shown}` or `{choice.rival}`"
        raise Undetermined(typing.node, message)
    terms = []
    for part, required in zip(choice.parts, choice.sorts, strict=True):
        terms.append((yield build(part, filled(key, sort, required))))
    made = typing.built[sort] = choice.make(sort, tuple(terms))
    return made
