"""Path formulas in negation normal form.

A formula is a tuple of an operator and its parts:

    ("true",)  ("false",)  ("and", f, ..)  ("or", f, ..)  ("next", f)  ("weak next", f)
    ("until", f, g)  ("release", f, g)  ("forall", slot, f)  ("exists", slot, f)
    ("state", node, positive)        the state formula holds (or, if not `positive`, does not hold)
    ("action", actions, positive)    a step follows, with a label in the set (or no such step)
    ("empty", slot, positive)        a variable has no values (or some)

Paths are maximal: they are infinite or end in a deadlock. At the end no step follows, so that every
`next` is false there and every `weak next` true.
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
    """Return a conjunction, with its conditions on the next step merged."""
    return _joined("and", parts)


def disjunction(*parts: Path) -> Path:
    """Return a disjunction, with its conditions on the next step merged."""
    return _joined("or", parts)


def _joined(operator: str, parts: tuple[Path, ...]) -> Path:
    neutral, decided = (TRUE, FALSE) if operator == "and" else (FALSE, TRUE)
    found: dict[Path, None] = {}
    for part in parts:
        inner = part[1:] if part[0] == operator else (part,)
        found |= dict.fromkeys(inner)  # type: ignore[arg-type]
    steps = [part for part in found if part[0] == "action"]
    if len(steps) > 1:
        # The merged condition stands where the first one did.
        one = _steps(operator, steps)
        found = dict.fromkeys(one if part[0] == "action" else part for part in found)
    found.pop(neutral, None)
    if decided in found:
        return decided
    if not found:
        return neutral
    return next(iter(found)) if len(found) == 1 else (operator, *found)


def _steps(operator: str, steps: list[Path]) -> Path:
    """Merge conditions on the next step, some of which may forbid steps."""
    required = [part[1] for part in steps if part[2]]
    refused = [part[1] for part in steps if not part[2]]
    # A step in all required sets and in no refused one; dually for a disjunction.
    if operator == "and":
        if not required:
            return "action", either(*refused), False
        return "action", excluding(both(*required), refused), True
    if not refused:
        return "action", either(*required), True
    return "action", excluding(both(*refused), required), False


def both(*sets: object) -> Actions:
    """Return the intersection of sets of labels."""
    return _sets("and", "&&", sets)


def either(*sets: object) -> Actions:
    """Return the union of sets of labels."""
    return _sets("or", "||", sets)


def inverse(actions: Actions) -> Actions:
    """Return the complement of a set of labels."""
    return Actions(f"!{actions.text}", ("not", actions.tree))


def excluding(actions: Actions, others: list[object]) -> Actions:
    """Return the labels of a set that are in none of the others."""
    return both(actions, *(inverse(other) for other in others if isinstance(other, Actions)))


def over_all(kind: str, slot: int, actions: Actions) -> Actions:
    """Return the intersection (`forall`) or union (`exists`) over the values of a variable."""
    return Actions(f"({kind} #{slot}. {actions.text})", (kind, Quantifier(slot), actions.tree))


def _sets(operator: str, sign: str, sets: tuple[object, ...]) -> Actions:
    each = [actions for actions in dict.fromkeys(sets) if isinstance(actions, Actions)]
    if len(each) == 1:
        return each[0]
    text = f" {sign} ".join(operand.text for operand in each)
    return Actions(f"({text})", (operator, *(operand.tree for operand in each)))


def next_step(part: Path, *, strong: bool) -> Path:
    """Return that a formula holds after the next step; without a step, strong next is false."""
    if part == (FALSE if strong else TRUE):
        return part
    return "next" if strong else "weak next", part


def until(left: Path, right: Path) -> Path:
    """Return `left U right`, simplified."""
    if right in (TRUE, FALSE) or _is_lasting(right):
        return right
    if right[0] == "until" and right[1] == left:
        return right
    return "until", left, right


def release(left: Path, right: Path) -> Path:
    """Return `left R right`, simplified."""
    if right in (TRUE, FALSE) or _is_lasting(right):
        return right
    if right[0] == "release" and right[1] == left:
        return right
    if right[0] == "and":
        return conjunction(*(release(left, part) for part in right[1:]))  # type: ignore[arg-type]
    return "release", left, right


def _is_lasting(path: Path) -> bool:
    """Whether a formula depends only on a path's limit behaviour: it holds always or never."""
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
    """Return f if a formula is `G f`, else None."""
    match part:
        case ("release", ("false",), tuple() as inner):
            return inner
    return None


def some_time(part: Path) -> Path | None:
    """Return f if a formula is `F f`, else None."""
    match part:
        case ("until", ("true",), tuple() as inner):
            return inner
    return None
