"""Conditions that are neither true nor false: an error exactly where the definition meets one."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import SpecificationError
from lts.mucrl import explore, generate, linearise, read_text
from lts.specification import specification as t
from mucrl.test_interpreter import Interpreter
from naive.systems import bisimilar


class Undecided(Exception):
    """A condition of a state that was reached is neither true nor false."""


class Definition(Interpreter):
    """Every condition that a step is looked for behind has to be decided."""

    def steps(self, p):
        if isinstance(p, t.Condition):
            found = self.normal(p.condition)
            if found not in (self.specification.true, self.specification.false):
                raise Undecided
        yield from super().steps(p)


class TooMany(Interpreter):
    """Sums range over what no equation fits, too; what is undecided is not true."""

    def elements(self, sort):
        found = list(super().elements(sort))
        if sort == "D":
            [k, f] = (f for f in self.specification.functions if f.name in "kf" and f.sort == "D")
            more = [t.Application(k, ()), *found]
            more += [t.Application(f, (value,)) for value in more]
            found = list(dict.fromkeys([*found, *map(self.normal, more)]))
        return found


# Rules of which some are taken, in some order: what the functions leave open, and in which
# arguments they are lazy, is up to chance; `same` has only the rule that linearisation takes as an
# equation.
RULES = {
    "f": ["f(d0)=d1", "f(d1)=d1", "f(d1)=d0", "f(f(x))=x", "f(k)=d0"],
    "is": ["is(d0)=T", "is(d1)=F", "is(d1)=T", "is(f(x))=is(x)", "is(k)=F", "is(x)=F"],
    "both": [
        "both(T,T)=T", "both(F,b)=F", "both(b,F)=F", "both(T,b)=b", "both(b,T)=b", "both(b,c)=F",
        "both(b,b)=b", "both(T,F)=F", "both(F,T)=F", "both(F,F)=F",
    ],
    "one": [
        "one(F,F)=F", "one(T,b)=T", "one(b,T)=T", "one(F,b)=b", "one(b,c)=T", "one(b,b)=b",
        "one(T,F)=T", "one(F,T)=T", "one(b,c)=c",
    ],
    "not": ["not(T)=F", "not(F)=T", "not(not(b))=b", "not(b)=T"],
    "eq": ["eq(x,x)=T", "eq(d0,d1)=F", "eq(d1,d0)=F", "eq(d0,d0)=T", "eq(d1,d1)=T", "eq(x,y)=F"],
}  # fmt: skip
HEAD = """sort Bool func T,F:->Bool
sort D func d0,d1:->D
map k:->D f:D->D is,not_is:D->Bool both,one:Bool#Bool->Bool not:Bool->Bool eq,same:D#D->Bool
var x,y:D b,c:Bool
rew same(x,x)=T not_is(x)=not(is(x))
"""
ACTIONS = "act a,s,r,m:D l,u,v,w:Bool h i comm s|r=m u|v=w\n"


@st.composite
def rules(draw):
    chosen = []
    for own in RULES.values():
        some = draw(st.lists(st.sampled_from(own), unique=True, min_size=1, max_size=len(own)))
        chosen += some if draw(st.booleans()) else [rule for rule in own if rule in some]
    return " ".join(chosen)


def of_d(variables):
    return st.recursive(
        st.sampled_from(["d0", "d1", "d0", "d1", "k", *variables, *variables]),
        lambda inner: inner.map(lambda term: f"f({term})"),
        max_leaves=2,
    )


def conditions(variables):
    d = of_d(variables)
    leaf = st.one_of(
        st.sampled_from(["T", "F"]),
        st.builds("is({})".format, d),
        st.builds("not_is({})".format, d),
        st.builds("eq({},{})".format, d, d),
        st.builds("same({},{})".format, d, d),
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds("both({},{})".format, inner, inner),
            st.builds("one({},{})".format, inner, inner),
            st.builds("not({})".format, inner),
        ),
        max_leaves=3,
    )


@st.composite
def bodies(draw, variables, depth, calls):
    """A process; `calls` may follow an action."""
    kind = draw(st.sampled_from(["step", "condition", "condition", "sum", "choice", "end"]))
    if depth == 0 or kind == "step":
        action = draw(
            st.one_of(
                st.builds("{}({})".format, st.sampled_from("asr"), of_d(variables)),
                st.builds("{}({})".format, st.sampled_from("luv"), conditions(variables)),
                st.sampled_from("hi"),
            )
        )
        return f"{action}.{draw(calls(variables))}" if draw(st.booleans()) else action
    if kind == "end":
        return draw(st.sampled_from(["delta", "tau", "h"]))
    if kind == "sum":
        variable = f"v{depth}"
        return f"sum({variable}:D,{draw(bodies([*variables, variable], depth - 1, calls))})"
    one, other = (draw(bodies(variables, depth - 1, calls)) for _ in range(2))
    if kind == "choice":
        return f"({one} + {other})"
    other = draw(st.sampled_from(["delta", f"({other})"]))
    return f"(({one}) <| {draw(conditions(variables))} |> {other})"


@st.composite
def texts(draw):
    def calls(variables):
        return st.builds("{}({})".format, st.sampled_from("XX"), of_d(variables))

    def others(variables):
        return st.builds("{}({})".format, st.sampled_from("Y"), of_d(variables))

    text = HEAD + draw(rules()) + "\n" + ACTIONS
    text += f"proc X(x:D) = {draw(bodies(['x'], 3, calls))}\n"
    text += f"proc Y(y:D) = {draw(bodies(['y'], 2, others))}\n"
    whole = draw(
        st.sampled_from(["X(d0)", "X(d0)||Y(d1)", "encap({s,r,u,v},X(d0)||Y(d1))", "i.X(k)"])
    )
    return f"{text}init {draw(st.sampled_from([whole, f'hide({{a,l}},{whole})']))}\n"


def found_by(act):
    """What something finds; None if a condition is undecided."""
    try:
        return act()
    except SpecificationError as error:
        if "is neither `T` nor `F`: no equation fits" not in str(error):
            raise
        return None


def test_undecided_conditions_match_definition():
    reached = Counter()

    @settings(max_examples=2 * settings.default.max_examples, deadline=None)
    @given(texts())
    def check(text):
        specification = read_text(text)
        try:
            expected = Definition(specification).system(60)
            if expected is None:
                return
        except Undecided:
            expected = None
        reached["undecided" if expected is None else "decided"] += 1
        process = linearise(specification)
        reached["asked"] += bool(process.decisions)
        found = found_by(lambda: explore(process).lts)
        assert (found is None) == (expected is None)
        if expected is not None:
            assert bisimilar(found, expected)

    check()
    every = reached["undecided"] + reached["decided"]
    assert min(reached["undecided"], reached["decided"], reached["asked"]) > every / 20


EQUALITIES = [
    "eq(x,x)=T eq(x,y)=F",
    "eq(x,x)=T eq(d0,d1)=F eq(d1,d0)=F",
    "eq(d0,d0)=T eq(d0,x)=F eq(d1,d0)=F eq(d1,d1)=T",
    "eq(d0,x)=is(x) eq(d1,x)=not_is(x)",
]
"""What says of all values of D whether they are equal, and may say it of other terms."""
VALUES = ["", "", "", "d1=k", "d1=f(d0)", "d1=f(k)"]
"""What the constructors come to."""


@st.composite
def sums(draw):
    functions = draw(st.lists(st.sampled_from(RULES["f"]), unique=True, max_size=2))
    connectives = "both(T,b)=b both(F,b)=F one(T,b)=T one(F,b)=b not(T)=F not(F)=T"
    text = f"{HEAD} is(d0)=T is(d1)=F {draw(st.sampled_from(EQUALITIES))} {connectives}\n"
    value = draw(st.sampled_from(VALUES))
    if "f(d0)=d1" in functions and value == "d1=f(d0)":
        value = ""  # which has no end
    text += f"{value} {' '.join(functions)}\n{ACTIONS}"
    variables = draw(st.permutations(["x", "y", "z"]))[: draw(st.integers(1, 3))]
    parts = [
        f"eq({','.join(draw(st.permutations([variable, draw(of_d(variables))])))})"
        for variable in draw(st.lists(st.sampled_from(variables), min_size=1, max_size=2))
    ]
    if draw(st.booleans()):
        parts.append(draw(conditions(variables)))
    condition = parts.pop()
    while parts:
        condition = f"{draw(st.sampled_from(['both', 'both', 'one']))}({parts.pop()},{condition})"
    body = ".".join(f"a({variable})" for variable in variables)
    body = f"({body}) <| {condition} |> delta"
    for variable in variables:
        body = f"sum({variable}:D,{body})"
    return f"{text}init {body}\n"


def test_equalities_assign_only_values():
    """It is solved as an equation, which may say that `x` is `f(d1)` where no equation of the text
    fits that, or that `x` is never `f(x)` where that is undecided."""
    reached = Counter()

    @settings(max_examples=4 * settings.default.max_examples, deadline=None)
    @given(sums())
    def check(text):
        specification = read_text(text)
        try:
            expected = Definition(specification).system(60)
        except Undecided:
            expected = None
        found = found_by(lambda: generate(specification))
        assert (found is None) == (expected is None)
        if expected is not None:
            assert bisimilar(found, expected)
            reached["decided sums"] += 1
            reached["more"] += not bisimilar(TooMany(specification).system(60), expected)
        reached["sums"] += 1

    check()
    assert reached["decided sums"] > reached["sums"] / 4
    assert reached["more"] > reached["sums"] / 20


def test_conditions_on_nested_values_are_decisions():
    """A function that covers all constructors is total, but not for what is inside of these."""
    text = """sort Bool D M func T,F:->Bool d0,d1:->D some:D->M
    map f:D->D is:M->Bool rew is(some(d0))=T is(some(d1))=F
    act a:D h b c
    proc X(x:D) = h.Y(some(x))
    Y(m:M) = c.delta + (delta <| is(m) |> delta)
    init sum(x:D, a(x).X(f(x)))"""
    with pytest.raises(SpecificationError, match=r"`is\(some\(f\(d0\)\)\)` is neither `T` nor `F`"):
        generate(read_text(text))


@pytest.mark.parametrize(
    ("condition", "asked"),
    [("is(y)", 0), ("is(x)", 0), ("not(is(y))", 0), ("some(y)", 1), ("some(x)", 1)],
)
def test_decided_conditions_are_not_decisions(condition, asked):
    text = f"""sort Bool D func T,F:->Bool d1,d2:->D map is,some:D->Bool not:Bool->Bool
rew is(d1)=T is(d2)=F some(d1)=T not(T)=F not(F)=T
act a:D proc X(x:D) = sum(y:D, delta <| {condition} |> delta) + sum(y:D, a(x).X(y)) init X(d1)
"""
    assert len(linearise(read_text(text)).decisions) == asked


@pytest.mark.parametrize("other", ["b(d2,f(d1))", "b(f(d1),d2)"])
def test_irreducible_terms_may_equal_values_in_strict(other):
    text = f"""sort Bool D func T,F:->Bool d1,d2:->D map f:D->D act a,b,c:D#D comm a|b=c
    init encap({{a,b}}, sum(x:D, a(x,x)) || {other})"""
    with pytest.raises(SpecificationError, match=r"`f\(d1\)` does not reduce to a value"):
        generate(read_text(text, strict=True))
    # Without `strict` it is a value, and another one than those of constructors.
    assert generate(read_text(text)).transition_count == 0
