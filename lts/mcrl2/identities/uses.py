"""How numbers are used: which occurrences are in one class, and which classes count.

Everything that is read here can be rebuilt afterwards, with named classes as sorts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from lts.mcrl2.data.sort_names import is_set
from lts.mcrl2.data.symbols import WIDER
from lts.mcrl2.identities.classes import Leaf, Node, Tree, leaves, sort_of, tree, unify
from lts.mcrl2.identities.parts import TypedParts
from lts.mcrl2.identities.predefined import counted, unify_arguments
from lts.specification import processes as typed
from lts.specification.generators import Recursion, run
from lts.specification.processes import ActionName, Process, ProcessName
from lts.specification.specification import Rule
from lts.specification.terms import (
    NUMERAL,
    Application,
    Function,
    Term,
    Variable,
    functions_in,
    identity,
    variables_of,
)
from lts.specification.traversal import parts_of
from lts.text.source import Place

__all__ = ["Again", "Signature", "Uses", "function_again"]

Scope = Mapping[Variable, Tree]
Again = Callable[[], Recursion[Process]]
"""Rebuilds a process."""
_MOST_DIGITS = 15


@dataclass(frozen=True, slots=True)
class Signature:
    """The trees of the argument sorts and of the result sort."""

    arguments: tuple[Tree, ...]
    result: Tree


@dataclass(frozen=True, slots=True)
class _Bound:
    variable: Variable
    tree: Tree


@dataclass(frozen=True, slots=True)
class _Applied:
    function: Function
    signature: Signature
    parts: tuple[_Known, ...]


_Known = _Bound | _Applied
"""A term with the trees of its sorts."""


class Uses:
    """The classes of numbers in a specification."""

    def __init__(self, parts: TypedParts) -> None:
        self.parts = parts
        self.leaves: list[Leaf] = []
        self.place: Place = (1, 1)
        self.parameters: dict[ProcessName, tuple[Tree, ...]] = {}
        for name, (variables, _) in parts.definitions.items():
            named = [self.named(v.sort, f"{name.name}.{v.name}", 0) for v in variables]
            self.parameters[name] = tuple(named)
        self.actions: dict[ActionName, tuple[Tree, ...]] = {}
        for action in parts.actions:
            named = [self.named(s, f"{action.name}.{i}", 1) for i, s in enumerate(action.sorts, 1)]
            self.actions[action] = tuple(named)
        self.functions: dict[Function, Signature] = {}
        for function in dict.fromkeys((*parts.functions, *parts.closures)):
            self.functions[function] = self.declared(function)
        self.rules = [self.rule(rule) for rule in parts.rules]
        self.closures = [self.closure(symbol) for symbol in parts.closures]
        self.definitions: dict[ProcessName, Again] = {}
        for name, (variables, body) in parts.definitions.items():
            scope = dict(zip(variables, self.parameters[name], strict=True))
            self.definitions[name] = run(self.process(body, scope))
        self.initial: Again = run(self.process(parts.initial, {}))

    def new(self, sort: str) -> Tree:
        """Return a fresh tree of a sort, and record its leaves."""
        made = tree(sort)
        self.leaves += leaves(made)
        return made

    def named(self, sort: str, name: str, rank: int) -> Tree:
        """Return a fresh tree of a sort for something that has a name in the text."""
        made = self.new(sort)
        for leaf in leaves(made):
            is_inside = leaf is not made
            place = 2 * rank + is_inside, len(self.leaves)
            leaf.positions.append((place, name + ".inside" * is_inside))
        return made

    def declared(self, function: Function) -> Signature:
        """Return the signature of a function of the text, or of one generated for it."""
        is_of_text = "@" not in function.name and function not in self.parts.closures
        if not is_of_text:
            return Signature(tuple(map(self.new, function.arguments)), self.new(function.sort))
        arguments = [
            self.named(sort, f"{function.name}.{at}", 2)
            for at, sort in enumerate(function.arguments, 1)
        ]
        return Signature(tuple(arguments), self.named(function.sort, f"{function.name}.result", 3))

    def count(self, what: Tree, why: str) -> None:
        """Record that numbers count, including those inside values of other sorts."""
        for leaf in self.inside(what):
            leaf.top.count = leaf.top.count or (why, self.place)

    def range_over(self, what: Tree) -> None:
        """Record that a quantifier or sum ranges over all values of a sort."""
        for leaf in self.inside(what):
            leaf.top.is_ranged = True

    def inside(self, what: Tree) -> Iterator[Leaf]:
        """Yield the leaves of a tree, and of everything that its values contain."""
        waiting: list[Tree] = [what]
        seen: set[str] = set()
        while waiting:
            part = waiting.pop()
            if isinstance(part, Leaf):
                yield part
            elif isinstance(part, Node):
                waiting += part.parts
            elif part not in seen:
                seen.add(part)
                own = self.parts.values.constructors.get(part, ())
                waiting += [a for f in own for a in self.functions[f].arguments]

    def term(self, term: Term, scope: Scope) -> _Known:
        """Return a term with the trees of its sorts."""
        found: _Known = run(self._term(term, scope))
        return found

    def _term(self, term: Term, scope: Scope) -> Recursion[_Known]:
        if isinstance(term, Variable):
            return _Bound(term, scope[term])
        function = term.function
        parts = []
        for argument in term.arguments:
            parts.append((yield self._term(argument, scope)))
        known = self.functions.get(function)
        if known is None:
            arguments = tuple(map(self.new, function.arguments))
            known = Signature(arguments, self.new(function.sort))
            if not arguments and isinstance(known.result, Leaf):
                self.literal(known.result, function)
            else:
                for what in unify_arguments(function, arguments, known.result):
                    self.count(what, counted(function))
        for part, expected in zip(parts, known.arguments, strict=True):
            unify(_tree(part), expected)
        return _Applied(function, known, tuple(parts))

    def literal(self, leaf: Leaf, function: Function) -> None:
        """Record a number that is written in the text."""
        digits = function.name
        if not digits.isdigit() or len(digits) > _MOST_DIGITS:
            self.count(leaf, f"the number {digits}")
            return
        leaf.literals[int(digits)] = self.place

    def rule(self, rule: Rule) -> Callable[[], Rule]:
        """Read an equation; return a function that rebuilds it."""
        self.place = rule.place
        terms = (rule.left, *rule.results)
        of_left = set(variables_of(rule.left))
        scope: dict[Variable, Tree] = {}
        for variable in dict.fromkeys(v for term in terms for v in variables_of(term)):
            scope[variable] = self.new(variable.sort)
            if variable not in of_left:
                self.range_over(scope[variable])
        left, right = self.term(rule.left, scope), self.term(rule.right, scope)
        unify(_tree(left), _tree(right))
        condition = None if rule.condition is None else self.term(rule.condition, scope)

        def again() -> Rule:
            made = run(_again(left))
            assert isinstance(made, Application)
            holds = None if condition is None else run(_again(condition))
            return replace(rule, left=made, right=run(_again(right)), condition=holds)

        return again

    def closure(self, symbol: Function) -> Callable[[], tuple[Function, object]]:
        """Read a closure, or a set given by a predicate; return a function that rebuilds it."""
        closure = self.parts.closures[symbol]
        signature = self.functions[symbol]
        place = next((r.place for r in self.parts.rules if symbol in _symbols(r)), self.place)
        self.place = place
        scope = dict(zip(closure.captured, signature.arguments, strict=True))
        for variable in closure.variables:
            scope[variable] = self.new(variable.sort)
        body = self.term(closure.body, scope)
        result = signature.result
        assert isinstance(result, Node)
        inside = [scope[v] for v in closure.variables]
        if not is_set(symbol.sort):  # the rule of a set states that it ranges over all values
            inside.append(_tree(body))
        for part, other in zip(result.parts, inside, strict=True):
            unify(part, other)

        def again() -> tuple[Function, object]:
            made = replace(
                closure,
                captured=tuple([_variable(v, scope[v]) for v in closure.captured]),
                variables=tuple([_variable(v, scope[v]) for v in closure.variables]),
                body=run(_again(body)),
            )
            return function_again(symbol, signature), made

        return again

    def process(self, process: Process, scope: Scope) -> Recursion[Again]:
        """Read a process; return a function that rebuilds it."""
        match process:
            case typed.Action(action, arguments, place):
                self.place = place
                known = self._given(arguments, self.actions[action], scope)

                def of_action() -> Recursion[Process]:
                    return typed.Action(self.action(action), (yield _all(known)), place)

                return of_action
            case typed.Call(name, arguments, place):
                self.place = place
                given = self._given(arguments, self.parameters[name], scope)

                def of_call() -> Recursion[Process]:
                    return typed.Call(self.process_name(name), (yield _all(given)), place)

                return of_call
            case typed.Condition(then, condition, otherwise, place):
                self.place = place
                holds = self.term(condition, scope)
                branches = (yield self.process(then, scope)), (yield self.process(otherwise, scope))

                def of_condition() -> Recursion[Process]:
                    one, other = yield _both(branches)
                    return typed.Condition(one, (yield _again(holds)), other, place)

                return of_condition
            case typed.Sum(variable, body):
                bound = self.new(variable.sort)
                inner: Again = yield self.process(body, {**scope, variable: bound})

                def of_sum() -> Recursion[Process]:
                    return typed.Sum(_variable(variable, bound), (yield inner()))

                return of_sum
            case _:
                around: Again = yield self._around(process, scope)
                return around

    def _around(self, process: Process, scope: Scope) -> Recursion[Again]:
        """Read a process operator without data of its own."""
        if isinstance(process, typed.Comm):
            self._communicate(process.pairs)
        if isinstance(process, typed.Rename):
            self._communicate([((old,), new) for old, new in process.pairs])
        inside: list[Again] = []
        for part in parts_of(process):
            inside.append((yield self.process(part, scope)))

        def again() -> Recursion[Process]:
            made = yield _both(tuple(inside))
            match process:
                case typed.MultiAction():
                    return typed.MultiAction(made)
                case typed.Sequence():
                    return typed.Sequence(*made)
                case typed.Choice():
                    return typed.Choice(made)
                case typed.Parallel() | typed.Communication():
                    return replace(process, processes=made)
                case typed.LeftMerge():
                    return replace(process, first=made[0], second=made[1])
                case typed.Encap() | typed.Allow() | typed.Comm() | typed.Hide() | typed.Rename():
                    return replace(process, body=made[0])
            return process

        return again

    def _communicate(self, pairs: object) -> None:
        """Unify the arguments of actions that communicate, or are renamed."""
        for names, result in pairs:  # type: ignore[attr-defined]
            for group in self.together((*names, result)):
                for other in group[1:]:
                    for action, two in zip(
                        self.actions[group[0]], self.actions[other], strict=True
                    ):
                        unify(action, two)

    def together(self, names: tuple[str, ...]) -> Iterator[list[ActionName]]:
        """Yield the actions with these names, grouped by their sorts."""
        groups: dict[tuple[str, ...], list[ActionName]] = {}
        for action in self.actions:
            if action.name in names:
                groups.setdefault(action.sorts, []).append(action)
        yield from groups.values()

    def _given(
        self, arguments: tuple[Term, ...], expected: tuple[Tree, ...], scope: Scope
    ) -> tuple[_Known, ...]:
        known = tuple([self.term(argument, scope) for argument in arguments])
        for one, other in zip(known, expected, strict=True):
            unify(_tree(one), other)
        return known

    def action(self, action: ActionName) -> ActionName:
        """Return an action with named classes as sorts."""
        return replace(action, sorts=tuple(map(sort_of, self.actions[action])))

    def process_name(self, name: ProcessName) -> ProcessName:
        """Return the name of a process with named classes as sorts."""
        return replace(name, sorts=tuple(map(sort_of, self.parameters[name])))


def _symbols(rule: Rule) -> set[Function]:
    return set(functions_in((rule.left, *rule.results)))


def _tree(known: _Known) -> Tree:
    return known.tree if isinstance(known, _Bound) else known.signature.result


def _variable(variable: Variable, of: Tree) -> Variable:
    return Variable(variable.name, sort_of(of))


def function_again(function: Function, signature: Signature) -> Function:
    """Return a function with named classes as sorts."""
    arguments, sort = tuple(map(sort_of, signature.arguments)), sort_of(signature.result)
    if (arguments, sort) == (function.arguments, function.sort):
        return function
    return replace(function, arguments=arguments, sort=sort)


def _again(known: _Known) -> Recursion[Term]:
    """Rebuild a term."""
    if isinstance(known, _Bound):
        return _variable(known.variable, known.tree)
    function, result = known.function, known.signature.result
    if isinstance(result, Leaf) and result.top.name:
        if function in WIDER:
            narrow: Term = yield _again(known.parts[0])
            return narrow
        if not known.parts and (function.native == NUMERAL or function.name.isdigit()):
            return identity(int(function.name), result.top.name)
    arguments = []
    for part in known.parts:
        arguments.append((yield _again(part)))
    return Application(function_again(function, known.signature), tuple(arguments))


def _all(known: tuple[_Known, ...]) -> Recursion[tuple[Term, ...]]:
    found = []
    for term in known:
        found.append((yield _again(term)))
    return tuple(found)


def _both(inside: tuple[Again, ...]) -> Recursion[tuple[Process, ...]]:
    found = []
    for term in inside:
        found.append((yield term()))
    return tuple(found)
