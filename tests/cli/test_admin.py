"""`tapeline admin` on a database that no server has open: what it says, asks and refuses."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result
from sqlalchemy import text

from support.scenes import toy_scene
from tapeline.cli.admin import admin
from tapeline.play.match import Match
from tapeline.web.hub.creators import fits, kept_line, read_line
from tapeline.web.store.store import KeptLink, KeptMatch, Store

Run = Callable[..., Result]
URL = "sqlite:///m.db"
LINKS = [KeptLink("side", "red", b"r" * 32), KeptLink("watch", None, b"w" * 32)]


@pytest.fixture
def go(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run an admin command on the database m.db."""
    monkeypatch.setenv("TAPELINE_DATABASE", URL)

    def admin(*words: str, typed: str | None = None) -> Result:
        return run("admin", *words, typed=typed)

    return admin


@pytest.fixture
def store(run: Run) -> Store:
    """Two matches, the second with an entry, and a copy of it made long ago; closed at once."""
    store = Store(URL)
    for match_id, name in (("m1", "fi\x1b[2Jrst"), ("m2", "second"), ("m3", "old")):
        header, *_ = Match.start(toy_scene()).lines()
        line = header.replace('"four discs"', json.dumps(name))
        copy_of = "m2" if match_id == "m3" else None
        kept = KeptMatch(match_id, "links", "server", "seed", copy_of)
        store.create(kept, [line], LINKS)
    match = Match.start(toy_scene())
    match.do({"kind": "move", "actor": "R1", "path": [{"to": [5, 6]}]})
    store.append("m2", 0, [*match.lines()][1:])
    with store.engine.begin() as connection:
        old = datetime.now(UTC) - timedelta(days=30)
        connection.execute(text("UPDATE matches SET created = :t WHERE id = 'm3'"), {"t": str(old)})
    store.close()
    return store


def told(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def rows(path: str = "m.db.audit.jsonl") -> list[dict[str, Any]]:
    found = [json.loads(line) for line in Path(path).read_text().splitlines()]
    return [{k: v for k, v in row.items() if k not in ("at", "who", "host")} for row in found]


def test_every_command_explains_itself(run: Run) -> None:
    for name, command in admin.commands.items():
        said = run("admin", name, "--help").stdout
        assert f"  tapeline admin {name}" in said, "an example"
        assert "--json" in said
        options = [p for p in command.params if isinstance(p, click.Option)]
        assert all(option.help for option in options), name
        assert command.short_help


def test_the_list_has_the_one_played_last_first(go: Run, store: Store) -> None:
    found = told(go("list", "--json"))
    assert found["format"] == "tapeline-admin-list/1"
    assert [one["id"] for one in found["matches"]] == ["m2", "m1", "m3"]
    m2, m1, m3 = found["matches"]
    assert (m2["entries"], m2["system"], m2["name"], m2["mode"]) == (1, "toy", "second", "links")
    assert m1["name"] == "fi\x1b[2Jrst"
    assert m2["bytes"] > 800
    assert (m3["copy_of"], m3["entries"]) == ("m2", 0)
    said = go("list").stdout
    assert "\x1b" not in said
    assert "fi\\u001b[2Jrst" in said
    assert said.endswith("3 matches\n")
    assert [one["id"] for one in told(go("list", "--copies", "--json"))["matches"]] == ["m3"]
    older = told(go("list", "--older-than", "29d", "--json"))
    assert [one["id"] for one in older["matches"]] == ["m3"]
    assert told(go("list", "--older-than", "31d", "--json"))["matches"] == []


@pytest.mark.parametrize("bad", ["90", "0d", "-3d", "3y", "d", "1000000d", ""])
def test_an_age_that_is_none_is_said_so(go: Run, store: Store, bad: str) -> None:
    result = go("purge", "--older-than", bad, "--yes")
    assert result.exit_code == 2
    assert "is no age; say it as 36h, 90d or 12w" in result.stderr


def test_a_match_is_shown_with_its_links_and_no_secret(go: Run, store: Store) -> None:
    found = told(go("show", "m2", "--json"))
    assert found["links"] == [{"role": "side", "side": "red"}, {"role": "watch", "side": None}]
    assert (found["entries"], found["proposals"]) == (1, 0)
    said = go("show", "m2").stdout
    assert "red, watch" in said
    assert "seed" not in said + json.dumps(found)
    missing = go("show", "m9")
    assert missing.exit_code == 2
    assert missing.stderr == "tapeline: there is no match 'm9'\n"


def test_a_log_that_is_exported_is_that_of_the_match(go: Run, run: Run, store: Store) -> None:
    said = go("export", "m2", "-o", "m2.jsonl")
    assert said.stdout == "m2.jsonl: 1 entry\n"
    text = Path("m2.jsonl").read_text()
    assert text.count("\n") == 2
    assert run("replay", "m2.jsonl").exit_code == 0
    assert go("export", "m2").stdout == text
    found = told(go("export", "m2", "--json"))
    assert (found["log"], found["file"], found["entries"]) == (text, None, 1)
    assert rows()[0] == {"act": "export", "match": "m2"}
    assert go("export", "m9").exit_code == 2


def test_what_is_destroyed_is_asked_about_first(go: Run, store: Store) -> None:
    for words in (
        ("delete", "m1"),
        ("purge", "--older-than", "1d"),
        ("rotate-link", "m1", "red"),
        ("revoke", "m1", "--all"),
    ):
        for typed in ("n\n", ""):
            result = go(*words, typed=typed)
            assert result.exit_code == 1, words
            assert "Aborted!" in result.stderr
            assert result.stdout == ""
    assert len(told(go("list", "--json"))["matches"]) == 3
    assert not Path("m.db.audit.jsonl").exists(), "nothing was begun"
    assert go("delete", "m1", typed="y\n").exit_code == 0
    assert len(told(go("list", "--json"))["matches"]) == 2


def test_of_several_to_be_deleted_one_that_is_missing_stops_all(go: Run, store: Store) -> None:
    assert go("delete", "m1", "m9", "--yes").exit_code == 2
    assert len(told(go("list", "--json"))["matches"]) == 3


def test_a_match_is_deleted_with_the_copies_made_of_it(go: Run, store: Store) -> None:
    found = told(go("delete", "m2", "m2", "--yes", "--json"))
    assert [one["id"] for one in found["matches"]] == ["m2", "m3"]
    assert (found["deleted"], found["scrubbed"]) == (2, True)
    assert b"second" not in Path("m.db").read_bytes()
    assert [one["id"] for one in told(go("list", "--json"))["matches"]] == ["m1"]
    assert rows() == [
        {"act": "delete", "match": "m2", "entries": 1},
        {"act": "delete", "match": "m3", "entries": 0},
    ]


def test_a_purge_takes_what_is_old_and_nothing_else(go: Run, store: Store) -> None:
    found = told(go("purge", "--older-than", "4w", "--dry-run", "--json"))
    assert [one["id"] for one in found["matches"]] == ["m3"]
    assert found["deleted"] == 0
    assert len(told(go("list", "--json"))["matches"]) == 3
    assert go("purge", "--older-than", "52w", "--yes").stdout == "nothing was deleted\n"
    found = told(go("purge", "--older-than", "4w", "--yes", "--json"))
    assert found["deleted"] == 1
    assert [one["id"] for one in told(go("list", "--json"))["matches"]] == ["m2", "m1"]


def test_links_are_named_as_they_are_shown(go: Run, store: Store) -> None:
    wrong = go("rotate-link", "m1", "blue", "--yes")
    assert wrong.exit_code == 2
    assert wrong.stderr == "tapeline: match m1 has no link 'blue'; it has: red, watch\n"
    found = told(go("revoke", "m1", "red", "watch", "--yes", "--json"))
    assert len(found["links"]) == 2
    assert go("show", "m1").stdout.split()[-2:] == ["links", "none"]
    assert told(go("show", "m1", "--json"))["links"] == []
    assert told(go("show", "m2", "--json"))["links"] != []
    for words in (("revoke",), ("revoke", "m1"), ("revoke", "m1", "red", "--all")):
        assert go(*words, "--yes").exit_code == 2
    assert go("revoke", "m1", "red", "--invitation", "1").exit_code == 2
    gone = go("revoke", "--invitation", "1")
    assert (gone.exit_code, gone.stderr) == (2, "tapeline: there is no invitation 1\n")


def test_invitations_are_listed_without_their_secret(go: Run, store: Store) -> None:
    said = go("invite", "--uses", "3", "--note", "Ann\x07", "--address", "https://x.org/").stdout
    assert said.startswith("https://x.org/#invitation=")
    token = said.strip().partition("=")[2]
    (one,) = told(go("invitations", "--json"))["invitations"]
    assert (one["number"], one["uses"], one["note"]) == (1, 3, "Ann\x07")
    assert "Ann\\u0007" in go("invitations").stdout
    for name in ("m.db", "m.db.audit.jsonl"):
        assert token.encode() not in Path(name).read_bytes()
    assert go("invite", "--note", "x" * 201).exit_code == 2


def test_stats_count_everything(go: Run, store: Store) -> None:
    found = told(go("stats", "--json"))
    counts = {name: found[name] for name in ("matches", "copies", "entries", "links", "proposals")}
    assert counts == {"matches": 3, "copies": 1, "entries": 1, "links": 6, "proposals": 0}
    assert found["bytes_of_database"] >= Path("m.db").stat().st_size > 0
    assert found["oldest"] < found["played"]
    assert "bytes of entries" in go("stats").stdout


def test_a_copy_is_one_file_of_all_that_there_is(go: Run, store: Store) -> None:
    # What is in the file beside the database alone is copied too.
    with sqlite3.connect("m.db", isolation_level=None) as other:
        other.execute("UPDATE matches SET seed = 'written late' WHERE id = 'm1'")
        assert b"written late" not in Path("m.db").read_bytes()
        found = told(go("backup", "copy.db", "--json"))
        assert (found["matches"], found["entries"]) == (3, 1)
    other.close()
    assert b"written late" in Path("copy.db").read_bytes()
    assert Path("copy.db").stat().st_mode & 0o777 == 0o600
    assert not [*Path().glob("copy.db-*")], "nothing beside it"
    there = go("backup", "copy.db")
    assert there.exit_code == 2
    assert "is there already" in there.stderr
    assert go("backup", "copy.db", "--force").exit_code == 0
    assert not [*Path().glob("*.part")]


def test_a_copy_is_put_back_whole(go: Run, store: Store) -> None:
    go("backup", "copy.db")
    go("delete", "m1", "m2", "--yes")
    asked = go("restore", "copy.db", typed="n\n")
    assert asked.exit_code == 1
    assert "Put 3 matches, 1 entry in the place of all in m.db?" in asked.stderr
    assert go("restore", "copy.db", "--yes").stdout == "m.db: 3 matches, 1 entry\n"
    assert len(told(go("list", "--json"))["matches"]) == 3
    # Where there is none, it is made, for its owner alone.
    for path in Path().glob("m.db*"):
        path.unlink()
    assert go("restore", "copy.db").exit_code == 0
    assert Path("m.db").stat().st_mode & 0o777 == 0o600
    assert len(told(go("list", "--json"))["matches"]) == 3


def test_a_copy_that_is_damaged_or_none_of_ours_is_not_put_back(go: Run, store: Store) -> None:
    go("backup", "copy.db")
    whole = Path("copy.db").read_bytes()
    broken = bytearray(whole)
    broken[4096 * 2 : 4096 * 9] = b"\xff" * 4096 * 7
    Path("broken.db").write_bytes(broken)
    Path("text.db").write_text("no database at all")
    sqlite3.connect("other.db").execute("CREATE TABLE t (x)").connection.close()
    late = sqlite3.connect("late.db")
    with sqlite3.connect("copy.db") as source:
        source.backup(late)
    late.execute("UPDATE alembic_version SET version_num = '9999'")
    late.commit()
    late.close()
    source.close()
    said = {
        "broken.db": "broken.db",
        "text.db": "text.db: file is not a database",
        "other.db": "other.db is no database of Tapeline",
        "late.db": "late.db is of a later version of Tapeline (9999)",
    }
    for name, words in said.items():
        result = go("restore", name, "--yes")
        assert result.exit_code == 2, name
        assert words in result.stderr
    assert len(told(go("list", "--json"))["matches"]) == 3


def test_a_damaged_database_is_put_aside(go: Run, store: Store) -> None:
    go("backup", "copy.db")
    Path("m.db").write_bytes(b"broken" * 1000)
    assert go("list").exit_code == 2
    found = told(go("restore", "copy.db", "--yes", "--json"))
    assert Path(found["aside"]).read_bytes() == b"broken" * 1000
    assert len(told(go("list", "--json"))["matches"]) == 3


def test_for_postgresql_the_command_is_told(run: Run) -> None:
    url = "postgresql+psycopg://me:secret@db.example/table"
    result = run("admin", "backup", "x.db", "--database", url)
    assert result.exit_code == 2
    assert "pg_dump --format=custom" in result.stderr
    assert "postgresql://me@db.example/table" in result.stderr
    assert "pg_restore" in result.stderr
    assert result.stderr.count("\n") == 1
    assert "secret" not in result.stderr


def test_a_database_that_is_not_there_is_not_made(run: Run) -> None:
    for words in (("list",), ("stats",), ("delete", "m1"), ("backup", "x.db")):
        result = run("admin", *words, "--database", "sqlite:///nowhere.db")
        assert result.exit_code == 2
        assert "nowhere.db" in result.stderr
    assert not Path("nowhere.db").exists()
    assert run("admin", "list", "--database", "nonsense").exit_code == 2
    assert run("admin", "list", "--database", "sqlite://").exit_code == 2


def test_without_the_audit_log_nothing_is_done(go: Run, store: Store) -> None:
    Path("file").touch()
    result = go("delete", "m1", "--yes", "--audit-log", "file/log")
    assert result.exit_code == 2
    assert "nothing was done" in result.stderr
    assert len(told(go("list", "--json"))["matches"]) == 3


def test_a_password_is_kept_as_what_scrypt_makes_of_it(run: Run) -> None:
    typed = "correct horse\ncorrect horse\n"
    result = run("admin", "password", "p", "--json", typed=typed)
    assert result.exit_code == 0, result.output
    line = read_line(Path("p").read_text())
    assert line.startswith("scrypt:16384:8:5:")
    assert "horse" not in line
    assert fits("correct horse", line)
    assert not fits("correct horsf", line)
    assert not fits("", line)
    assert not fits("correct horse", "")
    assert kept_line("correct horse") != line, "salted"
    assert Path("p").stat().st_mode & 0o777 == 0o600
    short = run("admin", "password", "q", typed="short\nshort\n")
    assert (short.exit_code, Path("q").exists()) == (2, False)
    other = run("admin", "password", "q", typed="one password\nanother one\n")
    assert (other.exit_code, Path("q").exists()) == (1, False)
