"""What a specification means before it does anything: sorts, overloading, types.

`declarations` collects what is declared, `check` types terms and processes with it, and
`specification` is the result; `terms` are its data, `places` tell where errors are, `missing_cases`
what no equation covers."""
