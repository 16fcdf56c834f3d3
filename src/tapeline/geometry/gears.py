"""The two gears of the kernels: plain Python now, compiled by Numba when that pays.

`@kernel` registers a function and gives it back unchanged, so importing costs nothing. Kernels are
plain functions of floats and flat sequences of floats, `a[2 * i + 1]`: lists in plain Python,
float64 arrays when compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["KERNELS", "kernel"]

Function = TypeVar("Function", bound=Callable[..., Any])

#: Every kernel by module and name, in order of registration.
KERNELS: dict[str, Callable[..., Any]] = {}


def kernel(function: Function) -> Function:
    """Register a kernel and give it back unchanged."""
    KERNELS[f"{function.__module__}.{function.__qualname__}"] = function
    return function
