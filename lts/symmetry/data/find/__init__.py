"""Detection of the symmetries of a specification.

`facts` is what its text says of data, `automorphisms` are those of these facts, `search` certifies
them; `sorts` are whole sorts that can be permuted, and `diagnosis` says what breaks others."""
