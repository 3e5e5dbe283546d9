"""Symmetry: detection, permutations, certificates, reduction, rho-encoding, expansion, counting."""

from lts.symmetry.detection import Detection, find
from lts.symmetry.file import Symmetry, parse_symmetry_file
from lts.symmetry.notation import Permutation, parse_permutation
from lts.symmetry.reduction import ORDERS, Reduction, count, encode, expand, reduce
from lts.symmetry.specification import (
    STRATEGIES,
    Certified,
    Explored,
    certified_quotient,
    count_orbits,
)
from lts.symmetry.system import Automorphism, check, isomorphic

__all__ = [
    "ORDERS",
    "STRATEGIES",
    "Automorphism",
    "Certified",
    "Detection",
    "Explored",
    "Permutation",
    "Reduction",
    "Symmetry",
    "certified_quotient",
    "check",
    "count",
    "count_orbits",
    "encode",
    "expand",
    "find",
    "isomorphic",
    "parse_permutation",
    "parse_symmetry_file",
    "reduce",
]
