"""The lab: an experiment gives the same results however it is run and however often stopped."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from support.scenarios import EXAMPLES, ROOT
from tapeline.cli.app import app
from tapeline.errors import DocumentError
from tapeline.lab.experiment import read_experiment
from tapeline.lab.kind import Varied
from tapeline.lab.kinds import survey as survey_kind
from tapeline.lab.run import run
from tapeline.play.match import differences

pytest.importorskip("pyarrow")

SHOOT = """
format = "tapeline-experiment/1"
kind = "odds"
seeds = [1, 2]
[vary]
scenes = ["{scene}"]
[do]
actions = [{{ kind = "shoot", actor = "S5", target = "R1" }}]
runs = {runs}
lot = {lot}
"""


def experiment(folder: Path, runs: int = 40, lot: int = 10) -> Path:
    path = folder / "odds.toml"
    scene = EXAMPLES / "sovl-salt-pans.json"
    path.write_text(SHOOT.format(scene=scene.as_posix(), runs=runs, lot=lot))
    return path


def results(folder: Path) -> dict[str, bytes]:
    names = ("results.parquet", "results.csv", "report.html")
    return {name: (folder / name).read_bytes() for name in names}


def table(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "results.csv").read_text().splitlines()))


def test_stopped_and_taken_up_again_it_ends_alike(tmp_path: Path) -> None:
    read = read_experiment(experiment(tmp_path))
    whole = run(read, tmp_path / "whole")
    assert (whole.units, whole.before, whole.faults) == (9, 0, 0)

    run(read, tmp_path / "cut")
    journal = tmp_path / "cut" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)[:5]
    for name in results(tmp_path / "cut"):
        (tmp_path / "cut" / name).unlink()
    # A line that is there twice, and one that was torn.
    journal.write_bytes(b"".join([*lines, lines[1], lines[2][:40]]))
    again = run(read, tmp_path / "cut")
    assert (again.units, again.before) == (9, 4)
    assert results(tmp_path / "cut") == results(tmp_path / "whole")
    assert run(read, tmp_path / "cut").before == 9, "what was torn is not in the way for ever"
    rows = table(tmp_path / "whole")
    numbers = [int(row["unit"]) for row in rows]
    assert numbers == sorted(numbers)
    counted = sum(int(row["times"]) for row in rows if row["times"])
    assert counted == 2 * 40, "no unit is lost, none is counted twice"
    assert all(len(row["hash"]) == 16 and row["versions"] for row in rows)
    with pytest.raises(DocumentError, match="another experiment"):
        run(read_experiment(experiment(tmp_path, 50)), tmp_path / "cut")


def test_runs_are_set_beside_exact_odds(tmp_path: Path) -> None:
    done = run(read_experiment(experiment(tmp_path, 400, 200)), tmp_path / "out")
    [section] = done.sections
    assert "800 runs" in section.words
    told = {row[0]: row for row in section.rows}
    assert sum(int(row[1]) for row in section.rows) == 800
    assert sum(float(row[4]) for row in section.rows) == pytest.approx(1.0, abs=1e-5)
    assert float(told["casualties 1"][4]) == pytest.approx(0.376379, abs=1e-6)
    assert {row[5] for row in section.rows} <= {"within the interval", "near the interval"}
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<svg" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_logs_are_judged_again_and_every_difference_is_listed(tmp_path: Path) -> None:
    log = (ROOT / "tests" / "replay" / "sovl-1.jsonl").read_text().splitlines()
    assert differences(log)[1] == []
    # Two rolls that were not thrown so: each is found, and so is what is after them.
    changed = [json.loads(line) for line in log]
    rolled = [n for n, entry in enumerate(changed) if n and entry.get("answers")][:2]
    for number in rolled:
        changed[number]["events"] = changed[number]["events"][:-1]
    lines = [json.dumps(line) for line in changed]
    found = [one.entry for one in differences(lines)[1]]
    assert set(rolled) <= set(found)
    for name, text in (("good", log), ("spoilt", lines)):
        (tmp_path / f"{name}.log").write_text("\n".join(text))
    path = tmp_path / "archive.toml"
    path.write_text(
        'format = "tapeline-experiment/1"\nkind = "referee"\n[vary]\nlogs = ["*.log"]\n'
    )
    done = CliRunner().invoke(
        app, ["lab", "run", str(path), "-o", str(tmp_path / "out"), "--jobs", "1", "--json"]
    )
    assert json.loads(done.stdout)["units"] == 2
    rows = table(tmp_path / "out")
    assert {row["source"] for row in rows if row["entry"]} == {"spoilt"}
    assert [int(row["entry"]) for row in rows if row["entry"]] == found


def test_tables_are_surveyed_and_the_spoilt_one_is_told(tmp_path: Path) -> None:
    strips = {
        "player": [[0, 0], [8, 0], [8, 2], [0, 2]],
        "opponent": [[0, 6], [8, 6], [8, 8], [0, 8]],
    }
    for name, y in (("even", 3.0), ("spoilt", 3.5)):
        piece = [[3, y], [5, y], [5, y + 2], [3, y + 2]]
        made = {"width": 8, "depth": 8, "terrain": [piece], "deployment": strips}
        (tmp_path / f"{name}.json").write_text(json.dumps(made))
    path = tmp_path / "tables.toml"
    path.write_text(
        'format = "tapeline-experiment/1"\nkind = "survey"\n'
        '[vary]\nscenes = ["even.json", "spoilt.json"]\n'
        "[do]\nbase = 25.4\nmove = 2.0\nturns = 1\nsizes = [25.4]\n"
    )
    run(read_experiment(path), tmp_path / "out")
    rows = table(tmp_path / "out")
    assert {(row["source"], row["symmetric"]) for row in rows} == {
        ("even", "yes"),
        ("spoilt", "no"),
    }
    assert {float(row["apart"]) for row in rows if row["source"] == "spoilt"} == {1.0}
    assert not any(row["fault"] for row in rows)
    assert "2 tables: " in (tmp_path / "out" / "report.html").read_text()


def test_what_cannot_be_done_is_told_and_ends_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.toml"
    text = (
        'format = "tapeline-experiment/1"\nkind = "arena"\n[vary]\nscenes = ["*.json"]\n'
        'options = { no_such = ["x"] }\n[do]\ngames = 1\nplayers = { a = "random", b = "random" }\n'
    )
    path.write_text(text)
    (tmp_path / "mill.json").write_bytes((EXAMPLES / "sovl-mill.json").read_bytes())
    done = CliRunner().invoke(
        app, ["lab", "run", str(path), "-o", str(tmp_path / "out"), "--jobs", "1"]
    )
    assert done.exit_code == 1, done.output
    assert "no_such" in done.output
    path.write_text(text.replace("arena", "lottery"))
    done = CliRunner().invoke(app, ["lab", "run", str(path)])
    assert done.exit_code == 2
    assert "must be one of arena, odds, referee" in done.output


@pytest.mark.parametrize("kind", ["arena", "odds", "referee", "survey"])
def test_files_that_are_no_scenes_are_faults_of_their_own_units(tmp_path: Path, kind: str) -> None:
    do = {
        "arena": 'games = 1\nplayers = { a = "random", b = "random" }',
        "odds": 'actions = [{ kind = "shoot", actor = "S5", target = "R1" }]\nruns = 10',
    }
    path = tmp_path / "all.toml"
    head = f'format = "tapeline-experiment/1"\nkind = "{kind}"\n'
    path.write_text(f'{head}[vary]\nscenes = ["*.json"]\n[do]\n{do.get(kind, "")}\n')
    for name, text in (("number", "5"), ("list", "[1]"), ("object", '{"no": 1}')):
        (tmp_path / f"{name}.json").write_text(text)
    found = run(read_experiment(path), tmp_path / "out")
    assert found.faults == found.units > 0
    assert {row["source"] for row in table(tmp_path / "out")} == {"list", "number", "object"}


@pytest.mark.parametrize(
    "vary",
    ['options = { x = ["a"] }', 'figures = [{ of = "a", figure = "move", values = [3] }]'],
)
@pytest.mark.parametrize("text", ["5", "[1]", '{"system": "sovl", "units": 3, "options": 3}'])
def test_nothing_is_varied_in_what_is_no_scene(tmp_path: Path, vary: str, text: str) -> None:
    path = tmp_path / "all.toml"
    head = 'format = "tapeline-experiment/1"\nkind = "survey"\n'
    path.write_text(f'{head}[vary]\nscenes = ["*.json"]\n{vary}\n')
    (tmp_path / "one.json").write_text(text)
    with pytest.raises(DocumentError, match=r"one\.json"):
        run(read_experiment(path), tmp_path / "out")


def test_figures_of_profiles_are_varied(tmp_path: Path) -> None:
    path = experiment(tmp_path)
    more = '\nfigures = [{ of = "Infantry", figure = "movement", values = [3, 4] }]\n[do]'
    path.write_text(path.read_text().replace("\n[do]", more))
    read = read_experiment(path)
    assert len(read.plan.sources) == 2
    given = [
        {json.dumps(unit["profile"]) for unit in read.document(source)["units"]}
        for source in read.plan.sources
    ]
    assert given[0] != given[1]


@contextlib.contextmanager
def cluster() -> Iterator[tuple[str, list[subprocess.Popen[bytes]], Any]]:
    """A scheduler and a worker, processes of their own; the last is how to add a worker."""
    started: list[subprocess.Popen[bytes]] = []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def start(*words: str) -> subprocess.Popen[bytes]:
        one = subprocess.Popen(
            [sys.executable, "-m", *words], env=environment, stderr=subprocess.PIPE,
        )  # fmt: skip
        started.append(one)
        return one

    scheduler = start(
        "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"
    )
    assert scheduler.stderr is not None
    address = ""
    while not address:
        line = scheduler.stderr.readline().decode()
        assert line, "the scheduler has ended"
        if "Scheduler at:" in line:
            address = line.split()[-1]

    def add() -> subprocess.Popen[bytes]:
        return start(
            "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny",
            "--no-dashboard",
        )  # fmt: skip

    try:
        add()
        yield address, started, add
    finally:
        for one in reversed(started):
            one.terminate()
            one.wait(20)
            if one.stderr is not None:
                one.stderr.close()


@pytest.mark.long
@pytest.mark.waits
def test_a_cluster_loses_a_worker_and_the_client_and_ends_alike(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    path = experiment(tmp_path, 4_000, 50)
    run(read_experiment(path), tmp_path / "plain")
    words = ["lab", "run", str(path), "-o", str(tmp_path / "out"), "--cluster"]
    main = "from tapeline.cli import main; main()"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    journal = tmp_path / "out" / "journal.jsonl"

    def lines() -> int:
        return len(journal.read_bytes().splitlines()) if journal.exists() else 0

    def reach(number: int, client: subprocess.Popen[bytes]) -> None:
        until = time.monotonic() + 60
        while lines() < number and client.poll() is None and time.monotonic() < until:
            time.sleep(0.02)

    with cluster() as (address, processes, add):
        client = subprocess.Popen([sys.executable, "-c", main, *words, address], env=environment)
        reach(5, client)
        assert client.poll() is None, "stopped too late"
        client.send_signal(signal.SIGKILL)
        client.wait()
        before = lines()
        client = subprocess.Popen([sys.executable, "-c", main, *words, address], env=environment)
        reach(before + 10, client)
        add()
        reach(before + 20, client)
        assert client.poll() is None, "the worker is killed too late"
        processes[1].kill()
        assert client.wait(120) == 0
    assert results(tmp_path / "out") == results(tmp_path / "plain")


def test_many_tables_are_surveyed_by_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    monkeypatch.setattr(survey_kind, "compile_kernels", lambda: begun.append("compiled"))
    kind = survey_kind.KIND
    for sources, wanted in (("abc", False), ("abcd", True)):
        plan = Varied(tuple(sources), (0,), kind.settings())
        kind.prepare(plan)
        assert {unit.asked["compiled"] for unit in kind.units(plan)} == {wanted}
        assert bool(begun) == wanted
