"""Words of a text, with their places."""

from __future__ import annotations

from lts.text.source import Place

__all__ = ["Name"]


class Name(str):
    """A word, number or operator of the text, with its place."""

    __slots__ = ("place",)
    place: Place

    @classmethod
    def at(cls, text: str, place: Place) -> Name:
        """Return `text` as a name at `place`."""
        name = cls(text)
        name.place = place
        return name
