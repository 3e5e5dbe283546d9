"""Constants defined by a number, as in `map N: Pos; eqn N = 3;`, which the user can override."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from lts.base.spelling import near
from lts.errors import SpecificationError
from lts.mcrl2.text.data_tree import Data, Identifier, Number, Operation, SortName
from lts.mcrl2.text.tree import Equation, Specification
from lts.text.names import Name
from lts.text.source import Place

__all__ = ["definitions", "set_constants"]

_NUMBERS = ("Pos", "Nat", "Int", "Real")


def set_constants(tree: Specification, values: Mapping[str, int]) -> dict[str, int]:
    """Override constants of a text; return the values of all its constants.

    A constant is a map without arguments, of a number sort, with exactly one equation
    `name = number`. Raises `SpecificationError` for a name that is not such a constant.
    """
    equations = _equations(tree)
    for name, value in values.items():
        equation = equations.get(name)
        if equation is None:
            known = ", ".join(equations) or "none"
            raise SpecificationError(
                f"no constant `{name}` is defined by one equation as a number (such constants: "
                f"{known}){near(name, equations)}",
                file=tree.source.file,
            )
        equation.right = _written(value, equation)
    numbers = {name: _number(equation.right) for name, equation in equations.items()}
    return {name: number for name, number in numbers.items() if number is not None}


def definitions(tree: Specification) -> dict[str, tuple[Place, int]]:
    """Return the place of the equation of each constant, and its number there."""
    numbers = {
        name: (equation.place, _number(equation.right))
        for name, equation in _equations(tree).items()
    }
    return {name: (place, n) for name, (place, n) in numbers.items() if n is not None}


def _equations(tree: Specification) -> dict[str, Equation]:
    """Return the defining equation of each constant."""
    declared = Counter(function.name for function in tree.functions)
    constants = {
        str(function.name)
        for function in tree.functions
        if not function.constructor
        and isinstance(function.sort, SortName)
        and function.sort.name in _NUMBERS
        and declared[function.name] == 1
    }
    found: dict[str, list[Equation]] = {name: [] for name in constants}
    for equation in tree.equations:
        if isinstance(equation.left, Identifier) and equation.left.name in found:
            found[str(equation.left.name)].append(equation)
    return {
        name: own[0]
        for name, own in found.items()
        if len(own) == 1 and own[0].condition is None and _number(own[0].right) is not None
    }


def _number(term: Data) -> int | None:
    match term:
        case Number(digits):
            return int(digits)
        case Operation(operator, (Number(digits),)) if operator == "-":
            return -int(digits)
    return None


def _written(value: int, equation: Equation) -> Data:
    digits = Number(Name.at(str(abs(value)), equation.place))
    return Operation(Name.at("-", equation.place), (digits,)) if value < 0 else digits
