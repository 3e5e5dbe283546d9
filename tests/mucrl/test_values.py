"""The values of sorts whose constructors have equations: terms that come to others, or to maps, or
few values of infinitely many terms. Listed, summed over, quantified, and held against what comes of
trying all terms of constructors."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lts import LimitReached, SpecificationError
from lts.logic import check_process
from lts.mucrl import generate, linearise, read_text
from lts.specification.signature import Signature
from naive.mucrl import Interpreter
from naive.rewriting import values_by_rounds
from naive.systems import bisimilar

SORTS = "ABC"
MOST = 60
"""Values that are tried of all sorts together."""


class Memoised(Interpreter):
    """Values of sorts that have no end are those of few functions."""

    rounds = 9

    def __init__(self, specification):
        super().__init__(specification)
        self.known = {}
        self.merged = 0
        """Applications of constructors to values that come to something else."""
        constructors = [f for f in specification.functions if f.constructor]
        self.values, self.ended = {}, set()
        for sort in ("Bool", *SORTS):
            # Values are made of those of earlier sorts; later ones may have no end.
            own = [f for f in constructors if f.sort in ("Bool", *SORTS[: SORTS.find(sort) + 1])]
            values, ended = values_by_rounds(own, self.built, self.rounds, MOST)
            self.values[sort] = values.get(sort, [])
            self.ended |= ended & {sort}

    def built(self, term):
        found = self.normal(term)
        self.merged += found != term
        return found

    def normal(self, term):
        if term not in self.known:
            self.known[term] = super().normal(term)
        return self.known[term]

    def elements(self, sort):
        return self.values[sort]


# Specifications. Functions are name, sorts of arguments, sort; a constructor weighs two and all
# else one, and each side on the right weighs less than that on the left: so rewriting ends.


def weight(term, constructors):
    if isinstance(term, str):
        return 1
    name, *parts = term
    return 1 + (name in constructors) + sum(weight(part, constructors) for part in parts)


def variables(term):
    if isinstance(term, str):
        return Counter([term])
    return sum(map(variables, term[1:]), Counter())


def shown(term):
    if isinstance(term, str):
        return term
    name, *parts = term
    return f"{name}({','.join(map(shown, parts))})" if parts else name


def terms(draw, functions, sort, depth, scope):
    """Return a term of a sort, over variables of a scope with their sorts."""
    mine = [name for name, s in scope if s == sort]
    if mine and draw(st.integers(0, 2)):
        return draw(st.sampled_from(mine))
    own = [f for f in functions if f[2] == sort and (depth or not f[1])]
    name, arguments, _ = draw(st.sampled_from(own))
    return (name, *[terms(draw, functions, a, depth - 1, scope) for a in arguments])


SCOPE = [(f"{v}{sort}", sort) for sort in SORTS for v in ("x", "y")]


def ending(draw, name, arguments, sort):
    """Return a rule by which a constructor around itself comes to fewer of it, or to what is inside
    of several: there are infinitely many terms of it then, and as few values as of its sorts."""

    def around(inside, other):
        return (name, *[inside if s == sort else f"{other}{s}" for s in arguments])

    if len(arguments) > 1 or draw(st.booleans()):
        return (around(around(f"x{sort}", "x"), "y"), around(f"x{sort}", "y"))
    left = f"x{sort}"
    for _ in range(draw(st.integers(1, 4))):
        left = around(left, "y")
    return (left, f"x{sort}")


@st.composite
def heads(draw):
    """The sorts: text, the functions, and the names of constructors."""
    functions, constructors, rules = [], set(), []
    for place, sort in enumerate(SORTS):
        below = SORTS[: place + 1]
        own = []
        for number in range(draw(st.integers(1, 3))):
            own.append((f"c{number}{sort}", (), sort))
        for number in range(draw(st.integers(0, 2))):
            some = st.lists(st.sampled_from(below), min_size=1, max_size=2)
            arguments = draw(st.just([sort]) | some)
            own.append((f"f{number}{sort}", tuple(arguments), sort))
        constructors |= {name for name, _, _ in own}
        made = [*own]
        for number in range(draw(st.integers(0, 2))):
            arguments = draw(st.lists(st.sampled_from(below), max_size=1))
            own.append((f"m{number}{sort}", tuple(arguments), sort))
        functions += own
        if draw(st.integers(0, 3)):
            rules += [
                ending(draw, name, arguments, sort)
                for name, arguments, _ in made
                if arguments.count(sort) == 1
            ]
        for _ in range(draw(st.integers(0, 3))):
            head, arguments, _ = draw(st.sampled_from(made + made + own))
            if arguments[-1:] == (sort,) and draw(st.integers(0, 2)) == 0:
                # As often as this, it is what is inside.
                left, others = f"x{sort}", [f"y{s}" for s in arguments[:-1]]
                for _ in range(draw(st.integers(2, 5))):
                    left = (head, *others, left)
                rules.append((left, f"x{sort}"))
                continue
            left = (head, *[terms(draw, functions, a, 2, SCOPE) for a in arguments])
            bound = [(name, s) for name, s in SCOPE if name in variables(left)]
            right = terms(draw, functions, sort, 2, bound)
            smaller = weight(right, constructors) < weight(left, constructors)
            if smaller and variables(right) <= variables(left):
                rules.append((left, right))
    text = "sort Bool A B C\nfunc T,F:->Bool\n"
    for name, arguments, sort in functions:
        kind = "func" if name in constructors else "map"
        text += f"{kind} {name}:{'#'.join(arguments)}->{sort}\n"
    text += "map not:Bool->Bool and:Bool#Bool->Bool "
    text += " ".join(f"p{s}:{s}->Bool e{s}:{s}#{s}->Bool g{s}:{s}->{s}" for s in SORTS)
    text += "\nvar b:Bool " + " ".join(f"{name}:{sort}" for name, sort in SCOPE) + "\nrew "
    text += "not(T)=F not(F)=T and(T,b)=b and(F,b)=F\n    "
    rules = [f"{shown(left)}={shown(right)}" for left, right in rules]
    for s in SORTS:
        rules.append(f"e{s}(x{s},x{s})=T e{s}(x{s},y{s})=F")
        for _ in range(draw(st.integers(0, 2))):
            pattern = terms(draw, functions, s, 2, SCOPE)
            rules.append(f"p{s}({shown(pattern)})={draw(st.sampled_from('TF'))}")
        rules.append(f"p{s}(x{s})={draw(st.sampled_from('TFF'))}")
        if draw(st.booleans()):
            made = [f for f in functions if f[0] in constructors]
            pattern = terms(draw, functions, s, 2, SCOPE)
            rules.append(f"g{s}({shown(pattern)})={shown(terms(draw, made, s, 1, []))}")
        rules.append(f"g{s}(x{s})=x{s}")
    return text + "\n    ".join(rules) + "\n", functions, constructors


@st.composite
def conditions(draw, functions, constructors, scope):
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return f"not({draw(conditions(functions, constructors, scope))})"
    if kind == 1:
        both = (draw(conditions(functions, constructors, scope)) for _ in range(2))
        return f"and({','.join(both)})"
    sort = draw(st.sampled_from([s for _, s in scope]))
    if kind == 2:
        # What a variable is said to be equal to is built of constructors, so that it is a value.
        made = [f for f in functions if f[0] in constructors]
        sides = (shown(terms(draw, made, sort, 1, scope)) for _ in range(2))
        return f"e{sort}({','.join(sides)})"
    term = shown(terms(draw, functions, sort, 1, scope))
    return f"p{sort}({term if draw(st.booleans()) else f'g{sort}({term})'})"


@st.composite
def texts(draw):
    head, functions, constructors = draw(heads())
    made = [f for f in functions if f[0] in constructors]
    # Mostly a sort whose values have values of it inside.
    cyclic = [sort for _, arguments, sort in made if sort in arguments]
    s, r = (draw(st.sampled_from([*SORTS, *3 * cyclic])) for _ in range(2))
    scope = [("x", s), ("y", r)]

    def condition(scope):
        return draw(conditions(functions, constructors, scope))

    def term(sort, scope, depth=1):
        return shown(terms(draw, made, sort, depth, scope))

    head += f"act {' '.join(f'a,i,o,c:{sort}' for sort in SORTS)} comm i|o=c\n"
    shape = draw(st.integers(0, 4))
    if shape == 0:
        body = f"init sum(x:{s}, a(x))"
    elif shape == 1:
        body = f"init sum(x:{s}, a({term(s, scope[:1])}) <| {condition(scope[:1])} |> delta)"
    elif shape == 2:
        sides = f"a({term(s, scope)}).a({term(r, scope)})"
        body = f"init sum(x:{s}, sum(y:{r}, {sides} <| {condition(scope)} |> delta))"
    elif shape == 3:
        again = [("x", s), ("y", s)]
        body = f"proc X(x:{s})=a(x).sum(y:{s}, X(y) <| {condition(again)} |> delta) "
        body += f"init X({term(s, [])})"
    else:
        one = f"sum(x:{s}, i({term(s, scope[:1])}) <| {condition(scope[:1])} |> delta)"
        other = [("y", s)]
        two = f"sum(y:{s}, o({term(s, other)}) <| {condition(other)} |> delta)"
        body = f"init encap({{i,o}}, {one} || {two})"
    used = {s} if shape not in (2,) else {s, r}
    return head + body, frozenset(used)


def reaching(test):
    """Make examples of a test count whether they reach what they are about."""
    counts = Counter()

    def count(reached):
        counts["all"] += 1
        counts["reached"] += bool(reached)

    test(count)
    assert counts["reached"] * 10 >= counts["all"], counts


def listed(specification, sort, most):
    signature = Signature(specification)
    data = signature.data()
    found = data.values(signature.sorts[sort], most)
    if found is not None:
        found = [data.shown(value, 10**6) for value in found[0]], found[1]
    return found, data.is_infinite(signature.sorts[sort])


def test_values_are_listed_without_duplicates():
    @given(heads())
    def test(count, head):
        specification = read_text(f"{head[0]}init delta")
        by_terms = Memoised(specification)
        count(by_terms.merged)
        for sort in SORTS:
            expected = {str(value).encode() for value in by_terms.values[sort]}
            (values, complete), infinite = listed(specification, sort, 10 * MOST)
            assert len(set(values)) == len(values)
            assert not (complete and infinite)
            if sort in by_terms.ended:
                assert complete
                assert set(values) == expected
            elif complete:
                assert expected <= set(values)
            for most in (0, 1, len(values) // 2):
                some, all_of_them = listed(specification, sort, most)[0]
                assert all_of_them == (complete and most >= len(values))
                assert some == (values if all_of_them else [])

    reaching(lambda count: test(count))


def is_cyclic(specification, sort):
    """Whether a constructor of a sort has an argument of that sort."""
    return any(f.constructor and f.sort == sort in f.arguments for f in specification.functions)


def test_sums_range_over_the_values():
    cyclic = Counter()

    @given(texts())
    def test(count, text):
        text, used = text
        specification = read_text(text)
        by_terms = Memoised(specification)
        count(by_terms.merged)
        cyclic["all"] += 1
        # Finite all the same, with infinitely many terms.
        cyclic["reached"] += any(is_cyclic(specification, sort) for sort in used & by_terms.ended)
        try:
            found = generate(specification, max_values=3000, max_states=1000)
        except LimitReached:
            assert not used <= by_terms.ended
            return
        if used <= by_terms.ended:
            expected = by_terms.system(1000)
            assert bisimilar(found, expected)

    reaching(lambda count: test(count))

    if cyclic["all"] >= 40:  # few tell little
        assert cyclic["reached"] * 10 >= cyclic["all"], cyclic


def test_quantifiers_range_over_the_values():
    @given(heads(), st.data())
    def test(count, head, data):
        head, functions, _ = head
        sort = data.draw(st.sampled_from(SORTS))
        term = shown(terms(data.draw, functions, sort, 1, [("x", sort)]))
        holds = data.draw(st.sampled_from([f"p{sort}(g{sort}({term}))", f"e{sort}(x,{term})"]))
        specification = read_text(f"{head}act a init sum(x:{sort}, a <| {holds} |> delta)")
        none = read_text(f"{head}act a init sum(x:{sort}, delta <| {holds} |> a)")
        by_terms = Memoised(specification)
        count(by_terms.merged)
        process = linearise(read_text(f"{head}init delta"))
        try:
            some = check_process(process, f"exists x:{sort}. val({holds})").holds
            every = check_process(process, f"forall x:{sort}. val({holds})").holds
        except (LimitReached, SpecificationError):
            assert sort not in by_terms.ended
            return
        if sort in by_terms.ended:
            assert some == bool(list(by_terms.steps(specification.initial)))
            assert every == (not list(by_terms.steps(none.initial)))

    reaching(lambda count: test(count))


def test_incomplete_enumerations_are_not_written_out():
    """The last of so many would be as deep as they are many, and all together of ten gigabytes."""
    text = "sort Bool N func T,F:->Bool y,z:->N f:N->N rew f(f(y))=y init delta"
    assert listed(read_text(text), "N", 100_000) == (([], False), False)


def test_truncated_enumeration_is_not_complete():
    head = "sort Bool Nat D func T,F: -> Bool z: -> Nat s: Nat -> Nat h: Nat -> D "
    forgets = "var n: Nat rew h(s(n)) = h(n) "
    specification = read_text(f"{head}{forgets}act a: D init sum(d: D, a(d))")
    assert listed(specification, "D", 10) == (([], False), False)
    with pytest.raises(LimitReached):
        generate(specification, max_values=10)


def test_interned_subterms_equal_written_terms():
    """A part stands for itself, be it written out or by its number; so does what it comes to."""
    known = 1 << 61

    @given(heads())
    def test(count, head):
        specification = read_text(f"{head[0]}init delta")
        signature, by_terms = Signature(specification), Memoised(specification)
        data = signature.data()
        values = [term for sort in SORTS for term in by_terms.values[sort]][:20]
        numbers = [data.value(signature.term(term))[0] for term in values]
        assert [data.shown(number, 10**6) for number in numbers] == [
            data.normal_form(signature.term(term))[0] for term in values
        ]
        for function in specification.functions:
            if len(function.arguments) == 1:
                for term, number in zip(values, numbers, strict=True):
                    if term.sort == function.arguments[0]:
                        symbol = signature.symbols[function]
                        whole = data.value([symbol, *signature.term(term)])
                        count(function.name)
                        assert data.value([symbol, known + number]) == whole
        with pytest.raises(ValueError, match="a code has an unknown term"):
            data.value([known + (1 << 31)])
        with pytest.raises(ValueError, match="there is no term"):
            data.shown((1 << 32) - 1, 1)

    reaching(test)
