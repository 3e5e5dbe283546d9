"""Permutations as people write them, and files of them.

`notation` reads and writes one, `cycles` turns mappings into cycles, `file` is a symmetry file."""
