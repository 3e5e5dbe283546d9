"""Labels, parsed by the engine: their actions, the data in these, and their places in the text.

No byte of a label is changed. `engine/src/base/label_reader.rs` says which syntax is understood.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import lts._engine as _engine
from lts.base.label_names import label_text, normal

__all__ = ["Action", "Label", "LabelPart", "parse_label", "plain"]

_TOKEN = re.compile(
    r"""(?P<blank>\s+) | (?P<text>"(?:[^"\\]|\\.)*" | \\"(?:[^"\\]|\\[^"])*\\") | (?P<open>[(\[{])
    | (?P<close>[)\]}]) | (?P<comma>,) | (?P<word>(?:[^\s"()\[\]{},\\]|\\(?!"))+)""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, eq=False)
class LabelPart:
    """A datum: its place in the text of the label, and the data inside of it.

    `name` is the word that it consists of or begins with, or the bracket of a list; `size` the
    number of its words and brackets.
    """

    start: int
    end: int
    name: str
    size: int
    parts: tuple[LabelPart, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """An action of a label, its arguments, and its place in the text."""

    name: str
    arguments: tuple[LabelPart, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """The text of a label and its actions; a multi-action has several."""

    text: str
    actions: tuple[Action, ...]

    @property
    def arguments(self) -> tuple[LabelPart, ...]:
        """The arguments of all actions, in their order."""
        return tuple(part for action in self.actions for part in action.arguments)

    @property
    def repeats(self) -> bool:
        """Whether several of the actions have the same name."""
        return len({action.name for action in self.actions}) < len(self.actions)

    def shown(self, part: LabelPart) -> str:
        """Return the text of a part."""
        return self.text[part.start : part.end]

    def layout(self, parts: tuple[LabelPart, ...], start: int, end: int) -> tuple[str, ...]:
        """Return the text around and between parts."""
        edges = [start, *(edge for part in parts for edge in (part.start, part.end)), end]
        return tuple(self.text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))

    @property
    def frames(self) -> tuple[tuple[str, ...], ...]:
        """The text around and between the arguments of each action, sorted."""
        return tuple(sorted(map(self._frame, self.actions)))

    def _frame(self, action: Action) -> tuple[str, ...]:
        return self.layout(action.arguments, action.start, action.end)

    @property
    def in_order(self) -> str:
        """The text without blanks, its actions and the elements of each set, bag or map `{..}`
        sorted."""
        return normal("|".join(sorted(map(self._in_order, self.actions))))

    def _in_order(self, action: Action) -> str:
        done: list[str] = []
        waiting: list[tuple[LabelPart, bool]] = [
            (part, False) for part in reversed(action.arguments)
        ]
        while waiting:
            part, seen = waiting.pop()
            if not seen:
                waiting += [(part, True), *((inner, False) for inner in reversed(part.parts))]
                continue
            first = len(done) - len(part.parts)
            inner = done[first:]
            del done[first:]
            frame = self.layout(part.parts, part.start, part.end)
            if part.name == "{":
                inner.sort()
            texts = [frame[0], *(p for pair in zip(inner, frame[1:], strict=True) for p in pair)]
            done.append(plain("".join(texts)))
        frame = self._frame(action)
        return "".join([frame[0], *(p for pair in zip(done, frame[1:], strict=True) for p in pair)])

    def inside(self, sizes: Collection[int]) -> Iterator[LabelPart]:
        """Yield the parts of arguments that have one of these sizes, the outer ones first."""
        waiting = [*reversed(self.arguments)]
        while waiting:
            part = waiting.pop()
            if part.size in sizes:
                yield part
            waiting += reversed(part.parts)

    def replaced(
        self, parts: tuple[LabelPart, ...], images: Mapping[str, str], sizes: Collection[int]
    ) -> list[tuple[int, int, str]]:
        """Return the images of the largest parts within `parts` that have one, with their places.

        `images` maps texts as `plain` returns them, of one of these `sizes`. An image of the same
        form takes over the blanks of the part that it replaces.
        """
        found = []
        waiting = [*reversed(parts)]
        while waiting:
            part = waiting.pop()
            image = images.get(plain(self.shown(part))) if part.size in sizes else None
            if image is None:
                waiting += reversed(part.parts)
            else:
                found.append((part.start, part.end, spaced(image, self.shown(part))))
        return found

    def edited(self, changes: list[tuple[int, int, str]]) -> str:
        """Return the text with parts replaced."""
        texts, at = [], 0
        for start, end, image in sorted(changes):
            texts += [self.text[at:start], image]
            at = end
        return "".join([*texts, self.text[at:]])


def plain(text: str) -> str:
    """Return a datum without the blanks that separate no tokens."""
    return label_text(_engine.without_blanks(text.encode("utf-8", "surrogateescape")))


def spaced(text: str, like: str) -> str:
    """Return a datum with the blanks of another one of the same form; otherwise unchanged."""
    tokens, gaps = ([*_TOKEN.finditer(datum)] for datum in (text, like))
    kinds, others = (
        [token.lastgroup for token in each if token.lastgroup != "blank"] for each in (tokens, gaps)
    )
    if kinds != others or len(gaps) == len(others):
        return text if kinds != others else plain(text)
    words = (token[0] for token in tokens if token.lastgroup != "blank")
    return "".join(token[0] if token.lastgroup == "blank" else next(words) for token in gaps)


def size_of(text: str) -> int:
    """Return the `size` of a part with this text."""
    return sum(1 for token in _TOKEN.finditer(text) if token.lastgroup in ("word", "text", "open"))


def parse_label(text: str) -> Label | None:
    """Parse a label; None if it has no structure."""
    found = _engine.read_label(text.encode("utf-8", "surrogateescape"))
    if found is None:
        return None
    at = range(len(text) + 1) if text.isascii() else _positions(text)
    parts: list[LabelPart] = []
    for start, end, name_end, size, inner in found[1]:
        own = tuple(map(parts.__getitem__, inner))
        parts.append(LabelPart(at[start], at[end], text[at[start] : at[name_end]], size, own))
    actions = (
        Action(
            text[at[start] : at[name_end]],
            tuple(map(parts.__getitem__, arguments)),
            at[start],
            at[end],
        )
        for start, end, name_end, arguments in found[0]
    )
    return Label(text, tuple(actions))


def _positions(text: str) -> list[int]:
    """Return the position in a text of each of its bytes, and its end."""
    found = []
    for at, character in enumerate(text):
        found += [at] * len(character.encode("utf-8", "surrogateescape"))
    return [*found, len(text)]
