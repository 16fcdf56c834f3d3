"""A match as one of its links sees it, and what may be sent to it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from tapeline.web.documents.base import Document, Values
from tapeline.web.documents.board import Board
from tapeline.web.documents.verdict import Control, Question, Trace, Verdict

__all__ = [
    "Act",
    "Again",
    "Answered",
    "ClockNow",
    "ClockSetting",
    "Commitment",
    "Copy",
    "Created",
    "Done",
    "Ending",
    "Happening",
    "Lesson",
    "LessonStep",
    "Link",
    "LogLine",
    "Match",
    "NewMatch",
    "Override",
    "Proposal",
    "Puzzle",
    "PuzzlePart",
    "PuzzleStep",
    "Reply",
    "Think",
    "Trial",
    "Undo",
    "UndoOffer",
    "You",
]

#: How many entries the match had when the page decided; another number is stale.
Version = Annotated[int, Field(ge=0, strict=True)]


class ClockSetting(Document):
    """A clock for two by links: minutes a side, seconds that a side gets each time it has acted.

    enforce: whether the match ends when a side has none left; else that is only told.
    """

    minutes: Annotated[float, Field(gt=0, le=1_440, allow_inf_nan=False)]
    increment: Annotated[float, Field(ge=0, le=3_600, allow_inf_nan=False)] = 0.0
    enforce: bool = False


class ClockNow(Document):
    """Seconds that each side has left, as this is sent, and the sides whose time runs."""

    left: dict[str, float]
    running: list[str]
    enforce: bool


class NewMatch(Document):
    """Begin a match from one of: an example's name, a scene, a log's text.

    mode: "hotseat" one link moves all sides; "links" a link a side. dice: "server" rolls,
    "typed" lets people roll real ones (either may still be answered by the other way).
    """

    example: str | None = None
    scene: Values | None = None
    log: str | None = None
    mode: Literal["hotseat", "links"] = "hotseat"
    dice: Literal["server", "typed"] = "server"
    clock: ClockSetting | None = None


class Link(Document):
    """A secret link. role: "side", "both" (hot seat) or "watch". path: of the page, with the
    secret in its fragment, which browsers do not send."""

    role: Literal["side", "both", "watch"]
    side: str | None
    name: str
    path: str
    token: str


class Created(Document):
    """A new match: its links are told this once. commitment: as of `Match`."""

    id: str
    links: list[Link]
    commitment: str


class You(Document):
    """Who asks: the role of the link, and the sides it moves."""

    role: Literal["side", "both", "watch"]
    sides: list[str]


class Happening(Document):
    """One event of a log line, in words; marks that several get or lose alike are one. event: its
    kind. clause opens the rule. about: the first whom it is about.

    faces, sides, purpose: of dice that were thrown. counts: which of them count: those that show
    the target or more, or those that are kept. total: how many count, or their sum, if the rules
    read that. word: the result in a word or two, needs: what had to be thrown, as "7 or more", both
    "" where the rules read a number; good: whether it is what the roll was for, None for neither.
    word and good also tell what an action came to, dice or not.
    """

    event: str
    text: str
    clause: str
    about: str | None = None
    faces: list[int] = []
    sides: int = 6
    purpose: str = ""
    counts: list[bool] = []
    target: int | None = None
    total: int | None = None
    word: str = ""
    needs: str = ""
    good: bool | None = None


class LogLine(Document):
    """An entry of the log in words. n: its number, from 1.

    counts: whether it still counts after undos. traces: ways gone in it. dice: whether dice were
    thrown or a side chose in it. commitments: of the sides for whose keys the roll left open waits.
    key: of the server, from which its dice come, "" without any; reveals: keys of the sides, by
    side, that these dice come from too. word: what is told that a shot or blow did, in a word or
    two, "" of anything else; good: whether it did anything.
    """

    n: int
    what: Literal["action", "answer", "override", "undo", "result"]
    by: str
    title: str
    happenings: list[Happening]
    traces: list[Trace]
    clauses: list[str]
    dice: bool
    counts: bool
    reason: str = ""
    action: Values | None = None
    commitments: dict[str, str] = {}
    key: str = ""
    reveals: dict[str, str] = {}
    word: str = ""
    good: bool | None = None


class Commitment(Document):
    """What the page of a side has committed to, while it is there."""

    side: str
    commitment: str


class Proposal(Document):
    """Something one side asks another to agree to: an undo, an override, what it attests, a draw,
    to play the same again, or to allow hints.

    seconds: of what is attested, for how long others may object before the side may go on without
    them; None of what waits until they agree.
    """

    id: str
    what: Literal["undo", "override", "attest", "draw", "rematch", "hints"]
    by: str
    text: str
    entries: int | None = None
    waits_for: list[str]
    seconds: float | None = None


class UndoOffer(Document):
    """What an undo would take back. free: no dice, no choice of another side in between.

    activation: how many entries back the present activation began, None if unknown.
    """

    entries: int
    free: bool
    says: str
    activation: int | None = None


class PuzzlePart(Document):
    """One condition of a puzzle. words: what is wanted; met: whether it is; why: what is amiss."""

    words: str
    met: bool
    why: str


class Puzzle(Document):
    """The puzzle of a match, and how far it has come. goals: what must be at last; always: what
    must be all the time. most: moves that there may be, None for any number. die: what every die
    shows. lost: why it cannot be solved without taking something back, "" if it can. steps: of
    the solution, 0 without one.
    """

    task: str
    level: int
    hint: str
    die: int
    goals: list[PuzzlePart]
    always: list[PuzzlePart]
    moves: int
    most: int | None
    solved: bool
    lost: str
    steps: int


class PuzzleStep(Document):
    """A step of the solution of a puzzle, or of what does a step of a lesson: an action, and the
    choices on its way."""

    action: Values
    answers: list[object]


class LessonStep(Document):
    """A step of a lesson. point: ids of what the page points at."""

    words: str
    point: list[str]


class Lesson(Document):
    """The lesson of a match. done: how many of its steps are over. end: what is said then."""

    steps: list[LessonStep]
    done: int
    end: str


class Match(Document):
    """All that a page needs to show a match now.

    log: its lines after number `log_from`, which the page has already. controls: those that are
    about no body (what a body may do is asked for when it is selected). commitment: to the dice
    that the server rolls, fixed before the first entry; None of a match from before there was one.
    The log that is exported holds the key to check all dice thrown so far. commitments: of the
    sides that have a share in the dice; dice without them are those of the server alone.

    over: how the match has ended, in words; None while it goes on. rematch: the id of the match
    that was begun after it, which the same links open.

    hints: whether they may be asked for: with one page for all, and in a match by links once all
    sides have agreed. no_copies: why no copy is made of this match, "" if it may be.
    """

    id: str
    version: int
    you: You
    mode: Literal["hotseat", "links"]
    dice: Literal["server", "typed"]
    board: Board
    question: Question | None
    log_from: int
    log: list[LogLine]
    controls: list[Control]
    proposals: list[Proposal]
    undo: UndoOffer | None
    copy_of: str | None = None
    present: list[str] = []
    commitment: str | None = None
    commitments: list[Commitment] = []
    puzzle: Puzzle | None = None
    lesson: Lesson | None = None
    over: str | None = None
    rematch: str | None = None
    clock: ClockNow | None = None
    hints: bool = False
    no_copies: str = ""


class Ending(Document):
    """End the match, or propose something in its place.

    how: "resign": a side gives up, at once; "draw": proposed to the others; "rematch": to begin the
    same again, proposed likewise. side: which one, where a link moves several.
    """

    version: Version
    how: Literal["resign", "draw", "rematch"]
    side: str | None = None


class Act(Document):
    """Do an action. faces: dice typed in, a list for each roll in order; else the server rolls
    where dice are "server", and asks where they are "typed". onward: sides for whom it is then led
    on through steps in which nobody can do anything, each an entry of its own."""

    version: Version
    action: Values
    faces: list[list[StrictInt]] = []
    onward: list[str] = []


class Answered(Document):
    """Answer the open question: faces of typed dice, `roll` to let the server roll, or a value."""

    version: Version
    faces: list[StrictInt] | None = None
    roll: bool = False
    value: object = None


class Think(Document):
    """Have the computer opponent do the next thing for a side: an action, an answer or a roll.

    program: the name of a program that the server knows, which plays in its stead.
    """

    version: Version
    side: str
    level: Literal["novice", "steady", "sharp"] = "steady"
    program: Annotated[str, Field(max_length=60)] | None = None


class AllowHints(Document):
    """Allow hints in a match by links, proposed to the others; or be without them, at once."""

    version: Version
    on: bool


class Undo(Document):
    """Take back so many entries; done at once if it is free, else proposed to the other side."""

    version: Version
    entries: Annotated[int, Field(ge=1, le=100_000, strict=True)] = 1


class Override(Document):
    """Change the table by agreement: events as in a log. Proposed to the other side."""

    version: Version
    events: list[Values]
    reason: Annotated[str, Field(min_length=1, max_length=400)]


class Reply(Document):
    """Agree to a proposal, or not; with a proposal of one's own to attest, go on once the others
    had their time to object, or take it back."""

    version: Version
    accept: bool


class Done(Document):
    """What came of an act or answer. written: whether the log grew (an illegal act writes
    nothing, nor does what is proposed). verdict: what the referee says. match: as it stands now."""

    written: bool
    verdict: Verdict | None
    proposal: Proposal | None = None
    match: Match


class Trial(Document):
    """An action to be judged, or whose odds are asked; it is not done."""

    action: Values


class Copy(Document):
    """A copy to try things on, as the match was after entry `at`."""

    at: Version


class Again(Document):
    """An entry judged a second time: whether the referee rules as before, else what differs."""

    same: bool
    message: str
