"""`tapeline play` and `tapeline serve`: what they say, where they listen, how they end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import httpx
import pytest
from click.testing import CliRunner, Result

from tapeline.cli import serve as play_command
from tapeline.cli import serve as serve_command
from tapeline.cli.app import app
from tapeline.web.settings import Settings, default_database
from web.inside import PLAIN

MAIN = "from tapeline.cli import main; main()"


def test_play_serves_until_it_is_interrupted_and_logs_no_call(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MAIN, "play", "--no-browser", "--no-compile", "--port", "0"]
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    child = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    )
    assert child.stdout is not None
    said = child.stdout.readline()
    address = said.removeprefix("The table is at ").strip()
    assert child.stdout.readline() == "Ctrl-C ends it; matches are kept.\n"
    assert address.startswith("http://127.0.0.1:"), said
    with httpx.Client(base_url=address, timeout=30, **PLAIN) as client:
        assert client.get("/healthz").json()["up"]
        assert client.get("/").headers["content-type"].startswith("text/html")
        made = client.post("/api/matches", json={"example": "sovl-ford"}).json()
        token = made["links"][0]["token"]
        headers = {"authorization": f"Bearer {token}"}
        assert client.get(f"/api/matches/{made['id']}", headers=headers).status_code == 200
        assert client.get(f"/api/matches/{made['id']}").status_code == 404
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 0, err
    assert token not in out + err
    assert made["id"] not in out + err, "calls are not logged"
    assert (tmp_path / "tapeline" / "matches.db").is_file()


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., tuple[Result, Any]]:
    """Runs a command up to where it would serve: what it says, and the settings."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    seen: dict[str, Any] = {}

    def run_server(settings: Settings, made: socket.socket, ready: Callable[[], None]) -> None:
        seen.update(settings=settings, at=made.getsockname()[:2])
        ready()
        made.close()

    def go(*words: str) -> tuple[Result, Any]:
        monkeypatch.setattr(serve_command, "run_server", run_server)
        monkeypatch.setattr(play_command, "run_server", run_server)
        monkeypatch.setattr(webbrowser, "open", lambda url: seen.update(opened=url))
        seen.clear()
        result = CliRunner().invoke(app, list(words), catch_exceptions=False)
        for thread in threading.enumerate():
            if getattr(thread, "_target", None) is webbrowser.open:
                thread.join()
        return result, dict(seen)

    return go


def test_play_opens_the_browser_unless_told_not_to(
    told: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    result, seen = told("play", "--port", "0")
    assert result.exit_code == 0
    assert seen["opened"] in result.stdout
    assert seen["at"][0] == "127.0.0.1"
    assert seen["settings"].compile
    assert seen["settings"].database == default_database()
    _, seen = told("play", "--port", "0", "--no-browser", "--no-compile")
    assert "opened" not in seen
    assert not seen["settings"].compile
    if sys.platform.startswith("linux"):
        monkeypatch.delenv("DISPLAY")
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        result, seen = told("play", "--port", "0")
        assert "opened" not in seen, "no browser of text takes over the terminal"
        assert "The table is at" in result.stdout


def test_a_taken_port_is_another_for_play_and_an_error_for_serve(told: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result, seen = told("play", "--port", str(port), "--no-browser")
        assert result.exit_code == 0
        assert seen["at"][1] != port
        result, seen = told("serve", "--port", str(port))
        assert result.exit_code == 2
        assert f"127.0.0.1 port {port}" in result.stderr
        assert not seen


def test_serve_says_what_it_exposes(told: Any) -> None:
    result, seen = told("serve", "--port", "0")
    assert seen["at"][0] == "127.0.0.1"
    assert "Only this machine reaches it." in result.stdout
    result, seen = told("serve", "--port", "0", "--host", "0.0.0.0", "--title", "Club night")
    assert seen["at"][0] == "0.0.0.0"
    assert "Club night is at http://" in result.stdout
    assert "Everybody who reaches this address can begin matches" in result.stdout
    assert "Nothing is encrypted" in result.stdout
    result, _ = told("serve", "--port", "0", "--json")
    line = json.loads(result.stdout)
    assert line["format"] == "tapeline-serving/1"
    assert line["exposed"] is False
    page = (Path(__file__).parents[2] / "docs" / "reference" / "json-output.md").read_text()
    assert all(f"`{key}`" in page for key in line if key != "format")
    assert "`tapeline-serving/1`" in page


def options() -> list[click.Option]:
    """Those of `tapeline serve` that are settings."""
    found = [one for one in serve_command.serve.params if isinstance(one, click.Option)]
    return [one for one in found if one.envvar and one.name != "config"]


def test_every_setting_is_an_option_a_variable_and_a_line_of_the_file(
    told: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = {one.name for one in options()}
    assert names == {field.name for field in fields(Settings)} | {"host", "port"}
    said = CliRunner().invoke(app, ["serve", "--help"]).stdout
    file = tmp_path / "serve.toml"
    for option in options():
        assert f"env var: {option.envvar}" in " ".join(said.split())
        if option.name in ("host", "port"):
            continue
        flag = option.opts[0]
        text, value = "7", 7
        if option.name == "examples":
            text, value = str(tmp_path), tmp_path  # type: ignore[assignment]
        elif option.name == "create_password_file":
            text, value = __file__, Path(__file__)  # type: ignore[assignment]
        elif option.is_flag:
            text, value = "true", True
        elif isinstance(option.type, type(click.STRING)):
            value = ("7",) if option.multiple else "7"  # type: ignore[assignment]
        words = [flag] if option.is_flag else [flag, text]
        _, seen = told("serve", "--port", "0", *words)
        assert getattr(seen["settings"], str(option.name)) == value, flag
        with monkeypatch.context() as changed:
            changed.setenv(str(option.envvar), text)
            _, seen = told("serve", "--port", "0")
        assert getattr(seen["settings"], str(option.name)) == value, option.envvar
        line = text if option.is_flag or value == 7 else json.dumps(text)
        file.write_text(f"{flag.removeprefix('--')} = {line}\n")
        _, seen = told("serve", "--port", "0", "--config", str(file))
        assert getattr(seen["settings"], str(option.name)) == value, file.read_text()


def test_an_option_wins_over_the_variable_and_that_over_the_file(
    told: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "serve.toml"
    file.write_text('port = 0\ntitle = "file"\nhost-name = ["A.example", "b.example"]\n')
    monkeypatch.setenv("TAPELINE_CONFIG", str(file))
    _, seen = told("serve")
    assert seen["settings"].title == "file"
    assert seen["settings"].host_names == ("a.example", "b.example")
    monkeypatch.setenv("TAPELINE_TITLE", "variable")
    monkeypatch.setenv("TAPELINE_HOST_NAME", "c.example d.example")
    _, seen = told("serve")
    assert seen["settings"].title == "variable"
    assert seen["settings"].host_names == ("c.example", "d.example")
    _, seen = told("serve", "--title", "option")
    assert seen["settings"].title == "option"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("nonsense", "not a TOML file"),
        ("judgs = 2", "judgs: there is no such setting"),
        ("json = true", "json: there is no such setting"),
        ("judges = 65", "judges: 65 is not in the range 1<=x<=64"),
        ("judges = 1.5", "judges: '1.5' is not a valid integer"),
        ("judges = true", "judges: 'True' is not a valid integer"),
        ("quick-seconds = 0", "quick-seconds: 0.0 is not in the range x>0"),
        ("title = ['a', 'b']", "title: must be one value"),
        ("proxy = [[1]]", "proxy: must be a list of texts"),
        ("[settings]\njudges = 2", "settings: there is no such setting"),
    ],
)
def test_a_file_that_cannot_be_used_is_an_error_that_names_the_line(
    told: Any, tmp_path: Path, line: str, fault: str
) -> None:
    file = tmp_path / "serve.toml"
    file.write_text(line)
    result, seen = told("serve", "--port", "0", "--config", str(file))
    assert result.exit_code == 2
    assert f"{file}: {fault}" in result.stderr
    assert not seen


def test_an_address_that_is_not_ours_is_an_error(told: Any) -> None:
    result, _ = told("serve", "--host", "203.0.113.7", "--port", "0")
    assert result.exit_code == 2
    assert "203.0.113.7" in result.stderr


def test_without_the_extra_it_says_what_to_install(
    told: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.util

    found = importlib.util.find_spec

    def without(name: str, package: str | None = None) -> Any:
        return None if name == "fastapi" else found(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    for command in ("play", "serve"):
        result, seen = told(command)
        assert result.exit_code == 2
        assert "pip install 'tapeline[web]'" in result.stderr
        assert not seen


def test_examples_may_come_from_a_folder(told: Any, start: Any, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    ford = Path(__file__).parents[2] / "examples" / "sovl-ford.json"
    (folder / "our-ford.json").write_text(ford.read_text())
    _, seen = told("serve", "--port", "0", "--examples", str(folder))
    assert seen["settings"].examples == folder
    server = start(examples=folder)
    assert [e["name"] for e in server.client.get("/api/examples").json()] == ["our-ford"]
    both, _ = server.begin(example="our-ford")
    assert both.match["board"]["system"] == "sovl"
    refused = server.client.post("/api/matches", json={"example": "sovl-ford"})
    assert refused.status_code == 422
