"""Symmetry of a specification: permutations of its data.

`lift` extends a permutation to terms, components and parameters (`arrays`, `library_arrays` and
`closed_terms` cover particular kinds of data), and `action` extends it to a whole linear process.
The packages `proof` and `find` prove and find such symmetries. `certify` explores one state of each
orbit and certifies the symmetry (`exploration` calls the engine), `refinement` compares with an LTS
on orbits.
"""
