"""Parses formulas: the modal mu-calculus with regular formulas over actions.

    formula:  true  false  X  !f  f && g  f || g  f => g  <r>f  [r]f  mu X. f  nu X. f  <r>@  (f)
              A p  E p, where p is about paths, see `lts.logic.text.path_formulas`
              let X = f in g  forall x:D. f  exists x:D. f  val(b)  nu X(n:Nat = 0). f  X(n + 1)
    regular:  actions  r . s  r | s  r + s  r*  r+  f?  (r)
    actions:  true  false  tau  label  "label"  name(...)  name(term, ..)  name(term, .., ...)  (a)
              !a  a && b  a || b  a => b  forall x:D. a  exists x:D. a  val(b)

Terms are those of `lts.logic.terms`; x ranges over a sort, or over numbers, as in `x:0..4`. The
syntax is close to that of mCRL2 (.mcf, with or without `form .. ;`) and of CADP (MCL). `not`,
`and`, `or` and `implies` are synonyms of the operators. A test is written in brackets, `(f)?`; so
are actions combined by operators inside a path. `r + s` is the choice `r | s`. `<r>@` repeats r
forever. A comment begins with `%`.

lark is not used, because the grammar is not LALR(1): a bracket may begin an action or a regular
formula, and no bounded lookahead decides which. Operators are parsed by precedence
(`lts.text.climbing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from lts.errors import LtsError
from lts.logic.nodes import Actions, Call, Expression, Formula, Quantifier
from lts.logic.terms.text import TextTerms, Unread
from lts.logic.text.action_formulas import ActionFormulas
from lts.logic.text.context import Context
from lts.logic.text.path_formulas import PathFormulas, is_about_paths
from lts.logic.text.regular_formulas import Path, RegularFormulas
from lts.logic.text.tokens import LEVELS, NAMES, Cursor, declared, deeply
from lts.text.climbing import climb
from lts.text.names import Name
from lts.text.report import Failed
from lts.text.source import Place, Source
from lts.text.tokens import END
from lts.text.uses import Uses

__all__ = ["operator_ending_scope", "parse", "parse_actions", "parse_property", "tokens_of"]


def parse(
    text: str,
    *,
    fair: str | None = None,
    file: str = "formula",
    terms: TextTerms | None = None,
    uses: Uses | None = None,
) -> Formula:
    """Parse a formula; `file` is its name in errors, and `uses` is given the places of variables.

    In a file whose name ends in `.mcf`, `a|b` is a multi-action, as in mCRL2; elsewhere it is a
    choice, but for actions in the scope of a quantifier; and quantifiers and fixed points extend as
    far as there (`lts.logic.text.binder_scope`). `terms` types the data terms; by default they are
    texts as in labels.

    `fair` is a path formula: `A` and `E` then range over the paths that satisfy it. Errors count
    its lines after those of the text.

    Raises `ParseError` for a syntax error, with what was expected where; for an unbound variable;
    for a fixed point whose variable is under an odd number of negations; and for `fair` if the
    formula has no path quantifier.

    >>> len(parse("[true*]<true>true").nodes)
    6
    """
    whole = text if fair is None else f"{text}\n{fair}"
    with _parsing(whole, file, terms, uses) as of:
        begin = declared(text)
        if begin:
            of.terms.declare(begin, of)
        reader = _Formulas(of.cursor(begin, len(text)), of)
        if fair is not None:
            assumed = _Formulas(of.cursor(len(text) + 1, len(whole)), of).paths
            reader.paths.fair = assumed.formula()
            reader.definitions.append(reader.paths.fair)
            assumed.reader.end()
        return reader.whole()


def parse_property(
    text: str,
    formula: str,
    actions: Mapping[str, tuple[int, int]],
    *,
    file: str = "formula",
    terms: TextTerms | None = None,
) -> Formula:
    """Parse a property's formula, in which `actions` are named parts of `text`: sets of labels.

    Raises `ParseError`, with the place in `text`, for a malformed set of labels.
    """
    with _parsing(text, file, terms) as of:
        of.given = {word: _only_actions(of, extent) for word, extent in actions.items()}
        return _Formulas(of.cursor(0, len(formula), formula), of).whole()


def parse_actions(text: str, *, file: str = "formula") -> Actions:
    """Parse a set of labels, as in `<...>` but without regular operators.

    Raises `ParseError` for a malformed set.

    >>> parse_actions("send(...) || !tau").text
    '(send(...) || !tau)'
    """
    with _parsing(text, file) as of:
        return _only_actions(of, (0, len(text)))


def operator_ending_scope(text: str) -> str | None:
    """Return the first operator at which the scope of a binder ends in mCRL2 but not here.

    None if both parse the formula in the same way, or if it is malformed.
    """
    try:
        with _parsing(text, "formula", Unread()) as of:
            reader = _Formulas(of.cursor(declared(text), len(text)), of)
            reader.whole()
            return reader.scopes.wider
    except LtsError:
        return None


class Token(NamedTuple):
    """A token, and where it begins and ends in the text; a word directly followed by its arguments
    is one."""

    text: str
    begin: int
    end: int


def tokens_of(text: str, file: str) -> list[Token]:
    """Return the tokens of a formula, after its declarations."""
    with _parsing(text, file) as of:
        reader, found = of.cursor(declared(text), len(text)), []
        while reader.kind != END:
            begin = reader.at
            reader.at += 1
            if reader.has_arguments:
                reader.at = reader.closing[reader.at] + 1
            found.append(Token(*reader.written_at(begin)))
        return found


@contextmanager
def _parsing(
    text: str, file: str, terms: TextTerms | None = None, uses: Uses | None = None
) -> Iterator[Context]:
    """Return a context inside of which a text is parsed; it raises the syntax errors there."""
    source = Source(text, file, language="formula")
    with deeply(text, file):
        try:
            yield Context(source, terms or TextTerms(), uses)
        except Failed as error:
            raise source.error(error.kind, error.message, error.place) from None


def _only_actions(of: Context, extent: tuple[int, int]) -> Actions:
    """Parse part of the text as a set of labels."""
    reader = of.cursor(*extent)
    found = ActionFormulas(reader, of).formula()
    reader.end("`&&`, `||` or the end")
    return found


class _Formulas:
    """Parses state formulas."""

    def __init__(self, reader: Cursor, context: Context) -> None:
        self.reader = reader
        self.of = context
        self.actions = ActionFormulas(reader, context)
        self.regular = RegularFormulas(self.actions, self.formula)
        self.paths = PathFormulas(self.actions, self.prefixed, self.atom)
        self.scopes = self.actions.scopes
        # The slots of the parameters of each fixed point.
        self.parameters: dict[int, tuple[int, ...]] = {}
        self.definitions: list[int] = []
        self.uses: dict[int, tuple[str, Place]] = {}
        """Of each node that uses a fixed point, its name and place."""

    def whole(self) -> Formula:
        """Read a whole formula."""
        is_form = self.reader.has("form")
        root = self.formula()
        if is_form:
            self.reader.has(";")
        self.reader.end()
        if self.paths.fair is not None and not self.paths.uses_fairness:
            message = "fairness is about paths: write `A ..` for all paths, or `E ..` for some path"
            self.of.wrong((1, 1), message)
        self.check_negations(root)
        of = self.of
        text, file = of.source.text, of.source.file or ""
        return Formula(tuple(of.nodes), root, tuple(of.named), tuple(of.slots), text, file)

    def check_negations(self, root: int) -> None:
        """Raise an error for the use of a fixed point under an odd number of negations."""
        odd: dict[int, bool] = {}
        waiting = [(node, False) for node in (*self.definitions, root)]
        while waiting:
            node, is_odd = waiting.pop()
            if node in odd:
                continue  # part of a definition, which uses no fixed points outside of it
            odd[node] = is_odd
            operator, what, parts = self.of.nodes[node]
            if node in self.uses:
                assert isinstance(what, Call)
                name, place = self.uses[node]
                if odd[what.binder] != is_odd:
                    self.of.wrong(place, f"`{name}` occurs under an odd number of negations")
            waiting += [(part, is_odd ^ (operator == "not")) for part in reversed(parts)]

    # Formulas, from the weakest operator.

    def formula(self, floor: int = 0) -> int:
        """Read a formula with operators of at least priority `floor`."""
        # A loop instead of recursion, since there may be many definitions.
        names = []
        while self.reader.has("let"):
            names.append(self.definition())
        found = climb(LEVELS, self.operand, self.scopes.operator, self.paths.connected, floor)
        for name in names:
            self.of.formulas[name].pop()
        return found

    def definition(self) -> str:
        """Read `X = f in` and bind X; return the name."""
        name = self.name("a name")
        self.reader.need("=")
        # The fixed points around it are hidden: X may be used under any number of negations.
        outer, self.of.outside = self.of.outside, len(self.of.nodes)
        found = self.formula()
        self.of.outside = outer
        self.reader.need("in")
        self.definitions.append(found)
        self.of.formulas.setdefault(name, []).append((found, False))
        self.of.uses.declare(("formula", str(name), found), "definition", name, f"let {name}")
        return name

    def name(self, what: str) -> Name:
        """Read the name of a variable or definition."""
        if self.reader.text in NAMES and not self.reader.is_applied:
            self.reader.expected(what)
        return self.reader.word(what)

    def operand(self, level: int) -> int:
        """Read an operand, after an operator of a priority."""
        is_defined = self.reader.text == "let" and self.reader.before == "=>"
        return self.formula() if is_defined else self.prefixed(level)

    def prefixed(self, level: int = 0) -> int:
        """Read modalities and negations before an atom, in a loop since there may be many."""
        reader, of = self.reader, self.of
        wrap: list[Callable[[int], int]] = []
        captured = len(self.regular.captured)
        while True:
            if reader.has("!"):
                wrap.append(lambda part: of.node("not", None, part))
            elif reader.text in ("<", "["):
                box = reader.take() == "["
                path = self.scopes.bracketed(self.regular.path, "]" if box else ">")
                if not box and reader.has("@"):
                    # The path is repeated forever.
                    binder = of.open_binder("nu")
                    again = of.node("var", Call(binder))
                    found = of.close_binder(binder, self.regular.follow(path, again, False))
                    break
                wrap.append(self.modality(path, box))
            else:
                found = self.atom(level)
                break
        self.regular.release(captured)
        for outer in reversed(wrap):
            found = outer(found)
        return found

    def modality(self, path: Path, box: bool) -> Callable[[int], int]:
        """Return what makes the formula that a path leads to a goal."""
        return lambda goal: self.regular.follow(path, goal, box)

    def atom(self, level: int = 0) -> int:
        """Read a formula that does not begin with a modality, after an operator of a priority."""
        reader, of = self.reader, self.of
        if reader.has("("):
            return self.scopes.bracketed(self.formula, ")")
        if reader.text in ("mu", "nu"):
            return self.fixed_point(level)
        if reader.is_quantifier:
            return self.quantified(level)
        word, is_applied = reader.text, reader.is_applied
        if word == "val" and is_applied:
            return of.node("val", self.actions.condition())
        known = of.formula(word)
        if not is_applied:
            if reader.has("true"):
                return of.node("and", None)
            if reader.has("false"):
                return of.node("or", None)
            if word == "deadlock" and known is None:
                reader.at += 1
                return of.node("must", Actions("true", ("true",)), of.node("or", None))
        if self.paths.is_quantifier():
            return self.paths.quantified(is_inside=False)
        if reader.is_word and word not in NAMES and (known is not None or not is_applied):
            return self.used(known)
        if is_applied:
            if is_about_paths(word):
                self.paths.about_paths(reader.place, word)
            begin, place = reader.at, reader.place
            reader.at = reader.closing[begin + 1] + 1
            label = reader.written(begin)
            of.wrong(place, f"expected a formula; write a label in brackets, `<{label}>`")
        reader.expected("a formula")

    def used(self, known: tuple[int, bool] | None) -> int:
        """Read the use of a variable or definition; return its node."""
        from lts.mcrl2.text.data import in_brackets

        of, name = self.of, self.reader.take()
        if known is None:
            if of.data.get(name):
                of.wrong(name.place, f"`{name}` is data; write `val({name})` for its truth value")
            if is_about_paths(name) and self.begins_formula():
                self.paths.about_paths(name.place, name)
            message = f"`{name}` is not a variable here; write a label in brackets, `<{name}>`"
            of.wrong(name.place, message)
        node, is_fixed_point = known
        of.uses.use(name, ("formula", str(name), node))
        values: tuple[Expression, ...] = ()
        slots = self.parameters.get(node, ()) if is_fixed_point else ()
        if self.reader.text == "(":
            values = of.terms.values(in_brackets(self.reader), slots, of)
        if len(values) != len(slots):
            message = f"`{name}` takes {len(slots) or 'no'} value{'' if len(slots) == 1 else 's'}"
            of.wrong(name.place, f"{message}, not {len(values)}")
        if not is_fixed_point:
            return node
        found = of.node("var", Call(node, slots, values))
        self.uses[found] = str(name), name.place
        return found

    def begins_formula(self) -> bool:
        """Whether a formula may begin here."""
        text = self.reader.text
        return text[:1] in tuple('(<[!"') if not self.reader.is_word else text != "in"

    def quantified(self, level: int) -> int:
        """Read a quantifier, after an operator of a priority."""
        of = self.of
        kind, slots, found = self.actions.quantifier(level, self.formula)
        # Quantifiers distribute over their own connective; labels can then bind the variable in
        # each part.
        join = "and" if kind == "forall" else "or"
        operator, _, parts = of.nodes[found]
        if operator == join and parts:
            return of.node(join, None, *(self.bound_over(kind, slots, part) for part in parts))
        return self.bound_over(kind, slots, found)

    def bound_over(self, kind: str, slots: list[int], found: int) -> int:
        for slot in reversed(slots):
            term = self.of.terms.quantified(kind, slot, found, self.of)
            found = self.of.node(kind, Quantifier(slot, term), found)
        return found

    def fixed_point(self, level: int) -> int:
        """Read a fixed point, after an operator of a priority."""
        from lts.mcrl2.text.data import first_values

        reader, of = self.reader, self.of
        floor, begin = self.scopes.floor(level), reader.at
        operator = str(reader.take())
        given = []
        if reader.is_applied and reader.text not in NAMES:
            name = reader.take()
            given = of.terms.parameters(first_values(reader), of)
        else:
            name = self.name("a variable")
        shown = reader.written(begin)
        reader.need(".")
        binder = of.open_binder(operator)
        slots = [of.slot(parameter, sort, None) for parameter, sort, _ in given]
        self.parameters[binder] = tuple(slots)
        of.formulas.setdefault(name, []).append((binder, True))
        of.uses.declare(("formula", str(name), binder), "fixed point", name, shown)
        names = {name, *(parameter for parameter, *_ in given)}
        inner = self.scopes.body(self.formula, begin, floor, names)
        of.formulas[name].pop()
        of.release(slots)
        of.close_binder(binder, inner)
        if not slots:
            return binder
        first = tuple(value for *_, value in given)
        return of.node("enter", Call(binder, tuple(slots), first), binder)
