"""Nets and formulas about them, by their definitions.

A net is a `Net`, whose places hold colours `0..colours-1`, or black tokens, which have the colour
`None`. A term is ("x", n), ("y", n) or ("all", n): n times the colour of a variable, or each colour
n times; of a place without colours it is ("dot", n).

A formula is a tuple: ("true",), ("false",), ("deadlock",), ("fireable", names), (relation, m, n)
for numbers m and n; ("!", f), ("&&", f, ..), ("||", f, ..), ("xor", f, g), ("=>", f, g),
("<=>", f, g); ("A", p), ("E", p), and about paths ("X", p), ("F", p), ("G", p), ("U", p, q).
A number is an int, ("tokens", places), ("sum", m, ..) or ("difference", m, n).
"""

import operator
from collections import Counter
from dataclasses import dataclass, field
from itertools import product

import networkx as nx

RELATIONS = {
    "integer-eq": operator.eq,
    "integer-ne": operator.ne,
    "integer-lt": operator.lt,
    "integer-le": operator.le,
    "integer-gt": operator.gt,
    "integer-ge": operator.ge,
}
OF_PATHS = {"X": "next", "F": "finally", "G": "globally"}
CONNECTIVES = {
    "!": "negation",
    "&&": "conjunction",
    "||": "disjunction",
    "xor": "exclusive-disjunction",
    "=>": "implication",
    "<=>": "equivalence",
}


@dataclass
class Net:
    """`places` have their initial tokens, `black` are those without colours; `transitions` are
    tuples of a name, whether x and y must differ, and two lists of places with terms.

    `others` has further arcs by the names of transitions: triples of a kind (inhibitor, reset or
    read), a place and a term.
    """

    colours: int
    black: set
    places: dict
    transitions: list
    others: dict = field(default_factory=dict)


def terms(net, arcs, x, y):
    """The tokens of some arcs, for colours of the variables."""
    found = Counter()
    for place, (kind, count) in arcs:
        colours = {"x": [x], "y": [y], "all": range(net.colours), "dot": [None]}[kind]
        for colour in colours:
            found[place, colour] += count
    return found


def steps(net, marking):
    """The names of the transitions that are possible, with what they lead to."""
    found = set()
    for name, differ, takes, puts in net.transitions:
        for x, y in product(range(net.colours), repeat=2):
            if differ and x == y:
                continue
            taken = terms(net, takes, x, y)
            now = Counter(dict(marking))
            others = [
                (kind, *spot, count)
                for kind, *arc in net.others.get(name, ())
                for spot, count in terms(net, [arc], x, y).items()
            ]
            if all(now[spot] >= count for spot, count in taken.items()) and all(
                (now[place, colour] < count if kind == "inhibitor" else True)
                and (now[place, colour] >= count if kind == "read" else True)
                for kind, place, colour, count in others
            ):
                now.subtract(taken)
                for kind, place, colour, _ in others:
                    if kind == "reset":
                        now[place, colour] = 0
                now.update(terms(net, puts, x, y))
                found.add((name, frozenset((+now).items())))
    return found


def markings(net, most):
    """The steps of each reachable marking, beginning with the initial one; None if there are more
    than `most`."""
    initial = Counter()
    for place, tokens in net.places.items():
        for colour, count in tokens.items():
            initial[place, colour] += count
    found = {}
    waiting = [frozenset((+initial).items())]
    while waiting:
        one = waiting.pop(0)
        if one in found:
            continue
        if len(found) == most:
            return None
        found[one] = steps(net, one)
        waiting += (target for _, target in found[one])
    return found


def number(what, marking):
    match what:
        case int():
            return what
        case ("tokens", places):
            held = sum(count * places.count(place) for (place, _), count in marking)
            return held
        case ("sum", *parts):
            return sum(number(part, marking) for part in parts)
        case ("difference", one, other):
            return number(one, marking) - number(other, marking)
    raise AssertionError(what)


def is_of_markings(f):
    """Whether a formula is about markings, not about paths."""
    if f[0] in ("A", "E"):
        return True
    if f[0] in ("X", "F", "G", "U"):
        return False
    return f[0] not in CONNECTIVES or all(map(is_of_markings, f[1:]))


def joined(kind, values):
    match kind:
        case "!":
            return not values[0]
        case "&&":
            return all(values)
        case "||":
            return any(values)
        case "xor" | "<=>":
            return (values[0] == values[1]) == (kind == "<=>")
        case "=>":
            return not values[0] or values[1]
    raise AssertionError(kind)


def holding(graph, f):
    """The markings in which a formula holds."""
    match f:
        case ("true",):
            return set(graph)
        case ("false",):
            return set()
        case ("deadlock",):
            return {m for m in graph if not graph[m]}
        case ("fireable", names):
            return {m for m in graph if any(name in names for name, _ in graph[m])}
        case (kind, one, other) if kind in RELATIONS:
            return {m for m in graph if RELATIONS[kind](number(one, m), number(other, m))}
        case ("A", path):
            return set(graph) - holding(graph, ("E", opposite(path)))
        case ("E", path):
            return some_path(graph, path)
    parts = [holding(graph, part) for part in f[1:]]
    return {m for m in graph if joined(f[0], [m in part for part in parts])}


def opposite(path):
    """The negation of a formula about paths, which is of the same kind, X alone or not."""
    if path[0] == "X" and is_of_markings(path[1]):
        return "X", ("!", path[1])
    return "!", path


def some_path(graph, path):
    """The markings from which a maximal path satisfies a formula."""
    if is_of_markings(path):
        return holding(graph, path)
    if path[0] == "X" and is_of_markings(path[1]):
        inner = holding(graph, path[1])
        return {m for m in graph if any(target in inner for _, target in graph[m])}
    if path[0] in ("G", "F", "U") and all(map(is_of_markings, path[1:])):
        return by_fixed_point(graph, path)
    return by_guesses(graph, path)


def by_fixed_point(graph, path):
    """Like `some_path`, for one operator."""

    def before(some):
        return {m for m in graph if any(target in some for _, target in graph[m])}

    if path[0] == "G":
        inner = holding(graph, path[1])
        ends = {m for m in inner if not graph[m]}
        found = set(inner)
        while (now := found & (before(found) | ends)) != found:
            found = now
        return found
    until, goal = path[1:] if path[0] == "U" else (("true",), path[1])
    allowed, found = holding(graph, until), holding(graph, goal)
    while (now := found | (allowed & before(found))) != found:
        found = now
    return found


def temporal(path):
    """The subformulas that begin with an operator of paths."""
    if is_of_markings(path):
        return []
    inside = [one for part in path[1:] for one in temporal(part)]
    return list(dict.fromkeys([*inside, path] if path[0] in ("X", "F", "G", "U") else inside))


def by_guesses(graph, path):
    """Like `some_path`, for any formula: guesses of what holds in each marking of a path, where the
    last marking of a path that ends is repeated."""
    guessed = temporal(path)
    known = {}

    def value(f, node):
        marking, held = node
        if is_of_markings(f):
            if f not in known:
                known[f] = holding(graph, f)
            return marking in known[f]
        if f in guessed:
            return held[guessed.index(f)]
        return joined(f[0], [value(part, node) for part in f[1:]])

    def agrees(node, after):
        for f in guessed:
            now, later = value(f, node), value(f, after)
            match f:
                case ("X", g):
                    right = value(g, after)
                case ("F", g):
                    right = value(g, node) or later
                case ("G", g):
                    right = value(g, node) and later
                case ("U", g, h):
                    right = value(h, node) or (value(g, node) and later)
            if now != right:
                return False
        return True

    nodes = nx.DiGraph()
    every = list(product((False, True), repeat=len(guessed)))
    for marking, rows in graph.items():
        for held in every:
            nodes.add_node((marking, held))
        targets = {target for _, target in rows} or {marking}
        for target, held, later in product(targets, every, every):
            if agrees((marking, held), (target, later)):
                nodes.add_edge((marking, held), (target, later))

    def is_fulfilled(component):
        for f in guessed:
            match f:
                case ("F", g) | ("U", _, g):
                    if not any(value(g, n) or not value(f, n) for n in component):
                        return False
                case ("G", g):
                    if not any(value(f, n) or not value(g, n) for n in component):
                        return False
        return True

    good = nx.DiGraph(nodes)
    good.add_node("end")
    for component in nx.strongly_connected_components(nodes):
        is_cycle = len(component) > 1 or any(nodes.has_edge(n, n) for n in component)
        if is_cycle and is_fulfilled(component):
            good.add_edge(next(iter(component)), "end")
    reaching = nx.ancestors(good, "end")
    return {node[0] for node in reaching if value(path, node)}


def bound(graph, places):
    return max(number(("tokens", places), marking) for marking in graph)


# XML


def written(net):
    """The net as PNML."""
    colours = "".join(f'<feconstant id="c{n}" name="{n}"/>' for n in range(net.colours))
    declared = f'<namedsort id="C"><cyclicenumeration>{colours}</cyclicenumeration></namedsort>'
    sort = '<usersort declaration="C"/>'
    declared += "".join(f'<variabledecl id="{v}" name="{v}">{sort}</variabledecl>' for v in "xy")
    inside = [
        f"<declaration><structure><declarations>{declared}</declarations></structure></declaration>"
    ]

    def times(count, text):
        one = f"<subterm><numberconstant value='{count}'><positive/></numberconstant></subterm>"
        return f"<numberof>{one}<subterm>{text}</subterm></numberof>"

    def colour(kind):
        match kind:
            case "dot" | None:
                return "<dotconstant/>"
            case int():
                return f"<useroperator declaration='c{kind}'/>"
            case "all":
                return f"<all>{sort}</all>"
        return f"<variable refvariable='{kind}'/>"

    for place, tokens in net.places.items():
        kind = "<dot/>" if place in net.black else sort
        held = [times(count, colour(one)) for one, count in tokens.items() if count]
        text = f"<add>{''.join(f'<subterm>{one}</subterm>' for one in held)}</add>"
        marking = f"<hlinitialMarking><structure>{text}</structure></hlinitialMarking>"
        inside.append(
            f"<place id='{place}'><type><structure>{kind}</structure></type>"
            f"{marking if held else ''}</place>"
        )
    for name, differ, takes, puts in net.transitions:
        variables = "".join(
            f"<subterm><variable refvariable='{variable}'/></subterm>" for variable in "xy"
        )
        guard = (
            f"<condition><structure><inequality>{variables}</inequality></structure></condition>"
        )
        inside.append(f"<transition id='{name}'>{guard if differ else ''}</transition>")
        for way, arcs in (("in", takes), ("out", puts)):
            for number_of_arc, (place, (kind, count)) in enumerate(arcs):
                source, target = (place, name) if way == "in" else (name, place)
                inside.append(
                    f"<arc id='{name}-{way}-{number_of_arc}' source='{source}' target='{target}'>"
                    f"<hlinscription><structure>{times(count, colour(kind))}</structure>"
                    "</hlinscription></arc>"
                )
        for number_of_arc, (kind, place, (of, count)) in enumerate(net.others.get(name, ())):
            # Each notation of some tool.
            said = [
                ("", f"<type value='{kind}'/>"),
                (f" type='{kind}'", ""),
                ("", f"<arctype><text>{kind}</text></arctype>"),
                (" type='test'" if kind == "read" else f" type='{kind}'", ""),
            ][(number_of_arc + len(name) + count) % 4]
            identifier = f"{name}-{kind}-{number_of_arc}"
            inside.append(
                f"<arc id='{identifier}' source='{place}' target='{name}'{said[0]}>"
                f"{said[1]}<hlinscription><structure>{times(count, colour(of))}</structure>"
                "</hlinscription></arc>"
            )
    kind = "http://www.pnml.org/version-2009/grammar/symmetricnet"
    return f"<pnml><net id='n' type='{kind}'><page id='p'>{''.join(inside)}</page></net></pnml>"


def property_set(contents):
    """A file of properties with these formulas or, for a bound, ("bound", places)."""
    rows = (
        f"<property><id>p{n}</id><description>one of many</description>"
        f"<formula>{xml(content)}</formula></property>"
        for n, content in enumerate(contents)
    )
    return f"<property-set xmlns='http://mcc.lip6.fr/'>{''.join(rows)}</property-set>"


def xml(what):
    """A formula or number as the contest writes it."""

    def of(name, *parts):
        return f"<{name}>{''.join(parts)}</{name}>"

    match what:
        case int():
            return of("integer-constant", str(what))
        case ("tokens", places):
            return of("tokens-count", *(of("place", place) for place in places))
        case ("bound", places):
            return of("place-bound", *(of("place", place) for place in places))
        case ("fireable", names):
            return of("is-fireable", *(of("transition", name) for name in names))
        case ("U", one, other):
            return of("until", of("before", xml(one)), of("reach", xml(other)))
        case ("sum" | "difference" as kind, *parts):
            return of(f"integer-{kind}", *map(xml, parts))
    kind, *parts = what
    names = {**CONNECTIVES, **OF_PATHS, "A": "all-paths", "E": "exists-path"}
    return of(names.get(kind, kind), *map(xml, parts))


def random_net(random):
    """A net whose transitions put at most as many tokens as they take, mostly."""
    colours = random.randint(1, 3)
    black = {"d", "e"}
    places = {"p": {}, "q": {}, "d": {}, "e": {}}
    for place in places:
        for colour in [None] if place in black else range(colours):
            if random.random() < 0.6:
                places[place][colour] = random.randint(1, 2)
    if random.random() < 0.7:
        # All colours are alike.
        places["p"] = dict.fromkeys(range(colours), random.randint(1, 2))
        places["q"] = {}
    transitions = []
    for number in range(random.randint(1, 5)):
        differ = random.random() < 0.3
        takes = [random_arc(random, black) for _ in range(random.randint(1, 2))]
        puts = [random_arc(random, black) for _ in range(random.randint(0, 2))]
        transitions.append((f"t{number}" if number else "tau", differ, takes, puts))
    net = Net(colours, black, places, transitions)
    if random.random() < 0.5:
        for name, _, takes, _ in transitions:
            net.others[name] = list(random_others(random, black, {place for place, _ in takes}))
    return net


def random_others(random, black, taken):
    """Yield arcs of other kinds, for a transition that takes tokens of some places."""
    for kind in ("inhibitor", "reset", "read"):
        place, (of, count) = random_arc(random, black)
        if random.random() < 0.4 and (kind == "read" or place in black):
            if kind == "read" and place in taken:
                continue
            if kind != "inhibitor":
                taken = {*taken, place}
            yield kind, place, (of, 1 if kind == "reset" else count)


def random_arc(random, black):
    place = random.choice(["p", "q", "d", "e"])
    if place in black:
        return place, ("dot", random.choice([1, 1, 2]))
    return place, (random.choice(["x", "x", "y", "all"]), random.choice([1, 1, 1, 2]))
