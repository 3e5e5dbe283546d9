"""The action of permutations of data on a linear process.

A permutation acts on values through their constructors, on arrays index by index, on labels through
their arguments, and on parallel components: the component whose initial data are d moves to the one
whose initial data are the image of d. If the permutation names a map `rotated: D -> D`, that map
gives the images of the values of D.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

import lts._engine as _engine
from lts.errors import LtsError, NotProven
from lts.linear.process import LinearProcess
from lts.specification import codes
from lts.specification.specification import Application
from lts.state_space.encode import Encoder
from lts.symmetry.data.arrays import indexed_arrays, partial_maps
from lts.symmetry.data.lift import Lifted
from lts.symmetry.data.proof.correspondence import METHODS, corresponding
from lts.symmetry.permutation.notation import Element, Permutation

if TYPE_CHECKING:
    from lts.symmetry.data.library_arrays import Indexed
    from lts.symmetry.data.proof.cells import Cells
    from lts.symmetry.data.proof.from_text import TextProof

__all__ = ["PROOFS", "Given", "GroupAction", "Lifts"]

PROOFS = ("certificate", "static", "tested")
"""Ways to prove a symmetry.

"certificate" proves it from the text, summand by summand; for summands where the text is not
enough, it compares the steps of all local situations with those of their images after the
exploration. "static" proves it from the text alone, before the exploration; "tested" by comparing
alone.
"""


class Given(NamedTuple):
    """A group of symmetries, in a form that the engine takes and that other machines can
    receive."""

    values: Sequence[codes.Code]
    """The values that are permuted."""
    names: Sequence[str]
    generators: Sequence[codes.Moves]
    arrays: Sequence[codes.Arrays]
    proven: Sequence[bool]
    """For every summand whether the text proves that its steps and those of its image
    correspond."""


class Lifts:
    """A linear process in the engine, and permutations lifted to its data and labels.

    The `points` are the values that are permuted, as text.
    """

    groups: Sequence[Sequence[int]] = ()
    """Numbers of the summands that are compared together."""

    def __init__(self, process: LinearProcess, permutations: Sequence[Permutation]) -> None:
        if permutations:
            process.expect_written_out()
        self.process = process
        self.encoder = encoder = Encoder(process)
        self.lifted = [Lifted(process, encoder, permutation) for permutation in permutations]
        self.points = list(
            dict.fromkeys(str(value) for lifted in self.lifted for value in lifted.images)
        )
        terms = [self.lifted[0].value(text) for text in self.points]
        for lifted in self.lifted:
            lifted.check_maps(terms)
        self.values = [encoder.term(term) for term in terms]
        moved = {value.sort for lifted in self.lifted for value in lifted.images}
        self.maps = indexed_arrays(process, moved)

    def written(self, images: Sequence[int]) -> str:
        """Return an element of the group, given by its images of the points, as text."""
        return str(Permutation.of_images(images, [Element(name) for name in self.points]))

    @cached_property
    def engine(self) -> _engine.Process:
        """The process in the engine."""
        return self.encoder.linear_process(self.groups)

    def on_labels(self) -> _engine.Symmetry:
        """Return the group for the engine, for computations in which only labels matter."""
        process = self.process
        parameters, summands = (
            len(process.parameters),
            len(process.summands) + len(process.decisions),
        )
        generators = []
        for lifted in self.lifted:
            points, maps = lifted.moves(self.points)
            stays = (list(range(parameters)), list(range(summands)))
            generators.append(codes.Moves(points, *stays, maps))
        arrays = self.arrays(lambda sort: False)
        return _engine.Symmetry(self.values, self.points, generators, arrays, [False] * summands)

    def arrays(self, is_free: Callable[[str], bool]) -> list[codes.Arrays]:
        """Return the sorts that are permuted index by index, in the form that the engine takes."""
        sorts, symbols = self.encoder.sorts, self.encoder.symbols
        arrays = []
        for sort, (get, put) in self.maps.items():
            partial = None
            if (missing := partial_maps(self.process.specification, get)) is not None:
                partial = (symbols[missing[0]], symbols[missing[1]])
            own = (sorts[sort], symbols[get], symbols[put])
            arrays.append(codes.Arrays(*own, partial, is_free(sort)))
        return arrays

    def not_proven(self, which: int, witness: _engine.Witness) -> NotProven:
        """Return the error for a generator that the engine could not prove to be a symmetry."""
        one = self.lifted[which]
        refused = one.not_proven(one.in_words(witness))
        refused.which = which
        return refused


class GroupAction(Lifts):
    """Permutations lifted to parameters and summands too, which correspond by one of the
    `METHODS`."""

    def __init__(
        self, process: LinearProcess, permutations: Sequence[Permutation], method: str = METHODS[0]
    ) -> None:
        # Matching by components needs the duplicate summands of equal components; other methods
        # merge them.
        process = process.with_duplicates() if method == METHODS[0] else process
        super().__init__(process, permutations)
        self.found = corresponding(process, self.lifted, method)
        self.groups = self.found.groups
        self.generators = []
        moved = zip(self.lifted, self.found.positions, self.found.summands, strict=True)
        for lifted, positions, summands in moved:
            points, maps = lifted.moves(self.points)
            self.generators.append(codes.Moves(points, list(positions), list(summands), maps))

    def proven(self, proof: str) -> list[bool]:
        """Return for every summand whether the text proves that its steps and those of its images
        correspond. The static proof proves all of them or raises `NotProven`."""
        if proof not in PROOFS:
            raise LtsError(f"unknown proof `{proof}` (known: {', '.join(PROOFS)})")
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
        # An orbit of summands under the generators is proven as a whole or not at all.
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
        """Return the group for the engine; `proven` is the result of `proven`."""
        return _engine.Symmetry(*self.given(proof, proven))

    def given(self, proof: str, proven: Sequence[bool]) -> Given:
        """Return the group in a form that can be sent to other machines."""
        arrays = self.arrays(lambda sort: proof != "tested" and self.is_free(sort))
        # Decisions follow the summands in the numbering; they have no steps and are mapped to
        # themselves.
        count = len(self.process.summands)
        decisions = range(count, count + len(self.process.decisions))
        generators = [
            generator._replace(summands=[*generator.summands, *decisions])
            for generator in self.generators
        ]
        are_proven = [*proven, *(True for _ in decisions)]
        return Given(self.values, self.points, generators, arrays, are_proven)

    def is_free(self, sort: str) -> bool:
        """Whether the group is known to act on all values of a sort: they are built from
        constructors without rules, arrays of the library, and arrays of cells."""
        values = self.lifted[0].sort_values
        moved_by_maps = {sort for lifted in self.lifted for sort in lifted.maps}
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

    def texts(self) -> list[TextProof]:
        """Return for each permutation the proof from the text."""
        if not self.lifted:
            return []
        from lts.symmetry.data.proof.from_text import TextProof

        texts = []
        cells = self.cells
        # The value of a closed term is the same for all permutations.
        evaluate = cache(self.lifted[0].evaluate)
        for lifted, (_, positions, summands, _) in zip(self.lifted, self.generators, strict=True):
            text = TextProof(
                self.in_cells,
                lifted.permutation,
                lifted.images,
                positions if cells is None else cells.positions(positions, lifted.images),
                summands,
                frozenset(self.maps),
                self.indexed,
                {sort: found for other in self.lifted for sort, found in other.maps.items()},
                evaluate,
                cells,
            )
            texts.append(text)
        return texts

    @cached_property
    def indexed(self) -> dict[str, Indexed]:
        """The array sorts that come from the library."""
        if not self.maps:
            return {}
        from lts.symmetry.data.library_arrays import library_arrays

        moved = {value.sort for lifted in self.lifted for value in lifted.images}
        moved |= {sort for lifted in self.lifted for sort in lifted.maps}
        reads = {sort: get for sort, (get, _) in self.maps.items()}
        return library_arrays(self.process, reads, moved, self.lifted[0].evaluate)

    @cached_property
    def cells(self) -> Cells | None:
        """The process with cells in place of the user's own arrays; None if it has none, or if they
        could not be split into cells."""
        own = {sort: maps for sort, maps in self.maps.items() if sort not in self.indexed}
        if not own or any(
            partial_maps(self.process.specification, get) is not None for get, _ in own.values()
        ):
            return None
        from lts.symmetry.data.proof.cells import cells_of

        points = dict.fromkeys(value for lifted in self.lifted for value in lifted.images)
        indices: dict[str, list[Application]] = {}
        for value in points:
            indices.setdefault(value.sort, []).append(value)
        moved = {sort for lifted in self.lifted for sort in lifted.maps}
        known = {function for proof in self.indexed.values() for function in proof.commuting}
        return cells_of(self.process, own, indices, moved, known, self.lifted[0].evaluate)

    @property
    def in_cells(self) -> LinearProcess:
        """The process that the proof from the text works on: with cells where there are any."""
        return self.process if self.cells is None else self.cells.process
