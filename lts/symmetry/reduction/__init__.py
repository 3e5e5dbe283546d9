"""Reductions: quotients as files that can be expanded again.

`rho_encoding` reduces and expands, `storage` reads and writes the pair of files, `minimal` is
complete minimisation, `comparison` compares the originals of two reductions, `facts`
counts what is in one."""
