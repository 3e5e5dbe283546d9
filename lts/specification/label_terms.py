"""The actions of generated labels, with the terms of their arguments."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import lts._engine as _engine
from lts.base.label_names import Named, encoded, read_actions
from lts.specification.specification import Specification
from lts.specification.terms import NUMERAL, Application, Function

__all__ = ["LabelTerms", "TypedAction"]

_NUMERAL = 1 << 31
"""Marks a node that is a number."""


@dataclass(frozen=True, slots=True)
class TypedAction:
    """An action of a label: the sorts of its arguments are those of its declaration."""

    name: str
    arguments: tuple[Application, ...]

    @property
    def sorts(self) -> tuple[str, ...]:
        """The sorts of the declaration."""
        return tuple(argument.sort for argument in self.arguments)


class LabelTerms:
    """The actions of the labels of a state space, as the specification declares them.

    Terms share their subterms. Different terms may have the same text, so a label may have several
    meanings.
    """

    def __init__(
        self,
        specification: Specification,
        functions: Collection[Function],
        engine: _engine.Process,
        labels: Collection[str],
    ) -> None:
        self.specification = specification
        self.labels = tuple(labels)
        names, self._keys, self._nodes, self._numerals = engine.label_terms(encoded(labels))
        self._names = [name.decode("utf-8", "surrogateescape") for name in names]
        self._functions = tuple(functions)

    def __getstate__(self) -> dict[str, object]:
        return {
            name: value for name, value in vars(self).items() if name[0] == "_" or name in _COPIED
        }

    @cached_property
    def meanings(self) -> Mapping[str, list[tuple[TypedAction, ...]]]:
        """The actions of each label in order; several lists if several labels have its text."""
        found: dict[str, list[tuple[TypedAction, ...]]] = {label: [] for label in self.labels}
        for label, actions in self._read():
            if actions not in found[label]:
                found[label].append(actions)
        return found

    @cached_property
    def actions(self) -> Mapping[Named, TypedAction]:
        """The actions of labels, by their texts."""
        found: dict[Named, TypedAction] = {}
        for label, meanings in self.meanings.items():
            for actions in meanings:
                for named, action in zip(read_actions(label), actions, strict=False):
                    if named[0] == action.name and len(named[1]) == len(action.arguments):
                        found.setdefault(named, action)
        return found

    @cached_property
    def given(self) -> Mapping[tuple[str, ...], set[tuple[Application, ...]]]:
        """The arguments that actions have, by their texts."""
        found: dict[tuple[str, ...], set[tuple[Application, ...]]] = defaultdict(set)
        for (_, texts), action in self.actions.items():
            found[texts].add(action.arguments)
        return found

    def _read(self) -> Iterator[tuple[str, tuple[TypedAction, ...]]]:
        """Yield the actions of each key of a label."""
        terms = self._terms()
        keys, at = array("I", self._keys), 0
        while at < len(keys):
            label, action, count = keys[at : at + 3]
            arguments = [terms[node] for node in keys[at + 3 : at + 3 + count]]
            at += 3 + count
            yield self.labels[label], self._actions(self._names[action], arguments)

    @staticmethod
    def _actions(name: str, arguments: list[Application]) -> tuple[TypedAction, ...]:
        if name == "tau" and not arguments:
            return ()
        if "|" not in name:
            return (TypedAction(name, tuple(arguments)),)
        found, rest = [], iter(arguments)
        for part in name.split("|"):
            own, _, count = part.rpartition("#")
            found.append(TypedAction(own, tuple(next(rest) for _ in range(int(count)))))
        return tuple(found)

    def _terms(self) -> list[Application]:
        """Return the terms of the nodes."""
        sorts = [*self.specification.numbers]
        numbers = iter(self._numerals)
        known: dict[tuple[str, str], Application] = {}
        terms: list[Application] = []
        nodes, at = array("I", self._nodes), 0
        while at < len(nodes):
            symbol = nodes[at]
            if symbol & _NUMERAL:
                which, digits = next(numbers)
                key = digits, sorts[which]
                if key not in known:
                    known[key] = Application(Function(digits, (), sorts[which], native=NUMERAL))
                terms.append(known[key])
                at += 1
                continue
            function = self._functions[symbol]
            end = at + 1 + len(function.arguments)
            terms.append(Application(function, tuple([terms[n] for n in nodes[at + 1 : end]])))
            at = end
        return terms


_COPIED = ("specification", "labels", "_keys", "_nodes", "_numerals", "_names", "_functions")
"""The attributes that a copy takes over: the others are computed from them."""
