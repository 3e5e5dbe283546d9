"""Sorts of arrays indexed by a permuted sort, recognised by the maps that read and write them."""

from __future__ import annotations

from collections.abc import Collection

from lts.errors import Unsupported
from lts.linear.process import LinearProcess
from lts.specification.specification import Function, Specification

__all__ = ["array_maps", "indexed_arrays", "partial_maps"]


def indexed_arrays(
    process: LinearProcess, permuted: Collection[str]
) -> dict[str, tuple[Function, Function]]:
    """Return the maps that read and write, for each sort of arrays indexed by a permuted sort that
    has exactly one map `A#D -> E` and one map `A#D#E -> A`."""
    arrays = {}
    for sort, pairs in array_maps(process.specification, permuted).items():
        if len(pairs) > 1:
            raise Unsupported(
                f"sort `{sort}` has several pairs of maps that read and write an array: "
                + ", ".join(f"`{get.name}`/`{put.name}`" for get, put in pairs)
            )
        [arrays[sort]] = pairs
    return arrays


def array_maps(
    specification: Specification, permuted: Collection[str]
) -> dict[str, list[tuple[Function, Function]]]:
    """Return all pairs of maps that read and write arrays over given index sorts, by sort of
    array."""
    maps = [f for f in specification.functions if not f.constructor]
    found: dict[str, list[tuple[Function, Function]]] = {}
    for get in maps:
        match get.arguments:
            case (array, index) if index in permuted and array != index:
                for put in maps:
                    if put.arguments == (array, index, get.sort) and put.sort == array:
                        found.setdefault(array, []).append((get, put))
    return found


def partial_maps(specification: Specification, get: Function) -> tuple[Function, Function] | None:
    """Return the map that tells whether an array has an element at an index and the map that
    removes it; None if arrays of this sort have an element at every index. `get` is the map that
    reads them."""
    contains = Function("contains", get.arguments, specification.true.sort)
    remove = Function("remove", get.arguments, get.arguments[0])
    if contains == get or not {contains, remove}.issubset(specification.functions):
        return None
    return contains, remove
