"""The registry of clauses of Mordheim."""

from __future__ import annotations

from tapeline.engine.clauses import RuleBook

__all__ = ["BOOK"]

BOOK = RuleBook("MH")
