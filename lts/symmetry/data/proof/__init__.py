"""Proofs that a permutation of data is a symmetry, and refutations.

`from_text` proves it without exploration, with `matching` of terms; `correspondence` finds what
summands and parameters move to, and `deciding` is told where both fail."""
