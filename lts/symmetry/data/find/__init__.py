"""Detection of the symmetries of a specification.

`facts` collects what the text says of data, `automorphisms` computes the permutations that preserve
these facts. `candidates` selects those that are likely to be symmetries, by `trials` and by the
`first_states`; `search` certifies them, and `refutations` finds traces that refute the others.
`sorts` permutes whole sorts, and `diagnosis` explains which statement breaks a symmetry.
"""
