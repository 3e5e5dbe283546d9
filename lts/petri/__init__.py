"""Petri nets: place/transition nets and symmetric nets in PNML (ISO/IEC 15909).

Read `net.py` first, then `pnml.py`, which reads files, `ground.py`, which replaces variables by
colours, `process.py`, which passes nets to the engine, and `symmetry.py`.
"""
