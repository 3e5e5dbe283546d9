"""One state of each orbit, explored in partitions: counted, or combined into the quotient.

A hash of the representative determines the partition that owns an orbit. The worker that expands a
state computes the representatives of its successors. Levels are as in generation. Modules in
reading order: `worker` (one partition), `levels`, `exploring` (the exploration and the proof),
`quotient`, `attempts` (restarts and resumption), and `counting`, which has the public functions.
"""
