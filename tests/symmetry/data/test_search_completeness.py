"""What a search for symmetries may leave out, by definition: nothing that the check of a sort
proves, unless it names no reason."""

from collections import Counter
from itertools import pairwise, permutations, product

from hypothesis import example, given, settings
from hypothesis import strategies as st

from lts import LTS, LimitReached, LtsError
from lts.mucrl import generate, linearise, read_text
from lts.state_space.settings import Limits, Settings
from lts.symmetry import breaks, count_orbits, find_in_specification, parse_permutation
from naive.systems import bisimilar
from strategies import examples

STORES = {
    "": ("", "", ["T"], ["s"]),
    "Map": ("Map of Pid, Tag as Store", "empty_Store", ["contains(s,x)", "not(contains(s,x))"],
            ["set(s,x,t)", "set(s,x,red)", "remove(s,x)"]),
    "Set": ("Set of Pid as Store", "empty_Store", ["contains(s,x)", "not(contains(s,x))"],
            ["insert(s,x)", "remove(s,x)"]),
    "Array": ("Array of Pid, Tag as Store", "filled_Store(red)", ["eq(get(s,x),t)", "T"],
              ["set(s,x,t)", "set(s,x,red)"]),
    "Queue": ("Queue of Pid as Store", "empty_Store", ["is_empty(s)", "lt(length(s),2)"],
              ["if(lt(length(s),2),enqueue(s,x),s)", "s"]),
}  # fmt: skip
"""Stores that start empty: include, initial value, conditions, and what a step makes of one."""

PIDS, TAGS = ("p1", "p2", "p3"), ("red", "blue")


@st.composite
def texts(draw):
    """Return a text, and what it has of what may lead a search astray."""
    pids = PIDS[: draw(st.integers(2, 3))]
    include, start, conditions, updates = STORES[draw(st.sampled_from([*STORES]))]
    # Steps that are never executed, and that may treat constants apart.
    never = draw(st.sampled_from(["", "", "+ b(p1).M(n{}) <| eq(n,7) |> delta",
                                  "+ b(q).M(n{}) <| and(eq(q,p2),eq(n,7)) |> delta"]))  # fmt: skip
    store = f",{start}" if include else ""
    steps = []
    for _ in range(draw(st.integers(1, 2))):
        label = draw(st.sampled_from(["a(x)", "b(x)", "c(x,t)", "tau", "a(p1)"]))
        update = f",{draw(st.sampled_from(updates))}" if include else ""
        condition = draw(st.sampled_from([*conditions, "eq(n,0)", "not(eq(x,p1))"]))
        step = f"{label}.M(n{update}) <| {condition} |> delta"
        steps.append(f"sum(x:Pid, sum(t:Tag, {step}))")
    if never:
        last = f"sum(q:Pid, {never[2:].format(',s' if include else '')})"
        steps.append(last)
    parameters = f"n:Nat{',s:Store' if include else ''}"
    # Data that nothing reads, or that only a step reads which is never executed.
    body = draw(st.sampled_from([
        "a(i).U(i,t)", "a(i).b(i).U(i,t)", "a(i).U(i,t) + c(i,t).U(i,t) <| F |> delta",
        "c(i,t).U(i,t)", "a(i).b(p1).U(i,t)", "b(p1).U(i,t)",
        "a(i).U(i,blue)", "sum(u:Tag, c(i,u).U(i,t))",
    ]))  # fmt: skip
    users = [f"U({pid},{draw(st.sampled_from(TAGS))})" for pid in pids]
    users = users[: draw(st.integers(0, len(users)))]
    parts = [*users, *([f"M(0{store})"] if draw(st.booleans()) or not users else [])]
    unused = draw(st.sampled_from(["", ",unused", ",unused,other"]))
    text = f"""%@ include Nat
%@ include Enum of {",".join(pids)}{unused} as Pid
%@ include Enum of red,blue as Tag
{f"%@ include {include}" if include else ""}
act a,b: Pid c: Pid#Tag
proc M({parameters}) = {" + ".join(steps)}
     U(i:Pid,t:Tag) = {body}
init {" || ".join(parts)}
"""
    return text, {"Pid": [*pids, *unused.split(",")[1:]], "Tag": [*TAGS]}


APART = """%@ include Enum of p1..p3 as Pid
act a: Pid
proc X = a(p1).a(p2).a(p3).X
init X
"""
NEVER = """%@ include Nat
%@ include Enum of p1..p3 as Pid
act a,b: Pid
proc X(n:Nat) = sum(x:Pid, a(x).X(n)) + b(p1).X(S(n)) <| eq(n,7) |> delta
init X(0)
"""
STATES = """%@ include Enum of red,blue as Tag
act a
proc X(t:Tag) = a.X(blue) <| eq(t,red) |> delta
init X(red)
"""
"""No symmetry; a step that is never executed, without which there are all; and values that no label
shows, so that no trace refutes anything."""


def moved(system, images):
    """Return a system with the words in its labels replaced."""

    def label(text):
        name, _, rest = text.partition("(")
        words = rest.rstrip(")").split(",") if rest else []
        return f"{name}({','.join(images.get(w, w) for w in words)})" if words else name

    return LTS.from_transitions(
        [(s, label(a), t) for s, a, t in system.transitions()],
        state_count=system.state_count,
        initial=system.initial,
    )


def test_proven_sort_symmetries_are_never_refuted():
    reached = Counter()

    @settings(max_examples=examples(0.5), deadline=None)
    @given(texts())
    @example((APART, {"Pid": PIDS}))
    @example((NEVER, {"Pid": PIDS}))
    @example((STATES, {"Tag": TAGS}))
    def is_found(drawn):
        text, sorts = drawn
        process = linearise(read_text(text))
        try:
            system = generate(process, max_states=300)
        except LimitReached:
            return
        found = find_in_specification(process)
        broken = {one.sort: one for one in breaks(found.proposal)}
        group = list(found.generators)
        reached["all"] += 1
        for sort, values in sorts.items():
            swaps = [f"({one} {other})" for one, other in pairwise(values)]
            try:
                proven = count_orbits(
                    process,
                    [parse_permutation(swap) for swap in swaps],
                    Settings(limits=Limits(1000)),
                )
            except LtsError:
                continue
            if proven.order == 1:
                continue
            reached[f"proven {sort}"] += 1
            assert sort not in broken or not broken[sort].reasons, (text, broken[sort])
        for generator in group:
            alone = count_orbits(process, [generator])
            images = {one.text: other.text for one, other in generator.images.items()}
            assert alone.order > 1
            assert bisimilar(moved(system, images), system)
            reached["moves"] += 1
        if not found.is_alone:
            reached["undecided"] += not found
            return
        # Every permutation of constants that occur is refuted by a trace, so by the definition.
        assert not found
        points = found.proposal.facts
        own = {sort: [str(points.points[n]) for n in points.numbers(sort)] for sort in points.sorts}
        for rows in product(*map(permutations, own.values())):
            images = {
                one: other
                for row, moved_row in zip(own.values(), rows, strict=True)
                for one, other in zip(row, moved_row, strict=True)
            }
            if any(one != other for one, other in images.items()):
                assert not bisimilar(moved(system, images), system)
                reached["refuted"] += 1

    is_found()
    for what in ("proven Pid", "moves", "undecided", "refuted"):
        assert reached[what], reached
