"""Static checks of muCRL: sorts, overloading, typing.

`declarations` collects what is declared; with it, `check` types terms and processes and builds the
specification. `places` finds the places of errors."""
