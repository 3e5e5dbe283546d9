"""Values of mCRL2's sorts, and many ways to write each, so that the value of a text is known.

A value is a pair of a sort and its representation in Python: a bool, an int, a Fraction, or a tuple
of elements (for sets sorted without duplicates, for bags with their multiplicities), or, for the
structured sort `S`, None or a pair of numbers.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

SORTS = ("Bool", "Nat", "Int", "Real", "List(Nat)", "Set(Nat)", "Bag(Nat)", "S", "List(Set(Nat))")
DECLARED = "sort S = struct m(from: Nat, to: Nat) | none;\n"
SMALL = st.integers(0, 3)


def values(sort):
    """Values of a sort."""
    match sort:
        case "Bool":
            return st.booleans()
        case "Nat":
            return SMALL
        case "Int":
            return st.integers(-2, 2)
        case "Real":
            return st.builds(Fraction, st.integers(-2, 2), st.integers(1, 3))
        case "List(Nat)":
            return st.lists(SMALL, max_size=3).map(tuple)
        case "Set(Nat)":
            return st.frozensets(SMALL, max_size=3).map(lambda s: tuple(sorted(s)))
        case "Bag(Nat)":
            counts = st.dictionaries(SMALL, st.integers(1, 2), max_size=2)
            return counts.map(lambda d: tuple(sorted(d.items())))
        case "List(Set(Nat))":
            return st.lists(values("Set(Nat)"), max_size=2).map(tuple)
    return st.none() | st.tuples(SMALL, SMALL)


def plain(sort, value):
    """Return a value as it is printed in labels."""
    match sort:
        case "Bool":
            return str(value).lower()
        case "Nat" | "Int":
            return str(value)
        case "Real":
            return f"{value.numerator}/{value.denominator}"
        case "List(Nat)":
            return f"[{','.join(map(str, value))}]"
        case "Set(Nat)":
            return f"{{{','.join(map(str, value))}}}"
        case "Bag(Nat)":
            return f"{{{','.join(f'{k}:{n}' for k, n in value)}}}" if value else "{:}"
        case "List(Set(Nat))":
            return f"[{','.join(plain('Set(Nat)', one) for one in value)}]"
    return "none" if value is None else f"m({value[0]},{value[1]})"


@st.composite
def written(draw, sort, value, depth=2):
    """Return a text that denotes this value."""

    def of(sort, value):
        return draw(written(sort, value, depth - 1))

    gap = draw(st.sampled_from(["", "", " "]))
    way = draw(st.integers(0, 5)) if depth else 0
    simple = plain(sort, value)
    if way == 0:
        return simple
    if way == 1:
        choice = draw(st.booleans())
        other = of(sort, draw(values(sort)))
        mine = f"({of(sort, value)})"
        yes, no = (mine, f"({other})") if choice else (f"({other})", mine)
        return f"if({of('Bool', choice)},{gap}{yes}, {no})"
    # The element sort of an empty list cannot be inferred, and that of another one may be `Pos`:
    # mCRL2 does not convert it.
    if way == 2 and sort in ("Nat", "Bool", "S"):
        return f"y whr y = {of(sort, value)} end" if draw(st.booleans()) else f"({simple})"
    match sort:
        case "Bool":
            one, other = draw(st.tuples(SMALL, SMALL))
            kind = draw(st.sampled_from(["in", "<", "&&", "forall", "!", "=="]))
            if kind == "in":
                rest = [n for n in range(4) if n != one][:2]
                return f"{one} in {{{','.join(map(str, [*rest, one] if value else rest))}}}"
            if kind == "<":
                return f"{of('Nat', one)}{gap}<{gap}{one + value}"
            if kind == "&&":
                return f"({of('Bool', True)}) && ({of('Bool', value)})"
            if kind == "forall":
                return f"forall k: Bool. k || ({of('Bool', value)})"
            if kind == "!":
                return f"!({of('Bool', not value)})"
            elements = tuple(sorted({one, other}))
            return (
                f"{plain('Set(Nat)', elements)} == {plain('Set(Nat)', elements if value else ())}"
            )
        case "Nat":
            kind = draw(st.sampled_from(["+", "#", "head", "div", "max", "lambda", "count"]))
            if kind == "+":
                part = draw(st.integers(0, value))
                return f"({of('Nat', part)}){gap}+{gap}({of('Nat', value - part)})"
            if kind == "#":
                return f"#{plain('List(Nat)', (7,) * value)}" if value else "# tail([7])"
            if kind == "head":
                return f"head([{of('Nat', value)},{gap}9])"
            if kind == "div":
                return f"{3 * value + 2} div 3"
            if kind == "max":
                return f"max({value}, {draw(st.integers(0, value))})"
            if kind == "count":
                return f"count(5, {{5:{value},{gap}6:1}})" if value else "count(5, {6:1})"
            return f"(lambda k: Nat. k + {value})(0)"
        case "Int":
            less = draw(SMALL)
            return f"{value + less if value + less >= 0 else f'({value + less})'}{gap}-{gap}{less}"
        case "Real":
            factor = draw(st.integers(1, 3))
            top, low = value.numerator * factor, value.denominator * factor
            return f"{top}{gap}/{gap}{low}" if top >= 0 else f"({top}) / {low}"
        case "List(Nat)":
            if not value:
                return draw(st.sampled_from(["tail([1])", "[ ]", "[] ++ []"]))
            kind = draw(st.sampled_from(["|>", "<|", "++", "elements", "tail"]))
            if kind == "|>":
                return f"{value[0]} |> {plain(sort, value[1:])}"
            if kind == "<|":
                return f"{plain(sort, value[:-1])} <| {value[-1]}"
            if kind == "++":
                cut = draw(st.integers(0, len(value)))
                return f"({of(sort, value[:cut])}) ++ ({of(sort, value[cut:])})"
            if kind == "tail":
                return f"tail({plain(sort, (0, *value))})"
            return f"[{f',{gap}'.join(of('Nat', one) for one in value)}]"
        case "Set(Nat)":
            kind = draw(st.sampled_from(["order", "twice", "+", "-", "*"]))
            if kind == "+":
                cut = draw(st.integers(0, len(value)))
                return f"({of(sort, value[cut:])}) + ({of(sort, value[:cut])})"
            if kind == "-":
                return f"{plain(sort, (*value, 8))} - {{8}}"
            if kind == "*":
                return f"{plain(sort, (*value, 8))} * {plain(sort, (*value, 9))}"
            elements = draw(st.permutations(list(value) * (2 if kind == "twice" else 1)))
            return f"{{{f',{gap}'.join(map(str, elements))}}}"
        case "Bag(Nat)":
            if not value:
                return "{:} + {:}"
            pairs = draw(st.permutations(value))
            if draw(st.booleans()):
                return " + ".join(f"{{{k}: {n}}}" for k, n in pairs)
            return f"{{{f',{gap}'.join(f'{k}:{gap}{n}' for k, n in pairs)}}}"
        case "List(Set(Nat))":
            return f"[{f',{gap}'.join(of('Set(Nat)', one) for one in value)}]"
    if value is None:
        return "if(false, m(1,2), none)"
    return f"m({of('Nat', value[0])},{gap}{of('Nat', value[1])})"
