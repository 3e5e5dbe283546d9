"""The language of formulas: its tokens, and a reader for each of its grammar's levels."""
