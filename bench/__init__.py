"""Benchmarks: `python -m bench` prints the figures of docs/bench.md for this machine."""
