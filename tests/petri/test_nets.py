"""Nets without variables, their state spaces, sizes and symmetries, against the definition."""

from collections import Counter
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lts.errors import NotProven
from lts.petri import (
    action_of,
    counting,
    counts,
    explore,
    ground,
    net_orbits,
    read_text,
    unfolded,
)
from lts.petri.diagrams import Diagram, Effort
from lts.petri.process import labels_of
from lts.petri.unfolding import labels_repeat
from lts.state_space import Limits, Settings
from lts.symmetry.permutation.notation import Element, Permutation
from naive import coloured_nets as naive

MOST_MARKINGS = 400
MOST_PERMUTATIONS = 40
ORDERS = ("lessthan", "lessthanorequal", "greaterthan", "greaterthanorequal")
OF_NUMBERS = ("lt", "leq", "gt", "geq")


class Maker:
    """Makes a random net; nothing is subtracted that is not there."""

    def __init__(self, random):
        self.random = random
        self.net = naive.Net({"Dot": ("dot",)}, {}, {}, [], one_name=random.random() < 0.3)
        for number in range(random.randint(1, 3)):
            kind = random.choice(["cyclic", "cyclic", "finite", "range"])
            size = random.choice([1, 2, 2, 3, 3])
            if kind == "range":
                first = random.randint(0, 1)
                self.net.sorts[f"C{number}"] = (kind, first, first + size - 1)
            else:
                ending = random.choice(["", number])
                names = tuple(f"{c}{ending}" for c in "abc"[:size])
                self.net.sorts[f"C{number}"] = (kind, names)
        self.classes = [sort for sort in self.net.sorts if sort != "Dot"]
        for number in range(random.randint(0, 2)):
            inside = [s for s in self.net.sorts if s not in ("Dot", "P1")]
            factors = tuple(random.choice(inside) for _ in range(2))
            self.net.sorts[f"P{number}"] = ("product", factors)
        for sort in self.classes:
            every = naive.colours(self.net, sort)
            if self.net.sorts[sort][0] != "range" and len(every) > 1 and random.random() < 0.4:
                at = random.randint(1, len(every) - 1)
                elements = {f"{sort}low": every[:at], f"{sort}high": every[at:]}
                self.net.partitions[f"of{sort}"] = (sort, elements)
        for sort in self.net.sorts:
            if sort != "Dot":
                for letter in "xy" if sort in self.classes else "z":
                    self.net.variables[f"{letter}{sort}"] = sort
        # Few sorts, so that tokens move from place to place.
        sorts = [random.choice([*self.net.sorts, *self.classes]) for _ in range(2)]
        for number in range(random.randint(1, 4)):
            sort = random.choice(sorts)
            held = ("all", sort) if random.random() < 0.4 else self.multiset(sort, [], 1)
            self.net.places[f"p{number}"] = (sort, held if random.random() < 0.8 else None)
        self.used = [
            variable
            for variable, sort in self.net.variables.items()
            if any(sort in self.classes_of(place) for place, _ in self.net.places.values())
        ]
        for number in range(random.randint(1, 3)):
            self.net.transitions.append(self.transition(f"t{number}"))

    def transition(self, name):
        variables = self.random.sample(self.used, min(2, len(self.used)))
        if self.random.random() < 0.1 or not variables:
            variables.append(self.random.choice([*self.net.variables]))
        arcs = [
            [self.arc(variables, depth) for _ in range(self.random.choice(counts))]
            for depth, counts in (
                (1, (0, *[1, 2] * 9)),
                (self.random.choice([0, 0, 1]), (0, 1, 1, 1, 2)),
            )
        ]
        guard = self.guard(variables, 2) if self.random.random() < 0.35 else ("true",)
        return name, guard, *arcs

    def classes_of(self, sort):
        """A sort with the sorts of its parts."""
        kind, *rest = self.net.sorts[sort]
        inside = rest[0] if kind == "product" else ()
        return {sort}.union(*map(self.classes_of, inside))

    def arc(self, variables, depth):
        place = self.random.choice([*self.net.places])
        return place, self.multiset(self.net.places[place][0], variables, depth)

    def multiset(self, sort, variables, depth):
        kind = self.random.random()
        if kind < 0.55 or (depth == 0 and kind < 0.9):
            return self.colour(sort, variables)
        if kind < 0.62:
            return "all", sort
        if self.net.sorts[sort][0] == "product" and kind < 0.68:
            parts = [self.colour(one, variables) for one in self.net.sorts[sort][1]]
            at = self.random.randrange(len(parts))
            parts[at] = ("all", self.net.sorts[sort][1][at])
            return "tuple", *parts
        if depth == 0:
            return self.colour(sort, variables)
        if kind < 0.78:
            return (
                "times",
                self.random.choice([0, 1, 1, 2, 2, 2]),
                self.multiset(sort, variables, 0),
            )
        if kind < 0.86:
            return "add", *(self.multiset(sort, variables, 0) for _ in range(2))
        if kind < 0.93:
            return "subtract", ("all", sort), self.colour(sort, variables)
        one = self.colour(sort, variables)
        if kind < 0.97:
            return "subtract", ("add", self.multiset(sort, variables, 0), one), one
        return "empty", sort

    def colour(self, sort, variables, depth=1):
        """A term for one colour."""
        every = naive.colours(self.net, sort)
        # Classes with the same colours may take each other's variables.
        own = [v for v in variables if naive.colours(self.net, self.net.variables[v]) == every]
        kind = self.net.sorts[sort][0]
        if own and self.random.random() < (0.6 if kind == "cyclic" and depth else 0.92):
            return "variable", self.random.choice(own)
        if kind == "product":
            return "tuple", *(self.colour(one, variables) for one in self.net.sorts[sort][1])
        if kind == "cyclic" and depth and own and self.random.random() < 0.7:
            way = self.random.choice(["successor", "predecessor"])
            own = [v for v in variables if self.net.variables[v] == sort]
            inside = self.colour(sort, own, depth - 1)
            return way, sort, inside
        return "constant", sort, self.random.choice(every)

    def guard(self, variables, depth):
        kind = self.random.choice(["and", "or", "not", "imply", *(["atom"] * 4)])
        if kind == "atom" or depth == 0:
            return self.atom(variables)
        count = {"not": 1, "imply": 2}.get(kind) or self.random.randint(1, 3)
        return kind, *(self.guard(variables, depth - 1) for _ in range(count))

    def atom(self, variables):
        if self.random.random() < 0.05:
            return (self.random.choice(["true", "false"]),)
        sort = self.net.variables[self.random.choice(variables)]
        kind = self.net.sorts[sort][0]
        if f"of{sort}" in self.net.partitions and self.random.random() < 0.5:
            part = f"of{sort}"
            other = ("element", part, self.random.choice([*self.net.partitions[part][1]]))
            if self.random.random() < 0.4:
                other = ("of", part, self.colour(sort, variables))
            relation = self.random.choice(["equality", "inequality", "ltp", "gtp"])
            return relation, part, ("of", part, self.colour(sort, variables)), other
        relations = ["equality", "inequality"] * 2
        if kind != "product":
            relations += ORDERS
        if kind == "range":
            relations += OF_NUMBERS
        terms = self.colour(sort, variables), self.colour(sort, variables)
        return self.random.choice(relations), sort, *terms


# Seeds, and not the small choices that Hypothesis prefers: most nets of these have one marking.
nets = st.integers(0, 2**32 - 1).map(lambda seed: Maker(Random(seed)).net)


def parts(what):
    """The operators in a term or guard."""
    if isinstance(what, tuple) and what:
        yield what[0]
        for part in what[1:]:
            yield from parts(part)


def operators(net):
    for _, guard, takes, puts in net.transitions:
        for part in (guard, *(term for _, term in takes + puts)):
            yield from parts(part)


def assert_same_steps(lts, start, graph):
    """Whether the steps are the same, with numbers instead of markings."""
    rows = {state: [] for state in lts.states}
    for source, label, target in zip(lts.source, lts.label, lts.target, strict=True):
        rows[source].append((lts.labels[label], target))
    markings, waiting = {lts.initial: start}, [lts.initial]
    for state in waiting:  # grows during the loop
        marking = markings[state]
        assert len(rows[state]) == len(graph[marking])
        assert dict(rows[state]).keys() == graph[marking].keys()
        for label, target in rows[state]:
            if target not in markings:
                markings[target] = graph[marking][label]
                waiting.append(target)
            assert markings[target] == graph[marking][label]
    assert set(markings) == set(lts.states)
    assert set(markings.values()) == set(graph)
    assert len({*markings.values()}) == len(markings)


def permutations_of(action):
    """The generators as images of colours of each class."""
    found = []
    for permutation in action.permutations:
        images = {}
        for element, image in permutation.images.items():
            sort = action.classes[element.text]
            assert action.classes[image.text] == sort
            images.setdefault(sort, {})
            images[sort][plain(action, element)] = plain(action, image)
        found.append(images)
    return found


def plain(action, element):
    """The name of a colour, or the number, without its class."""
    text = element.text.removeprefix(f"{action.classes[element.text]}.")
    return int(text) if text.isdecimal() else text


def as_permutation(action, images):
    """A permutation in the notation of the program, from images of colours of each class."""
    by_colour = {
        (sort, plain(action, Element(name))): name for name, sort in action.classes.items()
    }
    moved = {
        by_colour[sort, one]: by_colour[sort, other]
        for sort, row in images.items()
        for one, other in row.items()
        if one != other
    }
    cycles = []
    while moved:
        cycle = [next(iter(moved))]
        while (image := moved.pop(cycle[-1])) != cycle[0]:
            cycle.append(image)
        cycles.append(tuple(map(Element, cycle)))
    return Permutation(tuple(cycles))


def orbit_count(net, group, graph):
    """The number of orbits of markings."""
    left, found = set(graph), 0
    while left:
        marking = left.pop()
        left -= {naive.permuted_marking(net, images, marking) for images in group}
        found += 1
    return found


def images_of_steps(net, images, graph):
    """The steps between markings, as pairs without labels, after a permutation of colours."""
    return {
        (
            naive.permuted_marking(net, images, source),
            naive.permuted_marking(net, images, target),
        )
        for source, row in graph.items()
        for target in row.values()
    }


CLOCK = naive.Net(
    {"H": ("cyclic", ("a", "b", "c"))},
    {"x": "H", "y": "H"},
    {"p": ("H", ("constant", "H", "a")), "q": ("H", ("all", "H"))},
    [
        (
            "go",
            ("true",),
            [("p", ("variable", "x"))],
            [("p", ("successor", "H", ("variable", "x")))],
        ),
        (
            "swap",
            ("inequality", "H", ("variable", "x"), ("variable", "y")),
            [("p", ("variable", "x")), ("q", ("variable", "y"))],
            [("p", ("variable", "y")), ("q", ("variable", "x"))],
        ),
    ],
)
"""A cyclic class, all of whose colours are reached, so that the rotations are no symmetries of the
initial marking."""

NEVER_ALL = naive.Net(
    {"H": ("finite", ("a", "b"))},
    {},
    {
        "p": ("H", ("empty", "H")),
        "q": ("H", None),
    },
    [("t", ("true",), [("p", ("all", "H"))], [("q", ("constant", "H", "a"))])],
)
"""A transition that can never occur and would treat the colours differently."""

ALIKE = naive.Net(
    {"A": ("range", 1, 2), "B": ("range", 1, 2)},
    {"x": "A"},
    {"p": ("A", ("all", "A")), "q": ("B", None)},
    [("t", ("true",), [("p", ("variable", "x"))], [("q", ("variable", "x"))])],
)
"""Two classes with the same colours: a variable of one is put into a place of the other."""

ONE_NAME = naive.Net(
    {"A": ("finite", ("a", "b"))},
    {"x": "A", "y": "A"},
    {"p": ("A", ("all", "A")), "q": ("A", ("all", "A")), "r": ("A", None)},
    [
        (
            "t",
            ("inequality", "A", ("variable", "x"), ("variable", "y")),
            [("p", ("variable", "x")), ("q", ("variable", "y"))],
            [("r", ("variable", "x"))],
        )
    ],
    one_name=True,
)
"""Two variables whose names are the same."""

PAIRS = naive.Net(
    {"A": ("finite", ("a", "b")), "P": ("product", ("A", "A"))},
    {"z": "P"},
    {"p": ("P", ("all", "P")), "q": ("P", None)},
    [("t", ("true",), [("p", ("variable", "z"))], [("q", ("variable", "z"))])],
)
"""A variable of a product."""

ROUNDS = naive.Net(
    {"A": ("range", 1, 2), "B": ("cyclic", ("a", "b")), "P": ("product", ("A", "B"))},
    {"x": "A", "y": "B"},
    {"p": ("P", ("tuple", ("all", "A"), ("constant", "B", "a"))), "q": ("A", None)},
    [
        (
            "t",
            ("inequality", "B", ("variable", "y"), ("constant", "B", "b")),
            [("p", ("tuple", ("variable", "x"), ("variable", "y")))],
            [("p", ("tuple", ("variable", "x"), ("successor", "B", ("variable", "y"))))],
        ),
        (
            "u",
            ("true",),
            [("p", ("tuple", ("all", "A"), ("constant", "B", "b")))],
            [("q", ("all", "A"))],
        ),
    ],
)
"""Pairs, of which the numbers are alike and the letters are not."""

EXAMPLES = [CLOCK, NEVER_ALL, ALIKE, ONE_NAME, PAIRS, ROUNDS]


def with_examples(check):
    for net in EXAMPLES:
        check = example(net)(check)
    return check


X, Y = ("variable", "x"), ("variable", "y")


def one_net(guard=("true",), takes=X, puts=X, kind=("cyclic", ("a", "b", "c"))):
    """A net that moves tokens from p, and pairs to r."""
    every = ("add", ("all", "H"), ("all", "H"))
    pairs = ("tuple", puts, ("add", Y, ("times", 2, ("all", "H"))))
    return naive.Net(
        {"H": kind, "P": ("product", ("H", "H"))},
        {"x": "H", "y": "H"},
        {"p": ("H", every), "q": ("H", ("all", "H")), "r": ("P", None)},
        [("t", guard, [("p", takes), ("q", Y), ("q", X)], [("r", pairs)])],
        {"of": ("H", {"low": ["a"], "high": ["b", "c"]})} if kind[0] != "range" else {},
    )


def constructs():
    """Nets that each have one construct, where it makes a difference."""
    for relation in ("equality", "inequality", *ORDERS):
        for other in (Y, ("constant", "H", "b"), ("predecessor", "H", Y), ("successor", "H", Y)):
            yield one_net(guard=(relation, "H", X, other))
    for relation in ("ltp", "gtp", "equality", "inequality"):
        for other in (("of", "of", Y), ("element", "of", "low"), ("element", "of", "high")):
            yield one_net(guard=(relation, "of", ("of", "of", X), other))
    for relation in (*ORDERS, *OF_NUMBERS):
        for other in (Y, ("constant", "H", 5)):
            yield one_net(guard=(relation, "H", X, other), kind=("range", 4, 6))
    is_a, is_b = (("equality", "H", X, ("constant", "H", c)) for c in "ab")
    is_c = ("equality", "H", Y, ("constant", "H", "c"))
    yield one_net(guard=("not", is_a))
    for junction in ("and", "or", "imply"):
        yield one_net(guard=(junction, is_a, is_c))
        yield one_net(guard=("not", (junction, is_b, ("not", is_c))))
    for term in (
        ("times", 2, X),
        ("times", 0, X),
        ("add", X, Y),
        ("all", "H"),
        ("empty", "H"),
        ("subtract", ("all", "H"), X),
        ("subtract", ("add", X, ("times", 2, Y)), Y),
        ("subtract", ("add", ("times", 2, X), ("times", 2, Y)), ("add", Y, Y)),
        ("successor", "H", X),
        ("predecessor", "H", X),
    ):
        yield one_net(takes=term)
        yield one_net(puts=term)
        yield one_net(takes=term, puts=("times", 2, term), guard=("lessthan", "H", X, Y))


@pytest.mark.parametrize("net", [*constructs()])
def test_constructs_match_definition(net):
    assert_as_defined(net, Counter())


def test_state_spaces_and_sizes_match_definition():
    reached = Counter()

    @settings(max_examples=2 * settings.default.max_examples)
    @with_examples
    @given(nets)
    def check(net):
        assert_as_defined(net, reached)

    check()
    for part in ("several", "orbits", "diagram", "states", "sort product", "sort range"):
        assert reached[part], part
    for part in ("variable", "all", "successor", "tuple", "inequality"):
        assert reached[part], part


def assert_as_defined(net, reached):
    """Whether the net without variables, the state space and its sizes are those of the
    definition."""
    every = naive.firings(net)
    spots, kept = naive.possible(net, every)
    grounded = ground(read_text(naive.written(net)))
    assert len(grounded.spots) == len(spots)
    assert len(grounded.firings) == len(kept)
    graph = naive.markings(net, every, MOST_MARKINGS)
    if graph is None:
        limited = Settings(limits=Limits(states=MOST_MARKINGS))
        assert explore(grounded, limited).incomplete == "states"
        reached["large"] += 1
        return
    found = explore(grounded)
    assert found.incomplete is None
    assert_same_steps(found.lts, naive.initial(net), graph)
    transitions = sum(map(len, graph.values()))
    assert found.statistics.states == len(graph)
    assert found.statistics.transitions == transitions
    assert found.statistics.deadlocks == sum(not row for row in graph.values())

    sizes = (
        len(graph),
        transitions,
        max(sum(count for _, count in marking) for marking in graph),
        max((count for marking in graph for _, count in marking), default=0),
    )
    assert_counts(grounded, sizes, reached)
    reached["several"] += len(graph) > 1
    reached.update({*operators(net)})
    reached.update(f"sort {kind[0]}" for kind in net.sorts.values())


def assert_counts(grounded, sizes, reached):
    """Whether each of the three ways to count leads to the sizes."""
    action = action_of(grounded)
    with pytest.MonkeyPatch.context() as patch:
        ways = [counts(grounded), counts(grounded, action)]
        patch.setattr(counting, "FEW_ORBITS", 0)
        patch.setattr(counting, "BY_MARKINGS", (Effort(0, 10**6),))
        patch.setattr(counting, "BY_ORBITS", (Effort(0, 10**6),))
        ways += [counts(grounded), counts(grounded, action)]
        # Nets for which diagrams are too large have many markings.
        patch.setattr(Diagram, "of", lambda *_: None)
        ways.append(counts(grounded))
    for found in ways:
        assert (found.states, found.transitions, found.marking, found.place) == sizes, found.by
        reached[found.by] += 1
    moved = "orbits" if action.order > 1 else "states"
    # The initial marking is visited whatever the limit.
    alone = "diagram" if sizes[0] > 1 else "states"
    expected = ["states", moved, alone, alone, "states"]
    assert [found.by for found in ways] == expected


def test_symmetries_match_definition():
    reached = Counter()

    @with_examples
    @given(nets)
    def check(net):
        every = naive.firings(net)
        group = naive.symmetries(net, every)
        grounded = ground(read_text(naive.written(net)))
        if labels_of(grounded) is not None:
            return  # classes without tokens or variables: `test_automorphisms.py`
        action = action_of(grounded)
        assert action.order == len(group)
        graph = naive.markings(net, every, MOST_MARKINGS)
        for images in permutations_of(action):
            assert any(is_same(net, images, one) for one in group)
            if graph is not None:
                assert images_of_steps(net, images, graph) == images_of_steps(net, {}, graph)
        for images in [*naive.all_permutations(net)][:MOST_PERMUTATIONS]:
            one = as_permutation(action, images)
            if images in group:
                assert action_of(grounded, [one]).order == one.order
                reached["accepted"] += bool(one.cycles)
            else:
                with pytest.raises(NotProven):
                    action_of(grounded, [one])
                reached["refused"] += 1
        if graph is None:
            return
        found = net_orbits(action)
        assert found.orbits == orbit_count(net, group, graph)
        assert found.states == len(graph)
        assert found.transitions == sum(map(len, graph.values()))
        assert found.deadlocks == sum(not row for row in graph.values())
        reached["trivial" if len(group) == 1 else "symmetric"] += 1
        reached["fewer"] += found.orbits < len(graph)

    check()
    for part in ("accepted", "refused", "trivial", "symmetric", "fewer"):
        assert reached[part], part


def is_same(net, images, other):
    """Whether two permutations of colours are equal."""
    return all(
        naive.permuted(net, images, sort, colour) == naive.permuted(net, other, sort, colour)
        for sort in naive.classes(net)
        for colour in naive.colours(net, sort)
    )


def test_unfoldings_have_the_same_steps():
    reached = Counter()

    @with_examples
    @given(nets)
    def check(net):
        grounded = ground(read_text(naive.written(net)))
        text = unfolded(grounded)
        plain = ground(read_text(text, labels="name" if labels_repeat(grounded) else "id"))
        assert all(len(place.sort) == 1 for place in plain.net.places.values())
        assert unfolded(plain) == text
        limited = Settings(limits=Limits(states=MOST_MARKINGS))
        one, other = (explore(each, limited) for each in (grounded, plain))
        assert one.incomplete == other.incomplete
        if one.incomplete is not None:
            return
        assert [*other.lts.source] == [*one.lts.source]
        assert [*other.lts.target] == [*one.lts.target]
        labels = [one.lts.labels[number] for number in one.lts.label]
        expected = [text.replace("(", ".").replace(",", ".").rstrip(")") for text in labels]
        assert [other.lts.labels[number] for number in other.lts.label] == expected
        # Permutations of colours are symmetries of the places, too.
        fewer, more = (net_orbits(action_of(each)).orbits for each in (plain, grounded))
        assert fewer <= more
        reached["steps"] += one.lts.transition_count > 0
        reached["fewer"] += fewer < one.lts.state_count

    check()
    assert reached["steps"], reached
    assert reached["fewer"], reached
