"""mCRL2: from the text of a specification to a typed specification.

`text` is the syntax, `static` resolves names and sorts, `data` has the rules of what every
specification may use: Booleans, numbers, lists, structured sorts. `reader` puts them together."""
