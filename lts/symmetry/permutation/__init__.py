"""Permutations in cycle notation, and symmetry files.

`notation` parses and prints a permutation, `cycles` converts mappings into cycles, `file` reads and
writes symmetry files.
"""
