"""Matches in memory: who may do what, in which order, and who is told."""
