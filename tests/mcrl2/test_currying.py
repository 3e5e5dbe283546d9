"""Functions of functions: equations that apply one twice or more often."""

from __future__ import annotations

from lts.mcrl2 import read_text
from lts.state_space import generate

TREE = """
sort State = struct s1 | s2 | s3 | s4;
     Spec = struct sm(Children: State -> List(State));
map kids: State -> List(State);
    spec: Spec;
    descendants: Spec -> (State -> List(State));
    descendants_: Spec -> (List(State) -> List(State));
    parent: Spec -> State -> List(State);
    find: Spec # List(State) -> (State -> List(State));
    ancestors: Spec -> (State -> List(State));
    count: Spec -> Nat -> List(State) -> Nat;
var s, s': State; l: List(State); sp: Spec; n: Nat;
eqn kids(s1) = [s2, s3]; kids(s2) = [s4]; kids(s3) = []; kids(s4) = [];
    spec = sm(kids);
    descendants(sp)(s) = descendants_(sp)([s]);
    descendants_(sp)([]) = [];
    descendants_(sp)(s |> l) = s |> descendants_(sp)(Children(sp)(s)) ++ descendants_(sp)(l);
    parent(sp)(s) = find(sp, [s1, s2, s3, s4])(s);
    find(sp, [])(s) = [];
    s in Children(sp)(s') -> find(sp, s' |> l)(s) = [s'];
    !(s in Children(sp)(s')) -> find(sp, s' |> l)(s) = find(sp, l)(s);
    parent(sp)(s) == [] -> ancestors(sp)(s) = [];
    parent(sp)(s) != [] -> ancestors(sp)(s) = parent(sp)(s) ++ ancestors(sp)(head(parent(sp)(s)));
    count(sp)(n)([]) = n;
    count(sp)(n)(s |> l) = count(sp)(n + 1)(l);
"""


def labels(rest: str) -> list[str]:
    return sorted(generate(read_text(TREE + rest)).labels)


def test_curried_function_with_two_argument_lists() -> None:
    found = labels("act a, b: State # List(State); init sum s: State. "
                   "(a(s, descendants(spec)(s)) + b(s, ancestors(spec)(s)));")  # fmt: skip
    assert found == [
        "a(s1,[s1,s2,s4,s3])", "a(s2,[s2,s4])", "a(s3,[s3])", "a(s4,[s4])",
        "b(s1,[])", "b(s2,[s1])", "b(s3,[s1])", "b(s4,[s2,s1])",
    ]  # fmt: skip


def test_curried_function_with_three_argument_lists() -> None:
    found = labels("act a: State # Nat; init sum s: State. a(s, count(spec)(0)(kids(s)));")
    assert found == ["a(s1,2)", "a(s2,1)", "a(s3,0)", "a(s4,0)"]


def test_partial_application_is_a_value() -> None:
    rest = """map all: (State -> List(State)) # List(State) -> List(State);
           sums: (List(State) -> Nat) # List(List(State)) -> Nat;
           var f: State -> List(State); g: List(State) -> Nat; s: State; l: List(State);
               ls: List(List(State));
           eqn all(f, []) = []; all(f, s |> l) = f(s) ++ all(f, l);
               sums(g, []) = 0; sums(g, l |> ls) = g(l) + sums(g, ls);
           act a: List(State); b: Nat;
           init a(all(ancestors(spec), [s4, s3]))
              + b(sums(count(spec)(10), [[s1], [], [s2, s3]]));"""
    assert labels(rest) == ["a([s2,s1,s1])", "b(33)"]
