"""Environments to learn in (extra `env`): PettingZoo for all sides, Gymnasium for one.

Importing it registers an environment of Gymnasium for each system, `tapeline/<system>-v0`, on an
example scene that comes along; keywords of `SideEnv` may be given to `gymnasium.make`.

>>> import gymnasium, tapeline.env                              # doctest: +SKIP
>>> env = gymnasium.make("tapeline/sovl-v0", opponent="novice")  # doctest: +SKIP
"""

from __future__ import annotations

import json
from typing import Any

import gymnasium

from tapeline.env.table import SideEnv, TableEnv
from tapeline.errors import TapelineError
from tapeline.play.files import examples_folder
from tapeline.play.systems import system_names

__all__ = ["SideEnv", "TableEnv", "parallel", "scene_of", "table"]


def scene_of(system: str) -> dict[str, Any]:
    """The first example scene of a system, by name, that states goals. TapelineError: none."""
    folder = examples_folder()
    for path in sorted(folder.glob("*.json")) if folder else ():
        scene: Any = json.loads(path.read_bytes())
        if isinstance(scene, dict) and scene.get("system") == system and "game" in scene:
            return scene
    raise TapelineError(f"no example scene of {system} states goals")


def table(system: str, **keywords: Any) -> TableEnv:
    """`tapeline/<system>-v0` for PettingZoo, on the same scene; keywords as of `TableEnv`."""
    return TableEnv(scene_of(system), **keywords)


def parallel(system: str, **keywords: Any) -> Any:
    """The same as a parallel environment: what sides say whose turn it is not is left unheard."""
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    return turn_based_aec_to_parallel(table(system, **keywords))


def _side(system: str, **keywords: Any) -> SideEnv:
    return SideEnv(keywords.pop("scene", None) or scene_of(system), **keywords)


for _system in system_names():
    gymnasium.register(f"tapeline/{_system}-v0", "tapeline.env:_side", kwargs={"system": _system})
