"""What a muCRL text means before it does anything: sorts, overloading, types.

`declarations` collects what is declared, `check` types terms and processes with it and makes the
specification; `places` tell where errors are."""
