"""Parse labels in the syntax of the tools that write them; no byte of their text is changed.

Understood are actions with arguments, `put(1,5)` or `put(1, 5)`; mCRL2's multi-actions `a(1)|b([1,
2])`, lists, sets and operators; CADP's offers, `PUT !1 !CONS (1, NIL) !"a text"`; and words
separated by blanks, `put 1 5`. Any other label has no structure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

__all__ = ["Action", "Label", "Part", "parse_label", "plain"]

_TOKEN = re.compile(
    r"""(?P<blank>\s+) | (?P<text>"(?:[^"\\]|\\.)*" | \\"(?:[^"\\]|\\[^"])*\\") | (?P<open>[(\[{])
    | (?P<close>[)\]}]) | (?P<comma>,) | (?P<word>(?:[^\s"()\[\]{},\\]|\\(?!"))+)""",
    re.VERBOSE | re.DOTALL,
)
_OFFERS = re.compile(r"\s*([^\s!?()\[\]{}\",|]+)\s*(?=!(?!=))")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A datum: its place in the text of the label, and the data inside of it.

    `name` is the word that it consists of or begins with, or the bracket of a list; `size` the
    number of its words and brackets.
    """

    start: int
    end: int
    name: str
    size: int
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """An action of a label, its arguments, and its place in the text."""

    name: str
    arguments: tuple[Part, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """The text of a label and its actions; a multi-action has several."""

    text: str
    actions: tuple[Action, ...]

    @property
    def arguments(self) -> tuple[Part, ...]:
        """The arguments of all actions, in their order."""
        return tuple(part for action in self.actions for part in action.arguments)

    @property
    def repeats(self) -> bool:
        """Whether several of the actions have the same name."""
        return len({action.name for action in self.actions}) < len(self.actions)

    def shown(self, part: Part) -> str:
        """Return the text of a part."""
        return self.text[part.start : part.end]

    def layout(self, parts: tuple[Part, ...], start: int, end: int) -> tuple[str, ...]:
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
        return "|".join(sorted(map(self._in_order, self.actions)))

    def _in_order(self, action: Action) -> str:
        done: list[str] = []
        waiting: list[tuple[Part, bool]] = [(part, False) for part in reversed(action.arguments)]
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
            pieces = [frame[0], *(p for pair in zip(inner, frame[1:], strict=True) for p in pair)]
            done.append(plain("".join(pieces)))
        frame = self._frame(action)
        return "".join([frame[0], *(p for pair in zip(done, frame[1:], strict=True) for p in pair)])

    def inside(self, sizes: Collection[int]) -> Iterator[Part]:
        """Yield the parts of arguments that have one of these sizes, the outer ones first."""
        waiting = [*reversed(self.arguments)]
        while waiting:
            part = waiting.pop()
            if part.size in sizes:
                yield part
            waiting += reversed(part.parts)

    def replaced(
        self, parts: tuple[Part, ...], images: Mapping[str, str], sizes: Collection[int]
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
        pieces, at = [], 0
        for start, end, image in sorted(changes):
            pieces += [self.text[at:start], image]
            at = end
        return "".join([*pieces, self.text[at:]])


def plain(text: str) -> str:
    """Return a datum with normalised blanks: one between words, none elsewhere."""
    pieces: list[str] = []
    after_word = gap = False
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "blank":
            gap = after_word
            continue
        is_word = token.lastgroup == "word"
        if gap and is_word:
            pieces.append(" ")
        pieces.append(token[0])
        after_word, gap = is_word, False
    return "".join(pieces)


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
    """Parse a label; None if it has another form."""
    offers = _OFFERS.match(text)
    if offers is not None:
        arguments = _offers(text, offers.end())
        if arguments is None:
            return None
        return Label(text, (Action(offers[1], arguments, 0, len(text)),))
    nodes = _nodes(text, 0, "|")
    if nodes is None:
        return None
    actions = []
    for component in nodes:
        action = _action(text, component)
        if action is None:
            return None
        actions.append(action)
    return Label(text, tuple(actions))


def _offers(text: str, start: int) -> tuple[Part, ...] | None:
    """Return the values of `!1 !TRUE ..`."""
    nodes = _nodes(text, start, "!")
    if nodes is None or nodes[0] or not all(nodes[1:]):
        return None
    return tuple(map(_joined, nodes[1:]))


def _action(text: str, nodes: list[Part]) -> Action | None:
    """Return `name`, `name(part,..)`, `name[part](part,..)` or `name part ..` as an action."""
    if not nodes or text[nodes[0].start] in '"([{':
        return None
    head, *others = nodes
    place = head.start, nodes[-1].end
    arguments = list(head.parts)
    end = head.end
    while others and others[0].start == end and others[0].name in _CLOSING:
        arguments += others[0].parts
        end = others.pop(0).end
    if end > head.start + len(head.name):
        return None if others else Action(head.name, tuple(arguments), *place)
    ends = [end, *(part.end for part in others)]
    if any(part.start == end for part, end in zip(others, ends, strict=False)):
        return None
    return Action(head.name, tuple(others), *place)


def _joined(nodes: list[Part]) -> Part:
    """Return adjacent nodes as one part."""
    if len(nodes) == 1:
        return nodes[0]
    size = sum(node.size for node in nodes)
    return Part(nodes[0].start, nodes[-1].end, "", size, tuple(nodes))


class _Frame:
    """An open bracket: the text before it, its parts so far, and the part that is being read."""

    def __init__(self, bracket: str, start: int, outer: list[Part]) -> None:
        self.bracket = bracket
        self.start = start
        self.outer = outer
        self.parts: list[Part] = []


def _nodes(text: str, at: int, separator: str) -> list[list[Part]] | None:
    """Return the nodes between separators outside brackets; None if brackets do not match.

    Iterative, so that nesting of any depth is accepted.
    """
    lists: list[list[Part]] = [[]]
    current = lists[0]
    stack: list[_Frame] = []
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        at = token.end()
        kind = token.lastgroup
        if kind == "open":
            stack.append(_Frame(token[0], token.start(), current))
            current = []
        elif kind == "comma":
            if not stack or not current:
                return None
            stack[-1].parts.append(_joined(current))
            current = []
        elif kind == "close":
            if not stack or _CLOSING[stack[-1].bracket] != token[0]:
                return None
            frame = stack.pop()
            if current:
                frame.parts.append(_joined(current))
            elif frame.parts:
                return None
            current = frame.outer
            _close(text, frame, at, current)
        elif kind == "text":
            current.append(Part(token.start(), at, token[0], 1))
        elif kind == "word" and not stack:
            for word in re.finditer(rf"{re.escape(separator)}|[^{separator}]+", token[0]):
                if word[0] == separator:
                    current = []
                    lists.append(current)
                else:
                    start = token.start()
                    current.append(Part(start + word.start(), start + word.end(), word[0], 1))
        elif kind == "word":
            # In a bag, `{1: 2}` or `{1:2}`, the colon does not belong to the numbers.
            ends_so = len(token[0]) > 1 and token[0].endswith(":")
            in_bag = stack[-1].bracket == "{" and re.fullmatch(r"[^:]+:[0-9]+", token[0])
            end = token.start() + token[0].rindex(":") if ends_so or in_bag else at
            current.append(Part(token.start(), end, text[token.start() : end], 1))
            if end < at:
                current.append(Part(end, end + 1, ":", 1))
            if end + 1 < at:
                current.append(Part(end + 1, at, text[end + 1 : at], 1))
    return None if stack else lists


def _close(text: str, frame: _Frame, end: int, current: list[Part]) -> None:
    """Add the part that ends with a closing bracket to the enclosing list."""
    size = 1 + sum(part.size for part in frame.parts)
    parts = tuple(frame.parts)
    if frame.bracket == "(" and current:
        head = current[-1]
        is_word = text[head.start : head.end] == head.name and head.name[0] != '"'
        if is_word and (head.end == frame.start or re.match(r"[\w'\udc80-\udcff]", head.name[-1])):
            current[-1] = Part(head.start, end, head.name, head.size + size, parts)
            return
    current.append(Part(frame.start, end, frame.bracket, size, parts))
