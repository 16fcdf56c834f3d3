"""A machine that lacks something: one sentence that says what, and what is left is as before."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tapeline.cli.app import app
from tapeline.play.files import write_whole
from tapeline.play.match import Match

pytestmark = pytest.mark.skipif(os.name == "nt", reason="limits are set otherwise there")

SCENE = Path(__file__).parents[2] / "examples" / "sovl-ford.json"
MAIN = "from tapeline.cli import main; main()"


def limited(limit: str, *words: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, under a limit of the shell."""
    return subprocess.run(
        ["sh", "-c", f'{limit}; exec "$@"', "sh", sys.executable, "-c", MAIN, *words],
        cwd=cwd,
        env={**os.environ, "XDG_DATA_HOME": str(cwd / "data"), **more},
        capture_output=True,
        text=True,
        timeout=120,
    )


def one_sentence(done: subprocess.CompletedProcess[str] | Result) -> str:
    code = done.exit_code if isinstance(done, Result) else done.returncode
    assert code == 2, done
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("tapeline: ")
    return line


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device of a full disk")
@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_on_a_full_disk(tmp_path: Path, word: str) -> None:
    done = limited('exec >/dev/full; set -- "$@"', word, cwd=tmp_path)
    assert one_sentence(done) == "tapeline: No space left on device"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a file that never ends")
def test_a_file_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tapeline.table.json_documents._MOST_MEGABYTES", 1)
    done = CliRunner().invoke(app, ["draw", "/dev/zero", "-o", "zero.svg"])
    assert done.exit_code == 2
    assert done.stderr == "tapeline: /dev/zero: 1 fault\n  is larger than 1 MB, as no document is\n"


def test_too_few_files_may_be_open(tmp_path: Path) -> None:
    words = ("serve", "--port", "0", "--no-compile")
    for files in (8, 40, 100):
        told = one_sentence(limited(f"ulimit -n {files}", *words, cwd=tmp_path))
        assert f"{files} files" in told
        assert "ulimit -n" in told


@pytest.mark.parametrize(
    "error", [MemoryError(), ImportError("numpy._core.multiarray failed to import")]
)
def test_too_little_memory(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """How a library that finds no memory ends differs; most fail to load, or ask in vain."""

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr("tapeline.cli.check.load", fail)
    done = CliRunner().invoke(app, ["check", str(SCENE)], catch_exceptions=False)
    assert "memory" in one_sentence(done)


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """The limit of the size of a file stands for a disk that is full."""
    (tmp_path / "table.svg").write_text("before")
    small = "ulimit -f 1; trap '' XFSZ"
    told = one_sentence(
        limited(small, "draw", str(SCENE), "-o", "table.svg", cwd=tmp_path, PYTHONUNBUFFERED="1")
    )
    assert "table.svg: File too large" in told
    assert (tmp_path / "table.svg").read_text() == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["table.svg"], "nothing half-done"


@pytest.mark.parametrize(
    "words",
    [
        ("draw", str(SCENE), "-o", "{}/x.svg"),
        ("new", "sovl", "-o", "{}/x.json"),
        ("serve", "--port", "0", "--database", "sqlite:///{}/x.db"),
        ("play", "--port", "0", "--database", "sqlite:///{}/x.db"),
    ],
    ids=lambda words: words[0],
)
def test_a_folder_that_cannot_be_written(
    tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is no folder stands for one that may only be read, which root may write."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "file").touch()
    given = [word.format(tmp_path / "file") for word in words]
    told = one_sentence(CliRunner().invoke(app, given, catch_exceptions=False))
    assert "file" in told
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_kernels_are_not_compiled_for_nothing(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    (tmp_path / "file").touch()
    told = one_sentence(
        limited("true", "warmup", "--json", cwd=tmp_path, TAPELINE_CACHE=str(tmp_path / "file"))
    )
    assert "TAPELINE_CACHE" in told


def test_a_log_that_cannot_be_written_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, path = Match.start(SCENE), tmp_path / "game.log"
    match.save(path)
    before = path.read_bytes()

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match=r"No space left.*game\.log'"):
        match.save(path)
    assert path.read_bytes() == before
    assert [*tmp_path.iterdir()] == [path]


def test_a_device_is_written_to_and_stays_one() -> None:
    write_whole("/dev/null", json.dumps([1]).encode())
    assert not Path("/dev/null").is_file()
