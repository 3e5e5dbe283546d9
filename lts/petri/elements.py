"""XML files as trees of elements that know their lines; entities and external parts are refused.

A table (`Content` for each element) says what an element may contain. What is not in the table is
refused, so that nothing with a meaning is dropped.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, TypeVar
from xml.parsers import expat

from lts.base.bounds import NET_BYTES, NET_ELEMENTS, Bound
from lts.errors import FormatError, LtsError, Unsupported

__all__ = [
    "QUOTED",
    "Content",
    "Element",
    "read_bytes",
    "read_elements",
    "read_file",
    "refuse_unknown",
]

Wrong = TypeVar("Wrong", bound=LtsError)

QUOTED = 100
"""The most characters of a text that an error quotes."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,100}")

_GZIP = b"\x1f\x8b"

_XML = "http://www.w3.org/XML/1998/namespace"
_SCHEMAS = "http://www.w3.org/2001/XMLSchema-instance"
_WITHOUT_MEANING = (
    f"{_XML} lang",
    f"{_XML} space",
    f"{_SCHEMAS} schemaLocation",
    f"{_SCHEMAS} noNamespaceSchemaLocation",
)
"""Attributes that any element of any format may have: they say nothing about the content."""


@dataclass(frozen=True, slots=True)
class Content:
    """What an element may have: `once` and `many` are children that may occur once or repeatedly,
    `ignored` children and `drawn` attributes only draw or document, and `text` is whether it
    contains text. `open_to_terms` leaves children that the table does not know to the reader, which
    refuses them in its own words."""

    once: tuple[str, ...] = ()
    many: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    text: bool = False
    open_to_terms: bool = False


@dataclass(eq=False, slots=True)
class Element:
    """An element: its name without namespace, attributes, children, and its own text."""

    name: str
    namespace: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    owner: str = ""
    """The identifier of the nearest enclosing element that has one."""

    def all(self, *names: str) -> list[Element]:
        """Return the children with one of these names."""
        return [child for child in self.children if child.name in names]

    def find(self, *path: str) -> Element | None:
        """Return the first child with the first name, its first child with the second, and so
        on."""
        found: Element | None = self
        for name in path:
            found = next((c for c in found.children if c.name == name), None) if found else None
        return found

    def the(self, attribute: str) -> str:
        """Return an attribute that must exist."""
        if attribute not in self.attributes:
            raise self.error(FormatError, f"`{self.name}` has no attribute `{attribute}`")
        return self.attributes[attribute]

    def only(self) -> Element:
        """Return the only child."""
        if len(self.children) != 1:
            count = len(self.children)
            raise self.error(FormatError, f"`{self.name}` should contain one element, not {count}")
        return self.children[0]

    def two(self) -> list[Element]:
        """Return the children, which should be two."""
        if len(self.children) != 2:
            count = len(self.children)
            raise self.error(FormatError, f"`{self.name}` is about two terms, not {count}")
        return self.children

    def one_of(self, *names: str) -> Element | None:
        """Return the child with one of these names, which exclude each other."""
        found = self.all(*names)
        if len(found) > 1:
            both = " and ".join(f"`{each.name}`" for each in found)
            raise self.error(FormatError, f"`{self.name}` has {both}")
        return found[0] if found else None

    def number(self, attribute: str) -> int:
        """Return the number that an attribute contains."""
        text = self.the(attribute).strip()
        if not _NUMBER.fullmatch(text):
            raise self.error(FormatError, f"`{text[:QUOTED]}` is no number")
        return int(text)

    def error(self, kind: type[Wrong], message: str) -> Wrong:
        """Return an error with the place of this element, and the identifier of what it is part
        of."""
        where = f"in `{self.owner[:QUOTED]}`: " if self.owner else ""
        return kind(f"{where}{message}", file=self.file, line=self.line)


def read_file(path: str) -> bytes:
    """Return the bytes of a file, which may be compressed by gzip; raise `FormatError` for more
    than `NET_BYTES`."""
    with open(path, "rb") as file:
        return read_bytes(file, path)


def read_bytes(file: BinaryIO, name: str) -> bytes:
    """Return the bytes of an open file as `read_file` does; errors call it `name`."""
    data = file.read(NET_BYTES.default + 1)
    if data.startswith(_GZIP):
        try:
            data = _gunzipped(data)
        except (EOFError, zlib.error) as error:
            raise FormatError(f"not a gzip file: {error}", file=name) from None
    if len(data) > NET_BYTES.default:
        raise FormatError(f"the text has {NET_BYTES.exceeded()}", file=name)
    return data


def _gunzipped(data: bytes) -> bytes:
    """Return the text of compressed data, or its beginning if it is too long."""
    found, size = [], 0
    while data.strip(b"\0") and size <= NET_BYTES.default:
        stream = zlib.decompressobj(wbits=31)
        found.append(stream.decompress(data, NET_BYTES.default + 1 - size))
        size += len(found[-1])
        if not stream.eof and size <= NET_BYTES.default:
            raise EOFError("the stream is truncated")
        data = stream.unused_data
    return b"".join(found)


def read_elements(
    data: bytes, file: str, *, deepest: Bound | None = None, skipped: Collection[str] = ()
) -> Element:
    """Return the root of an XML text; raise `FormatError` for a text that is none, or has more
    than the `deepest` levels of elements. What is inside `skipped` elements is left out."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    top = Element("", "", {}, file, 1)
    stack = [top]
    texts: list[list[str]] = [[]]
    count = inside_skipped = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count, inside_skipped
        if inside_skipped:
            inside_skipped += 1
            return
        parent = stack[-1]
        namespace, _, local = name.rpartition(" ")
        for each in _WITHOUT_MEANING:
            attributes.pop(each, None)
        owner = attributes.get("id", parent.owner)
        made = Element(local, namespace, attributes, file, parser.CurrentLineNumber, owner=owner)
        if deepest is not None and len(stack) > deepest.default:
            raise made.error(FormatError, deepest.exceeded())
        count += 1
        if count > NET_ELEMENTS.default:
            raise made.error(FormatError, NET_ELEMENTS.exceeded())
        parent.children.append(made)
        if local in skipped:
            inside_skipped = 1
        else:
            stack.append(made)
            texts.append([])

    def end(_: str) -> None:
        nonlocal inside_skipped
        if inside_skipped:
            inside_skipped -= 1
        else:
            stack.pop().text = "".join(texts.pop())

    def text(content: str) -> None:
        if not inside_skipped:
            texts[-1].append(content)

    def refuse(*_: object) -> None:
        raise FormatError(
            "a document type and entities are not read", file=file, line=parser.CurrentLineNumber
        )

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        words = expat.errors.messages.get(error.code, "no XML")
        raise FormatError(
            f"not XML: {words}", file=file, line=error.lineno, column=error.offset + 1
        ) from None
    except (LookupError, ValueError) as error:
        # The declared encoding is unknown, or of several bytes for a character.
        raise FormatError(f"not XML: {error}", file=file, line=1) from None
    return top.children[0]


def refuse_unknown(root: Element, table: Mapping[str, Content]) -> None:
    """Raise an error for what the table does not have.

    Keys of the table are names of elements, or `parent/name` where the parent decides. Raises
    `Unsupported` for an unknown child, attribute or text, and for elements of another namespace
    than that of the root; `FormatError` for a child that occurs twice.
    """
    waiting = [("", root)]
    for parent, element in waiting:  # grows during the loop
        name = element.name
        content = table.get(f"{parent}/{name}") or table.get(name)
        if content is None:
            continue  # the reader refuses it in its own words
        for attribute in element.attributes:
            if attribute not in content.attributes and attribute not in content.drawn:
                raise element.error(
                    Unsupported,
                    f"the attribute `{attribute[:QUOTED]}` of `{name[:QUOTED]}` is not read",
                )
        if not content.text and element.text.strip():
            raise element.error(
                Unsupported, f"text in `{name[:QUOTED]}` is not read, beside its elements"
            )
        seen: set[str] = set()
        for child in element.children:
            if child.namespace != root.namespace:
                message = f"of the namespace `{child.namespace[:QUOTED]}` is not read"
                raise child.error(Unsupported, f"`{child.name[:QUOTED]}` {message}")
            if child.name in content.ignored:
                continue
            if child.name in content.once:
                if child.name in seen:
                    raise child.error(
                        FormatError,
                        f"`{name[:QUOTED]}` has two elements `{child.name[:QUOTED]}`",
                    )
                seen.add(child.name)
            elif child.name not in content.many and not content.open_to_terms:
                raise child.error(
                    Unsupported,
                    f"the element `{child.name[:QUOTED]}` of `{name[:QUOTED]}` is not read",
                )
            waiting.append((name, child))
