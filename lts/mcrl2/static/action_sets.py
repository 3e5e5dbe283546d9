"""Checks the action sets of `block`, `hide`, `allow`, `comm` and `rename`."""

from __future__ import annotations

from collections.abc import Iterable

from lts.base.spelling import near
from lts.errors import SpecificationError
from lts.mcrl2.static.declarations import Declarations, declared_as
from lts.specification.specification import ActionName
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
        """Return the communications.

        As in mCRL2, no action may take part in two of them, and no result of one in another. The
        result must be declared with all argument sorts that the actions on the left have in
        common, since it is done with these. (mCRL2 also refuses an action on the left that has
        further sorts, with which it cannot communicate.)
        """
        listed = [
            (names, result) for names, result in pairs if self._all_declared((*names, result))
        ]
        left: dict[str, int] = {}
        for number, (names, result) in enumerate(listed):
            for name in dict.fromkeys(names):
                if left.setdefault(str(name), number) != number:
                    message = f"`{name}` takes part in another communication of this `comm`"
                    self.declared.error(message, name.place)
            self._expect_sorts(names, result)
        for number, (_, result) in enumerate(listed):
            if left.get(result, number) != number:
                message = (
                    f"`{result}`, a result, takes part in another communication of this `comm`"
                )
                self.declared.error(message, result.place)
        return tuple((tuple(sorted(map(str, names))), str(result)) for names, result in listed)

    def _expect_sorts(self, names: tuple[Name, ...], result: Name) -> None:
        """Report a communication without argument sorts in common, or whose result lacks some."""
        sorts_of = self.declared.sorts_of
        common = set.intersection(*map(sorts_of, names))
        missing = sorted(common - sorts_of(result))
        if common == {*missing} and self.declared.wrong.isdisjoint((*names, result)):
            shown = "|".join(names)
            message = f"the actions of `{shown}->{result}` have no argument sorts in common"
            self.declared.error(message, names[0].place)
        elif missing and result not in self.declared.wrong:
            shown = declared_as(ActionName(result, missing[0]))
            message = f"`{'|'.join(names)}` communicates to `{shown}`, which is not declared"
            self.declared.error(message, result.place)

    def renaming(self, pairs: Iterable[tuple[Name, Name]]) -> tuple[tuple[str, str], ...]:
        """Return the renaming; no action may be renamed twice."""
        found: dict[str, str] = {}
        for old, new in pairs:
            if not self._all_declared((old, new)):
                continue
            if old in found:
                self.declared.error(f"`{old}` is renamed twice", old.place)
            if old == new:
                remark = f"`{old}` is renamed to itself"
                self.declared.sorts.remarks.append((remark, old.place))
            common = self.declared.sorts_of(old) & self.declared.sorts_of(new)
            if not common and self.declared.wrong.isdisjoint((old, new)):
                message = f"`{old}` and `{new}` have no argument sorts in common"
                self.declared.error(message, old.place)
            found[str(old)] = str(new)
        return tuple(found.items())

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
