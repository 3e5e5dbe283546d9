"""Values of the library's units are shown as people write them."""

import random
import re

import pytest

from lts.errors import NotSymmetric
from lts.mucrl import linearise, read_text, simulate
from lts.state_space.containers import Containers
from lts.state_space.settings import Settings
from lts.symmetry import certified_quotient, parse_permutation

TEXT = """
%@ include Enum of p1..p3 as Pid
%@ include Queue of Pid as Line
%@ include Set of Pid as Group
%@ include Map of Pid, Line as Lines
%@ include Array of Pid, Nat as Counts
%@ include Array of Nat, Group as Groups
%@ include Map of Nat, Nat as Book
sort Pair func pair: Line#Nat -> Pair
init delta
"""


def shown(text, sort):
    return Containers(read_text(TEXT)).shown(text, sort)


@pytest.mark.parametrize(
    ("sort", "text", "expected"),
    [
        ("Line", "empty_Line", "[]"),
        ("Line", "cons(p1,cons(p2,empty_Line))", "[p1,p2]"),
        ("Group", "empty_Group", "{}"),
        ("Group", "in(out(in(empty_Group)))", "{p1,p3}"),
        ("Lines", "none(some(cons(p3,empty_Line),empty_Lines))", "{p2 -> [p3]}"),
        ("Counts", "filled_Counts(4)", "{p1 -> 4,p2 -> 4,p3 -> 4}"),
        ("Counts", "item(1,item(4,item(7,filled_Counts(4))))", "{p1 -> 1,p2 -> 4,p3 -> 7}"),
        (
            "Groups",
            "item(in(empty_Group),filled_Groups(empty_Group))",
            "{0 -> {p1},otherwise -> {}}",
        ),
        ("Book", "none(some(12,empty_Book))", "{1 -> 12}"),
        ("Pair", "pair(cons(p1,empty_Line),3)", "pair([p1],3)"),
        ("Pid", "p1", "p1"),
        ("Nat", "17", "17"),
        # What is no value of the unit stays as it is.
        ("Line", "rest(empty_Line)", "rest([])"),
        ("Group", "in(in(in(in(empty_Group))))", "in({p1,p2,p3})"),
        ("Line", "cons(p1", "cons(p1"),
        ("Line", "cons(p1,rest(empty_Line))", "cons(p1,rest([]))"),
    ],
)
def test_values(sort, text, expected):
    assert shown(text, sort) == expected


def test_deep_lists_are_shown():
    text = "cons(p1," * 30_000 + "empty_Line" + ")" * 30_000
    assert shown(text, "Line") == f"[{','.join(['p1'] * 30_000)}]"


def test_containers_need_the_library():
    text = """sort Bool func T,F: -> Bool sort Q E func e: -> E empty_Q: -> Q cons: E#Q -> Q
    map enqueue: Q#E -> Q act a init a"""
    assert Containers(read_text(text)).shown("cons(e,empty_Q)", "Q") == "cons(e,empty_Q)"


def test_container_contents_along_a_simulation():
    text = """
    %@ include Enum of p1..p3 as Pid
    %@ include Set of Pid as Group
    %@ include Queue of Pid as Line
    act  enter,leave: Pid
    proc P(g:Group,q:Line) = sum(p:Pid, enter(p).P(insert(g,p),enqueue(q,p)))
           + sum(p:Pid, leave(p).P(remove(g,p),rest(q))
               <| and(not(is_empty(q)),eq(p,first(q))) |> delta)
    init P(empty_Group,empty_Line)
    """
    walk = simulate(read_text(text))
    choice, queue, group = random.Random(7), [], set()
    for _ in range(60):
        steps = [step.label for step in walk.steps]
        number = choice.randrange(len(steps))
        action, pid = steps[number][:-1].split("(")
        walk.take(number)
        if action == "enter":
            queue.append(pid)
            group.add(pid)
        else:
            queue.pop(0)
            group.discard(pid)
        [component] = walk.components(walk.state)
        assert component.values == {
            "g": f"{{{','.join(sorted(group))}}}",
            "q": f"[{','.join(queue)}]",
        }


def test_witnesses_show_containers():
    text = """
    %@ include Enum of p1..p3 as Pid
    %@ include Set of Pid as Group
    act  enter,full: Pid
    proc P(g:Group) = sum(p:Pid, enter(p).P(insert(g,p)) <| not(contains(g,p)) |> delta)
           + full(p1).P(g) <| contains(g,p1) |> delta
    init P(empty_Group)
    """
    with pytest.raises(NotSymmetric) as refused:
        certified_quotient(
            linearise(read_text(text)),
            [parse_permutation("(p1 p2)")],
            settings=Settings(proof="tested"),
        )
    assert re.search(r" where \w*g={p1}\n.* where \w*g={p2}", refused.value.witness)
