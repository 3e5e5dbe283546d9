"""Symmetry: detection, permutations, certificates, reduction, rho-encoding, expansion, counting."""

from lts.symmetry.detection import Detection, find
from lts.symmetry.file import Symmetry, parse_symmetry_file
from lts.symmetry.notation import Permutation, parse_permutation
from lts.symmetry.reduction import ORDERS, Reduction, count, encode, expand, reduce
from lts.symmetry.system import Automorphism, check, isomorphic

__all__ = [
    "ORDERS",
    "Automorphism",
    "Detection",
    "Permutation",
    "Reduction",
    "Symmetry",
    "check",
    "count",
    "encode",
    "expand",
    "find",
    "isomorphic",
    "parse_permutation",
    "parse_symmetry_file",
    "reduce",
]
