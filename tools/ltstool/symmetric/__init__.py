"""What commands do under a symmetry.

`given` reads the symmetry that the command line names. `reductions` serves `reduce` and
`check-symmetry`, `quotient` serves `generate`, `refinements` serves `compare`, and `searches`
looks for labels and deadlocks."""
