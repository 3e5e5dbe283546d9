"""The grammar of mCRL2: priorities and associativity, against a table from its documentation."""

import itertools

import pytest

from lts import ParseError
from lts.mcrl2.text import data_tree, tree
from lts.mcrl2.text.parser import parse
from lts.text.source import Source

# Language reference, `DataExpr`: binary operators with their levels; `r` associates to the right.
DATA = """
=> 2r  || 3r  && 4r  == 5  != 5  < 6  <= 6  >= 6  > 6  in 6  |> 7r  <| 8  ++ 9  + 10  - 10
/ 11  div 11  mod 11  * 12  . 12
"""
# The same, `ProcExpr`.
PROCESS = "+ 1  || 3r  ||_ 4r  . 9r  | 11"


def operators(table):
    words = table.split()
    return {
        operator: (int(level.rstrip("r")), level.endswith("r"))
        for operator, level in zip(words[::2], words[1::2], strict=True)
    }


def data(text):
    return shown(parse(Source(f"eqn {text} = x; init delta;")).equations[0].left)


def process(text):
    return shown_process(parse(Source(f"init {text};")).initial[0][0])


def shown(node):
    """An expression with all its parentheses."""
    match node:
        case data_tree.Identifier(name):
            return str(name)
        case data_tree.Number(digits):
            return str(digits)
        case data_tree.Operation(operator, operands):
            if len(operands) == 1:
                return f"({operator}{shown(operands[0])})"
            return f"({shown(operands[0])} {operator} {shown(operands[1])})"
        case data_tree.Application(function, arguments):
            return f"{shown(function)}({','.join(map(shown, arguments))})"
        case data_tree.Update(function, argument, value):
            return f"{shown(function)}[{shown(argument)}->{shown(value)}]"
        case data_tree.ListOf(elements):
            return f"[{','.join(map(shown, elements))}]"
        case data_tree.SetOf(elements):
            return f"{{{','.join(map(shown, elements))}}}"
        case data_tree.Bag(elements):
            return f"{{{','.join(f'{shown(e)}:{shown(n)}' for e, n in elements) or ':'}}}"
        case data_tree.Comprehension(variable, body):
            return f"{{{variable.name}:{shown_sort(variable.sort)}|{shown(body)}}}"
        case data_tree.Binder(word, variables, body):
            bound = ",".join(f"{v.name}:{shown_sort(v.sort)}" for v in variables)
            return f"({word} {bound}.{shown(body)})"
        case data_tree.Where(body, assignments):
            assigned = ",".join(f"{name}={shown(value)}" for name, value in assignments)
            return f"({shown(body)} whr {assigned} end)"
    raise AssertionError(node)


def shown_sort(sort):
    match sort:
        case data_tree.SortName(name):
            return str(name)
        case data_tree.Container(name, element):
            return f"{name}({shown_sort(element)})"
        case data_tree.Product(sorts):
            return f"({'#'.join(map(shown_sort, sorts))})"
        case data_tree.Function(arguments, result):
            return f"({'#'.join(map(shown_sort, arguments))}->{shown_sort(result)})"
        case data_tree.StructuredSort(constructors):
            return "|".join(map(shown_constructor, constructors))
    raise AssertionError(sort)


def shown_constructor(constructor):
    fields = [f"{p or '_'}:{shown_sort(s)}" for p, s in constructor.projections]
    return f"{constructor.name}({','.join(fields)})?{constructor.recogniser}"


def shown_process(node):
    def joined(operator, parts):
        return f"({f' {operator} '.join(map(shown_process, parts))})"

    match node:
        case tree.Call(name, arguments):
            return str(name) + (f"({','.join(map(shown, arguments))})" if arguments else "")
        case tree.Assignments(name, assignments):
            return f"{name}({','.join(f'{n}={shown(v)}' for n, v in assignments)})"
        case tree.Delta():
            return "delta"
        case tree.Tau():
            return "tau"
        case tree.Choice(parts):
            return joined("+", parts)
        case tree.Sequence(parts):
            return joined(".", parts)
        case tree.Parallel(parts):
            return joined("||", parts)
        case tree.Synchronous(parts):
            return joined("|", parts)
        case tree.LeftMerge(first, second):
            return joined("||_", (first, second))
        case tree.Until(first, second):
            return joined("<<", (first, second))
        case tree.At(timed, time):
            return f"({shown_process(timed)} @ {shown(time)})"
        case tree.Condition(condition, then, None):
            return f"({shown(condition)} -> {shown_process(then)})"
        case tree.Condition(condition, then, otherwise):
            branches = f"{shown_process(then)} <> {shown_process(otherwise)}"
            return f"({shown(condition)} -> {branches})"
        case tree.Sum(variables, body):
            bound = ",".join(f"{v.name}:{shown_sort(v.sort)}" for v in variables)
            return f"(sum {bound}.{shown_process(body)})"
        case tree.Distribution(variables, density, body):
            bound = ",".join(f"{v.name}:{shown_sort(v.sort)}" for v in variables)
            return f"(dist {bound}[{shown(density)}].{shown_process(body)})"
        case tree.Encap(actions, body):
            return f"block({{{','.join(actions)}}},{shown_process(body)})"
        case tree.Hide(actions, body):
            return f"hide({{{','.join(actions)}}},{shown_process(body)})"
        case tree.Allow(actions, body):
            allowed = ",".join("|".join(names) for names in actions)
            return f"allow({{{allowed}}},{shown_process(body)})"
        case tree.Comm(pairs, body):
            shown_pairs = ",".join(f"{'|'.join(names)}->{result}" for names, result in pairs)
            return f"comm({{{shown_pairs}}},{shown_process(body)})"
        case tree.Rename(pairs, body):
            renamed = ",".join(f"{old}->{new}" for old, new in pairs)
            return f"rename({{{renamed}}},{shown_process(body)})"
    raise AssertionError(node)


def expected(table, one, other):
    """How `a ONE b OTHER c` is read."""
    (first, to_right), (second, _) = table[one], table[other]
    if second > first or (first == second and to_right):
        return f"(a {one} (b {other} c))"
    return f"((a {one} b) {other} c)"


@pytest.mark.parametrize(("one", "other"), [*itertools.product(operators(DATA), repeat=2)])
def test_operators_of_data_bind_as_documented(one, other):
    assert data(f"a {one} b {other} c") == expected(operators(DATA), one, other)


@pytest.mark.parametrize(("one", "other"), [*itertools.product(operators(PROCESS), repeat=2)])
def test_operators_of_processes_bind_as_documented(one, other):
    wanted = expected(operators(PROCESS), one, other)
    if one == other != "||_":
        wanted = f"(a {one} b {one} c)"
    assert process(f"a {one} b {other} c") == wanted


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("!a && b", "((!a) && b)"),
        ("-a + b", "((-a) + b)"),
        ("#l == n", "((#l) == n)"),
        ("!f(a)(b)", "(!f(a)(b))"),
        ("!-#a", "(!(-(#a)))"),
        ("a - -1", "(a - (-1))"),
        ("l.i + 1", "((l . i) + 1)"),
        ("f[a->b][c->d](e)", "f[a->b][c->d](e)"),
        ("(f)(x)", "f(x)"),
        ("[1,2](x)", "[1,2](x)"),
        ("forall x:D. a && b", "(forall x:D.(a && b))"),
        ("a && forall x:D. b && c", "(a && (forall x:D.(b && c)))"),
        # As mCRL2 202607 shows them: what binds less than the operator before is outside.
        ("a && forall x:D. b || c", "((a && (forall x:D.b)) || c)"),
        ("a || forall x:D. b && c || d => e", "((a || (forall x:D.((b && c) || d))) => e)"),
        ("a => exists x:D. b => c", "(a => (exists x:D.(b => c)))"),
        ("a == exists x:D. b && c", "((a == (exists x:D.b)) && c)"),
        ("a == !exists x:D. b && c", "((a == (!(exists x:D.b))) && c)"),
        ("a && forall x:D. exists y:D. b || c", "((a && (forall x:D.(exists y:D.b))) || c)"),
        ("forall x:D. b && exists y:D. b || c", "(forall x:D.((b && (exists y:D.b)) || c))"),
        ("a == exists x,y:D,z:E. b == c", "(a == (exists x:D,y:D,z:E.(b == c)))"),
        ("!exists x:D. b && c", "((!(exists x:D.b)) && c)"),
        ("!!exists x:D. exists y:D. b == c", "((!(!(exists x:D.(exists y:D.b)))) == c)"),
        ("lambda x:A->B. x(1)", "(lambda x:(A->B).x(1))"),
        ("a + b whr a = 1, b = c end", "((a + b) whr a=1,b=c end)"),
        ("forall x:D. y whr y = 1 end", "((forall x:D.y) whr y=1 end)"),
        ("{}", "{}"),
        ("{:}", "{:}"),
        ("{a,b}", "{a,b}"),
        ("{a:1,b:2}", "{a:1,b:2}"),
        ("{x:D|a || b}", "{x:D|(a || b)}"),
        ("{x:List(Nat)|x==[]}", "{x:List(Nat)|(x == [])}"),
        ("{f(x):1}", "{f(x):1}"),
        ("a in {b} => c", "((a in {b}) => c)"),
        ("a=>b=>c", "(a => (b => c))"),
        ("x'|>y_|>[]", "(x' |> (y_ |> []))"),
        ("a%comment\n+b", "(a + b)"),
    ],
)
def test_data(text, read):
    assert data(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a.b.c", "(a . b . c)"),
        ("sum x:D. a + b", "((sum x:D.a) + b)"),
        ("sum x:D. a || b", "(sum x:D.(a || b))"),
        ("sum x,y:D,z:E. a.b", "(sum x:D,y:D,z:E.(a . b))"),
        ("a.sum x:D. b.c", "(a . (sum x:D.(b . c)))"),
        ("a.sum x:D. b + c", "((a . (sum x:D.b)) + c)"),
        ("a.sum x:D. b || c", "((a . (sum x:D.b)) || c)"),
        ("a || sum x:D. b || c", "(a || (sum x:D.(b || c)))"),
        ("x -> a.b", "(x -> (a . b))"),
        ("x -> a + b", "((x -> a) + b)"),
        ("x -> a || b", "((x -> a) || b)"),
        ("x -> a <> b", "(x -> a <> b)"),
        ("x -> a.b <> c.d", "(x -> (a . b) <> (c . d))"),
        ("x -> a <> b + c", "((x -> a <> b) + c)"),
        ("x -> y -> a <> b", "(x -> (y -> a <> b))"),
        ("x -> a <> y -> b <> c", "(x -> a <> (y -> b <> c))"),
        ("x -> sum d:D. a <> b", "(x -> (sum d:D.a) <> b)"),
        ("a.x -> b.c <> d.e", "(a . (x -> (b . c) <> (d . e)))"),
        ("a.(x || y) -> b.c", "(a . ((x || y) -> (b . c)))"),
        ("(x || y) -> a", "((x || y) -> a)"),
        ("(x || y) . a", "((x || y) . a)"),
        ("(x || y) || a", "((x || y) || a)"),
        ("!x -> a", "((!x) -> a)"),
        ("!(x == 1)(y) -> a", "((!(x == 1)(y)) -> a)"),
        ("f(x)(1) -> a", "(f(x)(1) -> a)"),
        ("true -> a", "(true -> a)"),
        ("(x) -> a(x)", "(x -> a(x))"),
        ("a(x + 1, [y]).P", "(a((x + 1),[y]) . P)"),
        ("P()", "P()"),
        ("P(x = x + 1, y = z)", "P(x=(x + 1),y=z)"),
        ("a|b.c", "((a | b) . c)"),
        ("a|b@1.c", "(((a | b) @ 1) . c)"),
        ("a.b << c + d", "(((a . b) << c) + d)"),
        ("a@(t+1) + b", "((a @ (t + 1)) + b)"),
        ("dist x:Bool[1/2]. a", "(dist x:Bool[(1 / 2)].a)"),
        ("delta + tau", "(delta + tau)"),
        ("allow({a|b,c},comm({a|b|c->d},P))", "allow({a|b,c},comm({a|b|c->d},P))"),
        ("allow({},P)", "allow({},P)"),
        ("block({a,b},hide({c},rename({a->b},P)))", "block({a,b},hide({c},rename({a->b},P)))"),
        ("hide({a},P) + Q", "(hide({a},P) + Q)"),
    ],
)
def test_processes(text, read):
    assert process(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("A -> B -> C", "(A->(B->C))"),
        ("A # B -> C # D -> E", "(A#B->(C#D->E))"),
        ("(A -> B) # C -> D", "((A->B)#C->D)"),
        ("(A # B) -> C", "(A#B->C)"),
        ("List(Set(A -> B))", "List(Set((A->B)))"),
        ("struct a | b(A, p: B -> C) ? is_b", "a()?None|b(_:A,p:(B->C))?is_b"),
        ("struct a(struct b | c)", "a(_:b()?None|c()?None)?None"),
    ],
)
def test_sorts(text, read):
    (declared,) = parse(Source(f"sort S = {text}; init delta;")).sorts
    assert shown_sort(declared.sort) == read


def test_sections():
    text = """
    act a, b: Nat # Bool; c;  % the order is free
    init P;
    map f, g: Nat -> Nat;
    var x: Nat; y: Nat;
    eqn f(x) = y; x > 1 -> g(x) = 1;
    eqn f(1) = 1;
    sort A, B; C = A;
    cons k: A;
    glob v, w: A;
    proc P = c; Q(n, m: Nat, b: Bool) = c;
    """
    read = parse(Source(text))
    assert [(str(a.name), len(a.sorts)) for a in read.actions] == [("a", 2), ("b", 2), ("c", 0)]
    assert [(str(f.name), f.constructor) for f in read.functions] == [
        ("f", False),
        ("g", False),
        ("k", True),
    ]
    assert [[str(v.name) for v in e.variables] for e in read.equations] == [["x", "y"]] * 3
    assert [e.condition is None for e in read.equations] == [True, False, True]
    assert [str(s.name) for s in read.sorts] == ["A", "B", "C"]
    assert [str(v.name) for v in read.globals] == ["v", "w"]
    assert [(str(d.name), len(d.parameters)) for d in read.definitions] == [("P", 0), ("Q", 3)]


def test_variables_are_those_of_the_equations_that_follow():
    text = "map f: Nat; var x: Nat; eqn f = 1; map g: Nat; eqn g = 1; init delta;"
    assert [len(e.variables) for e in parse(Source(text)).equations] == [1, 0]


@pytest.mark.parametrize("text", ["init", "act", "init (;", "sort A = ; init delta", "}"])
def test_truncated_texts_are_parse_errors(text):
    with pytest.raises(ParseError):
        parse(Source(text))
