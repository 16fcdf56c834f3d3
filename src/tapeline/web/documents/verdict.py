"""What the referee says, and what may be asked of it, as the page shows it."""

from __future__ import annotations

from typing import Literal

from tapeline.web.documents.base import Document, Point, Values

__all__ = [
    "Control",
    "Extra",
    "Finding",
    "LedgerLine",
    "Manner",
    "Nearest",
    "Onward",
    "Option",
    "Question",
    "Ring",
    "Share",
    "Stretch",
    "Trace",
    "Verdict",
]


class Finding(Document):
    """A clause broken. place: where it bites; about: the id of a body or piece."""

    clause: str
    text: str
    measured: float | None = None
    limit: float | None = None
    place: Point | None = None
    about: str | None = None
    travelled: float | None = None


class LedgerLine(Document):
    """What a part of a move cost."""

    what: str
    distance: float
    factor: float
    cost: float
    clause: str


class Share(Document):
    """What one of several units pays in one action, out of an allowance of its own."""

    payer: str
    name: str
    cost: float
    allowance: float | None = None


class Stretch(Document):
    """A leg of a way, drawn: its line as points (arcs flattened within 0.01), its length.

    how: its manner. z: height at its end. facing: at its end, degrees. ground: points of the line.
    cost: what the rules take for it, None where they do not say leg by leg.
    """

    line: list[Point]
    length: float
    how: str
    z: float
    facing: float
    cost: float | None = None


class Trace(Document):
    """The way of one body: from where, by which stretches, to where it stands then."""

    body: str
    start: tuple[float, float, float]
    stretches: list[Stretch]
    end: tuple[float, float, float]
    facing: float


class Nearest(Document):
    """The nearest legal move. action: ready to be done (for a refused answer: {"path": legs}).

    how: "prefix", "end", "turn" or "distance". traces: its ways. short_by: how far it ends from
    where the player wanted. text: in words.
    """

    action: Values
    how: str
    text: str
    short_by: float
    traces: list[Trace]


class Option(Document):
    """One thing that may be chosen."""

    value: object
    text: str


class Manner(Document):
    """As `tapeline.engine.controls.Manner`."""

    how: str
    label: str


class Question(Document):
    """What must be rolled or chosen before the game goes on.

    by: the side that answers. form: "roll", "one", "number" or "path". count and sides: dice of a
    roll. body: for a path, whose; manners: in which its legs may be gone; allowance: how far, if
    it is known. default: what a player who does not care gets. clause opens the rule. needs: what
    dice must show, as "7 or more", "" where that is not told by a number.
    """

    by: str
    form: Literal["roll", "one", "number", "path"]
    purpose: str
    clause: str
    count: int = 0
    sides: int = 6
    options: list[Option] = []
    low: float = 0.0
    high: float = 0.0
    whole: bool = True
    default: object = None
    body: str | None = None
    manners: list[Manner] = []
    about: str | None = None
    allowance: float | None = None
    notes: list[str] = []
    needs: str = ""


class Verdict(Document):
    """The verdict on an action that was tried or done.

    kind: LEGAL, STOPPED, ILLEGAL, CHOICE or FORCED. wanted: the ways that were asked for; moved:
    those really gone. allowance: what the body may spend on it in all, where that is known.
    odds: whether the odds of its dice and choices may be asked for. shares: where several units
    pay, each out of its own allowance, what each of them pays; cost and allowance are then those of
    the one that has the least left.
    """

    kind: Literal["LEGAL", "STOPPED", "ILLEGAL", "CHOICE", "FORCED"]
    legal: bool
    odds: bool = False
    findings: list[Finding]
    wanted: list[Trace]
    moved: list[Trace]
    ledger: list[LedgerLine]
    cost: float
    allowance: float | None = None
    shares: list[Share] = []
    nearest: Nearest | None = None
    question: Question | None = None
    values: Values = {}
    cites: list[str] = []


class Extra(Document):
    """As `tapeline.engine.controls.Extra`. chance: which of the options leaves it to chance."""

    name: str
    label: str
    form: Literal["flag", "one", "some", "number"]
    options: list[Option] = []
    default: object = None
    chance: str | None = None


class Ring(Document):
    """As `tapeline.engine.controls.Ring`."""

    about: str
    distance: float
    label: str
    clause: str


class Onward(Document):
    """A step in which nobody can do anything. sides: of whom one leads on from it; to: where to, in
    words."""

    sides: list[str]
    to: str


class Control(Document):
    """As `tapeline.engine.controls.Control`. onward: the steps that are passed with it."""

    action: Values
    label: str
    gesture: Literal[
        "press", "path", "pick", "pick_many", "place", "pose", "turn", "distance", "stands"
    ]
    slot: str = ""
    turn_slot: str = ""
    height_slot: str = ""
    turns: Literal["facing", "by"] = "facing"
    optional: bool = False
    candidates: list[str] = []
    low: float | None = None
    high: float | None = None
    extras: list[Extra] = []
    manners: list[Manner] = []
    rings: list[Ring] = []
    reach: str = ""
    spent: float | None = None
    allowance: float | None = None
    why_not: list[Finding] = []
    group: Literal["act", "step", "attest"] = "act"
    closes: bool = False
    onward: list[Onward] = []
    says: str = ""
    clause: str = ""
