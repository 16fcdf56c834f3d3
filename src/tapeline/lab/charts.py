"""Shares with their intervals as a picture: a row each, a dot, a bar from end to end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tapeline.bots.arena import Record
from tapeline.picture import svg

__all__ = ["Share", "share_chart", "standing_chart"]

_LABELS, _WIDE, _SAID, _ROW, _HEAD, _FOOT = 230.0, 360.0, 200.0, 26.0, 44.0, 30.0
_INK, _MUTED, _GRID, _BAR, _PAPER = "#1c1c1c", "#5a5a5a", "#d5d5d5", "#1f5a8c", "#ffffff"


@dataclass(frozen=True, slots=True)
class Share:
    """A row: a share from 0 to 1, its interval, and what is exactly known of it, if anything."""

    label: str
    share: float
    low: float
    high: float
    exact: float | None = None


def share_chart(title: str, shares: Sequence[Share], said: str = "") -> str:
    """An SVG document of shares on a scale from 0 to 1; the figures are written beside them.

    said: what dot and bar mean, below the rows. What is exact has a rhombus.
    """
    width = _LABELS + _WIDE + _SAID
    bottom = _HEAD + _ROW * len(shares)
    height = bottom + _FOOT + (20.0 if said else 0.0)
    parts = [
        svg.rect(0, 0, width, height, fill=_PAPER),
        svg.text(title, 12, 22, 15, _INK, bold=True),
    ]
    for tenth in range(0, 11, 2):
        x = _LABELS + _WIDE * tenth / 10
        parts.append(svg.line((x, _HEAD - 6), (x, bottom), _GRID, 1))
        parts.append(svg.text(f"{tenth * 10} %", x, bottom + 16, 12, _MUTED, text_anchor="middle"))
    for number, one in enumerate(shares):
        y = _HEAD + _ROW * (number + 0.5)
        low, middle, high = (_LABELS + _WIDE * at for at in (one.low, one.share, one.high))
        label = one.label if len(one.label) <= 34 else one.label[:33] + "…"
        figures = f"{one.share:.2%} ({one.low:.2%} to {one.high:.2%})"
        parts += [
            svg.text(label, _LABELS - 10, y + 4, 12, _INK, text_anchor="end"),
            svg.line((low, y), (high, y), _BAR, 3),
            *(svg.line((x, y - 5), (x, y + 5), _BAR, 2) for x in (low, high)),
            svg.circle(middle, y, 4.5, fill=_BAR),
            svg.text(figures, _LABELS + _WIDE + 14, y + 4, 12, _INK),
        ]
        if one.exact is not None:
            x = _LABELS + _WIDE * one.exact
            corners = [(x - 6, y), (x, y - 6), (x + 6, y), (x, y + 6)]
            parts.append(svg.polygon(corners, fill="none", stroke=_INK, stroke_width=1.5))
    if said:
        parts.append(svg.text(said, 12, bottom + _FOOT + 8, 12, _MUTED))
    box = f"0 0 {svg.number(width)} {svg.number(height)}"
    size = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box, "width": width}
    font = {"font_family": "sans-serif", "font_size": 12}
    return svg.element("svg", "\n".join(parts), **size, role="img", aria_label=title, **font)


def standing_chart(
    found: Mapping[tuple[str, str | None], Record], strengths: Mapping[str, float]
) -> str:
    """How the players of an arena did against all others, the strongest first."""
    alone = {who: one for (who, other), one in found.items() if other is None}
    order = sorted(alone, key=lambda who: -strengths.get(who, alone[who].share))
    shares = []
    for who in order:
        rated = f" ({strengths[who]:.0f})" if who in strengths else ""
        shares.append(Share(who + rated, alone[who].share, *alone[who].interval))
    rating = " In brackets the rating." if strengths else ""
    said = f"Share of games won, a draw counting half, with its 95 % interval.{rating}"
    return share_chart("Share of games won", shares, said)
