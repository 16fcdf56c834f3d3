"""Battles, matches and cases: files and clocks stay here, out of the verdicts."""
