"""Parses regular formulas over actions, and translates modalities over them to fixed points."""

from __future__ import annotations

from collections.abc import Callable

from lts.logic.nodes import Actions, Call, Quantifier
from lts.logic.text.action_formulas import ActionFormulas
from lts.logic.text.tokens import LEVELS

__all__ = ["Path", "RegularFormulas"]

Path = tuple[object, ...]
"""A regular formula: an operator and its parts."""


class RegularFormulas:
    """Parses the content of `<..>` and `[..]`, and translates it to nodes.

    `formula` reads the state formula of a test.
    """

    def __init__(self, actions: ActionFormulas, formula: Callable[[], int]) -> None:
        self.actions = actions
        self.reader = actions.reader
        self.of = actions.of
        self.formula = formula
        self.captured: list[int] = []
        """Variables in scope that were captured by patterns."""

    def release(self, before: int) -> None:
        """Remove the variables captured since there were `before` of them from the scope."""
        self.of.release(self.captured[before:])
        del self.captured[before:]

    # A path is translated to nodes only when its continuation is known.

    def path(self) -> Path:
        """Read a regular formula."""
        before = len(self.captured)
        parts = [self.sequence()]
        # A `+` that denotes repetition has been consumed by its operand.
        while (not self.of.is_mcf and self.reader.has("|")) or self.reader.has("+"):
            self.release(before)
            parts.append(self.sequence())
        if len(parts) > 1:
            self.release(before)
        return parts[0] if len(parts) == 1 else ("choice", *parts)

    def sequence(self) -> Path:
        """Read a sequence, joined by points."""
        parts = [self.repeated()]
        while self.reader.has("."):
            parts.append(self.repeated())
        return parts[0] if len(parts) == 1 else ("sequence", *parts)

    def repeated(self) -> Path:
        """Read one element of a sequence, with its repetition signs."""
        reader, before = self.reader, len(self.captured)
        found = self.element()
        if self.repeats():
            self.release(before)  # captured values differ in each repetition
        # Nested repetition is simple repetition, possibly empty if one of the signs is `*`.
        signs = set()
        while self.repeats():
            signs.add(reader.text[0])
            if reader.text == "++":
                reader.shorten(1)
            else:
                reader.at += 1
        if signs:
            found = ("star" if "*" in signs else "plus", found)
        return found

    def element(self) -> Path:
        """Read a test, a set of labels or a path in brackets."""
        reader = self.reader
        found: Path
        if reader.text == "(":
            is_test = reader.behind == "?"
            reader.at += 1
            if is_test:
                found = ("test", self.actions.scopes.bracketed(self.formula, ")"))
                reader.at += 1
            else:
                found = self.actions.scopes.bracketed(self.path, ")")
        elif reader.text == "{":
            pattern, captured = self.actions.offers()
            self.captured += captured
            found = ("step", pattern, *captured)
        else:
            found = ("step", self.actions.formula())
        match found:
            case ("step", Actions() as first, *variables) if reader.text in LEVELS:
                # The step was only the first operand of a set of labels.
                self.actions.refuse_captured(variables)  # type: ignore[arg-type]
                found = ("step", self.actions.formula(first=first))
        return found

    def repeats(self) -> bool:
        """Whether a repetition sign is here: a `+` that a path follows denotes choice."""
        word, after = self.reader.text, self.reader.after
        is_choice = after[:1].isalpha() or after.startswith(("_", "(", "!", '"'))
        return word in ("*", "++") or (word == "+" and not is_choice)

    def follow(self, path: Path, goal: int, box: bool) -> int:
        """Return the formula that some path (with `box`, every path) leads to the goal."""
        match path:
            case ("step", Actions() as actions, *captured):
                found = self.of.node("must" if box else "can", actions, goal)
                for slot in reversed(captured):
                    assert isinstance(slot, int)
                    found = self.of.node("forall" if box else "exists", Quantifier(slot), found)
                return found
            case ("sequence", *parts):
                for part in reversed(parts):
                    goal = self.follow(part, goal, box)  # type: ignore[arg-type]
                return goal
            case ("choice", *parts):
                alternatives = [self.follow(part, goal, box) for part in parts]  # type: ignore[arg-type]
                return self.of.node("and" if box else "or", None, *alternatives)
            case ("test", int() as test):
                if box:
                    return self.of.node("or", None, self.of.node("not", None, test), goal)
                return self.of.node("and", None, test, goal)
            case ("plus", inner):
                # <R+>g is mu X. <R>(g or X), which contains R only once.
                binder = self.of.open_binder("nu" if box else "mu")
                more = self.of.node(
                    "and" if box else "or", None, goal, self.of.node("var", Call(binder))
                )
                return self.of.close_binder(binder, self.follow(inner, more, box))  # type: ignore[arg-type]
            case ("star", inner):
                binder = self.of.open_binder("nu" if box else "mu")
                again = self.of.node("var", Call(binder))
                more = self.follow(inner, again, box)  # type: ignore[arg-type]
                return self.of.close_binder(
                    binder, self.of.node("and" if box else "or", None, goal, more)
                )
        raise AssertionError(path)
