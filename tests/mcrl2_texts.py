"""Specifications in mCRL2: random ones, and one for each construct of linear processes."""

from naive.mcrl2_text import LEVELS

HEAD = """
sort D = struct d1 | d2?is2; E = struct e(left: D, flag: Bool)?ise | none;
map half: Nat -> Nat; swap: D -> D; len: List(Nat) -> Nat; both: D # Bool -> Bool;
var n: Nat; l: List(Nat); b: Bool; d: D;
eqn half(0) = 0; n > 0 -> half(n) = n div 2; swap(d1) = d2; swap(d2) = d1;
    len([]) = 0; len(n |> l) = 1 + len(l); both(d1, b) = b; both(d2, b) = !b;
act a, b, c; f, g: Nat; h: Bool; k: D; m: List(Nat); o: E; p: D # Nat;
"""
NUMBERS = {"+", "*", "min", "max", "div", "mod"}


def data(random, sort, scope, depth):
    """Return a typed term as a tree."""
    own = [("name", name) for name, one in scope if one == sort]
    if own and random.random() < 0.3:
        return random.choice(own)

    def sub(kind):
        return data(random, kind, scope, depth - 1)

    if depth == 0:
        match sort:
            case "Nat":
                return "name", str(random.randrange(4))
            case "Bool":
                return "name", random.choice(["true", "false"])
            case "List(Nat)":
                return "list", *(
                    ("name", str(random.randrange(3))) for _ in range(random.randrange(3))
                )
            case "D":
                return "name", random.choice(["d1", "d2"])
        return "name", "none"
    if random.random() < 0.1:
        return "apply", "if", sub("Bool"), sub(sort), sub(sort)
    match sort:
        case "Nat":
            kind = random.choice(["+", "+", "*", "div", "mod", "min", "half", "#", "len"])
            if kind in ("div", "mod"):
                return kind, sub("Nat"), ("name", random.choice("23"))
            if kind in ("min", "half", "len"):
                sorts = {"min": ["Nat"] * 2, "half": ["Nat"], "len": ["List(Nat)"]}[kind]
                return "apply", kind, *map(sub, sorts)
            return ("#", sub("List(Nat)")) if kind == "#" else (kind, sub("Nat"), sub("Nat"))
        case "Bool":
            kind = random.choice(
                ["&&", "||", "=>", "!", "==", "<", ">=", "in", "==D", "is2", "both"]
            )
            match kind:
                case "&&" | "||" | "=>":
                    return kind, sub("Bool"), sub("Bool")
                case "!":
                    return "!", sub("Bool")
                case "in":
                    return "in", sub("Nat"), sub("List(Nat)")
                case "==D":
                    one = random.choice(["D", "Bool", "E"])
                    return random.choice(["==", "!="]), sub(one), sub(one)
                case "is2":
                    return "apply", "is2", sub("D")
                case "both":
                    return "apply", "both", sub("D"), sub("Bool")
            return kind, sub("Nat"), sub("Nat")
        case "List(Nat)":
            kind = random.choice(["|>", "<|", "++", "list"])
            if kind == "list":
                return "list", *(sub("Nat") for _ in range(random.randrange(1, 3)))
            sorts = {"|>": ("Nat", sort), "<|": (sort, "Nat"), "++": (sort, sort)}[kind]
            return kind, *map(sub, sorts)
        case "D":
            if random.random() < 0.3:
                return "apply", "left", ("apply", "e", sub("D"), sub("Bool"))
            return "apply", "swap", sub("D")
    return "apply", "e", sub("D"), sub("Bool")


def written(term, random, level=0, is_right=False):
    """Return the text of a term in few brackets: those that the levels of operators need."""
    match term:
        case ("name", name):
            return name
        case ("list", *parts):
            return f"[{', '.join(written(one, random) for one in parts)}]"
        case ("apply", name, *parts):
            return f"{name}({', '.join(written(one, random) for one in parts)})"
        case ("!" | "#" as operator, part):
            return f"{operator}{written(part, random, len(LEVELS))}"
    operator, one, other = term
    own = next(n for n, (operators, _) in enumerate(LEVELS) if operator in operators)
    side = LEVELS[own][1]
    first = written(one, random, own + (side == "right"))
    text = f"{first} {operator} {written(other, random, own + (side == 'left'))}"
    return f"({text})" if own < level or random.random() < 0.1 else text


ARGUMENTS = {"a": [], "b": [], "c": [], "f": ["Nat"], "g": ["Nat"], "h": ["Bool"], "k": ["D"],
             "m": ["List(Nat)"], "o": ["E"], "p": ["D", "Nat"]}  # fmt: skip


def action(random, scope):
    name = random.choice([*ARGUMENTS])
    terms = [written(data(random, sort, scope, random.randrange(4)), random)
             for sort in ARGUMENTS[name]]  # fmt: skip
    return f"{name}({', '.join(terms)})" if terms else name


def unit(random, scope):
    """A condition: a unit of data."""
    term = data(random, "Bool", scope, random.randrange(3))
    text = written(term, random)
    is_unit = term[0] in ("name", "apply", "list", "!")
    return text if is_unit and not text.startswith("(") else f"({text})"


def sequential(random, depth, scope, calls):
    """A process without `||`, in few brackets."""
    return " + ".join(total(random, depth, scope, calls) for _ in range(random.randint(1, 3)))


def total(random, depth, scope, calls):
    if depth and random.random() < 0.3:
        name, sort = random.choice([("x", "D"), ("y", "Bool"), ("w", "Bool"), ("z", "E")])
        inner = [one for one in scope if one[0] != name] + [(name, sort)]
        return f"sum {name}: {sort}. {total(random, depth - 1, inner, calls)}"
    return conditional(random, depth, scope, calls)


def conditional(random, depth, scope, calls):
    if random.random() < 0.5:
        return sequence(random, depth, scope, calls)
    text = f"{unit(random, scope)} -> {sequence(random, depth, scope, calls)}"
    if random.random() < 0.5:
        text += f" <> {conditional(random, depth, scope, calls)}"
    return text


def sequence(random, depth, scope, calls):
    parts = [multi(random, scope)]
    for _ in range(random.randrange(3)):
        if depth and random.random() < 0.5:
            parts.append(f"({sequential(random, depth - 1, scope, calls)})")
        else:
            parts.append(multi(random, scope))
    if random.random() < 0.5:
        parts.append(call(random, scope, calls))
    return " . ".join(parts)


def multi(random, scope):
    if random.random() < 0.1:
        return random.choice(["tau", "delta"])
    return "|".join(action(random, scope) for _ in range(random.choice([1, 1, 1, 2, 3])))


def call(random, scope, calls):
    name = random.choice(calls)
    number = f"({written(data(random, 'Nat', scope, 2), random)}) mod 3"
    truth = written(data(random, "Bool", scope, 2), random)
    match name:
        case "X":
            return "X"
        case "same Y":
            return random.choice(["Y()", f"Y(n = {number})", f"Y(v = {truth})"])
    return f"Y({number}, {truth})"


def composed(random, depth, count):
    """A composition of so many sequential processes at most, in few brackets."""
    if depth == 0:
        return random.choice(
            ["X", "Y(1, true)", "Y(0, false)", f"({sequential(random, 1, [], 'X')})"]
        )
    if count > 1 and random.random() < 0.5:
        return " || ".join(composed(random, depth - 1, 1) for _ in range(count))
    operator = random.choice(
        ["allow({a, b, a|b, f, g, f|g, k, h, c|c}", "block({a, k}", "block({f}", "hide({a, f}",
         "hide({b}", "rename({a -> b, f -> g}", "rename({b -> c}", "comm({a|b -> c}",
         "comm({f|g -> f, a|a -> b}", "comm({a|b|c -> a}"]
    )  # fmt: skip
    return f"{operator}, {composed(random, depth - 1, count)})"


def random_text(random):
    scope = [("n", "Nat"), ("v", "Bool")]
    return (
        f"{HEAD}proc X = {sequential(random, 2, [], ['X', 'Y'])};\n"
        f"Y(n: Nat, v: Bool) = {sequential(random, 2, scope, ['X', 'Y', 'same Y'])};\n"
        f"init {composed(random, random.randrange(4), 2)};\n"
    )


CONSTRUCTS = {
    "the data of a terminated process": (
        "act a: Nat; b; proc P(n: Nat) = sum m: Nat. (m < 3) -> a(m) . Q(m); "
        "Q(n: Nat) = a(n) . b . R; R = b . P(0); init P(0);",
        "map unset",
    ),
    "lists, sets and bags": (
        "act l: List(Nat); s: Set(Nat); b: Bag(Bool); "
        "proc P(x: List(Nat), y: Set(Nat), z: Bag(Bool)) = (#x < 3) -> "
        "(l(x) . P(1 |> x, y + {#x}, z) + s(y) . P(x ++ [2], {}, z + {true: 1})) + b(z) . "
        "P([], y, {:}); init P([], {}, {:});",
        "|>",
    ),
    "tables": (
        "sort D = struct d1 | d2 | d3; act a: D # Nat; "
        "proc P(f: D -> Nat) = sum d: D. (f(d) < 2) -> a(d, f(d)) . P(f[d -> f(d) + 1]); "
        "init P(lambda d: D. 0);",
        "(lambda x",
    ),
    "tables of two arguments": (
        "sort D = struct d1 | d2; act a: D # D; t; "
        "proc P(f: D # D -> Bool) = sum d, e: D. f(d, e) -> a(d, e) . "
        "P(lambda x, y: D. f(x, y) && !(x == d && y == e)) + "
        "(forall d, e: D. !f(d, e)) -> t . delta; init P(lambda x, y: D. x == y || x == d1);",
        " && ",
    ),
    "a parameter of a process with a sort in its name": (
        "act a: List(Nat); proc P(l: List(Nat)) = a(l) . P(l); init P([1]) || P([2]);",
        "[1]",
    ),
    "reals and numbers": (
        "act r: Real; n: Int; p: Pos; proc P(x: Real, i: Int, q: Pos) = (x < 3) -> "
        "r(x) . P(x + 1 / 2, i - 2, q + 1) + n(i) . P(x, -i, q) + "
        "(q < 5) -> p(q) . P(x, i, q * 2); init P(1 / 3, 1, 1);",
        "1/2",
    ),
    "structured values": (
        "sort E = struct e(first: Nat, second: Bool)?is_e | none; act a: E; b: Nat; "
        "proc P(x: E) = a(x) . P(if(is_e(x), none, e(1, true))) + "
        "(x != none && second(x)) -> b(first(x)) . P(none); init P(none);",
        "second(",
    ),
    "communications of data": (
        "sort D = struct d1 | d2; act s, r, c: D; proc S(d: D) = s(d) . S(d); "
        "R = sum d: D. r(d) . R; init allow({c}, comm({s|r -> c}, S(d1) || R || S(d2)));",
        "c(d1)",
    ),
    "a variable with the name of a constant of the other process": (
        "map n: Nat; eqn n = 2; act a, b: Nat; proc P = sum n: Nat. (n < 2) -> a(n) . P; "
        "Q = b(n) . Q; init allow({a|b}, P || Q);",
        "b(n)",
    ),
    "multi-actions": (
        "act a: Nat; b, c; proc P(n: Nat) = (n < 2) -> a(n)|b|a(n + 1) . P(n + 1) <> c . P(0); "
        "init P(0);",
        "|b",
    ),
    "quantifiers": (
        "act a: Nat; proc P(n: Nat) = sum m: Nat. (m < 4 && exists k: Nat. k + 1 == m) "
        "-> a(m) . P((n + 1) mod 3); init P(0);",
        "exists",
    ),
    "local definitions": (
        "act a: Nat; proc P(n: Nat) = a(x + x whr x = n + 1 end) . P((n + 1) mod 3); init P(0);",
        "a(",
    ),
    "processes that end": (
        "act a, b, c; proc P = a . b; Q = c . Q; init P || P || Q;",
        "struct",
    ),
}
