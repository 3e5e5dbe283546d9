"""The steps of a run that was found on orbits: what each of them is the image of.

The definition works on texts. A permutation maps a state, a closed process term, and a label by
exchanging the names of ids. The states that it leads back to are the representatives if they are
one in each orbit; and the step of a representative has to be one of its steps.
"""

import re
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exchangeable import STEP, text
from lts import LTS
from lts.logic import check_orbits, check_process
from lts.mucrl import generate, linearise, read_text
from lts.network import Network, action_of, network_orbits
from lts.state_space.settings import Goals, Settings
from lts.symmetry import (
    RELATIONS,
    certified_quotient,
    check,
    count_orbits,
    parse_permutation,
    refines_on_orbits,
)
from lts.symmetry.data.certify import STRATEGIES
from naive.mucrl import Interpreter
from strategies import examples
from structures import GROUPS

ID = re.compile(r"\bp[123]\b")
IDS = ("p1", "p2", "p3")
FIRST = [
    (0, "u", None, 1, ("some(p)", "none")),
    (1, "v", ("a", False), 2, ("a", "some(p)")),
    (2, "h", ("b", True), 1, ("b", "none")),
]
"""Steps along which one id takes the place of another, again and again."""
SEVERAL = st.lists(STEP, max_size=3).map(FIRST.__add__)


def read(permutation):
    """The images of ids under a permutation in cycle notation."""
    assert re.fullmatch(r"\(\)|(\(p\d( p\d)+\) ?)+", permutation), permutation
    images = {}
    for cycle in re.findall(r"\(([^)]*)\)", permutation):
        ids = cycle.split()
        images |= dict(zip(ids, ids[1:] + ids[:1], strict=True))
    return images


def moved(images, what):
    return ID.sub(lambda found: images.get(found[0], found[0]), what)


def moved_back(images, what):
    return moved({image: one for one, image in images.items()}, what)


def shown_state(term):
    """A state as text, without the places of calls in the specification."""
    return re.sub(r"place=\(\d+, \d+\)", "", repr(term))


class Runs:
    """Runs of a process, with the states of each orbit that its permutations lead back to."""

    def __init__(self, specification, group):
        self.interpreter = Interpreter(specification)
        self.group = [dict(zip(IDS, (f"p{k}" for k in g), strict=True)) for g in group]
        self.representatives = defaultdict(set)
        self.visited = defaultdict(set)

    def steps(self, term):
        for action, arguments, rest in () if term is None else self.interpreter.steps(term):
            label = action or "tau"
            yield label + (f"({','.join(map(str, arguments))})" if arguments else ""), rest

    def check(self, labels, preimages, counts, *, least=True):
        """Check the preimages of a run, with its states as long as the labels determine them."""
        assert len(labels) == len(preimages)
        counts["moved labels"] += labels != [one.label for one in preimages]
        state = self.interpreter.specification.initial
        for label, preimage in zip(labels, preimages, strict=True):
            images = read(preimage.permutation)
            assert moved(images, preimage.label) == label
            if state is None:
                continue
            shown = shown_state(state)
            first = moved_back(images, shown)
            assert moved_back(images, label) == preimage.label
            assert not (least and images and first == shown)
            orbit = frozenset(moved(g, shown) for g in self.group)
            self.representatives[orbit].add(first)
            self.visited[orbit].add(shown)
            targets = {
                shown_state(rest): rest for other, rest in self.steps(state) if other == label
            }
            assert targets
            state = next(iter(targets.values())) if len(targets) == 1 else None

    def agree(self, counts):
        """Check that the representative of an orbit does not depend on the state. Registers that
        are not read may differ: the representatives are compared modulo strong bisimulation."""
        if any(len(states) > 1 for states in self.representatives.values()):
            number = self.classes()
            for states in self.representatives.values():
                assert len({number[state] for state in states}) == 1
        counts["visited twice"] += any(len(states) > 1 for states in self.visited.values())

    def classes(self):
        """The number of the class of each state modulo strong bisimulation."""
        initial = self.interpreter.specification.initial
        found, waiting = {}, [initial]
        while waiting:
            state = waiting.pop()
            if shown_state(state) not in found:
                steps = list(self.steps(state))
                found[shown_state(state)] = {(label, shown_state(rest)) for label, rest in steps}
                waiting += [rest for _, rest in steps]
        number = dict.fromkeys(found, 0)
        while True:
            seen = {
                s: (number[s], frozenset((a, number[t]) for a, t in steps))
                for s, steps in found.items()
            }
            names = {colour: n for n, colour in enumerate(dict.fromkeys(seen.values()))}
            if len(names) == len({*number.values()}):
                return number
            number = {s: names[one] for s, one in seen.items()}


def read_process(steps):
    specification = read_text(text(steps))
    return specification, linearise(specification)


GENERATORS = {name: [parse_permutation(one) for one in GROUPS[name][0]] for name in GROUPS}
GROUP = st.sampled_from(sorted(GROUPS))
OPTIONS = st.builds(Settings, strategy=st.sampled_from(STRATEGIES), threads=st.integers(1, 2))


def test_traces_of_a_search():
    counts = Counter()

    @settings(max_examples=examples(1))
    @given(SEVERAL, GROUP, OPTIONS, st.sampled_from([None, 1, 2]), st.permutations(IDS))
    def search(steps, group, options, node_limit, ids):
        specification, process = read_process(steps)
        options = Settings(
            strategy=options.strategy, threads=options.threads, node_limit=node_limit
        )
        # Of each orbit of labels the one with this id, to which the path is moved.
        expected = {"w", "tau", *(f"{a}({i})" for a, i in zip("uvh", ids, strict=True))}
        goals = Goals(deadlocks=True, find=expected.__contains__)
        found = count_orbits(process, GENERATORS[group], options, goals)
        runs = Runs(specification, GROUPS[group][1])
        for trace in found.traces:
            labels = [step.label for step in trace.steps]
            runs.check(labels, trace.preimages, counts, least=not found.approximate)
        counts["approximate"] += found.approximate > 0
        if not found.approximate:
            runs.agree(counts)

    search()
    assert all(counts[what] > 0 for what in ("moved labels", "visited twice", "approximate"))


def test_counterexamples_to_refinement():
    counts = Counter()

    @settings(max_examples=examples(2))
    @given(SEVERAL, st.integers(2, 6), GROUP, OPTIONS, st.sampled_from(RELATIONS))
    def refine(steps, allowed, group, options, name):
        specification, process = read_process(steps)
        large = generate(read_text(text(steps[:allowed])))
        found = refines_on_orbits(large, process, name, GENERATORS[group], options)
        if found.counterexample is not None:
            shown = found.counterexample
            labels = [step.label for step in shown.steps]
            Runs(specification, ()).check(labels, shown.preimages, counts, least=False)

    refine()
    assert counts["moved labels"] > 0


FORMULAS = (
    "A F w",
    "A F h(p3)",
    "A G (v(p3) => F h(p2))",
    "A G !v(p2)",
    "E G F u(p1)",
    "A G (u(p1) => F v(p1))",
    "[true*.u(p2)]false",
    "<true*.v(p3)>true",
    "mu X. <true>true && [!w]X",
    "nu X. <!w>X",
)


def test_paths_that_prove_formulas():
    counts = Counter()

    @settings(max_examples=examples(2))
    @given(SEVERAL, GROUP, OPTIONS, st.sampled_from(FORMULAS))
    def decide(steps, group, options, formula):
        specification, process = read_process(steps)
        found = check_process(process, formula, GENERATORS[group], options, evidence=True)
        if found.path is not None:
            labels = [label for _, label, _ in found.path.steps]
            runs = Runs(specification, GROUPS[group][1])
            runs.check(labels, found.path.preimages, counts, least=False)
            # A formula with ids is checked on orbits of pairs of a state and a part of it.
            if not ID.search(formula):
                runs.agree(counts)

    decide()
    assert counts["moved labels"] > 0
    assert counts["visited twice"] > 0


def test_paths_over_quotients():
    counts = Counter()
    formulas = [formula for formula in FORMULAS if not ID.search(formula)]

    @settings(max_examples=examples(2))
    @given(SEVERAL, GROUP, st.sampled_from([*formulas, "A G !v(...)", "E G F u(...)"]))
    def decide(steps, group, formula):
        specification, process = read_process(steps)
        quotient = certified_quotient(process, GENERATORS[group]).quotient
        found = check_orbits(quotient, formula)
        if found.path is not None:
            labels = [label for _, label, _ in found.path.steps]
            runs = Runs(specification, GROUPS[group][1])
            runs.check(labels, found.path.preimages, counts, least=False)
            if len({*ID.findall(str(quotient.labels))}) == 3:
                runs.agree(counts)

    decide()
    assert counts["moved labels"] > 0
    assert counts["visited twice"] > 0


def image(permutation, label):
    """The image of a label under a permutation of labels or of numbers in them."""
    images = {}
    for cycle in re.findall(r"\(((?:[^()\"]|\"[^\"]*\")*)\)", permutation.partition(" in ")[0]):
        elements = re.findall(r'"[^"]*"|[^ "]+', cycle)
        images |= dict(zip(elements, elements[1:] + elements[:1], strict=True))
    whole = images.get(f'"{label}"')
    if whole is not None:
        return whole.strip('"')
    return re.sub(r"\d+", lambda found: images.get(found[0], found[0]), label)


def test_traces_of_a_network():
    user = LTS.from_transitions([(0, "try", 1), (1, "enter", 2), (2, "leave", 3)])
    vectors = [({k: a}, f"{a}({k})") for k in range(3) for a in ("try", "enter", "leave")]
    network = Network.of([user] * 3, vectors)
    moved = 0
    for expected in ("leave(0)", "leave(2)"):
        goals = Goals(find=expected.__eq__, enough=1)
        [trace] = network_orbits(action_of(network), goals=goals).traces
        assert len(trace.steps) == len(trace.preimages) == 3
        for step, preimage in zip(trace.steps, trace.preimages, strict=True):
            assert image(preimage.permutation, preimage.label) == step.label
            moved += preimage.is_moved
    assert moved > 0


@pytest.mark.parametrize(
    ("labels", "permutation"),
    [
        (("a", "b"), '("a" "b")'),
        (("go 1", "go 2", "go 3"), '("go 1" "go 2" "go 3")'),
        (("t(1)", "t(2)", "t(3)"), "(1 2 3)"),
        (("t(1,1)", "t(2,1)", "t(3,1)"), "(1 2 3) in t(*,_)"),
    ],
)
def test_paths_over_quotients_of_an_lts(labels, permutation):
    count = len(labels)
    rows = [(0, label, number) for number, label in enumerate(labels, 1)]
    rows += [(k + 1, labels[(k + 1) % count], (k + 1) % count + 1) for k in range(count)]
    found = check(LTS.from_transitions(rows), parse_permutation(permutation))
    path = check_orbits(found.quotient, "E G X true").path
    moves = 0
    for (_, label, _), preimage in zip(path.steps, path.preimages, strict=True):
        assert preimage.permutation.partition(" in ")[2] == permutation.partition(" in ")[2] or (
            not preimage.is_moved
        )
        own = re.sub(r",1\)", ")", preimage.label), re.sub(r",1\)", ")", label)
        assert image(preimage.permutation, own[0]) == own[1]
        moves += preimage.is_moved
    assert moves > 0
