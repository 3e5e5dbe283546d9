"""What sorts expressions have, and what processes are read as."""

import pytest

from lts.mcrl2 import read_text

DECLARED = """
sort D = struct d1 | d2(n: Nat);
map p: Pos; n: Nat; i: Int; b: Bool; l: List(Nat); d: D;
    f: Nat -> Nat; f: Bool -> Nat; g: Pos -> Pos; g: Nat -> Nat; h: Int -> D;
"""


def typed(sort, text):
    specification = read_text(f"{DECLARED} act a: {sort}; init a({text});")
    return specification.initial.arguments[0]


def shown(term):
    """A term with the sort of every part."""
    inner = f"({','.join(map(shown, term.arguments))})" if term.arguments else ""
    return f"{term.function.name}{inner}:{term.sort}"


@pytest.mark.parametrize(
    ("sort", "text", "read"),
    [
        ("Nat", "1", "1:Nat"),
        ("Int", "0", "0:Int"),
        ("Int", "-3", "-3:Int"),
        ("Nat", "p", "Pos2Nat(p:Pos):Nat"),
        ("Int", "n", "@of(n:Nat):Int"),
        ("Int", "p", "@of(Pos2Nat(p:Pos):Nat):Int"),
        ("Nat", "p + 1", "Pos2Nat(+(p:Pos,1:Pos):Pos):Nat"),
        ("Nat", "n + 1", "+(n:Nat,1:Nat):Nat"),
        ("Int", "n - 1", "-(n:Nat,1:Nat):Int"),
        ("Int", "p - n", "-(Pos2Nat(p:Pos):Nat,n:Nat):Int"),
        ("Bool", "n == 1", "==(n:Nat,1:Nat):Bool"),
        ("Bool", "p < i", "<(@of(Pos2Nat(p:Pos):Nat):Int,i:Int):Bool"),
        ("Nat", "f(1)", "f(1:Nat):Nat"),
        ("Nat", "f(n == 1)", "f(==(n:Nat,1:Nat):Bool):Nat"),
        ("Nat", "g(n)", "g(n:Nat):Nat"),
        ("Nat", "g(p)", "Pos2Nat(g(p:Pos):Pos):Nat"),
        ("D", "h(1)", "h(1:Int):D"),
        ("D", "d2(p)", "d2(Pos2Nat(p:Pos):Nat):D"),
        ("Nat", "n(d)", "n(d:D):Nat"),
        ("Nat", "i mod p", "mod(i:Int,p:Pos):Nat"),
        ("Nat", "p mod 2", "mod(Pos2Nat(p:Pos):Nat,2:Pos):Nat"),
        ("Pos", "max(p, i)", "max(p:Pos,i:Int):Pos"),
        ("List(Nat)", "[]", "[]:List(Nat)"),
        ("List(Nat)", "[p]", "|>(Pos2Nat(p:Pos):Nat,[]:List(Nat)):List(Nat)"),
        ("List(Int)", "[1]", "|>(1:Int,[]:List(Int)):List(Int)"),
        ("List(Nat)", "1 |> l", "|>(1:Nat,l:List(Nat)):List(Nat)"),
        ("List(Nat)", "l <| p", "<|(l:List(Nat),Pos2Nat(p:Pos):Nat):List(Nat)"),
        ("List(Nat)", "[] ++ l", "++([]:List(Nat),l:List(Nat)):List(Nat)"),
        ("Bool", "l == []", "==(l:List(Nat),[]:List(Nat)):Bool"),
        ("Bool", "[] == [[], [n]]", None),
        ("Bool", "p in l", "in(Pos2Nat(p:Pos):Nat,l:List(Nat)):Bool"),
        ("Nat", "#l", "#(l:List(Nat)):Nat"),
        ("Nat", "l . 1", ".(l:List(Nat),1:Nat):Nat"),
        ("List(List(Nat))", "[[], l]", None),
        ("Int", "if(b, n, i)", "if(b:Bool,@of(n:Nat):Int,i:Int):Int"),
        ("List(Nat)", "if(b, [], l)", "if(b:Bool,[]:List(Nat),l:List(Nat)):List(Nat)"),
        ("Nat", "x + x whr x = n end", "+(n:Nat,n:Nat):Nat"),
        ("Nat", "x + y whr x = n, y = p end", "+(n:Nat,Pos2Nat(p:Pos):Nat):Nat"),
    ],
)
def test_sorts_of_expressions(sort, text, read):
    term = typed(sort, text)
    assert term.sort == sort
    if read is not None:
        assert shown(term) == read


def test_equations_have_the_sort_of_their_left_side():
    text = "map f: Nat -> Int; var p: Nat; eqn f(p) = p; f(0) = 1; init delta;"
    first, second, *_ = read_text(text).rules
    assert shown(second.left) == "f(0:Nat):Int"
    assert shown(second.right) == "1:Int"
    assert first.right.function.name == "@of"


def test_equal_structures_are_one_sort():
    text = """
    sort A = struct x | y(A); B = A; C = struct z(A) ? is; E = struct z(B) ? is;
    act a: List(E); init sum e: E, c: struct z(A) ? is. a([e, c]);
    """
    specification = read_text(text)
    assert specification.sorts == ("A", "C", "Bool", "List(C)")
    assert {action.sorts for action in specification.actions} == {("List(C)",)}


def test_specification_exposes_number_and_list_constructors():
    specification = read_text("act a: List(Int); init a([]);")
    assert specification.numbers.keys() == {"Pos", "Nat", "Int"}
    nil, cons = specification.lists["List(Int)"]
    assert (nil.name, cons.name, cons.arguments) == ("[]", "|>", ("Int", "List(Int)"))
    assert specification.truth == ("true", "false")
    assert specification.communications is None


PROCESSES = "act a, b, c: Nat; e; f: Bool; f: Nat # Nat;"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a(1).b(2).e", "a(1).b(2).e"),
        ("(e.e).e", "e.e.e"),
        ("true -> e", "(e) <| true |> (delta)"),
        ("true -> e <> tau", "(e) <| true |> (tau)"),
        ("sum x,y: Nat, z: Bool. a(x)", "sum(x:Nat,sum(y:Nat,sum(z:Bool,a(x))))"),
        ("e|a(1)|e", "e|a(1)|e"),
        ("(e|a(1))|tau", "e|a(1)"),
        ("tau|tau", "tau"),
        ("tau|e", "e"),
        ("e|(e+e)", "(e) | (e + e)"),
        ("e || e || e", "(e) || (e) || (e)"),
        ("e ||_ e", "(e) ||_ (e)"),
        ("allow({b|a,e}, e)", "allow({a|b,e},e)"),
        ("comm({c|a -> b}, e)", "comm({a|c->b},e)"),
        ("block({a}, e)", "encap({a},e)"),
        ("hide({a}, e)", "hide({a},e)"),
        ("rename({a -> b}, e)", "rename({a->b},e)"),
        ("f(true) + f(1, 2)", "f(true) + f(1,2)"),
    ],
)
def test_processes(text, read):
    assert str(read_text(f"{PROCESSES} init {text};").initial) == read


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("e.P()", "e.P(n,b)"),
        ("e.P(b = true)", "e.P(n,true)"),
        ("e.P(b = !b, n = n + 1)", "e.P(n+1,!b)"),
        ("sum n: Nat. e.P()", "sum(n:Nat,e.P(n,b))"),
        ("e.Q(m = n)", "e.Q(n,b)"),
        ("e.R()", "e.R"),
    ],
)
def test_unassigned_parameters_keep_their_values(body, read):
    text = f"{PROCESSES} proc P(n: Nat, b: Bool) = {body}; Q(m: Nat, b: Bool) = e; R = e; init R;"
    definitions = {name.name: body for name, (_, body) in read_text(text).definitions.items()}
    assert str(definitions["P"]) == read


def test_global_variables_have_an_arbitrary_value():
    text = """
    sort D = struct node(D, D) | leaf(Nat); glob x: D, y: List(D); act a: D # List(D);
    proc P(y: List(D)) = a(x, y).P(); init P(y);
    """
    specification = read_text(text)
    assert str(specification.initial) == "P([])"
    ((_, body),) = specification.definitions.values()
    assert str(body) == "a(leaf(0),y).P(y)"


def test_duplicate_declarations_give_a_remark():
    text = "sort D = struct d;\nsort D = struct d;\nmap f: D;\nmap f: D; init delta;"
    first, second = read_text(text, file="f").remarks
    assert first.startswith("f:2:6: sort `D` is already declared (line 1)")
    assert second.startswith("f:4:5: `f:D` is already declared (line 3)")
