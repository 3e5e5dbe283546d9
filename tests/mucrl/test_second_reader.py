"""Generation against a reader and an interpreter of texts that share nothing with the product."""

from collections import Counter
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lts import LTS, LimitReached, Unsupported
from lts.mucrl import generate, read_text
from naive.mucrl_text import TOKEN, Interpreter, tokens
from naive.systems import bisimilar
from process_texts import texts
from specifications import specifications
from strategies import examples

MOST = 80


def agree(text):
    """Compare the systems of a text; return how large it is, None if it is not compared."""
    try:
        found = generate(read_text(text), max_states=100 * MOST)
    except (LimitReached, Unsupported):
        return None
    expected = Interpreter(text).transitions(MOST)
    if expected is None:
        return None
    transitions, count = expected
    assert bisimilar(found, LTS.from_transitions(transitions, state_count=count)), text
    return count


def respaced(text, random):
    """Return the text with other blanks and comments between its tokens, or none."""
    pieces = []
    for token in tokens(text):
        gap = random.choice(["", " ", "\n", "\t", " % a+b.c\n", "%\n", "\r\n"])
        if not gap and pieces:
            # Blanks separate tokens that would be one, or others, without them.
            last = pieces[-1]
            gap = "" if [*tokens(last + token)] == [last, token] else " "
        pieces += [gap, token]
    return "".join(pieces) + "\n"


def test_both_readers_give_equal_state_spaces():
    reached = Counter()

    @settings(max_examples=examples(6), suppress_health_check=[*HealthCheck])
    @given(st.one_of(specifications(), texts("mucrl")), st.integers(0, 10**9))
    def check(text, seed):
        text = respaced(text, Random(seed))
        count = agree(text)
        reached["compared"] += count is not None
        reached["several states"] += count is not None and count > 4
        for word in ("||_", "|>", "encap", "hide", "rename", "sum"):
            reached[word] += count is not None and word in text

    check()
    assert min(reached.values()) > 2, reached
    assert len(reached) == 8


HEAD = """sort Bool D func T,F:->Bool map not:Bool->Bool rew not(T)=F not(F)=T func 0,1:->D
map eq:D#D->Bool T:D->D var e1,e2:D rew eq(e1,e1)=T eq(0,1)=F eq(1,0)=F T(0)=1 T(1)=0
act a b c a':D b-c,d^:D#Bool a,b,c:D comm a|b=c a'|a=a'
proc X=a.b X(n:D)=a'(n).X(T(n)) <| eq(n,0) |> b X(n:D,t:Bool)=d^(n,not(t))
"""


def loose(random, depth, scope):
    """A process without brackets that its operators do not need."""
    if depth == 0 or random.random() < 0.2:
        return atom(random, 0, scope)
    inner = depth - 1
    match random.choice(["+", "+", "if", ".", ".", "||", "|", "||_", "atom"]):
        case "+":
            parts = [loose_below(random, inner, scope, "+") for _ in range(random.randint(2, 3))]
            return " + ".join(parts)
        case "if":
            return conditional(random, inner, scope)
        case ".":
            return sequence(random, inner, scope)
        case "||" | "|" | "||_" as operator:
            count = 2 if operator == "||_" else random.randint(2, 3)
            parts = [loose_below(random, inner, scope, operator) for _ in range(count)]
            return f" {operator} ".join(parts)
    return atom(random, inner, scope)


def loose_below(random, depth, scope, operator):
    """A part of an operator: of a stronger one."""
    if operator == "+" and depth and random.random() < 0.3:
        sign = random.choice(["||", "|", "||_"])
        return f" {sign} ".join(conditional(random, depth - 1, scope) for _ in range(2))
    return conditional(random, depth, scope)


def conditional(random, depth, scope):
    one = sequence(random, depth, scope)
    if random.random() < 0.5:
        return one
    return f"{one} <| {truth(random, scope)} |> {sequence(random, depth, scope)}"


def sequence(random, depth, scope):
    return ".".join(atom(random, depth, scope) for _ in range(random.randint(1, 3)))


def atom(random, depth, scope):
    kind = random.choice(["do"] * 5 + ["(", "sum", "around"] * (depth > 0))
    if kind == "(":
        return f"({loose(random, depth - 1, scope)})"
    if kind == "sum":
        name = random.choice(["x", "y", "0x"])
        return f"sum({name}:D,{loose(random, depth - 1, {*scope, name})})"
    if kind == "around":
        operator = random.choice(
            ["encap({a}", "encap({a,b}", "hide({a,a'}", "hide({c}", "rename({a->b}",
             "rename({a->b,b->a}", "rename({b-c->d^}"]
        )  # fmt: skip
        return f"{operator},{loose(random, depth - 1, scope)})"
    name = random.choice(["a", "b", "c", "a'", "b-c", "d^", "a1", "X", "X1", "X2", "tau", "delta"])
    one = random.choice([*sorted(scope), "0", "1", "T(0)", *(f"T({v})" for v in sorted(scope))])
    match name:
        case "a'" | "a1" | "X1":
            return f"{name.removesuffix('1')}({one})"
        case "b-c" | "d^" | "X2":
            return f"{name.removesuffix('2')}({one},{truth(random, scope)})"
    return name


def truth(random, scope):
    terms = [*sorted(scope), "0", "1"]
    one, other = random.choice(terms), random.choice(terms)
    return random.choice(["T", "F", f"eq({one},{other})", f"not(eq({one},{other}))"])


def test_both_readers_agree_on_operator_precedence():
    """Also functions, actions and processes of one name, and names with signs."""
    reached = Counter()

    @settings(max_examples=examples(20), suppress_health_check=[*HealthCheck])
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        text = f"{HEAD}proc Y={loose(random, 3, set())} init {loose(random, 2, set())}.Y"
        count = agree(respaced(text, random))
        reached["compared"] += count is not None
        for word in ("<|", "||_", " || ", " | ", "rename", "b-c", "0x"):
            reached[word] += count is not None and word in text[len(HEAD) :]

    check()
    assert min(reached.values()) > 2, reached
    assert len(reached) == 8


def test_every_terminal_is_a_token():
    signs = "||_ || | |> <| -> . + ( ) { } , : # = a->b a-b' 0^ \\x"
    assert [*tokens(signs)] == [*signs.replace("a->b", "a -> b").split()]
    assert TOKEN.match("?") is None
