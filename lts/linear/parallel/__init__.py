"""Summands that run side by side, and the operators around them.

`relabelling` is what `encap`, `hide` and `rename` do to names. `communication` puts lists of
summands side by side as in muCRL, where actions communicate in pairs; `synchronisation` as in
mCRL2, where whatever happens at once is one of the `multi_actions`.
"""
