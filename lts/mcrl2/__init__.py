"""mCRL2: from the text of a specification to a typed specification.

`text` is the syntax, `data` has the predefined functions with their rules, `static` resolves names
and sorts, and `reader` combines them. `binary` reads mCRL2's binary files; `identities` gives
numbers that only serve as identities sorts of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

if TYPE_CHECKING:
    from lts.mcrl2.reader import numbers, read, read_text, text_of

__all__ = ["numbers", "read", "read_text", "text_of"]

_HOME = dict.fromkeys(__all__, "lts.mcrl2.reader")

__getattr__ = loader("lts.mcrl2", _HOME)
