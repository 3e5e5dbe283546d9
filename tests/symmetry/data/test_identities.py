"""Symmetries of numbers that are identities, against the whole system, renamed label by label."""

import re
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lts import LTS, LtsError, mcrl2
from lts.equivalence import compare
from lts.errors import LimitReached
from lts.mucrl import linearise
from lts.specification.values import parted
from lts.state_space.generation import explore
from lts.state_space.settings import Limits, Settings
from lts.symmetry import find_in_specification
from numbered_components import SAMPLES

LIMITS = Limits(states=5000)


def positions(text):
    """Where identities stand in labels, by their name: actions, numbers of arguments, if inside."""
    found = {}
    for number in mcrl2.numbers(text):
        for use in number.uses:
            name, _, place = use.partition(".")
            place, _, inside = place.partition(".")
            if place.isdigit():
                found.setdefault(number.name, set()).add((name, int(place), bool(inside)))
    return found


def renamed(label, moved, where):
    """Return a label with numbers exchanged where they are identities; sets are sorted again."""

    def one(action):
        name, bracket, rest = action.partition("(")
        if not bracket:
            return action
        arguments = [*parted(rest[:-1], ",")]
        for sort, images in moved.items():
            # A map that no equation fits stands in the label, with what it was applied to.
            for known in [known for known, at, _ in where[sort] if at == 1]:
                inside = re.compile(rf"(?<=\b{known}\()\d+")
                arguments = [
                    inside.sub(lambda m, of=images: of.get(m[0], m[0]), argument)
                    for argument in arguments
                ]
            for at, argument in enumerate(arguments, 1):
                if (name, at, False) in where[sort]:
                    arguments[at - 1] = images.get(argument, argument)
                if (name, at, True) in where[sort]:
                    changed = re.sub(r"\d+", lambda m, of=images: of.get(m[0], m[0]), argument)
                    if changed[0] == "{":
                        changed = "{" + ",".join(sorted(changed[1:-1].split(","))) + "}"
                    arguments[at - 1] = changed
        return f"{name}({','.join(arguments)})"

    return "|".join(sorted(map(one, label.split("|"))))


def image(system, moved, where):
    """Return the system with its labels renamed."""
    labels = [renamed(label, moved, where) for label in system.labels]
    return LTS.from_transitions(
        [(s, labels[system.labels.index(a)], t) for s, a, t in system.transitions()],
        initial=system.initial,
        state_count=system.state_count,
    )


def moved_by(permutation):
    """Return the images of numbers, by the name of the class."""
    found = {}
    for one, other in permutation.images.items():
        name, _, number = one.text.partition("(")
        found.setdefault(name, {})[number[:-1]] = other.text.partition("(")[2][:-1]
    return found


def is_symmetric(system, moved, where):
    return bool(compare(image(system, {}, where), image(system, moved, where), "strong"))


def check(text):
    """Return what is found, when all of it has been compared with the whole system."""
    plain, split = mcrl2.read_text(text), mcrl2.read_text(text, identities=())
    process = linearise(split)
    generations = [
        explore(one, settings=Settings(limits=LIMITS)) for one in (linearise(plain), process)
    ]
    if any(generation.incomplete for generation in generations):
        raise LimitReached("too large", limit=5000, found={})
    system, same = (generation.lts for generation in generations)
    assert system.labels == same.labels
    assert [*system.transitions()] == [*same.transitions()]
    found = find_in_specification(process, limits=LIMITS)
    where = positions(text)
    for generator in found.generators:
        moved = moved_by(generator)
        for name in moved:
            where.setdefault(name, set())
        assert is_symmetric(system, moved, where), generator
    return found, system, where


@pytest.mark.parametrize("name", SAMPLES)
def test_identity_symmetries_hold_in_the_whole_system(name):
    text, order = SAMPLES[name]
    found, _, _ = check(text)
    assert found.order == order, (name, [str(g) for g in found.generators])


@pytest.mark.parametrize("name", ["one is special", "from zero", "a literal in an equation"])
def test_search_finds_every_identity_symmetry(name):
    text, order = SAMPLES[name]
    _, system, where = check(text)
    [(sort, _)] = [(number.name, number) for number in mcrl2.numbers(text) if number.count is None
                   and len(number.literals) > 1]  # fmt: skip
    literals = next(number.literals for number in mcrl2.numbers(text) if number.name == sort)
    every = [
        dict(zip(map(str, literals), map(str, images), strict=True))
        for images in permutations(literals)
    ]
    assert sum(is_symmetric(system, {sort: moved}, where) for moved in every) == order


# Random specifications: components with an identity, a count and things that hold identities.

TERMS = ["id", "other", "f(id)", "f(other)", "if(id == other, f(id), id)", "head(l <| id)"]
CONDITIONS = ["true", "id == other", "id in l", "id in s", "f(id) == id", "n < 1", "#l < 2",
              "#s < 2", "(exists k: Pos. k == id && k in s)", "h(id)", "s == {id}", "l == [id]",
              "(forall k: Pos. k in s => k != id)", "{id, other} <= s",
              "(exists k: Nat. k == id && k != other)", "!(id in {k: Pos | k == other})",
              "(exists k: Pos. k != id)", "id in l ++ [other]"]  # fmt: skip
EFFECTS = ["n = (n + 1) mod 2", "other = {}", "l = tail({} |> l)", "l = if(#l < 2, l <| {}, l)",
           "s = s + {{{}}}", "s = s - {{{}}}", "s = {{{}}}", "h = h[{} -> true]",
           "h = h[{} -> false]"]  # fmt: skip
ACTIONS = ["a({})", "b({}, n)", "c(l)", "d(s)", "a({}) | b({}, 0)", "e({}, {})", "w({})"]
EQUATIONS = ["f(p) = p;", "f(1) = 2; f(2) = 1; f(3) = 3;", "f(1) = 2; f(2) = 3; f(3) = 1;",
             "f(p) = if(p == 1, 2, if(p == 2, 3, if(p == 3, 1, p)));",
             "f(p) = head([p, p]);", "f(1) = 1;", "f(1) = 1; f(2) = 2;"]  # fmt: skip
SPOILT = {
    "terms": ["1", "2", "3"],
    "conditions": ["id != 1", "1 in s", "!(2 in s)", "head(l <| 3) == id"],
    "actions": ["a(n + 1)", "b(id, n) | b(1, 1)"],
    "equations": [
        "f(1) = 1; p != 1 -> f(p) = 2;",
        "f(p) = max(p, 2);",
        "f(p) = p + 0;",
        "f(p) = head([p, 1]);",
    ],
}
"""What treats some of the numbers in a way of its own, or counts."""
STARTS = ["false", "true", "x == 1", "x == 1 || x == 2", "x != 3"]
COMPONENTS = [["11", "22", "33"], ["12", "23", "31"], ["12", "21"], ["11", "22"], ["12", "12"],
              ["13", "23", "33"], ["11", "21"], ["1"]]  # fmt: skip


@st.composite
def specifications(draw):
    spoilt = draw(st.sampled_from([*SPOILT, "", "", "", ""]))

    def one_of(kind, items):
        return draw(st.sampled_from([*items, *(SPOILT[kind] if kind == spoilt else ())]))

    def filled(text):
        while "{}" in text:
            text = text.replace("{}", one_of("terms", TERMS), 1)
        return text.replace("{{", "{").replace("}}", "}")

    steps = []
    for _ in range(draw(st.integers(1, 3))):
        condition = one_of("conditions", CONDITIONS)
        action = filled(one_of("actions", ACTIONS))
        effects = draw(st.lists(st.sampled_from(EFFECTS), max_size=2))
        effects = {effect.partition(" ")[0]: effect for effect in effects}
        given = ", ".join(filled(effect) for effect in effects.values())
        steps.append(f"({condition}) -> ({action}) . P({given})")
    if draw(st.booleans()):
        steps.append("sum k: Pos. (k == id || k in s) -> a(k) . P(other = k)")
    if draw(st.integers(0, 3)) == 0:
        steps.append("sum k: Nat. (k == id) -> w(k) . P()")
    start = draw(st.sampled_from(STARTS if spoilt else STARTS[:2]))
    components = " || ".join(
        f"P({pair[0]}, {pair[-1]}, 0, [], {{}}, lambda x: Pos. {start})"
        for pair in draw(st.sampled_from(COMPONENTS))
    )
    return f"""
    act a: Pos; b: Pos # Nat; c: List(Pos); d: Set(Pos); e: Pos # Pos; w: Nat;
    map f: Pos -> Pos; var p: Pos; eqn {one_of("equations", EQUATIONS)}
    proc P(id: Pos, other: Pos, n: Nat, l: List(Pos), s: Set(Pos), h: Pos -> Bool) =
      {" + ".join(steps)};
    init allow({{a, b, c, d, e, w, a|b}}, {components});"""


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(specifications())
def test_proofs_hold_in_the_whole_system(text):
    try:
        check(text)
    except LtsError:
        return  # too large, or undecided: nothing is claimed
