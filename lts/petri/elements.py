"""XML files as trees of elements that know their lines; entities and external parts are refused."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from xml.parsers import expat

from lts.errors import FormatError, LtsError

__all__ = ["Element", "read_elements", "read_file"]

Wrong = TypeVar("Wrong", bound=LtsError)


@dataclass(eq=False, slots=True)
class Element:
    """An element: its name without namespace, attributes, children, and its own text."""

    name: str
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

    def error(self, kind: type[Wrong], message: str) -> Wrong:
        """Return an error with the place of this element, and the identifier of what it is part
        of."""
        where = f"in `{self.owner}`: " if self.owner else ""
        return kind(f"{where}{message}", file=self.file, line=self.line)


def read_file(path: str) -> bytes:
    """Return the bytes of a file, which may be compressed by gzip."""
    data = Path(path).read_bytes()
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"not a gzip file: {error}", file=path) from None


def read_elements(data: bytes, file: str, *, deepest: int | None = None) -> Element:
    """Return the root of an XML text; raise `FormatError` for a text that is none, or has more
    than `deepest` levels of elements."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    top = Element("", {}, file, 1)
    stack = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        parent = stack[-1]
        local = name.rpartition(" ")[2]
        owner = attributes.get("id", parent.owner)
        made = Element(local, attributes, file, parser.CurrentLineNumber, owner=owner)
        if deepest is not None and len(stack) > deepest:
            raise made.error(FormatError, f"more than {deepest} levels of elements")
        parent.children.append(made)
        stack.append(made)

    def end(_: str) -> None:
        stack.pop()

    def text(content: str) -> None:
        stack[-1].text += content

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
