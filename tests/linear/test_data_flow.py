"""Processes that are one equation: parameters are reset where the constants of others tell that
nothing reads them.

By definition a system does what it does without any simplification.
"""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from lts import mcrl2, mucrl
from lts.equivalence import equivalent
from lts.linear.linearise import linearise
from lts.state_space import generate
from lts.state_space.settings import Settings
from lts.symmetry import count_orbits, symmetric_sorts
from strategies import examples

HEAD = """%@ include Enum of d1,d2 as D
map once: D -> Bool
    down: Nat -> Bool
    both,either: Bool#Bool -> Bool
var n: Nat b: Bool
rew once(d1) = T
    both(T,b) = b
    both(F,b) = F
    either(b,F) = b
    either(b,T) = T
    down(n) = if(eq(n,0),T,down(pred(n)))
act a: D b: Nat c
"""


@st.composite
def texts(draw):
    """A process of four parameters; s and t often hold constants, d and n data.

    `once` has no value for some arguments, and `down` no end for what is no number; `both` and
    `either` are decided by one of their arguments only.
    """
    counter = draw(st.sampled_from("st"))

    def condition():
        parts = [f"eq({counter},{draw(st.integers(0, 2))})"]
        more = [
            "T",
            "eq(t,1)",
            "eq(s,0)",
            "eq(d,d1)",
            "once(d1)",
            "down(n)",
            "or(T,eq(n,1))",
            "and(F,eq(n,1))",
            "not(eq(s,2))",
            "eq(n,2)",
        ]
        parts += draw(st.lists(st.sampled_from(more), max_size=2))
        parts = draw(st.permutations(parts))
        while len(parts) > 1:
            join = draw(st.sampled_from(["and", "and", "and", "or", "both", "both", "either"]))
            parts = [f"{join}({parts[0]},{parts[1]})", *parts[2:]]
        return parts[0]

    steps = []
    for _ in range(draw(st.integers(2, 6))):
        action = draw(st.sampled_from(["a(d)", "a(e)", "b(n)", "c", "c"]))
        number = st.integers(0, 2).map(str)
        s = draw(number if counter == "s" else number | st.sampled_from(["s", "n"]))
        t = draw(number if counter == "t" else number | st.sampled_from(["t", "s"]))
        d = draw(st.sampled_from(["d", "d1", "d2", "e"]))
        n = draw(number | st.sampled_from(["n", "t"]))
        step = f"{action}.X({s},{t},{d},{n}) <| {condition()} |> delta"
        steps.append(f"sum(e:D,{step})" if "e" in (action[2:3], d) else step)
    return f"{HEAD}proc X(s:Nat,t:Nat,d:D,n:Nat) = {' + '.join(steps)} init X(0,1,d1,2)"


def test_parameter_resets_preserve_behaviour():
    reached = Counter()

    @settings(max_examples=examples(3), deadline=None)
    @given(texts())
    def it_does_the_same(text):
        specification = mucrl.read_text(text)
        whole = generate(linearise(specification, simplifications=()))
        simpler = linearise(specification)
        found = generate(simpler)
        assert found.state_count <= whole.state_count
        assert equivalent(found, whole, "strong")
        reset = [remark for remark in simpler.remarks if "reset" in remark]
        reached["all"] += 1
        reached["reset"] += bool(reset)
        reached["fewer states"] += found.state_count < whole.state_count
        reached["two are reset"] += len(reset) > 1
        reached["a counter is reset"] += any("_t`" in one or "_s`" in one for one in reset)

    it_does_the_same()
    if reached["all"] >= 40:
        for what in ("reset", "fewer states", "two are reset", "a counter is reset"):
            assert 25 * reached[what] >= reached["all"], reached


def test_reset_variables_are_listed():
    """The variables of the text, where states are merged that are apart in it."""
    one = mucrl.read_text(
        HEAD + "proc X(s:Nat,n:Nat) = sum(m:Nat,b(m).X(1,m)<|and(eq(s,0),eq(m,2))|>delta)"
        " + b(n).X(2,n)<|eq(s,1)|>delta + b(0).X(0,n)<|eq(s,2)|>delta init X(0,0)"
    )
    assert linearise(one).reset_names == ("n",)
    assert linearise(one, simplifications=["constants", "unused", "duplicates"]).reset_names == ()
    # `n` is not read in Z; `k` nowhere, so that it is removed, and its values merge nothing.
    body = "proc X(k:Nat) = sum(m:Nat,b(m).Y(m)<|eq(m,2)|>delta) Y(n:Nat) = b(n).X(n) + c.Z(n)"
    several = mucrl.read_text(f"{HEAD}{body} Z(n:Nat) = c.Z(n) init X(0)")
    assert linearise(several).reset_names == ("n",)
    # No tool has values of `m` where it is out of scope.
    scope = mucrl.read_text(HEAD + "proc X = sum(m:Nat,b(m).b(m).c.X<|eq(m,2)|>delta) init X")
    assert linearise(scope).reset_names == ()


def test_placeholder_constants_break_no_symmetry():
    """The equation of section 7 of the report: d1 is no value where it is assigned."""
    text = """%@ include Enum of d1,d2,d3 as D
    act produce,consume: D
    proc X(s:Nat,d:D) = sum(d0:D, produce(d0).X(2,d0) <| eq(s,3) |> delta)
        + consume(d).X(1,d1) <| eq(s,2) |> delta
    init X(3,d1)"""
    process = mucrl.linearise(mucrl.read_text(text))
    found = symmetric_sorts(process, ["D"])
    assert found.fixed == ()
    explored = count_orbits(process, found.generators, Settings(proof="static"))
    assert (explored.order, explored.orbits, explored.states) == (6, 3, 5)


def test_data_flow_resets_mcrl2_parameters():
    """Where s is 1 or 3 nothing reads n."""
    text = """act a: Nat; b, c;
    proc X(s: Pos, n: Nat) = sum m: Nat. (m < 5 && s == 1) -> a(m) . X(2, 4)
        + (s == 2 && n == 4) -> b . X(3, n) + sum k: Nat. (s == 3 && k < 4) -> c . X(1, k);
    init X(1, 9);"""
    assert generate(mcrl2.read_text(text)).state_count == 3
    assert generate(linearise(mcrl2.read_text(text), simplifications=())).state_count == 7
