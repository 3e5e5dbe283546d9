"""Random processes and formulas with sets, lists, bags and functions of three identities, and what
they mean: state by state, with Python's own values in place of terms.

A set is a frozenset, a list a tuple; a bag has the multiplicities of p1, p2 and p3, a function
their images. Bags and lists in registers and parameters are small: no operation makes them larger.
"""

from itertools import combinations, product

from hypothesis import strategies as st

IDS = ("p1", "p2", "p3")
SETS = [frozenset(c) for size in range(4) for c in combinations(IDS, size)]
LISTS = [one for size in range(3) for one in product(IDS, repeat=size)]
DOMAINS = {
    "P": list(IDS), "FSet(P)": SETS, "List(P)": LISTS,
    "Bag(P)": [*product((0, 1), repeat=3)], "P -> Bool": [*product((False, True), repeat=3)],
}  # fmt: skip
REGISTERS = {"s": "FSet(P)", "q": "List(P)", "b": "Bag(P)", "f": "P -> Bool"}
START = {"s": frozenset(), "q": (), "b": (0, 0, 0), "f": (False,) * 3}
DECLARED = """sort P = struct p1 | p2 | p3;
act c: P; c: FSet(P); c: List(P); c: Bag(P); c: P -> Bool; d: P; d: P # FSet(P); d: FSet(P) # P; e;
"""


def shown(value, sort):
    """The text of a value."""
    match sort:
        case "FSet(P)":
            return f"{{{', '.join(value)}}}"
        case "List(P)":
            return f"[{', '.join(value)}]"
        case "Bag(P)":
            inside = ", ".join(f"{i}: {n}" for i, n in zip(IDS, value, strict=True) if n)
            return f"{{{inside or ':'}}}"
        case "P -> Bool":
            holds = [i for i, b in zip(IDS, value, strict=True) if b]
            return (
                f"(lambda k0: P. k0 in {{{', '.join(holds)}}})"
                if holds
                else "(lambda k0: P. false)"
            )
    return value


def changed(row, at, value):
    return tuple(value if i == at else old for i, old in zip(IDS, row, strict=True))


def of(row, at):
    return row[IDS.index(at)]


# Each kind of summand: its text, and its steps from a state as pairs of a label and changes. A
# label is a name, the sorts of the arguments, and their values.
SUMMANDS = {
    "insert": (
        "sum i: P. !(i in s) -> c(i) . X(s = s + {i})",
        lambda s, q, b, f: [(("c", ("P",), (i,)), {"s": s | {i}}) for i in IDS if i not in s],
    ),
    "remove": (
        "sum i: P. (i in s) -> d(i, s) . X(s = s - {i})",
        lambda s, q, b, f: [
            (("d", ("P", "FSet(P)"), (i, s)), {"s": s - {i}}) for i in IDS if i in s
        ],
    ),
    "swap": (
        "sum i: P. (i in s) -> d(s, i) . X(s = {}, q = [])",
        lambda s, q, b, f: [
            (("d", ("FSet(P)", "P"), (s, i)), {"s": frozenset(), "q": ()}) for i in IDS if i in s
        ],
    ),
    "push": (
        "sum i: P. (#q < 2) -> c(i) . X(q = i |> q)",
        lambda s, q, b, f: [(("c", ("P",), (i,)), {"q": (i, *q)}) for i in IDS if len(q) < 2],
    ),
    "clear": (
        "(#q == 2) -> e . X(q = [])",
        lambda s, q, b, f: [(("e", (), ()), {"q": ()})] * (len(q) == 2),
    ),
    "count": (
        "sum i: P. (count(i, b) < 1) -> d(i) . X(b = b + {i: 1})",
        lambda s, q, b, f: [
            (("d", ("P",), (i,)), {"b": changed(b, i, 1)}) for i in IDS if of(b, i) < 1
        ],
    ),
    "flip": (
        "sum i: P. d(i, {}) . X(f = f[i -> !f(i)])",
        lambda s, q, b, f: [
            (("d", ("P", "FSet(P)"), (i, frozenset())), {"f": changed(f, i, not of(f, i))})
            for i in IDS
        ],
    ),
    "set": ("c(s) . X()", lambda s, q, b, f: [(("c", ("FSet(P)",), (s,)), {})]),
    "list": ("c(q) . X()", lambda s, q, b, f: [(("c", ("List(P)",), (q,)), {})]),
    "bag": ("c(b) . X(b = {:})", lambda s, q, b, f: [(("c", ("Bag(P)",), (b,)), {"b": (0, 0, 0)})]),
    "function": ("c(f) . X()", lambda s, q, b, f: [(("c", ("P -> Bool",), (f,)), {})]),
}  # fmt: skip


def process(kinds):
    """The text of the process with these summands, and its steps: for each state pairs of a label
    and the number of the next state."""
    parameters = ", ".join(f"{name}: {sort}" for name, sort in REGISTERS.items())
    first = ", ".join(shown(START[name], sort) for name, sort in REGISTERS.items())
    summands = " + ".join(SUMMANDS[kind][0] for kind in kinds)
    text = f"{DECLARED}proc X({parameters}) = {summands};\ninit X({first});\n"
    numbers, states, steps = {tuple(START.values()): 0}, [START], []
    for state in states:
        steps.append([])
        for kind in kinds:
            for label, changes in SUMMANDS[kind][1](**state):
                after = state | changes
                key = tuple(after.values())
                if key not in numbers:
                    numbers[key] = len(states)
                    states.append(after)
                steps[-1].append((label, numbers[key]))
    return text, steps


# Terms are pairs of a text and a function from the values of variables to the value.


@st.composite
def terms(draw, sort, scope, depth=2):
    """Return a term of a sort; `scope` has the variables with their sorts."""
    mine = [name for name, of_sort in scope.items() if of_sort == sort]
    kind = draw(st.integers(0, 6 if depth else 2))

    def part(sort):
        return draw(terms(sort, scope, depth - 1))

    if kind <= 1 and mine:
        name = draw(st.sampled_from(mine))
        return name, lambda env: env[name]
    if kind <= 2 or (sort == "P" and kind > 3):
        if sort == "Bool":
            value = draw(st.booleans())
            return str(value).lower(), lambda env: value
        value = draw(st.sampled_from(DOMAINS[sort]))
        text = shown(value, sort)
        if sort == "FSet(P)":
            text = f"{{{', '.join(draw(st.permutations(sorted(value))))}}}"
        return text, lambda env: value
    match sort:
        case "P":
            (a, x), (b, y), (c, z) = part("Bool"), part("P"), part("P")
            return f"if({a}, {b}, {c})", lambda env: y(env) if x(env) else z(env)
        case "Bool":
            return draw(conditions(scope, depth))
        case "FSet(P)":
            (a, x), (b, y), (i, z) = part(sort), part(sort), part("P")
            return draw(st.sampled_from([
                (f"({a} + {b})", lambda env: x(env) | y(env)),
                (f"({a} - {b})", lambda env: x(env) - y(env)),
                (f"({a} * {b})", lambda env: x(env) & y(env)),
                (f"{{{i}}}", lambda env: frozenset((z(env),))),
            ]))  # fmt: skip
        case "List(P)":
            (a, x), (i, z) = part(sort), part("P")
            longer = (
                f"if(#{a} < 2, {i} |> {a}, {a})",
                lambda env: (z(env), *x(env)) if len(x(env)) < 2 else x(env),
            )
            shorter = f"if({a} == [], [], tail({a}))", lambda env: x(env)[1:]
            last = f"if({a} == [], [], rtail({a}))", lambda env: x(env)[:-1]
            return draw(st.sampled_from([longer, shorter, last]))
        case "Bag(P)":
            (a, x), (b, y), (i, z) = part(sort), part(sort), part("P")
            return draw(st.sampled_from([
                (f"if(count({i}, {a}) < 1, {a} + {{{i}: 1}}, {a})",
                 lambda env: changed(x(env), z(env), 1)),
                (f"({a} - {b})",
                 lambda env: tuple(max(0, m - n) for m, n in zip(x(env), y(env), strict=True))),
                (f"({a} * {b})", lambda env: tuple(map(min, x(env), y(env)))),
            ]))  # fmt: skip
    (a, x), (i, z), (b, y), (c, w) = part(sort), part("P"), part("Bool"), part("FSet(P)")
    name = f"m{depth}"
    inside, v = draw(terms("Bool", scope | {name: "P"}, depth - 1))
    return draw(st.sampled_from([
        (f"{a}[{i} -> {b}]", lambda env: changed(x(env), z(env), y(env))),
        (f"(lambda {name}: P. {name} in {c})", lambda env: tuple(one in w(env) for one in IDS)),
        (f"(lambda {name}: P. {inside})",
         lambda env: tuple(v(env | {name: one}) for one in IDS)),
    ]))  # fmt: skip


@st.composite
def conditions(draw, scope, depth=2):
    """Return a term of sort Bool with an operator."""

    def part(sort, scope=scope):
        return draw(terms(sort, scope, depth - 1))

    (i, x), (j, y) = part("P"), part("P")
    sort = draw(st.sampled_from([*DOMAINS]))
    (a, v), (b, w) = part(sort), part(sort)
    (s, t), (u, r), (k, m) = part("FSet(P)"), part("FSet(P)"), part("List(P)")
    (g, h), (f, p) = part("Bag(P)"), part("P -> Bool")
    (c, n), (d, o) = part("Bool"), part("Bool")
    name, kind = f"q{depth}", draw(st.sampled_from(["exists", "forall"]))
    inner, z = part("Bool", scope | {name: "P"})
    every = all if kind == "forall" else any
    return draw(st.sampled_from([
        (f"({i} == {j})", lambda env: x(env) == y(env)),
        (f"({a} == {b})", lambda env: v(env) == w(env)),
        (f"({a} != {b})", lambda env: v(env) != w(env)),
        (f"({i} in {s})", lambda env: x(env) in t(env)),
        (f"({s} <= {u})", lambda env: t(env) <= r(env)),
        (f"(#{s} < 2)", lambda env: len(t(env)) < 2),
        (f"({i} in {k})", lambda env: x(env) in m(env)),
        *[(f"({i} in {{{name}: P | {inner}}})", lambda env: z(env | {name: x(env)}))] * 3,
        (f"(#({k} ++ [{i}]) == 2)", lambda env: len(m(env)) == 1),
        (f"(count({i}, {g}) > 0)", lambda env: of(h(env), x(env)) > 0),
        (f"({f})({i})", lambda env: of(p(env), x(env))),
        (f"(!{c})", lambda env: not n(env)),
        (f"({c} && {d})", lambda env: n(env) and o(env)),
        (f"({kind} {name}: P. {inner})",
         lambda env: every(z(env | {name: one}) for one in IDS)),
    ]))  # fmt: skip


# Sets of labels are pairs of a text and a function from a label and the values of variables.

ACTIONS = [
    ("c", ("P",)), ("c", ("FSet(P)",)), ("c", ("List(P)",)), ("c", ("Bag(P)",)),
    ("c", ("P -> Bool",)), ("d", ("P",)), ("d", ("P", "FSet(P)")), ("d", ("FSet(P)", "P")),
    ("e", ()),
]  # fmt: skip


@st.composite
def actions(draw, scope, depth=2):
    kind = draw(st.integers(0, 9 if depth else 5))
    if kind == 0:
        return "true", lambda label, env: True
    if kind <= 5:
        name, sorts = draw(st.sampled_from(ACTIONS))
        count = draw(st.integers(1, len(sorts))) if sorts and draw(st.booleans()) else None
        sorts = sorts[:count]
        parts = [draw(terms(sort, scope, 1)) for sort in sorts]
        if count is not None:
            text = f"{name}({', '.join(text for text, _ in parts)}, ...)"
            return text, lambda label, env: (label[0], label[1][:count], label[2][:count]) == (
                name, sorts, tuple(v(env) for _, v in parts)
            )  # fmt: skip
        text = f"{name}({', '.join(text for text, _ in parts)})" if parts else name
        return text, lambda label, env: label == (name, sorts, tuple(v(env) for _, v in parts))
    (a, x), (b, y) = draw(actions(scope, depth - 1)), draw(actions(scope, depth - 1))
    c, v = draw(terms("Bool", scope, 1))
    name, sort = f"a{depth}", draw(st.sampled_from(["P", "P", "FSet(P)", "P -> Bool"]))
    inner, z = draw(actions(scope | {name: sort}, depth - 1))
    kind, every = draw(st.sampled_from([("exists", any), ("forall", all)]))
    return draw(st.sampled_from([
        (f"!({a})", lambda label, env: not x(label, env)),
        (f"({a} && {b})", lambda label, env: x(label, env) and y(label, env)),
        (f"({a} || {b})", lambda label, env: x(label, env) or y(label, env)),
        (f"val({c})", lambda label, env: v(env)),
        (f"({kind} {name}: {sort}. {inner})",
         lambda label, env: every(z(label, env | {name: domain}) for domain in DOMAINS[sort])),
    ]))  # fmt: skip


# A formula is a pair of a text and a function to the set of states where it holds, from the steps
# of all states, the values of variables, and the sets of fixed points by the values of parameters.


@st.composite
def formulas(draw, depth=3, scope=None, usable=None):
    scope, usable = scope or {}, usable or {}
    kind = draw(st.integers(0, 11 if depth else 2))

    def part(scope=scope, usable=usable):
        return draw(formulas(depth - 1, scope, usable))

    if kind <= 2 and usable:
        name = draw(st.sampled_from([*usable]))
        a, x = draw(terms(usable[name], scope))
        return f"{name}({a})", lambda steps, env, known: known[name][x(env)]
    if kind <= 2:
        a, x = draw(terms("Bool", scope))
        return f"val({a})", lambda steps, env, known: {*range(len(steps))} if x(env) else set()
    if kind == 3:
        (a, x) = part(usable={})
        return f"!({a})", lambda steps, env, known: {*range(len(steps))} - x(steps, env, known)
    if kind <= 5:
        (a, x), (b, y) = part(), part()
        if draw(st.booleans()):
            return f"({a} && {b})", lambda *given: x(*given) & y(*given)
        return f"({a} || {b})", lambda *given: x(*given) | y(*given)
    if kind <= 8:
        (a, has), (b, x) = draw(actions(scope)), part()
        star = draw(st.booleans())

        def can(steps, env, known):
            goal = x(steps, env, known)
            if not star:
                return {
                    n
                    for n, own in enumerate(steps)
                    if any(t in goal and has(a, env) for a, t in own)
                }
            edges = [{t for a, t in own if has(a, env)} for own in steps]
            while more := {n for n, own in enumerate(edges) if own & goal} - goal:
                goal = goal | more
            return goal

        path = f"({a})*" if star else a
        if draw(st.booleans()):
            return f"<{path}>({b})", can
        inner, x = x, lambda *given: {*range(len(given[0]))} - inner(*given)
        return f"[{path}]({b})", lambda *given: {*range(len(given[0]))} - can(*given)
    if kind <= 9:
        name, sort = f"x{depth}", draw(st.sampled_from(["P", "FSet(P)", "P -> Bool"]))
        a, x = part(scope | {name: sort})
        if draw(st.booleans()):
            return f"(exists {name}: {sort}. {a})", lambda steps, env, known: set().union(
                *(x(steps, env | {name: domain}, known) for domain in DOMAINS[sort])
            )
        return f"(forall {name}: {sort}. {a})", lambda steps, env, known: set.intersection(
            *(x(steps, env | {name: domain}, known) for domain in DOMAINS[sort])
        )
    name, variable = f"X{depth}", f"n{depth}"
    sort = draw(st.sampled_from([*DOMAINS]))
    first, v = draw(terms(sort, scope))
    a, x = part(scope | {variable: sort}, usable | {name: sort})
    least = draw(st.booleans())

    def fixed(steps, env, known):
        states = set() if least else {*range(len(steps))}
        found = dict.fromkeys(DOMAINS[sort], states)
        while True:
            more = {
                domain: x(steps, env | {variable: domain}, known | {name: found})
                for domain in DOMAINS[sort]
            }
            if more == found:
                return found[v(env)]
            found = more

    return f"({'mu' if least else 'nu'} {name}({variable}: {sort} = {first}). {a})", fixed
