"""Whatever a process does is declared, with the sorts of its arguments.

Random declarations, overloaded, under nested `comm` and `rename`: a specification is refused, or
the operational rules give only actions that are declared.
"""

from collections import Counter
from itertools import product
from random import Random

import pytest

from lts import SpecificationError
from lts.mcrl2 import read_text
from naive.mcrl2 import Interpreter

NAMES = "abcde"
VALUES = {"Bool": ("true", "false"), "D": ("d", "e")}


def random_text(random):
    """A text, and its declarations: pairs of a name and a sort (None: no argument)."""
    declared = random.sample([*product(NAMES, (None, *VALUES))], random.randint(4, 13))
    if random.random() < 0.5:  # otherwise most communications are refused
        declared = [*product(NAMES, dict.fromkeys(sort for _, sort in declared))]
    shown = [
        name if sort is None else f"{name}({random.choice(VALUES[sort])})"
        for name, sort in random.choices(declared, k=random.randint(1, 4))
    ]
    body = random.choice((" || ", "|")).join(shown)
    names = sorted({name for name, _ in declared})
    for _ in range(random.randint(1, 3)):
        one, two, *result = random.choices(names, k=4)
        if random.random() < 0.5:
            pairs = [f"{one}|{two} -> {result[0]}", f"{result[1]}|{two} -> {one}"]
            body = f"comm({{{', '.join(pairs[: random.randint(1, 2)])}}}, {body})"
        else:
            body = f"rename({{{one} -> {two}}}, {body})"
    acts = "; ".join(f"{name}: {sort}" if sort else name for name, sort in declared)
    return f"sort D = struct d | e; act {acts}; init {body};", {*declared}


def by_definition(text):
    """The actions of all steps, each with the sort of its argument, by the operational rules."""
    interpreter = Interpreter(read_text(text))
    waiting, visited = [interpreter.specification.initial], set()
    while waiting:
        state = waiting.pop()
        if state is None or state in visited:
            continue
        visited.add(state)
        for action, after in interpreter.steps(state):
            waiting.append(after)
            for name, arguments in action:
                yield name, arguments[0].sort if arguments else None


def test_accepted_actions_have_declared_sorts():
    random, reached = Random(7), Counter()
    for _ in range(600):
        text, declared = random_text(random)
        try:
            done = {*by_definition(text)}
        except SpecificationError as refused:
            words = [error.message for error in refused.errors]
            reached["sorts of comm"] += any("communicates to" in w for w in words)
            reached["sorts of rename"] += any("with its sorts" in w for w in words)
            reached["result in another"] += any("a result, takes" in w for w in words)
            continue
        assert done <= declared, text
        reached["accepted"] += 1
        reached["overloaded"] += len({name for name, _ in done}) < len(done)
    assert len(reached) == 5, reached
    assert min(reached.values()) >= 20, reached


@pytest.mark.parametrize(
    "text",
    [
        "act a, A: Nat; a, A: Bool; init comm({a|a -> A}, a(true)|a(true));",
        "act a: Nat; b; init comm({a|a -> a}, a(1)|a(1));",
        "act a, b, c: Nat; a, c: Bool; init comm({a|b -> c}, a(true)|b(1));",
        "act g, h: Nat; g: Bool; init rename({g -> h}, g(1)) . g(true);",
        "act g, h: Nat; g: Bool; init rename({g -> h}, hide({g}, g(true)) . h(1));",
        "act f, g, h: Nat; f, g: Bool; init rename({g -> h}, rename({f -> g}, f(1)));",
        "act g; init rename({g -> g}, g);",
    ],
)
def test_texts_without_sort_conflicts_are_accepted(text):
    read_text(text)


def test_identity_renaming_gives_a_remark():
    assert "`g` is renamed to itself" in str(read_text("act g; init rename({g -> g}, g);").remarks)
