"""Options of all commands: their `table`, the `parser` made from it, what a command line asks for
(`request`), and which options apply to a kind of input (`applicability`)."""
