"""Symmetry of a specification: permutations of its data.

`lift` says what a permutation does to terms, components and parameters (`arrays`,
`library_arrays`, `closed_terms` to some kinds of data), `action` what that is on a linear process.
The rooms `proof` and `find` prove and find such symmetries. `certify` explores one state of each
orbit with the certificate (`exploration` is the call of the engine), `refinement` compares on
orbits."""
