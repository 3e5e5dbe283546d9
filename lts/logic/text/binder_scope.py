"""The scope of quantifiers and fixed points (binders) in formulas, as mCRL2 parses them.

In mCRL2 the scope of a binder after an operator ends at the first operator that binds less
strongly: `f && mu X. g && h || k` is `(f && (mu X. g && h)) || k`. After `!`, `[r]` or `<r>` it
ends at the first binary operator: `[r] mu X. g && h` is `([r] mu X. g) && h`. Otherwise it is as
large as possible, which is the rule of ltstool for all binders.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from lts.logic.text.tokens import LEVELS, Cursor

__all__ = ["BinderScopes"]

T = TypeVar("T")

_TIGHTEST = 1 + max(LEVELS.values())
_PREFIX = ("!", "]", ">")


class BinderScopes:
    """Decides where the scopes of binders end, and notices where they would end in mCRL2."""

    def __init__(self, reader: Cursor, *, is_mcf: bool) -> None:
        self.reader = reader
        self.is_mcf = is_mcf
        self.wider: str | None = None
        """The first operator at which the scope of a binder ends in mCRL2 but not here. A scope
        that mCRL2 ends before a use of a declared name does not count, as mCRL2 would refuse the
        formula."""
        # Of the binders inside the innermost bracket, the priorities at which mCRL2 ends their
        # scopes, with the names that they declare.
        self._open: list[tuple[int, Collection[str]]] = []

    def bracketed(self, read: Callable[[], T], close: str) -> T:
        """Read the content of a bracket, and the token that closes it."""
        outer, self._open = self._open, []
        found = read()
        self._open = outer
        self.reader.need(close)
        return found

    def floor(self, level: int) -> int:
        """Return the least priority of the operators in the body of the binder that begins here,
        after an operator of a priority (without one, that of the binder around it)."""
        if not self.is_mcf:
            return 0
        if self.reader.before in _PREFIX:
            return _TIGHTEST
        return 0 if self.reader.before in ("U", "W", "R") else level

    def body(self, read: Callable[[int], T], begin: int, floor: int, names: Collection[str]) -> T:
        """Read the body of a binder with these names, which began at a token."""
        before, count = self.reader.words[begin - 1] if begin else "", len(self._open)
        level = _TIGHTEST if before in _PREFIX else LEVELS.get(before)
        if level is not None:
            self._open.append((level, names))
        found = read(floor)
        del self._open[count:]
        return found

    def operator(self, levels: Mapping[str, int], floor: int) -> str | None:
        """Consume and return one of these operators of at least this priority, or return None."""
        found = self.reader.operator(levels, floor)
        if found in LEVELS and not self.is_mcf:
            ended: Collection[str] | None = None
            while self._open and self._open[-1][0] > LEVELS[found]:
                _, ended = self._open.pop()
            if ended is not None and self.wider is None and not self._occurs(ended):
                self.wider = found
        return found

    def _occurs(self, names: Collection[str]) -> bool:
        """Whether a name occurs from here to the end of the bracket around it."""
        reader, depth = self.reader, 0
        for at in range(reader.at, len(reader.kinds)):
            kind = reader.kinds[at]
            depth += (kind in ("(", "[", "{")) - (kind in (")", "]", "}"))
            if depth < 0:
                return False
            if reader.values[at] in names:
                return True
        return False
