"""Write the nets of `cases/nets` (`make nets`), or one of them for another size:

    python tools/dev/nets.py peterson 3 > peterson3.pnml

In the descriptions below a term is a variable `x`, its successor `x+1` or predecessor `x-1`, the
n-th colour of a class, `Class#n`, each colour of a class, `Class.all`, a tuple of terms, or a list
of terms: their sum; the terms of a second list are subtracted from it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR = "http://www.pnml.org/version-2009/grammar"

Term = str | tuple["Term", ...]
Terms = Term | list[Term] | tuple[list[Term], list[Term]]


@dataclass
class Net:
    """A net as it is written down here."""

    name: str
    classes: Mapping[str, list[str]]
    variables: Mapping[str, str]
    places: dict[str, tuple[str | tuple[str, ...], Terms]] = field(default_factory=dict)
    transitions: list[tuple[str, Mapping[str, Terms], Mapping[str, Terms], str]] = field(
        default_factory=list
    )

    def place(self, name: str, sort: str | tuple[str, ...], marking: Terms = ()) -> None:
        """Add a place with tokens of a class, of a product, or dots (`""`)."""
        self.places[name] = (sort, marking)

    def transition(
        self, name: str, takes: Mapping[str, Terms], puts: Mapping[str, Terms], guard: str = ""
    ) -> None:
        """Add a transition; the guard `x!=y` compares two terms."""
        self.transitions.append((name, takes, puts, guard))

    def pnml(self) -> str:
        """Return the net in PNML."""
        top = Element("pnml", xmlns=f"{GRAMMAR}/pnml")
        net = SubElement(top, "net", id=self.name, type=f"{GRAMMAR}/symmetricnet")
        self._declare(_under(net, "declaration", "structure", "declarations"))
        page = SubElement(net, "page", id="page")
        for name, (sort, marking) in self.places.items():
            place = SubElement(page, "place", id=name)
            self._sort(_under(place, "type", "structure"), sort)
            if marking:
                self._terms(_under(place, "hlinitialMarking", "structure"), marking)
        for number, (name, takes, puts, guard) in enumerate(self.transitions):
            transition = SubElement(page, "transition", id=name)
            if guard:
                left, right = guard.split("!=")
                inside = SubElement(_under(transition, "condition", "structure"), "inequality")
                self._term(SubElement(inside, "subterm"), left)
                self._term(SubElement(inside, "subterm"), right)
            for way, arcs in (("in", takes), ("out", puts)):
                for place_name, terms in arcs.items():
                    ends = (place_name, name) if way == "in" else (name, place_name)
                    arc = SubElement(
                        page,
                        "arc",
                        id=f"{way}{number}{place_name}",
                        source=ends[0],
                        target=ends[1],
                    )
                    self._terms(_under(arc, "hlinscription", "structure"), terms)
        ElementTree.indent(top)
        return ElementTree.tostring(top, encoding="unicode") + "\n"

    def _declare(self, inside: Element) -> None:
        for name, colours in self.classes.items():
            sort = SubElement(
                SubElement(inside, "namedsort", id=name, name=name), "cyclicenumeration"
            )
            for number, colour in enumerate(colours):
                SubElement(sort, "feconstant", id=f"{name}{number}", name=colour)
        for variable, of in self.variables.items():
            declared = SubElement(inside, "variabledecl", id=variable, name=variable)
            SubElement(declared, "usersort", declaration=of)

    def _sort(self, inside: Element, sort: str | tuple[str, ...]) -> None:
        if not sort:
            SubElement(inside, "dot")
        elif isinstance(sort, str):
            SubElement(inside, "usersort", declaration=sort)
        else:
            product = SubElement(inside, "productsort")
            for factor in sort:
                self._sort(product, factor)

    def _terms(self, inside: Element, terms: Terms) -> None:
        if isinstance(terms, tuple) and isinstance(terms[0], list):
            difference = SubElement(inside, "subtract")
            for part in terms:
                self._terms(SubElement(difference, "subterm"), part)
        elif isinstance(terms, list) and len(terms) > 1:
            total = SubElement(inside, "add")
            for term in terms:
                self._term(SubElement(total, "subterm"), term)
        else:
            self._term(inside, terms[0] if isinstance(terms, list) else terms)

    def _term(self, inside: Element, term: Term) -> None:
        if isinstance(term, tuple):
            row = SubElement(inside, "tuple")
            for part in term:
                self._term(SubElement(row, "subterm"), part)
        elif term == "dot":
            SubElement(inside, "dotconstant")
        elif term.endswith(".all"):
            self._sort(SubElement(inside, "all"), term.removesuffix(".all"))
        elif "#" in term:
            SubElement(inside, "useroperator", declaration=term.replace("#", ""))
        elif term.endswith(("+1", "-1")):
            way = "successor" if term.endswith("+1") else "predecessor"
            self._term(SubElement(SubElement(inside, way), "subterm"), term[:-2])
        else:
            SubElement(inside, "variable", refvariable=term)


def _under(element: Element, *names: str) -> Element:
    for name in names:
        element = SubElement(element, name)
    return element


def numbered(prefix: str, count: int, start: int = 0) -> list[str]:
    """Return names of colours."""
    return [f"{prefix}{number}" for number in range(start, start + count)]


def philosophers(n: int) -> Net:
    """Philosophers who take their two forks in any order."""
    net = Net("philosophers", {"Seat": numbered("s", n, 1)}, {"x": "Seat"})
    net.place("thinking", "Seat", "Seat.all")
    net.place("fork", "Seat", "Seat.all")
    for name in ("has_left", "has_right", "eating"):
        net.place(name, "Seat")
    net.transition("left_first", {"thinking": "x", "fork": "x-1"}, {"has_left": "x"})
    net.transition("right_first", {"thinking": "x", "fork": "x"}, {"has_right": "x"})
    net.transition("then_right", {"has_left": "x", "fork": "x"}, {"eating": "x"})
    net.transition("then_left", {"has_right": "x", "fork": "x-1"}, {"eating": "x"})
    net.transition("put_back", {"eating": "x"}, {"thinking": "x", "fork": ["x", "x-1"]})
    return net


def token_ring(n: int) -> Net:
    """Dijkstra's ring of n + 1 machines that stabilises itself (1974): each has a number, and one
    machine counts on where the others copy."""
    count = n + 1
    net = Net(
        "token_ring", {"Number": numbered("", count)}, {"i": "Number", "a": "Number", "b": "Number"}
    )
    start: list[Term] = [(f"Number#{k}", f"Number#{k}") for k in range(count)]
    net.place("state", ("Number", "Number"), start)
    last = f"Number#{count - 1}"
    net.transition(
        "count_on",
        {"state": [("Number#0", "a"), (last, "a")]},
        {"state": [("Number#0", "a+1"), (last, "a")]},
    )
    for k in range(1, count):
        own = f"Number#{k}"
        net.transition(
            f"copy{k}",
            {"state": [(own, "a"), (f"Number#{k - 1}", "b")]},
            {"state": [(own, "b"), (f"Number#{k - 1}", "b")]},
            "a!=b",
        )
    return net


def shared_memory(n: int) -> Net:
    """Processors with a memory each, and one bus to those of the others."""
    net = Net("shared_memory", {"Cpu": numbered("p", n, 1)}, {"x": "Cpu", "m": "Cpu"})
    net.place("running", "Cpu", "Cpu.all")
    net.place("memory", "Cpu", "Cpu.all")
    net.place("bus", "", "dot")
    net.place("local", "Cpu")
    net.place("waiting", "Cpu")
    net.place("remote", ("Cpu", "Cpu"))
    net.transition("use_own", {"running": "x"}, {"local": "x"})
    # The own memory must be free at the end.
    net.transition("own_done", {"local": "x", "memory": "x"}, {"memory": "x", "running": "x"})
    net.transition("ask", {"running": "x"}, {"waiting": "x"})
    net.transition(
        "use_other", {"waiting": "x", "memory": "m", "bus": "dot"}, {"remote": ("x", "m")}, "x!=m"
    )
    net.transition(
        "other_done", {"remote": ("x", "m")}, {"running": "x", "memory": "m", "bus": "dot"}
    )
    return net


def database(n: int) -> Net:
    """Sites that update n files, each locked by one site at a time, and all others confirm."""
    sites, files = numbered("s", n, 1), numbered("f", n, 1)
    net = Net("database", {"Site": sites, "File": files}, {"s": "Site", "f": "File"})
    pair = ("Site", "File")
    net.place("free", "Site", "Site.all")
    net.place("passive", "Site", "Site.all")
    net.place("lock", "File", "File.all")
    for name in ("wants", "changes", "waits", "request", "asked", "updating", "done", "confirmed"):
        net.place(name, pair)
    everyone: list[Term] = [(f"Site#{k}", "f") for k in range(n)]
    net.transition("begin", {"free": "s"}, {"wants": ("s", "f")})
    net.transition("acquire", {"wants": ("s", "f"), "lock": "f"}, {"changes": ("s", "f")})
    net.transition(
        "change",
        {"changes": ("s", "f")},
        {"waits": ("s", "f"), "request": (everyone, [("s", "f")])},
    )
    net.transition("send", {"request": ("s", "f")}, {"asked": ("s", "f")})
    net.transition("update", {"asked": ("s", "f"), "passive": "s"}, {"updating": ("s", "f")})
    net.transition("updated", {"updating": ("s", "f")}, {"done": ("s", "f"), "passive": "s"})
    net.transition("confirm", {"done": ("s", "f")}, {"confirmed": ("s", "f")})
    net.transition(
        "release",
        {"waits": ("s", "f"), "confirmed": (everyone, [("s", "f")])},
        {"lock": "f", "free": "s"},
    )
    return net


def peterson(n: int) -> Net:
    """Peterson's algorithm for n + 1 processes, with n rooms to pass (1981)."""
    net = Net(
        "peterson",
        {"Pid": numbered("", n + 1), "Room": numbered("r", n), "Bool": ["no", "yes"]},
        {"i": "Pid", "j": "Room", "k": "Pid"},
    )
    net.place("idle", "Pid", "Pid.all")
    wanted: list[Term] = [(f"Pid#{k}", "Bool#0") for k in range(n + 1)]
    net.place("wants", ("Pid", "Bool"), wanted)
    turns: list[Term] = [(f"Room#{k}", "Pid#0") for k in range(n)]
    net.place("turn", ("Room", "Pid"), turns)
    for name in ("enters", "asks_turn", "leaves"):
        net.place(name, ("Pid", "Room"))
    for name in ("looks_at", "is_it_me", "is_it_waiting", "goes_on"):
        net.place(name, ("Pid", "Room", "Pid"))
    net.place("critical", "Pid")
    own, at, last = ("i", "j"), ("i", "j", "k"), f"Pid#{n}"
    net.transition(
        "ask",
        {"idle": "i", "wants": ("i", "Bool#0")},
        {"wants": ("i", "Bool#1"), "enters": ("i", "Room#0")},
    )
    net.transition(
        "take_turn", {"enters": own, "turn": ("j", "k")}, {"turn": ("j", "i"), "asks_turn": own}
    )
    net.transition(
        "my_turn",
        {"asks_turn": own, "turn": ("j", "i")},
        {"turn": ("j", "i"), "looks_at": ("i", "j", "Pid#0")},
    )
    net.transition(
        "other_turn",
        {"asks_turn": own, "turn": ("j", "k")},
        {"turn": ("j", "k"), "leaves": own},
        "i!=k",
    )
    net.transition("look", {"looks_at": at}, {"is_it_me": at})
    net.transition("myself", {"is_it_me": ("i", "j", "i")}, {"goes_on": ("i", "j", "i")})
    net.transition("another", {"is_it_me": at}, {"is_it_waiting": at}, "i!=k")
    net.transition(
        "waits",
        {"is_it_waiting": at, "wants": ("k", "Bool#1")},
        {"asks_turn": own, "wants": ("k", "Bool#1")},
    )
    net.transition(
        "is_idle",
        {"is_it_waiting": at, "wants": ("k", "Bool#0")},
        {"goes_on": at, "wants": ("k", "Bool#0")},
    )
    net.transition("next", {"goes_on": at}, {"looks_at": ("i", "j", "k+1")}, f"k!={last}")
    net.transition("was_last", {"goes_on": ("i", "j", last)}, {"leaves": own})
    final = f"Room#{n - 1}"
    net.transition("next_room", {"leaves": own}, {"enters": ("i", "j+1")}, f"j!={final}")
    net.transition("enter", {"leaves": ("i", final)}, {"critical": "i"})
    net.transition(
        "leave",
        {"critical": "i", "wants": ("i", "Bool#1")},
        {"idle": "i", "wants": ("i", "Bool#0")},
    )
    return net


NETS: dict[str, tuple[Callable[[int], Net], int]] = {
    "philosophers": (philosophers, 10),
    "token_ring": (token_ring, 5),
    "shared_memory": (shared_memory, 10),
    "database": (database, 2),
    "peterson": (peterson, 2),
}
"""The nets, with the size of the file in `cases/nets`."""


def main(arguments: list[str]) -> None:
    """Write all nets, or print one."""
    if arguments:
        name, size = arguments
        print(NETS[name][0](int(size)).pnml(), end="")
        return
    for name, (make, size) in NETS.items():
        (ROOT / "cases" / "nets" / f"{name}.pnml").write_text(make(size).pnml(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
