"""Commands under a symmetry.

`given` reads the symmetry that the command line names, `explored` explores one state of each orbit.
`reductions` serves `reduce` and `check-symmetry`, `quotient` serves `generate` and `compose`,
`refinements` serves `compare`.
"""
