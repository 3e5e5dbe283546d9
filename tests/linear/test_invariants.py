"""What holds of every linear process is looked for, and found where it does not hold."""

from dataclasses import replace

import pytest

from lts.linear import invariants
from lts.linear.control_state import Guard
from lts.linear.invariants import verified
from lts.linear.linearise import linearise
from lts.mucrl import read_text
from lts.specification.specification import Application, Function, Variable

TEXT = """sort Bool D func T,F:->Bool d1,d2:->D map is:D->Bool
rew is(d1)=T is(d2)=F
act a:D b c e comm b|c=e
proc X(x:D) = sum(y:D, a(y).X(y) <| is(y) |> delta) + b.X(x).c + e
     Y(x:D) = a(x).(b || c).Y(x)
init X(d1) || Y(d2)
"""
D2 = Application(Function("d2", (), "D", constructor=True))
NUMBER = Variable("n", "D")


def process():
    return linearise(read_text(TEXT), simplifications=())


def with_summand(change):
    """Return a process in which the summand of a sum is another one."""
    found = process()
    number = next(n for n, s in enumerate(found.summands) if s.variables and s.action == "a")
    summand = found.summands[number]
    changed = replace(summand, **change(summand, found))
    return replace(
        found, summands=(*found.summands[:number], changed, *found.summands[number + 1 :])
    )


def with_component(**change):
    found = process()
    component = replace(found.components[-1], **change)
    return replace(found, components=(*found.components[:-1], component))


def control(found):
    return found.components[0].parameters[0]


SUMMANDS = {
    "bound twice": lambda s, _: {"variables": s.variables * 2},
    "variable is a parameter": lambda s, p: {"variables": (*s.variables, p.parameters[1].variable)},
    "is free": lambda s, _: {"arguments": (NUMBER,)},
    "not Boolean": lambda s, _: {"guards": (Guard(D2, True),)},
    "different sorts": lambda s, p: {"equations": ((D2, p.specification.true),)},
    "updated twice": lambda s, _: {"updates": s.updates * 2},
    "no parameter": lambda s, _: {"updates": ((99, D2),)},
    "does not fit parameter": lambda s, p: {"updates": ((control(p), D2),)},
    "no control state": lambda s, p: {"updates": ((control(p), p.parameters[0].variable),)},
    "not declared": lambda s, _: {"action": "b"},
    "arguments remain": lambda s, _: {"action": None},
    "not in order": lambda s, _: {"origin": ((1, 0), *s.origin)},
    "no component": lambda s, _: {"origin": ((99, 0),)},
    "has no place": lambda s, _: {"places": ()},
    "is unknown": lambda s, _: {"arguments": (Application(Function("other", (), "D")),)},
    "do not fit": lambda s, p: {"guards": (Guard(is_of(p, p.specification.true), True),)},
}


def is_of(process, term):
    return Application(next(f for f in process.specification.functions if f.name == "is"), (term,))


PROCESSES = {
    "one name": lambda p: replace(p, parameters=(p.parameters[0], *p.parameters[:-1])),
    "no first value": lambda p: replace(p, initial=p.initial[:-1]),
    "is no": lambda p: replace(p, initial=(D2, *p.initial[1:])),
    "first control state": lambda p: replace(p, initial=(p.parameters[0].variable, *p.initial[1:])),
    "parameters of another": lambda _: with_component(parameters=()),
    "a first value has": lambda _: with_component(start=(D2,) * 9),
    "before its leaves": lambda _: with_component(parent=(99, 0, 0)),
    "fork is no control state": lambda _: with_component(parent=(1, 99, 0)),
    "no leaf": lambda _: with_component(parent=(1, 0, 0)),
    "no leaf of a": lambda p: with_component(parent=(*p.components[-1].parent[:2], 2)),
}


def test_linearised_processes_satisfy_invariants():
    assert verified(process()).stacks


@pytest.mark.parametrize("claim", SUMMANDS)
def test_invalid_summands_violate_invariants(claim):
    with pytest.raises(AssertionError, match=claim):
        verified(with_summand(SUMMANDS[claim]))


@pytest.mark.parametrize("claim", PROCESSES)
def test_invalid_processes_violate_invariants(claim):
    with pytest.raises(AssertionError, match=claim):
        verified(PROCESSES[claim](process()))


@pytest.mark.parametrize("claim", ["bound twice", "updated twice"])
def test_cheap_invariants_are_always_checked(claim, monkeypatch):
    monkeypatch.setattr(invariants, "thorough", False)
    with pytest.raises(AssertionError, match=claim):
        verified(with_summand(SUMMANDS[claim]))
