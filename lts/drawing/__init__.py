"""Drawings of systems.

`layered` computes positions, `svg` draws in the colours of `palette`, and `dot` writes files for
Graphviz. `symmetry` draws the permutations of a group.
"""

__all__: list[str] = []
