"""Parses regular formulas over actions, and translates modalities over them to fixed points."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from itertools import accumulate

from lts.logic.nodes import Actions, Call, Quantifier
from lts.logic.terms.text import TextTerms
from lts.logic.text.path_formulas import PathReader

__all__ = ["RegularReader"]


class RegularReader(PathReader):
    """Parses the content of `<..>` and `[..]`, and translates it to nodes."""

    def __init__(self, text: str, file: str, terms: TextTerms) -> None:
        super().__init__(text, file, terms)
        self.captured: list[int] = []
        """Variables in scope that were captured by patterns."""

    @abstractmethod
    def formula(self) -> int:
        """Read a state formula."""

    def open_binder(self, operator: str) -> int:
        """Add a fixed point whose body is not known yet."""
        return self.node(operator, None, 0)

    def close_binder(self, binder: int, inner: int) -> int:
        """Set the body of a fixed point, and return it."""
        self.nodes[binder] = (self.nodes[binder][0], None, (inner,))
        return binder

    def release(self, before: int) -> None:
        """Remove the variables captured since there were `before` of them from the scope."""
        self.close_binders(self.captured[before:])
        del self.captured[before:]

    # Regular formulas: a path is translated to nodes only when its continuation is known.

    def path(self) -> tuple[object, ...]:
        """Read a regular formula."""
        before = len(self.captured)
        parts = [self.sequence()]
        # A `+` that denotes repetition has been consumed by its operand.
        while (not self.is_mcf and self.has("|")) or self.has("+"):
            self.release(before)
            parts.append(self.sequence())
        if len(parts) > 1:
            self.release(before)
        return parts[0] if len(parts) == 1 else ("choice", *parts)

    def sequence(self) -> tuple[object, ...]:
        """Read a sequence, joined by points."""
        parts = [self.repeated()]
        while self.has("."):
            parts.append(self.repeated())
        return parts[0] if len(parts) == 1 else ("sequence", *parts)

    def repeated(self) -> tuple[object, ...]:
        """Read one element of a sequence, with its repetition signs."""
        found: tuple[object, ...]
        before = len(self.captured)
        if self.token.text == "(" and self.after_bracket() == "?":
            self.at += 1
            found = ("test", self.formula())
            self.take(")")
            self.take("?")
        elif self.token.text == "(" and not self.holds_actions():
            self.at += 1
            found = self.path()
            self.take(")")
        elif self.token.text == "{":
            pattern, captured = self.offers()
            self.captured += captured
            found = ("step", pattern, *captured)
        else:
            found = ("step", self.actions())
        if self.token.text in ("*", "+") and not self.is_choice():
            self.release(before)  # captured values differ in each repetition
        # Nested repetition is simple repetition, possibly empty if one of the signs is `*`.
        signs = set()
        while self.token.text == "*" or (self.token.text == "+" and not self.is_choice()):
            signs.add(self.token.text)
            self.at += 1
        if signs:
            found = ("star" if "*" in signs else "plus", found)
        return found

    def is_choice(self) -> bool:
        """Whether a path follows this `+`, so that it denotes choice, not repetition."""
        after = self.after
        return after.is_name or after.text.startswith(("(", "!", '"'))

    @cached_property
    def closed(self) -> dict[int, int]:
        """The index of the `)` that closes each `(`, by index."""
        found: dict[int, int] = {}
        waiting: list[int] = []
        for place, token in enumerate(self.tokens):
            if token.text == "(":
                waiting.append(place)
            elif token.text == ")" and waiting:
                found[waiting.pop()] = place
        return found

    @cached_property
    def joints(self) -> list[int]:
        """For each index, the number of tokens before it that are path operators."""
        signs = ("*", "+", ".", "?") if self.is_mcf else ("*", "+", ".", "|", "?")
        makes = (
            token.text in signs and place not in self.binding_points
            for place, token in enumerate(self.tokens)
        )
        return [0, *accumulate(makes)]

    def closing(self) -> int:
        """Return the index of the bracket that closes the one here."""
        if self.at not in self.closed:
            self.wrong(self.token.at, "this bracket is never closed")
        return self.closed[self.at]

    def after_bracket(self) -> str:
        """Return the token after the bracket that closes the one here."""
        return self.tokens[self.closing() + 1].text

    def holds_actions(self) -> bool:
        """Whether brackets contain an action formula: there is no path operator inside."""
        return self.joints[self.closing()] == self.joints[self.at]

    def follow(self, path: tuple[object, ...], goal: int, box: bool) -> int:
        """Return the formula that some path (with `box`, every path) leads to the goal."""
        match path:
            case ("step", Actions() as actions, *captured):
                found = self.node("must" if box else "can", actions, goal)
                for slot in reversed(captured):
                    assert isinstance(slot, int)
                    found = self.node("forall" if box else "exists", Quantifier(slot), found)
                return found
            case ("sequence", *parts):
                for part in reversed(parts):
                    goal = self.follow(part, goal, box)  # type: ignore[arg-type]
                return goal
            case ("choice", *parts):
                ways = [self.follow(part, goal, box) for part in parts]  # type: ignore[arg-type]
                return self.node("and" if box else "or", None, *ways)
            case ("test", int() as test):
                if box:
                    return self.node("or", None, self.node("not", None, test), goal)
                return self.node("and", None, test, goal)
            case ("plus", inner):
                # <R+>g is mu X. <R>(g or X), which contains R only once.
                binder = self.open_binder("nu" if box else "mu")
                more = self.node("and" if box else "or", None, goal, self.node("var", Call(binder)))
                return self.close_binder(binder, self.follow(inner, more, box))  # type: ignore[arg-type]
            case ("star", inner):
                binder = self.open_binder("nu" if box else "mu")
                again = self.node("var", Call(binder))
                more = self.follow(inner, again, box)  # type: ignore[arg-type]
                return self.close_binder(
                    binder, self.node("and" if box else "or", None, goal, more)
                )
        raise AssertionError(path)
