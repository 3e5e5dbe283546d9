"""Texts of formulas are read as what was written: random ones of all levels of the grammar, with
data, brackets, quotation marks, comments, and the scopes of binders here and in mCRL2."""

import re
from collections import Counter
from random import Random

import pytest

from lts import LTS, LtsError, ParseError, mcrl2, mucrl
from lts.logic import check, check_process, parse
from lts.logic.nodes import Actions, Call, DataVariable, Expression, Quantifier
from lts.logic.text.formula import operator_ending_scope
from lts.specification.terms import COMPUTED, NUMERAL
from ltstool.main import main
from naive.formula_texts import Maker, Meaning, Writer


class Read:
    """A formula that was read, in the notation of `naive.formula_texts.Meaning`."""

    def __init__(self, formula):
        self.nodes = formula.nodes
        self.slots = formula.slots
        self.whole = self.node(formula.root, {}, 0)

    def term(self, term):
        if term is ...:
            return ("more",)
        if isinstance(term, Expression):
            return self.term(term.term)
        if isinstance(term, DataVariable):
            return ("variable", self.slots[term.slot].name)
        kind = {None: ("call",), NUMERAL: ("number",), COMPUTED: ()}[term.function.native]
        return (*kind, term.function.name, *map(self.term, term.arguments))

    def action(self, tree):
        match tree:
            case ("or", ("label", str() as text), ("pattern", str() as name, _, None) as pattern):
                if text.startswith(f"{name}("):
                    return self.action(pattern)
            case ("pattern", name, terms, None):
                return ("pattern", name, tuple(map(self.term, terms)))
            case ("val", Expression() as term):
                return ("val", self.term(term))
            case ("forall" | "exists" as kind, Quantifier(slot), inner):
                return (kind, self.slots[slot].name, self.action(inner))
        operator, *parts = tree
        return (operator, *(self.action(p) if isinstance(p, tuple) else p for p in parts))

    def node(self, number, binders, depth):
        operator, what, parts = self.nodes[number]
        if operator in ("mu", "nu"):
            binders, depth = {**binders, number: depth}, depth + 1
        parts = tuple(self.node(part, binders, depth) for part in parts)
        match operator, what:
            case "var", Call(binder, _, values):
                return ("use", binders[binder], *map(self.term, values))
            case "enter", Call(_, _, values):
                return ("enter", *map(self.term, values), *parts)
            case _, Actions(_, tree):
                return (operator, self.action(tree), *parts)
            case _, Expression():
                return (operator, self.term(what))
            case _, Quantifier(slot):
                return (operator, self.slots[slot].name, *parts)
        return (operator, *parts)


def operators(formula):
    yield formula[0]
    for part in formula[1:]:
        if isinstance(part, tuple):
            yield from operators(part)


@pytest.mark.parametrize("file", ["formula", "f.mcf"])
def test_random_formulas_parse_to_their_tree(file):
    reached = Counter()
    for seed in range(1500):
        random, is_mcf = Random(seed), file.endswith(".mcf")
        formula = Maker(random, is_mcf=is_mcf).state((), (), 4)
        text = Writer(random, is_mcf=is_mcf).state(formula, 0, True, True)
        found = Read(parse(text, file=file))
        assert found.whole == Meaning().state(formula, {}), text
        reached.update({*operators(formula)})
        reached.update({sign for sign in ("++", "% a", "\r\n", "...") if sign in text})
    assert len(reached) == 59, sorted(reached)
    assert min(reached.values()) > 5, reached.most_common()[-5:]


@pytest.mark.parametrize("file", ["formula", "f.mcf"])
def test_syntax_errors_have_a_position_in_the_text(file):
    """Texts with a token too few, too many or of another text: they are refused where it shows."""
    reached = Counter()
    for seed in range(1500):
        random = Random(seed)
        formula = Maker(random, is_mcf=False).state((), (), 3)
        text = Writer(random, is_mcf=False).state(formula, 0, True, True)
        tokens = re.findall(r"%.*|\w+|\s+|.", text)
        at = random.randrange(len(tokens))
        kind = random.randrange(3)
        other = random.choice(["(", ")", "]", ">", "{", "}", ".", "&&", "X9", "$", '"', "mu", "?"])
        tokens[at : at + (kind > 0)] = [other] if kind != 1 else []
        text = "".join(tokens)
        try:
            parse(text, file=file)
        except ParseError as error:
            found = error
        else:
            continue
        lines = text.split("\n")
        assert 1 <= found.line <= len(lines), text
        assert 1 <= found.column <= len(lines[found.line - 1]) + 1, text
        assert found.text == lines[found.line - 1].rstrip("\r")
        reached[re.sub("`.*?`", "", found.message)[:20]] += 1
    assert len(reached) > 12, reached
    assert reached.total() > 900, reached


# The scopes of binders in mCRL2, by inserting brackets.

LEVELS = {"=>": 1, "||": 2, "&&": 3}


def in_brackets(words):
    """Return the words of a formula with the brackets that make mCRL2's scopes explicit: a binder
    after an operator extends to the next one that binds less, after a prefix to the next one."""
    found, opened = [], [[]]
    for at, word in enumerate(words):
        level = 0 if word in (")", "]", ">") else LEVELS.get(word, 9)
        while opened[-1] and opened[-1][-1] > level:
            opened[-1].pop()
            found.append(")")
        if word in (")", "]", ">"):
            opened.pop()
        if word in ("mu", "nu", "forall", "exists") and at:
            before = 4 if words[at - 1] in ("!", "]", ">") else LEVELS.get(words[at - 1])
            if before is not None:
                opened[-1].append(before)
                found.append("(")
        found.append(word)
        if word in ("(", "[", "<"):
            opened.append([])
    return [*found, *(")" for _ in opened[-1])]


def random_words(random, depth):
    """Return the words of a formula in which binders stand anywhere, without brackets."""
    words = []
    for n in range(random.randint(1, 3)):
        words += [random.choice(["&&", "||", "=>"])] if n else []
        kind = random.randrange(9 if depth else 2)
        while kind in (2, 3):
            words += ["!"] if kind == 2 else [*"[<"[random.randrange(2) :][:1]]
            if kind == 3:
                close = "]" if words[-1] == "[" else ">"
                words += [*random_actions(random, 1), close]
            kind = random.randrange(9)
        if kind < 2:
            words.append(random.choice(["true", "false"]))
        elif kind == 4:
            words += ["(", *random_words(random, depth - 1), ")"] if depth else ["true"]
        else:
            words += binder(random)
            words += random_words(random, depth - 1) if depth else ["false"]
    return words


def binder(random):
    if random.randrange(2):
        return [random.choice(["mu", "nu"]), f"X{random.randrange(10**9)}", "."]
    return [random.choice(["forall", "exists"]), f"x{random.randrange(10**9)}:0..1", "."]


def random_actions(random, depth):
    words = []
    for n in range(random.randint(1, 3)):
        words += [random.choice(["&&", "||", "=>"])] if n else []
        if depth and random.randrange(3) == 0:
            words += [random.choice(["forall", "exists"]), f"x{random.randrange(10**9)}:0..1", "."]
            words += random_actions(random, depth - 1)
        else:
            words.append(random.choice(["a", "b", "! a"]))
    return words


def test_binders_extend_as_far_as_in_mcrl2_in_mcf_files():
    reached = Counter()
    for seed in range(2000):
        random = Random(seed)
        words = random_words(random, 3)
        if len(words) > 200:
            continue
        text, explicit = " ".join(words), " ".join(in_brackets(words))
        mcrl2s = Read(parse(text, file="f.mcf")).whole
        assert mcrl2s == Read(parse(explicit)).whole, text
        is_other = mcrl2s != Read(parse(text)).whole
        assert not is_other or operator_ending_scope(text) is not None, text
        reached[is_other, text != explicit] += 1
    assert min(reached[True, True], reached[False, True]) > 100, reached


# One text, one meaning.

BUFFER = """act put, get: Nat; go; proc P(n: Nat) = (n < 3) -> put(n)|get(n) . P(n + 1)
  + (n == 3) -> get(7) . P(0) + go . P(n); init P(0);"""

TEXTS = [
    ("<exists n: Nat. put(n)|get(n)>true", True),
    ("[true*]<go>true && <exists n: Nat. put(n)|get(n)>true", True),
    ("<exists n: Nat. put(n)|get(n + 1)>true", False),
    ("<exists n: Nat. val(n > 0) && put(n)|get(n)>true", False),
    ("<go . (exists n: Nat. put(n)|get(n) && val(n < 1))>true", True),
    ("[forall n: Nat. !(put(n)|get(n))]false", False),
    ("<true*>(exists n: Nat. val(n > 1) && <get(n)>true)", True),
    ("exists n: Nat. val(n < 9) && val(n > 7) && (<true*.get(n)>true)", False),
    ("% a comment\n<go> % another: [a](\n\n\ttrue", True),
    ("[true*]\r\n<true>\r\ntrue\r\n", True),
    ("nu X(n: Nat = 0).\n  [get(n)]false && [go]X((n + 1) mod 3 % )\n )", True),
]


@pytest.mark.parametrize(("text", "holds"), TEXTS)
@pytest.mark.parametrize("name", ["p.mcrl2", "p.aut"])
def test_formulas_in_files_and_arguments_are_equal(text, holds, name, tmp_path):
    (tmp_path / "p.mcrl2").write_text(BUFFER)
    files = {"f.mcf": str(tmp_path / "f.mcf"), "f.txt": f"@{tmp_path / 'f.txt'}"}
    for file in files:
        (tmp_path / file).write_bytes(text.encode())
    if name == "p.aut":
        assert main(["generate", str(tmp_path / "p.mcrl2"), "-o", str(tmp_path / name), "-q"]) == 0
    for given in (text, *files.values()):
        assert main(["check", str(tmp_path / name), given, "-q"]) == (not holds), given


def test_bars_are_alternatives_except_in_mcf_files():
    system = LTS.from_transitions([(0, "a(1)|b(1)", 0), (0, "a(2)", 0)])
    for text in (
        "a(1)|a(2)",
        "(exists n: Nat. b(n)) | a(2)",
        "exists n: 1..2. a(n) | a(2) || a(2)",
    ):
        assert check(system, f"<{text}>true").holds, text
    assert not check(system, "<a(1)|a(2)>true", file="f.mcf").holds
    with pytest.raises(ParseError, match=r"expected `>`, not `\|`"):
        check(system, "<(a(1))|a(2)>true", file="f.mcf")
    with pytest.raises(ParseError, match="expected an action, not `"):
        check(system, "<exists n: Nat. a(n)|(b(n))>true")


def test_tests_in_boxes_count_as_negations():
    """`[(f)?]g` is `!f || g`."""
    for text in ("mu X. [(X)?.a]false", "nu X. <(!X)?.a>true", "mu X. ![(!!X)?]X"):
        with pytest.raises(ParseError, match="`X` occurs under an odd number of negations"):
            parse(text)
    for text in ("mu X. [(!X)?.a]false", "nu X. <(X)?.a>X", "mu X. (X => true) => X"):
        parse(text)
    with pytest.raises(ParseError, match="f:2:5: `X` occurs under an odd"):
        parse("let F = nu X.\n a=>X => true in true".replace("a=>", "   "), file="f")


def test_blanks_and_comments_before_arguments():
    system = LTS.from_transitions([(0, "a(1,2)", 0)])
    for text in ("a(1,2)", "a (1, 2)", "a\n(1 % one\n, 2)", "a( 1 , *)", "a % any\n( ... )"):
        assert check(system, f"<{text}>true").holds, text


ONE = "sort Bool func T,F:->Bool act a,b:Bool init a(T).b(F).delta"


def test_formulas_contain_terms_of_their_language():
    one = mucrl.read_text(ONE)
    assert check_process(one, "<a(T) . (exists x:Bool. b(x) && val(x == F))>true").holds
    many = mcrl2.read_text("act a: List(Nat) # Set(Nat); init a([1,2], {3});")
    for text in ("a([1] ++ [2], {3} + {})", "a([1,2], ...)", "a([1,2], {n: Nat | n < 4 && n > 2})",
                 "exists l: List(Nat). a(l, ...) && val(#l == 2 && !(3 in l))",
                 "{a !([1] ++ [2]) ?any where forall k: Nat. k >= 0}"):  # fmt: skip
        assert check_process(many, f"<{text}>true").holds, text
    for text, column in (("<a([1, ], ...)>true", 8), ("<a([1,2], {k | k > 1})>true", 14)):
        with pytest.raises(LtsError) as caught:
            check_process(many, text)
        assert caught.value.column == column, caught.value


def test_nested_comment_signs_are_ignored():
    assert parse("%a" * 1_000 + "\ntrue").nodes == parse("true").nodes
    with pytest.raises(ParseError, match="expected"):
        parse("%a" * 1_000)
