"""What permutations of data do to a linear process.

A permutation acts on values through their constructors, on arrays index by index, on labels by
their arguments, and on parallel components: the one that starts with d moves to the one that starts
with the image of d. Where it names a map `rotated: D -> D`, that says what becomes of the values of
D.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lts import _engine
from lts.errors import LtsError, NotProven
from lts.linear.process import LinearProcess
from lts.specification import codes
from lts.specification.specification import Application, Function
from lts.state_space.encode import Encoder
from lts.symmetry.data.arrays import indexed_arrays
from lts.symmetry.data.lift import Lifted
from lts.symmetry.data.proof.correspondence import WAYS, corresponding
from lts.symmetry.permutation.notation import Permutation

if TYPE_CHECKING:
    from lts.symmetry.data.library_arrays import Indexed
    from lts.symmetry.data.proof.cells import Cells
    from lts.symmetry.data.proof.from_text import Text

__all__ = ["PROOFS", "Acting", "Given", "Lifts"]

PROOFS = ("certificate", "static", "tested")
"""How a symmetry can be proven: summand by summand from the text, and where that does not show it,
by comparing the steps in all local situations with those of their images, after the exploration;
or from the text alone, before it; or by comparing alone."""


class Given(NamedTuple):
    """A group as the engine takes it, and other machines can be told it."""

    values: Sequence[codes.Code]
    """What is permuted."""
    names: Sequence[str]
    generators: Sequence[codes.Moves]
    arrays: Sequence[codes.Arrays]
    proven: Sequence[bool]
    """For every summand whether the text proves that its steps and those of images correspond."""


class Lifts:
    """Permutations with what they do to data and labels, and a linear process in the engine.

    The `points` are the values that are permuted, as text.
    """

    groups: Sequence[Sequence[int]] = ()
    """Summands that are compared together."""

    def __init__(self, process: LinearProcess, permutations: Sequence[Permutation]) -> None:
        self.process = process
        self.encoder = encoder = Encoder(process)
        self.lifted = [Lifted(process, encoder, permutation) for permutation in permutations]
        self.points = list(dict.fromkeys(str(value) for one in self.lifted for value in one.images))
        terms = [self.lifted[0].value(text) for text in self.points]
        for one in self.lifted:
            one.check_maps(terms)
        self.values = [encoder.term(term) for term in terms]
        moved = {value.sort for one in self.lifted for value in one.images}
        self.maps = indexed_arrays(process, moved)

    @cached_property
    def engine(self) -> _engine.Process:
        """The process in the engine."""
        return self.encoder.linear_process(self.groups)

    def on_labels(self) -> _engine.Symmetry:
        """Return the group as the engine takes it where only labels matter."""
        process = self.process
        parameters, summands = (
            len(process.parameters),
            len(process.summands) + len(process.decisions),
        )
        generators = []
        for one in self.lifted:
            points, maps = one.moves(self.points)
            stays = (list(range(parameters)), list(range(summands)))
            generators.append(codes.Moves(points, *stays, maps))
        arrays = self.arrays(lambda sort: False)
        return _engine.Symmetry(self.values, self.points, generators, arrays, [False] * summands)

    def arrays(self, is_free: Callable[[str], bool]) -> list[codes.Arrays]:
        """Return the sorts that are permuted index by index, as the engine takes them."""
        sorts, symbols = self.encoder.sorts, self.encoder.symbols
        arrays = []
        for sort, (get, put) in self.maps.items():
            partial = None
            if (missing := self.missing(get)) is not None:
                partial = (symbols[missing[0]], symbols[missing[1]])
            own = (sorts[sort], symbols[get], symbols[put])
            arrays.append(codes.Arrays(*own, partial, is_free(sort)))
        return arrays

    def missing(self, get: Function) -> tuple[Function, Function] | None:
        """Return the maps that tell whether an array has an element, and that leave an index
        without one, if not all have one; `get` is the map that reads it."""
        specification = self.process.specification
        contains = Function("contains", get.arguments, specification.true.sort)
        remove = Function("remove", get.arguments, get.arguments[0])
        if contains == get or not {contains, remove}.issubset(specification.functions):
            return None
        return contains, remove

    def not_proven(self, which: int, witness: _engine.Witness) -> NotProven:
        """Return that a generator was not proven to be a symmetry, as the engine has found."""
        one = self.lifted[which]
        refused = one.not_proven(one.in_words(witness))
        refused.which = which
        return refused


class Acting(Lifts):
    """The same with what they do to parameters and summands, found in one of the `WAYS`."""

    def __init__(
        self, process: LinearProcess, permutations: Sequence[Permutation], way: str = WAYS[0]
    ) -> None:
        # Components are alike only with equal summands; elsewhere these are one.
        process = process.with_duplicates() if way == WAYS[0] else process
        super().__init__(process, permutations)
        self.found = corresponding(process, self.lifted, way)
        self.groups = self.found.groups
        self.generators = []
        moved = zip(self.lifted, self.found.positions, self.found.summands, strict=True)
        for one, positions, summands in moved:
            points, maps = one.moves(self.points)
            self.generators.append(codes.Moves(points, list(positions), list(summands), maps))

    def proven(self, proof: str) -> list[bool]:
        """Return for every summand whether the text proves that its steps and those of its images
        correspond. With the static proof it does for all, or `NotProven` is raised."""
        if proof not in PROOFS:
            raise LtsError(f"there is no proof `{proof}` (known: {', '.join(PROOFS)})")
        count = len(self.process.summands)
        if proof == "tested":
            return [False] * count
        texts = self.texts()
        if proof == "static":
            for which, text in enumerate(texts):
                try:
                    text.prove()
                except NotProven as error:
                    error.which = which
                    raise
        together = {number for group in self.groups for number in group}
        proven = [
            number not in together and all(text.proves(number) for text in texts)
            for number in range(count)
        ]
        # All summands that generators move to one another, or none of them.
        waiting = [number for number in range(count) if not proven[number]]
        before = [[0] * count for _ in self.generators]
        for generator, sources in zip(self.generators, before, strict=True):
            for number, image in enumerate(generator.summands[:count]):
                sources[image] = number
        while waiting:
            number = waiting.pop()
            for sources in before:
                if proven[sources[number]]:
                    proven[sources[number]] = False
                    waiting.append(sources[number])
        return proven

    def symmetry(self, proof: str, proven: Sequence[bool]) -> _engine.Symmetry:
        """Return the group as the engine takes it; `proven` is what `proven` returned."""
        return _engine.Symmetry(*self.given(proof, proven))

    def given(self, proof: str, proven: Sequence[bool]) -> Given:
        """Return the same as other machines can be told it."""
        arrays = self.arrays(lambda sort: proof != "tested" and self.is_free(sort))
        # What has to be decided has no steps that could be moved.
        count = len(self.process.summands)
        decisions = range(count, count + len(self.process.decisions))
        generators = [
            generator._replace(summands=[*generator.summands, *decisions])
            for generator in self.generators
        ]
        are_proven = [*proven, *(True for _ in decisions)]
        return Given(self.values, self.points, generators, arrays, are_proven)

    def is_free(self, sort: str) -> bool:
        """Whether it is known for all values of a sort that the group acts on them: they are built
        from constructors without rules, arrays of the library, and arrays of cells."""
        values = self.lifted[0].sort_values
        moved_by_maps = {sort for one in self.lifted for sort in one.maps}
        seen = {sort}
        waiting = [sort]
        while waiting:
            sort = waiting.pop()
            if sort in moved_by_maps:
                return False
            if self.cells is not None and sort in self.cells.sorts:
                new = self.cells.items(sort) - seen
                seen |= new
                waiting += new
                continue
            if sort in self.maps and sort not in self.indexed:
                return False
            if sort not in self.maps and not values.are_free(sort):
                return False
            new = values.made_of.get(sort, set()) - seen
            seen |= new
            waiting += new
        return True

    def texts(self) -> list[Text]:
        """Return what the text shows of each permutation."""
        from lts.symmetry.data.proof.from_text import Text

        texts = []
        cells = self.cells
        for one, (_, positions, summands, _) in zip(self.lifted, self.generators, strict=True):
            text = Text(
                self.in_cells,
                one.permutation,
                one.images,
                positions if cells is None else cells.positions(positions, one.images),
                summands,
                frozenset(self.maps),
                self.indexed,
                {sort: found for other in self.lifted for sort, found in other.maps.items()},
                one.evaluate,
                cells,
            )
            texts.append(text)
        return texts

    @cached_property
    def indexed(self) -> dict[str, Indexed]:
        """The sorts of arrays that are the library's."""
        from lts.symmetry.data.library_arrays import library_arrays

        moved = {value.sort for one in self.lifted for value in one.images}
        moved |= {sort for one in self.lifted for sort in one.maps}
        if not self.maps:
            return {}
        reads = {sort: get for sort, (get, _) in self.maps.items()}
        return library_arrays(self.process, reads, moved, self.lifted[0].evaluate)

    @cached_property
    def cells(self) -> Cells | None:
        """The process with cells in place of the user's own arrays, if there are any and that is
        seen."""
        from lts.symmetry.data.proof.cells import cells_of

        own = {sort: maps for sort, maps in self.maps.items() if sort not in self.indexed}
        if not own or any(self.missing(get) is not None for get, _ in own.values()):
            return None
        points = dict.fromkeys(value for one in self.lifted for value in one.images)
        indices: dict[str, list[Application]] = {}
        for value in points:
            indices.setdefault(value.sort, []).append(value)
        moved = {sort for one in self.lifted for sort in one.maps}
        known = {function for one in self.indexed.values() for function in one.commuting}
        return cells_of(self.process, own, indices, moved, known, self.lifted[0].evaluate)

    @property
    def in_cells(self) -> LinearProcess:
        """The process about which the text is to prove something."""
        return self.process if self.cells is None else self.cells.process
