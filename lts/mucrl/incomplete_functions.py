"""Functions for some of whose arguments no equation applies."""

from __future__ import annotations

from dataclasses import replace

import lts._engine as _engine
from lts.linear.linearise import linearise
from lts.mucrl.text.directives import library_file, library_units
from lts.specification.specification import DELTA, Specification
from lts.state_space.encode import Encoder

__all__ = ["missing_cases"]

_TRIES = 1000
"""Argument tuples that are tried for each function."""


def missing_cases(specification: Specification) -> list[str]:
    """Return, for each incomplete function, an application to values that no equation matches.

    Values are tried by increasing size, so a missing case may be overlooked if it needs large
    values. Functions of the library are skipped, and so are functions with an argument sort without
    values.
    """
    files = {library_file(unit) for unit in library_units()}
    of_library = {
        rule.left.function
        for rule in specification.rules
        if specification.source.origin(rule.place[0]).file in files
    }
    encoder = Encoder(linearise(replace(specification, initial=DELTA)))
    data = encoder.data()
    found = []
    for function in specification.functions:
        if function.constructor or not function.arguments or function in of_library:
            continue
        try:
            case = data.missing_case(encoder.symbols[function], _TRIES)
        except _engine.EvaluationError:
            continue  # the generation reports this error where it matters
        if case is not None:
            found.append(case.decode("utf-8", "surrogateescape"))
    return found
