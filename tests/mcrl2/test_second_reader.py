"""Generation against a reader and an interpreter of texts that share nothing with the product."""

import re
from collections import Counter
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lts import LTS, LimitReached, Unsupported, generate
from lts.mcrl2 import read_text
from naive.mcrl2_text import LEVELS, Interpreter, tokens
from naive.systems import bisimilar
from strategies import examples

MOST = 40


def sorted_actions(label):
    """Return a label without blanks, its actions sorted."""
    label = label.replace(" ", "")
    return "|".join(sorted(re.findall(r"(?:[^|(\[]|\([^()]*(?:\([^()]*\)[^()]*)*\))+", label)))


def agree(text):
    """Compare the systems of a text; return how large it is, None if it is not compared."""
    try:
        found = generate(read_text(text), max_states=10 * MOST)
    except (LimitReached, Unsupported):
        return None
    expected = Interpreter(text).transitions(MOST)
    if expected is None:
        return None
    transitions, count = expected
    same = [(source, sorted_actions(label), target) for source, label, target in found]
    left = LTS.from_transitions(same, state_count=found.state_count)
    assert bisimilar(left, LTS.from_transitions(transitions, state_count=count)), text
    return count


def respaced(text, random):
    """Return the text with other blanks and comments between its tokens, or none."""
    pieces = []
    for token in tokens(text):
        gap = random.choice(["", " ", "\n", "\t", " % a+b.c;\n", "%\n", "\r\n"])
        if not gap and pieces:
            last = pieces[-1]
            gap = "" if [*tokens(last + token)] == [last, token] else " "
        pieces += [gap, token]
    return "".join(pieces) + "\n"


HEAD = """
sort D = struct d1 | d2?is2; E = struct e(left: D, flag: Bool)?ise | none;
map half: Nat -> Nat; swap: D -> D; len: List(Nat) -> Nat; both: D # Bool -> Bool;
var n: Nat; l: List(Nat); b: Bool; d: D;
eqn half(0) = 0; n > 0 -> half(n) = n div 2; swap(d1) = d2; swap(d2) = d1;
    len([]) = 0; len(n |> l) = 1 + len(l); both(d1, b) = b; both(d2, b) = !b;
act a, b, c; f, g: Nat; h: Bool; k: D; m: List(Nat); o: E; p: D # Nat;
"""
NUMBERS = {"+", "*", "min", "max", "div", "mod"}


def data(random, sort, scope, depth):
    """Return a typed term as a tree."""
    own = [("name", name) for name, one in scope if one == sort]
    if own and random.random() < 0.3:
        return random.choice(own)

    def sub(kind):
        return data(random, kind, scope, depth - 1)

    if depth == 0:
        match sort:
            case "Nat":
                return "name", str(random.randrange(4))
            case "Bool":
                return "name", random.choice(["true", "false"])
            case "List(Nat)":
                return "list", *(
                    ("name", str(random.randrange(3))) for _ in range(random.randrange(3))
                )
            case "D":
                return "name", random.choice(["d1", "d2"])
        return "name", "none"
    if random.random() < 0.1:
        return "apply", "if", sub("Bool"), sub(sort), sub(sort)
    match sort:
        case "Nat":
            kind = random.choice(["+", "+", "*", "div", "mod", "min", "half", "#", "len"])
            if kind in ("div", "mod"):
                return kind, sub("Nat"), ("name", random.choice("23"))
            if kind in ("min", "half", "len"):
                sorts = {"min": ["Nat"] * 2, "half": ["Nat"], "len": ["List(Nat)"]}[kind]
                return "apply", kind, *map(sub, sorts)
            return ("#", sub("List(Nat)")) if kind == "#" else (kind, sub("Nat"), sub("Nat"))
        case "Bool":
            kind = random.choice(
                ["&&", "||", "=>", "!", "==", "<", ">=", "in", "==D", "is2", "both"]
            )
            match kind:
                case "&&" | "||" | "=>":
                    return kind, sub("Bool"), sub("Bool")
                case "!":
                    return "!", sub("Bool")
                case "in":
                    return "in", sub("Nat"), sub("List(Nat)")
                case "==D":
                    one = random.choice(["D", "Bool", "E"])
                    return random.choice(["==", "!="]), sub(one), sub(one)
                case "is2":
                    return "apply", "is2", sub("D")
                case "both":
                    return "apply", "both", sub("D"), sub("Bool")
            return kind, sub("Nat"), sub("Nat")
        case "List(Nat)":
            kind = random.choice(["|>", "<|", "++", "list"])
            if kind == "list":
                return "list", *(sub("Nat") for _ in range(random.randrange(1, 3)))
            sorts = {"|>": ("Nat", sort), "<|": (sort, "Nat"), "++": (sort, sort)}[kind]
            return kind, *map(sub, sorts)
        case "D":
            if random.random() < 0.3:
                return "apply", "left", ("apply", "e", sub("D"), sub("Bool"))
            return "apply", "swap", sub("D")
    return "apply", "e", sub("D"), sub("Bool")


def written(term, random, level=0, is_right=False):
    """Return the text of a term in few brackets: those that the levels of operators need."""
    match term:
        case ("name", name):
            return name
        case ("list", *parts):
            return f"[{', '.join(written(one, random) for one in parts)}]"
        case ("apply", name, *parts):
            return f"{name}({', '.join(written(one, random) for one in parts)})"
        case ("!" | "#" as operator, part):
            return f"{operator}{written(part, random, len(LEVELS))}"
    operator, one, other = term
    own = next(n for n, (operators, _) in enumerate(LEVELS) if operator in operators)
    side = LEVELS[own][1]
    first = written(one, random, own + (side == "right"))
    text = f"{first} {operator} {written(other, random, own + (side == 'left'))}"
    return f"({text})" if own < level or random.random() < 0.1 else text


ARGUMENTS = {"a": [], "b": [], "c": [], "f": ["Nat"], "g": ["Nat"], "h": ["Bool"], "k": ["D"],
             "m": ["List(Nat)"], "o": ["E"], "p": ["D", "Nat"]}  # fmt: skip


def action(random, scope):
    name = random.choice([*ARGUMENTS])
    terms = [written(data(random, sort, scope, random.randrange(4)), random)
             for sort in ARGUMENTS[name]]  # fmt: skip
    return f"{name}({', '.join(terms)})" if terms else name


def unit(random, scope):
    """A condition: a unit of data."""
    term = data(random, "Bool", scope, random.randrange(3))
    text = written(term, random)
    is_unit = term[0] in ("name", "apply", "list", "!")
    return text if is_unit and not text.startswith("(") else f"({text})"


def sequential(random, depth, scope, calls):
    """A process without `||`, in few brackets."""
    return " + ".join(total(random, depth, scope, calls) for _ in range(random.randint(1, 3)))


def total(random, depth, scope, calls):
    if depth and random.random() < 0.3:
        name, sort = random.choice([("x", "D"), ("y", "Bool"), ("w", "Bool"), ("z", "E")])
        inner = [one for one in scope if one[0] != name] + [(name, sort)]
        return f"sum {name}: {sort}. {total(random, depth - 1, inner, calls)}"
    return conditional(random, depth, scope, calls)


def conditional(random, depth, scope, calls):
    if random.random() < 0.5:
        return sequence(random, depth, scope, calls)
    text = f"{unit(random, scope)} -> {sequence(random, depth, scope, calls)}"
    if random.random() < 0.5:
        text += f" <> {conditional(random, depth, scope, calls)}"
    return text


def sequence(random, depth, scope, calls):
    parts = [multi(random, scope)]
    for _ in range(random.randrange(3)):
        if depth and random.random() < 0.5:
            parts.append(f"({sequential(random, depth - 1, scope, calls)})")
        else:
            parts.append(multi(random, scope))
    if random.random() < 0.5:
        parts.append(call(random, scope, calls))
    return " . ".join(parts)


def multi(random, scope):
    if random.random() < 0.1:
        return random.choice(["tau", "delta"])
    return "|".join(action(random, scope) for _ in range(random.choice([1, 1, 1, 2, 3])))


def call(random, scope, calls):
    name = random.choice(calls)
    number = f"({written(data(random, 'Nat', scope, 2), random)}) mod 3"
    truth = written(data(random, "Bool", scope, 2), random)
    match name:
        case "X":
            return "X"
        case "same Y":
            return random.choice(["Y()", f"Y(n = {number})", f"Y(v = {truth})"])
    return f"Y({number}, {truth})"


def composed(random, depth, count):
    """A composition of so many sequential processes at most, in few brackets."""
    if depth == 0:
        return random.choice(
            ["X", "Y(1, true)", "Y(0, false)", f"({sequential(random, 1, [], 'X')})"]
        )
    if count > 1 and random.random() < 0.5:
        return " || ".join(composed(random, depth - 1, 1) for _ in range(count))
    operator = random.choice(
        ["allow({a, b, a|b, f, g, f|g, k, h, c|c}", "block({a, k}", "block({f}", "hide({a, f}",
         "hide({b}", "rename({a -> b, f -> g}", "rename({b -> c}", "comm({a|b -> c}",
         "comm({f|g -> f, a|a -> b}", "comm({a|b|c -> a}"]
    )  # fmt: skip
    return f"{operator}, {composed(random, depth - 1, count)})"


def random_text(random):
    scope = [("n", "Nat"), ("v", "Bool")]
    return (
        f"{HEAD}proc X = {sequential(random, 2, [], ['X', 'Y'])};\n"
        f"Y(n: Nat, v: Bool) = {sequential(random, 2, scope, ['X', 'Y', 'same Y'])};\n"
        f"init {composed(random, random.randrange(4), 2)};\n"
    )


def test_texts_mean_the_same_to_both_readers():
    reached = Counter()

    @settings(max_examples=examples(5), suppress_health_check=[*HealthCheck])
    @given(st.integers(0, 10**9))
    def check(seed):
        random = Random(seed)
        text = random_text(random)
        count = agree(respaced(text, random))
        reached["compared"] += count is not None
        reached["several states"] += count is not None and count > 4
        body = text[len(HEAD) :]
        for word in (" || ", "|> ", " ++ ", "=>", "<>", "sum ", "Y()", "allow", "comm", "#"):
            reached[word] += count is not None and word in body

    check()
    assert min(reached.values()) > 0, reached
    assert len(reached) == 12
