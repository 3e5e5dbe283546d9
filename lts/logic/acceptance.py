"""Membership of a label in the set that an action formula describes, for given values of data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lts.logic.data import Data, ReadLabel, Value
from lts.logic.nodes import Expression, Quantifier, Tree
from lts.logic.terms.candidates import MOST_BY_ONE, of_tree
from lts.logic.terms.representatives import in_actions

__all__ = ["accepts"]


def accepts(
    tree: Tree, label: ReadLabel, internal: bool, data: Data, values: Mapping[int, Value]
) -> bool:
    """Return whether a label satisfies an action formula whose free variables have these values."""

    def has(part: object) -> bool:
        assert isinstance(part, tuple)
        return accepts(part, label, internal, data, values)

    match tree:
        case ("true",):
            return True
        case ("false",):
            return False
        case ("tau",):
            return internal
        case ("not", inner):
            return not has(inner)
        case ("and", *parts):
            return all(map(has, parts))
        case ("or", *parts):
            return any(map(has, parts))
        case ("label", str() as text):
            return not internal and label.is_label(text)
        case ("name", str() as name):
            return not internal and name == label.name
        case ("pattern", str() as name, tuple() as terms, tuple() | None as sorts):
            pairs = data.matched(name, terms, sorts, label, internal)
            return pairs is not None and all(data.agrees(*pair, values) for pair in pairs)
        case ("multi", *parts):
            if internal or len(parts) != len(label.actions):
                return False
            each = label.each
            found_at = [
                [n for n, action in enumerate(each) if accepts(part, action, False, data, values)]
                for part in parts
                if isinstance(part, tuple)
            ]
            return _matches(found_at, frozenset())
        case ("val", Expression() as condition):
            return data.holds(condition, values)
        case ("forall" | "exists" as kind, Quantifier(slot), tuple() as inner):
            chosen: Sequence[Value] | None
            if data.is_endless(slot):
                some = of_tree(inner, slot, kind == "exists", label, internal, data, values)
                chosen = some.listed(slot, data, MOST_BY_ONE)
                if chosen is None:
                    chosen = in_actions(inner, slot, data, values, (label, internal))
                if chosen is None:
                    chosen = some.listed(slot, data)
            if not data.is_endless(slot) or chosen is None:
                chosen = data.range(slot, values)  # raises if the sort is infinite
            given = ({**values, slot: value} for value in chosen)
            taken = (accepts(inner, label, internal, data, one) for one in given)
            return all(taken) if kind == "forall" else any(taken)
    raise AssertionError(tree)


def _matches(choices: Sequence[Sequence[int]], taken: frozenset[int]) -> bool:
    """Whether there is a choice of one position for each that takes no position twice."""
    if not choices:
        return True
    return any(
        _matches(choices[1:], taken | {position})
        for position in choices[0]
        if position not in taken
    )
