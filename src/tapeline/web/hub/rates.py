"""How often something may be done: a bucket a key that fills again, and counts within an hour."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from tapeline.web.work.faults import TooOftenError

__all__ = ["Hourly", "Rate", "grouped"]

#: Keys remembered at most; the ones not seen longest are forgotten first.
KEYS = 20_000


def grouped(address: str) -> str:
    """An address as it is counted: of IPv6 the first 64 bits, as many as one subscriber has."""
    if ":" not in address:
        return address
    try:
        whole = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if whole.ipv4_mapped is not None:
        return str(whole.ipv4_mapped)
    if whole.is_loopback:
        return address
    return str(ipaddress.IPv6Network((whole, 64), strict=False))


class Rate:
    """So many a second in the long run, so many at once. Not for several threads."""

    def __init__(
        self, per_second: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.per_second = per_second
        self.burst = burst
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    @classmethod
    def a_minute(cls, many: int) -> Rate:
        """So many a minute, and all of them at once."""
        return cls(many / 60.0, many)

    def take(self, key: str, many: float = 1.0) -> None:
        """Count one, or so many. Raises TooOftenError when there is not as much left.

        More than all at once is let through when all is left.
        """
        now = self._clock()
        left, before = self._left.pop(key, (float(self.burst), now))
        left = min(float(self.burst), left + (now - before) * self.per_second)
        fits = left >= min(many, float(self.burst))
        self._left[key] = (left - many if fits else left, now)
        while len(self._left) > KEYS:
            self._left.popitem(last=False)
        if not fits:
            raise TooOftenError(
                "too many calls; wait a moment", (min(many, self.burst) - left) / self.per_second
            )


class Hourly:
    """So many in any hour. Not for several threads."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def take(self, key: str) -> None:
        """Count one. Raises TooOftenError when there have been as many."""
        now = self._clock()
        times = self._times.pop(key, deque())
        while times and times[0] <= now - 3600.0:
            times.popleft()
        self._times[key] = times
        while len(self._times) > KEYS:
            self._times.popitem(last=False)
        if len(times) >= self.most:
            message = f"no more than {self.most} new matches an hour from one address"
            raise TooOftenError(message, 3600.0 - (now - times[0]))
        times.append(now)
