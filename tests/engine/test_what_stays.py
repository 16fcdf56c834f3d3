"""Making what stays holds up the collector of garbage, and only meanwhile."""

from __future__ import annotations

import gc

import pytest

from tapeline.work import making_what_stays


def test_no_garbage_is_looked_for_meanwhile_whatever_happens() -> None:
    def work() -> None:
        with making_what_stays():
            assert not gc.isenabled()
            raise ValueError("a fault")

    assert gc.isenabled()
    with pytest.raises(ValueError, match="a fault"):
        work()
    assert gc.isenabled()


def test_who_has_switched_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with making_what_stays():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
