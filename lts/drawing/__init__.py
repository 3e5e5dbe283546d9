"""Drawings of systems.

`layered` places states and steps, `svg` draws them; `dot` writes what graphviz reads."""

__all__: list[str] = []
