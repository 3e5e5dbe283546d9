"""Rewriting: steps per second on arithmetic and lists, with and without memoised calls.

A step is the application of a rule; a call whose result is memoised does not count. The target is
five million steps per second without memoised calls, on one core.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from measure import measure

from lts.mucrl import evaluate, read_text

SPECIFICATION = """
sort Bool func T,F:->Bool
map  and:Bool#Bool->Bool var b:Bool rew and(T,b)=b and(F,b)=F

sort Nat func 0:->Nat S:Nat->Nat
map  plus,times,ack,power:Nat#Nat->Nat fib:Nat->Nat lt,le:Nat#Nat->Bool ten:->Nat
     even,odd:Nat->Bool
var  m,n:Nat
rew  plus(0,n)=n plus(S(m),n)=S(plus(m,n))
     times(0,n)=0 times(S(m),n)=plus(n,times(m,n))
     power(m,0)=S(0) power(m,S(n))=times(m,power(m,n))
     fib(0)=0 fib(S(0))=S(0) fib(S(S(n)))=plus(fib(n),fib(S(n)))
     ack(0,n)=S(n) ack(S(m),0)=ack(m,S(0)) ack(S(m),S(n))=ack(m,ack(S(m),n))
     lt(n,0)=F lt(0,S(n))=T lt(S(m),S(n))=lt(m,n)
     le(0,n)=T le(S(m),0)=F le(S(m),S(n))=le(m,n)
     even(0)=T even(S(n))=odd(n) odd(0)=F odd(S(n))=even(n)
     ten=S(S(S(S(S(S(S(S(S(S(0))))))))))

sort List func nil:->List cons:Nat#List->List
map  if:Bool#List#List->List append:List#List->List reverse,isort:List->List
     insert:Nat#List->List down,mixed:Nat->List length:List->Nat merge,slow:List#List->List
     sorted:List->Bool repeat:Nat#List->List
var  b:Bool k,l:List m,n:Nat
rew  if(T,k,l)=k if(F,k,l)=l
     append(nil,l)=l append(cons(n,k),l)=cons(n,append(k,l))
     reverse(nil)=nil reverse(cons(n,l))=append(reverse(l),cons(n,nil))
     insert(n,nil)=cons(n,nil)
     insert(n,cons(m,l))=if(le(n,m),cons(n,cons(m,l)),cons(m,insert(n,l)))
     isort(nil)=nil isort(cons(n,l))=insert(n,isort(l))
     sorted(nil)=T sorted(cons(n,nil))=T
     sorted(cons(m,cons(n,l)))=and(le(m,n),sorted(cons(n,l)))
     down(0)=nil down(S(n))=cons(n,down(n))
     mixed(0)=nil mixed(S(0))=nil mixed(S(S(n)))=cons(n,append(mixed(n),cons(S(n),nil)))
     length(nil)=0 length(cons(n,l))=S(length(l))
     repeat(0,l)=nil repeat(S(n),l)=append(l,repeat(n,l))

init delta
"""


@dataclass(frozen=True)
class Task:
    """A term, and a smaller one for quick runs."""

    name: str
    term: str
    quick: str


TASKS = [
    Task(
        "addition",
        "even(times(power(ten,S(S(S(0)))),power(ten,S(S(S(0))))))",
        "even(times(ten,ten))",
    ),
    Task("power", "even(power(S(S(0)),plus(ten,plus(ten,S(0)))))", "even(power(S(S(0)),ten))"),
    Task("fibonacci", "even(fib(plus(ten,plus(ten,S(S(S(S(0))))))))", "even(fib(ten))"),
    Task("ackermann", "even(ack(S(S(0)),times(ten,times(ten,ten))))", "even(ack(S(S(0)),S(S(0))))"),
    Task(
        "append",
        "even(length(append(repeat(times(ten,times(ten,ten)),down(times(ten,times(ten,ten)))),nil)))",
        "even(length(append(down(ten),nil)))",
    ),
    Task(
        "reverse",
        "even(length(reverse(down(times(ten,times(S(S(0)),times(ten,ten)))))))",
        "even(length(reverse(down(ten))))",
    ),
    Task(
        "insertion sort",
        "sorted(isort(down(times(ten,plus(ten,ten)))))",
        "sorted(isort(down(ten)))",
    ),
    Task(
        "sort mixed", "sorted(isort(mixed(times(ten,plus(ten,ten)))))", "sorted(isort(mixed(ten)))"
    ),
]


def main() -> None:
    """Run all tasks and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small terms, one run each")
    parser.add_argument("--json", metavar="FILE", type=Path)
    arguments = parser.parse_args()
    specification = read_text(SPECIFICATION)
    rows = []
    print(f"{'term':<16}{'memoised':>9}{'steps':>12}{'found':>10}{'s':>8}{'Msteps/s':>10}{'MB':>7}")
    for task in TASKS:
        for memoise in (False, True):
            term = task.quick if arguments.quick else task.term

            def run(term: str = term, memoise: bool = memoise) -> list[object]:
                found = evaluate(specification, term, max_steps=1_000_000_000, memoise=memoise)
                return [found.text, found.steps, found.found]

            measured = measure(run, repeat=1 if arguments.quick else 3)
            text, steps, found = json.loads(measured.output)
            rate = steps / measured.processor / 1e6
            rows.append(
                {
                    "task": task.name,
                    "memoised": memoise,
                    "normal form": text,
                    "steps": steps,
                    "found": found,
                    "steps per second": rate * 1e6,
                    **measured.as_dict(),
                }
            )
            print(
                f"{task.name:<16}{'yes' if memoise else 'no':>9}{steps:>12,}{found:>10,}"
                f"{measured.processor:>8.3f}{rate:>10.2f}{measured.memory / 1e6:>7.0f}"
            )
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    sys.exit(main())
