"""One state of each orbit, explored in partitions, and counted.

A partition owns the orbits whose representatives a hash gives it; who expands a state finds the
representatives of its targets. Read `worker` (one partition), then `counting` (the supersteps, and
what is proven).
"""
