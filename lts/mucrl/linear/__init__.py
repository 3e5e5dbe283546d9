"""Linear processes: components under control points, and summands of what they do together.

`process` is the result. `call_graph` says which recursion is finite, `control` unfolds a component
into control points, `linearise` puts components together, with `relabelling` around them and
`equations` solved; `hash_consing` keeps equal parts once. `simplification` makes the result
smaller, `printing` writes it as a specification."""
