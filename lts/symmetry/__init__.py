"""Symmetry: detection, permutations, certificates, reduction, expansion, minimisation."""

from lts.symmetry.automatic import Found, find_in_specification
from lts.symmetry.breaks import Break, breaks
from lts.symmetry.comparison import compare_encodings, compare_originals
from lts.symmetry.detection import Detection, find
from lts.symmetry.file import Symmetry, parse_symmetry_file
from lts.symmetry.minimal import minimise_quotient, minimise_reduction
from lts.symmetry.notation import Permutation, parse_permutation
from lts.symmetry.reduction import ORDERS, Reduction, count, encode, expand, reduce
from lts.symmetry.refinement import RELATIONS, Counterexample, Refinement, refines_on_orbits
from lts.symmetry.sorts import SymmetricSorts, symmetric_sorts
from lts.symmetry.specification import (
    PROOFS,
    STRATEGIES,
    Certified,
    Explored,
    certified_quotient,
    count_orbits,
)
from lts.symmetry.storage import read_reduction, write_reduction
from lts.symmetry.system import Automorphism, check, check_bisimilar, isomorphic

__all__ = [
    "ORDERS",
    "PROOFS",
    "RELATIONS",
    "STRATEGIES",
    "Automorphism",
    "Break",
    "Certified",
    "Counterexample",
    "Detection",
    "Explored",
    "Found",
    "Permutation",
    "Reduction",
    "Refinement",
    "SymmetricSorts",
    "Symmetry",
    "breaks",
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
    "find_in_specification",
    "isomorphic",
    "minimise_quotient",
    "minimise_reduction",
    "parse_permutation",
    "parse_symmetry_file",
    "read_reduction",
    "reduce",
    "refines_on_orbits",
    "symmetric_sorts",
    "write_reduction",
]
