"""A program that plays: lines to it, lines from it, its time and its end."""

from __future__ import annotations

import contextlib
import json
import queue
import shlex
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Self, TypeVar

import tapeline
from tapeline.bots import protocol
from tapeline.bots.asked import QUESTIONS, STEPS, answers_to, position
from tapeline.bots.process import GoneError, Limits, begin_process, end_process, how_ended
from tapeline.engine.actions import Action
from tapeline.engine.codec import verdict_document
from tapeline.engine.verdicts import Verdict
from tapeline.errors import AnswerError, DocumentError, TapelineError
from tapeline.opponent.games import Game, Player, RandomPlayer, ResignsError, play_game, player_of
from tapeline.opponent.levels import LEVELS
from tapeline.play.battle import Battle
from tapeline.play.match import Match
from tapeline.table.marks import Value, freeze
from tapeline.work import work_limit

__all__ = ["GoneError", "Played", "Program", "play_programs", "turn_of"]


#: Seconds until a program has said hello, and until it has gone after bye.
HELLO_S, BYE_S = 10.0, 2.0
#: How often in a turn something may be refused.
TRIES = 3
#: Characters of a refusal that are told to people.
_TOLD = 300
#: How many lines are read ahead of what is looked at.
_AHEAD = 20

T = TypeVar("T")


class _LateError(Exception):
    """Its time is over."""


class _RefusedError(Exception):
    """What it wants to do is refused."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self.verdict = verdict


class Program:
    """A program that is asked for moves, as a player of `opponent.games`.

    What it does not do in time, or not legally within three tries, is done in its stead by any of
    what the rules offer, and counted in `faults`: "illegal", "malformed", "late", "gone"; `failed`
    says in words what came last. So no game ends for want of a move. command: what is run; empty
    for a program that is at the other end of stdin and stdout. seconds: for each turn, its
    questions among them; a line that it does not take for as long ends it. limits: what its process
    may use, if not as much as any; then it says hello within those seconds too. name: as it says.
    Raises GoneError if it does not begin. Use as a context: the program ends with it.
    """

    def __init__(
        self,
        command: Sequence[str],
        seconds: float = 5.0,
        seed: int | str = 0,
        limits: Limits | None = None,
    ) -> None:
        self.seconds = seconds
        self.name = " ".join(command) or "stdin"
        self.faults: Counter[str] = Counter()
        self.turns = 0
        self.gone = self.failed = self._deafness = ""
        self._limits = limits
        self._stead = RandomPlayer(seed)
        self._match: Match | None = None
        self._told = 0
        self._heard: queue.Queue[str | None] = queue.Queue(_AHEAD)
        self._process: subprocess.Popen[str] | None = None
        self._to: IO[str] = sys.stdout
        self._from: IO[str] = sys.stdin
        if command:
            self._process = begin_process(command, limits)
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._to, self._from = self._process.stdin, self._process.stdout
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            self._hello()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- lines -----------------------------------------------------------------------------------

    def _listen(self) -> None:
        """Read its lines as they come; where nobody takes them it waits."""
        with contextlib.suppress(ValueError, OSError):
            while line := self._from.readline(protocol.LONGEST):
                self._heard.put(line)
        if self._process is not None:
            self._from.close()
        self._heard.put(None)

    def _say(self, **line: Any) -> None:
        waits = None
        if self._process is not None:
            # A pipe that nobody reads is full at some time.
            waits = threading.Timer(self.seconds, self._deaf)
            waits.start()
        try:
            self._to.write(json.dumps(line, separators=(",", ":"), allow_nan=False) + "\n")
            self._to.flush()
        except (OSError, ValueError):
            raise self._ended() from None
        finally:
            if waits is not None:
                waits.cancel()

    def _hear(self, until: float) -> Any:
        """Its next line. Raises DocumentError if it is none, _LateError, GoneError."""
        left = until - time.monotonic()
        if left <= 0.0:
            # However many lines wait: it is not its turn for as long as it likes.
            raise _LateError
        try:
            text = self._heard.get(timeout=left)
        except queue.Empty:
            raise _LateError from None
        if text is None:
            raise self._ended()
        line = protocol.read_line(text)
        if isinstance(line, protocol.ByeLine):
            raise self._lost("it said bye")
        return line

    def _deaf(self) -> None:
        assert self._process is not None
        self._deafness = "it did not read what it was told"
        end_process(self._process, self._limits)

    def _ended(self) -> GoneError:
        how = "it ended" if self._process is None else how_ended(self._process)
        return self._lost(self._deafness or how)

    def _lost(self, why: str) -> GoneError:
        if not self.gone:
            self.faults["gone"] += 1
            self.gone = self.failed = why
        return GoneError(self.name, why)

    def _hello(self) -> None:
        names = list(QUESTIONS)
        version = tapeline.__version__
        within = HELLO_S if self._limits is None else min(HELLO_S, self.seconds)
        self._say(say="hello", protocol=protocol.PROTOCOL, tapeline=version, questions=names)
        try:
            line = self._hear(time.monotonic() + within)
        except _LateError:
            raise self._lost(f"it did not say hello within {within:g} s") from None
        except DocumentError as error:
            raise self._lost(f"its first line was not hello: {error}") from None
        if not isinstance(line, protocol.HelloLine):
            raise self._lost("its first line was not hello")
        self.name = line.name

    # -- a game ----------------------------------------------------------------------------------

    def begin(self, match: Match, sides: Sequence[str], game: str = "") -> None:
        """Tell of a game, new or gone on with, and which sides the program plays."""
        self._match, self._told = match, 0
        with contextlib.suppress(GoneError):
            about = {"system": match.battle.system.name, "sides": list(sides)}
            self._say(say="game", game=game, **about, seconds=self.seconds, scene=match.scene)

    def end(self, game: Game) -> None:
        """Tell how the game has ended."""
        why = game.why or "the last round is over"
        with contextlib.suppress(GoneError):
            self._tell()
            self._say(say="result", winner=game.winner, why=why, points=dict(game.points))

    def act(self, battle: Battle, side: str) -> Action | None:
        """What it does for a side; what the rules offer where it does nothing legal in time."""
        done, action = self.play(battle, side)
        return action if done else self._stead.act(battle, side)

    def play(self, battle: Battle, side: str) -> tuple[bool, Action | None]:
        """Whether it does anything legal in time for a side, and what; if not, `failed` says why.

        Raises ResignsError.
        """

        def played(line: Any) -> Action | None:
            if isinstance(line, protocol.ResignLine):
                raise ResignsError
            if not isinstance(line, protocol.PlayLine):
                raise AnswerError("it is your turn: play, ask or resign")
            action = battle.action(line.action)
            doer = battle.side_of(action)
            if doer not in (None, side):
                raise AnswerError(f"this is for {doer} to do, not for {side}")
            with work_limit(STEPS):
                verdict = battle.judge(action)
            if not verdict.legal:
                raise _RefusedError(verdict)
            return action

        return self._turn(battle, played)

    def reply(self, battle: Battle) -> Value:
        """What it answers; the usual answer where it gives none in time."""
        done, value = self.answer(battle)
        return value if done else self._stead.reply(battle)

    def answer(self, battle: Battle) -> tuple[bool, Value]:
        """Whether it answers the open question in time, and what; if not, `failed` says why."""

        def answered(line: Any) -> Value:
            if not isinstance(line, protocol.AnsweredLine):
                raise AnswerError("a question is open: answer or ask")
            try:
                value = freeze(line.value)
            except TypeError as error:
                raise AnswerError(str(error)) from None
            with work_limit(STEPS):
                after, events = battle.answer(value)
            if after.last is not None and not after.last.legal and not events:
                raise _RefusedError(after.last)
            return value

        return self._turn(battle, answered)

    def _turn(self, battle: Battle, read: Callable[[Any], T]) -> tuple[bool, T | None]:
        """Let it do one thing; False where it has not."""
        if self.gone:
            return False, None
        self.failed = ""
        self.turns += 1
        turn, until = self.turns, time.monotonic() + self.seconds
        try:
            self._tell()
            self._say(say="turn", turn=turn, seconds=self.seconds, position=position(battle))
            for tries in reversed(range(TRIES)):
                verdict, fault = None, "illegal"
                try:
                    return True, read(self._wanted(battle, turn, until))
                except _RefusedError as error:
                    verdict = error.verdict
                    why = [f"{one.text} ({one.clause})" for one in verdict.findings]
                except DocumentError as error:
                    why = [str(one) for one in error.faults]
                    fault = "malformed" if error.what == "line" else "illegal"
                except GoneError:
                    raise
                except TapelineError as error:
                    why = [str(error)]
                self.faults[fault] += 1
                self.failed = f"what it wanted was refused: {'; '.join(why)[:_TOLD]}"
                document = None if verdict is None else verdict_document(verdict)
                self._say(say="refused", turn=turn, why=why, tries=tries, verdict=document)
        except _LateError:
            self.faults["late"] += 1
            self.failed = f"it did nothing within {self.seconds:g} s"
        except GoneError:
            pass
        return False, None

    def _wanted(self, battle: Battle, turn: int, until: float) -> Any:
        """What it does at last, its questions answered; what is meant for earlier turns is left."""
        while True:
            line = self._hear(until)
            if isinstance(line, protocol.AskLine):
                self._say(**answers_to(battle, line, until=until))
            elif getattr(line, "turn", turn) == turn:
                return line

    def _tell(self) -> None:
        """Tell what has been done since it was told last."""
        entries = [] if self._match is None else self._match.entries
        for number in range(self._told, len(entries)):
            self._say(say="told", entry=entries[number].document(number + 1))
        self._told = len(entries)

    def close(self) -> None:
        """Say bye, and see it end."""
        with contextlib.suppress(GoneError):
            self._say(say="bye")
        if self._process is None:
            return
        with contextlib.suppress(OSError):
            self._to.close()
        if self._limits is not None:
            end_process(self._process, self._limits)
        try:
            self._process.wait(BYE_S)
        except subprocess.TimeoutExpired:
            end_process(self._process)
            self._process.wait()
        until = time.monotonic() + BYE_S
        while self._listener.is_alive():
            if time.monotonic() > until:
                # Something that it began holds the pipe, and goes on.
                return
            with contextlib.suppress(queue.Empty):
                self._heard.get(timeout=0.01)


def play_programs(
    scene: Any, players: Mapping[str, str], seed: str, seconds: float = 5.0
) -> tuple[Game, dict[str, Program]]:
    """A game, and the programs in it, which have ended then, by side.

    players: by side a level of the opponent, "random", or a command; empty for a program at the
    other end of stdin and stdout. seconds: for each turn of a program. Raises GoneError for a
    program that does not begin, and as `play_game`.
    """
    playing: dict[str, Player] = {}
    programs: dict[str, Program] = {}
    with contextlib.ExitStack() as stack:
        for side, wanted in players.items():
            if wanted in (*LEVELS, "random"):
                playing[side] = player_of(wanted, f"{seed}:{side}")
                continue
            try:
                program = Program(shlex.split(wanted), seconds, f"{seed}:{side}")
            except GoneError as error:
                error.side = side
                raise
            playing[side] = programs[side] = stack.enter_context(program)

        def begun(match: Match) -> None:
            for side, program in programs.items():
                program.begin(match, [side], game=seed)

        game = play_game(scene, playing, seed, begun)
        for program in programs.values():
            program.end(game)
    return game, programs


@dataclass(frozen=True, slots=True)
class Played:
    """What a program does: an action, an answer to the open question, giving up; or `failed`, why
    it does nothing, in words."""

    action: Action | None = None
    value: Value = None
    resigns: bool = False
    failed: str = ""


def turn_of(
    match: Match, side: str, command: Sequence[str], seconds: float, limits: Limits
) -> Played:
    """What a program does next for a side, which is to act or to answer what is open.

    match: as far as the side may know it; the program is told all of its log. seconds: for the
    turn. The program is held to `limits`, and has ended when this returns, whatever it did.
    """
    try:
        with Program(command, seconds, limits=limits) as program:
            program.begin(match, [side])
            battle = match.battle
            if battle.pending is None:
                done, action = program.play(battle, side)
                return Played(action=action) if done else Played(failed=program.failed)
            done, value = program.answer(battle)
            return Played(value=value) if done else Played(failed=program.failed)
    except ResignsError:
        return Played(resigns=True)
    except GoneError as error:
        return Played(failed=error.why)
