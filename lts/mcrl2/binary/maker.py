"""Makes the terms of a file for typed terms; see `lts.mcrl2.binary.data_terms`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lts.base.bounds import DIGITS
from lts.mcrl2.data.signatures import MONOMORPHIC
from lts.mcrl2.data.symbols import RATIO
from lts.mcrl2.text import data_tree as tree
from lts.specification.generators import Recursion
from lts.specification.specification import Rule
from lts.specification.terms import Application, Function, Term, Variable, substitute, variables_of
from lts.text.names import Name

if TYPE_CHECKING:
    from lts.mcrl2.binary.data_terms import DataTerms

__all__ = ["Maker", "NotFinite", "Unwritable"]

_NUMBER = re.compile(r"-?[0-9]+")
_OTHER = re.compile(r"[^A-Za-z_0-9']+")
"""What names in mCRL2 cannot contain."""

_OF_TEXTS = {"@of": "@cInt", "@minus": "@cNeg", "@complement": "!", "@either": "+", "@both": "*",
             "@outside": "!", "@succ": "@succ"}  # fmt: skip
"""Functions of the library here, by their names in mCRL2."""

_FINITE = {"Set": "FSet", "Bag": "FBag"}
_GENERAL = {finite: general for general, finite in _FINITE.items()}

_LISTS = ("[]", "<|", "|>", "++", "tail", "rtail")
"""Functions on lists whose result is a list."""

_CONTAINER = {"#": 0, "head": 0, "rhead": 0, ".": 0, "in": 1, "count": 1}
"""The place of the list, set or bag among the arguments of functions with another result."""


class Unwritable(Exception):
    """A term has no counterpart in mCRL2, or one whose sort is unknown here."""


class NotFinite(Unwritable):
    """A variable, of a sort of sets or bags that may be infinite, has to be of a finite one."""

    def __init__(self, variable: Variable, sort: tree.Sort) -> None:
        super().__init__(variable.name)
        self.variable, self.sort = variable, sort


class Maker:
    """Makes terms with free variables. Different variables have different names."""

    def __init__(self, of: DataTerms, *, is_value: bool) -> None:
        self.of = of
        self.builder = of.builder
        self.bound: dict[Variable, tuple[int, tree.Sort]] = {}
        """The term and sort of each variable."""
        self.is_value = is_value
        """Whether the term is a normal form."""
        self._names: set[str] = set()
        self._known: dict[tuple[int, int, bool], tuple[Term, int]] = {}

    def take(self, names: Iterable[str]) -> None:
        """Reserve names, which no variable gets from then on."""
        self._names.update(names)

    def bind(self, variable: Variable, sort: tree.Sort, name: str | None = None) -> int:
        """Return the term of a variable, from now on, with this name if it is free."""
        if variable not in self.bound:
            name = _OTHER.sub("_", (name or variable.name).partition("@")[0]) or "x"
            while name in self._names:
                name += "'"
            self._names.add(name)
            builder = self.builder
            term = builder.term("DataVarId", builder.term(name), self.of.sort(sort))
            self.bound[variable] = term, sort
        return self.bound[variable][0]

    def made(self, term: Term, sort: tree.Sort) -> Recursion[int]:
        """Return the term, of this sort; each shared part is converted once."""
        key = id(term), self.of.sort(sort)
        shared = self.of.known.get(key) if self.is_value else None
        found = shared or self._known.get((*key, self.is_value))
        if found is None:
            variables = len(self.bound)
            found = term, (yield self._made(term, sort))
            if self.is_value and len(self.bound) == variables == 0:
                self.of.known[key] = found
            else:
                self._known[(*key, self.is_value)] = found
        return found[1]

    def _made(self, term: Term, sort: tree.Sort) -> Recursion[int]:
        of, builder = self.of, self.builder
        if isinstance(term, Variable):
            if term not in self.bound:
                raise Unwritable(term.name)
            known, own = self.bound[term]
            try:
                return self.converted(known, own, sort)
            except Unwritable:
                raise NotFinite(term, sort) from None
        function, given = term.function, term.arguments
        match resolved := of.resolved(sort):
            case tree.SortName(name) if str(name) in ("Pos", "Nat", "Int", "Real"):
                found = yield self.number(term, str(name))
                if found is not None:
                    return int(found)
            case tree.Container(name, element):
                found = yield self.collection(term, str(name), element)
                if found is not None:
                    return int(found)
            case tree.Function():
                found = yield self.function(term, resolved)
                if found is not None:
                    return int(found)
        if function.name == "!" and isinstance(inner := given[0], Application):
            found = yield self.quantifier(inner, negated=True)
            if found is not None:
                return int(found)
        found = yield self.quantifier(term, negated=False)
        if found is not None:
            return int(found)
        if function.name.startswith("@whr ") and (rules := of.rules.get(function.name)):
            parameters = rules[0].left.arguments
            values = {v: a for v, a in zip(parameters, given, strict=True) if type(v) is Variable}
            whole: int = yield self.made(substitute(rules[0].right, values), sort)
            return whole
        if function.name == "@apply":
            own = of.of_name(given[0].sort)
            if not isinstance(own, tree.Function):
                raise Unwritable(function.name)
            parts = [(yield self.made(given[0], own))]
            for argument, required in zip(given[1:], own.arguments, strict=True):
                parts.append((yield self.made(argument, required)))
            return self.converted(builder.term("DataAppl", *parts), own.result, sort)
        base, _, count = function.name.partition("@")
        if base and count.isdigit():
            applied: int = yield self.curried(base, term, sort)
            return applied
        declared = of.declared(function)
        if declared is None:
            declared = self.predefined(term, resolved)
        sorts, result = declared
        known_as = _OF_TEXTS.get(function.name, function.name)
        if function.name == "@succ":
            known_as = f"@succ_{function.sort.lower()}"
        if not given:
            return self.converted(builder.constant(known_as, of.sort(result)), result, sort)
        terms = []
        for argument, required in zip(given, sorts, strict=True):
            terms.append(((yield self.made(argument, required)), of.sort(required)))
        return self.converted(builder.applied(known_as, terms, of.sort(result)), result, sort)

    def predefined(
        self, term: Application, sort: tree.Sort
    ) -> tuple[tuple[tree.Sort, ...], tree.Sort]:
        """Return the sorts of the arguments and the result of a predefined function.

        Those with sets and bags depend on what is required, or on the arguments: typed terms do not
        distinguish finite ones.
        """
        function = term.function
        name = function.name
        if isinstance(sort, tree.Container):
            inner = sort.element
            if str(sort.name) in _GENERAL and name in ("+", "*", "-"):
                return (sort, sort), sort
            if str(sort.name) == "List" and name in _LISTS:
                by_name = {"[]": (), "<|": (sort, inner), "|>": (inner, sort), "++": (sort, sort)}
                return by_name.get(name, (sort,)), sort
            if name == "if":
                return (self.of.of_name("Bool"), sort, sort), sort
        if name.startswith("@") and name not in MONOMORPHIC and name not in _OF_TEXTS:
            raise Unwritable(name)
        sorts = [*map(self.of.of_name, function.arguments)]
        result = self.of.of_name(function.sort)
        place = _CONTAINER.get(name)
        if place is None or not isinstance(sorts[place], tree.Container):
            return tuple(sorts), result
        own = self.own(term.arguments[place])
        if isinstance(own, tree.Container):
            sorts[place] = own
            if place:
                sorts[0] = own.element
            elif name != "#":
                result = own.element
        of = sorts[place]
        if name == "#" and isinstance(of, tree.Container) and str(of.name) in _FINITE:
            sorts[0] = tree.Container(Name.at(_FINITE[str(of.name)], (1, 1)), of.element)
        return tuple(sorts), result

    def own(self, term: Term) -> tree.Sort | None:
        """Return the sort that a term has by declarations; None if there are none."""
        while isinstance(term, Application):
            if (declared := self.of.declared(term.function)) is not None:
                return self.of.resolved(declared[1])
            if term.function.name not in _LISTS[1:]:
                return None
            term = term.arguments[term.function.name == "|>"]
        return self.of.resolved(self.bound[term][1]) if term in self.bound else None

    def converted(self, term: int, own: tree.Sort, required: tree.Sort) -> int:
        """Return a term of a finite set or bag as a set or bag, if it has to be one."""
        of = self.of
        if of.sort(own) == of.sort(required):
            return term
        one, other = of.resolved(own), of.resolved(required)
        if isinstance(one, tree.Container) and isinstance(other, tree.Container):
            inside = of.sort(one.element) == of.sort(other.element)
            if inside and _GENERAL.get(str(one.name)) == str(other.name):
                name = "@setfset" if str(other.name) == "Set" else "@bagfbag"
                return self.builder.applied(name, [(term, of.sort(own))], of.sort(required))
        raise Unwritable(of.name(own))

    def number(self, term: Application, sort: str) -> Recursion[int | None]:
        """Return a number, if the term is one."""
        of, builder, function = self.of, self.builder, term.function
        if sort == "Real":
            if function != RATIO:
                return None
            parts = []
            for argument, name in zip(term.arguments, ("Int", "Pos"), strict=True):
                required = of.of_name(name)
                parts.append(((yield self.made(argument, required)), of.sort(required)))
            return builder.applied("@cReal", parts, builder.sort("Real"))
        inner: Term = term
        while isinstance(inner, Application) and inner.function.name in ("@of", "Pos2Nat"):
            inner = inner.arguments[0]
        if isinstance(inner, Application) and not inner.arguments:
            text = inner.function.name
            is_number = _NUMBER.fullmatch(text) and len(text) <= DIGITS.default
            if is_number and (text[0] != "-" or sort == "Int"):
                return builder.number(int(text), sort)
        return None

    def collection(self, term: Application, kind: str, element: tree.Sort) -> Recursion[int | None]:
        """Return a set or bag, if the term is given by elements or a condition."""
        name = term.function.name
        builder, of = self.builder, self.of
        if kind == "List":
            return None
        sort = builder.container(kind, of.sort(element))
        finite = _FINITE.get(kind, kind)
        if name == "!" and term.function.native and kind == "Set":
            (inner,) = term.arguments
            if isinstance(inner, Application) and self._is_finite(inner):
                chain = yield self.chain(inner, finite, element)
                return self.general("@true_", chain, kind, element)
            return None
        if name.startswith(("@set ", "@where ")):
            known = self.predicate(term)
            if known is None or kind != "Set":
                raise Unwritable(name)
            variable, body = known
            rule = yield self.binder("Lambda", (variable,), body, of.of_name("Bool"), [element])
            empty = builder.constant("{}", builder.container("FSet", of.sort(element)))
            return self.general(rule, empty, kind, element)
        if name in ("@keep", "@put"):
            found = yield self.conditional_element(term, kind, element, sort)
            return int(found)
        if name == "@insert" or name in ("{}", "{:}"):
            if self._is_finite(term):
                chain = yield self.chain(term, finite, element)
                rule = "@false_" if finite == "FSet" else "@zero_"
                return chain if finite == kind else self.general(rule, chain, kind, element)
            *parts, rest = term.arguments
            assert isinstance(rest, Application | Variable)
            own = Application(Function("{}" if finite == "FSet" else "{:}", (), term.sort))
            one = Application(term.function, (*parts, own))
            container = tree.Container(Name.at(kind, (1, 1)), element)
            terms = []
            for side in (one, rest):
                terms.append(((yield self.made(side, container)), sort))
            return builder.applied("+", terms, sort)
        return None

    def _is_finite(self, term: Term) -> bool:
        """Whether a term is a set or bag given by its elements."""
        while isinstance(term, Application) and term.function.name == "@insert":
            term = term.arguments[-1]
        return isinstance(term, Application) and term.function.name in ("{}", "{:}")

    def chain(self, term: Application, kind: str, element: tree.Sort) -> Recursion[int]:
        """Return a finite set or bag given by its elements."""
        of, builder = self.of, self.builder
        inside, positive = of.sort(element), of.of_name("Pos")
        sort = builder.container(kind, inside)
        elements = []
        part: Term = term
        while isinstance(part, Application) and part.function.name == "@insert":
            one, *count, part = part.arguments
            given = [((yield self.made(one, element)), inside)]
            if kind == "FBag":
                given.append(((yield self.made(count[0], positive)), of.sort(positive)))
            elements.append(given)
        found = builder.constant("{}" if kind == "FSet" else "{:}", sort)
        name = f"@{kind.lower()}_{'cons' if self.is_value else 'insert'}"
        for given in reversed(elements):
            found = builder.applied(name, [*given, (found, sort)], sort)
        return found

    def general(self, rule: str | int, chain: int, kind: str, element: tree.Sort) -> int:
        """Return the set or bag of what either a rule or a finite set has."""
        builder, inside = self.builder, self.of.sort(element)
        is_set = kind == "Set"
        function = builder.arrow([inside], builder.sort("Bool" if is_set else "Nat"))
        if isinstance(rule, str):
            rule = builder.constant(rule, function)
        given = [(rule, function), (chain, builder.container(_FINITE[kind], inside))]
        return builder.applied(f"@{kind.lower()}", given, builder.container(kind, inside))

    def predicate(self, term: Application) -> tuple[Variable, Term] | None:
        """Return variable and condition of a set that is given by one."""
        closure = self.of.specification.closures.get(term.function)
        if closure is not None:
            captured, (variable,), body = closure
            return variable, substitute(body, dict(zip(captured, term.arguments, strict=True)))
        for rule in self.of.rules.get(term.function.name, ()):
            if rule.condition is not None and isinstance(rule.right, Application):
                element = rule.right.arguments[0]
                assert isinstance(element, Variable)
                return element, substitute(rule.condition, _given(rule, term))
        return None

    def conditional_element(
        self, term: Application, kind: str, element: tree.Sort, sort: int
    ) -> Recursion[int]:
        """Return a set with an element if a condition holds, or a bag in which an element has a
        given multiplicity."""
        builder, of = self.builder, self.of
        container = tree.Container(Name.at(kind, (1, 1)), element)
        finite = tree.Container(Name.at(_FINITE.get(kind, kind), (1, 1)), element)
        truth = builder.sort("Bool")
        is_set = term.function.name == "@keep"
        if is_set:
            condition, one, rest = term.arguments
        else:
            one, count, rest = term.arguments
        others = yield self.made(rest, container)
        value = yield self.made(one, element)
        nil = builder.constant("{}" if is_set else "{:}", of.sort(finite))
        given = [(value, of.sort(element)), (nil, of.sort(finite))]
        if is_set:
            holds = yield self.made(condition, of.of_name("Bool"))
            single = builder.applied("@fset_insert", given, of.sort(finite))
        else:
            natural, positive = builder.sort("Nat"), builder.sort("Pos")
            number = yield self.made(count, of.of_name("Nat"))
            zero = builder.number(0, "Nat")
            holds = builder.applied(">", [(number, natural), (zero, natural)], truth)
            as_positive = builder.applied("Nat2Pos", [(number, natural)], positive)
            given.insert(1, (as_positive, positive))
            single = builder.applied("@fbag_insert", given, of.sort(finite))
        # The rest is mentioned once: a chain of these is not to grow exponentially.
        cases = [(self.converted(one, finite, container), sort) for one in (single, nil)]
        chosen = builder.applied("if", [(holds, truth), *cases], sort)
        return builder.applied("+", [(chosen, sort), (others, sort)], sort)

    def function(self, term: Application, sort: tree.Function) -> Recursion[int | None]:
        """Return a function, if the term is a table, an update, or a closure."""
        builder, of = self.builder, self.of
        name = term.function.name
        if name == "@update":
            found = yield self.updates(term, sort)
            return int(found)
        if name == "@table":
            found = yield self.table(term, sort)
            return int(found)
        closure = of.specification.closures.get(term.function)
        if closure is None:
            return None
        captured, variables, body = closure
        if isinstance(body, Application) and name == f"@function {body.function.name}":
            return builder.constant(body.function.name, of.sort(sort))
        body = substitute(body, dict(zip(captured, term.arguments, strict=True)))
        found = yield self.binder("Lambda", variables, body, sort.result, sort.arguments)
        return int(found)

    def updates(self, term: Application, sort: tree.Function) -> Recursion[int]:
        """Return a function that is updated for some arguments, the smallest outermost in a
        value."""
        builder, of = self.builder, self.of
        (argument,) = sort.arguments
        of_function = of.sort(sort)
        changes = []
        part: Term = term
        while isinstance(part, Application) and part.function.name == "@update":
            part, one, value = part.arguments
            given = [((yield self.made(one, argument)), of.sort(argument))]
            given.append(((yield self.made(value, sort.result)), of.sort(sort.result)))
            changes.append(given)
        found: int = yield self.made(part, sort)
        for given in changes if self.is_value else reversed(changes):
            name = "@func_update_stable" if self.is_value else "@func_update"
            found = builder.applied(name, [(found, of_function), *given], of_function)
        return found

    def table(self, term: Application, sort: tree.Function) -> Recursion[int]:
        """Return a function that is given by its results: by its most frequent result, the first
        of several, and updates."""
        builder, of = self.builder, self.of
        arguments = of.specification.tables.get(term.sort)
        if arguments is None:
            raise Unwritable(term.function.name)
        results = []
        for value in term.arguments:
            results.append((yield self.made(value, sort.result)))
        ((usual, _),) = Counter(results).most_common(1)
        others = [(given, r) for given, r in zip(arguments, results, strict=True) if r != usual]
        names = [Variable(f"x@{n}", of.name(sort)) for n, _ in enumerate(sort.arguments)]
        variables = [self.bind(v, s) for v, s in zip(names, sort.arguments, strict=True)]
        result, truth, whole = of.sort(sort.result), builder.sort("Bool"), of.sort(sort)
        body = usual
        if len(names) > 1:
            for given, value in reversed(others):
                holds = builder.constant("true", truth)
                for argument, variable, required in reversed(
                    [*zip(given, variables, sort.arguments, strict=True)]
                ):
                    made, inside = (yield self.made(argument, required)), of.sort(required)
                    same = builder.applied("==", [(variable, inside), (made, inside)], truth)
                    if holds == builder.constant("true", truth):
                        holds = same
                    else:
                        holds = builder.applied("&&", [(same, truth), (holds, truth)], truth)
                body = builder.applied(
                    "if", [(holds, truth), (value, result), (body, result)], result
                )
        found = builder.term("Binder", builder.term("Lambda"), builder.listed(variables), body)
        if len(names) == 1:
            (required,) = sort.arguments
            for (one,), value in reversed(others):
                made = yield self.made(one, required)
                change = [(found, whole), (made, of.sort(required)), (value, result)]
                found = builder.applied("@func_update_stable", change, whole)
        return found

    def quantifier(self, term: Application, *, negated: bool) -> Recursion[int | None]:
        """Return a quantified term; negated, that of all values."""
        rules = self.of.rules.get(term.function.name)
        if rules is None or not term.function.name.startswith("@exists "):
            return None
        rule = rules[0]
        assert rule.condition is not None
        around = {*variables_of(rule.left)}
        variables = tuple(
            [v for v in dict.fromkeys(variables_of(rule.condition)) if v not in around]
        )
        body: Term = substitute(rule.condition, _given(rule, term))
        kind = "Exists"
        if negated:
            if not (isinstance(body, Application) and body.function.name == "!"):
                return None
            kind, (body,) = "Forall", body.arguments
        sorts = [self.of.of_name(variable.sort) for variable in variables]
        found = yield self.binder(kind, variables, body, self.of.of_name("Bool"), sorts)
        return int(found)

    def binder(
        self,
        kind: str,
        variables: tuple[Variable, ...],
        body: Term,
        result: tree.Sort,
        sorts: Sequence[tree.Sort],
    ) -> Recursion[int]:
        """Return a term that binds variables."""
        builder = self.builder
        was, self.is_value = self.is_value, False
        bound = [self.bind(v, s) for v, s in zip(variables, sorts, strict=True)]
        made = yield self.made(body, result)
        self.is_value = was
        return builder.term("Binder", builder.term(kind), builder.listed(bound), made)

    def curried(self, name: str, term: Application, sort: tree.Sort) -> Recursion[int]:
        """Return a function applied several times, which is one of more arguments here."""
        of, builder = self.of, self.builder
        typed, given = term.function.arguments, term.arguments
        for (known, count), declared in of.functions.items():
            if known != name or count >= len(given):
                continue
            for sorts, result in declared:
                own = of.resolved(result)
                if not (all(map(of.fits, typed[:count], sorts)) and isinstance(own, tree.Function)):
                    continue
                first = []
                for argument, required in zip(given[:count], sorts, strict=True):
                    first.append(((yield self.made(argument, required)), of.sort(required)))
                found = builder.applied(name, first, of.sort(own))
                rest = given[count:]
                while rest and isinstance(own, tree.Function):
                    parts = []
                    for argument, required in zip(rest, own.arguments, strict=False):
                        parts.append((yield self.made(argument, required)))
                    found = builder.term("DataAppl", found, *parts)
                    rest, own = rest[len(parts) :], of.resolved(own.result)
                if not rest:
                    return self.converted(found, own, sort)
        raise Unwritable(term.function.name)


def _given(rule: Rule, term: Application) -> dict[Variable, Term]:
    """Return what the variables of a generated function stand for in an application."""
    pairs = zip(rule.left.arguments, term.arguments, strict=True)
    return {variable: value for variable, value in pairs if isinstance(variable, Variable)}
