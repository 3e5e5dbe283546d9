"""Symmetry: detection, permutations, certificates, reduction, expansion, minimisation."""

from lts.symmetry.data.certify import (
    PROOFS,
    STRATEGIES,
    Certified,
    Explored,
    certified_quotient,
    count_orbits,
)
from lts.symmetry.data.find.diagnosis import Break, breaks
from lts.symmetry.data.find.search import Found, find_in_specification
from lts.symmetry.data.find.sorts import SymmetricSorts, symmetric_sorts
from lts.symmetry.data.refinement import RELATIONS, Counterexample, Refinement, refines_on_orbits
from lts.symmetry.labels.automorphism import Automorphism, check, check_bisimilar, isomorphic
from lts.symmetry.labels.detection import Detection, find
from lts.symmetry.labels.of_states import OfStates, symmetries_of_states
from lts.symmetry.permutation.file import Symmetry, parse_symmetry_file
from lts.symmetry.permutation.notation import Permutation, parse_permutation
from lts.symmetry.reduction.comparison import compare_encodings, compare_originals
from lts.symmetry.reduction.facts import OrbitOfDeadlocks, OriginalFacts, facts_of_original
from lts.symmetry.reduction.minimal import minimise_quotient, minimise_reduction
from lts.symmetry.reduction.rho_encoding import ORDERS, Reduction, count, encode, expand, reduce
from lts.symmetry.reduction.storage import read_reduction, write_reduction

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
    "OfStates",
    "OrbitOfDeadlocks",
    "OriginalFacts",
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
    "facts_of_original",
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
    "symmetries_of_states",
    "write_reduction",
]
