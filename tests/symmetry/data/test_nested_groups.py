"""Groups of groups: clients of servers of regions, with identities that index identities, against
orbits found by renaming the content of all states.

Every state of a text has loops that tell its content, so that the labels of the loops are the
state. An element of the group renames them, and nothing else is needed to know the orbits.
"""

import itertools
import math
import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LimitReached
from lts.certificates import reduction_certificate
from lts.mucrl import generate, linearise, read_text
from lts.state_space.settings import Settings
from lts.symmetry import (
    certified_quotient,
    find_in_specification,
    parse_permutation,
    reduce,
    write_reduction,
)
from naive.groups import closure
from strategies import examples
from verifier import holds, is_reduction, mutated, written

TREES = (
    [[2, 2]],
    [[3, 3]],
    [[2, 2, 2]],
    [[1, 1, 1, 1]],
    [[2, 2, 1]],
    [[1, 1], [1, 1]],
    [[2, 1], [2, 1]],
    [[2, 2], [1]],
    [[2], [2], [2]],
    [[1, 1], [1, 1], [1]],
)
"""For each region the numbers of clients of its servers."""

STORES = {
    "": ("", [], [], []),
    "Array of Client, Phase": ("filled_Store(idle)", "c",
        ["set(t,x,busy)", "set(t,x,idle)", "set(set(t,x,busy),z,idle)"],
        ["eq(get(t,x),busy)", "eq(get(t,x),idle)", "eq(get(t,x),get(t,z))"]),
    "Map of Server, Client": ("empty_Store", "m",
        ["set(t,y,x)", "set(t,server(x),x)", "remove(t,y)", "remove(t,server(x))"],
        ["contains(t,y)", "not(contains(t,y))", "not(contains(t,server(x)))"]),
    "Map of Client, Client": ("empty_Store", "n",
        ["set(t,x,z)", "set(set(t,x,z),z,x)", "remove(t,x)", "set(t,x,x)"],
        ["contains(t,x)", "not(contains(t,z))", "eq(get(set(t,x,z),x),z)"]),
    "Set of Server": ("empty_Store", "s",
        ["insert(t,y)", "remove(t,server(x))", "insert(t,server(x))"],
        ["contains(t,y)", "not(contains(t,server(x)))"]),
}  # fmt: skip
"""For each kind of store: its beginning, how its content is told, what steps make of it, and
conditions on it."""

TOLD = {
    "c": "sum(x:Client, has(x,get(t,x)).X(c,s,t))",
    "m": "sum(y:Server, has(y,get(t,y)).X(c,s,t) <| contains(t,y) |> delta)",
    "n": "sum(x:Client, has(x,get(t,x)).X(c,s,t) <| contains(t,x) |> delta)",
    "s": "sum(y:Server, has(y,contains(t,y)).X(c,s,t))",
}
CONDITIONS = [
    *("T", "eq(server(x),y)", "not(eq(server(x),y))", "eq(server(x),server(z))", "not(eq(x,z))"),
    *("eq(region(y),region(server(x)))", "not(eq(region(server(x)),region(server(z))))"),
    *("eq(c,some(x))", "eq(c,none)", "eq(s,y)", "eq(s,server(x))", "not(eq(region(s),region(y)))"),
]
LABELS = ("tau", "a", "b(x)", "d(y)", "e(x,z)", "f(region(y))")


@st.composite
def texts(draw):
    tree = draw(st.sampled_from(TREES))
    regions = [f"r{k}" for k in range(1, len(tree) + 1)]
    servers = {f"s{k}": (regions[r], size) for k, (r, size) in enumerate(
        ((r, size) for r, sizes in enumerate(tree) for size in sizes), 1)}  # fmt: skip
    clients = {}
    for name, (_, size) in servers.items():
        for _ in range(size):
            clients[f"c{len(clients) + 1}"] = name
    kind = draw(st.sampled_from([*STORES]))
    begin, reported, updates, tests = STORES[kind]
    conditions = st.sampled_from((*CONDITIONS, *tests))
    steps = []
    for _ in range(draw(st.integers(1, 3))):
        client = draw(st.sampled_from(["c", "c", "none", "some(x)", "some(z)"]))
        server = draw(st.sampled_from(["s", "s", "y", "server(x)"]))
        store = draw(st.sampled_from(("t", *updates))) if kind else "t"
        call = f"X({client},{server},{store})"
        step = f"{draw(st.sampled_from(LABELS))}.{call}"
        for condition in draw(st.lists(conditions, min_size=1, max_size=2)):
            step = f"({step} <| {condition} |> delta)"
        steps.append(f"sum(x:Client, sum(z:Client, sum(y:Server, {step})))")
    steps.append("at(c).X(c,s,t) + on(s).X(c,s,t)")
    if kind:
        steps.append(TOLD[reported])
    rules = [f"server({c}) = {s}" for c, s in clients.items()]
    rules += [f"region({s}) = {r}" for s, (r, _) in servers.items()]
    body = " + ".join(steps)
    text = f"""%@ include Nat
%@ include Enum of {",".join(clients)} as Client
%@ include Enum of {",".join(servers)} as Server
%@ include Enum of {",".join(regions)} as Region
%@ include Enum of idle,busy as Phase
{f"%@ include {kind} as Store" if kind else "sort Store func nothing: -> Store"}
sort Maybe func none: -> Maybe some: Client -> Maybe
map eq: Maybe#Maybe -> Bool server: Client -> Server region: Server -> Region
var k,l: Maybe rew eq(k,k) = T eq(k,l) = F {" ".join(rules)}
act a start: Server b: Client d: Server e: Client#Client f: Region at: Maybe on: Server
    has: Client#Phase has: Server#Client has: Client#Client has: Server#Bool
proc X(c: Maybe, s: Server, t: Store) = {body}
init sum(s: Server, start(s).X(none,s,{begin or "nothing"}))
"""
    return text, tree_of(clients, servers)


def tree_of(clients, servers):
    """Return the tree as nested lists of pairs of a name and its children."""
    regions = dict.fromkeys(r for r, _ in servers.values())
    return [
        (r, [(s, [(c, []) for c, of in clients.items() if of == s])
             for s, (of, _) in servers.items() if of == r])
        for r in regions
    ]  # fmt: skip


def shape(node):
    return sorted(shape(child) for child in node[1])


def maps(ones, others):
    """Yield all maps of names that take one list of trees to another one, in any order."""
    for images in itertools.permutations(others):
        pairs = [*zip(ones, images, strict=True)]
        if all(shape(one) == shape(image) for one, image in pairs):
            inside = [[*maps(one[1], image[1])] for one, image in pairs]
            for chosen in itertools.product(*inside):
                found = {one[0]: image[0] for one, image in pairs}
                for part in chosen:
                    found |= part
                yield found


def order(trees):
    """Return the number of automorphisms by the formula: a product over sets of equal subtrees."""
    sizes = Counter(str(shape(tree)) for tree in trees)
    return math.prod(math.factorial(n) for n in sizes.values()) * math.prod(
        order(children) for _, children in trees
    )


def in_cycles(images):
    """Return a map of names as the text of a permutation."""
    left, cycles = dict(images), []
    while left:
        one = [next(iter(left))]
        while (image := left.pop(one[-1])) != one[0]:
            one.append(image)
        if len(one) > 1:
            cycles.append(f"({' '.join(one)})")
    return " ".join(cycles) or "()"


def generating(elements):
    """Return some of the elements of a group that generate it."""
    names, chosen = tuple(elements[0]), []
    while len(closure({names}, chosen)) < len(elements):
        known = closure({names}, chosen)
        chosen.append(
            next(element for element in elements if tuple(map(element.get, names)) not in known)
        )
    return chosen


def orbits(system, elements):
    """Return the number of orbits of states, by renaming the loops that tell their content."""
    loops = [[] for _ in range(system.state_count)]
    for source, label, target in system.transitions():
        if label[:3] in ("at(", "on(", "has"):
            assert source == target
            loops[source].append(label)
    contents = [frozenset(loop) for loop in loops]
    assert len({*contents}) == len(contents)
    tables = [
        {
            label: re.sub(
                r"\w+", lambda word, element=element: element.get(word[0], word[0]), label
            )
            for label in system.labels
        }
        for element in elements
    ]
    known = {content: number for number, content in enumerate(contents)}
    orbit = {}
    for number, content in enumerate(contents):
        if number not in orbit:
            for table in tables:
                image = known[frozenset(table[label] for label in content)]
                orbit[image] = number
    assert len(orbit) == len(contents)
    return len({*orbit.values()})


def test_nested_group_orbits_match_definition(tmp_path):
    reached = Counter()

    @settings(max_examples=examples(0.6))
    @given(texts(), st.sampled_from(["refine", "enumerate"]), st.integers(0, 3), st.data())
    def are_orbits(drawn, strategy, chosen, data):
        text, trees = drawn
        process = linearise(read_text(text))
        try:
            system = generate(process, max_states=300)
        except LimitReached:
            return
        elements = [*maps(trees, trees)]
        assert len(elements) == order(trees)
        expected = orbits(system, elements)
        generators = [parse_permutation(in_cycles(one)) for one in generating(elements)]
        found = certified_quotient(process, generators, Settings(strategy=strategy))
        assert found.quotient.orbits == expected
        reached["all"] += 1
        reached["reduced"] += 2 * expected < system.state_count
        if 1 < system.state_count < 40 and len(elements) < 50:
            reduction = reduce(system, generators)
            write_reduction(reduction.encoding, reduction.symmetry, tmp_path / "e.aut")
            files = [written(tmp_path, "s.aut", system), str(tmp_path / "e.aut")]
            certificate = reduction_certificate(system, reduction)
            assert holds(certificate, files)
            changed = mutated(data, certificate)
            rows = list(reduction.encoding.transitions())
            assert not holds(changed, files) or is_reduction(changed, system, rows)
            reached["certified"] += 1
            reached["rejected"] += not holds(changed, files)
        if chosen == 0:
            # What is found by itself is that group or a larger one.
            own = find_in_specification(process)
            larger = certified_quotient(process, own.generators).quotient
            assert larger.orbits <= expected

    are_orbits()
    assert all(reached[what] > 0 for what in ("reduced", "certified", "rejected")), reached


def test_search_finds_groups_over_ordered_library_values():
    """Servers have numbers, on which maps and orders rely, and clients have servers."""
    text = """%@ include Enum of c1..c4 as Client
%@ include Enum of s1,s2 as Server
%@ include Map of Server, Client as Store
map server: Client -> Server
rew server(c1) = s1 server(c2) = s1 server(c3) = s2 server(c4) = s2
act b: Client on: Server
proc X(s:Server, t:Store) =
  sum(x:Client, b(x).X(s,set(t,server(x),x)) <| and(eq(s,server(x)),not(contains(t,s))) |> delta)
init sum(s:Server, on(s).X(s,empty_Store))
"""
    assert find_in_specification(linearise(read_text(text))).order == 8
    # A condition that relies on the order, and always holds.
    ordered = text.replace(
        "eq(s,server(x))", "and(eq(s,server(x)),or(le(s,server(x)),lt(server(x),s)))"
    )
    assert find_in_specification(linearise(read_text(ordered))).order == 8
