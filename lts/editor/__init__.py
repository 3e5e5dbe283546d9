"""Texts in an editor: their errors, where names are declared, renaming, layout.

Start with `languages`: each language is read by its own reader, which also records names
(`lts.text.uses`). `renaming` changes a name if the text then still means the same, `layout`
changes only blanks, and `completion` offers names. Nothing here parses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

if TYPE_CHECKING:
    from lts.editor.languages import LANGUAGES, Examined, Language, language_of
    from lts.editor.layout import formatted
    from lts.editor.renaming import renamed

__all__ = ["LANGUAGES", "Examined", "Language", "formatted", "language_of", "renamed"]

_HOME = {
    "LANGUAGES": "lts.editor.languages",
    "Examined": "lts.editor.languages",
    "Language": "lts.editor.languages",
    "formatted": "lts.editor.layout",
    "language_of": "lts.editor.languages",
    "renamed": "lts.editor.renaming",
}

__getattr__ = loader("lts.editor", _HOME)
