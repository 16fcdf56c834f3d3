"""What is answered instead of what was asked for."""

from __future__ import annotations

from tapeline.web.documents.base import Document
from tapeline.web.documents.catalogue import Fault
from tapeline.web.documents.verdict import Finding

__all__ = ["Faults", "Refusal"]


class Faults(Document):
    """Input that cannot be used: every fault, and where it is."""

    detail: list[Fault]


class Refusal(Document):
    """Why something is not done. findings: the clauses behind it, where it is the rules."""

    detail: str
    findings: list[Finding] = []
