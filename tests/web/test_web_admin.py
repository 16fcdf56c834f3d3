"""Admin acts on the database of a server that runs: it notices, and nothing stays behind."""

from __future__ import annotations

import asyncio
import json
import shlex
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing as closing_of
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, event, text

from support.postgres import Cluster
from support.scenes import toy_scene
from tapeline.cli.app import app
from tapeline.web.hub.creators import WAITING, Creators, kept_line
from tapeline.web.hub.matches import digest
from tapeline.web.settings import Settings
from tapeline.web.store.admin import AdminStore
from tapeline.web.store.backup import back_up, look_over
from tapeline.web.store.store import KeptMatch, Store
from tapeline.web.work.faults import BusyError, ForbiddenError
from web.conftest import Start
from web.inside import PATIENCE_S, PLAIN, Inside, Page
from web.test_web_api_live import closing
from web.test_web_api_matches import STEP

pytestmark = pytest.mark.waits

Admin = Callable[..., dict[str, Any]]


def runner(url: str, log: Path) -> Admin:
    """Runs an admin command on a database: what it says as JSON."""

    def go(*words: str) -> dict[str, Any]:
        command = ["admin", *words, "--json", "--database", url, "--audit-log", str(log)]
        done = CliRunner().invoke(app, command, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        told: dict[str, Any] = json.loads(done.stdout)
        return told

    return go


@pytest.fixture
def admin(tmp_path: Path) -> Admin:
    """Commands on the database that `start` uses by default."""
    return runner(f"sqlite:///{tmp_path / 'table.db'}", tmp_path / "audit")


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'table.db'}"
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.database()


def begin(server: Inside, name: str = "four discs") -> list[Page]:
    return server.begin(scene=toy_scene(name=name), mode="links")


def write(page: Page, version: int, client: httpx.Client | None = None) -> bool:
    """Write an entry: a move, or the undo of it."""
    move = {"kind": "move", "actor": "R1", "path": STEP}
    what, body = ("undo", {}) if version % 2 else ("actions", {"action": move})
    answer = (client or page.client).post(page.at(what), json={"version": version, **body})
    done: bool = answer.status_code == 200 and answer.json()["written"]
    return done


def acts(log: Path) -> list[tuple[str, Any]]:
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    return [(row["act"], row.get("link") or row.get("match")) for row in rows]


def files(folder: Path) -> bytes:
    """All that is in the files of a database."""
    return b"".join(path.read_bytes() for path in sorted(folder.glob("table.db*")))


def test_a_link_taken_away_sends_its_pages_away_and_no_others(
    start: Start, url: str, tmp_path: Path
) -> None:
    # On PostgreSQL it is told; a look would come too late for the patience of the test.
    server = start(url, look_seconds=0.05 if url.startswith("sqlite") else 600.0)
    red, blue, watch = begin(server)
    with red.live() as mine, blue.live() as theirs:
        mine.hear("now")
        theirs.hear("now")
        time.sleep(0.5)
        told = runner(url, tmp_path / "audit")("revoke", red.match_id, "blue", "--yes")
        assert told["links"] == [{"role": "side", "side": "blue"}]
        code, said = closing(theirs)
        assert (code, said) == (4404, "This link does not open the match any longer.")
        red.act("move", version=0, actor="R1", path=STEP)
        assert mine.hear("now")["match"]["version"] == 1
    assert blue.get().status_code == 404
    assert watch.version == 1
    assert acts(tmp_path / "audit") == [("revoke", "blue")]


def test_a_call_with_a_link_taken_away_is_refused_within_a_second(
    start: Start, admin: Admin
) -> None:
    server = start(look_seconds=0.0)
    red, blue, _ = begin(server)
    assert blue.version == red.version == 0
    admin("revoke", red.match_id, "blue", "--yes")
    time.sleep(1.05)
    assert blue.post("actions", version=0, action={"kind": "done"}).status_code == 404
    with blue.live() as live:
        assert closing(live)[0] == 4404
    assert red.version == 0


def test_a_link_made_anew_opens_and_the_one_before_it_does_not(start: Start, admin: Admin) -> None:
    server = start(look_seconds=0.05)
    red, blue, _ = begin(server)
    with blue.live() as live:
        live.hear("now")
        told = admin("rotate-link", red.match_id, "blue", "--yes", "--address", "https://x.org/")
        assert closing(live)[0] == 4404
    assert told["path"] == f"/t/{red.match_id}#{told['token']}"
    assert blue.get().status_code == 404
    again = server.page(red.match_id, {"token": told["token"]})
    assert again.match["you"] == {"role": "side", "sides": ["blue"]}
    assert red.version == 0


def test_a_deleted_match_closes_everywhere(start: Start, url: str, tmp_path: Path) -> None:
    seldom = 0.05 if url.startswith("sqlite") else 600.0
    here, there = start(url, look_seconds=seldom), start(url, look_seconds=seldom)
    red, blue, _ = begin(here)
    other = begin(here)[0]
    far = there.page(blue.match_id, blue.link)
    with red.live() as mine, far.live() as theirs, other.live() as stays:
        for live in (mine, theirs, stays):
            live.hear("now")
        time.sleep(0.5)
        runner(url, tmp_path / "audit")("delete", red.match_id, "--yes")
        assert closing(mine)[0] == closing(theirs)[0] == 4404
        other.act("move", version=0, actor="R1", path=STEP)
        assert stays.hear("now")["match"]["version"] == 1
    assert red.get().status_code == far.get().status_code == 404
    assert [*here.hub.rooms] == [other.match_id]
    assert [*there.hub.rooms] == []
    assert acts(tmp_path / "audit") == [("delete", red.match_id)]


def test_a_deed_on_a_match_deleted_meanwhile_writes_nothing(start: Start, admin: Admin) -> None:
    server = start(look_seconds=0.0)
    (red, *_) = begin(server)
    append = server.hub.store.append

    def late(*words: Any) -> Any:
        admin("delete", red.match_id, "--yes")
        return append(*words)

    server.hub.store.append = late  # type: ignore[method-assign]
    move = {"kind": "move", "actor": "R1", "path": STEP}
    assert red.post("actions", version=0, action=move).status_code == 409
    assert red.get().status_code == 404
    assert admin("stats")["entries"] == 0


def test_of_a_deleted_match_no_byte_is_left(start: Start, admin: Admin, tmp_path: Path) -> None:
    server = start(look_seconds=0.0)
    gone, stays = [], []
    for n in range(6):
        pages = begin(server, name=f"MARKED-{n}-" + "x" * 20 * n)
        (gone if n % 2 else stays).append(pages[0])
    for turn in range(6):
        for page in gone + stays:
            assert write(page, turn)
    log = stays[0].get("log").text
    assert all(page.match_id.encode() in files(tmp_path) for page in gone + stays)
    admin("delete", *(page.match_id for page in gone), "--yes")
    left = files(tmp_path)
    for n in range(6):
        assert (f"MARKED-{n}".encode() in left) == (n % 2 == 0)
    for page in gone:
        assert page.match_id.encode() not in left
        assert page.get().status_code == 404
    assert all(page.version == 6 for page in stays)
    assert stays[0].get("log").text == log


def test_what_somebody_still_reads_is_said_to_stay_a_while(start: Start, tmp_path: Path) -> None:
    server = start(look_seconds=0.0)
    (red, *_) = begin(server)
    store = AdminStore(f"sqlite:///{tmp_path / 'table.db'}")
    event.listen(store.engine, "connect", lambda raw, _: raw.execute("PRAGMA busy_timeout=100"))
    store.engine.dispose()
    with closing_of(sqlite3.connect(tmp_path / "table.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM matches").fetchone()
        store.delete([red.match_id])
        assert not store.scrub()
    assert store.scrub()
    assert red.match_id.encode() not in files(tmp_path)
    store.close()


def test_a_server_deletes_by_itself_what_nobody_plays(
    start: Start, admin: Admin, tmp_path: Path
) -> None:
    first = start(look_seconds=0.0)
    old, fresh, copied = (begin(first, name)[0] for name in ("OLDMARK", "played", "copied"))
    for page in (old, fresh, copied):
        page.act("move", version=0, actor="R1", path=STEP)
    copy = first.client.post(
        f"/api/matches/{copied.match_id}/copy",
        json={"at": 1},
        headers={"authorization": f"Bearer {copied.token}"},
    ).json()
    engine = create_engine(f"sqlite:///{tmp_path / 'table.db'}")
    ages = {old.match_id: 100, fresh.match_id: 100, copied.match_id: 100, copy["id"]: 10}
    with engine.begin() as connection:
        for match_id, days in ages.items():
            back = f"-{days} days"
            for change in (
                "UPDATE matches SET created = datetime(created, :b) WHERE id = :m",
                "UPDATE entries SET written = datetime(written, :b) WHERE match_id = :m",
            ):
                connection.execute(text(change), {"b": back, "m": match_id})
    engine.dispose()
    fresh.act("done", version=1)
    second = start(keep_days=99.0)
    begun = time.monotonic()
    while second.hub.forgotten < 2:
        assert time.monotonic() < begun + PATIENCE_S
        time.sleep(0.02)
    assert old.get().status_code == copied.get().status_code == 404
    assert fresh.version == 2
    kept = {one["id"] for one in admin("list")["matches"]}
    assert kept == {fresh.match_id, copy["id"]}
    assert b"OLDMARK" not in files(tmp_path)
    assert "tapeline_forgotten_total 2" in second.client.get("/metrics").text


def test_copies_made_while_servers_write_are_whole(start: Start, tmp_path: Path) -> None:
    server = start(look_seconds=0.0)
    pages = [begin(server)[0] for _ in range(3)]
    written = [0, 0, 0]
    ends = threading.Event()

    def play(n: int) -> None:
        client = httpx.Client(headers=pages[n].client.headers, timeout=60, **PLAIN)
        while not ends.is_set() and written[n] < 400:
            if write(pages[n], written[n], client):
                written[n] += 1
            else:
                break
        client.close()

    threads = [threading.Thread(target=play, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    copy, begun = tmp_path / "copy.db", time.monotonic()
    while min(written) < 8:
        assert time.monotonic() < begun + PATIENCE_S
        before = list(written)
        found = back_up(tmp_path / "table.db", copy)
        after = list(written)
        assert len([*tmp_path.glob("copy*")]) == 1, "one file, nothing beside it"
        assert look_over(copy) == found
        store = Store(f"sqlite:///{copy}")
        for n, page in enumerate(pages):
            lines = [json.loads(line)["n"] for line in store.lines(page.match_id)]
            assert lines == [*range(1, len(lines) + 1)]
            assert before[n] <= len(lines) <= after[n] + 1
        store.close()
        copy.unlink()
    ends.set()
    for thread in threads:
        thread.join()


def test_a_copy_is_put_back_only_where_no_server_runs(
    start: Start, admin: Admin, tmp_path: Path
) -> None:
    server = start(look_seconds=0.0)
    red, blue, _ = begin(server)
    red.act("move", version=0, actor="R1", path=STEP)
    admin("backup", str(tmp_path / "copy.db"))
    red.act("done", version=1)
    later = begin(server)[0]
    words = ["admin", "restore", str(tmp_path / "copy.db"), "--yes"]
    words += ["--database", f"sqlite:///{tmp_path / 'table.db'}"]
    refused = CliRunner().invoke(app, words, catch_exceptions=False)
    assert refused.exit_code == 2
    assert "a server has" in refused.stderr
    assert (red.version, later.version) == (2, 0), "nothing was changed"
    told = admin("restore", str(tmp_path / "copy.db"), "--yes", "--force")
    assert (told["matches"], told["entries"]) == (1, 1)
    # The server still believes that there are two entries; no third may follow a missing second.
    move = {"kind": "move", "actor": "B1", "path": [{"to": [8, 6]}]}
    late = blue.post("actions", version=2, action=move)
    assert late.status_code == 409, late.text
    assert later.get().status_code == 404
    server.stop()
    assert admin("restore", str(tmp_path / "copy.db"), "--yes")["aside"] is None
    again = start(look_seconds=0.0)
    assert again.page(red.match_id, red.link).version == 1


def test_the_commands_told_for_postgresql_copy_and_put_back(
    postgres: Cluster, tmp_path: Path
) -> None:
    url = postgres.database()
    store = AdminStore(url)
    kept = KeptMatch("m1", "links", "server", "seed")
    store.create(kept, [json.dumps({"scene": {"system": "toy"}}), "{}"], [])
    told = CliRunner().invoke(app, ["admin", "backup", "x", "--database", url])
    assert told.exit_code == 2
    dump, _, rest = told.stderr.partition("run: ")[2].partition(" -- ")
    subprocess.run(shlex.split(dump), cwd=tmp_path, check=True, timeout=60)
    store.delete(["m1"])
    store.close()
    again = shlex.split(rest.partition("stopped: ")[2])
    subprocess.run(again, cwd=tmp_path, check=True, timeout=60)
    store = AdminStore(url)
    assert (store.about("m1").entries, store.match("m1")) == (1, kept)
    assert store.stats()["bytes_of_database"] > 0
    store.close()


@pytest.fixture
def closed(start: Start, admin: Admin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Inside:
    """A server on which nobody begins matches without leave; its password costs little to try."""
    monkeypatch.setattr("tapeline.web.hub.creators._N", 2**8)
    file = tmp_path / "password"
    words = ["admin", "password", str(file), "--password", "péché mignon"]
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return start(create_password_file=file, guesses_a_minute=8)


def ask(server: Inside, key: str | None = None) -> httpx.Response:
    headers = {} if key is None else {"authorization": f"Bearer {quote(key)}"}
    return server.client.post("/api/matches", json={"scene": toy_scene()}, headers=headers)


def test_a_closed_server_takes_the_password_or_an_invitation_once(
    closed: Inside, admin: Admin, tmp_path: Path
) -> None:
    assert closed.client.get("/api/server").json()["closed"] is True
    refused = ask(closed)
    assert refused.status_code == 403
    assert refused.json()["detail"] == "Beginning a match here takes a password or an invitation."
    assert ask(closed, "peche mignon").status_code == 403
    made = ask(closed, "péché mignon")
    assert made.status_code == 201, made.text
    key = admin("invite", "--note", "Ann")["token"]
    assert ask(closed, key).status_code == 201
    assert ask(closed, key).status_code == 403
    gone = admin("invite", "--uses", "5")
    admin("revoke", "--invitation", str(gone["number"]))
    assert ask(closed, gone["token"]).status_code == 403
    assert [one["uses"] for one in admin("invitations")["invitations"]] == [0]
    # Whoever plays already needs nothing of that: not even for a copy to try things on.
    body = made.json()
    page = closed.page(body["id"], body["links"][0])
    assert page.post("copy", at=0).status_code == 201
    file = (tmp_path / "password").read_text()
    assert "mignon" not in file
    assert (tmp_path / "password").stat().st_mode & 0o777 == 0o600


def test_guesses_are_limited_and_the_right_one_among_them(closed: Inside) -> None:
    answers = [ask(closed, f"wrong {n}").status_code for n in range(12)]
    assert answers[:8] == [403] * 8
    assert 429 in answers[8:]
    late = ask(closed, "péché mignon")
    if late.status_code == 429:
        assert int(late.headers["retry-after"]) >= 1


def test_one_password_is_looked_at_at_a_time_and_few_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p").write_text(kept_line("a password"))
    busy, most = 0, 0

    def slow(_key: str, _line: str) -> bool:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        time.sleep(0.01)
        busy -= 1
        return False

    async def nobody(_digest: bytes) -> bool:
        return False

    async def guess() -> list[BaseException | bytes | None]:
        creators = Creators(Settings(create_password_file=tmp_path / "p"), nobody)
        guesses = (creators.check(f"guess {n}", f"10.0.0.{n}") for n in range(40))
        return await asyncio.gather(*guesses, return_exceptions=True)

    monkeypatch.setattr("tapeline.web.hub.creators.fits", slow)
    told = Counter(type(one) for one in asyncio.run(guess()))
    assert most == 1
    assert told == {ForbiddenError: WAITING + 1, BusyError: 39 - WAITING}


def test_an_invitation_is_not_used_up_by_what_cannot_be_begun(start: Start, admin: Admin) -> None:
    server = start(closed=True)
    key = admin("invite", "--expires", "1h")["token"]
    headers = {"authorization": f"Bearer {key}"}
    bad = server.client.post("/api/matches", json={"scene": {}}, headers=headers)
    assert bad.status_code == 422
    assert ask(server, key).status_code == 201


def test_of_two_who_use_an_invitation_at_once_one_begins(start: Start, admin: Admin) -> None:
    server = start(closed=True)
    key = admin("invite")["token"]
    answers: list[int] = []
    threads = [
        threading.Thread(target=lambda: answers.append(_ask_alone(server, key))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [201] + [403] * 5
    assert admin("stats")["matches"] == 1


def _ask_alone(server: Inside, key: str) -> int:
    headers = {"authorization": f"Bearer {key}"}
    with httpx.Client(base_url=server.url, timeout=60, **PLAIN) as client:
        body = {"scene": toy_scene()}
        return client.post("/api/matches", json=body, headers=headers).status_code


def test_an_invitation_that_is_over_opens_nothing(start: Start, tmp_path: Path) -> None:
    server = start(closed=True)
    store = AdminStore(f"sqlite:///{tmp_path / 'table.db'}")
    made = datetime.now(UTC)
    store.invite(digest("over"), 1, made - timedelta(minutes=1), "")
    store.invite(digest("good"), 1, made + timedelta(minutes=1), "")
    store.close()
    assert ask(server, "over").status_code == 403
    assert ask(server, "good").status_code == 201


def test_the_page_says_what_is_kept(start: Start, tmp_path: Path) -> None:
    server = start(keep_days=90.0)
    page = server.client.get("/kept")
    assert page.status_code == 200
    assert "until nothing has been done on it for 90 days" in page.text
    assert "for 14 days" in page.text
    assert "{{" not in page.text
    assert "No log of calls is kept." in page.text
    told = server.client.get("/api/server").json()
    assert (told["keep_days"], told["copy_days"], told["closed"]) == (90.0, 14.0, False)
    assert 'href="/kept"' in server.client.get("/").text
    other = start(access_log=str(tmp_path / "calls")).client.get("/kept").text
    assert "until whoever runs this server deletes it" in other
    assert "A log of calls is kept." in other


def test_a_mistyped_address_is_a_page_for_people_and_json_for_programs(start: Start) -> None:
    client = start().client
    for path in ("/tt/abc", "/static/nothing.js"):
        page = client.get(path, headers={"accept": "text/html,*/*;q=0.8"})
        assert page.status_code == 404
        assert page.headers["content-type"].startswith("text/html")
        assert "There is no page at this address" in page.text
        assert 'href="/"' in page.text
        assert client.get(path).json()["detail"]
    called = client.get("/api/nothing", headers={"accept": "text/html"})
    assert called.status_code == 404
    assert called.json()["detail"]


def test_a_file_that_holds_no_password_is_an_error_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("open sesame\n")
    words = ["serve", "--port", "0", "--create-password-file", str(tmp_path / "p")]
    words += ["--database", f"sqlite:///{tmp_path / 'x.db'}"]
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 2
    assert "holds no password as `tapeline admin password` writes it" in done.stderr
