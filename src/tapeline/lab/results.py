"""Results of an experiment as Parquet and CSV: a row each, in the order of their units."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from tapeline.errors import TapelineError
from tapeline.lab.kind import ExperimentKind, Row

__all__ = ["columns_of", "needs_parquet", "write_results"]

#: Rows of a row group of Parquet.
_GROUP = 50_000


def columns_of(kind: ExperimentKind) -> dict[str, str]:
    """All columns of the results: those of every kind, and its own between."""
    first = {"unit": "whole", "source": "text", "seed": "text"}
    last = {"fault": "text", "document": "text", "hash": "text", "versions": "text"}
    return {**first, **kind.columns, **last}


def needs_parquet() -> Any:
    """The library for Parquet. Raises TapelineError where it is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise TapelineError("the lab wants the extra `lab`: pip install 'tapeline[lab]'") from None
    return pyarrow


def write_results(folder: Path, columns: Mapping[str, str], rows: Iterable[Row]) -> int:
    """Write results.parquet and results.csv; how many rows. Each appears whole or not at all."""
    arrow = needs_parquet()
    types = {"text": arrow.string(), "whole": arrow.int64(), "figure": arrow.float64()}
    schema = arrow.schema([(name, types[holds]) for name, holds in columns.items()])
    parts = [folder / "results.parquet.part", folder / "results.csv.part"]
    count, rows = 0, iter(rows)
    with (
        arrow.parquet.ParquetWriter(parts[0], schema, compression="zstd") as parquet,
        parts[1].open("w", encoding="utf-8", newline="") as file,
    ):
        lines = csv.DictWriter(file, list(columns), lineterminator="\n")
        lines.writeheader()
        while group := [{name: row.get(name) for name in columns} for row in islice(rows, _GROUP)]:
            parquet.write_table(arrow.Table.from_pylist(group, schema=schema))
            lines.writerows(group)
            count += len(group)
    for part in parts:
        part.replace(part.with_suffix(""))
    return count
