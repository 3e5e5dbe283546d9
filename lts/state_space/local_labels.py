"""The labels of a process in the engine, as a collection that is not copied."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import lts._engine as _engine
from lts.base.label_names import label_text

__all__ = ["LocalLabels"]


class LocalLabels(Collection[str]):
    """The labels of a process, converted on demand: there may be as many labels as states.

    A pickled copy contains the labels themselves.
    """

    __slots__ = ("_source",)

    def __init__(self, source: _engine.Process | tuple[str, ...]) -> None:
        self._source = source

    def __contains__(self, label: object) -> bool:
        if isinstance(self._source, tuple):
            return label in self._source
        return isinstance(label, str) and self._source.has_label(
            label.encode("utf-8", "surrogateescape")
        )

    def __iter__(self) -> Iterator[str]:
        if isinstance(self._source, tuple):
            return iter(self._source)
        return map(label_text, self._source.labels())

    def __len__(self) -> int:
        if isinstance(self._source, tuple):
            return len(self._source)
        return self._source.label_count()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LocalLabels) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type[LocalLabels], tuple[tuple[str, ...]]]:
        return LocalLabels, (tuple(self),)
