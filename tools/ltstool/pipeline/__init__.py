"""Pipelines: named steps in a file, each redone only when what it depends on has changed.

`steps` is what a file says, `reader` reads it, `order` finds which step needs which. `trace` is
the process of a step, which notes the files that it reads and writes; `records` keeps what was
found, by content, and tells whether it still holds. `execution` goes through the steps, `expected`
compares what they print with what was expected; `report` and `picture` show how it went.
"""
