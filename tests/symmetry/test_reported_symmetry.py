"""What commands say of a group and of traces is true, as the whole system tells: by its definition.

An answer that is found early must not call a group proven that is none, what is no witness refutes
nothing, and what is called shortest is that.
"""

import io
import itertools
import json
import os
import re
import sys
import tomllib
from collections import Counter

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

import aut_format
from exchangeable import ODD, STEP, text
from lts import LTS
from lts.mucrl import generate, linearise, read_text
from lts.symmetry import find_in_specification
from ltstool.main import main
from strategies import examples

IDS = ("p1", "p2", "p3")
PERMUTATIONS = {
    "(p1 p2)": dict(zip(IDS, ("p2", "p1", "p3"), strict=True)),
    "(p2 p3)": dict(zip(IDS, ("p1", "p3", "p2"), strict=True)),
    "(p1 p2 p3)": dict(zip(IDS, ("p2", "p3", "p1"), strict=True)),
}
NONE = re.compile(r"`([^`]*)` is no symmetry$", re.MULTILINE)
PROVEN = re.compile(r"of order \d+, (proven|shown)")


def said(*words):
    """Run a command; return its exit code and all that it wrote, answers first."""
    kept = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    try:
        code = main([*map(str, words)])
        written = []
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            written.append(stream.buffer.getvalue().decode())
    finally:
        sys.stdout, sys.stderr = kept
    return code, *written


class Truth:
    """What the definitions say of a system: a list of transitions from state 0."""

    def __init__(self, system):
        self.rows = set(system)
        self.graph = self.drawn(lambda label: label)
        self.distance, waiting = {0: 0}, [0]
        for state in waiting:
            for s, _, t in self.rows:
                if s == state and t not in self.distance:
                    self.distance[t] = self.distance[s] + 1
                    waiting.append(t)

    def drawn(self, renamed):
        graph = networkx.DiGraph()
        graph.add_node(0, first=True)
        for s, a, t in self.rows:
            for state in (s, t):
                graph.add_node(state, first=state == 0)
            if not graph.has_edge(s, t):
                graph.add_edge(s, t, labels=set())
            graph.edges[s, t]["labels"].add(renamed(a))
        return graph

    def has(self, images):
        """Whether an automorphism goes with a permutation of ids in labels."""
        image = self.drawn(lambda label: re.sub(r"p\d", lambda found: images[found[0]], label))
        return networkx.is_isomorphic(
            self.graph,
            image,
            node_match=lambda one, other: one["first"] == other["first"],
            edge_match=lambda one, other: one["labels"] == other["labels"],
        )

    def nearest(self, expected):
        """The length of a shortest trace that ends with such a label, if there is one."""
        return min((self.distance[s] + 1 for s, a, _ in self.rows if expected(a)), default=None)

    def nearest_deadlock(self):
        ends = self.distance.keys() - {s for s, _, _ in self.rows}
        return min((self.distance[state] for state in ends), default=None)


def compare_with(truth, symmetric, answer, code, out, err, counts):
    """Check the words, and that an answer is right; `answer` is the exit code that is."""
    everything = out + err
    if NONE.search(everything):
        assert not symmetric, everything
        counts["refuted"] += 1
    if PROVEN.search(everything):
        assert symmetric, everything
        counts["proven"] += 1
    if "answered after exploring a part" in everything:
        counts["early"] += 1
        counts["early, of none"] += not symmetric
    assert code in (answer, 2, 3), everything
    if code == 2:
        assert NONE.search(everything), everything
    counts["answered"] += code == answer


def test_reported_orbit_facts_match_definition(tmp_path):
    counts = Counter()
    file, allowed = tmp_path / "s.mcrl", tmp_path / "allowed.aut"

    @settings(max_examples=examples(0.6), deadline=None)
    @given(
        st.lists(STEP, min_size=2, max_size=6),
        st.lists(ODD, max_size=2),
        st.sampled_from(sorted(PERMUTATIONS)),
        st.sampled_from(["u", "v", "h", "w"]),
    )
    def check(steps, odd, permutation, action):
        specification = text(steps, odd)
        system = generate(read_text(specification))
        if system.state_count > 60:
            return
        file.write_text(specification)
        truth = Truth(system)
        symmetric = truth.has(PERMUTATIONS[permutation])
        counts["examples"] += 1
        counts["symmetric"] += symmetric
        options = ("--symmetry", permutation, "-v")

        def is_wanted(label):
            return label.partition("(")[0] == action

        def judge(answer, *words):
            code, out, err = said(*words)
            compare_with(truth, symmetric, answer, code, out, err, counts)
            return code, out

        nearest = truth.nearest(is_wanted)
        found = int(nearest is None)
        code, out = judge(
            found, "generate", file, "--find", action, "--json", "--traces", 1, *options
        )
        if code == 0:
            assert [len(trace["steps"]) for trace in json.loads(out)["traces"]] == [nearest], out
        dead = truth.nearest_deadlock()
        words = ("generate", file, "--deadlocks", "--json", "--traces", 1, *options)
        code, out = judge(int(dead is None), *words)
        if code == 0:
            assert [len(trace["steps"]) for trace in json.loads(out)["traces"]] == [dead], out
        holds = any(s == 0 and is_wanted(a) for s, a, _ in truth.rows)
        formula = "<w>true" if action == "w" else f"<{action}(...)>true"
        judge(int(not holds), "check", file, formula, *options)
        judge(found, "check", file, formula.replace("<", "<true*."), *options)
        # What is allowed must be symmetric itself.
        rest = {a for _, a, _ in truth.rows if not is_wanted(a)} - {"tau"}
        rest |= {re.sub(r"p\d", other, label) for label in rest for other in IDS}
        aut_format.write(LTS.from_transitions([(0, a, 0) for a in rest], state_count=1), allowed)
        words = ("compare", allowed, file, "--preorder", "trace", "--json", *options)
        visible = truth.nearest(lambda label: is_wanted(label) or label == "tau")
        code, out = judge(int(visible is not None), *words)
        if code == 1:
            assert len(json.loads(out)["evidence"]["trace"]) == visible, out
        code, out, err = said("check-symmetry", file, "--symmetry", permutation)
        assert code in (0, 1, 3)
        if code != 3:
            assert (code == 0) == symmetric, out + err
        counts["decided"] += code != 3

    check()
    reported = dict(counts)
    few = counts["examples"] / 20
    assert min(counts["symmetric"], counts["examples"] - counts["symmetric"]) >= few, reported
    assert min(counts["proven"], counts["refuted"], counts["early"]) >= few, reported
    assert counts["early, of none"] >= few / 2, reported
    assert counts["decided"] >= 14 * few, reported


def test_reported_generators_are_symmetries(tmp_path):
    """Each generator is a symmetry; orders are those of the system, but for few."""
    counts = Counter()
    file, out = tmp_path / "s.mcrl", tmp_path / "s.sym"

    @settings(max_examples=examples(0.4), deadline=None)
    @given(st.lists(STEP, min_size=2, max_size=5), st.lists(ODD, max_size=2))
    def check(steps, odd):
        specification = text(steps, odd)
        system = generate(read_text(specification))
        if system.state_count > 60:
            return
        file.write_text(specification)
        truth = Truth(system)
        images = [dict(zip(IDS, each, strict=True)) for each in itertools.permutations(IDS)]
        visible = [image for image in images if truth.has(image)]
        code, _, err = said("find-symmetry", file, "-o", out)
        found = tomllib.loads(out.read_text())
        os.remove(out)
        assert code in ((0,) if found["order"] > 1 else (1, 3)), err
        assert found["order"] <= len(visible)
        for generator in found["generators"]:
            cycles = [cycle.split() for cycle in re.findall(r"\(([^)]*)\)", generator)]
            moved = {a: b for c in cycles for a, b in zip(c, c[1:] + c[:1], strict=True)}
            assert truth.has({one: moved.get(one, one) for one in IDS})
        counts["examples"] += 1
        counts["some"] += len(visible) > 1
        counts["not all"] += len(visible) < 6
        # What moves no label is the identity on what is seen.
        labels = {label for _, label, _ in truth.rows}
        idle = sum(
            all(one[p] == p for a in labels for p in re.findall(r"p\d", a)) for one in visible
        )
        counts["right"] += len(visible) // idle <= found["order"]

    check()
    few = counts["examples"] / 10
    assert counts["some"] >= few, dict(counts)
    assert counts["not all"] >= few / 4, dict(counts)
    assert counts["right"] >= 9 * few, dict(counts)


SORTS = {"D": ["d1", "d2", "d3"], "E": ["e1", "e2"]}


@st.composite
def with_unused_steps(draw):
    """A text of two components, in which sequences of steps are blocked or follow blocked ones."""
    lines = ["%@ include Enum of d1,d2,d3 as D", "%@ include Enum of e1,e2 as E"]
    lines += ["act a,b:D c,h,t:D#E g,k:E", "comm h|h=t"]

    def step(names, values):
        name = draw(st.sampled_from(names))
        sorts = {"a": "D", "b": "D", "c": "DE", "h": "DE", "g": "E", "k": "E"}[name]
        return f"{name}({','.join(values(sort) for sort in sorts)})"

    def variable(sort):
        return {"D": "x", "E": "y"}[sort]

    def constant(sort):
        return draw(st.sampled_from(SORTS[sort]))

    blocked = draw(st.sampled_from(["k", "h,k", "k,b"]))
    for name in ("X", "Y"):
        summands = []
        for _ in range(draw(st.integers(1, 3))):
            begin = [step("aabchhg", variable) for _ in range(draw(st.integers(0, 2)))]
            # What follows a blocked step is unused, whatever it is about.
            end = [step("k", constant)] if draw(st.booleans()) or not begin else []
            rest = draw(st.integers(0, 2)) if end else 0
            end += [step("abchgk", constant) for _ in range(rest)]
            summands.append(f"sum(x:D,sum(y:E,{'.'.join([*begin, *end, name])}))")
        if draw(st.integers(0, 9)) == 0:
            summands.append(f"{step('abcg', constant)}.{name}")
        lines.append(f"proc {name} = {' + '.join(summands)}")
    return "\n".join([*lines, f"init encap({{{blocked}}}, X || Y)", ""])


VALUES = (*SORTS["D"], *SORTS["E"])


def generated(generators):
    """All permutations that some generate, as the images of the values."""
    each = []
    for generator in generators:
        cycles = [cycle.split() for cycle in re.findall(r"\(([^)]*)\)", generator)]
        each.append({a: b for c in cycles for a, b in zip(c, c[1:] + c[:1], strict=True)})
    found, waiting = {VALUES}, [VALUES]
    for images in waiting:
        for moved in each:
            image = tuple(moved.get(value, value) for value in images)
            if image not in found:
                found.add(image)
                waiting.append(image)
    return found


def test_sorts_proven_by_check_are_in_the_search_result(tmp_path):
    counts = Counter()
    file, out = tmp_path / "s.mcrl", tmp_path / "s.sym"

    @settings(max_examples=examples(0.6), deadline=None)
    @given(with_unused_steps())
    def check(specification):
        file.write_text(specification)
        out.unlink(missing_ok=True)
        said("find-symmetry", file, "-o", out)
        # Nothing is written if none is found.
        generators = tomllib.loads(out.read_text())["generators"] if out.exists() else []
        found = generated(generators)
        for sort, values in SORTS.items():
            code, shown, _ = said("check-symmetry", file, "--symmetry", sort, "--json")
            assert code in (0, 1, 3) or "changes nothing" in shown, shown
            counts["examples"] += 1
            order = json.loads(shown)["order"] if code == 0 else 1
            counts["proven"] += order > 1
            fixed = [VALUES.index(value) for value in VALUES if value not in values]
            own = [images for images in found if all(images[at] == VALUES[at] for at in fixed)]
            assert len(own) >= order, specification

    check()
    assert counts["proven"] >= counts["examples"] / 20, counts


def test_refusals_mention_the_only_state():
    pairs = "sort Bool func T,F:->Bool sort P func p1,p2:->P sort Q func q1,q2:->Q act a:P#Q"
    text = f"{pairs} proc X(i:P,j:Q) = a(i,j).X(i,j) init X(p1,q1) || X(p2,q2)"
    proposal = find_in_specification(linearise(read_text(text))).proposal
    assert proposal.refused
    for refusal in proposal.refused:
        assert refusal.witness.endswith("it is no symmetry of the only state")
