"""One module a subcommand; each has `HELP`, `add_arguments(parser)` and `run(arguments) -> int`."""
