"""What few texts have: operators, and what stands in them, at places where something is particular.

What a text does is compared with the operational rules, simplified or not.
"""

import pytest

from lts import Unsupported, mcrl2, mucrl
from lts.base.bounds import CONTROL_STATES, MULTI_ACTIONS, NESTED_COMPOSITIONS
from lts.linear import shapes
from lts.linear.linearise import linearise
from lts.linear.simplify import SIMPLIFICATIONS
from mcrl2_compositions import by_rules
from naive.mucrl import Interpreter
from naive.systems import bisimilar

MUCRL = """sort Bool D N
func T,F:->Bool d1,d2:->D z:->N s:N->N
map none:N->Bool less:N->N eq:N#N->Bool f:D->D always:D#D->Bool
var n,m:N x,y:D
rew none(z)=T none(s(n))=F less(z)=z less(s(n))=n eq(n,n)=T eq(n,m)=F
    f(d1)=d1 f(d2)=d1 always(x,y)=T always(x,y)=F
act a b c e p,q:D r,t,u:D#D comm a|a=b r|t=u
proc W(n:N) = c <| none(n) |> c.W(less(n)).e
     Y = c
     Shadowed(x:D) = sum(x:D, p(x).q(x)).p(x)
     Never(n:N) = ((a <| none(n) |> b) <| eq(s(n),z) |> c).W(n)
     Always(x:D) = p(x) <| always(x,d1) |> q(x)
"""

MCRL2 = """sort D = struct d1 | d2; B = struct t | f;
map other: D -> D;
eqn other(d1) = d2; other(d2) = d1;
act a, b, c; p, q, r: D; p: B; u, v, w: D # D;
proc Shadowed(x: D) = (sum x: D. p(x).q(x)).p(x);
     Turning(x: D) = p(x).Turning(other(x));
"""


def assert_by_rules(language, text):
    if language == "mucrl":
        specification = mucrl.read_text(f"{MUCRL} init {text}")
        expected = Interpreter(specification).system(100)
    else:
        specification = mcrl2.read_text(f"{MCRL2} init {text};")
        expected = by_rules(specification)
    for simplifications in ((), SIMPLIFICATIONS):
        process = linearise(specification, simplifications=simplifications)
        assert bisimilar(mucrl.generate(process), expected)
    return process


@pytest.mark.parametrize("text", [
    # A leaf that is left alone has several things to do.
    "a ||_ Y.b",
    "(a ||_ Y.(b + c.a)).e",
    # What follows is not under the operator before it.
    "(hide({b}, a.b) + c).b",
    "(encap({b}, a.b) + c).b",
    "Shadowed(d1)",
    # A stack, and nothing on it where a fork ends.
    "a.(b || W(s(z)))",
    "a.(b || W(s(z))).c",
    # An action that communicates with itself.
    "encap({a}, a.e || a.e)",
    "encap({a}, a || a.a || a)",
    # An equation of a variable with a term that has it.
    "encap({r,t}, sum(y:D, r(f(y),y)) || sum(x:D, t(x,x)))",
    # Conditions that never hold, by constructors alone, and what is asked there.
    "Never(z) || Never(s(z))",
    # A map with other variables asks for no equality.
    "Always(d2)",
    # One that stands for itself is renamed by nothing.
    "rename({a->a,b->a}, a.b)",
    "rename({a->b}, rename({b->a}, a.b))",
])  # fmt: skip
def test_mucrl(text):
    assert_by_rules("mucrl", text)


@pytest.mark.parametrize("text", [
    # Of equal arguments the actions communicate, whatever is around.
    "comm({a|b -> c}, a || b)",
    "comm({a|b -> c}, a|b + a.b)",
    "comm({p|q -> r}, p(d1)|q(d1))",
    "comm({p|q -> r}, p(d1)|q(d1) + p(d1)|q(d2))",
    # Sorts tell actions of one name apart.
    "comm({p|q -> r}, p(d1)|p(t)|q(d1))",
    "comm({p|q -> r}, p(t)|q(d1))",
    "comm({p|q -> r}, p(d1)|q(d1)|p(d2)|q(d2))",
    # Some of what happens at once is forbidden.
    "c.block({b}, a|b + a.c) + c.block({b}, b|c)",
    "(hide({b}, a|b . b) + c).b",
    # What communicates with itself, blocked outside.
    "block({a}, comm({a|a -> c}, a.b || a))",
    "block({a}, comm({a|a -> c}, a || a || a))",
    "block({a, p}, comm({a|a|b -> c, p|q -> r}, a || a || b || p(d1) || q(d1)))",
    "allow({c}, block({b}, a|b || c))",
    "allow({b, c, b|c}, block({b}, a || b || c))",
    # Something free may come to it, or what is there is not yet all.
    "allow({r}, hide({p}, comm({p|q -> r}, p(d1) || q(d2) || p(d2))))",
    "allow({r}, hide({p}, comm({p|q -> r}, p(d1) || p(d2) || q(d2))))",
    "allow({r, r|r}, hide({b}, comm({p|q -> r}, (b|p(d1)) || q(d2) || q(d1) || p(d2))))",
    "allow({r, p|q}, comm({p|q -> r}, p(d1) || (q(d2) + q(d1))))",
    "allow({r, r|r}, comm({p|q -> r}, p(d1) || q(d2) || q(d1) || p(d2)))",
    "allow({r|r}, comm({p|q -> r}, p(d1) || q(d2) || q(d1) || p(d2)))",
    # A step that can be seen to be impossible once its variables have values.
    "allow({w, b, b|w}, comm({u|v -> w}, (sum y: D. u(other(y), y)) || v(d1, d1)) || b)",
    # The initial value would not allow the communication, a later one does.
    "allow({p, r}, comm({p|q -> r}, Turning(d1) || q(d2)))",
    "Shadowed(d2)",
])  # fmt: skip
def test_mcrl2(text):
    assert_by_rules("mcrl2", text)


def test_equal_sort_lists_share_one_comparison_map():
    process = assert_by_rules(
        "mcrl2", "comm({p|q -> r}, (sum x: D. p(x)) || (q(d1) + sum y: D. q(y)))"
    )
    assert list(process.comparisons.values()) == [1]


@pytest.mark.parametrize("text", [
    "(a || b) + c", "(a || b).c + c", "(a | (b + c)) + c", "a.(b ||_ c)",
    # Parts that are equal to others, which are kept once.
    "a.(b.c) + a.comm({a|b -> c}, b.c)", "a.(b.c) + a.allow({b}, b.c)",
])  # fmt: skip
def test_compositions_in_sequential_processes_are_refused(text):
    with pytest.raises(Unsupported, match="cannot be part of a sequential process"):
        linearise(mcrl2.read_text(f"{MCRL2} init {text};"))


def test_recursion_through_parallel_is_refused():
    text = "sort Bool func T,F:->Bool act a proc X = X || a Y = X || a init Y"
    with pytest.raises(Unsupported, match="process `X` calls itself inside a parallel"):
        linearise(mucrl.read_text(text))


def test_recursion_through_a_fork_is_refused():
    text = "sort Bool func T,F:->Bool act a b proc X = a.(X || b) init X"
    with pytest.raises(Unsupported, match="this process calls itself inside a parallel"):
        linearise(mucrl.read_text(text))


def test_communications_are_ordered_by_name():
    text = "sort Bool func T,F:->Bool act a b c d e comm a|c=d a|b=e init a || (c + b)"
    process = linearise(mucrl.read_text(text), simplifications=())
    assert [summand.action for summand in process.summands] == ["e", "d", "c", "b", "a"]


def nested(depth, inside):
    for _ in range(depth):
        inside = f"a.({inside} || b)"
    return inside


@pytest.mark.parametrize("inside", ["c", "c.(b || c)"])
def test_forks_in_forks_are_counted(inside, lower):
    lower(NESTED_COMPOSITIONS, 3)
    assert_by_rules("mucrl", nested(3 - inside.count("||"), inside))
    with pytest.raises(Unsupported, match="parallel compositions are nested more than 3 deep"):
        assert_by_rules("mucrl", nested(4 - inside.count("||"), inside))


def test_number_of_multi_actions_is_limited(lower):
    lower(MULTI_ACTIONS, 5)
    with pytest.raises(Unsupported, match="more than 5 multi-actions are possible"):
        assert_by_rules("mcrl2", "(a + b + c) || (a + b)")
    assert_by_rules("mcrl2", "(a + b) || (a + b)")


def test_control_states_are_counted(lower):
    lower(CONTROL_STATES, 4)
    assert_by_rules("mucrl", "a.b.c")
    with pytest.raises(Unsupported, match="a process has more than 4 control states"):
        assert_by_rules("mucrl", "a.b.c.e")


@pytest.mark.parametrize("text", ["a.(b.c.e.a || c.b)", "a.b.c.e.a", "(a.b || b.c.a).W(s(z))"])
def test_long_leaf_processes_use_no_stack(text, monkeypatch):
    monkeypatch.setattr(shapes, "MOST_RESIDUALS", 2)
    assert_by_rules("mucrl", text)


def test_long_sequences_use_a_stack(monkeypatch):
    assert not assert_by_rules("mucrl", "Y.Y.Y.a").stacks
    monkeypatch.setattr(shapes, "MOST_RESIDUALS", 2)
    assert assert_by_rules("mucrl", "Y.Y.Y.a").stacks


def test_double_swap_is_the_identity():
    text = "act a, b; proc P = a.rename({a -> b, b -> a}, P); init P;"
    process = linearise(mcrl2.read_text(text), simplifications=())
    assert mucrl.generate(process).state_count == 2
