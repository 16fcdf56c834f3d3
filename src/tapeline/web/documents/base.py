"""What all documents of the web share."""

from __future__ import annotations

from typing import Annotated, Any, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Coordinate", "Document", "Point", "Values"]

#: x, y, table units.
Point: TypeAlias = tuple[float, float]
#: Far beyond any table, so that no figure overflows.
Coordinate: TypeAlias = Annotated[float, Field(ge=-1e4, le=1e4, allow_inf_nan=False)]
#: Plain JSON values by name.
Values: TypeAlias = dict[str, Any]


class Document(BaseModel):
    """Strict: unknown keys and numbers that are none are refused, by name."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)

    @classmethod
    def of(cls, value: object, /, **other: Any) -> Self:
        """What `value` says under the same names; `other`: what it does not say, or not so."""
        same = (name for name in cls.model_fields if name not in other and hasattr(value, name))
        return cls(**{name: getattr(value, name) for name in same}, **other)
