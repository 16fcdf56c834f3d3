"""What all documents of the web share."""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict

__all__ = ["Document", "Point", "Values"]

#: x, y, table units.
Point: TypeAlias = tuple[float, float]
#: Plain JSON values by name.
Values: TypeAlias = dict[str, Any]


class Document(BaseModel):
    """Strict: unknown keys and numbers that are none are refused, by name."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)
