"""The audit log: every act is written before it is done, whole, and for its owner alone."""

from __future__ import annotations

import json
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from tapeline.errors import TapelineError
from tapeline.web.audit import audit_file, audited


def _rows(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_an_act_is_written_before_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "ann")
    monkeypatch.setenv("SUDO_USER", "bob")
    log = tmp_path / "deep" / "audit.jsonl"
    with audited(log, "delete", match="0123", entries=4):
        (row,) = _rows(log)
    assert _rows(log) == [row]
    assert row.pop("at").endswith("+00:00")
    assert row.pop("host")
    assert row == {"who": "ann (bob)", "act": "delete", "match": "0123", "entries": 4}
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_an_act_that_fails_says_so(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    with pytest.raises(TapelineError), audited(log, "delete", match="x"):
        raise TapelineError("no such match\x1b[2J\nact")
    begun, failed = _rows(log)
    assert "failed" not in begun
    assert failed["failed"] == "no such match\x1b[2J\nact"
    assert b"\x1b" not in log.read_bytes(), "what is read in a terminal holds nothing raw"


def test_without_a_log_nothing_is_done(tmp_path: Path) -> None:
    done = []
    (tmp_path / "file").touch()
    with (
        pytest.raises(TapelineError, match="nothing was done"),
        audited(tmp_path / "file" / "audit.jsonl", "delete"),
    ):
        done.append(1)
    assert not done


def test_lines_of_several_at_once_stay_whole(tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"

    def act(n: int) -> None:
        for _ in range(20):
            with audited(log, "show", match=str(n) * 500):
                pass

    threads = [threading.Thread(target=act, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(_rows(log)) == 80


def test_where_it_lies_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert audit_file(f"sqlite:///{tmp_path}/m.db") == tmp_path / "m.db.audit.jsonl"
    for url in ("postgresql+psycopg://t@h/n", "sqlite:///:memory:"):
        assert audit_file(url) == tmp_path / "tapeline" / "audit.jsonl"
