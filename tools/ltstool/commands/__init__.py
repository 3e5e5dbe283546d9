"""One module for each subcommand; it has `HELP`, `add_arguments(parser)` and `run(arguments) ->
int`."""
