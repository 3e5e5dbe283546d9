"""Files of mCRL2, written and read by the description of the format, independent of the product.

A term is a name with its arguments, `("SortId", ("Nat",))`, or a number. A stream is a list of
terms.
"""

from __future__ import annotations

END = [("initial_state",), 1, 0]
"""The end of an LTS: its initial state is the first."""


class Bits:
    """A writer of bits, the most significant bit of a number first."""

    def __init__(self):
        self.bits = []

    def add(self, value, width):
        self.bits.append(f"{value:0{width}b}")

    def number(self, value):
        while value > 127:
            self.add(value % 128 + 128, 8)
            value //= 128
        self.add(value, 8)

    def bytes(self):
        text = "".join(self.bits)
        text += "0" * (-len(text) % 64)
        return bytes(int(text[at : at + 8], 2) for at in range(0, len(text), 8))


def written(outputs, version=0x8308):
    """Return the bytes of a stream of terms."""
    bits = Bits()
    bits.add(0x008BAF, 24)
    bits.add(version, 16)
    symbols, terms, numbers = {None: 0}, {}, {}

    def symbol(name, arity):
        if (name, arity) not in symbols:
            bits.add(0, 2)
            bits.number(len(name.encode()))
            for byte in name.encode():
                bits.add(byte, 8)
            bits.number(arity)
            symbols[name, arity] = len(symbols)
        return symbols[name, arity]

    def packet(kind, name, arguments):
        number = symbol(name, len(arguments))
        bits.add(kind, 2)
        bits.add(number, len(symbols).bit_length())
        for argument in arguments:
            bits.add(argument, max(1, len(terms).bit_length()))

    def shared(term):
        # Terms may be exponentially large, so they are compared by identity.
        if id(term) not in numbers:
            is_number = isinstance(term, int)
            key = term if is_number else (term[0], *map(shared, term[1:]))
            if key not in terms:
                packet(1, "<aterm_int>" if is_number else key[0], () if is_number else key[1:])
                if is_number:
                    bits.number(term)
                terms[key] = len(terms)
            numbers[id(term)] = terms[key], term
        return numbers[id(term)][0]

    for output in outputs:
        if isinstance(output, int):
            bits.add(3, 2)
            bits.number(output)
        else:
            packet(2, output[0], [shared(argument) for argument in output[1:]])
    bits.add(1, 2)
    bits.add(0, len(symbols).bit_length())
    return bits.bytes()


def outputs_of(data):
    """Return the terms and numbers in the stream of a file."""
    text = "".join(f"{byte:08b}" for byte in data)
    at = 40
    assert int(text[:at], 2) == 0x008BAF8308

    def take(width):
        nonlocal at
        at += width
        assert at <= len(text)
        return int(text[at - width : at], 2)

    def number():
        group = take(8)
        return group if group < 128 else group % 128 + 128 * number()

    symbols, terms, outputs = [None], [], []
    while True:
        kind = take(2)
        if kind == 0:
            name = bytes(take(8) for _ in range(number())).decode()
            symbols.append((name, number()))
            continue
        if kind == 3:
            outputs.append(number())
            continue
        symbol = symbols[take(len(symbols).bit_length())]
        if symbol is None:
            assert len(text) % 64 == 0
            assert "1" not in text[at:]
            return outputs
        name, arity = symbol
        if name == "<aterm_int>":
            terms.append(number())
            continue
        width = max(1, len(terms).bit_length())
        term = (name, *[terms[take(width)] for _ in range(arity)])
        (terms if kind == 1 else outputs).append(term)


# Terms that occur in such files.


def listed(*elements):
    found = ("<empty_list>",)
    for element in reversed(elements):
        found = ("<list_constructor>", element, found)
    return found


def sort(name):
    """Return a sort: `Nat`, `List Nat`, `Nat # Bool -> Nat`."""
    if not isinstance(name, str):
        return name
    *arguments, result = name.replace(" -> ", " # ").split(" # ")
    if arguments:
        return ("SortArrow", listed(*map(sort, arguments)), sort(result))
    container, _, element = name.partition(" ")
    if element:
        return ("SortCons", (f"Sort{container}",), sort(element))
    return ("SortId", (name,))


def op(name, of):
    return ("OpIdNoIndex", (name,), sort(of))


def var(name, of):
    return ("DataVarId", (name,), sort(of))


def app(function, *arguments):
    return ("DataAppl", function, *arguments)


def call(name, of, *arguments):
    """Return a function of a sort applied to arguments."""
    return app(op(name, of), *arguments)


def pos(number):
    """Return a positive number as words of 64 bits."""
    if number < 2**64:
        return call("@most_significant_digit", "@word -> Pos", number)
    return call("@concat_digit", "Pos # @word -> Pos", pos(number >> 64), number % 2**64)


def nat(number):
    if number < 2**64:
        return call("@most_significant_digitNat", "@word -> Nat", number)
    return call("@concat_digit", "Nat # @word -> Nat", nat(number >> 64), number % 2**64)


def old_pos(number):
    """Return a positive number as bits, the representation in mCRL2 before 2024."""
    if number == 1:
        return op("@c1", "Pos")
    bit = op("true" if number % 2 else "false", "Bool")
    return call("@cDub", "Bool # Pos -> Pos", bit, old_pos(number // 2))


def old_nat(number):
    return call("@cNat", "Pos -> Nat", old_pos(number)) if number else op("@c0", "Nat")


def integer(number):
    if number < 0:
        return call("@cNeg", "Pos -> Int", pos(-number))
    return call("@cInt", "Nat -> Int", nat(number))


def real(above, below=1):
    return call("@cReal", "Int # Pos -> Real", integer(above), pos(below))


TRUE, FALSE = op("true", "Bool"), op("false", "Bool")
UNTIMED = var("@undefined_real", "Real")
CERTAIN = ("Distribution", listed(), real(1))


def action(name, *arguments, sorts=()):
    return ("Action", ("ActId", (name,), listed(*map(sort, sorts))), listed(*arguments))


def struct(*constructors):
    """Return a structured sort: `("d", ("field", "Nat"), "?is_d")` is one constructor."""
    made = []
    for name, *parts in constructors:
        fields = [
            ("StructProj", (field,), sort(of))
            for field, of in (part for part in parts if not isinstance(part, str))
        ]
        recogniser = next((part[1:] for part in parts if isinstance(part, str)), "")
        made.append(("StructCons", (name,), listed(*fields), (recogniser,)))
    return ("SortStruct", listed(*made))


def data(sorts=(), aliases=(), cons=(), maps=(), eqns=()):
    """Return the declarations of data, as part of a stream."""
    found = [len(sorts), *(sort(name) for name in sorts)]
    found += [len(aliases), *(("SortRef", sort(name), of) for name, of in aliases)]
    found += [len(cons), *(op(name, of) for name, of in cons)]
    found += [len(maps), *(op(name, of) for name, of in maps)]
    found.append(len(eqns))
    for variables, condition, left, right in eqns:
        found.append(("DataEqn", listed(*variables), condition or TRUE, left, right))
    return found


def summand(*actions, over=(), when=TRUE, then=(), time=UNTIMED, dist=CERTAIN):
    """Return a summand, as part of a stream; `then` has pairs of a parameter and a value."""
    assignments = [("DataVarIdInit", parameter, value) for parameter, value in then]
    return [dist, listed(*over), when, listed(*actions), time, listed(*assignments)]


def lps(parameters, start, summands, *, acts=(), glob=(), deltas=(), dist=CERTAIN, **declared):
    """Return a linear process, a stream; `acts` has names with their sorts."""
    found = [("linear_process_specification",), *data(**declared)]
    found.append(listed(*(("ActId", (name,), listed(*map(sort, of))) for name, *of in acts)))
    found += [len(glob), *glob, listed(*parameters), len(summands)]
    for each in summands:
        found += each
    found.append(len(deltas))
    for each in deltas:
        found += each
    return [*found, ("LinearProcessInit", listed(*start), dist)]


def lts(*transitions, acts=(), parameters=(), end=END, **declared):
    """Return an LTS, a stream, of transitions with lists of actions."""
    found = [("labelled_transition_system",), *data(**declared), listed(*parameters)]
    found.append(listed(*(("ActId", (name,), listed(*map(sort, of))) for name, *of in acts)))
    for source, actions, target in transitions:
        found += [("transition",), source, ("TimedMultAct", listed(*actions), UNTIMED), target]
    return [*found, *end]
