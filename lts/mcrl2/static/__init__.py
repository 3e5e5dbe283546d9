"""Static checks of mCRL2: names, sorts, typing.

`sorts` resolves sorts, and `declarations` collects what is declared, with `values` for global
variables. `options` are the possible sorts of an expression, `operators` those of polymorphic
functions, `binders` those of quantifiers, comprehensions and function values; `inference` types
expressions with all of them, `currying` and `rules` turn equations into rules. `action_sets` and
`processes` type processes; `check` combines everything and builds the specification."""
