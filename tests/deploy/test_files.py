"""Image, composition and unit, checked as far as a machine goes that has no container engine."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tapeline.cli.serve import PORT, serve

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
VARIABLES = {str(param.envvar) for param in serve.params if getattr(param, "envvar", None)}
#: Read by Caddy, by the engine of the kernels.
OTHERS = {"TAPELINE_SERVERS", "TAPELINE_CACHE"}
ENVIRONMENT = {"TAPELINE_HOST_NAME": "tables.example.org", "POSTGRES_PASSWORD": "secret"}


def dockerfile() -> list[tuple[str, str]]:
    """Its instructions, lines that go on put together."""
    text = re.sub(r"\\\n", " ", (DEPLOY / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines]


def stage() -> dict[str, list[str]]:
    """Instructions of the last stage, which is the image."""
    told: dict[str, list[str]] = {}
    for name, words in dockerfile():
        if name == "FROM":
            told = {}
        told.setdefault(name, []).append(words)
    return told


def test_the_image_is_pinned_small_and_not_root() -> None:
    bases = [words.split()[0] for name, words in dockerfile() if name == "FROM"]
    assert all(re.fullmatch(r"[\w./-]+:[\w.-]*\d[\w.-]*", base) for base in bases)
    last = stage()
    assert "ADD" not in dict(dockerfile())
    assert not any("sudo" in words or "latest" in words for _, words in dockerfile())
    (user,) = last["USER"]
    assert user.isdigit(), "a number, so that an engine can see that it is not root"
    assert int(user) > 0
    names = [name for name, _ in dockerfile()]
    assert "RUN" not in names[len(names) - names[::-1].index("USER") :], "nothing runs after it"
    for words in (*last["ENTRYPOINT"], *last["CMD"]):
        assert isinstance(json.loads(words), list), "no shell between"
    assert all("--no-cache-dir" in words for name, words in dockerfile() if "pip " in words)


def test_the_image_asks_the_server_whether_it_is_ready() -> None:
    (words,) = stage()["HEALTHCHECK"]
    command = json.loads(words.partition("CMD")[2])
    assert f"http://127.0.0.1:{PORT}/readyz" in command[-1]
    compile(command[-1], "HEALTHCHECK", "exec")
    assert stage()["EXPOSE"] == [str(PORT)]


def test_what_the_image_writes_lies_in_its_volume() -> None:
    last = stage()
    (volume,) = last["VOLUME"]
    told = dict(word.split("=", 1) for word in shlex.split(last["ENV"][0]))
    assert {name for name in told if name.startswith("TAPELINE_")} <= VARIABLES | OTHERS
    assert told["TAPELINE_DATABASE"].removeprefix("sqlite:///").startswith(f"{volume}/")
    assert told["TAPELINE_CACHE"].startswith(f"{volume}/")
    assert any(f"--home-dir {volume} --create-home" in words for words in last["RUN"])


def test_what_the_image_is_built_of_is_there_and_nothing_else_is_sent() -> None:
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert ignored[0] == "*"
    sent = {line[1:] for line in ignored if line.startswith("!")}
    copied = {
        word
        for name, words in dockerfile()
        if name == "COPY" and not words.startswith("--from")
        for word in words.split()[:-1]
    }
    assert copied == sent
    assert all((ROOT / name).exists() for name in copied)


def compose() -> dict[str, Any]:
    """The composition with its variables in place."""
    text = (DEPLOY / "compose.yaml").read_text()
    names = set(re.findall(r"\$\{(\w+):\?", text))
    assert names == set(ENVIRONMENT), "the only ones that must be given"
    for name in names:
        text = re.sub(rf"\$\{{{name}:\?[^}}]*\}}", ENVIRONMENT[name], text)
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)
    assert "$" not in text
    found: dict[str, Any] = yaml.safe_load(text)
    return found


@pytest.mark.parametrize("name", ["proxy", "tapeline", "db"])
def test_every_service_is_held_tight(name: str) -> None:
    service = compose()["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "unless-stopped"
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert "privileged" not in service
    assert ("image" in service) != ("build" in service)
    if "image" in service:
        assert re.fullmatch(r"[a-z/]+:\d[\d.]*", service["image"])
    for volume in service["volumes"]:
        where, _, _ = volume.partition(":")
        assert where in compose()["volumes"] or (DEPLOY / where).is_file()


def test_only_the_proxy_is_reached_from_outside_and_only_it_is_believed() -> None:
    told = compose()
    services, networks = told["services"], told["networks"]
    assert [name for name in services if "ports" in services[name]] == ["proxy"]
    for name in ("tapeline", "db"):
        assert all(networks[one]["internal"] for one in services[name]["networks"])
    assert "front" not in services["db"]["networks"]
    assert "back" not in services["proxy"]["networks"]
    address = services["proxy"]["networks"]["front"]["ipv4_address"]
    assert services["tapeline"]["environment"]["TAPELINE_PROXY"] == address
    (network,) = networks["front"]["ipam"]["config"]
    assert ipaddress.ip_address(address) in ipaddress.ip_network(network["subnet"])


def test_services_wait_for_one_another_and_speak_of_the_same_things() -> None:
    services = compose()["services"]
    for name, other in (("proxy", "tapeline"), ("tapeline", "db")):
        assert services[name]["depends_on"][other] == {"condition": "service_healthy"}
    assert services["db"]["healthcheck"]["test"][0] == "CMD"
    environment = services["tapeline"]["environment"]
    assert {name for name in environment if name.startswith("TAPELINE_")} <= VARIABLES
    user, host, name = re.fullmatch(
        r"postgresql\+psycopg://(\w+)@(\w+)/(\w+)", environment["TAPELINE_DATABASE"]
    ).groups()  # type: ignore[union-attr]
    assert host in services
    assert user == name == services[host]["environment"]["POSTGRES_USER"]
    assert environment["PGPASSWORD"] == services[host]["environment"]["POSTGRES_PASSWORD"]
    build = services["tapeline"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).samefile(DEPLOY / "Dockerfile")
    assert services["proxy"]["environment"]["TAPELINE_SERVERS"] == f"tapeline:{PORT}"
    caddy = set(re.findall(r"\{\$(\w+)", (DEPLOY / "Caddyfile").read_text()))
    assert caddy == set(services["proxy"]["environment"])


def composing() -> list[str]:
    """The command that reads compositions, if there is one."""
    if shutil.which("docker"):
        told = subprocess.run(["docker", "compose", "version"], capture_output=True)
        if told.returncode == 0:
            return ["docker", "compose"]
    return ["docker-compose"] if shutil.which("docker-compose") else []


@pytest.mark.skipif(not composing(), reason="no docker compose here")
def test_compose_reads_it() -> None:
    told = subprocess.run(
        [*composing(), "-f", str(DEPLOY / "compose.yaml"), "config"],
        env={**os.environ, **ENVIRONMENT},
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert set(yaml.safe_load(told.stdout)["services"]) == {"proxy", "tapeline", "db"}


needs_systemd = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")


def unit(folder: Path) -> Path:
    """The unit with a command that is here."""
    command = "/opt/tapeline/bin/tapeline serve"
    text = (DEPLOY / "tapeline.service").read_text()
    assert f"ExecStart={command}\n" in text
    made = folder / "tapeline.service"
    made.write_text(text.replace(command, "/bin/true"))
    return made


@needs_systemd
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    told = subprocess.run(
        ["systemd-analyze", "verify", str(unit(tmp_path))], capture_output=True, text=True
    )
    assert (told.returncode, told.stderr) == (0, "")


@needs_systemd
def test_the_unit_may_do_little(tmp_path: Path) -> None:
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", str(unit(tmp_path))],
        capture_output=True,
        text=True,
    )
    found = re.search(r"exposure level for tapeline.service: (\d+\.\d)", told.stdout)
    assert found is not None, told.stderr
    assert float(found[1]) <= 1.5


def test_the_unit_sets_what_the_server_knows() -> None:
    text = (DEPLOY / "tapeline.service").read_text()
    told = {
        word.partition("=")[0]
        for line in re.findall(r"^Environment=(.*)$", text, re.MULTILINE)
        for word in line.split()
    }
    assert {name for name in told if name.startswith("TAPELINE_")} <= VARIABLES
    assert {"XDG_DATA_HOME", "XDG_CACHE_HOME"} <= told


def test_ten_commands_lead_from_nothing_to_tls(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "server.md").read_text()
    block = page.split("## From nothing to TLS in ten commands")[1].split("```sh\n")[1]
    commands = block.split("```")[0].splitlines()
    assert len(commands) <= 10
    for name in re.findall(r"deploy/[\w.]+", " ".join(commands)):
        assert (ROOT / name).is_file(), name
    unit = (DEPLOY / "tapeline.service").read_text()
    for path in ("/opt/tapeline", "/etc/tapeline/environment"):
        assert path in unit
        assert any(path in command for command in commands)
    (made,) = (command for command in commands if command.startswith("sed "))
    text = subprocess.check_output(made.partition(" > ")[0], shell=True, cwd=ROOT, text=True)
    assert "\ntables.example.org {\n" in text
    assert "{$TAPELINE_HOST_NAME}" not in text
    if shutil.which("caddy"):
        (tmp_path / "Caddyfile").write_text(text)
        command = ["caddy", "validate", "--adapter", "caddyfile", "--config", "Caddyfile"]
        told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert told.returncode == 0, told.stderr
