"""A check of linear processes as `mcrl2_files.outputs_of` reads them.

It checks the layout of the file, and the sorts of all terms by the declarations there and the
predefined functions of mCRL2: those of the `.spec` files of its data types, with 64-bit words.
"""

import re

from mcrl2_files import CERTAIN, UNTIMED

# S and T stand for any sort.
PREDEFINED = """
true false: Bool
!: Bool -> Bool
&& || =>: Bool # Bool -> Bool
== != < <= > >=: S # S -> Bool
if: Bool # S # S -> S
@c1: Pos
@most_significant_digit: @word -> Pos
@most_significant_digitNat: @word -> Nat
@concat_digit: Pos # @word -> Pos; Nat # @word -> Nat
@succ_pos: Pos -> Pos
@succ_nat: Nat -> Nat
Pos2Nat: Pos -> Nat
Nat2Pos: Nat -> Pos
Pos2Int: Pos -> Int
Nat2Int: Nat -> Int
Int2Nat: Int -> Nat
Int2Pos: Int -> Pos
Pos2Real: Pos -> Real
Nat2Real: Nat -> Real
Int2Real: Int -> Real
Real2Pos: Real -> Pos
Real2Nat: Real -> Nat
Real2Int: Real -> Int
@cInt: Nat -> Int
@cNeg: Pos -> Int
@cReal: Int # Pos -> Real
succ: Pos -> Pos; Nat -> Pos; Int -> Int; Real -> Real
pred: Pos -> Nat; Nat -> Int; Int -> Int; Real -> Real
+: Pos # Pos -> Pos; Pos # Nat -> Pos; Nat # Pos -> Pos; Nat # Nat -> Nat
+ *: Int # Int -> Int; Real # Real -> Real; FSet S # FSet S -> FSet S; Set S # Set S -> Set S
+ *: FBag S # FBag S -> FBag S; Bag S # Bag S -> Bag S
*: Pos # Pos -> Pos; Nat # Nat -> Nat
-: Pos -> Int; Nat -> Int; Int -> Int; Real -> Real; Pos # Pos -> Int; Nat # Nat -> Int
-: Int # Int -> Int; Real # Real -> Real; FSet S # FSet S -> FSet S; Set S # Set S -> Set S
-: FBag S # FBag S -> FBag S; Bag S # Bag S -> Bag S
/: Real # Real -> Real
div: Nat # Pos -> Nat; Int # Pos -> Int
mod: Nat # Pos -> Nat; Int # Pos -> Nat
exp: Pos # Nat -> Pos; Nat # Nat -> Nat; Int # Nat -> Int; Real # Int -> Real
abs: Int -> Nat; Real -> Real
min: Pos # Pos -> Pos; Nat # Nat -> Nat; Int # Int -> Int; Real # Real -> Real
max: Pos # Pos -> Pos; Pos # Nat -> Pos; Nat # Pos -> Pos; Nat # Nat -> Nat; Pos # Int -> Pos
max: Int # Pos -> Pos; Nat # Int -> Nat; Int # Nat -> Nat; Int # Int -> Int; Real # Real -> Real
floor ceil round: Real -> Int
sqrt: Nat -> Nat
[]: List S
|>: S # List S -> List S
<|: List S # S -> List S
++: List S # List S -> List S
#: List S -> Nat; FSet S -> Nat; FBag S -> Nat
.: List S # Nat -> S
head rhead: List S -> S
tail rtail: List S -> List S
in: S # List S -> Bool; S # FSet S -> Bool; S # Set S -> Bool; S # FBag S -> Bool; S # Bag S -> Bool
{}: FSet S
@fset_insert @fset_cons: S # FSet S -> FSet S
@set: (S -> Bool) # FSet S -> Set S
@setfset: FSet S -> Set S
@false_ @true_: S -> Bool
!: Set S -> Set S
{:}: FBag S
@fbag_insert @fbag_cons: S # Pos # FBag S -> FBag S
@bag: (S -> Nat) # FBag S -> Bag S
@bagfbag: FBag S -> Bag S
@zero_: S -> Nat
count: S # FBag S -> Nat; S # Bag S -> Nat
Bag2Set: Bag S -> Set S
Set2Bag: Set S -> Bag S
@func_update @func_update_stable: (S -> T) # S # T -> (S -> T)
"""


def sort(text):
    """Return a sort as tuples: a name, `(container, sort)`, `("->", arguments, result)`."""
    text = text.strip()
    parts, depth, start = [], 0, 0
    for at, one in enumerate(text):
        depth += (one == "(") - (one == ")")
        if not depth and (one == "#" or text[at : at + 2] == "->"):
            parts.append(text[start:at])
            start = at + (1 if one == "#" else 2)
    if parts:
        return "->", tuple(map(sort, parts)), sort(text[start:])
    if text[0] == "(":
        return sort(text[1:-1])
    kind, _, element = text.partition(" ")
    return (kind, sort(element)) if element else kind


def table():
    found = {}
    for line in PREDEFINED.strip().splitlines():
        names, _, of = re.fullmatch(r"(.*?)(:) (\S.*)", line).groups()
        for name in names.split():
            found.setdefault(name, []).extend(map(sort, of.split(";")))
    return found


KNOWN = table()


def fits(pattern, given, bound):
    """Whether a sort is an instance of a pattern; `bound` has what S and T stand for."""
    if pattern in ("S", "T"):
        return bound.setdefault(pattern, given) == given
    if isinstance(pattern, str) or isinstance(given, str):
        return pattern == given
    if len(pattern) != len(given) or pattern[0] != given[0]:
        return False
    if pattern[0] != "->":
        return fits(pattern[1], given[1], bound)
    return (
        len(pattern[1]) == len(given[1])
        and all(fits(one, other, bound) for one, other in zip(pattern[1], given[1], strict=True))
        and fits(pattern[2], given[2], bound)
    )


def elements(term):
    found = []
    while term[0] == "<list_constructor>":
        found.append(term[1])
        term = term[2]
    assert term == ("<empty_list>",), term
    return found


class Process:
    """The parts of a linear process; an AssertionError says what is wrong with the file."""

    def __init__(self, outputs):
        self.rest = iter(outputs)
        assert next(self.rest) == ("linear_process_specification",)
        self.names, self.functions = {}, {}
        sorts = self.many("SortId")
        aliases = self.many("SortRef")
        self.aliases = {name: of for (_, (_, (name,)), of) in aliases if of[0] != "SortStruct"}
        self.structures = {repr(of): n for (_, (_, (n,)), of) in aliases if of[0] == "SortStruct"}
        self.sorts = {sort[1][0] for sort in sorts} | {alias[1][1][0] for alias in aliases}
        for _, (_, (name,)), of in aliases:
            if of[0] == "SortStruct":
                self.structure(of, name)
        for _ in range(2):
            for _, (name,), of in self.many("OpIdNoIndex"):
                self.functions.setdefault(name, []).append(self.sort(of))
        for _, variables, condition, left, right in self.many("DataEqn"):
            scope = self.scope(variables)
            assert self.typed(condition, scope) == "Bool"
            assert self.typed(left, scope) == self.typed(right, scope), (left, right)
        self.actions = elements(next(self.rest))
        self.globals = dict(map(self.variable, self.many("DataVarId")))
        variables = next(self.rest)
        self.parameters = self.scope(variables)
        self.summands = [self.summand() for _ in range(next(self.rest))]
        for _ in range(next(self.rest)):
            over, condition, time = (next(self.rest) for _ in range(3))
            assert self.typed(condition, {**self.parameters, **self.scope(over)}) == "Bool"
            assert time == UNTIMED
        name, initial, distribution = next(self.rest)
        assert (name, distribution) == ("LinearProcessInit", CERTAIN)
        given = [self.typed(element, self.globals) for element in elements(initial)]
        assert given == [*self.parameters.values()], (given, self.parameters)
        assert next(self.rest, None) is None

    def many(self, name):
        found = [next(self.rest) for _ in range(next(self.rest))]
        assert all(one[0] == name for one in found), found
        return found

    def sort(self, of):
        match of:
            case ("SortId", (name,)):
                if name in self.aliases:
                    return self.sort(self.aliases[name])
                assert name in self.sorts or name in ("Bool", "Pos", "Nat", "Int", "Real", "@word")
                return name
            case ("SortCons", (kind,), inner):
                return kind.removeprefix("Sort"), self.sort(inner)
            case ("SortArrow", arguments, result):
                return "->", tuple(map(self.sort, elements(arguments))), self.sort(result)
            case ("SortStruct", _):
                name = self.structures.get(repr(of), repr(of))
                if name == repr(of) and name not in self.sorts:
                    self.sorts.add(name)
                    self.structure(of, name)
                return name
        raise AssertionError(of)

    def structure(self, of, name):
        def add(function, sorts, result):
            made = ("->", tuple(sorts), result) if sorts else result
            self.functions.setdefault(function, []).append(made)

        for _, (made,), fields, (recogniser,) in elements(of[1]):
            sorts = [self.sort(inner) for _, _, inner in elements(fields)]
            add(made, sorts, name)
            for (_, (field,), _), inner in zip(elements(fields), sorts, strict=True):
                if field:
                    add(field, [name], inner)
            if recogniser:
                add(recogniser, [name], "Bool")

    def variable(self, term):
        kind, (name,), of = term
        assert kind == "DataVarId"
        assert re.fullmatch(r"[A-Za-z_][A-Za-z_0-9']*", name), name
        return name, self.sort(of)

    def scope(self, variables):
        found = [*map(self.variable, elements(variables))]
        assert len(dict(found)) == len(found), found
        return dict(found)

    def summand(self):
        distribution, over, condition, actions, time, then = (next(self.rest) for _ in range(6))
        assert distribution == CERTAIN
        assert time == UNTIMED
        sums = self.scope(over)
        assert not sums.keys() & self.parameters.keys(), "a variable of a sum is a parameter"
        scope = {**self.globals, **self.parameters, **sums}
        assert self.typed(condition, scope) == "Bool"
        for _, label, given in elements(actions):
            assert label in self.actions
            expected = [self.sort(element) for element in elements(label[2])]
            assert [self.typed(element, scope) for element in elements(given)] == expected
        assigned = []
        for kind, target, value in elements(then):
            assert kind == "DataVarIdInit"
            name, of = self.variable(target)
            assert self.parameters[name] == of == self.typed(value, scope), (target, value)
            assigned.append(name)
        assert assigned == [name for name in self.parameters if name in assigned], assigned
        return sums, condition, actions, then

    def typed(self, term, scope, known=None):
        """Return the sort of a term; shared parts are looked at once in each scope."""
        known = {} if known is None else known
        if id(term) not in known:
            known[id(term)] = self._typed(term, scope, known)
        return known[id(term)]

    def _typed(self, term, scope, known):
        if isinstance(term, int):
            assert 0 <= term < 2**64
            return "@word"
        match term:
            case ("DataVarId", (name,), of):
                assert scope[name] == self.sort(of), (name, scope)
                return scope[name]
            case ("OpIdNoIndex", (name,), of):
                found = self.sort(of)
                own = self.functions.get(name, ())
                assert found in own or any(
                    fits(pattern, found, {}) for pattern in KNOWN.get(name, ())
                ), f"{name}: {found}"
                return found
            case ("DataAppl", function, *arguments):
                kind, expected, result = self.typed(function, scope, known)
                given = tuple([self.typed(argument, scope, known) for argument in arguments])
                assert (kind, expected) == ("->", given), (function, given)
                return result
            case ("Binder", (kind,), variables, body):
                bound = self.scope(variables)
                result = self.typed(body, {**scope, **bound})
                if kind == "Lambda":
                    return "->", tuple(bound.values()), result
                assert kind in ("Forall", "Exists")
                assert result == "Bool"
                return "Bool"
        raise AssertionError(term)
