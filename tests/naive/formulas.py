"""Formulas with data, and what they mean, set by set."""

import re
from dataclasses import dataclass
from itertools import product

from hypothesis import strategies as st

import formulas

VALUES = {"Bool": ("T", "F"), "D": ("d0", "d1", "d2"), "P": ("p1", "p2", "p3")}
# Of numbers those that are written are below 3. No formula tells the others apart, and there are
# as many of them here as it can have at once.
VALUES["Nat"] = tuple(map(str, range(8)))
CONSTANTS = VALUES | {"Nat": ("0", "1", "2")}
NEXT = {"d0": "d1", "d1": "d2", "d2": "d0"}


@dataclass(frozen=True)
class World:
    """A sort besides Bool, actions and their arguments, and whether there are functions."""

    sort: str
    actions: dict
    functions: bool


ACTIONS = {"a": ("Bool",), "d": (), "e": (), "g": (), "r": ("D",), "s": ("D",), "k": ("D",)}
DATA = World("D", ACTIONS, True)
"""That of `tests/specifications.py`."""
IDS = World("P", {"u": ("P",), "v": ("P",), "h": ("P",), "w": ()}, False)
"""That of `tests/exchangeable.py`."""
NUMBERS = World("Nat", {"a": ("Nat",), "b": ("Nat", "Nat"), "c": ()}, False)
"""That of `tests/logic/test_representative_values.py`."""


@st.composite
def terms(draw, sort, scope, world=DATA):
    mine = [name for name, s in scope if s == sort]
    kind = draw(st.integers(0, 5))
    if kind <= 2 and mine:
        return "var", draw(st.sampled_from(mine))
    if sort == world.sort:
        if kind == 5 and world.functions:
            return "next", draw(terms(sort, scope, world))
        return "const", draw(st.sampled_from(CONSTANTS[sort]))
    numbers = [name for name, s in scope if s == "Nat"]
    if kind == 5 and numbers:
        bound = "const", draw(st.sampled_from(CONSTANTS["Nat"]))
        pair = draw(st.permutations([("var", draw(st.sampled_from(numbers))), bound]))
        return draw(st.sampled_from(["<", "<="])), *pair
    if kind >= 3:
        left, right = (draw(terms(world.sort, scope, world)) for _ in range(2))
        return (
            draw(st.sampled_from(["==", "!=", "eq"] if world.functions else ["==", "!="])),
            left,
            right,
        )
    return "const", draw(st.sampled_from(VALUES["Bool"]))


@st.composite
def actions(draw, scope, depth=2, world=DATA):
    kinds = ["true", "tau", "name", "pattern", "pattern", "pattern"]
    kinds += ["not", "and", "or", "val", "exists", "forall"] * (depth > 0)
    kind = draw(st.sampled_from(kinds))
    inner = actions(scope, depth - 1, world)
    match kind:
        case "true" | "tau":
            return (kind,)
        case "name":
            return kind, draw(st.sampled_from(sorted(world.actions)))
        case "pattern":
            name = draw(st.sampled_from(sorted(world.actions)))
            return kind, name, [draw(terms(sort, scope, world)) for sort in world.actions[name]]
        case "not":
            return kind, draw(inner)
        case "and" | "or":
            return kind, draw(inner), draw(inner)
        case "val":
            return kind, draw(terms("Bool", scope, world))
    name = f"y{depth}"
    inner = draw(actions((*scope, (name, world.sort)), depth - 1, world))
    return kind, name, world.sort, inner


@st.composite
def trees(draw, depth=4, scope=(), variables=(), world=DATA):
    """Return a formula; `variables` are fixed points: name, sorts of parameters, whether usable."""
    usable = [(name, sorts) for name, sorts, sign in variables if sign]
    kinds = ["true", "false", "val"] + ["call"] * (3 * bool(usable))
    if depth > 0:
        kinds += ["not", "and", "or", "can", "must", "can", "must", "star", "mu", "nu"]
        kinds += ["forall", "exists"] * 2
    kind = draw(st.sampled_from(kinds))
    inner = depth - 1

    def part(scope=scope, variables=variables):
        return draw(trees(inner, scope, variables, world))

    match kind:
        case "true" | "false":
            return (kind,)
        case "val":
            return kind, draw(terms("Bool", scope, world))
        case "call":
            name, sorts = draw(st.sampled_from(usable))
            return kind, name, [draw(terms(sort, scope, world)) for sort in sorts]
        case "not":
            return kind, part(variables=tuple((n, s, not sign) for n, s, sign in variables))
        case "and" | "or":
            return kind, part(), part()
        case "can" | "must":
            return kind, draw(actions(scope, 2, world)), part()
        case "star":
            return kind, draw(st.booleans()), draw(actions(scope, 1, world)), part()
        case "forall" | "exists":
            name, sort = f"x{depth}", draw(st.sampled_from([world.sort, world.sort, "Bool"]))
            return kind, name, sort, part(scope=(*scope, (name, sort)))
    name = f"X{depth}"
    parameters = [
        (f"n{depth}{place}", sort, draw(terms(sort, scope, world)))
        for place, sort in enumerate(
            draw(st.lists(st.sampled_from([world.sort, "Bool"]), max_size=2))
        )
    ]
    known = tuple(each for each in variables if each[0] != name)
    sorts = tuple(sort for _, sort, _ in parameters)
    within = (*scope, *((n, sort) for n, sort, _ in parameters))
    body = draw(trees(inner, within, (*known, (name, sorts, True)), world))
    return kind, name, parameters, body


def term_text(term):
    match term:
        case ("var" | "const", name):
            return name
        case ("next", inner):
            return f"next({term_text(inner)})"
        case ("eq", left, right):
            return f"eq({term_text(left)}, {term_text(right)})"
        case (operator, left, right):
            return f"({term_text(left)} {operator} {term_text(right)})"
    raise AssertionError(term)


def actions_text(tree):
    match tree:
        case ("true" | "tau" as word,):
            return word
        case ("name", name):
            return f"{name}(...)"
        case ("pattern", name, []):
            return name
        case ("pattern", name, terms):
            return f"{name}({','.join(map(term_text, terms))})"
        case ("not", inner):
            return f"!({actions_text(inner)})"
        case ("and" | "or" as kind, left, right):
            sign = "&&" if kind == "and" else "||"
            return f"({actions_text(left)} {sign} {actions_text(right)})"
        case ("val", term):
            return f"val({term_text(term)})"
        case (kind, name, sort, inner):
            return f"({kind} {name}:{sort}. {actions_text(inner)})"
    raise AssertionError(tree)


def text(tree):
    match tree:
        case ("true" | "false" as word,):
            return word
        case ("val", term):
            return f"val({term_text(term)})"
        case ("call", name, terms):
            return f"{name}({','.join(map(term_text, terms))})" if terms else name
        case ("not", inner):
            return f"!({text(inner)})"
        case ("and" | "or" as kind, left, right):
            return f"(({text(left)}) {'&&' if kind == 'and' else '||'} ({text(right)}))"
        case ("can", action, inner):
            return f"<{actions_text(action)}>({text(inner)})"
        case ("must", action, inner):
            return f"[{actions_text(action)}]({text(inner)})"
        case ("star", box, action, inner):
            path = f"({actions_text(action)})*"
            return f"[{path}]({text(inner)})" if box else f"<{path}>({text(inner)})"
        case ("forall" | "exists" as kind, name, sort, inner):
            return f"({kind} {name}:{sort}. {text(inner)})"
        case (kind, name, parameters, inner):
            shown = ", ".join(f"{n}:{sort} = {term_text(term)}" for n, sort, term in parameters)
            return f"({kind} {name}{f'({shown})' if shown else ''}. {text(inner)})"
    raise AssertionError(tree)


def value(term, env):
    match term:
        case ("var", name):
            return env[name]
        case ("const", name):
            return name
        case ("next", inner):
            return NEXT[value(inner, env)]
        case ("<" | "<=" as operator, left, right):
            one, other = int(value(left, env)), int(value(right, env))
            return "T" if one < other or (one == other and operator == "<=") else "F"
        case (operator, left, right):
            same = value(left, env) == value(right, env)
            return "T" if same == (operator != "!=") else "F"
    raise AssertionError(term)


def accepts(tree, label, env):
    name, *rest = re.split(r"[(,)]", label)
    arguments = [each for each in rest if each]
    match tree:
        case ("true",):
            return True
        case ("tau",):
            return label == "tau"
        case ("name", expected):
            return name == expected
        case ("pattern", expected, terms):
            return name == expected and arguments == [value(term, env) for term in terms]
        case ("not", inner):
            return not accepts(inner, label, env)
        case ("and", left, right):
            return accepts(left, label, env) and accepts(right, label, env)
        case ("or", left, right):
            return accepts(left, label, env) or accepts(right, label, env)
        case ("val", term):
            return value(term, env) == "T"
        case (kind, bound, sort, inner):
            each = [accepts(inner, label, env | {bound: v}) for v in VALUES[sort]]
            return all(each) if kind == "forall" else any(each)
    raise AssertionError(tree)


def where(tree, steps, env, known):
    """Return the states where a formula holds; `known` has those of fixed points, by values."""
    every = set(range(len(steps)))

    def goes(action):
        return {(s, t) for s in every for a, t in steps[s] if accepts(action, a, env)}

    match tree:
        case ("true",):
            return every
        case ("false",):
            return set()
        case ("val", term):
            return every if value(term, env) == "T" else set()
        case ("call", name, terms):
            return known[name][tuple(value(term, env) for term in terms)]
        case ("not", inner):
            return every - where(inner, steps, env, known)
        case ("and", left, right):
            return where(left, steps, env, known) & where(right, steps, env, known)
        case ("or", left, right):
            return where(left, steps, env, known) | where(right, steps, env, known)
        case ("can", action, inner):
            goal = where(inner, steps, env, known)
            return {s for s, t in goes(action) if t in goal}
        case ("must", action, inner):
            goal = where(inner, steps, env, known)
            return every - {s for s, t in goes(action) if t not in goal}
        case ("star", box, action, inner):
            related = {(s, s) for s in every}
            while (more := related | formulas.compose(related, goes(action))) != related:
                related = more
            goal = where(inner, steps, env, known)
            if box:
                return every - {s for s, t in related if t not in goal}
            return {s for s, t in related if t in goal}
        case ("forall" | "exists" as kind, name, sort, inner):
            each = [where(inner, steps, env | {name: v}, known) for v in VALUES[sort]]
            return set.intersection(*each) if kind == "forall" else set.union(*each)
        case (kind, name, parameters, inner):
            names = [n for n, _, _ in parameters]
            first = tuple(value(term, env) for _, _, term in parameters)
            tuples = list(product(*(VALUES[sort] for _, sort, _ in parameters)))
            found = {values: set() if kind == "mu" else every for values in tuples}
            while True:
                more = {
                    values: where(
                        inner,
                        steps,
                        env | dict(zip(names, values, strict=True)),
                        known | {name: found},
                    )
                    for values in tuples
                }
                if more == found:
                    return found[first]
                found = more
    raise AssertionError(tree)
