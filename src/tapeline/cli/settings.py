"""Every setting of the server as an option, a variable and a line of a file.

An option wins over the variable, that over the file, that over the default.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import click

from tapeline.cli.output import Numbers
from tapeline.errors import TapelineError
from tapeline.web.settings import About, Settings, default_database

__all__ = ["config_option", "make_settings", "require_web", "setting_options", "variable"]

F = TypeVar("F", bound=Callable[..., Any])

#: What may be given again and again: the option that gives one, and what it takes.
_MANY = {
    "host_names": ("host-name", "NAME"),
    "programs": ("program", "NAME=COMMAND"),
    "proxies": ("proxy", "ADDRESS"),
    "watchers": ("watcher", "ADDRESS"),
}

#: Defaults that are not those of `Settings`, and how they are told.
_DEFAULTS: Mapping[str, tuple[Any, str | bool]] = {
    "database": (default_database, "a file among the data of the user"),
    "judges": (lambda: os.cpu_count() or 1, "as many as there are processors"),
    "compile": (True, True),
}

_NEEDED = ("fastapi", "uvicorn", "sqlalchemy", "alembic", "websockets")


class _LineOfText(click.types.StringParamType):
    """Text with blanks in it, of which a variable holds one a line."""

    envvar_list_splitter = "\n"


def variable(option: str) -> str:
    """The environment variable of an option."""
    return f"TAPELINE_{option.upper().replace('-', '_')}"


def setting_options(*names: str) -> Callable[[F], F]:
    """Options for the settings of these names; for all of them if none is named."""
    hints = get_type_hints(Settings, include_extras=True)
    wanted = [field for field in fields(Settings) if not names or field.name in names]

    def decorate(command: F) -> F:
        for field in reversed(wanted):
            kind, about = get_args(hints[field.name])
            command = _option(field.name, kind, about, field.default)(command)
        return command

    return decorate


def _option(name: str, kind: Any, about: About, default: Any) -> Callable[[F], F]:
    option, metavar = _MANY.get(name, (name.replace("_", "-"), None))
    default, told = _DEFAULTS.get(name, (default, True))
    keywords: dict[str, Any] = {"help": about.says, "default": default, "show_default": told}
    if kind is bool:
        keywords["type"] = bool
        option = f"{option}/--no-{option}"
    elif get_origin(kind) is tuple:
        keywords |= {"multiple": True, "metavar": metavar}
        if name == "programs":
            keywords["type"] = _LineOfText()
    elif kind is int:
        keywords |= {"type": click.IntRange(1, about.most), "metavar": "N"}
    elif kind is float:
        keywords |= {"type": Numbers(0, min_open=not about.never), "metavar": "N"}
    elif name == "examples":
        keywords["type"] = click.Path(exists=True, file_okay=False, path_type=Path)
    elif name == "create_password_file":
        keywords["type"] = click.Path(exists=True, dir_okay=False, path_type=Path)
    elif name == "database":
        keywords["metavar"] = "URL"
    envvar = variable(option.partition("/")[0])
    return click.option(f"--{option}", name, envvar=envvar, show_envvar=True, **keywords)


def config_option(command: F) -> F:
    """`--config`: a file with settings."""
    return click.option(
        "--config",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=_from_file,
        envvar=variable("config"),
        show_envvar=True,
        help="A TOML file of settings, each named as its option: port = 8023. Options and "
        "variables win over it.",
    )(command)


def _from_file(context: click.Context, _param: click.Parameter, path: Path | None) -> None:
    """Take what a file says as defaults. Raises TapelineError for what is no setting."""
    if path is None:
        return
    try:
        told = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TapelineError(f"{path}: not a TOML file: {error}") from None
    known = {
        param.opts[-1].removeprefix("--"): param
        for param in context.command.params
        if param.envvar and param.name != "config"
    }
    context.default_map = {}
    for key, value in told.items():
        if key not in known:
            raise TapelineError(f"{path}: {key}: there is no such setting")
        param = known[key]
        context.default_map[str(param.name)] = _value(param, value, f"{path}: {key}")


def _value(param: click.Parameter, value: Any, where: str) -> Any:
    """What a line of a file says, as text that is read like that of an option."""
    many = isinstance(param, click.Option) and param.multiple
    values = value if isinstance(value, list) and many else [value]
    if not all(isinstance(one, str | int | float) for one in values):
        raise TapelineError(f"{where}: must be {'a list of texts' if many else 'one value'}")
    texts = [str(one) for one in values]
    try:
        kept = [param.type(text, param) for text in texts]
    except click.BadParameter as error:
        raise TapelineError(f"{where}: {error.message}") from None
    return kept if many else kept[0]


def require_web() -> None:
    """Raises TapelineError, with what to do, where the extra `web` is not installed."""
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in _NEEDED):
        raise TapelineError("the browser table needs more packages: pip install 'tapeline[web]'")


def make_settings(**values: Any) -> Settings:
    """Settings from the options. Raises TapelineError where the extra `web` is missing."""
    require_web()
    names = tuple(name.lower() for name in values.pop("host_names", ()))
    return Settings(host_names=names, **values)
