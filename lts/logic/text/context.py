"""What the parsers of all parts of a formula share: nodes, and the names in scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from lts.errors import ParseError
from lts.logic.nodes import Actions, Call, Expression, Node, Quantifier, Slot
from lts.logic.terms.text import TextTerms
from lts.logic.text.tokens import Cursor, lexicon
from lts.text.names import Name
from lts.text.source import Place, Source
from lts.text.uses import Uses

__all__ = ["Context"]


class Context:
    """The nodes of a formula, and its variables.

    `terms` types the data; `uses` is given the places of names. With `is_mcf`, `a|b` is a
    multi-action and binders have the scopes of mCRL2.
    """

    def __init__(self, source: Source, terms: TextTerms, uses: Uses | None = None) -> None:
        self.source = source
        self.terms = terms
        self.uses = Uses() if uses is None else uses
        self.uses.begin(source)
        self.is_mcf = (source.file or "").endswith(".mcf")
        self.nodes: list[Node] = []
        self.given: dict[str, Actions] = {}
        """Named sets of labels: the arguments A and B of properties."""
        self.named: dict[Actions, None] = {}
        self.slots: list[Slot] = []
        self.data: dict[str, list[int]] = {}
        """The slots of the data variables in scope, by name, the innermost last."""
        self.formulas: dict[str, list[tuple[int, bool]]] = {}
        """For each name in scope its nodes, the innermost last, and whether each is a fixed
        point; otherwise it is a definition."""
        self.outside = 0
        """The fixed points with smaller numbers are outside of a definition: it cannot use them."""
        self.outside_paths = 0
        """The fixed points with smaller numbers are outside of `A` or `E`."""

    def cursor(self, begin: int, end: int, text: str | None = None) -> Cursor:
        """Return a cursor over part of the text, or of another one."""
        source = self.source if text is None else replace(self.source, text=text)
        rules = lexicon(mcrl2=self.terms.is_mcrl2)
        return Cursor(source, (begin, end), rules, synonyms=not self.is_mcf)

    def wrong(self, place: Place, message: str) -> NoReturn:
        """Raise an error at a place of the text."""
        raise self.source.error(ParseError, message, place)

    def node(
        self, operator: str, what: Actions | Call | Expression | Quantifier | None, *parts: int
    ) -> int:
        """Add a node and return its number."""
        self.nodes.append((operator, what, parts))
        return len(self.nodes) - 1

    def open_binder(self, operator: str) -> int:
        """Add a fixed point whose body is not known yet."""
        return self.node(operator, None, 0)

    def close_binder(self, binder: int, inner: int) -> int:
        """Set the body of a fixed point, and return it."""
        self.nodes[binder] = (self.nodes[binder][0], None, (inner,))
        return binder

    def formula(self, name: str) -> tuple[int, bool] | None:
        """Return the node that a name stands for, and whether it is a fixed point."""
        for node, is_fixed_point in reversed(self.formulas.get(name, ())):
            if not is_fixed_point or node >= self.outside:
                return node, is_fixed_point
        return None

    def slot(
        self, name: Name, sort: str | None, bounds: tuple[Expression, Expression] | None
    ) -> int:
        """Bind a new variable, and return its slot."""
        self.slots.append(Slot(str(name), sort, bounds, name.place))
        self.data.setdefault(name, []).append(len(self.slots) - 1)
        self.uses.bind(((name, sort or ""),))
        return len(self.slots) - 1

    def release(self, slots: Sequence[int]) -> None:
        """Remove variables from the scope."""
        for slot in slots:
            self.data[self.slots[slot].name].pop()
        self.uses.release([self.slots[slot].name for slot in slots])
