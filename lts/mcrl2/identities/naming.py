"""Decides which classes of numbers are identities, and names them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lts.base.bounds import IDENTITY_CLASSES
from lts.base.spelling import near
from lts.errors import SpecificationError
from lts.mcrl2.identities.classes import Leaf, Tree, unify
from lts.mcrl2.identities.uses import Uses
from lts.specification.processes import Comm, Rename
from lts.specification.traversal import processes_in
from lts.text.source import Place

__all__ = ["Identities", "chosen", "classes", "join"]


@dataclass(frozen=True, slots=True)
class Identities:
    """A class of numbers in a specification.

    `name` is the name of the sort if they are identities: their first use. `sorts` are the sorts in
    the text, `literals` the numbers written there, and `uses` the names of all uses. `count` is the
    reason why they are counts, with its `place`; None for identities.
    """

    name: str
    sorts: tuple[str, ...]
    literals: tuple[int, ...]
    uses: tuple[str, ...]
    count: str | None
    place: Place | None


def classes(uses: Uses) -> dict[Leaf, Identities]:
    """Return the classes that have a name in the text, in the order of these names."""
    _separate(uses)
    tops = dict.fromkeys(leaf.top for leaf in uses.leaves)
    owners: dict[str, set[int]] = {}
    for top in tops:
        for _, use in top.positions:
            owners.setdefault(use, set()).add(id(top))
    found: dict[Leaf, Identities] = {}
    taken: set[str] = set()
    for top in sorted(
        (t for t in tops if t.positions), key=lambda t: min(p[0] for p in t.positions)
    ):
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
                count = "of several sorts, and 0 is not a `Pos`", zero
            elif top.is_ranged:
                count = (
                    (
                        "of several sorts, and the text ranges over all values of "
                        f"{' and '.join(kinds)}, which differ"
                    ),
                    None,
                )
        found[top] = Identities(
            name,
            tuple(kinds),
            literals,
            tuple(dict.fromkeys(named)),
            None if count is None else count[0],
            None if count is None else count[1],
        )
    return found


def join(uses: Uses, names: Sequence[str]) -> None:
    """Merge the classes of each group of names that is joined by `+`."""
    for name in names:
        first, *others = name.split("+")
        found = classes(uses) if others else {}
        for top in _of_name(found, first):
            for other in others:
                for joined in _of_name(found, other):
                    unify(top, joined)


def _of_name(found: dict[Leaf, Identities], name: str) -> dict[Leaf, Identities]:
    return {
        top: identities
        for top, identities in found.items()
        if name == identities.name or name in identities.uses
    }


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
    """Turn into counts the numbers that only their sorts distinguish from others.

    Labels do not show sorts: if `a(1)` were an identity in one place and a count in another, a
    permutation of identities would not act on labels. And if a class has several number sorts, a
    single new sort would identify what these sorts distinguish in the text: actions, which could
    then communicate, and functions and processes of the same name.
    """
    actions = [(a.name, a.sorts, "", t) for a, t in uses.actions.items()]
    functions = [(f.name, f.arguments, f.sort, s.arguments) for f, s in uses.functions.items()]
    processes = [(p.name, p.sorts, "", t) for p, t in uses.parameters.items()]
    for declared in (actions, functions, processes):
        groups: dict[tuple[str, int], list[_Declared]] = {}
        for declaration in declared:
            groups.setdefault((declaration[0], len(declaration[3])), []).append(declaration)
        for group in groups.values():
            for at, one in enumerate(group):
                for other in group[:at]:
                    _distinguish(uses, one, other, may_meet=one[2] == other[2])
    mixed = any(len(leaf.top.kinds) > 1 for leaf in uses.leaves)
    for names in _joined(uses) if mixed else ():
        together = [action for action in actions if action[0] in names]
        for at, one in enumerate(together):
            for other in together[:at]:
                if one[1] != other[1] and len(one[1]) == len(other[1]):
                    _distinguish(uses, one, other, may_meet=False)


_Declared = tuple[str, tuple[str, ...], str, tuple[Tree, ...]]


def _distinguish(uses: Uses, one: _Declared, other: _Declared, *, may_meet: bool) -> None:
    """Turn into counts the numbers that two declarations do not distinguish.

    `may_meet` says whether both can occur in the same position of a label; then numbers that look
    alike but are of different classes are counts. Numbers of several sorts are counts in any case.
    """
    pairs = [*zip(one[3], other[3], strict=True)]
    if not all(_may_look_alike(uses, *pair) for pair in pairs):
        return
    for left, right in pairs:
        sides = [{leaf.top for leaf in uses.inside(tree)} for tree in (left, right)]
        for top in sides[0] | sides[1]:
            differs = may_meet and (top not in sides[0] or top not in sides[1])
            if top.count is None and (differs or len(top.kinds) > 1):
                what = f"`{one[0]}`" if one[0] == other[0] else f"`{one[0]}`, `{other[0]}`"
                top.count = f"distinguished from others in {what} only by their sort", None


def _may_look_alike(uses: Uses, one: Tree, other: Tree) -> bool:
    """Whether values of two sorts may be written in the same way."""
    if one == other:
        return True
    if isinstance(one, str) and isinstance(other, str):
        names = [
            {(f.name, len(f.arguments)) for f in uses.functions if f.sort == sort}
            for sort in (one, other)
        ]
        return not names[0].isdisjoint(names[1])
    # Numbers look alike only with numbers.
    return type(one) is type(other)


def _joined(uses: Uses) -> Iterable[tuple[str, ...]]:
    """Yield the names of actions that communicate, or of an action and its new name."""
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
    """Return the classes that become sorts.

    These are the given `names`, or by default all identities with at least two numbers. Raises
    `SpecificationError` if a name is unknown, or is that of a count.
    """
    source = uses.parts.source
    if names is None:
        some = {t: i for t, i in found.items() if i.count is None and len(i.literals) > 1}
        return dict([*some.items()][: IDENTITY_CLASSES.default])
    names = [part for name in names for part in name.split("+")]
    selected: dict[Leaf, Identities] = {}
    for name in names:
        own = _of_name(found, name)
        if not own:
            known = [use for i in found.values() for use in (i.name, *i.uses)]
            message = f"there are no numbers `{name}`{near(name, known)}"
            raise SpecificationError(message, file=source.file)
        for top, item in own.items():
            if item.count is not None:
                message = f"`{name}` are not identities: they are {item.count}"
                raise _error(uses, message, item.place)
            if not item.literals:
                message = f"`{name}` are not identities: the text contains no such numbers"
                raise SpecificationError(message, file=source.file)
            selected[top] = item
    if len(selected) > IDENTITY_CLASSES.default:
        most = IDENTITY_CLASSES.default
        message = (
            f"{len(selected)} classes of identities are too many: at most {most} are supported"
        )
        raise SpecificationError(message, file=source.file)
    return selected
