"""What an mCRL2 text means before it does anything: names, sorts, types.

`sorts` resolves sorts, `declarations` collects what is declared, with `values` for what is global.
`options` says what sorts an expression may have, `operators` that of functions of many sorts,
`binders` that of quantifiers, comprehensions and functions as values, and `inference` types
expressions with all of them. `action_sets` and `processes` type processes; `check` does
all of it and makes the specification."""
