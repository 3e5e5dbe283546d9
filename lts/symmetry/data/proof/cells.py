"""The user's own arrays, split into the cells that they consist of.

A sort A of arrays is a sort with maps `get: A#D -> E` and `set: A#D#E -> A`. A permutation g of D
acts on its values index by index: if f is built from constructors of A around items of other sorts,
g f first has the images of these items in their places; then, for each permuted d, the image of
`get(f,d)` is set at index g d.

The initial values of all parameters of the sort may consist of the same constructors around items.
This term is called the skeleton here, and the places of the items are the *cells*. Suppose that

- `get(f,d)` of a skeleton around variables is one of these variables for each permuted d, a
  different one for each d, and `set(f,d,y)` is the skeleton with y in that cell;
- each new value of a parameter of the sort can be rewritten to the skeleton with variables in the
  cells, where variables of the sort D may be instantiated with each of its values in turn;
- arrays occur nowhere else: in no label, condition, sum or value of another sort.

Then, by induction, these parameters have the skeleton around some items as their value in each
reachable state and in its images. The item at d moves to g d, others stay in their cells, and so
the group acts on these values if it acts on the items. The state can be represented with one
parameter for each cell instead of the array; the parameter of a cell moves to that of the image of
its index. Rewriting with variables turns the summands into summands that read cells, one for each
combination of values of the variables of sort D. These have no arrays and are within reach of a
proof from the text. Nothing is assumed of the user's maps except what their rules make of the
skeleton.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from lts.linear.control_state import Guard
from lts.linear.process import LinearProcess, Parameter, Summand
from lts.linear.sort_values import SortValues
from lts.specification.specification import Application, Function, Rule, Term, Variable
from lts.specification.terms import functions_in, substitute, variables_of
from lts.symmetry.data.proof.open_terms import OpenTerms, TooLong

__all__ = ["Cells", "cells_of"]

_CELLS = 10_000
"""Most cells of all parameters together."""

_CASES = 1_000
"""Most cases of one summand."""

Evaluate = Callable[[Application], Application | None]


@dataclass(frozen=True, slots=True)
class _Skeleton:
    """Constructors of a sort around variables, one for each cell."""

    term: Application
    cells: tuple[Variable, ...]
    at: Mapping[Application, int]
    """The number of the cell of each permuted index."""

    def around(self, items: Sequence[Term]) -> Term:
        """Return the array with these items."""
        return substitute(self.term, dict(zip(self.cells, items, strict=True)))

    def items(self, term: Term) -> list[Term] | None:
        """Return the items of an array; None if it does not have the form of the skeleton."""
        found: dict[Variable, Term] = {}
        waiting: list[tuple[Term, Term]] = [(self.term, term)]
        while waiting:
            own, other = waiting.pop()
            if isinstance(own, Variable):
                found[own] = other
            elif isinstance(other, Application) and own.function == other.function:
                waiting += zip(own.arguments, other.arguments, strict=True)
            else:
                return None
        return [found[cell] for cell in self.cells]


@dataclass(frozen=True, slots=True)
class _Cases:
    """The cases of one summand, one for each combination of values of some variables: parameters by
    their number, and summation variables by their position."""

    parameters: Sequence[int]
    sums: Sequence[int]
    whole: Summand
    summands: Mapping[tuple[Application, ...], Summand]
    """The summand of each combination of values, in this order, whose conditions may hold."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A linear process with the cells of its arrays as additional parameters, numbered after its
    own. The array parameters themselves are neither read nor written.

    The summands of `process` are the cases of the original summands.
    """

    process: LinearProcess
    skeletons: Mapping[str, _Skeleton]
    cell_parameters: Mapping[int, Sequence[int]]
    """The parameters that are the cells of each array parameter, by its number."""
    cases: Sequence[_Cases]

    @property
    def sorts(self) -> frozenset[str]:
        """The array sorts."""
        return frozenset(self.skeletons)

    def items(self, sort: str) -> set[str]:
        """The sorts of the items in the cells."""
        return {cell.sort for cell in self.skeletons[sort].cells}

    def positions(
        self, positions: Sequence[int], images: Mapping[Application, Application]
    ) -> list[int]:
        """Return the image of every parameter, cells included, given the images of the original
        parameters (`positions`) and of values (`images`)."""
        found = [*positions, *range(len(positions), len(self.process.parameters))]
        for array, cells in self.cell_parameters.items():
            target = self.cell_parameters[positions[array]]
            at = self.skeletons[self.process.parameters[array].variable.sort].at
            moved = {at[index]: at[images.get(index, index)] for index in at}
            for number, cell in enumerate(cells):
                found[cell] = target[moved.get(number, number)]
        return found

    def pairs(
        self,
        number: int,
        image: int,
        positions: Sequence[int],
        images: Mapping[Application, Application],
    ) -> list[tuple[Summand, Summand]] | None:
        """Return the cases of a summand, each paired with the case of the image summand that it
        moves to; None if a case has no counterpart. The image summand may have further cases."""
        own, other = self.cases[number], self.cases[image]
        parameters = [positions[parameter] for parameter in own.parameters]
        order = sorted(range(len(parameters)), key=parameters.__getitem__)
        if [parameters[place] for place in order] != [*other.parameters]:
            return None
        order += range(len(parameters), len(parameters) + len(own.sums))
        pairs = []
        for values, summand in own.summands.items():
            moved = tuple(images.get(values[place], values[place]) for place in order)
            if moved not in other.summands:
                return None
            pairs.append((summand, other.summands[moved]))
        return pairs


def cells_of(
    process: LinearProcess,
    arrays: Mapping[str, tuple[Function, Function]],
    indices: Mapping[str, Sequence[Application]],
    moved: Collection[str],
    known: Collection[Function],
    evaluate: Evaluate,
) -> Cells | None:
    """Return a process with cells in place of its arrays; None if this is not seen to be possible.

    `arrays` has the maps that read and write arrays of each sort, which have an element at every
    index. `indices` has the values of the permuted sorts, `moved` the sorts permuted by maps, and
    `known` the functions that commute and are not rewritten. `evaluate` returns the value of a
    closed term.
    """
    rules: dict[Function, list[Rule]] = {}
    for rule in (*process.specification.rules, *process.rules):
        rules.setdefault(rule.left.function, []).append(rule)
    true, false = process.specification.true, process.specification.false
    terms = OpenTerms(rules, evaluate, true, false, known)
    try:
        return _Splitting(process, terms, SortValues(process), moved).split(arrays, indices)
    except (TooLong, _NotCells):
        return None


class _NotCells(Exception):
    """Some arrays could not be split into cells."""


@dataclass(frozen=True, slots=True)
class _Splitting:
    """Splits the arrays of one process; `moved` are the sorts permuted by maps."""

    process: LinearProcess
    terms: OpenTerms
    values: SortValues
    moved: Collection[str]

    def split(
        self,
        arrays: Mapping[str, tuple[Function, Function]],
        indices: Mapping[str, Sequence[Application]],
    ) -> Cells:
        """Return the process with cells."""
        parameters = [*self.process.parameters]
        initial = [*self.process.initial]
        skeletons: dict[str, _Skeleton] = {}
        cell_parameters: dict[int, Sequence[int]] = {}
        values: dict[Variable, Term] = {}
        for number, (own, start) in enumerate(
            zip(self.process.parameters, self.process.initial, strict=True)
        ):
            sort = own.variable.sort
            if sort not in arrays:
                continue
            value = self.terms.normal(start)
            if sort not in skeletons:
                get, put = arrays[sort]
                skeletons[sort] = self.skeleton(value, get, put, indices[get.arguments[1]])
            skeleton = skeletons[sort]
            items = skeleton.items(value)
            if items is None or len(parameters) + len(items) > _CELLS:
                raise _NotCells
            cells = [
                Variable(f"{own.variable.name} {place}", cell.sort)
                for place, cell in enumerate(skeleton.cells)
            ]
            cell_parameters[number] = range(len(parameters), len(parameters) + len(cells))
            parameters += (Parameter(cell, own.component, own.origin) for cell in cells)
            initial += items
            values[own.variable] = skeleton.around(cells)
        if not cell_parameters:
            raise _NotCells
        index_sorts = {get.arguments[1] for get, _ in arrays.values()}
        cases = [
            self.cases(summand, index_sorts, values, skeletons, cell_parameters)
            for summand in self.process.summands
        ]
        process = replace(
            self.process,
            parameters=tuple(parameters),
            initial=tuple(initial),
            summands=tuple(summand for case in cases for summand in case.summands.values()),
        )
        self.refuse_others(process, cell_parameters)
        return Cells(process, skeletons, cell_parameters, cases)

    def refuse_others(
        self, process: LinearProcess, cell_parameters: Mapping[int, Sequence[int]]
    ) -> None:
        """Raise `_NotCells` if arrays occur outside of the parameters that are split."""
        arrays = {process.parameters[number].variable.sort for number in cell_parameters}
        sorts = {
            p.variable.sort for n, p in enumerate(process.parameters) if n not in cell_parameters
        }
        for summand in process.summands:
            sorts |= {variable.sort for variable in summand.variables}
            for function in functions_in(summand.terms):
                sorts |= {function.sort, *function.arguments}
        if not arrays.isdisjoint(self.values.inside(sorts)):
            raise _NotCells

    def skeleton(
        self, value: Term, get: Function, put: Function, indices: Sequence[Application]
    ) -> _Skeleton:
        """Return the skeleton of an array, with the cells that its maps access."""
        cells: list[Variable] = []
        built: list[Term] = []
        waiting: list[tuple[Term, Function | None]] = [(value, None)]
        while waiting:
            part, function = waiting.pop()
            if function is not None:
                from_here = len(built) - len(function.arguments)
                built[from_here:] = [Application(function, tuple(built[from_here:]))]
            elif part.sort != get.arguments[0]:
                cells.append(Variable(f"cell {len(cells)}", part.sort))
                built.append(cells[-1])
            elif isinstance(part, Application) and self.terms.is_rigid(part.function):
                waiting.append((part, part.function))
                waiting += ((argument, None) for argument in reversed(part.arguments))
            else:
                raise _NotCells
        [term] = built
        if not isinstance(term, Application):
            raise _NotCells
        at: dict[Application, int] = {}
        new = Variable("new item", get.sort)
        for index in indices:
            item = self.terms.normal(Application(get, (term, index)))
            if not isinstance(item, Variable) or cells.index(item) in at.values():
                raise _NotCells
            at[index] = cells.index(item)
            written = self.terms.normal(Application(put, (term, index, new)))
            if written != substitute(term, {item: new}):
                raise _NotCells
        return _Skeleton(term, tuple(cells), at)

    def cases(
        self,
        summand: Summand,
        index_sorts: Collection[str],
        values: Mapping[Variable, Term],
        skeletons: Mapping[str, _Skeleton],
        cell_parameters: Mapping[int, Sequence[int]],
    ) -> _Cases:
        """Return a summand rewritten to use cells, split into as many cases as that takes."""
        variables = {v for term in summand.terms for v in variables_of(term)}
        if variables.isdisjoint(values) and all(
            n not in cell_parameters for n, _ in summand.updates
        ):
            return _Cases((), (), summand, {(): summand})
        whole = self.summand(summand, values, skeletons, cell_parameters)
        if whole is not None:
            return _Cases((), (), summand, {(): whole})
        own = [parameter.variable for parameter in self.process.parameters]
        parameters = [n for n, v in enumerate(own) if v in variables and v.sort in index_sorts]
        sums = [n for n, v in enumerate(summand.variables) if v.sort in index_sorts]
        split = [own[number] for number in parameters]
        split += [summand.variables[number] for number in sums]
        domains = [self.constants(variable.sort) for variable in split]
        # An empty domain means that the values of a variable are unknown, not that there is nothing
        # to prove.
        if not 0 < prod(map(len, domains)) <= _CASES:
            raise _NotCells
        found: dict[tuple[Application, ...], Summand] = {}
        for choice in product(*domains):
            chosen = dict(zip(split, choice, strict=True))
            rest = tuple(v for v in summand.variables if v not in chosen)
            case = self.summand(
                replace(summand, variables=rest), {**values, **chosen}, skeletons, cell_parameters
            )
            if case is None:
                raise _NotCells
            if not any(map(self.never_holds, case.guards)):
                found[choice] = case
        return _Cases(parameters, sums, summand, found)

    def constants(self, sort: str) -> Sequence[Application]:
        """Return the values of a sort if all are constants and no map permutes it."""
        return [] if sort in self.moved else self.values.constants(sort)

    def never_holds(self, guard: Guard) -> bool:
        """Whether a guard is false for all values of its variables."""
        return guard.term == (self.terms.false if guard.positive else self.terms.true)

    def summand(
        self,
        summand: Summand,
        values: Mapping[Variable, Term],
        skeletons: Mapping[str, _Skeleton],
        cell_parameters: Mapping[int, Sequence[int]],
    ) -> Summand | None:
        """Return a summand rewritten to use cells; None if it still contains arrays."""

        def normal(term: Term) -> Term:
            changed = substitute(term, values)
            return term if changed is term else self.terms.normal(changed)

        updates: list[tuple[int, Term]] = []
        for number, term in summand.updates:
            if number not in cell_parameters:
                updates.append((number, normal(term)))
                continue
            sort = self.process.parameters[number].variable.sort
            items = skeletons[sort].items(self.terms.normal(substitute(term, values)))
            if items is None:
                return None
            own = skeletons[sort].items(values[self.process.parameters[number].variable])
            assert own is not None
            cells = zip(cell_parameters[number], items, own, strict=True)
            updates += ((cell, item) for cell, item, before in cells if item != before)
        found = replace(
            summand,
            guards=tuple(replace(guard, term=normal(guard.term)) for guard in summand.guards),
            equations=tuple((normal(one), normal(other)) for one, other in summand.equations),
            arguments=tuple(map(normal, summand.arguments)),
            updates=tuple(sorted(updates, key=lambda update: update[0])),
        )
        never = [guard for guard in found.guards if self.never_holds(guard)]
        if never:
            return replace(found, guards=(never[0],), equations=(), arguments=(), updates=())
        if any(
            skeletons.keys() & {function.sort, *function.arguments}
            for function in functions_in(found.terms)
        ):
            return None
        return found
