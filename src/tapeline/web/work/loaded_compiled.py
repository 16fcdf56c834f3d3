"""As `loaded`, with the compiled kernels, which are in the cache."""

from __future__ import annotations

import contextlib

from tapeline.errors import BackendError
from tapeline.geometry import backends
from tapeline.web.work import loaded

__all__ = ["loaded"]

with contextlib.suppress(BackendError):
    backends.warmup()
