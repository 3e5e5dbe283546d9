"""Checks the action sets of `block`, `hide`, `allow`, `comm` and `rename`."""

from __future__ import annotations

from collections.abc import Iterable

from lts.base.spelling import near
from lts.errors import SpecificationError
from lts.mcrl2.static.declarations import Declarations
from lts.text.names import Name

__all__ = ["ActionSets"]


class ActionSets:
    """Checks that actions are declared, and that their sorts agree."""

    def __init__(self, declared: Declarations) -> None:
        self.declared = declared

    def names(self, names: Iterable[Name]) -> frozenset[str]:
        """Return the actions of a set."""
        return frozenset(str(name) for name in names if self._is_declared(name))

    def allowed(self, actions: Iterable[tuple[Name, ...]]) -> frozenset[tuple[str, ...]]:
        """Return the multi-actions of a set, each as the sorted names of its actions."""
        found = set()
        for names in actions:
            if self._all_declared(names):
                found.add(tuple(sorted(str(name) for name in names)))
        return frozenset(found)

    def communications(
        self, pairs: Iterable[tuple[tuple[Name, ...], Name]]
    ) -> tuple[tuple[tuple[str, ...], str], ...]:
        """Return the communications; no action may take part in two."""
        found = []
        used: set[str] = set()
        for names, result in pairs:
            if not self._all_declared((*names, result)):
                continue
            for name in dict.fromkeys(names):
                if name in used:
                    message = f"`{name}` takes part in another communication of this `comm`"
                    self.declared.error(message, names[names.index(name)].place)
            used.update(map(str, names))
            common = self._sorts(result)
            for name in names:
                common &= self._sorts(name)
            if not common and self.declared.wrong.isdisjoint((*names, result)):
                shown = "|".join(names)
                message = f"the actions of `{shown}->{result}` have no argument sorts in common"
                self.declared.error(message, names[0].place)
            found.append((tuple(sorted(map(str, names))), str(result)))
        return tuple(found)

    def renaming(self, pairs: Iterable[tuple[Name, Name]]) -> tuple[tuple[str, str], ...]:
        """Return the renaming; no action may be renamed twice."""
        found: dict[str, str] = {}
        for old, new in pairs:
            if not self._all_declared((old, new)):
                continue
            if old in found:
                self.declared.error(f"`{old}` is renamed twice", old.place)
            common = self._sorts(old) & self._sorts(new)
            if not common and self.declared.wrong.isdisjoint((old, new)):
                message = f"`{old}` and `{new}` have no argument sorts in common"
                self.declared.error(message, old.place)
            found[str(old)] = str(new)
        return tuple(found.items())

    def _sorts(self, name: str) -> set[tuple[str, ...]]:
        return {action.sorts for action in self.declared.actions[name]}

    def _all_declared(self, names: Iterable[Name]) -> bool:
        """Whether all actions are declared; each undeclared one is reported."""
        found = [self._is_declared(name) for name in names]
        return all(found)

    def _is_declared(self, name: Name) -> bool:
        """Whether an action is declared; if not, that is reported once."""
        declared = self.declared
        if declared.actions.get(name):
            declared.uses.use(name, ("action", str(name)))
            return True
        if name not in declared.wrong and declared.is_new("action", name):
            kind = " (it is a process)" if name in declared.processes else ""
            known = [action for action, overloads in declared.actions.items() if overloads]
            declared.report.add(
                SpecificationError,
                lambda: f"action `{name}` is not declared{kind}{near(name, known)}",
                name.place,
            )
        return False
