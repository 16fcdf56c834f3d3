"""All that a worker needs, loaded once: the process that workers are forked from imports this, and
they share its memory."""

from __future__ import annotations

import contextlib
import json
from importlib.metadata import entry_points

from tapeline.play.files import examples_folder
from tapeline.play.systems import look_again
from tapeline.web.work.worker import Desk
from tapeline.work import settle

__all__: list[str] = []


def _load() -> None:
    for system in entry_points(group="tapeline.systems"):
        # One that is broken says so to whoever asks for it.
        with contextlib.suppress(Exception):
            system.load()
    # What is imported or made at first use, as well.
    desk, folder, seen = Desk(), examples_folder(), set()
    for path in sorted(folder.glob("*.json")) if folder else ():
        scene = path.read_bytes()
        document = json.loads(scene)
        # Cases stand there as well.
        name = document.get("system") if isinstance(document, dict) else None
        if name is not None and name not in seen:
            seen.add(name)
            _ask(desk, scene)


def _ask(desk: Desk, scene: bytes) -> None:
    most = {"pieces": 1_000, "corners": 10_000, "bodies": 1_000, "entries": 0}
    said = {"id": "", "seed": "", "most": most, "folder": None}
    letter, begun = desk.answer(
        {"what": "begin", "said": said}, b'{"scene":' + scene + b',"mode":"links"}'
    )
    if letter != b"A":
        return
    log = begun.partition(b"\n")[2]
    desk.answer({"what": "follow", "match": "", "said": {"anew": True}}, log)
    holder = {"role": "both", "sides": []}
    asked = {"since": 0, "by": holder, "mode": "links", "seen_by": []}
    desk.answer({"what": "show", "match": "", "said": asked}, b"")


_load()
# Where a worker runs, others may be installed.
look_again()
settle()
