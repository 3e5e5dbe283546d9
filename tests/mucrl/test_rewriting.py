"""Rewriting against a rewriter written from the definition, on random rules."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lts import ParseError, RewritingLimit, SpecificationError
from lts.mucrl import evaluate, generate, read_text

BOOL = "sort Bool func T,F:->Bool\n"
NAT = BOOL + "sort Nat func 0:->Nat S:Nat->Nat\n"

# Terms are tuples: a name and the parts. Variables are names that begin with `x` or `b`.


class TooLong(Exception):
    pass


class Naive:
    """The first rule that matches, with the arguments in normal form."""

    def __init__(self, rules, most=3000):
        self.rules = rules
        self.most = most
        self.applied = []

    def normal(self, term):
        term = (term[0], *map(self.normal, term[1:]))
        for left, right in self.rules:
            values = {}
            if matches(left, term, values):
                self.most -= 1
                if self.most < 0:
                    raise TooLong
                self.applied.append(left)
                return self.normal(put(right, values))
        return term


def is_variable(term):
    return term[0][0] in "xb"


def matches(pattern, term, values):
    if is_variable(pattern):
        return values.setdefault(pattern[0], term) == term
    return (
        pattern[0] == term[0]
        and len(pattern) == len(term)
        and all(matches(p, t, values) for p, t in zip(pattern[1:], term[1:], strict=True))
    )


def put(term, values):
    if is_variable(term):
        return values[term[0]]
    return (term[0], *(put(part, values) for part in term[1:]))


def show(term):
    return term[0] + (f"({','.join(map(show, term[1:]))})" if term[1:] else "")


HEAD = """sort Bool func T,F:->Bool
sort D func 0:->D s:D->D p:D#D->D
map g0:->D g1:D->D g2:D#Bool->D g3:D->Bool
map f0:->D f1:D->D f2:D#D->D f3:D#Bool->D
    f4:D#D->Bool f5:D#D#Bool->D f6:Bool#Bool->Bool f7:Bool#D#D->D
var x0,x1,x2,x3,x4,x5:D b0,b1,b2,b3:Bool
rew
"""
FUNCTIONS = {
    "f1": ("D", "D"),
    "f2": ("D", "DD"),
    "f3": ("D", "DB"),
    "f4": ("B", "DD"),
    "f5": ("D", "DDB"),
    "f6": ("B", "BB"),
    "f7": ("D", "BDD"),
}
CONSTRUCTORS = {"D": [("0", ""), ("s", "D"), ("p", "DD")], "B": [("T", ""), ("F", "")]}
# Maps that no rule is about.
OTHERS = {"D": [("g0", ""), ("g1", "D"), ("g2", "DB")], "B": [("g3", "D")]}
VARIABLES = {"D": [f"x{i}" for i in range(6)], "B": [f"b{i}" for i in range(4)]}


def patterns(sort, depth):
    """Patterns of constructors and maps, with rules or without; a variable may stand twice."""
    variable = st.sampled_from([(v,) for v in VARIABLES[sort][:4]])
    if depth == 0:
        return variable
    built = [
        st.tuples(st.just(name), *(patterns(inner, depth - 1) for inner in parts))
        for name, parts in CONSTRUCTORS[sort]
    ]
    maps = OTHERS[sort] + [(f, parts) for f, (s, parts) in FUNCTIONS.items() if s == sort]
    with_map = st.sampled_from(maps).flatmap(
        lambda f: st.tuples(st.just(f[0]), *(patterns(inner, depth - 1) for inner in f[1]))
    )
    return st.one_of(variable, *built, with_map)


def variables_in(term):
    if is_variable(term):
        return {term[0]}
    return set().union(*map(variables_in, term[1:]))


@st.composite
def right_sides(draw, sort, depth, variables, rank, recursive):
    """A term over these variables and functions below a rank, or `recursive` calls."""
    own = [v for v in variables if v[0] == ("x" if sort == "D" else "b")]
    kinds = ["variable"] * 2 * bool(own) + ["constructor"]
    lower = [f for f, (s, _) in FUNCTIONS.items() if s == sort and f < rank]
    if depth > 0:
        kinds += ["function"] * 2 * bool(lower) + ["again"] * 2 * bool(recursive[0] == sort)
    kind = draw(st.sampled_from(kinds))

    def inner(sort, deeper=recursive):
        return draw(right_sides(sort, depth - 1, variables, rank, deeper))

    if kind == "variable":
        return (draw(st.sampled_from(sorted(own))),)
    if kind == "function":
        name = draw(st.sampled_from(lower))
        return (name, *map(inner, FUNCTIONS[name][1]))
    if kind == "again":
        # The first argument gets smaller; the others hold no further recursive call.
        _, name, smaller = recursive
        rest = FUNCTIONS[name][1][1:]
        nothing = ("", name, smaller)
        return (name, (draw(st.sampled_from(smaller)),), *(inner(s, nothing) for s in rest))
    choices = [(n, parts) for n, parts in CONSTRUCTORS[sort] if depth > 0 or not parts]
    name, parts = draw(st.sampled_from(choices))
    return (name, *map(inner, parts))


@st.composite
def rules(draw):
    """Rules that end: a call on the right has a smaller first argument, or a lower function."""
    found = [(("f0",), ("0",))]
    for name, (sort, parts) in FUNCTIONS.items():
        for _ in range(draw(st.integers(0, 4))):
            left = (name, *(draw(patterns(part, draw(st.integers(0, 2)))) for part in parts))
            first = left[1]
            smaller = sorted(v for v in variables_in(first) if v[0] == "x" and first != (v,))
            recursive = (sort if smaller and parts[0] == "D" else "", name, smaller)
            variables = sorted(variables_in(left))
            right = draw(right_sides(sort, draw(st.integers(0, 3)), variables, name, recursive))
            found.append((left, right))
    return found


def closed(sort, depth):
    choices = CONSTRUCTORS[sort] + OTHERS[sort]
    choices = [(n, parts) for n, parts in choices if depth > 0 or not parts]
    if depth > 0:
        choices += [(f, parts) for f, (s, parts) in FUNCTIONS.items() if s == sort] * 2
    return st.sampled_from(choices).flatmap(
        lambda choice: st.tuples(
            st.just(choice[0]), *(closed(part, depth - 1) for part in choice[1])
        )
    )


def test_normal_forms_match_definition():
    reached = Counter()

    @settings(max_examples=60)
    @given(rules(), st.lists(closed("D", 4) | closed("B", 4), min_size=1, max_size=5), st.data())
    def check(rules, terms, data):
        # Some of what rules that look for maps fit, but for parts that are rewritten first.
        looking = [left for left, _ in rules if any(map(has_map, left[1:]))]
        for left in looking[:3]:
            own = sorted(variables_in(left))
            sorts = ["D" if variable[0] == "x" else "B" for variable in own]
            terms.append(
                put(left, {v: data.draw(closed(s, 1)) for v, s in zip(own, sorts, strict=True)})
            )
        text = HEAD + "\n".join(f"{show(left)} = {show(right)}" for left, right in rules)
        specification = read_text(text + "\ninit delta")
        for term in terms:
            naive = Naive(rules)
            try:
                expected = show(naive.normal(term))
            except (TooLong, RecursionError):
                continue
            reached[any(has_map(part) for left in naive.applied for part in left[1:])] += 1
            assert evaluate(specification, show(term)).text == expected
            assert evaluate(specification, show(term), memoise=False).text == expected

    check()
    assert reached[True] >= reached.total() / 10


def has_map(pattern):
    return pattern[0][0] in "fg" or any(map(has_map, pattern[1:]))


WIDTH = 8


@st.composite
def tables(draw):
    """A function of many arguments with many rules, of which the first that matches counts."""
    cell = st.sampled_from([("A",), ("B",), ("C",), *[(f"x{i}",) for i in range(9)] * 2])
    row = st.tuples(*[cell] * WIDTH)
    rows = draw(st.lists(row, min_size=1, max_size=60))
    return [(("f", *row), (f"R{i}",)) for i, row in enumerate(rows)]


@settings(max_examples=40)
@given(tables(), st.lists(st.tuples(*[st.sampled_from("ABC")] * WIDTH), min_size=5, max_size=20))
def test_the_first_rule_of_a_table_is_applied(rules, inputs):
    text = BOOL + (
        f"sort E func A,B,C:->E sort R func {','.join(f'R{i}' for i in range(len(rules)))}:->R\n"
        f"map f:{'#'.join(['E'] * WIDTH)}->R var {','.join(f'x{i}' for i in range(9))}:E rew\n"
        + "\n".join(f"{show(left)} = {show(right)}" for left, right in rules)
        + "\ninit delta"
    )
    specification = read_text(text)
    for values in inputs:
        term = ("f", *((value,) for value in values))
        assert evaluate(specification, show(term)).text == show(Naive(rules).normal(term))


CONNECTIVES = """map and,or:Bool#Bool->Bool not:Bool->Bool
var b:Bool rew and(T,b)=b and(b,T)=b and(F,b)=F and(b,F)=F or(T,b)=T or(b,T)=T or(F,b)=b or(b,F)=b
not(T)=F not(F)=T not(not(b))=b
"""
ARITHMETIC = """map plus,times,minus:Nat#Nat->Nat eq,lt:Nat#Nat->Bool pred:Nat->Nat loop:->Nat
maybe:->Bool if:Bool#Nat#Nat->Nat fac,half:Nat->Nat
var m,n:Nat b:Bool rew plus(0,n)=n plus(S(m),n)=S(plus(m,n)) times(0,n)=0
times(S(m),n)=plus(n,times(m,n)) eq(n,n)=T eq(0,S(n))=F eq(S(n),0)=F eq(S(m),S(n))=eq(m,n)
lt(n,0)=F lt(0,S(n))=T lt(S(m),S(n))=lt(m,n) pred(S(n))=n pred(0)=0 minus(m,0)=m
minus(m,S(n))=pred(minus(m,n)) if(T,m,n)=m if(F,m,n)=n if(b,n,n)=n loop=S(loop) maybe=eq(loop,0)
fac(n)=if(eq(n,0),S(0),times(n,fac(pred(n))))
half(n)=if(lt(n,S(S(0))),0,S(half(minus(n,S(S(0))))))
init delta
"""
LAZY = read_text(NAT + CONNECTIVES + ARITHMETIC)


def number(n):
    return "S(" * n + "0" + ")" * n


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (f"fac({number(5)})", number(120)),
        (f"half({number(11)})", number(5)),
        ("and(F,eq(loop,0))", "F"),
        ("or(T,eq(loop,0))", "T"),
        ("or(F,not(and(F,eq(0,loop))))", "T"),
        ("if(T,0,loop)", "0"),
        ("lt(loop,0)", "F"),
        ("and(and(T,F),maybe)", "F"),
    ],
)
def test_rewriting_is_lazy(term, expected):
    assert evaluate(LAZY, term).text == expected


@pytest.mark.parametrize("term", ["loop", "eq(loop,0)", "and(maybe,F)", "if(F,0,loop)"])
def test_looping_rule_is_named(term):
    line = NAT.count("\n") + CONNECTIVES.count("\n") + 6
    message = "^stopped after 100000 rewrite steps .* by the rule for `loop` of line"
    with pytest.raises(RewritingLimit, match=f"{message} {line}$"):
        evaluate(LAZY, term, max_steps=100_000)


def test_a_function_without_a_matching_rule_is_a_normal_form():
    found = evaluate(LAZY, "if(eq(0,0),plus(0,S(0)),0)")
    assert (found.text, found.is_value, found.sort) == ("S(0)", True, "Nat")
    specification = read_text(NAT + "map f:Nat#Nat->Nat rew f(0,0)=S(0) init delta")
    found = evaluate(specification, "f(S(f(0,0)),f(S(0),f(0,0)))")
    assert (found.text, found.is_value) == ("f(S(S(0)),f(S(0),S(0)))", True)
    specification = read_text(NAT + "map f:Nat#Nat->Nat rew f(0,0)=S(0) init delta", strict=True)
    found = evaluate(specification, "f(S(f(0,0)),f(S(0),f(0,0)))")
    assert (found.text, found.is_value) == ("f(S(S(0)),f(S(0),S(0)))", False)


def test_rules_in_the_order_of_declaration():
    text = NAT + "map eq:Nat#Nat->Bool g:Nat->Nat var m,n:Nat rew eq(n,n)=T eq(m,n)=F "
    text += "g(S(S(n)))=0 g(S(n))=S(0) g(n)=S(S(0)) init delta"
    specification = read_text(text)
    assert evaluate(specification, "eq(S(g(0)),S(S(S(0))))").text == "T"
    assert evaluate(specification, "eq(S(g(0)),S(S(0)))").text == "F"
    for n, expected in enumerate(["S(S(0))", "S(0)", "0", "0"]):
        assert evaluate(specification, f"g({number(n)})").text == expected


def test_constructors_with_rules():
    text = (
        NAT
        + """sort Set func empty:->Set add:Nat#Set->Set
    map lt:Nat#Nat->Bool if:Bool#Set#Set->Set
    var m,n:Nat s,t:Set
    rew lt(n,0)=F lt(0,S(n))=T lt(S(m),S(n))=lt(m,n) if(T,s,t)=s if(F,s,t)=t
        add(n,add(n,s))=add(n,s) add(S(m),add(0,s))=add(0,add(S(m),s))
        add(S(S(m)),add(S(0),s))=add(S(0),add(S(S(m)),s)) init delta"""
    )
    specification = read_text(text)
    found = evaluate(specification, "add(S(S(0)),add(S(0),add(S(S(0)),add(0,add(S(0),empty)))))")
    assert found.text == "add(0,add(S(0),add(S(S(0)),empty)))"


def test_results_are_shared():
    text = NAT + "map f,g,h:Nat->Nat k:Nat#Nat->Nat if:Bool#Nat#Nat->Nat var m,n:Nat rew f(0)=0 "
    text += "f(S(n))=k(f(n),f(n)) k(0,n)=n k(S(m),n)=0 g(n)=k(n,n) if(T,m,n)=m if(F,m,n)=n "
    text += "h(0)=0 h(S(n))=g(if(T,g(h(n)),loop)) loop=loop init delta"
    text = text.replace("map f,g,h", "map loop:->Nat f,g,h")
    specification = read_text(text)
    for term in (f"f({number(60)})", f"h({number(60)})"):
        found = evaluate(specification, term)
        assert found.text == "0"
        assert found.steps < 1000


@pytest.mark.parametrize("width", [1, 5, 6, 7, 8, 20])
def test_functions_of_many_arguments(width):
    """Results of calls are kept only where there is room for the arguments."""
    names = [f"x{place}" for place in range(width)]
    rest = "".join(f",{name}" for name in names[1:])
    sorts = "#".join(["Nat"] * width)
    text = NAT + f"map f:{sorts}->Nat g:Nat->Nat var {','.join(names)}:Nat rew f(0{rest})=0 "
    text += f"f(S(x0){rest})=S(S(f(x0{rest}))) g(x0)=S(f({','.join(['x0'] * width)})) init delta"
    assert evaluate(read_text(text), f"g({number(3)})").text == number(7)


def test_deep_recursion_and_long_loops():
    ten = number(10)
    big = f"times({ten},times({ten},times({ten},times({ten},{ten}))))"
    assert evaluate(LAZY, f"eq(plus({big},0),{big})").text == "T"
    assert evaluate(LAZY, f"lt(plus({big},0),S({big}))").text == "T"


def test_many_rules_are_compiled_in_little_time():
    names = [f"c{i}" for i in range(40)]
    text = BOOL + f"sort C func {','.join(names)}:->C map eq:C#C->Bool var x:C rew eq(x,x)=T "
    text += " ".join(f"eq({a},{b})=F" for a in names for b in names if a != b) + " init delta"
    specification = read_text(text)
    assert evaluate(specification, "eq(c7,c7)").text == "T"
    assert evaluate(specification, "eq(c39,c7)").text == "F"


def test_deep_terms_are_read():
    assert evaluate(LAZY, f"plus({number(20_000)},0)").text == number(20_000)


def test_deep_patterns():
    deep = 150
    text = (
        NAT + f"map f:Nat->Nat var n:Nat rew f({'S(' * deep}n{')' * deep})=n f(n)=S(n) init delta"
    )
    specification = read_text(text)
    assert evaluate(specification, f"f(f({number(2)}))").text == number(4)


@pytest.mark.parametrize(
    ("term", "kind", "message"),
    [
        ("plus(0", ParseError, "the text ends where"),
        ("plus(0,)", ParseError, "term:1:8"),
        ("plus(0,T)", SpecificationError, "no function `plus:Nat#Bool`, only `plus:Nat#Nat`"),
        ("S(S(zero))", SpecificationError, "term:1:5: the specification declares no function"),
        ("plus(0,0) 0", ParseError, "term:1:11: `0` stands where the end"),
        ("sort", ParseError, "`sort` stands where a name"),
    ],
)
def test_invalid_terms_are_refused(term, kind, message):
    with pytest.raises(kind, match=message):
        evaluate(LAZY, term)


def test_generation_uses_the_assumed_rewriting():
    text = (
        NAT
        + CONNECTIVES
        + ARITHMETIC.replace(
            "init delta",
            "act a:Nat proc P(n:Nat)=a(fac(n)).P(S(n)) <| or(lt(n,S(S(0))),and(F,maybe)) |> delta "
            "init P(0)",
        )
    )
    assert generate(read_text(text)).labels == ("a(S(0))",)
