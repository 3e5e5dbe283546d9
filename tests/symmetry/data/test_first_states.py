"""What a search for symmetries finds and what the first states exclude, by definition: every
permutation of identities that a check proves by itself is found, and no part of the system excludes
it. The texts have a structure on the identities: rings, pairs, fixed ones; and they hold data of
identities in an array, in parameters of one process, or in components."""

from collections import Counter
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LimitReached, LtsError
from lts.mucrl import generate, linearise, read_text
from lts.state_space.settings import NO_LIMITS, Limits, Settings
from lts.symmetry import count_orbits, find_in_specification, parse_permutation
from lts.symmetry.data.find.facts import facts_of
from lts.symmetry.data.find.first_states import bound_of
from strategies import examples

HEAD = """%@ include Enum of {pids} as Pid
%@ include Enum of off,on as Tag
%@ include Array of Pid, Tag as Store
map suc: Pid -> Pid
rew {rules}
act a,b: Pid c: Pid#Pid d: Pid#Tag a1,a2: Pid
comm a1|a2 = a
"""


CONDITIONS = (
    *("T", "not(eq(x,suc(x)))"),
    *("eq(get(s,x),off)", "eq(get(s,suc(x)),on)", "eq(get(s,suc(suc(x))),off)"),
)


def successors(draw, count):
    """Return the successor of each identity: a ring of all or of three, pairs, or itself."""
    ring = draw(st.sampled_from([count, 3, 2, 1]))
    if ring == 2:
        return [i ^ 1 if i ^ 1 < count else i for i in range(count)]
    return [(i + 1) % ring if i < ring else i for i in range(count)]


def in_array(draw, pids, suc):
    steps = []
    for _ in range(draw(st.integers(1, 3))):
        label = draw(st.sampled_from(["a(x)", "b(suc(x))", "c(x,suc(x))", "tau", "d(x,get(s,x))"]))
        update = draw(st.sampled_from(["set(s,x,on)", "set(s,suc(x),off)",
                                       "set(set(s,x,on),suc(x),off)"]))  # fmt: skip
        condition = draw(st.sampled_from(CONDITIONS))
        steps.append(f"sum(x:Pid, {label}.M({update}) <| {condition} |> delta)")
    if draw(st.integers(0, 3)) == 0:
        steps.append("b(p2).M(s) <| eq(get(s,p1),on) |> delta")
    return f"proc M(s:Store) = {' + '.join(steps)}\ninit M(filled_Store(off))\n"


def in_parameters(draw, pids, suc):
    count = len(pids)
    flags = [f"f{i}" for i in range(count)]

    def call(at, value):
        return f"M({','.join(value if i == at else flag for i, flag in enumerate(flags))})"

    steps = []
    for _ in range(draw(st.integers(1, 2))):
        kind = draw(st.sampled_from("abcd"))
        of_next = draw(st.booleans())
        condition = draw(st.sampled_from(["all", "next", "own"]))
        for i in range(count):
            at = suc[i] if of_next else i
            label = {
                "a": f"a({pids[i]})",
                "b": f"b({pids[suc[i]]})",
                "c": f"c({pids[i]},{pids[suc[i]]})",
                "d": f"d({pids[i]},f{i})",
            }[kind]
            test = f"eq(f{suc[i] if condition == 'next' else at},off)"
            if condition == "all":
                test = "T"
                for other in range(count):
                    if other != i:
                        test = f"and(eq(f{other},off),{test})"
            steps.append(f"{label}.{call(at, 'on')} <| {test} |> delta")
            steps.append(f"tau.{call(i, 'off')} <| eq(f{i},on) |> delta")
    if draw(st.integers(0, 3)) == 0:
        steps.append(f"a(p1).{call(0, 'on')}")
    parameters = ",".join(f"{flag}:Tag" for flag in flags)
    start = ",".join("off" for _ in flags)
    return f"proc M({parameters}) = {' + '.join(steps)}\ninit M({start})\n"


def in_components(draw, pids, suc):
    body = draw(st.sampled_from(["a1(i).b(suc(i)).U(i)", "c(i,suc(i)).U(i)",
                                 "a1(i).c(suc(i),i).U(i)"]))  # fmt: skip
    other = draw(st.sampled_from(["a2(x).a2(suc(x)).M", "a2(x).M"]))
    users = pids if draw(st.integers(0, 3)) else pids[:-1]
    parts = " || ".join(["M", *(f"U({pid})" for pid in users)])
    return f"proc U(i:Pid) = {body}\n     M = sum(x:Pid, {other})\ninit encap({{a1,a2}}, {parts})\n"


FORMS = {"array": in_array, "parameters": in_parameters, "components": in_components}


@st.composite
def texts(draw):
    pids = [f"p{i}" for i in range(1, draw(st.integers(3, 4)) + 1)]
    suc = successors(draw, len(pids))
    rules = " ".join(f"suc({pid}) = {pids[to]}" for pid, to in zip(pids, suc, strict=True))
    form = draw(st.sampled_from([*FORMS]))
    return HEAD.format(pids=",".join(pids), rules=rules) + FORMS[form](draw, pids, suc), pids, form


def in_cycles(pids, moved):
    """Return a permutation of identities, written as its cycles."""
    images, seen, text = dict(zip(pids, moved, strict=True)), set(), ""
    for pid in pids:
        one = []
        while pid not in seen:
            seen.add(pid)
            one.append(pid)
            pid = images[pid]
        text += f"({' '.join(one)})" if len(one) > 1 else ""
    return text


def elements(pids, generators):
    """Return all elements of a group, as rows of images of the identities."""
    found, waiting = {tuple(pids)}, [tuple(pids)]
    while waiting:
        row = waiting.pop()
        for generator in generators:
            images = {one.text: other.text for one, other in generator.images.items()}
            new = tuple(images.get(pid, pid) for pid in row)
            if new not in found:
                found.add(new)
                waiting.append(new)
    return found


def test_first_states_exclude_no_proven_symmetry(monkeypatch):
    reached = Counter()

    @settings(max_examples=examples(0.5), deadline=None)
    @given(texts(), st.integers(4, 40))
    def are_found(drawn, most):
        text, pids, form = drawn
        process = linearise(read_text(text))
        try:
            system = generate(process, max_states=300)
        except LimitReached:
            return
        if not system.transition_count:
            return
        group = elements(pids, find_in_specification(process).generators)
        reached[f"order {len(group)}"] += 1
        facts = facts_of(process)
        with monkeypatch.context() as patched:
            patched.setattr("lts.symmetry.data.find.first_states.SIZES", (most,))
            some = bound_of(process, facts, [], NO_LIMITS)
        reached["a part"] += some.contents is not None and not some.is_whole
        numbers = {str(point): number for number, point in enumerate(facts.points)}
        for moved in permutations(pids):
            permutation = in_cycles(pids, moved)
            if not permutation:
                continue
            images = [*range(len(facts.points))]
            for pid, image in zip(pids, moved, strict=True):
                if pid in numbers:
                    images[numbers[pid]] = numbers.get(image, numbers[pid])
            try:
                own = parse_permutation(permutation)
                proven = count_orbits(process, [own], Settings(limits=Limits(1000)))
            except LtsError:
                reached["excluded"] += not some.allows(tuple(images))
                continue
            if proven.order > 1:
                reached[form] += 1
                reached["whole"] += proven.proof == "whole"
                assert tuple(moved) in group, (text, permutation)
                assert some.allows(tuple(images)), (text, permutation, most)

    are_found()
    for what in (*FORMS, "a part", "excluded", "order 2", "order 3", "order 6"):
        assert reached[what], reached
