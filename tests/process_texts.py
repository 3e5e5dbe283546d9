"""Hypothesis: muCRL and mCRL2 texts that consist mostly of process calls.

There are calls followed by something, calls that come first, calls after a process that never ends,
calls under operators that change actions, calls inside forks (in muCRL), calls that count down, and
calls that never end. To avoid unguarded recursion, a process may call without a preceding action
only those before it in `CALLED`. A process that may fork is not called inside a fork, so that the
number of components stays bounded.
"""

from dataclasses import dataclass

from hypothesis import strategies as st

CALLED = {"M": "", "W": "n", "X": "d", "Y": "", "Z": ""}
"""Processes by name, with the sorts of their parameters; only `M` forks."""

MUCRL = """sort Bool D N
func T,F:->Bool d1,d2:->D z:->N s:N->N
map none:N->Bool less:N->N first:D->Bool other:D->D
var n:N
rew none(z)=T none(s(n))=F less(z)=z less(s(n))=n first(d1)=T first(d2)=F other(d1)=d2 other(d2)=d1
act a b c e p,q,r:D k:N
comm a|b=c p|q=r
"""

MCRL2 = """sort D = struct d1 | d2; N = struct z | s(N);
map none: N -> Bool; less: N -> N; first: D -> Bool; other: D -> D;
var n: N;
eqn none(z) = true; none(s(n)) = false; less(z) = z; less(s(n)) = n;
    first(d1) = true; first(d2) = false; other(d1) = d2; other(d2) = d1;
act a, b, c, e; p, q, r: D; k: N;
"""


@dataclass(frozen=True)
class Notation:
    """The notation of processes in one of the languages."""

    declared: str
    parameter: str
    condition: str
    total: str
    block: str
    defined: str
    forks: bool


NOTATIONS = {
    "mucrl": Notation(
        MUCRL, "({}:{})", "({1} <| {0} |> {2})", "sum({}:D,{})", "encap", "{}{} = {}", True
    ),
    "mcrl2": Notation(
        MCRL2, "({}: {})", "(({}) -> {} <> {})", "(sum {}: D. {})", "block", "{}{} = {};", False
    ),
}


@dataclass(frozen=True)
class Place:
    """The context of a subterm: data in scope, processes callable without a preceding action,
    processes that need one, and whether forks are allowed."""

    scope: tuple[tuple[str, str], ...]
    bare: tuple[str, ...]
    guarded: tuple[str, ...]
    forks: bool

    def after(self):
        """The context after an action."""
        return Place(self.scope, self.guarded, self.guarded, self.forks)

    def within(self, name):
        """The context with another name of sort D in scope."""
        scope = tuple(one for one in self.scope if one[0] != name)
        return Place(((*scope, (name, "d"))), self.bare, self.guarded, self.forks)

    def beside(self):
        """The context inside a fork."""
        bare, guarded = (
            tuple(name for name in names if name != "M") for names in (self.bare, self.guarded)
        )
        return Place(self.scope, bare, guarded, False)


def data(draw, sort, scope):
    terms = [name for name, one in scope if one == sort]
    if sort == "d":
        terms += ["d1", "d2"] + [f"other({name})" for name, one in scope if one == "d"]
    else:
        terms += ["z", "s(z)", "s(s(z))"] + [f"less({n})" for n, one in scope if one == "n"] * 3
        terms += [f"s({n})" for n, one in scope if one == "n"][:1]
    return draw(st.sampled_from(terms))


def action(draw, place):
    name = draw(st.sampled_from("aabbcepqk"))
    sort = {"p": "d", "q": "d", "k": "n"}.get(name)
    return name if sort is None else f"{name}({data(draw, sort, place.scope)})"


def call(draw, place, names):
    name = draw(st.sampled_from(names))
    terms = [data(draw, sort, place.scope) for sort in CALLED[name]]
    return name + (f"({','.join(terms)})" if terms else "")


KINDS = ["action", "call", "call", "call", "then", "then", "then", "never", "choice", "choice",
         "condition", "sum", "around", "fork", "fork"]  # fmt: skip
AROUND = ("{0}({{{1}}},", "hide({{{1}}},", "hide({{{1}}},", "rename({{a->b}},",
          "rename({{b->e,p->q}},", "rename({{a->e,e->a}},")  # fmt: skip


def process(draw, notation, depth, place):
    """Return the text of a process."""

    def sub(inside):
        return process(draw, notation, depth - 1, inside)

    kind = draw(st.sampled_from(KINDS if depth else ["action", "call", "call"]))
    match kind:
        case "call":
            if place.bare and draw(st.booleans()):
                return call(draw, place, place.bare)
            if place.guarded:
                return f"{action(draw, place)}.{call(draw, place, place.guarded)}"
        case "then":
            return f"({sub(place)}).({sub(place.after())})"
        case "never":
            return f"delta.({sub(place.after())})"
        case "choice":
            return f"({sub(place)} + {sub(place)})"
        case "condition":
            sort, test = draw(st.sampled_from([("d", "first"), ("n", "none"), ("n", "none")]))
            holds = f"{test}({data(draw, sort, place.scope)})"
            return notation.condition.format(holds, f"({sub(place)})", f"({sub(place)})")
        case "sum":
            name = draw(st.sampled_from("xy"))
            return notation.total.format(name, sub(place.within(name)))
        case "around":
            names = draw(st.sampled_from(["a", "b", "a,c", "p,k", "p,b"]))
            operator = draw(st.sampled_from(AROUND)).format(notation.block, names)
            return f"{operator}{sub(place)})"
        case "fork" if notation.forks and place.forks:
            operator = draw(st.sampled_from(["||", "||", "||", "||_", "|"]))
            return f"({sub(place.beside())} {operator} {sub(place.beside())})"
    return action(draw, place)


@st.composite
def texts(draw, language):
    """Return a specification that consists mostly of calls."""
    notation = NOTATIONS[language]
    names = tuple(CALLED)
    written = []
    for number, name in enumerate(names):
        scope = tuple(("x" if sort == "d" else "n", sort) for sort in CALLED[name])
        inside = names if name == "M" else names[1:]
        place = Place(scope, names[number + 1 :], inside, name == "M")
        shown = "".join(notation.parameter.format(n, one.upper()) for n, one in scope)
        body = process(draw, notation, draw(st.integers(2, 3)), place)
        after = draw(st.sampled_from(["a", "c", "p(d1)", "Y", "X(d2)", "(b + Z)", "delta"]))
        match draw(st.sampled_from(["as it is", "grows", "grows", "grows after delta"])):
            case "grows" if name == "W":
                again = f"({action(draw, place)}.W(less(n)).({after}))"
                body = notation.condition.format("none(n)", f"({body})", again)
            case "grows":
                body = f"({action(draw, place)}.{call(draw, place, inside[:3])}.({after}) + {body})"
            case "grows after delta":
                body = f"(delta.{call(draw, place, [name])}.({after}) + {body})"
        written.append(notation.defined.format(name, shown, body))
    first = Place((), names, names, True)
    init = process(draw, notation, draw(st.integers(1, 2)), first)
    if draw(st.booleans()):
        init = f"{call(draw, first, names[:4])}.({init})"
    if draw(st.booleans()):
        init = f"{call(draw, first, names[:4])}.({init})"
    if notation.forks and draw(st.booleans()):
        one, other = (call(draw, first, names[1:]) for _ in range(2))
        last = draw(st.sampled_from(["a", "b.delta"]))
        init = f"({one}.{last} || ({other})).({init})"
    if notation.forks and draw(st.integers(0, 3)) == 0:
        # A leaf that is stuck at a blocked action, and what would follow that action.
        stuck = draw(st.sampled_from(["p(d1)", "a.p(d2)", "p(d1).b", "b.p(d1).Y"]))
        beside = draw(st.sampled_from(["a", "b.c", "c.q(d2)", call(draw, first, names[1:])]))
        init = f"{notation.block}({{p}}, {stuck} || {beside}).({init})"
    end = ";" if language == "mcrl2" else ""
    return f"{notation.declared}proc {chr(10).join(written)}\ninit {init}{end}\n"


# Handshakes whose data are written in several ways, some of which can never be equal.
VALUES = ("d1", "d2", "other(d1)", "other(other(d1))", "d1", "d2", "x", "other(x)", "y")


@st.composite
def handshakes(draw, language):
    """Return a specification of processes that communicate with data."""
    notation = NOTATIONS[language]

    def offers(name, scope):
        chosen = []
        for _ in range(draw(st.integers(2, 3))):
            value = draw(st.sampled_from(VALUES))
            step = f"{draw(st.sampled_from('ppqqr'))}({value})"
            after = draw(st.sampled_from(["", f".{name}", ".b", f".{name}({{}})"]))
            if ("(" in after and not scope) or (after == f".{name}" and scope):
                after = ""
            step += after.format(draw(st.sampled_from(["x", "other(x)", "d1", value])))
            missing = {one for one in "xy" if one in step} - {*scope}
            for one in sorted(missing):
                step = notation.total.format(one, step)
            chosen.append(step)
        return f"({' + '.join(chosen)})"

    names = draw(st.lists(st.sampled_from("STUV"), min_size=2, max_size=4))
    written, parts = [], []
    for name in dict.fromkeys(names):
        scope = "x" if draw(st.booleans()) else ""
        shown = notation.parameter.format("x", "D") if scope else ""
        written.append(notation.defined.format(name, shown, offers(name, scope)))
        starts = f"({draw(st.sampled_from(VALUES[:4]))})" if scope else ""
        parts += [name + starts] * names.count(name)
    beside = " || ".join(parts)
    if language == "mucrl":
        init = draw(st.sampled_from(["{}", "encap({{p,q}},{})", "a.({}).b"])).format(beside)
        return f"{notation.declared}proc {chr(10).join(written)}\ninit {init}\n"
    comm = draw(st.sampled_from(["p|q -> r"] * 5 + ["p|p -> q", "p|q|r -> q"]))
    allowed = draw(
        st.sampled_from(["r", "r, b", "r, p, b", "r, q, b", "r, p, q, b", "q, r|r, b", "r, b|q"])
    )
    init = f"allow({{{allowed}}}, comm({{{comm}}}, {beside}))"
    return f"{notation.declared}proc {chr(10).join(written)}\ninit {init};\n"
