"""Proofs and refutations of the claim that a permutation of data is a symmetry.

`from_text` proves it without exploration, by `matching` of terms; `correspondence` finds the images
of summands and parameters; `deciding` chooses between the proofs and a search for a refutation.
"""
