"""Symmetry of a specification: permutations of data, lifted to its linear process and certified.

A permutation acts on values through their constructors, on arrays index by index, on labels by
their arguments, and on parallel components: the one that starts with d moves to the one that starts
with the image of d. Whether they are symmetries is proven while the quotient under
the group that they generate is explored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from lts import _engine
from lts.errors import LtsError, NotSymmetric, SpecificationError, Unsupported
from lts.mucrl.encode import Encoder
from lts.mucrl.generation import NO_LIMITS, Limits, Trace, evaluation_errors, refuse_limit
from lts.mucrl.linear import Component, LinearProcess
from lts.mucrl.specification import Application, Function, Specification
from lts.mucrl.terms import applications
from lts.symmetry.lifting import lift_structure
from lts.symmetry.notation import Permutation, Structure, parse_structure
from lts.trace import TraceStep

__all__ = ["PROOFS", "STRATEGIES", "Certified", "Explored", "certified_quotient", "count_orbits"]


Progress = Callable[[int, int], object]
"""What is told of an exploration: how many orbits were found, and how many of them explored."""

PROOFS = ("certificate", "static")
"""How a symmetry can be proven: by comparing the steps in all local situations with those of their
images, after the exploration; or from the text alone, before it."""

STRATEGIES = ("enumerate", "refine")
"""How the representative of an orbit can be chosen; both find one for each orbit."""


@dataclass(frozen=True, slots=True)
class Explored:
    """What an exploration under a group has found, and proven.

    `steps` are the transitions of one state of each orbit; `states`, `transitions` and `deadlocks`
    count those of the whole system, of which nothing else was seen. `situations` are the local
    situations that were compared with their images, which took `proving` seconds; `store` is the
    bytes of the representatives.

    `traces` are what was searched for, one for each orbit of deadlocks and of labels: of the system
    itself, where each step has been done. If there were enough before everything was explored,
    `certified` is False, and the numbers are those up to there. `proof` is one of `PROOFS`.
    """

    orbits: int
    steps: int
    states: int
    transitions: int
    deadlocks: int
    order: int
    strategy: str
    store: int
    situations: int
    proving: float
    traces: tuple[Trace, ...] = ()
    certified: bool = True
    proof: str = "certificate"


@dataclass(frozen=True, slots=True)
class Certified:
    """A quotient whose symmetry has been proven.

    `situations` counts the local situations that were compared with their images.
    """

    quotient: _engine.Quotient
    explored: Explored

    @property
    def order(self) -> int:
        """The order of the group."""
        return self.explored.order

    @property
    def situations(self) -> int:
        """Local situations that were compared with their images."""
        return self.explored.situations


def certified_quotient(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    *,
    limits: Limits = NO_LIMITS,
    strategy: str | None = None,
    threads: int = 1,
    proof: str = "certificate",
    progress: Progress | None = None,
) -> Certified:
    """Generate one state of each orbit, and prove that the permutations are symmetries.

    `strategy` is one of `STRATEGIES`, by default the one that suits the group. The result does not
    depend on the number of threads. `progress` is called now and then with how many orbits were
    found and how many of them are explored. `proof` is one of `PROOFS`.

    Raises `NotSymmetric` with a witness, `LimitReached` if one of the `limits` is, of whose
    states there is one an orbit, `SpecificationError` for a permutation that is not one of the
    specification's data.
    """
    found, explored = _explore(
        process, permutations, limits, strategy, threads, progress, proof, rows=True
    )
    assert found.quotient is not None
    return Certified(found.quotient, explored)


def count_orbits(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    *,
    limits: Limits = NO_LIMITS,
    strategy: str | None = None,
    threads: int = 1,
    proof: str = "certificate",
    progress: Progress | None = None,
    deadlocks: bool = False,
    find: Callable[[str], bool] | None = None,
    enough: int | None = None,
) -> Explored:
    """Count orbits, and the states and transitions they stand for, keeping no transitions.

    Proves as `certified_quotient` does, and raises the same errors, in a fraction of the memory.
    With `deadlocks`, and for labels that `find` says yes to, shortest traces are collected, one for
    each orbit; the exploration stops when there are `enough`.
    """
    _, explored = _explore(
        process,
        permutations,
        limits,
        strategy,
        threads,
        progress,
        proof,
        rows=False,
        deadlocks=deadlocks,
        find=find,
        enough=enough,
    )
    return explored


def _explore(
    process: LinearProcess,
    permutations: Permutation | Sequence[Permutation],
    limits: Limits,
    strategy: str | None,
    threads: int,
    progress: Progress | None,
    proof: str,
    *,
    rows: bool,
    deadlocks: bool = False,
    find: Callable[[str], bool] | None = None,
    enough: int | None = None,
) -> tuple[_engine.Reduced, Explored]:
    acting = Acting(process, permutations)
    certify = acting.is_to_be_certified(proof)
    process = acting.process
    with evaluation_errors(process):
        found = acting.engine.quotient(
            acting.values,
            acting.points,
            acting.generators,
            acting.arrays,
            limits.states,
            limits.values,
            strategy,
            threads,
            rows,
            limits.memory,
            limits.time,
            deadlocks,
            None if find is None else lambda label: find(label_text(label)),
            enough,
            certify,
            progress,
        )
    if found.witness is not None:
        raise acting.not_symmetric(*found.witness)
    if found.incomplete not in (None, "found"):
        sizes = {"orbits": found.orbits, "transitions": found.steps}
        refuse_limit(process, found.incomplete, found.limit_summand, sizes, limits)
    explored = Explored(
        orbits=found.orbits,
        steps=found.steps,
        states=found.states,
        transitions=found.transitions,
        deadlocks=found.deadlocks,
        order=found.order,
        strategy=found.strategy,
        store=found.store,
        situations=found.checked,
        proving=found.proving,
        traces=tuple(
            Trace(deadlock, tuple(TraceStep(label_text(label), choice) for label, choice in steps))
            for deadlock, steps in found.traces
        ),
        certified=found.incomplete is None or not certify,
        proof=proof,
    )
    return found, explored


def label_text(label: bytes) -> str:
    """Return a label of the engine as text."""
    return label.decode("utf-8", "surrogateescape")


class Acting:
    """Permutations with what they do to one linear process, and that process in the engine.

    The `points` are the values that are permuted, as text.
    """

    def __init__(
        self, process: LinearProcess, permutations: Permutation | Sequence[Permutation]
    ) -> None:
        if isinstance(permutations, Permutation):
            permutations = (permutations,)
        self.process = process = process.with_duplicates()
        self.encoder = encoder = Encoder(process)
        self.engine = encoder.linear_process()
        self.lifted = [_Lifted(process, encoder, permutation) for permutation in permutations]
        self.points = list(dict.fromkeys(text for one in self.lifted for text in one.images))
        self.generators = []
        for which, one in enumerate(self.lifted):
            try:
                self.generators.append(one.generator(self.points))
            except NotSymmetric as error:
                error.which = which
                raise
        self.values = [encoder.term(self.lifted[0].value(text)) for text in self.points]
        moved = {value.sort for one in self.lifted for value in one.moved}
        self.arrays = _arrays(process, encoder, moved)

    def is_to_be_certified(self, proof: str) -> bool:
        """Whether an exploration is to certify the symmetry. With the static proof it need not:
        then the text proves it here, or `NotSymmetric` is raised."""
        if proof not in PROOFS:
            raise LtsError(f"there is no proof `{proof}` (known: {', '.join(PROOFS)})")
        if proof == "certificate":
            return True
        from lts.symmetry.static import prove_from_text

        sorts = {number: sort for sort, number in self.encoder.sorts.items()}
        arrays = [sorts[sort] for sort, _, _ in self.arrays]
        for which, (one, generator) in enumerate(zip(self.lifted, self.generators, strict=True)):
            images = {
                one.value(element.text): one.value(image.text)
                for element, image in one.permutation.images.items()
            }
            try:
                _, positions, summands = generator
                prove_from_text(self.process, one.permutation, images, positions, summands, arrays)
            except NotSymmetric as error:
                error.which = which
                raise
        return False

    def not_symmetric(self, which: int, witness: _engine.Witness) -> NotSymmetric:
        """Return that a generator is no symmetry, as the engine has found."""
        refused = self.lifted[which].not_symmetric(witness)
        refused.which = which
        return refused


class _Lifted:
    """A permutation with what it does to the components and summands of one linear process."""

    def __init__(self, process: LinearProcess, encoder: Encoder, permutation: Permutation) -> None:
        self.process = process
        self.permutation = permutation
        self.encoder = encoder
        self.data = encoder.data()
        if permutation.where:
            raise Unsupported(
                "`in` says where data stand in labels; in a specification their sorts say that"
            )
        cycles = [[self.value(element.text) for element in cycle] for cycle in permutation.cycles]
        self.moved = [value for cycle in cycles for value in cycle]
        for cycle in cycles:
            for value in cycle:
                if value.sort != cycle[0].sort:
                    raise SpecificationError(
                        f"`{cycle[0]}` has sort `{cycle[0].sort}`, `{value}` has `{value.sort}`: "
                        "a cycle has values of one sort"
                    )
        self.images: dict[str, Structure] = {}
        for element, image in permutation.images.items():
            structure = parse_structure(image.text)
            assert structure is not None
            self.images[element.text] = structure

    def generator(self, points: Sequence[str]) -> tuple[list[int], list[int], list[int]]:
        """Return what it does to points, parameters and summands."""
        numbers = {text: number for number, text in enumerate(points)}
        values = [numbers[str(self.images.get(text, text))] for text in points]
        components = self.component_images()
        positions = [0] * len(self.process.parameters)
        for component, image in zip(self.process.components, components, strict=True):
            moved = self.process.components[image].parameters
            for source, target in zip(component.parameters, moved, strict=True):
                positions[source] = target
        return values, positions, self.summand_images(components)

    def value(self, text: str) -> Application:
        """Return the closed constructor term that a text stands for."""
        structure = parse_structure(text)
        term = None if structure is None else resolve(self.process.specification, structure)
        if term is None:
            raise SpecificationError(f"`{text}` is no term of the specification")
        shown, is_value = self.data.normal_form(self.encoder.term(term))
        if not is_value or shown.decode("utf-8", "surrogateescape") != str(term):
            raise SpecificationError(
                f"`{text}` is no value: it reduces to `{shown.decode('utf-8', 'replace')}`"
            )
        return term

    def component_images(self) -> list[int]:
        """Return for every component the one that it moves to: of its shape, and with the images
        of its initial data; itself, if there is no other such component. Where neither its state
        nor its steps know of data that move, any other such component will do. The leaves of a fork
        move with the component that forks."""
        components = self.process.components
        starts = [self.start(component) for component in components]
        wanted = [
            [self.normal(lift_structure(value, self.images)) for value in start] for start in starts
        ]
        images: dict[int, int] = {}
        moved = set(self.moved)
        knowing = {
            number
            for summand in self.process.summands
            if any(part in moved for term in summand.terms for part, _ in applications(term))
            for number, _ in summand.origin
        }
        knowing.update(number for number, c in enumerate(components) if c.parameters)

        def move(number: int, *, exactly: bool) -> None:
            free = [
                other
                for other, component in enumerate(components)
                if other not in images.values()
                and component.shape is components[number].shape
                and component.parent is None
                and (
                    list(map(str, starts[other])) == wanted[number]
                    if exactly
                    else other not in knowing
                )
            ]
            if free:
                images[number] = number if number in free else free[0]

        whole = [number for number, c in enumerate(components) if c.parent is None]
        for number in whole:
            move(number, exactly=True)
        for number in whole:
            component = components[number]
            if number not in images and number not in knowing:
                move(number, exactly=False)
            if number not in images:
                if sum(c.shape is component.shape for c in components) > 1:
                    shown = ", ".join(wanted[number])
                    raise NotSymmetric(
                        f"`{self.permutation}` is no symmetry",
                        witness=f"component `{component.name}` would move to one that starts with "
                        f"({shown}), and there is none",
                    )
                images[number] = number
        members = {c.parent: number for number, c in enumerate(components)}
        for number, component in enumerate(components):
            if component.parent is not None:
                above, fork, leaf = component.parent
                images[number] = members[images[above], fork, leaf]
        return [images[number] for number in range(len(components))]

    def normal(self, structure: Structure) -> str:
        """Return the normal form of a term, as text; the text if it is no term."""
        term = resolve(self.process.specification, structure)
        if term is None:
            return str(structure)
        with evaluation_errors(self.process):
            shown, _ = self.data.normal_form(self.encoder.term(term))
        return shown.decode("utf-8", "surrogateescape")

    def start(self, component: Component) -> list[Structure]:
        """Return the initial data of a component; arrays do not tell components apart."""
        permuted = {value.sort for value in self.moved}
        arrays = {sort for sort, _, _ in _arrays(self.process, self.encoder, permuted)}
        values = []
        for term in component.start:
            if self.encoder.sorts[term.sort] in arrays:
                continue
            with evaluation_errors(self.process):
                shown, _ = self.data.normal_form(self.encoder.term(term))
            text = shown.decode("utf-8", "surrogateescape")
            values.append(parse_structure(text) or Structure(text))
        return values

    def summand_images(self, components: list[int]) -> list[int]:
        """Return for every summand the one that combines the images of its steps."""
        numbers = {s.origin: number for number, s in enumerate(self.process.summands)}
        images = []
        for summand in self.process.summands:
            origin = tuple(sorted((components[c], step) for c, step in summand.origin))
            image = numbers.get(origin)
            if image is None:
                source = self.process.specification.source
                line = source.line_number(summand.places[0][0])
                raise NotSymmetric(
                    f"`{self.permutation}` is no symmetry",
                    witness=f"`{summand.action or 'tau'}` of line {line} is possible for some "
                    "components and not for their images",
                )
            images.append(image)
        return images

    def not_symmetric(
        self,
        witness: _engine.Witness,
    ) -> NotSymmetric:
        """Return the witness of the engine in words."""
        kind, number, situation, image, expected, found = witness
        names = [p.variable.name for p in self.process.parameters]

        def text(item: bytes) -> str:
            shown = item.decode("utf-8", "replace")
            for parameter in range(len(names) - 1, -1, -1):
                shown = shown.replace(f" #{parameter}=", f" {names[parameter]}:=")
            return shown

        def where(values: _engine.Situation) -> str:
            return ", ".join(f"{names[p]}={text(value)}" for p, value in values) or "any state"

        def listed(steps: list[bytes]) -> str:
            return "; ".join(map(text, steps[:3])) or "nothing"

        if kind == "initial":
            words = (
                f"the initial state moves: `{names[number]}` is {text(found[0])}, "
                f"its image is {text(expected[0])}"
            )
        elif kind == "value":
            words = f"it does not act on the value {text(found[0])} with the order of the group"
        elif kind == "label":
            words = f"the label {text(found[0])} stands for terms with different images"
        else:
            summand = self.process.summands[number]
            source = self.process.specification.source
            line = source.line_number(summand.places[0][0])
            words = f"`{summand.action or 'tau'}` of line {line}"
            if kind == "summand":
                words += " and its image read or write different parameters"
            else:
                words += (
                    f" where {where(situation)}\n  has in the image, where {where(image)},\n"
                    f"  to do: {listed(expected)}\n  and does: {listed(found)}"
                )
        return NotSymmetric(f"`{self.permutation}` is no symmetry", witness=words)


def _arrays(
    process: LinearProcess, encoder: Encoder, permuted: set[str]
) -> list[tuple[int, int, int]]:
    """Return (sort, get, set) for the sorts of arrays indexed by a permuted sort: those with one
    map `A#D -> E` and one map `A#D#E -> A`."""
    found = array_maps(process.specification, permuted)
    arrays = []
    for sort, pairs in found.items():
        if len(pairs) > 1:
            raise Unsupported(
                f"sort `{sort}` has several pairs of maps that read and write an array: "
                + ", ".join(f"`{get.name}`/`{put.name}`" for get, put in pairs)
            )
        [(get, put)] = pairs
        symbols = encoder.symbols
        arrays.append((encoder.sorts[sort], symbols[get], symbols[put]))
    return arrays


def array_maps(
    specification: Specification, permuted: Collection[str]
) -> dict[str, list[tuple[Function, Function]]]:
    """Return the maps that read and write arrays indexed by some sorts, by sort of array."""
    maps = [f for f in specification.functions if not f.constructor]
    found: dict[str, list[tuple[Function, Function]]] = {}
    for get in maps:
        match get.arguments:
            case (array, index) if index in permuted and array != index:
                for put in maps:
                    if put.arguments == (array, index, get.sort) and put.sort == array:
                        found.setdefault(array, []).append((get, put))
    return found


def resolve(specification: Specification, structure: Structure) -> Application | None:
    """Resolve a closed term; None if some function is not declared."""
    functions = {(f.name, f.arguments): f for f in specification.functions}
    terms: list[Application] = []
    for part, _ in structure.inside_out():
        count = len(part.parts)
        arguments = tuple(terms[len(terms) - count :])
        del terms[len(terms) - count :]
        function = functions.get((part.name, tuple(argument.sort for argument in arguments)))
        if function is None:
            return None
        terms.append(Application(function, arguments))
    return terms[0]
