"""One module for each subcommand; it has `HELP`, `EXAMPLES`, `TAKES` and `run(request) -> int`."""
