"""Formulas about paths in negation normal form.

A formula is a tuple, an operator and its parts:

    ("true",)  ("false",)  ("and", f, ..)  ("or", f, ..)  ("next", f)  ("weak next", f)
    ("until", f, g)  ("release", f, g)  ("forall", slot, f)  ("exists", slot, f)
    ("state", node, wanted)        a formula of the state holds, or does not
    ("action", actions, wanted)    a step follows, with a label of these; or none does
    ("empty", slot, wanted)        a variable has no values; or it has some

Paths are maximal: they end in a deadlock or never. Where one ends, no step follows, so that `next`
is false of every formula there and `weak next` true.
"""

from __future__ import annotations

from lts.logic.nodes import Actions, Quantifier

__all__ = [
    "FALSE",
    "TRUE",
    "Path",
    "always",
    "both",
    "conjunction",
    "disjunction",
    "excluding",
    "inverse",
    "next_step",
    "over_all",
    "release",
    "some_time",
    "until",
]

Path = tuple[object, ...]
TRUE: Path = ("true",)
FALSE: Path = ("false",)


def conjunction(*parts: Path) -> Path:
    """Return that all parts hold; what is said of the next step is said at once."""
    return _joined("and", parts)


def disjunction(*parts: Path) -> Path:
    """Return that some part holds; what is said of the next step is said at once."""
    return _joined("or", parts)


def _joined(operator: str, parts: tuple[Path, ...]) -> Path:
    neutral, decided = (TRUE, FALSE) if operator == "and" else (FALSE, TRUE)
    found: dict[Path, None] = {}
    for part in parts:
        inner = part[1:] if part[0] == operator else (part,)
        found |= dict.fromkeys(inner)  # type: ignore[arg-type]
    steps = [part for part in found if part[0] == "action"]
    if len(steps) > 1:
        one = _steps(operator, steps)
        found = {one if part == steps[0] else part: None for part in found if part not in steps[1:]}
    found.pop(neutral, None)
    if decided in found:
        return decided
    if not found:
        return neutral
    return next(iter(found)) if len(found) == 1 else (operator, *found)


def _steps(operator: str, steps: list[Path]) -> Path:
    """Return what several parts say of the next step, where some may say that there is none."""
    wanted = [part[1] for part in steps if part[2]]
    refused = [part[1] for part in steps if not part[2]]
    # There is a step of all those, and of none of these; or the other way round.
    if operator == "and":
        if not wanted:
            return "action", either(*refused), False
        return "action", excluding(both(*wanted), refused), True
    if not refused:
        return "action", either(*wanted), True
    return "action", excluding(both(*refused), wanted), False


def both(*sets: object) -> Actions:
    """Return the labels that are in all sets."""
    return _sets("and", "&&", sets)


def either(*sets: object) -> Actions:
    """Return the labels that are in one of the sets."""
    return _sets("or", "||", sets)


def inverse(actions: Actions) -> Actions:
    """Return the labels that are in a set not."""
    return Actions(f"!{actions.text}", ("not", actions.tree))


def excluding(actions: Actions, others: list[object]) -> Actions:
    """Return the labels that are in a set, and in none of the others."""
    return both(actions, *(inverse(other) for other in others if isinstance(other, Actions)))


def over_all(kind: str, slot: int, actions: Actions) -> Actions:
    """Return the labels that are in a set for all values of a variable, or for some."""
    return Actions(f"({kind} #{slot}. {actions.text})", (kind, Quantifier(slot), actions.tree))


def _sets(operator: str, sign: str, sets: tuple[object, ...]) -> Actions:
    each = [one for one in dict.fromkeys(sets) if isinstance(one, Actions)]
    if len(each) == 1:
        return each[0]
    text = f" {sign} ".join(one.text for one in each)
    return Actions(f"({text})", (operator, *(one.tree for one in each)))


def next_step(part: Path, *, strong: bool) -> Path:
    """Return that a formula holds after the next step; if there is none, what is strong fails."""
    if part == (FALSE if strong else TRUE):
        return part
    return "next" if strong else "weak next", part


def until(left: Path, right: Path) -> Path:
    """Return that a formula holds some time, and another one up to then."""
    if right in (TRUE, FALSE) or _is_lasting(right):
        return right
    if right[0] == "until" and right[1] == left:
        return right
    return "until", left, right


def release(left: Path, right: Path) -> Path:
    """Return that a formula holds as long as another one has not held before."""
    if right in (TRUE, FALSE) or _is_lasting(right):
        return right
    if right[0] == "release" and right[1] == left:
        return right
    if right[0] == "and":
        return conjunction(*(release(left, part) for part in right[1:]))  # type: ignore[arg-type]
    return "release", left, right


def _is_lasting(path: Path) -> bool:
    """Whether a formula holds of all of a path or of none, as what is said of its end."""
    match path:
        case ("and" | "or", *parts):
            return all(isinstance(part, tuple) and _is_lasting(part) for part in parts)
        case ("forall" | "exists", _, tuple() as inner):
            return _is_lasting(inner)
        case ("until", ("true",), ("release", ("false",), _)):
            return True
        case ("release", ("false",), ("until", ("true",), _)):
            return True
    return False


def always(part: Path) -> Path | None:
    """Return what is said to hold from now on, if that is what a formula says."""
    match part:
        case ("release", ("false",), tuple() as inner):
            return inner
    return None


def some_time(part: Path) -> Path | None:
    """Return what is said to hold some time, if that is what a formula says."""
    match part:
        case ("until", ("true",), tuple() as inner):
            return inner
    return None
