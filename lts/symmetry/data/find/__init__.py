"""Detection of the symmetries of a specification.

`facts` collects what the text says of data, `automorphisms` computes the permutations that preserve
these facts, `search` certifies them; `sorts` permutes whole sorts, and `diagnosis` explains which
statement breaks a symmetry.
"""
