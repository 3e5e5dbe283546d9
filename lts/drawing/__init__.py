"""Drawings of systems.

`layered` places states and steps, `svg` draws them in the colours of `palette`, `raster` makes PNG
and PDF of that; `dot` writes what graphviz reads."""

__all__: list[str] = []
