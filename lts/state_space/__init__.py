"""The state space of a linear process.

`encode` writes the process down for the engine; `generation` explores it, `simulation` walks
through it, and `evaluation` computes data without it."""
