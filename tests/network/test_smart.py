"""Which parts are put together next: estimates counted step by step, and sets of several parts."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LTS
from lts.equivalence import minimise
from lts.network import Network, compose, reduce
from lts.network.exploration import compose as explored
from lts.network.parts import Parts
from lts.network.smart import MOST, Chooser, rated
from strategies import systems

TAU = "tau"


@st.composite
def synchronised(draw):
    """A network whose vectors have up to four of its components, many of them hidden."""
    count = draw(st.integers(3, 5))
    one = systems(max_states=3, labels=("a", "b", "c"), min_transitions=2, max_transitions=5)
    components = draw(st.lists(one, min_size=count, max_size=count))
    places, labels = st.integers(0, count - 1), st.sampled_from("abc")
    few, most = draw(st.sampled_from(((1, 4), (3, 3))))
    moves = st.dictionaries(places, labels, min_size=few, max_size=most)
    results = st.sampled_from((TAU, TAU, "x", "y"))
    return Network.of(components, draw(st.lists(st.tuples(moves, results), min_size=3, max_size=9)))


def estimated(network, chosen):
    """The share of transitions of the product that only one makes, less that of hidden ones.

    Of the product of all states, reached or not: every way in which some of the chosen components
    may move together is counted in every state. A way is hidden if all vectors that have just these
    labels of the chosen ones have nobody else and are hidden. Labels with the same vectors are one.
    """
    chosen = list(chosen)
    vectors = [
        ({k: network.components[k].labels[n] for k, n in moves}, result)
        for moves, result in network.vectors
    ]

    def contexts(k, label):
        return frozenset(
            (frozenset((o, n) for o, n in moves.items() if o != k), result)
            for moves, result in vectors
            if moves.get(k) == label
        )

    rows = {k: list(network.components[k].transitions()) for k in chosen}
    alive = {
        (k, label)
        for k in range(len(network.components))
        for _, label, _ in network.components[k].transitions()
    }
    vectors = [v for v in vectors if all(move in alive for move in v[0].items())]
    hidden_ways, joint = {}, set()
    for moves, result in vectors:
        inside = {k: moves[k] for k in chosen if k in moves}
        if len(inside) > 1:
            key = frozenset(inside.items())
            joint.add(key)
            is_hidden = len(inside) == len(moves) and result == TAU
            hidden_ways[key] = hidden_ways.get(key, True) and is_hidden
    together = hiding = alone = 0
    sizes = {k: network.components[k].state_count for k in chosen}
    for key in joint:
        ways = 1
        for k in chosen:
            label = dict(key).get(k)
            ways *= sizes[k] if label is None else sum(a == label for _, a, _ in rows[k])
        together += ways
        hiding += ways * hidden_ways[key]
    for k in chosen:
        others = 1
        for other in chosen:
            others *= sizes[other] if other != k else 1
        synchronised = {label for key in joint for place, label in key if place == k}
        alone += others * sum(a not in synchronised for _, a, _ in rows[k])
    return (alone - hiding) / max(together + alone, 1)


@settings(max_examples=200)
@given(synchronised())
def test_estimates_are_counts(network):
    parts = Parts(network, "strong", explored, frozenset())
    for size in range(2, MOST + 1):
        for chosen in combinations(range(len(network.components)), size):
            assert rated(parts, chosen)[0] == estimated(network, chosen)


@settings(max_examples=200)
@given(synchronised())
def test_best_set_sharing_a_vector_is_chosen(network):
    parts = Parts(network, "strong", explored, frozenset())
    chooser = Chooser(parts)
    met = [{*slots} for slots, _ in parts.vectors.values()]
    candidates = {tuple(sorted(one)) for one in met if 1 < len(one) <= MOST}
    candidates |= {pair for one in met for pair in combinations(sorted(one), 2)}
    if candidates:
        best = min(rated(parts, chosen) for chosen in candidates)
        assert rated(parts, chooser.best()) == best
    else:
        assert len(chooser.best()) == 2


SIZES: dict[int, int] = {}


@settings(max_examples=200)
@given(synchronised(), st.sampled_from(("strong", "branching", "weak")))
def test_composing_larger_sets_gives_the_monolithic_result(network, equivalence):
    found = reduce(network, equivalence)
    whole = minimise(compose(network), equivalence)
    assert list(found.lts.transitions()) == list(whole.transitions())
    for part in found.parts:
        SIZES[len(part.children)] = SIZES.get(len(part.children), 0) + 1


def test_random_networks_have_sets_of_several_parts():
    assert SIZES[2] > 10
    assert SIZES[3] > 10


def test_fully_synchronised_components_are_composed_together():
    """Two of them alone do nothing but steps that wait for the third."""
    one = LTS.from_transitions([(n, f"s{n}", (n + 1) % 6) for n in range(6)])
    both = [(dict.fromkeys(range(3), f"s{n}"), TAU) for n in range(6)]
    rest = [(dict.fromkeys((2, 3), f"s{n}"), f"s{n}") for n in range(6)]
    found = reduce(Network.of([one] * 4, both + rest), "branching")
    first = next(step for step in found.steps if len(step.components) > 1)
    assert first.components == (0, 1, 2)
