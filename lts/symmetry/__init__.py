"""Symmetry: detection, permutations, certificates, reduction, expansion, minimisation."""

from lts.symmetry.comparison import compare_encodings, compare_originals
from lts.symmetry.detection import Detection, find
from lts.symmetry.file import Symmetry, parse_symmetry_file
from lts.symmetry.minimal import minimise_quotient, minimise_reduction
from lts.symmetry.notation import Permutation, parse_permutation
from lts.symmetry.reduction import ORDERS, Reduction, count, encode, expand, reduce
from lts.symmetry.specification import (
    STRATEGIES,
    Certified,
    Explored,
    certified_quotient,
    count_orbits,
)
from lts.symmetry.system import Automorphism, check, check_bisimilar, isomorphic

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
    "check_bisimilar",
    "compare_encodings",
    "compare_originals",
    "count",
    "count_orbits",
    "encode",
    "expand",
    "find",
    "isomorphic",
    "minimise_quotient",
    "minimise_reduction",
    "parse_permutation",
    "parse_symmetry_file",
    "reduce",
]
