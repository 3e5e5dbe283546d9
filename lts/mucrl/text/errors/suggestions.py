"""Common mistakes: what a text with a syntax error was probably meant to be."""

from __future__ import annotations

from dataclasses import dataclass

from lts.base.spelling import nearest
from lts.mucrl.text.tokens import ILLEGAL, SECTIONS, Tokens
from lts.text.grammar import END

__all__ = ["PROCESS", "Wrong", "illegal", "near_section", "open_bracket", "probable"]

PROCESS = frozenset(("NAME", "(", "delta", "tau", "sum", "encap", "hide", "rename"))
"""Tokens that a process may begin with."""

_BRACKETS = {")": "(", "}": "{"}

# Keywords of related languages and synonyms, with the section that they correspond to.
_OTHER_WORDS = {
    "cons": "func",
    "constructor": "func",
    "eqn": "rew",
    "eqs": "rew",
    "fun": "func",
    "function": "func",
    "action": "act",
    "process": "proc",
    "initial": "init",
    "rewrite": "rew",
    "variable": "var",
}

_OF_CHARACTERS = {
    "/": "a comment begins with `%`",
    "*": "a term has no infix operators: apply a function, as in `times(x,y)`",
    "!": "negation is a function of the specification, as in `not(b)`",
    "~": "negation is a function of the specification, as in `not(b)`",
    "&": "a term has no infix operators: apply a function, as in `and(x,y)`",
    "-": "a term has no infix operators: apply a function, as in `minus(x,y)`",
    "<": "a term has no infix operators: apply a function, as in `lt(x,y)`",
    ">": "a term has no infix operators: apply a function, as in `lt(x,y)`",
    ";": "sequential composition is `.`, and nothing ends a declaration",
    "[": "a condition is written `p <| b |> q`",
    "]": "a condition is written `p <| b |> q`",
    '"': "names are written without quotes",
    "\ufeff": "a byte order mark (BOM) is allowed only at the beginning of a file",
}


@dataclass(slots=True, eq=False)
class Wrong:
    """An unexpected token, in the declaration that begins at `begin`.

    `expected` has the terminals that are allowed instead, each with the rules that it may begin.
    """

    tokens: Tokens
    keyword: str
    begin: int
    at: int
    expected: dict[str, frozenset[str]]

    @property
    def kind(self) -> str:
        """The kind of the token."""
        return self.tokens.kinds[self.at]

    @property
    def word(self) -> str:
        """The text of the token."""
        return self.tokens.values[self.at]

    def before(self, count: int = 1) -> str:
        """Return the kind of the token `count` places earlier in the section."""
        return self.tokens.kinds[max(0, self.at - count)]


def probable(wrong: Wrong) -> str | None:
    """Return a suggestion of what was meant, or None."""
    return next((hint for slip in _SLIPS if (hint := slip(wrong))), None)


def illegal(tokens: Tokens, at: int) -> str | None:
    """Return a suggestion for a character that is not part of the language."""
    if tokens.kinds[at] != ILLEGAL:
        return None
    text = tokens.values[at]
    if "\udc80" <= text <= "\udcff" or (not text.isascii() and text.isalpha()):
        return "names consist of ASCII letters, digits and `^ _ ' - \\`"
    return _OF_CHARACTERS.get(text)


def near_section(tokens: Tokens, at: int) -> str | None:
    """Return a suggestion of the section that a word may have been meant to begin."""
    if tokens.kinds[at] != "NAME":
        return None
    word = tokens.values[at].lower()
    near = _OTHER_WORDS.get(word)
    if near is None:
        near = nearest(word, SECTIONS)
    return f"did you mean `{near}`?" if near else None


def _open_brackets(tokens: Tokens, begin: int, end: int) -> list[int]:
    """Return the brackets between two tokens that are opened but not closed."""
    found: list[int] = []
    for at in range(begin, end):
        if tokens.kinds[at] in ("(", "{"):
            found.append(at)
        elif tokens.kinds[at] in _BRACKETS and found:
            found.pop()
    return found


def _character(wrong: Wrong) -> str | None:
    if wrong.word == "-" and wrong.keyword not in ("rew", "proc", "init"):
        return "a name must not end in `-`"
    if "." in wrong.expected and wrong.word in ("&", "*"):
        return "parallel composition is written `||`"
    if "|>" in wrong.expected and wrong.word in ("<", ">"):
        return "a condition is written `p <| b |> q`, and a term has no infix operators"
    return illegal(wrong.tokens, wrong.at)


def _misspelt_section(wrong: Wrong) -> str | None:
    """Recognise a misspelt section keyword: the first word of this line or of the one before."""
    tokens, lines = wrong.tokens, 0
    for at in range(wrong.at, max(-1, wrong.at - 50), -1):
        if tokens.kinds[at] == END:
            return None
        if tokens.is_first(at):
            hint = near_section(tokens, at)
            if hint and at < wrong.at:
                return f"{hint[:-1]} for `{tokens.values[at]}` in line {tokens.place(at)[0]}?"
            lines += 1
            if hint or lines == 2:
                return hint
    return None


def _reserved(wrong: Wrong) -> str | None:
    if not wrong.word.isalpha() or wrong.kind in ("NAME", ILLEGAL) or "NAME" not in wrong.expected:
        return None
    if wrong.kind == END and wrong.tokens.is_first(wrong.at):
        return None  # a section really begins here
    return f"`{wrong.word}` is a reserved word"


def _half_condition(wrong: Wrong) -> str | None:
    if "|>" in wrong.expected and wrong.kind in (END, "NAME", ")", "=", "<|", ILLEGAL, "+"):
        return None if _is_infix(wrong) else "a condition is written `p <| b |> q`"
    return "it has no matching `<|`" if wrong.kind == "|>" else None


def _is_infix(wrong: Wrong) -> bool:
    """Whether an infix operator follows a term, where the term may continue or end."""
    in_term = wrong.keyword == "rew" or (
        "." not in wrong.expected and bool({")", "|>"} & wrong.expected.keys())
    )
    return (
        in_term
        and wrong.before() in ("NAME", ")")
        and (wrong.kind in ("+", ".", "||", "|", "<<", "=") or _is_infix_character(wrong))
        and ":" not in wrong.expected
        and bool({",", "|>", END} & wrong.expected.keys())
    )


def _is_infix_character(wrong: Wrong) -> bool:
    return wrong.kind == ILLEGAL and wrong.word in "*/-&<>"


def _term_operator(wrong: Wrong) -> str | None:
    if not _is_infix(wrong):
        return None
    if wrong.kind != "=":
        return "a term has no infix operators: apply a function, as in `plus(x,y)`"
    if wrong.keyword == "rew" and _open_brackets(wrong.tokens, wrong.begin, wrong.at):
        return None
    return "equality is a function of the specification, as in `eq(x,y)`"


def _equation(wrong: Wrong) -> str | None:
    if wrong.keyword != "rew":
        return None
    if wrong.kind == "->" and "=" in wrong.expected:
        return "an equation is written `left = right`"
    return "an equation has one `=`" if wrong.kind == "=" == wrong.before() else None


def _arrow(wrong: Wrong) -> str | None:
    if wrong.keyword in ("func", "map") and "->" in wrong.expected:
        if wrong.kind == "=":
            return "a declaration is written `f:A#B->C`; equations belong under `rew`"
        if wrong.kind in ("NAME", END):
            return "a constant is written `c:->D`"
    if "->" in wrong.expected and wrong.keyword in ("proc", "init"):
        return "a renaming is written `a->b`"
    if wrong.kind == "->" and "=" in wrong.expected and wrong.keyword == "proc":
        return "a definition is written `X = p` or `X(d:D) = p`"
    if wrong.kind == "->":
        return {
            "func": "argument sorts are separated by `#`",
            "map": "argument sorts are separated by `#`",
            "proc": "a condition is written `p <| b |> q`",
            "init": "a condition is written `p <| b |> q`",
            "act": "an action has no result sort",
            "comm": "a communication is written `a|b = c`",
        }.get(wrong.keyword)
    return None


def _separator(wrong: Wrong) -> str | None:
    if wrong.kind == "," and "#" in wrong.expected:
        return "argument sorts are separated by `#`"
    if wrong.kind == "," and wrong.keyword == "sort":
        return "sorts are separated by spaces"
    if wrong.kind == "," and wrong.keyword == "var":
        return "variables of different sorts are separated by a space, as in `n:Nat b:Bool`"
    if wrong.kind == "#" and "," in wrong.expected:
        return "arguments are separated by `,`"
    if wrong.kind == "NAME" and {",", ")"} <= wrong.expected.keys():
        return "a `,` is missing before it"
    if wrong.keyword == "comm":
        return "a communication is written `a|b = c`"
    return None


def _operator(wrong: Wrong) -> str | None:
    """Explain the syntax of `sum`, `encap`, `hide` and `rename`, just after the keyword."""
    for count in (1, 2, 5):
        name = wrong.before(count)
        if name == "sum" and count != 2:
            return "a sum is written `sum(d:D,p)`"
        if name in ("encap", "hide") and count < 5 and not {"(", "{"}.isdisjoint(wrong.expected):
            return f"it is written `{name}({{a,b}},p)`"
        if name == "rename" and count < 5 and not {"(", "{"}.isdisjoint(wrong.expected):
            return "it is written `rename({a->b},p)`"
    return None


def _parameter(wrong: Wrong) -> str | None:
    if ":" in wrong.expected and wrong.keyword in ("proc", "init", "var"):
        return "a variable is written with its sort, as in `n:Nat`"
    return None


def _parentheses(wrong: Wrong) -> str | None:
    if wrong.kind == ")" and wrong.before() == "(":
        return "without arguments, leave out the parentheses"
    if wrong.kind in _BRACKETS and not _open_brackets(wrong.tokens, wrong.begin, wrong.at):
        return f"no `{_BRACKETS[wrong.kind]}` is open"
    return open_bracket(wrong)


def open_bracket(wrong: Wrong) -> str | None:
    """Name the innermost open bracket, if closing it is one of the expected continuations."""
    if wrong.kind not in (END, "NAME", "=") or _BRACKETS.keys().isdisjoint(wrong.expected):
        return None
    still_open = _open_brackets(wrong.tokens, wrong.begin, wrong.at)
    if not still_open:
        return None
    line, column = wrong.tokens.place(still_open[-1])
    line = wrong.tokens.source.line_number(line)
    return f"the `{wrong.tokens.kinds[still_open[-1]]}` of line {line}, column {column} is open"


def _mixed(wrong: Wrong) -> str | None:
    """Recognise operators that cannot be combined, or repeated, without parentheses."""
    if wrong.kind not in ("||", "|", "||_", "<|"):
        return None
    depth = 0
    for at in range(wrong.at - 1, wrong.begin, -1):
        kind = wrong.tokens.kinds[at]
        if kind in _BRACKETS:
            depth += 1
        elif kind in ("(", "{"):
            depth -= 1
        elif depth == 0 and kind in ("||", "|", "||_", "|>"):
            other = "<|" if kind == "|>" else kind
            if wrong.kind == other:
                return f"`{other}` does not associate: put one of the two in parentheses"
            return f"`{other}` and `{wrong.kind}` do not mix: put one of them in parentheses"
        if depth < 0 or (depth == 0 and kind == "+"):
            return None
    return None


def _sequel(wrong: Wrong) -> str | None:
    """Recognise a process that directly follows a complete one."""
    if wrong.kind == "(" and wrong.before() in ("delta", "tau"):
        return f"`{wrong.before()}` has no arguments"
    if wrong.kind in PROCESS and "." in wrong.expected:
        return "is a `.` missing before it?"
    return None


# Tried in order; the first answer is used.
_SLIPS = (
    _character,
    _misspelt_section,
    _reserved,
    _half_condition,
    _term_operator,
    _equation,
    _arrow,
    _separator,
    _operator,
    _parameter,
    _mixed,
    _parentheses,
    _sequel,
)
