"""The lines that the referee and a program exchange: one JSON object each, told apart by `say`.

`docs/bots.md` tells how they follow each other; `schema` is their published form. What stands here
is shape alone: what a question means is in `asked`, whose turn it is in `game`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tapeline.errors import DocumentError, Fault

__all__ = ["LONGEST", "PROTOCOL", "Line", "Question", "read_line", "schema"]

PROTOCOL = "tapeline-bot/1"

#: Characters of a line from a program, and questions in one `ask`.
LONGEST, AT_ONCE = 1_000_000, 200

Place: TypeAlias = tuple[float, float]
Document: TypeAlias = dict[str, Any]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


# -- questions -----------------------------------------------------------------------------------


class PositionQuestion(_Record):
    """The position once more: scene, hash, who acts, what is open."""

    what: Literal["position"]


class OffersQuestion(_Record):
    """Legal actions, drawn from a seed where there is no end of them; at most so many."""

    what: Literal["offers"]
    number: Annotated[int, Field(ge=1, le=500)] = 20
    kind: str | None = None
    seed: int = 0


class SampleQuestion(_Record):
    """One legal action, drawn from a seed; null if nothing may be done."""

    what: Literal["sample"]
    seed: int = 0


class JudgeQuestion(_Record):
    """The verdict on an action; with the nearest legal one if it is refused and that is wanted."""

    what: Literal["judge"]
    action: Document
    nearest: bool = False


class ProjectQuestion(_Record):
    """The legal action nearest to a wished one, and how far it ends from it; null if none is."""

    what: Literal["project"]
    action: Document


class IllegalityQuestion(_Record):
    """How illegal an action is: each clause broken and by how much, and their sum."""

    what: Literal["illegality"]
    action: Document


class OddsQuestion(_Record):
    """The chances of what an action leads to."""

    what: Literal["odds"]
    action: Document


class ReachQuestion(_Record):
    """Where a body gets to in one move: for each of the places whether, and at what cost."""

    what: Literal["reach"]
    body: str
    kind: str | None = None
    to: Annotated[list[Place], Field(max_length=1000)] = []


class RouteQuestion(_Record):
    """A cheapest way of a body to a place, or as near to another body as it may come."""

    what: Literal["route"]
    body: str
    to: Place | str
    kind: str | None = None


class ThreatQuestion(_Record):
    """By whom a body or unit could be struck when they act next, and how likely: where it stands,
    and at other places. by: a side, a body or a unit; each of the other sides unless said."""

    what: Literal["threat"]
    on: str
    by: str | None = None
    at: Annotated[list[Place], Field(max_length=100)] = []


class SightQuestion(_Record):
    """Which of the bodies of other sides a body sees, by the rules of the system."""

    what: Literal["sight"]
    body: str


Question: TypeAlias = Annotated[
    PositionQuestion
    | OffersQuestion
    | SampleQuestion
    | JudgeQuestion
    | ProjectQuestion
    | IllegalityQuestion
    | OddsQuestion
    | ReachQuestion
    | RouteQuestion
    | ThreatQuestion
    | SightQuestion,
    Field(discriminator="what"),
]

# -- what a program says -------------------------------------------------------------------------


class HelloLine(_Record):
    """The first line: who the program is, and which protocol it speaks."""

    say: Literal["hello"]
    protocol: Literal["tapeline-bot/1"]
    name: Annotated[str, Field(min_length=1, max_length=80)]
    version: Annotated[str, Field(max_length=40)] = ""


class AskLine(_Record):
    """Questions about the position; the reply has an answer or an error for each, in order."""

    say: Literal["ask"]
    id: int = 0
    questions: Annotated[list[Question], Field(min_length=1, max_length=AT_ONCE)]


class PlayLine(_Record):
    """Do an action. turn: the number of the turn it is meant for."""

    say: Literal["play"]
    turn: int
    action: Document


class AnsweredLine(_Record):
    """Answer the open question with a value. turn: the number of the turn it is meant for."""

    say: Literal["answer"]
    turn: int
    value: Any = None


class ResignLine(_Record):
    """Give the game up."""

    say: Literal["resign"]


class ByeLine(_Record):
    """Either of the two goes."""

    say: Literal["bye"]


Line: TypeAlias = Annotated[
    HelloLine | AskLine | PlayLine | AnsweredLine | ResignLine | ByeLine, Field(discriminator="say")
]

# -- what the referee says -----------------------------------------------------------------------


class RefereeHelloLine(_Record):
    """The first line: version, protocol, and the questions that are answered."""

    say: Literal["hello"]
    protocol: Literal["tapeline-bot/1"]
    tapeline: str
    questions: list[str]


class GameLine(_Record):
    """A new game. sides: those that the program plays. seconds: for each turn."""

    say: Literal["game"]
    game: str
    system: str
    sides: list[str]
    seconds: float
    scene: Document


class ToldLine(_Record):
    """What has been done, by whoever: an entry as in the log of a match."""

    say: Literal["told"]
    entry: Document


class TurnLine(_Record):
    """The program is to play, or to answer what is open.

    turn: its number, to be said again with what is played. seconds: what is left of it.
    """

    say: Literal["turn"]
    turn: int
    seconds: float
    position: Document


class ReplyLine(_Record):
    """Answers to an `ask`: each an object with `answer` or `error`."""

    say: Literal["reply"]
    id: int
    answers: list[Document]


class RefusedLine(_Record):
    """What was played, answered or said was not accepted; the turn goes on. tries: left."""

    say: Literal["refused"]
    turn: int
    why: list[str]
    tries: int
    verdict: Document | None = None


class ResultLine(_Record):
    """The game has ended. winner: a side, null for none. why: in words."""

    say: Literal["result"]
    winner: str | None
    why: str
    points: dict[str, float] = {}


RefereeLine: TypeAlias = Annotated[
    RefereeHelloLine
    | GameLine
    | ToldLine
    | TurnLine
    | ReplyLine
    | RefusedLine
    | ResultLine
    | ByeLine,
    Field(discriminator="say"),
]

_LINE: TypeAdapter[Any] = TypeAdapter(Line)


def read_line(text: str) -> Any:
    """A line of a program. Raises DocumentError with every fault."""
    try:
        return _LINE.validate_json(text)
    except ValidationError as error:
        faults = [
            Fault(".".join(str(at) for at in one["loc"][1:]), one["msg"].lower())
            for one in error.errors(include_url=False, include_context=False, include_input=False)
        ]
        raise DocumentError("line", faults) from None


def schema() -> dict[str, Any]:
    """The JSON Schema of every line; `program` and `referee` among its definitions are the two."""
    ref = "#/$defs/{model}"
    defs: dict[str, Any] = {}
    sides = {}
    kinds: tuple[tuple[str, Any], ...] = (("program", Line), ("referee", RefereeLine))
    for name, kind in kinds:
        document = TypeAdapter(kind).json_schema(ref_template=ref)
        defs |= document.pop("$defs")
        sides[name] = document
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "bot-line.schema.json",
        "title": f"Line between referee and program ({PROTOCOL})",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in sides],
        "$defs": dict(sorted((defs | sides).items())),
    }
