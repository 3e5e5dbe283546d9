"""The labelled transition system, the data type that all packages share.

`lts` is the class; it stands on `columns` of numbers and `adjacency`. `sizes` counts, `renaming`
changes labels, `internal_labels` says which are internal, `normal_form` is the same for equal
systems, `components` finds strongly connected parts, and `conversion` is to and from other
libraries.
"""

__all__: list[str] = []
