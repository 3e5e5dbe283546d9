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


MET = Counter()


@settings(max_examples=4 * settings.default.max_examples, deadline=None)
@given(texts())
def test_it_is_an_error_exactly_where_the_definition_meets_one(text):
    specification = read_text(text)
    try:
        expected = Definition(specification).system(60)
        if expected is None:
            return
    except Undecided:
        expected = None
    MET["undecided" if expected is None else "decided"] += 1
    process = linearise(specification)
    MET["asked"] += bool(process.decisions)
    found = found_by(lambda: explore(process).lts)
    assert (found is None) == (expected is None)
    if expected is not None:
        assert bisimilar(found, expected)


def test_the_examples_have_both():
    every = MET["undecided"] + MET["decided"]
    if every:
        assert min(MET["undecided"], MET["decided"], MET["asked"]) > every / 10


def test_what_is_made_of_other_values_is_asked_about():
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
def test_what_is_sure_to_be_decided_is_not_asked_for(condition, asked):
    text = f"""sort Bool D func T,F:->Bool d1,d2:->D map is,some:D->Bool not:Bool->Bool
rew is(d1)=T is(d2)=F some(d1)=T not(T)=F not(F)=T
act a:D proc X(x:D) = sum(y:D, delta <| {condition} |> delta) + sum(y:D, a(x).X(y)) init X(d1)
"""
    assert len(linearise(read_text(text)).decisions) == asked
