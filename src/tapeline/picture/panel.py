"""The side panel: the verdict in words, the findings by number, the ledger, the legend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tapeline.engine.actions import Action
from tapeline.engine.state import State
from tapeline.engine.system import System
from tapeline.engine.verdicts import Verdict
from tapeline.picture import bases, letters, svg
from tapeline.picture.features import FILLED, feature, swatch
from tapeline.picture.look import LOOK, SideLook, Theme
from tapeline.picture.svg import element, group
from tapeline.picture.words import action_words, ask_words, measure_words
from tapeline.table.marks import thaw
from tapeline.wording import figure

__all__ = ["Panel"]

_TEXT = 12.0
_SMALL = 10.5


@dataclass
class Panel:
    """A column of text and swatches; `y` is where the next line begins."""

    theme: Theme
    left: float
    width: float
    y: float
    parts: list[str] = field(default_factory=list)

    def gap(self, pixels: float) -> None:
        """Leave room."""
        self.y += pixels

    def text(
        self,
        words: str,
        size: float = _TEXT,
        *,
        colour: str = "",
        bold: bool = False,
        indent: float = 0.0,
        kind: str | None = None,
    ) -> None:
        """A paragraph."""
        for line in letters.wrap(words, size, self.width - indent, bold):
            self.y += size * 1.32
            weight = "bold" if bold else None
            self._put(line, indent, -0.3 * size, size, colour, font_weight=weight, class_=kind)

    def _put(
        self, words: str, dx: float, dy: float, size: float, colour: str = "", **style: Any
    ) -> None:
        """A line of text beside where the next line begins."""
        x, y = self.left + dx, self.y + dy
        self.parts.append(svg.text(words, x, y, size, colour or self.theme["ink"], **style))

    def heading(self, words: str) -> None:
        """A heading with a rule above it."""
        self.gap(10)
        self.parts.append(
            svg.line((self.left, self.y), (self.left + self.width, self.y), self.theme["grid"], 1)
        )
        self.gap(5)
        self.text(words, _SMALL, colour=self.theme["muted"], bold=True)
        self.gap(1)

    def verdict(self, action: Action | None, verdict: Verdict) -> None:
        """The kind of verdict as a chip, then everything it says."""
        theme = self.theme
        word = str(verdict.kind)
        wide = letters.width(word, 14, True) + 20
        self.gap(4)
        chip = svg.rect(self.left, self.y, wide, 24, rx=4, fill=theme.kinds[word])
        text = svg.text(word, self.left + 10, self.y + 17, 14, theme.on_kind, bold=True)
        self.parts.append(group([chip, text], class_="verdict", data_kind=word))
        self.gap(27)
        if action is not None:
            self.text(action_words(action), _TEXT, bold=True, kind="action")
        if verdict.findings:
            self.heading("Stopped by" if verdict.legal else "Against the rules")
            self._findings(verdict)
        if verdict.ask is not None:
            self.heading("Needed next")
            self.text(ask_words(verdict.ask), kind="ask")
        if verdict.nearest is not None:
            self.heading("Nearest legal move")
            self.text(verdict.nearest.text, kind="nearest")
        if verdict.ledger:
            self.heading("Cost")
            self._ledger(verdict)
        shown = {name: value for name, value in thaw(verdict.values).items() if not _nested(value)}
        if shown:
            self.heading("Figures")
            for name, value in shown.items():
                self._row(name.replace("_", " "), _shown(value))

    def _findings(self, verdict: Verdict) -> None:
        theme = self.theme
        for index, finding in enumerate(verdict.findings, 1):
            self.gap(3)
            self.parts.append(svg.circle(self.left + 9, self.y + 9, 8.5, fill=theme["fault"]))
            self._put(str(index), 9, 12.8, 10.5, theme["on-fault"], bold=True, text_anchor="middle")
            self.text(finding.text, indent=25, kind="finding")
            about = f"about {finding.about}" if finding.about else ""
            facts = [finding.clause, measure_words(finding), about]
            words = " · ".join(fact for fact in facts if fact)
            self.text(words, _SMALL, colour=theme["muted"], indent=25, kind="measure")

    def _row(self, left: str, right: str) -> None:
        size = 11.0
        room = self.width - letters.width(right, size) - 8
        lines = letters.wrap(left, size, max(room, 60)) or [""]
        for index, line in enumerate(lines):
            self.y += size * 1.35
            self._put(line, 0, -3, size)
            if index == 0:
                self._put(right, self.width, -3, size, text_anchor="end")

    def _ledger(self, verdict: Verdict) -> None:
        for line in verdict.ledger:
            sum_ = figure(line.cost)
            if line.distance and abs(line.factor - 1.0) > 1e-9:
                sum_ = f"{figure(line.distance)} × {figure(line.factor)} = {sum_}"
            self._row(f"{line.what} ({line.clause})", sum_)
        if len(verdict.ledger) > 1:
            self._row("all together", figure(verdict.cost))

    def legend_sides(
        self, state: State, looks: dict[str, SideLook], heading: str = "Sides"
    ) -> None:
        """A sample base for each side."""
        self.heading(heading)
        counts = Counter(body.side for body in state.bodies.values())
        for side in state.sides:
            look = looks[side.id]
            y = self.y + 9
            self.parts.append(bases.sample(self.left + 9, y, 8, look, self.theme))
            rim = bases.RIMS[look.rim]
            on = counts[side.id]
            self._legend_text(f"{side.name}: {rim}, {on} on the table")

    def legend_terrain(self, system: System, tiles: dict[str, tuple[str, str, str]]) -> None:
        """A swatch for each kind of terrain there is, with its traits."""
        if tiles:
            self.heading("Terrain")
        for kind, (name, fill, ink) in tiles.items():
            drawn = system.terrain_kinds[kind]
            own = drawn.form in FILLED
            fill = self.theme[drawn.form] if own else fill
            corner = (self.left, self.y + 2)
            border = swatch(corner, kind, fill, ink, drawn.height)
            traits = ", ".join(sorted(system.terrain_kinds[kind].traits)).replace("_", " ")
            words = f"{kind.replace('_', ' ')}{': ' if traits else ''}{traits}"
            laid = f"url(#{name})" if drawn.pattern in LOOK.tiles and not own else fill
            self._square(words, fill=laid, edge=(ink, 1.2))
            self.parts.extend(feature(border, self.theme, drawn.form, drawn.pattern))

    def patch(self, fill: str, opacity: float, edge: str, words: str) -> None:
        """A shade and what it means."""
        self._square(words, fill=fill, fill_opacity=opacity, edge=(edge, 1.4))

    def _square(self, words: str, **look: object) -> None:
        where = {"x": self.left, "y": self.y + 2, "width": 19, "height": 13}
        self.parts.append(element("rect", **where, **look))
        self._legend_text(words)

    def stroke(self, colour: str, dash: str | None, words: str) -> None:
        """A kind of line and what it means."""
        x, y, cap = self.left, self.y + 9, "round" if dash == "1.5 4" else None
        self.parts.append(svg.line((x, y), (x + 19, y), colour, 2.2, dash, stroke_linecap=cap))
        self._legend_text(words)

    def badge(self, letter: str, words: str) -> None:
        """A badge and what it stands for."""
        wide = max(13.0, letters.width(letter, 9, True) + 6)
        left, edge = self.left + 9.5 - wide / 2, (self.theme["ink"], 1.1)
        style = {"rx": 6.2, "fill": self.theme["paper"], "edge": edge}
        self.parts.append(svg.rect(left, self.y + 3, wide, 12.5, **style))
        self._put(letter, 9.5, 12.6, 9, bold=True, text_anchor="middle")
        self._legend_text(words)

    def _legend_text(self, words: str) -> None:
        top = self.y
        self.gap(2)
        self.text(words, 11, indent=27)
        self.y = max(self.y + 1.5, top + 18)


def _nested(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(item, dict | list) for item in value)
    )


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return figure(value, 4)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_shown(item) for item in value)
    return "none" if value is None else str(value)
