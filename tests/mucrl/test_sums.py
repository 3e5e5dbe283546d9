"""Sums over infinite sorts: what conditions leave is found, however they are written."""

from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import LimitReached, SpecificationError
from lts.mucrl import generate, read, read_text

CASES = Path(__file__).parents[2] / "cases"
BOUND = 5
"""Every variable is below it, so that trying all values is possible."""

# Rules for the same functions, some of them as weak as can be. Atoms and connectives are evaluated
# in Python: what the rules mean is not read from them.
CONNECTIVES = {
    "first argument": "and(T,b)=b and(F,b)=F or(T,b)=T or(F,b)=b",
    "second argument": "and(b,T)=b and(b,F)=F or(b,T)=T or(b,F)=b",
    "both arguments": "and(T,b)=b and(b,T)=b and(F,b)=F and(b,F)=F or(T,b)=T or(b,T)=T or(F,b)=b",
    "pointwise": "and(T,T)=T and(T,F)=F and(F,T)=F and(F,F)=F "
    "or(T,T)=T or(T,F)=T or(F,T)=T or(F,F)=F",
    "by cases": "and(b,c)=if(b,c,F) or(b,c)=if(b,T,c)",
}
EQUALITIES = {
    "constructors": "eq(0,0)=T eq(0,S(n))=F eq(S(m),0)=F eq(S(m),S(n))=eq(m,n)",
    "the same": "eq(n,n)=T eq(0,S(n))=F eq(S(m),0)=F eq(S(m),S(n))=eq(m,n)",
    "by cases": "eq(0,n)=zero(n) eq(S(m),n)=if(zero(n),F,eq(m,pred(n)))",
    "through lt": "eq(m,n)=and(not(lt(m,n)),not(lt(n,m)))",
    "otherwise": "eq(n,n)=T eq(m,n)=F",
}
HEAD = """sort Bool func T,F:->Bool
map and,or,iff:Bool#Bool->Bool not:Bool->Bool if:Bool#Bool#Bool->Bool var b,c,d:Bool
rew not(T)=F not(F)=T if(T,c,d)=c if(F,c,d)=d iff(T,b)=b iff(F,b)=not(b)
    {connectives}
sort Nat func 0:->Nat S:Nat->Nat
map lt,eq:Nat#Nat->Bool even,odd,zero:Nat->Bool double,half,pred:Nat->Nat var m,n:Nat
rew lt(m,0)=F lt(0,S(n))=T lt(S(m),S(n))=lt(m,n) even(0)=T even(S(n))=odd(n)
    odd(0)=F odd(S(n))=even(n) zero(0)=T zero(S(n))=F pred(0)=0 pred(S(n))=n
    double(0)=0 double(S(n))=S(S(double(n))) half(0)=0 half(S(0))=0 half(S(S(n)))=S(half(n))
    {equality}
act a:Nat#Nat
"""
MEANING = {
    "and": lambda x, y: x and y,
    "or": lambda x, y: x or y,
    "iff": lambda x, y: x == y,
    "not": lambda x: not x,
    "if": lambda x, y, z: y if x else z,
    "lt": lambda x, y: x < y,
    "eq": lambda x, y: x == y,
    "even": lambda x: x % 2 == 0,
    "odd": lambda x: x % 2 == 1,
    "double": lambda x: 2 * x,
    "half": lambda x: x // 2,
    "pred": lambda x: max(x - 1, 0),
    "S": lambda x: x + 1,
}


def meaning(term, values):
    if isinstance(term, str):
        return values[term]
    if isinstance(term, int):
        return term
    return MEANING[term[0]](*(meaning(part, values) for part in term[1:]))


def number(n):
    return "S(" * n + "0" + ")" * n


def show(term):
    if isinstance(term, int):
        return number(term)
    return term if isinstance(term, str) else f"{term[0]}({','.join(map(show, term[1:]))})"


numbers = st.recursive(
    st.sampled_from(["x", "x", "y", "y"]) | st.integers(0, 4),
    lambda inner: st.tuples(st.sampled_from(["S", "double", "half", "pred"]), inner),
    max_leaves=3,
)
atoms = st.tuples(st.sampled_from(["lt", "eq"]), numbers, numbers) | st.tuples(
    st.sampled_from(["even", "odd"]), numbers
)
conditions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or", "iff"]), inner, inner),
        st.tuples(st.just("if"), inner, inner, inner),
    ),
    max_leaves=4,
)
bounds = st.sampled_from(
    [
        (("lt", "x", BOUND), ("lt", "y", BOUND)),
        (("not", ("lt", BOUND - 1, "x")), ("lt", "y", BOUND)),
        (("eq", "x", "y"), ("lt", "y", BOUND)),
        (("lt", "x", ("S", "y")), ("not", ("lt", BOUND - 1, "y"))),
        (("lt", "y", BOUND), ("eq", ("double", "x"), "y")),
    ]
)


@st.composite
def conjoined(draw, parts):
    """The conjunction of all parts in this order, nested somehow, written somehow."""
    if len(parts) == 1:
        return parts[0]
    at = draw(st.integers(1, len(parts) - 1))
    left, right = draw(conjoined(parts[:at])), draw(conjoined(parts[at:]))
    return draw(
        st.sampled_from(
            [
                ("and", left, right),
                ("and", left, right),
                ("if", left, right, ("not", ("eq", 0, 0))),
                ("not", ("or", ("not", left), ("not", right))),
            ]
        )
    )


@settings(max_examples=60)
@given(
    st.sampled_from(sorted(CONNECTIVES)),
    st.sampled_from(sorted(EQUALITIES)),
    bounds,
    st.lists(conditions, max_size=1),
    st.data(),
)
def test_sums_match_enumeration(connectives, equality, bound, more, data):
    head = HEAD.format(connectives=CONNECTIVES[connectives], equality=EQUALITIES[equality])
    expected = {
        f"a({number(x)},{number(y)})"
        for x, y in product(range(2 * BOUND), repeat=2)
        if all(meaning(part, {"x": x, "y": y}) for part in (*bound, *more))
    }
    for order in permutations([*bound, *more]):
        condition = show(data.draw(conjoined(list(order))))
        text = f"{head}init sum(x:Nat,sum(y:Nat,a(x,y) <| {condition} |> delta))"
        system = generate(read_text(text), max_values=20_000)
        assert set(system.labels) == expected, condition
        assert system.transition_count == len(expected)


@pytest.mark.parametrize("connectives", CONNECTIVES)
@pytest.mark.parametrize("equality", EQUALITIES)
@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("lt(x,x)", 0),
        ("eq(x,S(x))", 0),
        ("and(lt(x,y),lt(y,x))", 0),
        ("and(even(x),odd(x))", 0),
        ("and(even(x),and(odd(x),lt(y,x)))", 0),
        ("and(even(x),and(eq(y,0),lt(x,S(S(S(0))))))", 2),
        ("and(eq(y,half(x)),lt(y,S(S(0))))", 4),
        ("or(and(eq(x,S(S(0))),eq(y,0)),and(eq(0,y),eq(S(0),x)))", 2),
        ("not(or(not(eq(S(x),S(S(0)))),not(eq(y,x))))", 1),
        ("and(lt(x,S(y)),and(not(eq(double(x),S(S(x)))),not(lt(S(S(S(S(0)))),y))))", 12),
        ("iff(eq(x,y),and(even(x),odd(x)))", None),
        ("and(even(x),eq(y,0))", None),
    ],
)
def test_recurring_conditions_are_solved_or_limited(connectives, equality, condition, count):
    text = HEAD.format(connectives=CONNECTIVES[connectives], equality=EQUALITIES[equality])
    text += f"init sum(x:Nat,sum(y:Nat,a(x,y) <| {condition} |> delta))"
    if count is None:
        with pytest.raises(LimitReached, match="a sum over `x:Nat`, `y:Nat` has more than"):
            generate(read_text(text), max_values=3000)
    else:
        assert generate(read_text(text), max_values=3000).transition_count == count


@pytest.mark.parametrize("connectives", CONNECTIVES)
@pytest.mark.parametrize("equality", sorted({*EQUALITIES} - {"otherwise"}))
def test_conjuncts_are_tried_before_enumeration(connectives, equality):
    """Whatever `y` is, there is no such `x`: seen once `even(x)` and the equality are tried."""
    text = HEAD.format(connectives=CONNECTIVES[connectives], equality=EQUALITIES[equality])
    condition = "and(odd(double(x)),iff(even(x),eq(S(half(x)),y)))"
    text += f"init sum(x:Nat,sum(y:Nat,a(x,y) <| {condition} |> delta))"
    assert generate(read_text(text), max_values=3000).transition_count == 0


def test_an_equality_needs_no_search():
    # One point, not a hundred thousand.
    text = HEAD.format(connectives=CONNECTIVES["pointwise"], equality=EQUALITIES["constructors"])
    text += (
        "map ten,big:->Nat plus,times:Nat#Nat->Nat var m,n:Nat rew plus(0,n)=n "
        "plus(S(m),n)=S(plus(m,n)) times(0,n)=0 times(S(m),n)=plus(n,times(m,n)) "
        f"ten={number(10)} big=times(times(times(times(ten,ten),ten),ten),ten)"
        "act b:Nat init sum(x:Nat,sum(y:Nat,b(pred(x)) <| and(eq(y,S(0)),eq(big,plus(y,x))) |> "
        "delta))"
    )
    assert generate(read_text(text), max_values=10).transition_count == 1


def test_guards_are_evaluated_before_guarded_conditions():
    text = HEAD.format(connectives=CONNECTIVES["first argument"], equality=EQUALITIES["the same"])
    text += (
        "map down:Nat->Nat var n:Nat rew down(S(n))=n "
        "init sum(x:Nat,sum(y:Nat,a(x,y) <| and(lt(x,S(S(0))),and(not(eq(x,0)),eq(y,down(x))))"
        " |> delta))"
    )
    assert generate(read_text(text)).labels == ("a(S(0),0)",)


def test_a_condition_that_is_no_truth_value_is_an_error():
    text = HEAD.format(connectives=CONNECTIVES["pointwise"], equality=EQUALITIES["the same"])
    text += (
        "map odd-one:Nat->Bool rew odd-one(0)=F odd-one(S(0))=T "
        "init sum(x:Nat,a(x,x) <| and(odd-one(S(S(0))),lt(x,S(S(0)))) |> delta)"
    )
    with pytest.raises(SpecificationError, match="is neither `T` nor `F`"):
        generate(read_text(text))


def philosophers(conjunction, connectives, extra=""):
    text = (CASES / "philosophers.mcrl").read_text()
    old = "and(wants(a),and(not(eats(b)),not(eats(c))))"
    assert old in text
    text = text.replace(old, conjunction)
    rules = "rew  and(T,b) = b\n     and(F,b) = F\n"
    assert rules in text
    return text.replace(rules, f"rew {connectives}\n") + extra


CONJUNCTIONS = [
    "and(and(not(eats(c)),wants(a)),not(eats(b)))",
    "not(or(eats(b),or(eats(c),not(wants(a)))))",
    "if(eats(b),F,if(eats(c),F,wants(a)))",
]


@pytest.mark.parametrize("connectives", ["first argument", "pointwise"])
@pytest.mark.parametrize("conjunction", CONJUNCTIONS)
def test_philosophers_with_permuted_conditions(tmp_path, connectives, conjunction):
    rules = CONNECTIVES[connectives]
    text = philosophers(conjunction, rules + " if(T,b,c)=b if(F,b,c)=c")
    text = text.replace("map  and: Bool#Bool", "map  or,and: Bool#Bool -> Bool if: Bool#Bool#Bool")
    text = text.replace("var  b: Bool\nrew and", "var  b,c: Bool\nrew and")
    file = tmp_path / "philosophers.mcrl"
    file.write_text(text)
    system = generate(read(file, parameters={"N": 2}))
    assert (system.state_count, system.transition_count) == (980, 1578)


PRINTED = """sort Bool func T,F:->Bool
map and,or:Bool#Bool->Bool not:Bool->Bool if:Bool#Bool#Bool->Bool
var b,c:Bool rew {connectives} not(T)=F not(F)=T if(T,b,c)=b if(F,b,c)=c
sort Nat func 0:->Nat S:Nat->Nat
map eq:Nat#Nat->Bool left,right:Nat->Nat if:Bool#Nat#Nat->Nat hungry,thinking:->Nat
var m,n:Nat b:Bool rew {equality} if(T,m,n)=m if(F,m,n)=n if(b,n,n)=n
    left(S(0))=S(S(S(0))) left(S(S(n)))=S(n) right(n)=if(eq(n,S(S(S(0)))),S(0),S(n))
    hungry=S(0) thinking=S(S(0))
sort Array func nil:Nat->Array cons:Nat#Array->Array
map set:Array#Nat#Nat->Array get:Array#Nat->Nat trim:Array->Array
    join:Nat#Array->Array if:Bool#Array#Array->Array
var r,t:Array i,m,n:Nat b:Bool
rew if(T,r,t)=r if(F,r,t)=t if(b,r,r)=r
    set(nil(m),S(0),n)=cons(n,nil(m)) set(nil(m),S(S(i)),n)=cons(m,set(nil(m),S(i),n))
    set(cons(m,r),S(0),n)=cons(n,r) set(cons(m,r),S(S(i)),n)=cons(m,set(r,S(i),n))
    get(nil(m),i)=m get(cons(m,r),S(0))=m get(cons(m,r),S(S(i)))=get(r,S(i))
    trim(nil(m))=nil(m) trim(cons(m,r))=join(m,trim(r))
    join(m,nil(n))=if(eq(m,n),nil(n),cons(m,nil(n))) join(m,cons(n,r))=cons(m,cons(n,r))
sort Variable func s,state:Nat->Variable mutex:->Variable
act get1,get2,get,set1,set2,set:Variable#Nat up1,up2,up,down1,down2,down:Variable think,eat:Nat
comm get1|get2=get set1|set2=set up1|up2=up down1|down2=down
proc Memory(m:Nat,r:Array,t:Array) =
       up1(mutex).Memory(S(m),r,t)
     + sum(j:Nat,up1(s(j)).Memory(m,trim(set(r,j,S(get(r,j)))),t))
     + sum(j:Nat,get1(state(j),get(t,j)).Memory(m,r,t))
     + sum(j:Nat,down1(mutex).Memory(j,r,t) <| {mutex} |> delta)
     + sum(i:Nat,sum(j:Nat,down1(s(i)).Memory(m,trim(set(r,i,j)),t) <| {semaphore} |> delta))
     + sum(i:Nat,sum(j:Nat,set1(state(i),j).Memory(m,r,trim(set(t,i,j)))))
     P(i:Nat) = think(i).Take(i).eat(i).Put(i).P(i)
     Take(i:Nat) = down2(mutex).set2(state(i),hungry).Test(i).up2(mutex).down2(s(i))
     Put(i:Nat) = down2(mutex).set2(state(i),thinking).Test(left(i)).Test(right(i)).up2(mutex)
     Test(i:Nat) = sum(a:Nat,get2(state(i),a).sum(b:Nat,get2(state(left(i)),b).
       sum(c:Nat,get2(state(right(i)),c).
         (set2(state(i),0).up2(s(i)) <| {hungry} |> tau))))
init encap({{get1,get2,set1,set2,up1,up2,down1,down2}},
  P(S(0))||P(S(S(0)))||P(S(S(S(0))))||Memory(S(0),nil(S(0)),nil(0)))
"""


@pytest.mark.parametrize("connectives", ["first argument", "second argument"])
@pytest.mark.parametrize("equality", ["constructors", "the same"])
@pytest.mark.parametrize(
    ("mutex", "semaphore", "hungry"),
    [
        ("eq(S(j),m)", "eq(S(j),get(r,i))", "and(eq(a,hungry),and(not(eq(b,0)),not(eq(c,0))))"),
        ("eq(m,S(j))", "eq(get(r,i),S(j))", "not(or(or(eq(0,c),eq(0,b)),not(eq(hungry,a))))"),
    ],
)
def test_three_philosophers_with_arrays_of_numbers(connectives, equality, mutex, semaphore, hungry):
    # What the original tools do not come to an end with: sums over all numbers, that only array
    # operations limit. (After van Langevelde, CWI report SEN-R0303; the size is of its Table 2.)
    rules = [r for r in CONNECTIVES[connectives].split() if r.startswith(("and", "or"))]
    text = PRINTED.format(
        connectives=" ".join(rules),
        equality=EQUALITIES[equality],
        mutex=mutex,
        semaphore=semaphore,
        hungry=hungry,
    )
    system = generate(read_text(text), max_values=1000)
    assert (system.state_count, system.transition_count) == (14916, 32160)


# Semaphores are numbers, and the memory is asked for any of them: indices, values and results of
# array operations are summed over, and only conditions say which are meant.
MEMORY = """sort Bool func T,F:->Bool
map and:Bool#Bool->Bool var b:Bool rew {connectives}
sort Nat func 0:->Nat S:Nat->Nat
map eq:Nat#Nat->Bool var m,n:Nat rew {equality}
sort Array func nil:Nat->Array cons:Nat#Array->Array
map set:Array#Nat#Nat->Array get:Array#Nat->Nat
var r:Array i,m,n:Nat
rew set(nil(m),0,n)=cons(n,nil(m)) set(nil(m),S(i),n)=cons(m,set(nil(m),i,n))
    set(cons(m,r),0,n)=cons(n,r) set(cons(m,r),S(i),n)=cons(m,set(r,i,n))
    get(nil(m),i)=m get(cons(m,r),0)=m get(cons(m,r),S(i))=get(r,i)
act up1,up2,up,down1,down2,down:Nat in,out:Nat
comm up1|up2=up down1|down2=down
proc Memory(r:Array) =
       sum(i:Nat,sum(j:Nat,up1(i).Memory(set(r,i,j)) <| eq(j,S(get(r,i))) |> delta))
     + sum(i:Nat,sum(j:Nat,down1(i).Memory(set(r,i,j)) <| {condition} |> delta))
     Client(i:Nat) = down2(0).down2(S(i)).in(i).out(i).up2(S(i)).up2(0).Client(i)
init encap({{up1,up2,down1,down2}},Client(0)||Client(S(0))||Client(S(S(0)))||Memory(nil(S(0))))
"""


def clients_by_hand():
    """The size of that system, with an array as the list of its cells; the rest is 1."""
    start = ((0, 0, 0), ())
    seen, steps = {start}, 0
    waiting = [start]
    while waiting:
        phases, cells = waiting.pop()
        for client, phase in enumerate(phases):
            after = cells
            if phase not in (2, 3):
                index = 0 if phase in (0, 5) else client + 1
                after = [*cells, *[1] * (index + 1 - len(cells))]
                after[index] += 1 if phase in (4, 5) else -1
                if after[index] < 0:
                    continue
            moved = tuple((p + (i == client)) % 6 for i, p in enumerate(phases))
            state = (moved, tuple(after))
            steps += 1
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return len(seen), steps


@pytest.mark.parametrize("connectives", ["first argument", "second argument", "pointwise"])
@pytest.mark.parametrize("equality", ["constructors", "the same"])
@pytest.mark.parametrize(
    "condition",
    [
        "eq(S(j),get(r,i))",
        "eq(get(r,i),S(j))",
        "and(eq(i,i),eq(S(j),get(r,i)))",
        "and(eq(get(r,i),S(j)),eq(S(get(r,i)),S(S(j))))",
    ],
)
def test_arrays_of_numbers(connectives, equality, condition):
    rules = [r for r in CONNECTIVES[connectives].split() if r.startswith("and")]
    text = MEMORY.format(
        connectives=" ".join(rules), equality=EQUALITIES[equality], condition=condition
    )
    system = generate(read_text(text), max_values=1000)
    assert (system.state_count, system.transition_count) == clients_by_hand()
