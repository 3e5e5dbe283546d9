"""Symmetry: detection, permutations, certificates, reduction, expansion, minimisation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lts.base.lazy import loader

if TYPE_CHECKING:
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
    from lts.symmetry.data.reduced_process import (
        ReducedProcess,
        encoding_process,
        reduced_process,
    )
    from lts.symmetry.data.refinement import (
        RELATIONS,
        Counterexample,
        Refinement,
        refines_on_orbits,
    )
    from lts.symmetry.labels.automorphism import Automorphism, check, check_bisimilar, isomorphic
    from lts.symmetry.labels.detection import Detection, find_symmetry
    from lts.symmetry.labels.of_states import OfStates, symmetries_of_states
    from lts.symmetry.permutation.file import Symmetry, parse_symmetry_file
    from lts.symmetry.permutation.notation import Permutation, parse_permutation
    from lts.symmetry.permutation.structure import structure_of
    from lts.symmetry.reduction.comparison import compare_encodings, compare_originals
    from lts.symmetry.reduction.facts import OrbitOfDeadlocks, OriginalFacts, facts_of_original
    from lts.symmetry.reduction.minimal import (
        hide_in_quotient,
        minimise_quotient,
        minimise_reduction,
    )
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
    "ReducedProcess",
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
    "encoding_process",
    "expand",
    "facts_of_original",
    "find_in_specification",
    "find_symmetry",
    "hide_in_quotient",
    "isomorphic",
    "minimise_quotient",
    "minimise_reduction",
    "parse_permutation",
    "parse_symmetry_file",
    "read_reduction",
    "reduce",
    "reduced_process",
    "refines_on_orbits",
    "structure_of",
    "symmetric_sorts",
    "symmetries_of_states",
    "write_reduction",
]

_HOME = {
    "Automorphism": "lts.symmetry.labels.automorphism",
    "Break": "lts.symmetry.data.find.diagnosis",
    "Certified": "lts.symmetry.data.certify",
    "Counterexample": "lts.symmetry.data.refinement",
    "Detection": "lts.symmetry.labels.detection",
    "Explored": "lts.symmetry.data.certify",
    "Found": "lts.symmetry.data.find.search",
    "ORDERS": "lts.symmetry.reduction.rho_encoding",
    "OfStates": "lts.symmetry.labels.of_states",
    "OrbitOfDeadlocks": "lts.symmetry.reduction.facts",
    "OriginalFacts": "lts.symmetry.reduction.facts",
    "PROOFS": "lts.symmetry.data.certify",
    "Permutation": "lts.symmetry.permutation.notation",
    "RELATIONS": "lts.symmetry.data.refinement",
    "ReducedProcess": "lts.symmetry.data.reduced_process",
    "Reduction": "lts.symmetry.reduction.rho_encoding",
    "Refinement": "lts.symmetry.data.refinement",
    "STRATEGIES": "lts.symmetry.data.certify",
    "SymmetricSorts": "lts.symmetry.data.find.sorts",
    "Symmetry": "lts.symmetry.permutation.file",
    "breaks": "lts.symmetry.data.find.diagnosis",
    "certified_quotient": "lts.symmetry.data.certify",
    "check": "lts.symmetry.labels.automorphism",
    "check_bisimilar": "lts.symmetry.labels.automorphism",
    "compare_encodings": "lts.symmetry.reduction.comparison",
    "compare_originals": "lts.symmetry.reduction.comparison",
    "count": "lts.symmetry.reduction.rho_encoding",
    "count_orbits": "lts.symmetry.data.certify",
    "encode": "lts.symmetry.reduction.rho_encoding",
    "expand": "lts.symmetry.reduction.rho_encoding",
    "facts_of_original": "lts.symmetry.reduction.facts",
    "find_symmetry": "lts.symmetry.labels.detection",
    "find_in_specification": "lts.symmetry.data.find.search",
    "isomorphic": "lts.symmetry.labels.automorphism",
    "hide_in_quotient": "lts.symmetry.reduction.minimal",
    "minimise_quotient": "lts.symmetry.reduction.minimal",
    "minimise_reduction": "lts.symmetry.reduction.minimal",
    "parse_permutation": "lts.symmetry.permutation.notation",
    "parse_symmetry_file": "lts.symmetry.permutation.file",
    "read_reduction": "lts.symmetry.reduction.storage",
    "encoding_process": "lts.symmetry.data.reduced_process",
    "reduced_process": "lts.symmetry.data.reduced_process",
    "reduce": "lts.symmetry.reduction.rho_encoding",
    "refines_on_orbits": "lts.symmetry.data.refinement",
    "structure_of": "lts.symmetry.permutation.structure",
    "symmetric_sorts": "lts.symmetry.data.find.sorts",
    "symmetries_of_states": "lts.symmetry.labels.of_states",
    "write_reduction": "lts.symmetry.reduction.storage",
}

__getattr__ = loader(__name__, _HOME)
