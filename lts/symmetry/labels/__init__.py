"""Symmetry of an LTS: permutations of its labels.

`dialects` parses labels of several tools, `lift` extends a permutation of data to labels,
`automorphism` searches for a matching permutation of states, `detection` finds all symmetries, and
`picture` draws their orbits.
"""
