"""The reduced linear process: a linear process whose states are the orbits of another one, or form
a rho-encoding of it.

The report (van Langevelde, *Symmetry in labeled transition systems*, CWI SEN-R0303, Lemma 8.2)
restricts a linear process by hand so that it has one transition of each orbit. Here this is done
for every finite group, and in the text: parameters that the group moves become one parameter, a
vector. The next state of a summand is the least image of the one of the original, and of the steps
that are exchanged by symmetries which fix the state, the least remains.

For a rho-encoding, the next states remain as they are. Those that are not the least of their images
have no steps but rho-steps: one for every element of the group that leads to the least image. The
elements that fix a state are loops of it.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lts.errors import Unsupported
from lts.linear.control_state import Guard
from lts.linear.declarations import Declared, Names
from lts.linear.process import LinearProcess, Parameter, Summand
from lts.mcrl2.data.symbols import is_number
from lts.mcrl2.text.tokens import WORDS
from lts.specification.specification import (
    ActionName,
    Application,
    Function,
    Term,
    Variable,
    substitute,
)
from lts.specification.terms import variables_of
from lts.state_space.settings import DEFAULT, Settings
from lts.symmetry.data.action import GroupAction
from lts.symmetry.data.certify import (
    Explored,
    checked_permutations,
    count_under,
    quotient_under_action,
)
from lts.symmetry.data.moving_terms import MovingTerms, elements
from lts.symmetry.data.proof.deciding import on_orbits
from lts.symmetry.permutation.cycles import cycles
from lts.symmetry.permutation.file import Symmetry
from lts.symmetry.permutation.notation import Element, Permutation
from lts.symmetry.reduction.rho_encoding import described

__all__ = ["ReducedProcess", "encoding_process", "reduced_process"]


@dataclass(frozen=True, slots=True)
class ReducedProcess:
    """A linear process whose states are the orbits of another one, and why.

    `reasons` are lines of text: what has to hold so that the process has one state and one
    transition of each orbit, and for every summand whether it was proven from the text or by
    comparing its steps. If the process generates a rho-encoding, `symmetry` is what `expand` needs
    to restore the state space of the other one.
    """

    process: LinearProcess
    reasons: tuple[str, ...]
    explored: Explored
    symmetry: Symmetry | None = None
    declared: Declared | None = None
    """The sorts, functions and rules that the process uses besides those of the other one."""

    @property
    def order(self) -> int:
        """The order of the group."""
        return self.explored.order


def reduced_process(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    settings: Settings = DEFAULT,
) -> ReducedProcess:
    """Return the linear process of the orbits of a specification.

    The part of the symmetry that the text does not prove is proven by exploring the orbits. Raises
    the errors of `count_orbits`, and `Unsupported` for groups of more than a thousand elements, for
    symmetries that move values by maps, and for values that are no constructor terms.
    """

    def reduced(
        group_action: GroupAction, settings: Settings, _: Sequence[Permutation]
    ) -> ReducedProcess:
        return _Reduction(group_action, count_under(group_action, settings)).reduced()

    return _on_orbits(process, permutations, settings, reduced)


def encoding_process(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    settings: Settings = DEFAULT,
) -> ReducedProcess:
    """Return a linear process that generates a rho-encoding of a specification.

    The orbits are explored, since `expand` needs the images of all labels. Raises the errors of
    `reduced_process`.
    """

    def encoding(
        group_action: GroupAction, settings: Settings, permutations: Sequence[Permutation]
    ) -> ReducedProcess:
        found = quotient_under_action(group_action, settings)
        reduction = _Reduction(group_action, found.explored, with_rho=True)
        own = described(
            found.quotient,
            permutations,
            kind="sorts",
            rho=reduction.rho,
            elements=reduction.named_elements(),
        )
        return replace(reduction.reduced(), symmetry=own)

    return _on_orbits(process, permutations, settings, encoding)


def _on_orbits(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    settings: Settings,
    reduced: Callable[[GroupAction, Settings, Sequence[Permutation]], ReducedProcess],
) -> ReducedProcess:
    """Apply `reduced` to the action of the permutations, which the orbits prove."""
    permutations = checked_permutations(process, permutations, settings.proof)
    generators = permutations or (Permutation(()),)
    return on_orbits(
        process,
        generators,
        lambda group_action: reduced(group_action, settings, generators),
        limits=settings.limits,
    )


class _Reduction:
    def __init__(
        self, group_action: GroupAction, explored: Explored, *, with_rho: bool = False
    ) -> None:
        self.with_rho = with_rho
        self.group_action = group_action
        self.explored = explored
        self.process = process = group_action.process
        by_maps = next((lifted for lifted in group_action.lifted if lifted.maps), None)
        if by_maps is not None:
            raise Unsupported(
                f"`{by_maps.permutation}` moves values by a map: a reduced process is written for "
                "permutations of constants"
            )
        compound = next(
            (v for lifted in group_action.lifted for v in lifted.images if v.arguments), None
        )
        if compound is not None:
            raise Unsupported(
                f"`{compound}` is moved, which is no constant: a reduced process is written for "
                "permutations of constants"
            )
        if explored.normal_forms:
            raise Unsupported(
                f"no equation fits `{explored.normal_forms[0]}`: a reduced process is written for "
                "values that are built of constructors"
            )
        specification = process.specification
        identity = next(
            (v for lifted in group_action.lifted for v in lifted.images if is_number(v.sort)), None
        )
        if specification.communications is None and identity is not None:
            raise Unsupported(
                f"`{identity}` is moved, which is a number: in mCRL2 a reduced process is written "
                "for permutations of constants of structured sorts"
            )
        points = len(group_action.points)
        generators = [
            (*generator.values, *(points + place for place in generator.positions))
            for generator in group_action.generators
        ]
        _, *group = elements(points + len(process.parameters), generators)
        self.elements = [element[:points] for element in group]
        if with_rho and tuple(range(points)) in self.elements:
            raise Unsupported(
                "a symmetry moves parameters but no values, so rho-steps cannot name it: write the "
                "process of the orbits with `--as-process quotient`"
            )
        self.positions = [[place - points for place in element[points:]] for element in group]
        self.moving = [
            number
            for number, parameter in enumerate(process.parameters)
            if any(lifted.moves_in(parameter.variable.sort) for lifted in group_action.lifted)
            or any(positions[number] != number for positions in self.positions)
        ]
        self.staying = [n for n in range(len(process.parameters)) if n not in self.moving]
        variables = [v for summand in process.summands for v in summand.variables]
        variables += [v for rule in specification.rules for v in variables_of(rule.left)]
        variables += [process.parameters[number].variable for number in self.staying]
        names = Names(
            [
                *specification.sorts,
                *process.sorts,
                *(f.name for f in (*specification.functions, *process.functions)),
                *(action.name for action in specification.actions),
                *(v.name for v in variables),
                *(WORDS if specification.communications is None else ()),
            ]
        )
        self.terms = terms = MovingTerms(group_action, names, self.elements)
        sorts = [process.parameters[number].variable.sort for number in self.moving]
        self.vector = terms.sort("Vector")
        self.build = terms.function(names.new("vector"), sorts, self.vector, new=True)
        self.parameter = Variable(names.new("v"), self.vector)
        self.reads = self._reads(names)
        self.steps: dict[tuple[str, ...], tuple[Function, Function]] = {}
        self.step_name, self.is_least_name = names.new("step"), names.new("kept")
        self.rho = names.new("rho")
        self.move = self._move()
        self._compare()
        self.both = self._both(names)
        # Next states are replaced by their least images, or are guarded by whether they are least.
        self.least = self._is_least(names) if with_rho else self._least(names)
        self.unless = self._unless(names)

    def reduced(self) -> ReducedProcess:
        """Return the reduced process."""
        process, terms = self.process, self.terms
        values: dict[Variable, Term] = {
            process.parameters[number].variable: Application(read, (self.parameter,))
            for number, read in zip(self.moving, self.reads, strict=True)
        }
        numbers = {number: place for place, number in enumerate(self.staying, 1)}
        summands = tuple(self._summand(summand, values, numbers) for summand in process.summands)
        actions = process.specification.actions
        if self.with_rho and self.elements:
            summands = (*summands, self._rho_steps())
            actions |= {ActionName(self.rho, (terms.element,))}
        initial = Application(self.build, tuple(process.initial[n] for n in self.moving))
        specification = replace(
            process.specification,
            # The rules that are added use the sorts and functions of the process.
            sorts=(*process.specification.sorts, *process.sorts, *terms.sorts),
            functions=(
                *process.specification.functions,
                *process.functions,
                *terms.functions,
            ),
            rules=(*process.specification.rules, *terms.rules),
            actions=actions,
        )
        components = tuple(
            replace(
                component,
                parameters=tuple(numbers[n] for n in component.parameters if n in numbers),
            )
            for component in process.components
        )
        found = replace(
            process,
            specification=specification,
            components=components,
            parameters=(
                Parameter(self.parameter, 0, None),
                *(process.parameters[number] for number in self.staying),
            ),
            initial=(initial, *(process.initial[number] for number in self.staying)),
            summands=summands,
            decisions=(),
            remarks=(),
        )
        return ReducedProcess(
            found, tuple(self._reasons()), self.explored, declared=terms.declared()
        )

    # The vector of the parameters that move.

    def _reads(self, names: Names) -> list[Function]:
        """Add a map for each parameter in the vector, with the parameter's name."""
        terms, reads = self.terms, []
        items = terms.variables(self.build.arguments)
        for number, item in zip(self.moving, items, strict=True):
            name = names.new(self.process.parameters[number].variable.name)
            reads.append(terms.function(name, (self.vector,), item.sort))
            terms.rule(Application(reads[-1], (Application(self.build, items),)), item)
        return reads

    def _move(self) -> Function:
        """Add the map that moves vectors."""
        terms = self.terms
        move = terms.function(terms.moved_name, (terms.element, self.vector), self.vector)
        items = terms.variables(self.build.arguments)
        where = {number: place for place, number in enumerate(self.moving)}
        for element, positions in zip(terms.of_group, self.positions, strict=True):
            image: list[Term] = [*items]
            for number, item in zip(self.moving, items, strict=True):
                image[where[positions[number]]] = terms.moved(element, item)
            terms.rule(
                Application(move, (element, Application(self.build, items))),
                Application(self.build, tuple(image)),
            )
        return move

    def _compare(self) -> None:
        terms = self.terms
        compared = terms.function(terms.compared_name, (self.vector, self.vector), terms.order)
        terms.comparisons[self.vector] = compared
        terms.by_parts(compared, (), self.build)

    def moved(self, element: Term, vector: Term) -> Application:
        """Return the term for the image of a vector."""
        return Application(self.move, (element, vector))

    def _least(self, names: Names) -> Function:
        """Add the map that chooses the least image of a vector."""
        terms, vector = self.terms, self.vector
        chosen_name = names.new("lesser")
        chosen = terms.function(chosen_name, (terms.order, vector, vector), vector)
        one, other = terms.variables([vector, vector])
        for order, result in ((terms.less, one), (terms.same, one), (terms.greater, other)):
            terms.rule(Application(chosen, (order, one, other)), result)
        lesser = terms.function(chosen_name, (vector, vector), vector)
        terms.rule(
            Application(lesser, (one, other)),
            Application(chosen, (terms.compared(one, other), one, other)),
        )
        least = terms.function(names.new("least"), (vector,), vector)
        images: list[Term] = [one, *(self.moved(element, one) for element in terms.of_group)]
        terms.rule(Application(least, (one,)), _balanced(images, lesser))
        return least

    # Rho-steps.

    def named_elements(self) -> list[tuple[str, Permutation]]:
        """Return the elements of the group with the names of their constants in the text."""
        points = [Element(point) for point in self.group_action.points]
        return [
            (str(name), Permutation(tuple(tuple(points[p] for p in c) for c in cycles(images))))
            for name, images in zip(self.terms.of_group, self.elements, strict=True)
        ]

    def _is_least(self, names: Names) -> Function:
        """Add the map that tells whether a vector is the least of its images."""
        terms = self.terms
        sort = terms.true.sort
        allowed = terms.function(names.new("notless"), (terms.order,), sort)
        for order in (terms.less, terms.same, terms.greater):
            result = terms.false if order == terms.less else terms.true
            terms.rule(Application(allowed, (order,)), result)
        is_least = terms.function(names.new("isleast"), (self.vector,), sort)
        [vector] = terms.variables([self.vector])
        tests: list[Term] = [
            Application(allowed, (terms.compared(self.moved(element, vector), vector),))
            for element in terms.of_group
        ]
        terms.rule(
            Application(is_least, (vector,)), _balanced(tests, self.both) if tests else terms.true
        )
        return is_least

    def _rho_steps(self) -> Summand:
        """Return the rho-steps from every state to the least of its images."""
        terms = self.terms
        image = self.moved(terms.g, self.parameter)
        return Summand(
            variables=(terms.g,),
            guards=(Guard(Application(self.least, (image,)), True),),
            equations=(),
            action=self.rho,
            arguments=(terms.g,),
            updates=((0, image),),
            origin=(),
            places=(),
        )

    # One step of each orbit.

    def _both(self, names: Names) -> Function:
        """Add the conjunction."""
        terms = self.terms
        both = terms.function(names.new("both"), (terms.true.sort,) * 2, terms.true.sort)
        [other] = terms.variables([terms.true.sort])
        terms.rule(Application(both, (terms.true, other)), other)
        terms.rule(Application(both, (terms.false, other)), terms.false)
        return both

    def _unless(self, names: Names) -> Function:
        """Add the map that refuses a step: the order of a state's image and the state is `same`,
        and that of the step's image and the step is `less`."""
        terms = self.terms
        sort = terms.true.sort
        unless = terms.function(names.new("unless"), (terms.order, terms.order), sort)
        [order] = terms.variables([terms.order])
        for other in (terms.less, terms.greater):
            terms.rule(Application(unless, (other, order)), terms.true)
        for step, holds in ((terms.less, False), (terms.same, True), (terms.greater, True)):
            terms.rule(
                Application(unless, (terms.same, step)), terms.true if holds else terms.false
            )
        return unless

    def _step(self, sorts: tuple[str, ...]) -> tuple[Function, Function]:
        """Return the constructor of steps with labels of these sorts, and the map that tells of a
        vector and a step whether the step is the least of its images under the symmetries that fix
        the vector."""
        if sorts in self.steps:
            return self.steps[sorts]
        terms = self.terms
        sort = terms.sort("Step")
        build = terms.function(self.step_name, (*sorts, self.vector), sort, new=True)
        move = terms.function(terms.moved_name, (terms.element, sort), sort)
        *arguments, target = terms.variables(build.arguments)
        image = (*(terms.moved(terms.g, a) for a in arguments), self.moved(terms.g, target))
        terms.rule(
            Application(move, (terms.g, Application(build, (*arguments, target)))),
            Application(build, image),
        )
        compared = terms.function(terms.compared_name, (sort, sort), terms.order)
        terms.comparisons[sort] = compared
        terms.by_parts(compared, (), build)
        is_least = terms.function(self.is_least_name, (self.vector, sort), terms.true.sort)
        vector, step = terms.variables([self.vector, sort])
        tests: list[Term] = [
            Application(
                self.unless,
                (
                    terms.compared(self.moved(element, vector), vector),
                    terms.compared(Application(move, (element, step)), step),
                ),
            )
            for element in terms.of_group
        ]
        terms.rule(
            Application(is_least, (vector, step)),
            _balanced(tests, self.both) if tests else terms.true,
        )
        self.steps[sorts] = (build, is_least)
        return self.steps[sorts]

    def _summand(
        self, summand: Summand, values: dict[Variable, Term], numbers: dict[int, int]
    ) -> Summand:
        updates = dict(summand.updates)
        target = Application(
            self.build,
            tuple(
                updates[number] if number in updates else self.process.parameters[number].variable
                for number in self.moving
            ),
        )
        build, is_least = self._step(tuple(argument.sort for argument in summand.arguments))
        step = Application(
            is_least, (self.parameter, Application(build, (*summand.arguments, target)))
        )

        def with_reads(term: Term) -> Term:
            return substitute(term, values)

        # For a rho-encoding, only the least state of an orbit has steps.
        least = Application(self.least, (with_reads(target),))
        chosen = [Guard(Application(self.least, (self.parameter,)), True)] if self.with_rho else []
        return replace(
            summand,
            guards=(
                *(replace(guard, term=with_reads(guard.term)) for guard in summand.guards),
                *chosen,
                Guard(with_reads(step), True),
            ),
            equations=tuple((with_reads(a), with_reads(b)) for a, b in summand.equations),
            arguments=tuple(map(with_reads, summand.arguments)),
            updates=(
                (0, with_reads(target) if self.with_rho else least),
                *((numbers[n], with_reads(term)) for n, term in updates.items() if n in numbers),
            ),
            duplicates=(),
        )

    # Why this is the process of the orbits.

    def _representatives(self) -> list[str]:
        if not self.with_rho:
            return [
                "A state is the least of its images; of the steps that are exchanged by symmetries",
                "which fix their state, the least is kept. For each generator this needs:",
            ]
        return [
            "The states form a rho-encoding. A state that is the least of its images has steps; of",
            "those that are exchanged by symmetries which fix it, the least is kept. The others",
            f"only have {self.rho}-steps to their least image. For each generator this needs:",
        ]

    def _reasons(self) -> list[str]:
        group_action, explored = self.group_action, self.explored
        file = os.path.basename(self.process.specification.source.file or "a specification")
        proven = group_action.proven(explored.proof)
        together = {n: group for group in group_action.groups for n in group}
        names = [parameter.variable.name for parameter in self.process.parameters]
        found = [
            f"The orbits of {_printable(file)} under a group of order {explored.order}.",
            *self._representatives(),
            "  values: it permutes constants, and other values move with those that they contain;",
            f"    this is how `{self.terms.moved_name}` is defined.",
            "  the initial state: it is fixed; this was evaluated.",
            "  steps: those of a summand and of its image correspond; how this was proven is said",
            "    below.",
        ]
        for lifted, moves in zip(group_action.lifted, group_action.generators, strict=True):
            found.append(f"Generator {lifted.permutation}:")
            shown = "".join(
                f"({' '.join(names[number] for number in cycle)})"
                for cycle in cycles(moves.positions)
            )
            found += _wrapped("  parameters: ", [shown or "none moves"], " ")
            from_text: list[str] = []
            compared: list[str] = []
            for number, known in enumerate(proven):
                image = moves.summands[number]
                listed = from_text if known else compared
                if number in together:
                    listed.append(f"{number} among {len(together[number])} of its action")
                else:
                    listed.append(f"{number} to {image}" if image != number else f"{number}")
            if from_text:
                found += _wrapped("  summands, from the text: ", from_text)
            if compared:
                found += _wrapped("  summands, by comparing all local situations: ", compared)
        if any(not known for known in proven):
            found.append(f"Compared were {explored.situations} local situations.")
        return found


def _balanced(terms: Sequence[Term], function: Function) -> Term:
    """Return an application of a binary function to all terms, no deeper than needed."""
    while len(terms) > 1:
        pairs = zip(terms[::2], terms[1::2], strict=False)
        rest = terms[len(terms) - len(terms) % 2 :]
        terms = [*(Application(function, pair) for pair in pairs), *rest]
    return terms[0]


def _printable(text: str) -> str:
    """Return a text with `?` for characters that would end a comment."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _wrapped(before: str, items: Sequence[str], between: str = ", ") -> list[str]:
    return textwrap.wrap(
        between.join(items),
        100,
        initial_indent=before,
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
