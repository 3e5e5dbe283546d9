"""Renaming of overloaded actions: what a process may do, with the sorts of its actions.

An action that is renamed keeps its arguments, so the new name must be declared with their sorts.
"""

from __future__ import annotations

from lts.mcrl2.static.declarations import Declarations, declared_as
from lts.specification import specification as typed
from lts.specification.alphabets import Alphabets, Definitions
from lts.specification.traversal import processes_in

__all__ = ["check_renamings"]


def check_renamings(
    declared: Declarations, definitions: Definitions, initial: typed.Process
) -> None:
    """Report each `rename` whose body may do an action that the new name is not declared for."""
    bodies = [initial, *(body for _, body in definitions.values())]
    renamings = [
        part
        for body in bodies
        for part in processes_in(body)
        if isinstance(part, typed.Rename)
        and any(_partial(declared.sorts_of(old), declared.sorts_of(new)) for old, new in part.pairs)
    ]
    if not renamings:
        return
    alphabets = Alphabets(definitions)
    for part in renamings:
        images = dict(part.pairs)
        for action in sorted(alphabets.of(part.body), key=declared_as):
            image = images.get(action.name)
            if image is None:
                continue
            of_image = declared.sorts_of(image)
            if action.sorts not in of_image and _partial(declared.sorts_of(action.name), of_image):
                shown = declared_as(action)
                message = f"`{shown}` is renamed to `{image}`, which is not declared with its sorts"
                declared.error(message, part.place)


def _partial(old: set[tuple[str, ...]], new: set[tuple[str, ...]]) -> bool:
    """Whether an action has some sorts in common with its new name, but not all of them."""
    return not old <= new and not old.isdisjoint(new)
