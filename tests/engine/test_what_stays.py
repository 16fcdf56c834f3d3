"""Making what stays holds up the collector of garbage, and only meanwhile; what is loaded stays."""

from __future__ import annotations

import gc

import pytest

from tapeline.work import making_what_stays, settle


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


def test_once_all_is_loaded_garbage_is_looked_for_less_often() -> None:
    before = gc.get_threshold()
    try:
        for first, then in ((700, 20_000), (50_000, 50_000), (0, 0)):
            gc.set_threshold(first, 10, 10)
            settle()
            assert gc.get_threshold() == (then, 10, 10)
    finally:
        gc.set_threshold(*before)
