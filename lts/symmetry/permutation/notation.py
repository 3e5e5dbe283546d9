"""The notation of permutations.

`(d1 d2 d3)` is a cycle of data terms, `(d1 .. d3)` the same for terms that differ in one number,
with blanks around the dots; `("a" "b(1)")` is a cycle of whole labels. Several cycles must be
disjoint and form one permutation; `()` moves nothing. `in r1(*), c2(*,_)` after the cycles
restricts data cycles to some arguments of labels, those marked by `*`. `with rotated` after them
names maps of a specification: a map `rotated: D -> D` gives the images of the values of sort D.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm

from lts.base.argument_types import expect, expect_text
from lts.base.bounds import RANGE_OF_ELEMENTS
from lts.errors import LtsError, ParseError, SpecificationError
from lts.symmetry.permutation.cycles import cycles
from lts.text.source import Source

__all__ = [
    "Element",
    "Origin",
    "Permutation",
    "Structure",
    "as_permutations",
    "parse_permutation",
    "parse_structure",
]

_NAME = re.compile(r"[^\s()\",]+")


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a cycle: a data term, or a whole label if `quoted`."""

    text: str
    quoted: bool = False

    def __str__(self) -> str:
        if not self.quoted:
            return self.text
        escaped = self.text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'


@dataclass(frozen=True, slots=True)
class Structure:
    """A parsed text of the form `name` or `name(part,..)`."""

    name: str
    parts: tuple[Structure, ...] = ()

    def __str__(self) -> str:
        texts: list[str] = []
        waiting: list[Structure | str] = [self]  # no recursion: terms may be deeply nested
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                texts.append(item)
                continue
            texts.append(item.name)
            if item.parts:
                waiting.append(")")
                for part in reversed(item.parts):
                    waiting += [part, ","]
                waiting[-1] = "("
        return "".join(texts)

    def inside_out(self) -> Iterator[tuple[Structure, int]]:
        """Yield the structure and all its parts with the number of names in each, innermost
        first."""
        sizes: list[int] = []
        waiting = [(self, False)]
        while waiting:
            structure, seen = waiting.pop()
            if not seen:
                waiting.append((structure, True))
                waiting += [(part, False) for part in reversed(structure.parts)]
                continue
            size = 1
            for _ in structure.parts:
                size += sizes.pop()
            sizes.append(size)
            yield structure, size


@dataclass(frozen=True, slots=True)
class Origin:
    """The place of a permutation's text: a line of a file and a column."""

    file: str
    text: str
    line: int = 1
    before: str = ""
    after: str = ""

    def error(self, kind: type[LtsError], message: str, at: int) -> LtsError:
        """Return an error at a position of the text."""
        # All lines of the permutation, as if they were the first lines of the file.
        whole = Source(self.before + self.text + self.after, self.file)
        error = whole.error(kind, message, whole.place(len(self.before) + at))
        assert error.line is not None
        error.line += self.line - 1
        return error


@dataclass(frozen=True)
class Permutation:
    """A product of disjoint cycles; `where` holds the patterns after `in`, `maps` the names after
    `with`, `fixed` the elements written in cycles of length one."""

    cycles: tuple[tuple[Element, ...], ...]
    where: tuple[Structure, ...] = ()
    maps: tuple[str, ...] = ()
    origin: Origin | None = field(default=None, compare=False, repr=False)
    fixed: tuple[Element, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of_images(cls, images: Sequence[int], elements: Sequence[Element]) -> Permutation:
        """Return the permutation with these images of the elements, by number. Elements with the
        numbers of further images are left out."""
        moved = cycles(images[: len(elements)])
        return cls(tuple(tuple(elements[point] for point in cycle) for cycle in moved))

    def error(self, message: str, part: str | None = None) -> SpecificationError:
        """Return an error about the permutation or a part of it, with the place if it is known."""
        if self.origin is None:
            return SpecificationError(message)
        edge = r"[\s(),]"
        pattern = rf"(?:(?<={edge})|^){re.escape(part or '')}(?={edge}|$)"
        found = re.search(pattern, self.origin.text) if part else None
        at = 0 if found is None else found.start()
        error = self.origin.error(SpecificationError, message, at)
        assert isinstance(error, SpecificationError)
        return error

    @property
    def order(self) -> int:
        """The least n >= 1 whose power fixes all elements of the cycles."""
        return lcm(*(len(cycle) for cycle in self.cycles))

    @cached_property
    def images(self) -> Mapping[Element, Element]:
        """The image of every element that moves."""
        return {
            element: cycle[(i + 1) % len(cycle)]
            for cycle in self.cycles
            for i, element in enumerate(cycle)
        }

    def __repr__(self) -> str:
        return f"<Permutation: {self}>"

    def __str__(self) -> str:
        cycles = " ".join(f"({' '.join(map(str, cycle))})" for cycle in self.cycles) or "()"
        where = f" in {', '.join(map(str, self.where))}" if self.where else ""
        maps = f" with {', '.join(self.maps)}" if self.maps else ""
        return cycles + where + maps


def parse_permutation(
    text: str, *, name: str | None = None, origin: Origin | None = None
) -> Permutation:
    """Parse a permutation; raise `ParseError` with the column of the error.

    `origin` is the place of the text in a file; without it, errors call the text `name`.
    """
    expect_text(text, "a permutation")
    return _Parser(text, origin or Origin(name or "permutation", text)).permutation()


def as_permutations(permutations: Permutation | Sequence[Permutation]) -> tuple[Permutation, ...]:
    """Return one permutation or several as a tuple; raise `TypeError` for anything else.

    >>> as_permutations("()")
    Traceback (most recent call last):
    TypeError: a permutation is expected, not the text '()': lts.symmetry.parse_permutation reads it
    """
    if isinstance(permutations, str) or not isinstance(permutations, Iterable):
        return (_expected(permutations),)
    return tuple(_expected(permutation) for permutation in permutations)


def _expected(value: object) -> Permutation:
    """Return a permutation; raise `TypeError` for anything else, with a hint how to get one."""
    hint = "lts.symmetry.parse_permutation reads it" if isinstance(value, str) else ""
    if hasattr(value, "generators"):
        hint = "its `generators` are permutations"
    expect(value, Permutation, "a permutation", hint)
    assert isinstance(value, Permutation)
    return value


def parse_structure(text: str) -> Structure | None:
    """Parse `name(part,..)`; None for text of another form. Blanks are not skipped."""
    parser = _Parser(text, Origin("text", text))
    try:
        found = parser.structure(blanks=False)
    except ParseError:
        return None
    return found if parser.at == len(text) else None


class _Parser:
    def __init__(self, text: str, origin: Origin) -> None:
        self.text = text
        self.origin = origin
        self.at = 0

    def error(self, message: str) -> LtsError:
        return self.origin.error(ParseError, message, self.at)

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def take(self, token: str) -> bool:
        if self.text.startswith(token, self.at):
            self.at += len(token)
            return True
        return False

    def permutation(self) -> Permutation:
        cycles: list[tuple[Element, ...]] = []
        fixed: list[Element] = []
        seen: set[Element] = set()
        self.skip()
        if not self.text.startswith("(", self.at):
            raise self.error("a permutation begins with a cycle, such as `(d1 d2 d3)`")
        while self.take("("):
            start = self.at
            cycle = tuple(self.cycle(seen))
            written = self.text[start : self.at - 1].strip()
            if len(cycle) == 1 and written == str(cycle[0]):
                first, dots, last = written.partition("..")
                if dots and first and last:
                    self.at = start
                    raise self.error(f"expected spaces: `({first} .. {last})`")
                fixed.append(cycle[0])
            # A cycle of length one matters for a structured term: otherwise its parts would move.
            if len(cycle) > 1 or (cycle and "(" in cycle[0].text):
                cycles.append(cycle)
            self.skip()
        where: list[Structure] = []
        while self.goes_on("in", where):
            where.append(self.structure(blanks=True))
        maps: list[str] = []
        while self.goes_on("with", maps):
            name = _NAME.match(self.text, self.at)
            if name is None:
                raise self.error("expected the name of a map")
            if name[0] in maps:
                raise self.error(f"`{name[0]}` occurs twice")
            maps.append(name[0])
            self.at = name.end()
        if self.at < len(self.text):
            raise self.error("expected another cycle, `in PATTERN, ..`, `with MAP, ..`, or the end")
        return Permutation(tuple(cycles), tuple(where), tuple(maps), self.origin, tuple(fixed))

    def goes_on(self, word: str, before: Sequence[object]) -> bool:
        """Whether another item follows in the list that `word` introduces."""
        self.skip()
        found = re.compile(r"," if before else rf"{word}\b").match(self.text, self.at)
        if found is not None:
            self.at = found.end()
            self.skip()
        return found is not None

    def cycle(self, seen: set[Element]) -> Iterator[Element]:
        last: Element | None = None
        while True:
            self.skip()
            if self.at == len(self.text):
                raise self.error("expected `)` at the end of the cycle")
            if self.take(")"):
                return
            start = self.at
            if last is not None and self.take(".."):
                self.skip()
                elements = self.range(last, self.element(), start)
            else:
                elements = [self.element()]
            for element in elements:
                if element in seen:
                    self.at = start
                    raise self.error(f"`{element}` occurs twice")
                seen.add(element)
                yield element
                last = element

    def element(self) -> Element:
        if not self.take('"'):
            return Element(str(self.structure(blanks=False)))
        characters: list[str] = []
        while self.at < len(self.text):
            character = self.text[self.at]
            self.at += 1
            if character == '"':
                return Element("".join(characters), quoted=True)
            if character == "\\" and self.at < len(self.text):
                character = self.text[self.at]
                self.at += 1
            characters.append(character)
        raise self.error('expected `"` at the end of the label')

    def range(self, first: Element, last: Element, start: int) -> list[Element]:
        """Return the elements that `first .. last` adds after `first`."""
        a, b = (re.split(r"([0-9]+)", element.text) for element in (first, last))
        differing = [i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y]
        if first.quoted != last.quoted or len(a) != len(b) or len(differing) > 1:
            self.at = start
            raise self.error(f"`{first}` and `{last}` do not differ in exactly one number")
        if not differing:
            return []
        [i] = differing
        numbers = [int(part) if i % 2 and len(part) <= 18 else -1 for part in (a[i], b[i])]
        if not 0 <= numbers[0] < numbers[1]:
            self.at = start
            raise self.error(f"there is no number after `{first}` that leads to `{last}`")
        if numbers[1] - numbers[0] > RANGE_OF_ELEMENTS.default:
            self.at = start
            raise self.error(f"`{first} .. {last}` are {RANGE_OF_ELEMENTS.exceeded()}")
        return [
            Element("".join([*a[:i], str(number), *a[i + 1 :]]), first.quoted)
            for number in range(numbers[0] + 1, numbers[1] + 1)
        ]

    def structure(self, *, blanks: bool) -> Structure:
        """Parse `name(part,..)`, iteratively so that nesting of any depth is accepted."""
        stack: list[tuple[str, list[Structure]]] = []
        while True:
            if blanks:
                self.skip()
            name = _NAME.match(self.text, self.at)
            if name is None:
                raise self.error("expected a name")
            self.at = name.end()
            if self.take("("):
                stack.append((name[0], []))
                continue
            done = Structure(name[0])
            while stack:
                if blanks:
                    self.skip()
                stack[-1][1].append(done)
                if self.take(","):
                    break
                if not self.take(")"):
                    raise self.error("expected `,` or `)`")
                outer, parts = stack.pop()
                done = Structure(outer, tuple(parts))
            else:
                return done
