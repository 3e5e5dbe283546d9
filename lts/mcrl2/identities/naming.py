"""Which classes of numbers are identities, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lts.errors import SpecificationError
from lts.mcrl2.identities.classes import Leaf
from lts.mcrl2.identities.inside import processes_in
from lts.mcrl2.identities.uses import Uses
from lts.specification.processes import Comm, Rename
from lts.specification.source import Place
from lts.specification.spelling import near

__all__ = ["MOST", "Identities", "chosen", "classes"]

MOST = 12
"""Sorts of identities that the engine can tell apart, beside the sorts of numbers."""


_OVERLOADS = "told from others of their name by their sort", None


@dataclass(frozen=True, slots=True)
class Identities:
    """Numbers of a specification that are passed on to one another.

    `name` is what the sort is called where they are identities: their first use. `sorts` are the
    sorts of the text, `literals` the numbers that stand there, `uses` where numbers of the class
    are. `count` says what makes them counts, None of identities, and `place` where that is.
    """

    name: str
    sorts: tuple[str, ...]
    literals: tuple[int, ...]
    uses: tuple[str, ...]
    count: str | None
    place: Place | None


def classes(uses: Uses) -> dict[Leaf, Identities]:
    """Return the classes that the text has a name for, in the order of their names there."""
    _separate(uses)
    tops = dict.fromkeys(leaf.top for leaf in uses.leaves)
    owners: dict[str, set[int]] = {}
    for top in tops:
        for _, use in top.positions:
            owners.setdefault(use, set()).add(id(top))
    found: dict[Leaf, Identities] = {}
    taken: set[str] = set()
    for top in sorted((t for t in tops if t.positions), key=lambda t: min(p[0] for p in t.positions)):
        named = [use for _, use in sorted(top.positions, key=lambda position: position[0])]
        own = [use for use in named if len(owners[use]) == 1 and use not in taken]
        name = own[0] if own else _numbered(named[0], taken)
        taken.add(name)
        literals = tuple(sorted(top.literals))
        count: tuple[str, Place | None] | None = top.count
        kinds = [kind for kind in ("Pos", "Nat", "Int") if kind in top.kinds]
        if count is None and len(kinds) > 1:
            zero = top.literals.get(0)
            if zero is not None and "Pos" in kinds:
                count = "0 is no `Pos`, and other numbers of the class are", zero
            elif top.is_ranged:
                count = f"all of {' and '.join(kinds)} are asked for, which are not the same", None
        found[top] = Identities(
            name,
            tuple(kinds),
            literals,
            tuple(dict.fromkeys(named)),
            None if count is None else count[0],
            None if count is None else count[1],
        )
    return found


def _error(uses: Uses, message: str, place: Place | None) -> SpecificationError:
    source = uses.parts.source
    if place is None:
        return SpecificationError(message, file=source.file)
    return source.error(SpecificationError, message, place)


def _numbered(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}.{number}" in taken:
        number += 1
    return f"{name}.{number}"


def _separate(uses: Uses) -> None:
    """Make counts of numbers of different sorts where what is told apart by them would be one."""
    together = [{action.name} for action in uses.actions]
    together += [{*names} for names in _joined(uses)]
    groups: list[list[tuple[tuple[str, ...], tuple]]] = []  # type: ignore[type-arg]
    for names in together:
        groups.append([(a.sorts, t) for a, t in uses.actions.items() if a.name in names])
    for name in {p.name for p in uses.parameters}:
        groups.append([(p.sorts, t) for p, t in uses.parameters.items() if p.name == name])
    for name in {f.name for f in uses.functions}:
        of_name = [(f.arguments, s.arguments) for f, s in uses.functions.items() if f.name == name]
        groups.append(of_name)
    mixed = {leaf.top for leaf in uses.leaves if len(leaf.top.kinds) > 1}
    if not mixed:
        return
    for group in groups:
        for at, (sorts, trees) in enumerate(group):
            for other, others in group[:at]:
                if sorts != other and len(trees) == len(others) and _may_be_one(trees, others):
                    for tree in (*trees, *others):
                        for leaf in uses.inside(tree):
                            if leaf.top in mixed and leaf.top.count is None:
                                leaf.top.count = _OVERLOADS


def _may_be_one(trees: Sequence[object], others: Sequence[object]) -> bool:
    for one, other in zip(trees, others, strict=True):
        if isinstance(one, Leaf) and isinstance(other, Leaf):
            if one.top is not other.top and one.kind != other.kind:
                return False
        elif isinstance(one, str) and one != other:
            return False
    return True


def _joined(uses: Uses) -> Iterable[tuple[str, ...]]:
    """Yield the names of actions that communicate, or are renamed."""
    bodies = [uses.parts.initial, *(body for _, body in uses.parts.definitions.values())]
    for body in bodies:
        for process in processes_in(body):
            if isinstance(process, Comm):
                yield from ((*names, result) for names, result in process.pairs)
            if isinstance(process, Rename):
                yield from process.pairs


def chosen(
    uses: Uses, found: dict[Leaf, Identities], names: Sequence[str] | None
) -> dict[Leaf, Identities]:
    """Return the classes that become sorts: identities with two numbers or more, or those that
    some names are of. Raise `SpecificationError` if one of these counts, or a name is unknown."""
    source = uses.parts.source
    if names is None:
        some = {t: i for t, i in found.items() if i.count is None and len(i.literals) > 1}
        return dict([*some.items()][:MOST])
    wanted: dict[Leaf, Identities] = {}
    for name in names:
        own = {t: i for t, i in found.items() if name == i.name or name in i.uses}
        if not own:
            known = [use for i in found.values() for use in (i.name, *i.uses)]
            message = f"there are no numbers `{name}`{near(name, known)}"
            raise SpecificationError(message, file=source.file)
        for top, item in own.items():
            if item.count is not None:
                message = f"`{name}` are no identities: they are {item.count} here"
                raise _error(uses, message, item.place)
            if not item.literals:
                message = f"`{name}` are no identities: the text has no numbers of them"
                raise SpecificationError(message, file=source.file)
            wanted[top] = item
    if len(wanted) > MOST:
        message = f"{len(wanted)} classes of identities are too many: {MOST} is the most"
        raise SpecificationError(message, file=source.file)
    return wanted
