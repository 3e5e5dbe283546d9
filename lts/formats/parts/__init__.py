"""Folders of Parquet files: an LTS in parts with 64-bit states, one for each partition of a run.

A folder, whose name ends with `.parts`, has

- `transitions-0000.parquet`, .. with the columns `source`, `label` and `target` (64, 32 and 64
  bits): the transitions from the states that a partition owns, in the order of their sources;
- `states-0000.parquet`, .. with the column `state`: the states that it owns, in order;
- `labels.parquet` with the columns `label` (a number) and `text`;
- `manifest.json`, which lists the files with their sizes and hashes.

These are plain tables for pandas, DuckDB, Polars and Spark. Modules in reading order: `manifest`,
`writing`, `reading`.
"""

from __future__ import annotations

from lts.formats.parts.manifest import FileFacts, Manifest, manifest
from lts.formats.parts.reading import (
    Row,
    aut_blocks,
    labels_alone,
    part_rows,
    read,
    rows,
)
from lts.formats.parts.writing import FolderWriter, PartWriter, is_parts, write, write_stream

__all__ = [
    "FileFacts",
    "FolderWriter",
    "Manifest",
    "PartWriter",
    "Row",
    "aut_blocks",
    "is_parts",
    "labels_alone",
    "manifest",
    "part_rows",
    "read",
    "rows",
    "write",
    "write_stream",
]
