"""Generation against an interpreter of process terms: no linearisation, its own rewriting."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from lts import LTS
from lts.mucrl import generate, read_text
from lts.mucrl import specification as t

HEAD = """sort Bool func T,F:->Bool
map not:Bool->Bool and:Bool#Bool->Bool var x:Bool rew not(T)=F not(F)=T and(T,x)=x and(F,x)=F
act a,b,c:Bool d e f
comm a|b=c d|e=f
"""


class Interpreter:
    """States are closed process terms; steps follow the operational rules."""

    def __init__(self, specification):
        self.specification = specification

    def normal(self, term):
        arguments = tuple(self.normal(argument) for argument in term.arguments)
        name = term.function.name
        if name == "not":
            return self.truth(arguments[0].function.name == "F")
        if name == "and":
            return self.truth(all(x.function.name == "T" for x in arguments))
        return t.Application(term.function, arguments)

    def truth(self, value):
        return self.specification.true if value else self.specification.false

    def steps(self, p):
        """Yield (action or None, arguments, next term or None)."""
        truths = (self.specification.true, self.specification.false)
        match p:
            case t.Delta():
                pass
            case t.Tau():
                yield None, (), None
            case t.Action():
                yield p.action.name, tuple(map(self.normal, p.arguments)), None
            case t.Sequence():
                for action, arguments, rest in self.steps(p.first):
                    after = p.second if rest is None else t.Sequence(rest, p.second)
                    yield action, arguments, after
            case t.Choice():
                for q in p.alternatives:
                    yield from self.steps(q)
            case t.Condition():
                holds = self.normal(p.condition) == truths[0]
                yield from self.steps(p.then if holds else p.otherwise)
            case t.Sum():
                for value in truths:
                    yield from self.steps(t.instantiate(p.body, {p.variable: value}))
            case t.Call():
                parameters, body = self.specification.definitions[p.process]
                values = dict(zip(parameters, map(self.normal, p.arguments), strict=True))
                yield from self.steps(t.instantiate(body, values))
            case t.Encap():
                for action, arguments, rest in self.steps(p.body):
                    if action not in p.actions:
                        yield action, arguments, self.around(p, rest)
            case t.Hide():
                for action, arguments, rest in self.steps(p.body):
                    hidden = action in p.actions
                    yield (
                        None if hidden else action,
                        () if hidden else arguments,
                        self.around(p, rest),
                    )
            case t.Parallel():
                yield from self.parallel(p)

    def around(self, p, rest):
        return type(p)(p.actions, t.DELTA if rest is None else rest, p.place)

    def parallel(self, p):
        moves = [list(self.steps(q)) for q in p.processes]
        for i, own in enumerate(moves):
            for action, arguments, rest in own:
                yield action, arguments, self.replaced(p, {i: rest})
        for i, j in product(range(len(moves)), repeat=2):
            if i < j:
                for (x, xs, xr), (y, ys, yr) in product(moves[i], moves[j]):
                    joined = self.specification.communications.get(frozenset((x, y)))
                    if x and y and joined and xs == ys:
                        yield joined, xs, self.replaced(p, {i: xr, j: yr})

    def replaced(self, p, parts):
        processes = tuple(
            (parts[i] if parts[i] is not None else t.DELTA) if i in parts else q
            for i, q in enumerate(p.processes)
        )
        return t.Parallel(processes, p.place)

    def system(self, most=100):
        numbers = {str_of(self.specification.initial): 0}
        terms, rows = [self.specification.initial], []
        for number, term in enumerate(terms):
            for action, arguments, rest in self.steps(term):
                rest = t.DELTA if rest is None else rest
                key = str_of(rest)
                if key not in numbers:
                    numbers[key] = len(terms)
                    terms.append(rest)
                label = action or "tau"
                if arguments:
                    label += f"({','.join(map(str, arguments))})"
                rows.append((number, label, numbers[key]))
            if len(terms) > most:
                return None
        return LTS.from_transitions(rows, state_count=len(terms))


def str_of(term):
    return repr(term)


VARIABLES = st.sampled_from(["T", "F", "x", "not(x)", "and(x,T)"])


def closed(term, scope):
    return term if scope else term.replace("x", "T")


@st.composite
def processes(draw, depth, scope, calls):
    """A sequential process as text; `scope` says whether x is bound."""
    data = closed(draw(VARIABLES), scope)
    kinds = ["action", "delta"] if depth == 0 else ["action", "seq", "alt", "cond", "sum", "call"]
    kind = draw(st.sampled_from(kinds))

    def sub(inner=scope, tail=True):
        return draw(processes(depth - 1, inner, calls if tail else []))

    match kind:
        case "delta":
            return "delta"
        case "seq":
            return f"({sub(tail=False)}).({sub()})"
        case "alt":
            return f"({sub()} + {sub()})"
        case "cond":
            return f"(({sub()}) <| {data} |> ({sub()}))"
        case "sum":
            return f"sum(x:Bool,{sub(True)})"
        case "call" if calls:
            # Guarded, and a tail call: the process has finitely many control states.
            action = draw(st.sampled_from(["d", "tau", f"a({data})"]))
            return f"{action}.{draw(st.sampled_from(calls))}({data})"
    return draw(st.sampled_from(["d", "e", "tau", f"a({data})", f"b({data})"]))


@st.composite
def specifications(draw):
    """A closed specification: two processes that call each other, up to three in parallel."""
    names = ["X", "Y"]
    text = HEAD + "proc "
    for name in names:
        body = draw(processes(3, True, names))
        text += f"{name}(x:Bool) = {body}\n"
    starts = ["X(T)", "Y(F)", "X(F)", draw(processes(2, False, []))]
    parts = draw(st.lists(st.sampled_from(starts), min_size=1, max_size=3))
    body = " || ".join(f"({part})" if part[:1] != "(" else part for part in parts)
    around = draw(st.sampled_from(["{}", "encap({{a,b}},{})", "hide({{c,d}},{})"]))
    return text + "init " + around.format(body)


@settings(max_examples=200, deadline=None)
@given(specifications())
def test_generation_is_bisimilar_to_the_operational_semantics(text):
    specification = read_text(text)
    expected = Interpreter(specification).system()
    if expected is None:
        return
    found = generate(specification)
    if found.state_count + expected.state_count > 90:
        return  # the definition is too slow for these
    shift = found.state_count
    rows = [
        *found.transitions(),
        *((s + shift, a, u + shift) for s, a, u in expected.transitions()),
    ]
    both = LTS.from_transitions(rows, state_count=shift + expected.state_count)
    related = oracles.bisimulation(both.state_count, oracles.strong_steps(both))
    assert (found.initial, shift + expected.initial) in related
