"""One state of each orbit, explored in partitions: counted, or put together to the quotient.

A partition owns the orbits whose representatives a hash gives it; who expands a state finds the
representatives of its targets. Levels are those of a generation. Read `worker` (one partition),
`levels`, `exploring` (what is explored, and what is proven), `quotient`, `attempts` (how a run goes
on), then `counting`, which has what is called.
"""
