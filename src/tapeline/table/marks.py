"""Small immutable mappings for what a system remembers of a body, a unit or the sequence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from typing_extensions import TypeAliasType

from tapeline.errors import Fault, printable

__all__ = ["EMPTY", "Marks", "Value", "freeze", "halves", "parts_of_document", "thaw"]

_HALF = re.compile("[\ud800-\udfff]")

#: What a mark may hold: JSON, with tuples for lists and `Marks` for objects.
Value = TypeAliasType("Value", "bool | int | float | str | tuple[Value, ...] | Marks | None")


class Marks(Mapping[str, "Value"]):
    """An immutable, hashable mapping from names to frozen JSON values.

    >>> a = Marks({"down": True, "blood": 2})
    >>> a.set(blood=3)["blood"], a["blood"]
    (3, 2)
    >>> a.set(down=None) == Marks({"blood": 2})
    True
    >>> a.whole("blood"), a.number("heat"), a.text("name"), a.texts("words")
    (2, 0.0, '', ())
    """

    __slots__ = ("_data", "_hash")

    def __init__(self, data: Mapping[str, Value] | None = None) -> None:
        self._data: dict[str, Value] = dict(data) if data else {}
        self._hash: int | None = None

    def __getitem__(self, key: str) -> Value:
        return self._data[key]

    if not TYPE_CHECKING:  # typed as that of Mapping, which would take five times as long

        def get(self, key, default=None):
            """The value of a name, or `default`."""
            return self._data.get(key, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Marks):
            return self._data == other._data
        return NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._data.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"Marks({self._data!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Marks, (self._data,))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(
            _frozen_object,
            core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema()),
            serialization=core_schema.plain_serializer_function_ser_schema(thaw),
        )

    def whole(self, name: str) -> int:
        """A whole number; 0 if there is none of that name."""
        value = self._data.get(name)
        return value if isinstance(value, int) else 0

    def number(self, name: str) -> float:
        """A number; 0 if there is none of that name."""
        value = self._data.get(name)
        return float(value) if isinstance(value, int | float) else 0.0

    def text(self, name: str) -> str:
        """A text; empty if there is none of that name."""
        value = self._data.get(name)
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty if there is none of that name."""
        value = self._data.get(name)
        return tuple(map(str, value)) if isinstance(value, tuple) else ()

    def set(self, **changes: Value) -> Marks:
        """The same marks with some changed; a value of None takes the mark away."""
        return self.update(changes)

    def update(self, changes: Mapping[str, Value]) -> Marks:
        """As `set`, from a mapping."""
        data = dict(self._data)
        for key, value in changes.items():
            if value is None:
                data.pop(key, None)
            else:
                data[key] = value
        return Marks(data)


EMPTY = Marks()

#: Whole numbers up to here are the same in every language that reads a document.
_LARGEST = 10**15 - 1
#: Lists and objects within one another.
_DEEPEST = 50


def freeze(value: Any, _depth: int = 0) -> Value:
    """JSON as it comes from a parser, made immutable. Raises TypeError on anything else."""
    if isinstance(value, float) and not isfinite(value):
        raise TypeError(f"{value} is not a finite number")
    if isinstance(value, int) and not -_LARGEST <= value <= _LARGEST:
        raise TypeError("a whole number has at most 15 digits")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Marks):
        return value
    if _depth >= _DEEPEST:
        raise TypeError("is nested too deeply")
    if isinstance(value, list | tuple):
        return tuple(freeze(item, _depth + 1) for item in value)
    if isinstance(value, Mapping):
        return Marks({str(key): freeze(item, _depth + 1) for key, item in value.items()})
    raise TypeError(f"cannot keep a {type(value).__name__} as a mark")


def _frozen_object(value: dict[str, Any]) -> Marks:
    try:
        return Marks({key: freeze(item) for key, item in value.items()})
    except TypeError as error:
        raise ValueError(str(error)) from None


def thaw(value: Value) -> Any:
    """The inverse of `freeze`: lists and dicts, ready for JSON."""
    if isinstance(value, Marks):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [thaw(item) for item in value]
    return value


def halves(value: Any, path: str = "") -> Iterator[Fault]:
    """Texts and names in plain values that hold half a character: JSON can write it, UTF-8 not."""
    for where, name, item in parts_of_document(value, path):
        if _HALF.search(name):
            yield Fault(where, "has a name with half a character (a surrogate alone)")
        if isinstance(item, str) and _HALF.search(item):
            yield Fault(where, "holds half a character (a surrogate alone)")


def parts_of_document(value: Any, path: str = "", name: str = "") -> Iterator[tuple[str, str, Any]]:
    """Plain values and all in them, each with its path, its name in what holds it, "" if it has
    none, and itself."""
    yield path, name, value
    if isinstance(value, Mapping):
        for key, item in value.items():
            where = f"{path}.{printable(key)[:60]}" if path else printable(key)[:60]
            yield from parts_of_document(item, where, key)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from parts_of_document(item, f"{path}[{index}]")
