"""The action of one permutation of data on the components and summands of a linear process."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property

import lts._engine as _engine
from lts.base.bounds import MAP_IMAGES
from lts.base.spelling import near
from lts.errors import LtsError, NotProven
from lts.linear.process import Component, LinearProcess
from lts.linear.sort_values import SortValues
from lts.specification.specification import Application, Function
from lts.specification.terms import Term, applications, renamed
from lts.state_space.containers import Containers
from lts.state_space.encode import Encoder
from lts.state_space.generation import evaluation_errors
from lts.symmetry.data.arrays import indexed_arrays
from lts.symmetry.data.closed_terms import ClosedTerms
from lts.symmetry.permutation.known import undecided
from lts.symmetry.permutation.notation import Permutation

__all__ = ["Lifted"]


class Lifted:
    """A permutation lifted to the components and summands of one linear process."""

    def __init__(self, process: LinearProcess, encoder: Encoder, permutation: Permutation) -> None:
        self.process = process
        self.permutation = permutation
        self.encoder = encoder
        self.data = encoder.data()
        self.added = frozenset(process.functions)
        self.images: dict[Application, Application] = {}
        for cycle in permutation.cycles:
            values = [self.value(element.text) for element in cycle]
            for value, image in zip(values, [*values[1:], values[0]], strict=True):
                if image.sort != value.sort:
                    raise permutation.error(
                        f"`{value}` has sort `{value.sort}`, `{image}` has `{image.sort}`: the "
                        "values of a cycle must have the same sort",
                        str(image),
                    )
                self.images[value] = image
        self._values: dict[Application, str] = {}
        self._images: dict[Application, str] = {}
        self.maps: dict[str, Function] = {}
        for name in permutation.maps:
            self.maps.update((found.sort, found) for found in self.maps_called(name))

    def maps_called(self, name: str) -> list[Function]:
        """Return the maps of this name that can act as a permutation of a sort: those of the form
        `D -> D`."""
        specification = self.process.specification
        maps = [f for f in specification.functions if not f.constructor]
        named = [f for f in maps if f.name == name]
        found = [f for f in named if f.arguments == (f.sort,)]
        if found:
            twice = next((f.sort for f in found if f.sort in self.maps), None)
            if twice is not None:
                raise self.permutation.error(
                    f"`{self.maps[twice].name}` and `{name}` both move the values of `{twice}`",
                    name,
                )
            return found
        if named:
            [*sorts], sort = named[0].arguments, named[0].sort
            shown = f"{'#'.join(sorts)} -> {sort}" if sorts else f"-> {sort}"
            why = f"`{name}: {shown}` cannot move values: use a map of the form `D -> D`"
        else:
            movers = dict.fromkeys(f.name for f in maps if f.arguments == (f.sort,))
            why = f"unknown map `{name}`{near(name, movers)}"
        raise self.permutation.error(why, name)

    def check_maps(self, points: Sequence[Application]) -> None:
        """Check that the maps agree with the cycles on the points of all generators."""
        for point in points:
            if point.sort in self.maps:
                image = self.images.get(point, point)
                found = self.normal(Application(self.maps[point.sort], (point,)))
                if found != str(image):
                    raise self.permutation.error(
                        f"`{self.maps[point.sort].name}` moves `{point}` to `{found}`, but the "
                        f"cycles move it to `{image}`",
                        self.maps[point.sort].name,
                    )

    def moves(self, points: Sequence[str]) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the images of points by number, and pairs of a permuted sort and its map."""
        numbers = {text: number for number, text in enumerate(points)}
        images = {str(value): str(image) for value, image in self.images.items()}
        symbols = self.encoder.symbols
        maps = [(self.encoder.sorts[sort], symbols[found]) for sort, found in self.maps.items()]
        return [numbers[images.get(text, text)] for text in points], maps

    def positions(self, components: Sequence[int]) -> list[int]:
        """Return the image of every parameter, by number; parameters move with their components."""
        positions = [0] * len(self.process.parameters)
        for component, image in zip(self.process.components, components, strict=True):
            moved = self.process.components[image].parameters
            for source, target in zip(component.parameters, moved, strict=True):
                positions[source] = target
        return positions

    @cached_property
    def array_sorts(self) -> frozenset[str]:
        """The sorts that are permuted index by index."""
        return frozenset(indexed_arrays(self.process, {value.sort for value in self.images}))

    def moves_in(self, sort: str) -> bool:
        """Whether values of a sort may contain a value that the permutation moves."""
        moved = {value.sort for value in self.images} | {*self.maps} | self.array_sorts
        return self._is_in(moved, sort)

    def has_arrays(self, sort: str) -> bool:
        """Whether values of a sort may contain an array that is permuted index by index."""
        return self._is_in(self.array_sorts, sort)

    def _is_in(self, moved: Set[str], sort: str) -> bool:
        """Whether values of `sort` may contain a value of one of the sorts `moved`."""
        return not moved.isdisjoint(self.sort_values.inside([sort]))

    @cached_property
    def sort_values(self) -> SortValues:
        """The values of the sorts of the process, and the sorts that they are built from."""
        return SortValues(self.process)

    @cached_property
    def closed_terms(self) -> ClosedTerms:
        """The closed terms of the process."""
        return ClosedTerms(self.process)

    @cached_property
    def closed_data(self) -> ClosedTerms:
        """The closed terms of the specification, without control states."""
        return ClosedTerms(self.process.specification)

    def value_of_closed(self, term: Application) -> str:
        """Return the normal form of a closed term, or the term itself if it has none."""
        known = self._values.get(term)
        if known is None:
            try:
                known = self.normal(term)
            except LtsError:
                known = str(term)
            self._values[term] = known
        return known

    def image_of_closed(self, term: Application) -> str:
        """Return the image of the normal form of a closed term."""
        known = self._images.get(term)
        if known is None:
            known = self._images[term] = self.image(self.value_of_closed(term), term.sort)
        return known

    def value(self, text: str) -> Application:
        """Return the closed constructor term that a text denotes."""
        term = self.closed_data.term(text)
        if term is None or term.sort not in self.encoder.sorts:
            raise self.permutation.error(f"`{text}` is not a term of the specification", text)
        shown, is_value = self.data.normal_form(self.encoder.term(term))
        is_identity = term.sort in self.process.specification.identities
        expected = term.function.name if is_identity else str(term)
        if not is_value or shown.decode("utf-8", "surrogateescape") != expected:
            reduced = shown.decode("utf-8", "replace")
            why = f"`{text}` is not a value: it reduces to `{reduced}`"
            raise self.permutation.error(why, text)
        return term

    def component_images(self) -> list[int]:
        """Return the image of every component: a component of the same shape whose initial data are
        the images of its own, or itself if there is no other of that shape. If neither the state
        nor the steps of a component contain data that move, any other such component will do. The
        leaves of a fork move with the component that forks."""
        components = self.process.components
        starts = [self.start(component) for component in components]
        start_images = [
            [self.image(value, sort) for value, sort in zip(start, self.sorts_of(one), strict=True)]
            for start, one in zip(starts, components, strict=True)
        ]
        knowing = {
            number
            for summand in self.process.summands
            if any(
                part in self.images or part.sort in self.maps
                for term in summand.terms
                for part, _ in applications(term)
            )
            for number, _ in summand.origin
        }
        knowing.update(number for number, c in enumerate(components) if c.parameters)

        images: dict[int, int] = {}
        # The components that are the image of none yet, in order.
        free: dict[tuple[int, tuple[str, ...]], dict[int, None]] = {}
        for number, (component, start) in enumerate(zip(components, starts, strict=True)):
            free.setdefault((id(component.shape), tuple(start)), {})[number] = None
        for number, (component, start) in enumerate(zip(components, start_images, strict=True)):
            if alike := free.get((id(component.shape), tuple(start))):
                images[number] = number if number in alike else next(iter(alike))
                del alike[images[number]]
        others: dict[int, list[int]] = {}
        for number in sorted({*range(len(components))} - {*images.values()} - knowing):
            others.setdefault(id(components[number].shape), []).append(number)
        for number, component in enumerate(components):
            same_shape = others.get(id(component.shape))
            if number not in images and number not in knowing and same_shape:
                images[number] = number if number in same_shape else same_shape[0]
                same_shape.remove(images[number])
            if number not in images:
                if sum(c.shape is component.shape for c in components) > 1:
                    shown = ", ".join(start_images[number])
                    taken = any(
                        starts[other] == start_images[number]
                        and components[other].shape is component.shape
                        for other in images.values()
                    )
                    why = "another component would move there, too" if taken else "there is none"
                    raise self.not_proven(
                        f"component `{component.name}` would move to one that starts with "
                        f"({shown}), and {why}",
                    )
                images[number] = number
        # Leaves are idle initially and each has a shape of its own, so the steps above fix them.
        members = {c.parent: number for number, c in enumerate(components)}
        for number, component in enumerate(components):
            if component.parent is not None:
                above, fork, leaf = component.parent
                images[number] = members[images[above], fork, leaf]
        return [images[number] for number in range(len(components))]

    def image(self, value: str, sort: str) -> str:
        """Return the image of a normal form, by replacing its largest subterms whose image is
        known."""
        term = self.closed_terms.term(value, sort)
        if term is None:
            return value

        def moved(part: Application) -> Application | None:
            image = self.images.get(part)
            if image is None and part.sort in self.maps and part.function not in self.added:
                return Application(self.maps[part.sort], (part,))
            return image

        return self.normal(renamed(term, moved))

    def normal(self, term: Term) -> str:
        """Return the normal form of a term, as text."""
        with evaluation_errors(self.process):
            shown, _ = self.data.normal_form(self.encoder.term(term))
        return shown.decode("utf-8", "surrogateescape")

    def start(self, component: Component) -> list[str]:
        """Return the initial data of a component, without arrays, which do not distinguish
        components."""
        return [self.normal(term) for term in component.start if term.sort not in self.array_sorts]

    def sorts_of(self, component: Component) -> list[str]:
        """Return the sorts of the data that `start` returns."""
        return [term.sort for term in component.start if term.sort not in self.array_sorts]

    def evaluate(self, term: Application) -> Application | None:
        """Return the normal form of a closed term; None if it is not a value or cannot be
        evaluated, since the process may never need it."""
        try:
            with evaluation_errors(self.process):
                shown, is_value = self.data.normal_form(self.encoder.term(term))
        except LtsError:
            return None
        text = shown.decode("utf-8", "surrogateescape")
        return self.closed_terms.term(text, term.sort) if is_value else None

    def summand_images(self, components: list[int]) -> list[int]:
        """Return for every summand the summand that synchronises the images of its steps."""
        numbers = {s.origin: number for number, s in enumerate(self.process.summands)}
        images = []
        for summand in self.process.summands:
            origin = tuple(sorted((components[c], step) for c, step in summand.origin))
            image = numbers.get(origin)
            if image is None:
                source = self.process.specification.source
                line = source.line_number(summand.places[0][0])
                raise self.not_proven(
                    f"`{summand.action or 'tau'}` of line {line} is possible for some "
                    "components and not for their images",
                )
            images.append(image)
        return images

    def not_proven(self, missing: str) -> NotProven:
        """Return the error that this was not proven to be a symmetry, with what the proof lacks."""
        return undecided(self.permutation, missing=missing)

    @cached_property
    def containers(self) -> Containers:
        """Notation for the values of states."""
        return Containers(self.process.specification)

    def in_words(self, witness: _engine.Witness) -> str:
        """Describe in words where the engine found a situation and its image to differ."""
        kind, number = witness["kind"], witness["number"]
        expected, found = witness["expected"], witness["found"]
        names = [p.variable.name for p in self.process.parameters]

        def text(item: bytes) -> str:
            shown = item.decode("utf-8", "replace")
            for number, name in enumerate(names):
                shown = shown.replace(f" #{number}=", f" {name}:=")
            return shown

        def where(values: _engine.Situation) -> str:
            sorts = [parameter.variable.sort for parameter in self.process.parameters]
            shown = [f"{names[p]}={self.containers.shown(text(v), sorts[p])}" for p, v in values]
            return ", ".join(shown) or "any state"

        def listed(steps: list[bytes]) -> str:
            return "; ".join(map(text, steps[:3])) or "nothing"

        if kind == "initial":
            words = (
                f"the initial state is not fixed: `{names[number]}` is {text(found[0])}, its "
                f"image is {text(expected[0])}"
            )
        elif kind == "value":
            words = f"its action on the value {text(found[0])} does not have the order of the group"
        elif kind == "elements":
            words = (
                f"the image of {text(found[0])} does not contain the images of its elements at "
                "their positions"
            )
        elif kind == "label":
            words = f"the label {text(found[0])} denotes terms with different images"
        elif kind in ("merged", "many"):
            names_of = {self.encoder.sorts[sort]: f.name for sort, f in self.maps.items()}
            name = names_of.get(number, "it")
            if kind == "merged":
                one, other = map(text, expected)
                words = (
                    f"`{name}` does not permute the values: `{one}` and `{other}` have the same "
                    f"image `{text(found[0])}`"
                )
            else:
                many = MAP_IMAGES.exceeded(int(expected[0]))
                words = (
                    f"the images of `{text(found[0])}` under `{name}` are {many}: they may be "
                    "infinitely many"
                )
        else:
            summand = self.process.summands[number]
            source = self.process.specification.source
            line = source.line_number(summand.places[0][0])
            words = f"`{summand.action or 'tau'}` of line {line}"
            if kind == "summand":
                words += " and its image read or write different parameters"
            else:
                words += (
                    f" where {where(witness['situation'])}\n"
                    f"  has in the image, where {where(witness['image'])},\n"
                    f"  to do: {listed(expected)}\n  and does: {listed(found)}"
                )
        return words
