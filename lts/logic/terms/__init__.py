"""Data terms in formulas.

Parsers of formulas build terms by `text`: over labels by `labels`, over a specification by `typed`.
`candidates` and `representatives` are the values of variables that matter."""
