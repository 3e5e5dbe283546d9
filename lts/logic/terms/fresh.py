"""Enumeration of the closed constructor terms of a sort, by depth."""

from __future__ import annotations

from itertools import islice, product

from lts.specification.specification import Application, Function, Specification
from lts.specification.terms import numeral

__all__ = ["closed_terms"]


def closed_terms(specification: Specification, sort: str, most: int) -> list[Application]:
    """Return the first `most` closed terms of a sort, or all if there are fewer.

    They are built from numerals and constructors. Sorts without named constructors, such as reals,
    sets and functions, have none.
    """
    constructors: dict[str, list[Function]] = {}
    for function in specification.functions:
        if function.constructor and not function.name.startswith("@"):
            constructors.setdefault(function.sort, []).append(function)
    needed, waiting = {sort}, [sort]
    while waiting:
        for function in constructors.get(waiting.pop(), ()):
            waiting += (other for other in function.arguments if other not in needed)
            needed.update(function.arguments)
    found: dict[str, dict[Application, None]] = {
        one: {} if (kind := specification.numbers.get(one)) is None
        else _numerals(one, kind.kind == "Pos", most)
        for one in needed
    }  # fmt: skip
    size = -1
    while size < (size := sum(map(len, found.values()))) and len(found[sort]) < most:
        # Arguments are terms of earlier rounds only, so that terms are found by depth.
        known = {one: list(terms) for one, terms in found.items()}
        for one in needed - {*specification.numbers}:
            for function in constructors.get(one, ()):
                parts = product(*(known[other] for other in function.arguments))
                made = (Application(function, arguments) for arguments in parts)
                found[one] |= dict.fromkeys(islice(made, most))
    return list(islice(found[sort], most))


def _numerals(sort: str, positive: bool, most: int) -> dict[Application, None]:
    each = (numeral(str(number + positive), sort) for number in range(most))
    return {term: None for term in each if term is not None}
