"""Colours distinguishable with any colour vision (Okabe and Ito, 2008), and hatchings.

The pages of `lts.web` use the same ones (`lts/web/script/palette.js`).
"""

from __future__ import annotations

__all__ = ["COLOURS", "HATCHINGS", "look"]

COLOURS = (
    *("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#3d84c6", "#d55e00", "#cc79a7", "#787878"),
)

HATCHINGS = ("", "\\\\", "//", "xx")
"""No hatching, falling lines, rising lines, both; in the notation of matplotlib."""


def look(number: int) -> tuple[str, str]:
    """Return the colour and the hatching of a class; those of the first 32 classes are distinct."""
    colours = len(COLOURS)
    return COLOURS[number % colours], HATCHINGS[number // colours % len(HATCHINGS)]
