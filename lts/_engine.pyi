"""The compiled engine (private): what touches every state or transition."""

from collections.abc import Sequence

from typing_extensions import Buffer as Buffer

class Column(Buffer):
    """Read-only bytes of a column of 32-bit unsigned integers."""

    def __len__(self) -> int: ...

class Lts:
    """Columns, label table and initial state."""

    def __new__(
        cls,
        initial: int,
        states: int,
        source: Buffer,
        label: Buffer,
        target: Buffer,
        labels: Sequence[bytes],
    ) -> Lts: ...
    @property
    def initial(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def source(self) -> Column: ...
    @property
    def label(self) -> Column: ...
    @property
    def target(self) -> Column: ...
    @property
    def labels(self) -> list[bytes]: ...
    @property
    def internal(self) -> list[int]: ...
    def with_internal(self, internal: Sequence[int]) -> Lts: ...
