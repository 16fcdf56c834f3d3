"""Run the benchmarks and print their table: `python -m bench`."""

from __future__ import annotations

import platform
import sys

from bench.harness import print_table
from bench.verdicts import cold_figures, play_figures, verdict_figures


def main() -> None:
    """Print every figure with its goal."""
    python, machine = platform.python_version(), platform.machine()
    print(f"Python {python}, {platform.system()} {machine}, one core unless said otherwise.\n")
    figures = []
    for name, part in (
        ("verdicts", verdict_figures),
        ("random play", play_figures),
        ("cold start", cold_figures),
    ):
        print(f"... {name}", file=sys.stderr)
        figures += part()
    print_table(figures)


if __name__ == "__main__":
    main()
