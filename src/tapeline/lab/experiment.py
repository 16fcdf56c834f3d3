"""An experiment as a file: what is varied, what is done, and the units of work that come of it."""

from __future__ import annotations

import hashlib
import itertools
import json
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path
from typing import Any

from pydantic import Field

from tapeline.errors import DocumentError, Fault
from tapeline.lab.kind import ExperimentKind, Settings, Unit, Varied
from tapeline.lab.kinds import KINDS
from tapeline.play.systems import load_system
from tapeline.table.json_documents import parse_json, validate
from tapeline.table.scene import parse_scene

__all__ = ["EXPERIMENT_FORMAT", "Experiment", "read_experiment"]

EXPERIMENT_FORMAT = "tapeline-experiment/1"


class _FigureDoc(Settings):
    """A figure of a profile: of whom (ids of models and units, or a profile's name), and values."""

    of: str
    figure: str
    values: list[float | int | str | bool] = Field(min_length=1)


class _VaryDoc(Settings):
    """What is varied: each scene or log under each value of each option and figure."""

    scenes: list[str] = Field(default_factory=list)
    logs: list[str] = Field(default_factory=list)
    options: dict[str, list[str]] = Field(default_factory=dict)
    figures: list[_FigureDoc] = Field(default_factory=list)


class _ExperimentDoc(Settings):
    format: str
    kind: str
    name: str = ""
    seeds: list[int] = Field([0], min_length=1)
    vary: _VaryDoc
    do: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True)
class Experiment:
    """An experiment that has been read.

    sources: by name the file, and what is changed in it: options, and figures as (of, figure,
    value). settings: of its kind. hash: of all that its results follow from, files included.
    """

    name: str
    kind: ExperimentKind
    plan: Varied
    sources: dict[str, tuple[Path, dict[str, str], tuple[tuple[str, str, Any], ...]]]
    hash: str
    _read: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def units(self) -> Iterator[Unit]:
        """All units of work, in their order."""
        return self.kind.units(self.plan)

    def document(self, source: str) -> Any:
        """What a unit is done on: a scene with what is varied in it, or the text of a log with
        the options that it is to be judged under. Raises DocumentError, OSError.
        """
        if source not in self._read:
            while len(self._read) >= 64:
                del self._read[next(iter(self._read))]
            self._read[source] = self._made(source)
        return self._read[source]

    def _made(self, source: str) -> Any:
        path, options, figures = self.sources[source]
        content = path.read_bytes()
        if b'"tapeline-log/' in content.split(b"\n", 1)[0]:
            return {"log": content.decode("utf-8"), "options": options}
        scene = parse_json(content, str(path))
        if figures:
            parse_scene(scene, str(path))
        if options:
            had = scene.get("options", {}) if isinstance(scene, dict) else None
            if not isinstance(had, dict):
                raise DocumentError(str(path), [Fault("options", "must be an object")])
            scene["options"] = {**had, **options}
        for of, figure, value in figures:
            if not _set_figure(scene, of, figure, value):
                message = f"names {of!r}, which is no model, unit or profile of {path.name}"
                raise DocumentError("experiment", [Fault("vary.figures", message)])
        return scene


def _set_figure(scene: dict[str, Any], of: str, figure: str, value: Any) -> bool:
    """Give a figure to whom it is for; False if there is nobody."""
    found = False
    known = load_system(scene["system"]).profiles
    for one in (*scene.get("models", ()), *scene.get("units", ())):
        profile = one.get("profile")
        name = profile.get("like") if isinstance(profile, dict) else profile
        if not profile or of not in (one["id"], name):
            continue
        if isinstance(profile, str):
            profile = {"like": profile} if profile in known else {}
        one["profile"] = {**profile, figure: value}
        found = True
    return found


def _files(wanted: Iterable[str], beside: Path, ends: tuple[str, ...], where: str) -> list[Path]:
    """Files, and those of folders and patterns, in the order of the alphabet."""
    found: list[Path] = []
    faults = []
    for index, text in enumerate(wanted):
        path = beside / text
        if path.is_dir():
            some = sorted(one for one in path.rglob("*") if one.suffix in ends and one.is_file())
        elif path.is_file():
            some = [path]
        else:
            some = sorted(
                Path(one) for one in glob(str(path), recursive=True) if Path(one).is_file()
            )
        if not some:
            faults.append(Fault(f"{where}[{index}]", f"no file, folder or pattern: {text!r}"))
        found += some
    if faults:
        raise DocumentError("experiment", faults)
    return list(dict.fromkeys(found))


def read_experiment(path: str | Path) -> Experiment:
    """An experiment from its file; what it names is looked for beside it.

    Raises DocumentError with every fault, OSError.
    """
    path = Path(path)
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DocumentError(str(path), [Fault("", f"is not TOML: {error}")]) from None
    document = validate(_ExperimentDoc, data, str(path))
    if document.format != EXPERIMENT_FORMAT:
        raise DocumentError(str(path), [Fault("format", f"must be {EXPERIMENT_FORMAT!r}")])
    kind = KINDS.get(document.kind)
    if kind is None:
        known = ", ".join(KINDS)
        fault = Fault("kind", f"must be one of {known}; got {document.kind!r}")
        raise DocumentError(str(path), [fault])
    try:
        settings = validate(kind.settings, document.do, str(path))
    except DocumentError as error:
        raise DocumentError(str(path), error.faults_at("do")) from None
    vary = document.vary
    files = _files(vary.scenes, path.parent, (".json",), "vary.scenes")
    files += _files(vary.logs, path.parent, (".log", ".jsonl"), "vary.logs")
    if not files:
        raise DocumentError(str(path), [Fault("vary", "names no scenes and no logs")])
    sources: dict[str, Any] = {}
    digest = hashlib.sha256(json.dumps(data, sort_keys=True).encode())
    options = [[(name, value) for value in values] for name, values in vary.options.items()]
    figures = [[(one.of, one.figure, value) for value in one.values] for one in vary.figures]
    stems = [one.stem for one in files]
    for one in files:
        digest.update(hashlib.sha256(one.read_bytes()).digest())
        label = one.stem if stems.count(one.stem) == 1 else str(one.relative_to(path.parent))
        for chosen in itertools.product(*options, *figures):
            said = dict(chosen[: len(options)])
            given = chosen[len(options) :]
            words = [f"{name}={value}" for name, value in said.items()]
            words += [f"{of}.{figure}={value}" for of, figure, value in given]
            sources[" ".join([label, *words])] = (one, said, given)
    name = document.name or path.stem
    plan = Varied(tuple(sources), tuple(document.seeds), settings)
    return Experiment(name, kind, plan, sources, digest.hexdigest())
