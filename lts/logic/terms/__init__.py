"""Data terms in formulas.

`text` is what parsers of formulas ask for terms; `labels` makes them over labels, `typed` over a
specification. `candidates` and `representatives` are the values of variables that matter."""
