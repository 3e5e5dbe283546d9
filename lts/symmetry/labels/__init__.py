"""Symmetry of an LTS: permutations of its labels.

`dialects` takes labels apart as the tools that write them mean them, `lift` says what a permutation
of data does to them, `automorphism` looks for the permutation of states that goes with that,
`detection` finds all symmetries, and `picture` draws their orbits."""
