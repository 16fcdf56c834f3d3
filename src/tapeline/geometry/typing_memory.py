"""Numba finds out what an operator gives for numbers once a session, not at every place it is used.

Kernels are plain arithmetic: many thousand operators, a few hundred kinds of operands. Numba tries
all that it knows for each of them, NumPy's rules among it, and compares all options of a compiler
at each try: a good part of the time that compiling took.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

__all__ = ["typing_remembered"]


@contextlib.contextmanager
def typing_remembered() -> Iterator[None]:
    """While this lasts, types that were found out for numbers and arrays are remembered."""
    try:
        known = importlib.import_module("numba.core.types")
        builtin: Any = importlib.import_module("numba.core.types.functions").BaseFunction
        options: Any = importlib.import_module("numba.core.targetconfig").TargetConfig
        plain = (known.Number, known.Boolean, known.Array)
        find, same, digest = builtin.get_call_type, options.__eq__, options.__hash__
    except (ImportError, AttributeError):
        yield  # A Numba made otherwise: it compiles as it does, in more time.
        return
    digests: dict[type, int] = {}
    found: dict[Any, tuple[Any, Any]] = {}

    def remembered(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all(isinstance(one, plain) for one in args):
            return find(self, context, args, kws)
        key = id(self), id(context), *args
        if key not in found:
            # Held as well: an id is that of another as soon as nobody holds it.
            found[key] = find(self, context, args, kws), self
        return found[key][0]

    def equal(self: Any, other: Any) -> Any:
        # Most often the very same are said.
        if type(self) is type(other) and self._values == other._values:
            return True
        return same(self, other)

    def digested(self: Any) -> int:
        # Of the names of the options alone, which are those of the class.
        if type(self) not in digests:
            digests[type(self)] = digest(self)
        return digests[type(self)]

    builtin.get_call_type = remembered
    options.__eq__, options.__hash__ = equal, digested
    try:
        yield
    finally:
        builtin.get_call_type = find
        options.__eq__, options.__hash__ = same, digest
