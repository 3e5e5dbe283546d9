"""The sorts of the predefined functions (mCRL2 language reference, "Predefined sorts").

Functions of every sort, and those on lists, are not in the tables: their sorts follow from their
arguments, see `lts.mcrl2.static.operators`.
"""

from __future__ import annotations

from lts.mcrl2.data.sort_names import is_list, list_of
from lts.mcrl2.data.symbols import function
from lts.specification.terms import Function

__all__ = ["MONOMORPHIC", "is_predefined"]


def _of(name: str, *sorts: str) -> list[Function]:
    """Return the overloads of a function from their abbreviations: a word such as `PN-P` has a
    letter for each argument sort, and one for the sort of the value."""
    of = {"B": "Bool", "P": "Pos", "N": "Nat", "I": "Int", "R": "Real"}
    found = []
    for word in sorts:
        arguments, _, result = word.partition("-")
        found.append(function(name, tuple(of[letter] for letter in arguments), of[result]))
    return found


MONOMORPHIC: dict[str, list[Function]] = {
    "!": _of("!", "B-B"),
    "&&": _of("&&", "BB-B"),
    "||": _of("||", "BB-B"),
    "=>": _of("=>", "BB-B"),
    "+": _of("+", "PP-P", "PN-P", "NP-P", "NN-N", "II-I", "RR-R"),
    "-": _of("-", "P-I", "N-I", "I-I", "R-R", "PP-I", "NN-I", "II-I", "RR-R"),
    "*": _of("*", "PP-P", "NN-N", "II-I", "RR-R"),
    "/": _of("/", "RR-R"),
    "div": _of("div", "NP-N", "IP-I"),
    "mod": _of("mod", "NP-N", "IP-N"),
    "exp": _of("exp", "PN-P", "NN-N", "IN-I", "RI-R"),
    "abs": _of("abs", "P-P", "I-N", "R-R"),
    "min": _of("min", "PP-P", "NN-N", "II-I", "RR-R"),
    "max": _of(
        "max", "PP-P", "PN-P", "NP-P", "NN-N", "PI-P", "IP-P", "NI-N", "IN-N", "II-I", "RR-R"
    ),
    "succ": _of("succ", "P-P", "N-P", "I-I", "R-R"),
    "pred": _of("pred", "P-N", "N-I", "I-I", "R-R"),
    "floor": _of("floor", "R-I"),
    "ceil": _of("ceil", "R-I"),
    "round": _of("round", "R-I"),
    "Pos2Nat": _of("Pos2Nat", "P-N"),
    "Pos2Int": _of("Pos2Int", "P-I"),
    "Nat2Pos": _of("Nat2Pos", "N-P"),
    "Nat2Int": _of("Nat2Int", "N-I"),
    "Int2Pos": _of("Int2Pos", "I-P"),
    "Int2Nat": _of("Int2Nat", "I-N"),
    "Pos2Real": _of("Pos2Real", "P-R"),
    "Nat2Real": _of("Nat2Real", "N-R"),
    "Int2Real": _of("Int2Real", "I-R"),
    "Real2Pos": _of("Real2Pos", "R-P"),
    "Real2Nat": _of("Real2Nat", "R-N"),
    "Real2Int": _of("Real2Int", "R-I"),
    "sqrt": _of("sqrt", "N-N"),
    "@monus": _of("@monus", "NN-N"),
    "@equals_zero": _of("@equals_zero", "N-B"),
    "@not_equals_zero": _of("@not_equals_zero", "N-B"),
    "@equals_one": _of("@equals_one", "P-B"),
    "@natpred": _of("@natpred", "N-N"),
    "@pospred": _of("@pospred", "P-P"),
    "@redfrac": _of("@redfrac", "II-R"),
    "@redfracwhr": _of("@redfracwhr", "PIN-R", "NIN-R"),
    "@redfrachlp": _of("@redfrachlp", "RI-R"),
}
"""The overloads of each name, those for smaller sorts first. Names with `@` are internal functions
of mCRL2, which its linear processes contain: in a text they cannot be written."""


def is_predefined(declared: Function) -> bool:
    """Whether a function is predefined."""
    name, arguments, sort = declared.name, declared.arguments, declared.sort
    if name == "if":
        return arguments == ("Bool", sort, sort)
    if name in ("head", "rhead"):
        return arguments == (list_of(sort),)
    if name in ("tail", "rtail"):
        return is_list(sort) and arguments == (sort,)
    return declared in MONOMORPHIC.get(name, ())
