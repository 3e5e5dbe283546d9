"""Drawings of systems.

`layered` computes positions, `svg` draws in the colours of `palette`, `raster` converts to PNG and
PDF; `dot` writes files for Graphviz.
"""

__all__: list[str] = []
