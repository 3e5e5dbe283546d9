"""Drawings of systems.

`layout` chooses among the layouts of `layered`, `radial` and `stress`, which place the nodes of a
`graph` as on the pages of `lts.web`. `curve` and `labels` place arrows and their texts, `panel`
does so for systems. `svg` and `tikz` draw in the colours of `palette`, and `dot` writes files for
Graphviz. `symmetry` draws the permutations of a group.
"""

__all__: list[str] = []
