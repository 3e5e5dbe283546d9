"""Reductions: quotients stored as files that can be expanded again.

`rho_encoding` reduces and expands, `storage` reads and writes the pair of files, `minimal`
minimises completely, `comparison` compares the originals of two reductions, `facts` reports sizes
of the original.
"""
