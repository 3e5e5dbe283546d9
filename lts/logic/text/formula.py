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

from collections.abc import Callable, Mapping

from lts.logic.nodes import Actions, Call, DataTerm, Formula, Quantifier
from lts.logic.terms.text import TextTerms
from lts.logic.text.binder_scope import bracketed
from lts.logic.text.path_formulas import is_about_paths
from lts.logic.text.regular_formulas import RegularReader
from lts.logic.text.tokens import LEVELS, NAMES, Tokens, deeply
from lts.text.climbing import climb
from lts.text.source import Source
from lts.text.uses import Uses

__all__ = ["parse", "parse_actions", "parse_property"]


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
    choice; and quantifiers and fixed points extend as far as there
    (`lts.logic.text.binder_scope`). `terms` parses the data terms; by default they are texts as in
    labels.

    `fair` is a path formula: `A` and `E` then range over the paths that satisfy it. Errors count
    its lines after those of the text.

    Raises `ParseError` for a syntax error, with what was expected where; for an unbound variable;
    for a fixed point whose variable is under an odd number of negations; and for `fair` if the
    formula has no path quantifier.

    >>> len(parse("[true*]<true>true").nodes)
    6
    """
    whole = text if fair is None else f"{text}\n{fair}"
    with deeply(whole, file):
        end = None if fair is None else len(text)
        parser = _Parser(whole, file, terms or TextTerms(), end)
        if uses is not None:
            parser.uses = uses
            uses.begin(Source(whole, file))
        return parser.whole()


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
    with deeply(text, file):
        parser = _Parser(text, file, terms or TextTerms())
        given = {}
        for word, (begin, end) in actions.items():
            parser.tokens, parser.at = parser.split(begin, end), 0
            parser.new_tokens()
            given[word] = parser.only_actions()
        parser.given = given
        parser.tokens, parser.at = Tokens(formula, file).tokens, 0
        parser.new_tokens()
        return parser.whole()


def parse_actions(text: str, *, file: str = "formula") -> Actions:
    """Parse a set of labels, as in `<...>` but without regular operators.

    Raises `ParseError` for a malformed set.

    >>> parse_actions("send(...) || !tau").text
    '(send(...) || !tau)'
    """
    with deeply(text, file):
        return _Parser(text, file, TextTerms()).only_actions()


class _Parser(RegularReader):
    def __init__(self, text: str, file: str, terms: TextTerms, end: int | None = None) -> None:
        super().__init__(text, file, terms)
        self.end = end
        if self.declared:
            terms.declare(self.declared, self)
        if end is not None:
            self.tokens = [*self.split(self.declared, end), *self.split(end, len(text))]
        self.new_tokens()
        # The slots of the parameters of each fixed point.
        self.parameters: dict[int, tuple[int, ...]] = {}

    def new_tokens(self) -> None:
        if self.is_mcf:
            self.tokens = bracketed(self.tokens)
        self.implied = self.implications()
        for name in ("closed", "joints", "binding_points"):
            self.__dict__.pop(name, None)

    def whole(self) -> Formula:
        if self.end is not None:
            self.at = next(n for n, token in enumerate(self.tokens) if not token.text) + 1
            self.fair = self.path_formula()
            if self.token.text:
                self.expected("an operator or the end")
            self.at = 0
        is_form = self.has("form")
        root = self.formula()
        if is_form:
            self.has(";")
        if self.token.text:
            self.expected("an operator or the end")
        if self.fair is not None and not self.uses_fairness:
            self.wrong(
                0, "fairness is about paths: write `A ..` for all paths, or `E ..` for some path"
            )
        nodes, named = tuple(self.nodes), tuple(self.named)
        return Formula(nodes, root, named, tuple(self.slots), self.text, self.file)

    def only_actions(self) -> Actions:
        found = self.actions()
        if self.token.text:
            self.expected("`&&`, `||` or the end")
        return found

    # Formulas, from the weakest operator.

    def formula(self) -> int:
        # A loop instead of recursion, since there may be many definitions.
        names = []
        while self.has("let"):
            names.append(self.definition())
        found = self.implication()
        for name in names:
            self.scope[name].pop()
        return found

    def definition(self) -> str:
        """Read `X = f in` and bind X; return the name."""
        at = self.token.at
        name = self.name("a name")
        self.take("=")
        # The outer fixed-point variables are hidden: X may be used under any number of negations.
        outer = self.scope
        self.scope = {
            known: [entry for entry in entries if entry[1] is None]
            for known, entries in outer.items()
        }
        found = self.formula()
        self.scope = outer
        self.take("in")
        self.scope.setdefault(name, []).append((found, None))
        if self.uses is not None:
            key = ("formula", name, found)
            self.uses.declare(key, "definition", self.name_at(name, at), f"let {name}")
        return name

    def name(self, what: str) -> str:
        token = self.token
        if token.is_name and "(" in token.text:
            self.wrong(token.at, f"expected {what}, without arguments")
        if not token.is_name or token.text in NAMES:
            self.expected(what)
        self.at += 1
        return token.text

    def implication(self) -> int:
        # The left side of `=>` is negated, so look ahead for that operator.
        self.negations += self.implied[self.at]
        return climb(LEVELS, self.operand, self.connective, self.connected)

    def operand(self) -> int:
        is_defined = self.token.text == "let" and self.at and self.tokens[self.at - 1].text == "=>"
        return self.formula() if is_defined else self.prefixed()

    def connective(self, levels: Mapping[str, int]) -> str | None:
        word = self.operator(levels)
        if word == "=>":
            self.negations += self.implied[self.at] - 1
        return word

    def implications(self) -> list[bool]:
        """Return for each token whether `=>` follows at its bracket level, in the same context."""
        found = [False] * (len(self.tokens) + 1)
        outside: list[bool] = []  # for each closing bracket to the right: whether `=>` follows it
        for place in reversed(range(len(self.tokens))):
            text = self.tokens[place].text
            if text in (")", "]", ">"):
                outside.append(found[place + 1])
            elif text in ("(", "[", "<"):
                found[place] = outside.pop() if outside else False
            elif text not in ("", "mu", "nu", "let", "in", "forall", "exists"):
                found[place] = text == "=>" or found[place + 1]
        return found

    def prefixed(self) -> int:
        """Read modalities and negations before an atom, in a loop since there may be many."""
        wrap: list[Callable[[int], int]] = []
        negated, captured = 0, len(self.captured)
        while True:
            if self.has("!"):
                negated += 1
                self.negations += 1
                wrap.append(lambda part: self.node("not", None, part))
            elif self.token.text in ("<", "["):
                box = self.token.text == "["
                self.at += 1
                path = self.path()
                self.take("]" if box else ">")
                if not box and self.has("@"):
                    # The path is repeated forever.
                    binder = self.open_binder("nu")
                    again = self.node("var", Call(binder))
                    found = self.close_binder(binder, self.follow(path, again, False))
                    break
                wrap.append(lambda part, path=path, box=box: self.follow(path, part, box))  # type: ignore[misc]
            else:
                found = self.atom()
                break
        self.negations -= negated
        self.release(captured)
        for outer in reversed(wrap):
            found = outer(found)
        return found

    def atom(self) -> int:
        token = self.token
        if self.has("("):
            found = self.formula()
            self.take(")")
            return found
        if self.has("true"):
            return self.node("and", None)
        if self.has("false"):
            return self.node("or", None)
        if token.text in ("mu", "nu"):
            return self.fixed_point()
        if self.is_quantifier():
            return self.quantified()
        if token.is_condition:
            return self.node("val", self.condition())
        if token.text == "deadlock" and not self.scope.get("deadlock"):
            self.at += 1
            return self.node("must", Actions("true", ("true",)), self.node("or", None))
        name, bracket, _ = token.text.partition("(")
        if self.is_path_quantifier():
            return self.quantified_paths(is_inside=False)
        if token.is_name and name not in NAMES and (not bracket or self.scope.get(name)):
            self.at += 1
            return self.used(name, token.text, token.at)
        if token.is_name and bracket:
            if is_about_paths(name):
                self.about_paths(token.at, name)
            self.wrong(token.at, f"expected a formula; write a label in brackets, `<{token.text}>`")
        self.expected("a formula")

    def used(self, name: str, text: str, at: int) -> int:
        """Return the node for the use of a variable or definition."""
        binders = self.scope.get(name)
        if not binders and self.data.get(name):
            self.wrong(at, f"`{name}` is data; write `val({name})` for its truth value")
        if not binders and is_about_paths(text) and self.begins_formula():
            self.about_paths(at, name)
        if not binders:
            self.wrong(
                at, f"`{name}` is not a variable here; write a label in brackets, `<{name}>`"
            )
        binder, negations = binders[-1]
        if self.uses is not None:
            self.uses.use(self.name_at(name, at), ("formula", name, binder))
        values: tuple[DataTerm, ...] = ()
        slots = self.parameters.get(binder, ()) if negations is not None else ()
        if text != name:
            values = self.terms.values(at + len(name), at + len(text), slots, self)
        if len(values) != len(slots):
            message = f"`{name}` takes {len(slots) or 'no'} value{'' if len(slots) == 1 else 's'}"
            self.wrong(at, f"{message}, not {len(values)}")
        if negations is None:
            return binder
        if (self.negations - negations) % 2:
            self.wrong(at, f"`{name}` occurs under an odd number of negations")
        return self.node("var", Call(binder, slots, values))

    def begins_formula(self) -> bool:
        text = self.token.text
        return text[:1] in tuple('(<[!"') if not self.token.is_name else text != "in"

    def quantified(self) -> int:
        kind, slots = self.binders()
        found = self.formula()
        self.close_binders(slots)
        # Quantifiers distribute over their own connective; labels can then bind the variable in
        # each part.
        join = "and" if kind == "forall" else "or"
        operator, _, parts = self.nodes[found]
        if operator == join and parts:
            return self.node(join, None, *(self.bound_over(kind, slots, part) for part in parts))
        return self.bound_over(kind, slots, found)

    def bound_over(self, kind: str, slots: list[int], found: int) -> int:
        for slot in reversed(slots):
            said = self.as_data(found)
            term = None if said is None else self.terms.quantified(kind, slot, said, self)
            found = self.node(kind, Quantifier(slot, term), found)
        return found

    def as_data(self, node: int) -> DataTerm | None:
        """Return a formula about data as one term; None if it is not only about data."""
        operator, what, parts = self.nodes[node]
        if operator == "val":
            assert isinstance(what, DataTerm)
            return what
        if isinstance(what, Quantifier):
            return what.term
        if operator == "not":
            inner = self.as_data(parts[0])
            return None if inner is None else DataTerm("!", (inner,))
        if operator not in ("and", "or") or not parts:
            return None
        found = self.as_data(parts[0])
        for part in parts[1:]:
            other = self.as_data(part)
            if found is None or other is None:
                return None
            found = DataTerm("&&" if operator == "and" else "||", (found, other))
        return found

    def fixed_point(self) -> int:
        operator = self.token.text
        self.at += 1
        token = self.token
        name, bracket, _ = token.text.partition("(")
        given = []
        if bracket and name not in NAMES:
            at, end = token.at + len(name), token.at + len(token.text)
            given = self.terms.parameters(at, end, self)
            self.at += 1
        else:
            name = self.name("a variable")
        self.take(".")
        binder = self.open_binder(operator)
        slots = [self.slot(parameter, sort, None, at) for parameter, at, sort, _ in given]
        self.parameters[binder] = tuple(slots)
        self.scope.setdefault(name, []).append((binder, self.negations))
        if self.uses is not None:
            shown = f"{operator} {token.text}"
            key = ("formula", name, binder)
            self.uses.declare(key, "fixed point", self.name_at(name, token.at), shown)
        inner = self.formula()
        self.scope[name].pop()
        self.close_binders(slots)
        self.close_binder(binder, inner)
        if not slots:
            return binder
        first = tuple(value for *_, value in given)
        return self.node("enter", Call(binder, tuple(slots), first), binder)
