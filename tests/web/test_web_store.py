"""The store: what is written is there, once, and by whom it was written first."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from tapeline.web.store.connection import StoreError, config, known, migrate
from tapeline.web.store.store import (
    KeptCommitment,
    KeptLink,
    KeptMatch,
    KeptProposal,
    News,
    StaleError,
    Store,
)
from tapeline.web.store.tables import Base

HEADER = '{"format":"tapeline-log/1"}'
ONE = KeptMatch("m1", "links", "server", "seed")
LINKS = [KeptLink("side", "red", b"r" * 32), KeptLink("watch", None, b"w" * 32)]


@pytest.fixture
def lite(tmp_path: Path) -> str:
    """A SQLite database that is not there yet."""
    return f"sqlite:///{tmp_path / 'deep' / 'down' / 'm.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, lite: str) -> str:
    """An empty database, of either kind."""
    if request.param == "sqlite":
        return lite
    url: str = request.getfixturevalue("postgres").database()
    return url


def test_news_tells_entries_and_open_proposals(url: str) -> None:
    store = Store(url)
    for name in ("m1", "m2", "m3", "m4"):
        link = KeptLink("both", None, name.encode() * 16)
        store.create(replace(ONE, id=name), [HEADER, "a"] if name != "m3" else [HEADER], [link])
    first, second = (KeptProposal(f"p{n}", n, f'{{"n":{n}}}') for n in (1, 2))
    store.propose("m2", first)
    store.propose("m3", second)
    store.propose("m4", KeptProposal("p4", 1, "{}"))
    store.decline("p4")
    store.append("m1", 1, ["b"])
    found = store.news(["m1", "m2", "m3", "m4"])
    assert found == {
        "m1": News(2),
        "m2": News(1, (first,)),
        "m3": News(0, (second,)),
        "m4": News(1),
    }
    assert store.news(["m2"]) == {"m2": News(1, (first,))}
    store.close()


def test_a_match_comes_back_as_it_was_kept(url: str) -> None:
    first = Store(url)
    first.create(ONE, [HEADER, "a", "b"], LINKS)
    first.append("m1", 2, ["c", "d"])
    first.close()
    again = Store(url)
    assert again.match("m1") == ONE
    assert again.links("m1") == LINKS
    assert again.lines("m1") == ["a", "b", "c", "d"]
    assert again.lines("m1", 3) == ["d"]
    assert again.lines("m1", -1, 2) == [HEADER, "a", "b"]
    assert (again.length("m1"), again.length("m2")) == ((4, 4), (0, 0))
    assert again.news(["m1", "m2", "m3"]) == {"m1": News(4)}
    assert again.match("m2") is None
    assert again.lines("m2") == []
    assert again.news([]) == {}
    again.close()


def test_no_entry_is_written_twice(url: str) -> None:
    one, other = Store(url), Store(url)
    one.create(ONE, [HEADER], LINKS)
    one.append("m1", 0, ["a"])
    with pytest.raises(StaleError):
        other.append("m1", 0, ["x"])
    with pytest.raises(StaleError):
        other.append("m1", -1, ["x", "y"])
    assert other.lines("m1") == ["a"], "a refused append leaves nothing"
    one.close()
    other.close()


def test_of_two_at_once_one_is_written(url: str) -> None:
    stores = [Store(url), Store(url)]
    stores[0].create(ONE, [HEADER], LINKS)
    told: list[str] = []

    def write(store: Store, who: str) -> None:
        for n in range(30):
            try:
                store.append("m1", n, [f"{who}{n}"])
                told.append(f"{who}{n}")
            except StaleError:
                pass

    threads = [
        threading.Thread(target=write, args=(s, w)) for s, w in zip(stores, "xy", strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = stores[0].lines("m1")
    assert sorted(lines) == sorted(told)
    assert [int(line[1:]) for line in lines] == list(range(len(lines)))
    for store in stores:
        store.close()


def test_proposals_lapse_with_their_version_and_close_when_settled(url: str) -> None:
    store = Store(url)
    store.create(ONE, [HEADER, "a"], LINKS)
    store.propose("m1", KeptProposal("p1", 1, "{}"))
    store.propose("m1", KeptProposal("p2", 1, "{}"), instead_of=["p1"])
    store.rewrite("p2", '{"x":1}')
    assert store.proposals("m1", 1) == [KeptProposal("p2", 1, '{"x":1}')]
    assert store.proposals("m1", 2) == []
    store.append("m1", 1, ["b"])
    assert store.proposals("m1", 1) == []
    store.propose("m1", KeptProposal("p3", 2, "{}"))
    store.decline("p3")
    assert store.proposals("m1", 2) == []
    store.close()


def test_a_proposal_stays_open_if_what_it_asks_cannot_be_written(url: str) -> None:
    store = Store(url)
    store.create(ONE, [HEADER, "a"], LINKS)
    store.propose("m1", KeptProposal("p1", 1, "{}"))
    with pytest.raises(StaleError):
        store.append("m1", 0, ["x"])
    assert len(store.proposals("m1", 1)) == 1
    store.close()


def test_old_copies_are_forgotten_and_nothing_else(url: str) -> None:
    store = Store(url)
    store.create(ONE, [HEADER, "a"], LINKS)
    copy = KeptMatch("m2", "hotseat", "server", "other", copy_of="m1")
    store.create(copy, [HEADER, "a", "b"], LINKS)
    store.propose("m2", KeptProposal("p", 2, "{}"))
    now = datetime.now(UTC)
    assert store.prune(now - timedelta(days=1)) == 0
    assert store.match("m2") == copy
    assert store.prune(now + timedelta(days=1)) == 1
    assert store.match("m2") is None
    assert (store.lines("m2"), store.links("m2"), store.proposals("m2", 2)) == ([], [], [])
    assert (store.lines("m1"), store.links("m1")) == (["a"], LINKS)
    store.close()


def test_what_was_deleted_is_in_no_page_wherever_its_rows_were_moved(tmp_path: Path) -> None:
    """Overwriting what is deleted is not enough: of this sequence one match stays in the file."""
    file, chance = tmp_path / "m.db", Random(0)
    store = Store(f"sqlite:///{file}")
    there: dict[str, int] = {}
    gone: list[str] = []
    with store.engine.begin() as connection:
        for _ in range(1500):
            turn = chance.random()
            if turn < 0.05 or not there:
                name = f"{chance.getrandbits(64):016x}"
                there[name] = 0
                row: tuple[object, ...] = (name, "h" * chance.choice([50, 3000]))
                work = (
                    "INSERT INTO matches (id, created, header, mode, dice, seed)"
                    " VALUES (?, '2026-01-01', ?, 'links', '', '')"
                )
            elif turn < 0.97:
                name = chance.choice(sorted(there))
                there[name] += 1
                row = (name, there[name], "x" * chance.choice([20, 300, 2000]))
                work = "INSERT INTO entries VALUES (?, ?, '2026-01-01', ?)"
            else:
                row = (chance.choice(sorted(there)),)
                gone += row
                del there[gone[-1]]
                work = "DELETE FROM matches WHERE id = ?"
            connection.exec_driver_sql(work, row)
    assert store.scrub()
    left = file.read_bytes() + file.with_name("m.db-wal").read_bytes()
    assert [name for name in gone if name.encode() in left] == []
    assert all(name.encode() in left for name in there)
    assert len(gone) > 30
    store.close()


def test_several_servers_may_make_the_tables_at_the_same_time(url: str) -> None:
    made: list[Store] = []
    threads = [threading.Thread(target=lambda: made.append(Store(url))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 6
    made[0].create(ONE, [HEADER, "a"], LINKS)
    assert all(store.lines("m1") == ["a"] for store in made)
    for store in made:
        store.close()


def test_what_cannot_be_kept_is_said_so(url: str) -> None:
    store = Store(url)
    store.create(ONE, [HEADER], LINKS)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE entries")
    with pytest.raises(StoreError, match="could not be kept"):
        store.append("m1", 0, ["a"])
    store.close()


def test_every_commit_reaches_the_disk_and_readers_do_not_wait(lite: str) -> None:
    store = Store(lite)
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    store.close()


def test_the_migrations_lead_to_the_tables_of_the_code(url: str) -> None:
    store = Store(url)
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
        head = ScriptDirectory.from_config(config()).get_current_head()
        assert context.get_current_revision() == head
    store.close()


def test_migrations_go_up_from_nothing_step_by_step(url: str) -> None:
    store = Store(url)
    Base.metadata.drop_all(store.engine)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE alembic_version")
    for _ in known():
        migrate(store.engine, "+1")
    store.create(ONE, [HEADER], LINKS)
    assert store.match("m1") == ONE
    store.close()


def test_a_database_of_a_later_version_is_left_alone(url: str) -> None:
    Store(url).close()
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(StoreError, match="9999"):
        Store(url)


@pytest.mark.parametrize(
    "bad", ["nonsense", "mysterious://x", "sqlite:////proc/nowhere/x.db", "postgresql+none://x/y"]
)
def test_a_database_that_cannot_be_used_is_said_so(bad: str) -> None:
    with pytest.raises((StoreError, OSError)):
        Store(bad)


def test_commitments_are_of_a_match_a_side_and_a_page(url: str) -> None:
    store = Store(url)
    for name in ("m1", "m2"):
        link = KeptLink("both", None, name.encode() * 16)
        store.create(replace(ONE, id=name), [HEADER], [link])
    for side, commitment in (("red", "a"), ("blue", "b"), ("red", "c"), ("red", "a")):
        store.commit("m1", side, commitment)
    store.commit("m2", "red", "a")
    store.reveal("m1", "red", "a", 4, "key")
    store.reveal("m1", "blue", "a", 5, "nobody's")
    first = [KeptCommitment("red", "a", 4, "key"), KeptCommitment("blue", "b")]
    assert store.commitments("m1") == [*first, KeptCommitment("red", "c")]
    assert store.commitments("m2") == [KeptCommitment("red", "a")]
    store.forget("m1", "blue", "c")
    store.forget("m1", "red", "c")
    assert store.commitments("m1") == first
    store.close()
