"""Words of a text, and where they stand."""

from __future__ import annotations

from lts.text.source import Place

__all__ = ["Name"]


class Name(str):
    """A word, number or operator as it stands in the text, and where."""

    __slots__ = ("place",)
    place: Place

    @classmethod
    def at(cls, text: str, place: Place) -> Name:
        """Return `text` as a name that stands at `place`."""
        name = cls(text)
        name.place = place
        return name
