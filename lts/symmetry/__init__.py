"""Symmetry: permutations, certificates, reduction, rho-encoding, expansion, counting."""
