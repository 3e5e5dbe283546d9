"""Certificates: data from which a result can be checked without the program that found it.

They are tables for JSON, described in docs/certificates.md. `python -m lts_verifier` checks them
against the .aut files that they are about, and shares no code with the program.
"""

from lts.certificates.minimisation import minimisation_certificate
from lts.certificates.reductions import reduction_certificate
from lts.certificates.symmetries import no_symmetry_certificate, symmetry_certificate
from lts.certificates.table import as_text, with_hidden

__all__ = [
    "as_text",
    "minimisation_certificate",
    "no_symmetry_certificate",
    "reduction_certificate",
    "symmetry_certificate",
    "with_hidden",
]
