"""Pipelines: named steps in a file, each run again only if its inputs have changed.

`steps` has the data types, `reader` parses the file, `order` determines the dependencies. `trace`
is the process of a step, which records the files that it reads and writes; `records` stores these
by content, and tells whether a result is still valid. `execution` runs the steps, `expected`
compares their output with what is expected; `report` and `picture` show the outcome.
"""
