"""Random properties of random nets, as in `naive.nets`."""

from naive import nets

MOST_MARKINGS = 40


def random_number(random, net, depth=1):
    kind = random.choice(["constant", "tokens", "tokens", *(["sum", "difference"] * depth)])
    if kind == "constant":
        return random.randint(0, 3)
    if kind == "tokens":
        return "tokens", [random.choice([*net.places]) for _ in range(random.randint(1, 2))]
    parts = 2 if kind == "difference" else random.randint(1, 3)
    return (kind, *(random_number(random, net, 0) for _ in range(parts)))


def random_atom(random, net):
    kind = random.choice(
        ["count", "count", "count", "fireable", "fireable", "deadlock", "constant"]
    )
    if kind == "count":
        relation = random.choice([*nets.RELATIONS])
        return relation, random_number(random, net), random_number(random, net)
    if kind == "fireable":
        names = [name for name, *_ in net.transitions]
        return "fireable", tuple(random.choice(names) for _ in range(random.randint(1, 2)))
    return ("deadlock",) if kind == "deadlock" else (random.choice(["true", "false"]),)


def frozen(what):
    return tuple(map(frozen, what)) if isinstance(what, list | tuple) else what


def random_formula(random, net, kinds, depth):
    """A formula; `kinds` are the operators besides atoms."""
    if depth == 0 or random.random() < 0.15:
        return random_atom(random, net)
    kind = random.choice(kinds)
    if kind in ("A", "E"):
        # The CTL of the contest: each operator of paths in a quantifier of its own.
        operator = random.choice("XFGU")
        inside = (
            random_formula(random, net, kinds, depth - 1)
            for _ in range(2 if operator == "U" else 1)
        )
        return kind, (operator, *inside)
    few = {"!": 1, "X": 1, "F": 1, "G": 1, "U": 2, "xor": 2, "=>": 2, "<=>": 2}
    count = few.get(kind) or random.randint(1, 3)
    return (kind, *(random_formula(random, net, kinds, depth - 1) for _ in range(count)))


CONNECTIVES = [*nets.CONNECTIVES]


def random_property(random, net):
    kind = random.choice(["bound", "reachability", "ctl", "ctl", "ltl", "ltl", "mixed"])
    if kind == "bound":
        places = tuple(random.choice([*net.places]) for _ in range(random.randint(1, 2)))
        return "bound", places
    if kind == "reachability":
        return random_reachability(random, net)
    if kind == "ctl":
        return frozen(random_formula(random, net, ["A", "E", "A", "E", *CONNECTIVES], 3))
    while True:
        path = random_formula(random, net, [*"XFGU", *"XFGU", *CONNECTIVES], 3)
        if kind == "mixed":
            inner = random.choice("AE"), random_formula(random, net, [*"XFGU"], 2)
            path = (random.choice("GFX"), ("||", inner, path))
        if len(nets.temporal(frozen(path))) <= 4:
            return frozen((random.choice("AE"), path))


def random_reachability(random, net):
    quantifier, operator = random.choice([("A", "G"), ("E", "F")])
    return frozen((quantifier, (operator, random_formula(random, net, CONNECTIVES, 2))))


def cases(random, count):
    """Yield nets with their graphs."""
    while count:
        net = nets.random_net(random)
        graph = nets.markings(net, MOST_MARKINGS)
        if graph is not None and len(graph) > 1:
            count -= 1
            yield net, graph
