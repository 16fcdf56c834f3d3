"""Programs as the opponent: registered by whoever runs the server, chosen by name alone."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from play.test_deployment import small
from tapeline.cli.settings import config_option, setting_options
from tapeline.errors import TapelineError
from tapeline.web.app import create_app
from tapeline.web.hub.programs import Programs
from tapeline.web.settings import Settings
from web.inside import Inside, Page

ROOT = Path(__file__).parents[2]
SIMPLE = ROOT / "examples" / "bots" / "simple.py"

#: Writes what it is told at its turn to a file, and dies.
SPY = """
import sys
print('{"say": "hello", "protocol": "tapeline-bot/1", "name": "spy"}', flush=True)
with open(sys.argv[1], "w") as file:
    for line in sys.stdin:
        file.write(line)
        if '"turn"' in line:
            break
"""


def python(*words: object) -> str:
    return shlex.join([sys.executable, *map(str, words)])


def ask(page: Page, side: str, **who: Any) -> Any:
    return page.post("opponent", version=page.version, side=side, **who)


def test_a_program_plays_by_its_name_and_the_table_takes_over(
    start: Callable[..., Inside],
) -> None:
    hangs = python("-c", "import time; time.sleep(60)")
    server = start(
        programs=(f"simple={python(SIMPLE)}", f"Sleeper={hangs}"),
        program_seconds=3.0,
    )
    assert server.client.get("/api/server").json()["programs"] == ["simple", "Sleeper"]
    assert "bots" not in server.client.get("/api/server").text
    (page, *_) = server.begin(example="sovl-mill", mode="hotseat")
    for _ in range(2):
        assert page.done(ask(page, *page.match["board"]["next"], program="simple"))["written"]
    before, (side,) = page.version, page.match["board"]["next"]

    failed = ask(page, side, program="Sleeper")
    assert failed.status_code == 502
    assert "Sleeper did not play for" in failed.json()["detail"]
    assert "Let the computer play" in failed.json()["detail"]
    assert page.version == before
    # Only names of the operator count, and only for a side that is to act.
    assert ask(page, side, program=python("-c", "pass")).status_code == 404
    other = "east" if side == "west" else "west"
    assert ask(page, other, program="simple").status_code == 403

    assert page.done(ask(page, side, level="steady"))["written"]
    assert server.client.get("/healthz").status_code == 200
    assert 'workers{workers="programs"} 2' in server.client.get("/metrics").text


def test_it_is_told_only_what_its_side_may_know(
    start: Callable[..., Inside], tmp_path: Path
) -> None:
    told = tmp_path / "told"
    server = start(programs=(f"spy={python('-c', SPY, told)}",))
    red, blue, _ = server.begin(scene=small(hidden=True), mode="links")
    red.act("set_up", actor="red-1", at=[4.125, 3])
    red.act("set_up", actor="red-2", at=[8.125, 3])
    red.act("ready", side="red")
    assert ask(red, "blue", program="spy").status_code == 403
    failed = ask(blue, "blue", program="spy")
    assert failed.status_code == 502
    assert '"say":"turn"' in told.read_text()
    assert '"say":"told"' in told.read_text()
    assert ".125" not in told.read_text()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("bot.py",), "NAME=COMMAND"),
        (("=python bot.py",), "NAME=COMMAND"),
        (("a=python 'bot",), "quotation"),
        (("a=x", "a=y"), "two of that name"),
    ],
)
def test_a_setting_that_names_no_program_is_refused(given: tuple[str, ...], says: str) -> None:
    with pytest.raises(TapelineError, match=says):
        Programs(Settings(programs=given))


def test_a_program_that_is_none_makes_no_database(tmp_path: Path) -> None:
    where = tmp_path / "matches.db"
    with pytest.raises(TapelineError, match="NAME=COMMAND"):
        create_app(Settings(f"sqlite:///{where}", programs=("bot.py",)))
    assert not where.exists()


def test_programs_are_settings_like_others(tmp_path: Path) -> None:
    @click.command()
    @config_option
    @setting_options("programs")
    def command(programs: tuple[str, ...]) -> None:
        click.echo("|".join(programs))

    def told(*words: str, **variables: str) -> str:
        return CliRunner(env=variables).invoke(command, words).output.strip()

    file = tmp_path / "tapeline.toml"
    file.write_text('program = ["a=python a.py", "b=node b.mjs"]')
    assert told("--program", "a=python a.py", "--program", "b=x") == "a=python a.py|b=x"
    assert told(TAPELINE_PROGRAM="a=python a.py\nb=x y") == "a=python a.py|b=x y"
    assert told("--config", str(file)) == "a=python a.py|b=node b.mjs"
