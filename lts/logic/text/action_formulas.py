"""Parses sets of labels: the content of `<..>` and `[..]`, without regular operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from lts.base.escaping import quoted
from lts.logic.nodes import Actions, Expression, Quantifier, Tree, slots_of, unquoted
from lts.logic.terms.text import Arguments
from lts.logic.text.binder_scope import BinderScopes
from lts.logic.text.context import Context
from lts.logic.text.tokens import LEVELS, Cursor
from lts.text.climbing import climb
from lts.text.names import Name
from lts.text.report import Failed

if TYPE_CHECKING:
    from lts.mcrl2.text.data_tree import Data

__all__ = ["ActionFormulas"]

T = TypeVar("T")


class ActionFormulas:
    """Parses sets of labels, and binders of data variables."""

    def __init__(self, reader: Cursor, context: Context) -> None:
        self.reader = reader
        self.of = context
        self.scopes = BinderScopes(reader, is_mcf=context.is_mcf)
        self._bar_joins_actions = context.is_mcf

    def formula(self, floor: int = 0, first: Actions | None = None) -> Actions:
        """Read a set of labels with operators of at least priority `floor`; its first operand may
        have been read already."""
        operands = [] if first is None else [first]

        def operand(level: int) -> Actions:
            return operands.pop() if operands else self.single(level)

        return climb(LEVELS, operand, self.scopes.operator, _joined, floor)

    def single(self, level: int = 0) -> Actions:
        """Read a set of labels that needs no brackets, after an operator of a priority."""
        reader = self.reader
        if reader.has("!"):
            inner = self.single()
            return Actions(f"!{inner.text}", ("not", inner.tree))
        if reader.is_quantifier:
            return self.quantified(level)
        if reader.has("("):
            return self.scopes.bracketed(self.formula, ")")
        word = reader.text
        if not reader.is_applied:
            if word in self.of.given:
                reader.at += 1
                return self.of.given[word]
            if word in ("true", "false"):
                reader.at += 1
                return Actions(str(word), (str(word),))
        if word.startswith('"'):
            return self.label(unquoted(reader.take()))
        if word == "val" and reader.is_applied:
            begin = reader.at
            term = self.condition()
            return Actions(reader.written(begin), ("val", term))
        if word == "{":
            found, captured = self.offers()
            self.refuse_captured(captured)
            return found
        return self.at_once()

    def refuse_captured(self, captured: Sequence[int]) -> None:
        """Raise an error if a pattern that stands alone captures values."""
        if captured:
            message = "a pattern that stands alone cannot capture a value: write `?any`"
            self.of.wrong(self.of.slots[captured[0]].at, message)

    def offers(self) -> tuple[Actions, list[int]]:
        """Read `{G !term ?x:D ?any where b}`, as in MCL.

        Return the labels of the gate, and the variables that capture values from them.
        """
        from lts.mcrl2.text.data import data, unit

        reader, of, begin = self.reader, self.of, self.reader.at
        reader.need("{")
        if not reader.is_word or reader.is_applied:
            reader.expected("the name of an action")
        gate = reader.take()
        of.uses.use(gate, ("action", str(gate)))
        parts: list[Data | int | None] = []
        captured: list[int] = []
        condition = None
        while not reader.has("}"):
            if reader.has("!"):
                if reader.text in ("}", "!", ""):
                    reader.expected("a term (one with operators needs brackets)")
                parts.append(unit(reader))
            elif reader.has("?"):
                name = reader.word("a variable")
                if name == "any" and reader.text != ":":
                    parts.append(None)
                    continue
                reader.need(":")
                captured.append(of.slot(name, self.sort("a sort"), None))
                parts.append(captured[-1])
            elif reader.has("where"):
                condition = of.terms.term(data(reader), "Bool", of)
            else:
                reader.expected("`!` and a term, `?` and a variable, `where` or `}`")
        fitting = of.terms.offers(gate, parts, of)
        text = reader.written(begin)
        found = Actions(text, _pattern(gate, fitting))
        of.named[found] = None
        if condition is not None:
            found = Actions(text, ("and", found.tree, ("val", condition)))
        return found, captured

    def at_once(self) -> Actions:
        """Read an action, or several joined by `|`, which happen in one step: a `tau` among them is
        dropped. Outside of .mcf files actions are only joined by `|` in the scope of a quantifier,
        where it cannot be a choice of paths."""
        known = len(self.of.named)
        parts = [self.action_or_tau()]
        if not (self._bar_joins_actions and self.reader.text == "|"):
            return parts[0]
        while self.reader.has("|"):
            parts.append(self.action_or_tau())
        while len(self.of.named) > known:
            self.of.named.popitem()
        text = "|".join(part.plain for part in parts)
        visible = [part for part in parts if part.tree != ("tau",)]
        if not visible:
            return parts[0]
        found = visible[0]
        if len(visible) > 1:
            found = Actions(text, ("multi", *(_alone(part.tree) for part in visible)))
        self.of.named[found] = None
        return found

    def action_or_tau(self) -> Actions:
        """Read the labels of one action, or `tau`."""
        if self.reader.text == "tau" and not self.reader.is_applied:
            self.reader.at += 1
            return Actions("tau", ("tau",))
        return self.action()

    def action(self) -> Actions:
        """Read the labels of one action."""
        reader, of, begin = self.reader, self.of, self.reader.at
        is_applied = reader.is_applied
        if not reader.is_word or (not is_applied and reader.text in ("mu", "nu", "val")):
            reader.expected("an action")
        name = reader.take()
        of.uses.use(name, ("action", str(name)))
        if not is_applied:
            return self.label(str(name))
        nodes, more = self.arguments()
        if more and not nodes:
            found = Actions(f"{name}(...)", ("name", str(name)))
        else:
            text = reader.written(begin)
            if more:
                text = f"{text[: text.rindex(',')]}, ...)"
            fitting = of.terms.arguments(name, nodes, of, more=more)
            found = Actions(text, _pattern(name, fitting))
            if not (of.terms.is_typed or more or slots_of(found)):
                # A label matches if it is this text, or if its arguments equal the terms.
                found = Actions(quoted(text), ("or", ("label", text), found.tree))
        of.named[found] = None
        return found

    def arguments(self) -> tuple[list[Data], bool]:
        """Read `(term, ..)` after the name of an action; return the terms, and whether any further
        arguments may follow."""
        from lts.mcrl2.text.data import data

        reader = self.reader
        found: list[Data] = []
        last = reader.closing[reader.at] - 1
        reader.take()
        try:
            while True:
                if reader.at == last and reader.kind in ("...", "*"):
                    reader.at += 2
                    return found, True
                found.append(data(reader))
                if not reader.skip(","):
                    reader.expect(")")
                    return found, False
        except Failed as error:
            hint = "" if self.of.terms.is_typed else "; write other labels in quotation marks"
            raise Failed(error.message + hint, error.place, error.kind) from None

    def label(self, text: str) -> Actions:
        """Return the set with this label only."""
        found = Actions(quoted(text), ("label", text))
        self.of.named[found] = None
        return found

    def condition(self) -> Expression:
        """Read `val(b)` and return `b`."""
        from lts.mcrl2.text.data import in_brackets

        word = self.reader.take()
        terms = in_brackets(self.reader)
        if len(terms) != 1:
            self.of.wrong(word.place, "`val` takes one term")
        return self.of.terms.term(terms[0], "Bool", self.of)

    def sort(self, what: str) -> str:
        """Read a sort; errors call it `what`."""
        from lts.mcrl2.text.sorts import sort

        if not self.reader.is_word and self.reader.text != "(":
            self.reader.expected(what)
        begin = self.reader.at
        found = sort(self.reader)
        return self.of.terms.sort(found, self.reader.written(begin), self.of)

    # Quantifiers, which are common to formulas and sets of labels.

    def quantified(self, level: int) -> Actions:
        """Read a quantifier over a set of labels."""
        of, begin = self.of, self.reader.at
        outer, self._bar_joins_actions = self._bar_joins_actions, True
        kind, slots, inner = self.quantifier(level, self.formula)
        self._bar_joins_actions = outer
        tree = inner.tree
        for slot in reversed(slots):
            # A sort has values, a range or the values in labels may be none.
            bound = of.slots[slot]
            if bound.sort is None or bound.bounds is not None or slot in slots_of(tree, of.slots):
                tree = (kind, Quantifier(slot), tree)
        return Actions(f"({self.reader.written(begin)})", tree)

    def quantifier(self, level: int, read: Callable[[int], T]) -> tuple[str, list[int], T]:
        """Read `forall x,y:D. body`, after an operator of a priority; return the quantifier, the
        slots of its variables and the body."""
        floor, begin = self.scopes.floor(level), self.reader.at
        kind = str(self.reader.take())
        slots: list[int] = []
        while True:
            names = [self.reader.word("a variable")]
            while self.reader.has(","):
                names.append(self.reader.word("a variable"))
            sort, bounds = self.domain() if self.reader.has(":") else (None, None)
            slots += [self.of.slot(name, sort, bounds) for name in names]
            if not self.reader.has(","):
                break
        self.reader.need(".")
        found = self.scopes.body(read, begin, floor, [self.of.slots[slot].name for slot in slots])
        self.of.release(slots)
        return kind, slots, found

    def domain(self) -> tuple[str | None, tuple[Expression, Expression] | None]:
        """Read a sort, or a range of numbers such as `0..4`."""
        if self.reader.after != "..":
            return self.sort("a sort, or numbers such as `0..4`"), None
        first = self.bound()
        self.reader.at += 1
        return None, (first, self.bound())

    def bound(self) -> Expression:
        """Read a number or a name."""
        from lts.mcrl2.text.data_tree import Identifier, Number

        reader = self.reader
        if not (reader.is_word or reader.text.isdigit()):
            reader.wrong(reader.place, "expected a number")
        made = Number if reader.kind == "number" else Identifier
        return self.of.terms.term(made(reader.take()), "Nat", self.of)


def _joined(operators: list[str], sets: list[Actions]) -> Actions:
    """Combine sets of labels by operators of one priority."""
    sign = operators[0]
    if sign == "=>":
        found = sets.pop()
        for one in reversed(sets):
            implied: Tree = ("or", ("not", one.tree), found.tree)
            found = Actions(f"({one.text} => {found.text})", implied)
        return found
    found = sets[0]
    for other in sets[1:]:
        both: Tree = ("and" if sign == "&&" else "or", found.tree, other.tree)
        found = Actions(f"({found.text} {sign} {other.text})", both)
    return found


def _pattern(name: Name, fitting: Sequence[Arguments]) -> Tree:
    """Return the actions of a name with these arguments, of every declaration that they fit."""
    each: list[Tree] = [("pattern", str(name), terms, sorts) for terms, sorts in fitting]
    return each[0] if len(each) == 1 else ("or", *each)


def _alone(tree: Tree) -> Tree:
    """Return the pattern of an action that is one of several in a step.

    A single label becomes a pattern, since no label of the step equals it.
    """
    match tree:
        case ("label", str() as name):
            return "pattern", name, (), None
        case ("or", ("label", _), tuple() as pattern):
            return pattern
    return tree
