"""The rule book of this system."""

from __future__ import annotations

from tapeline.engine.clauses import RuleBook

__all__ = ["BOOK"]

BOOK = RuleBook("WM")
