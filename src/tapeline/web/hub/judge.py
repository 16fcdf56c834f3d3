"""A judge: a process that follows the logs of matches and answers what is asked about them.

One question a line on stdin; on stdout answers of a letter (A an answer, E an error, F the log
cannot be followed), four bytes of length, and JSON. It ends when stdin does.
"""

from __future__ import annotations

import gc
import json
import signal
import sys
from typing import IO, Any

from tapeline.errors import TapelineError
from tapeline.geometry import backends
from tapeline.play.match import Match
from tapeline.web.hub.judges import answer_text, error_said
from tapeline.web.hub.judging import ASKED

__all__ = ["main"]


def main(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer until there are no more questions."""
    matches: dict[str, Match] = {}
    warming = False
    _settle()
    for line in questions:
        asked = json.loads(line)
        if asked["what"] == "warm":
            warming = True
            backends.start()
            continue
        if warming and backends.ready():
            warming = False
            _settle()
        letter, text = _answer(asked, matches)
        content = text.encode()
        answers.write(letter + len(content).to_bytes(4, "big") + content)
        answers.flush()


def _settle() -> None:
    """What is loaded stays: it need not be looked through for garbage time and again, which would
    hold up an answer by a tenth of a second."""
    gc.collect()
    gc.freeze()


def _answer(asked: dict[str, Any], matches: dict[str, Match]) -> tuple[bytes, str]:
    matches.pop(asked.get("forget", ""), None)
    match_id = asked["id"]
    try:
        match = _followed(matches.get(match_id), asked)
    except (TapelineError, KeyError) as error:
        matches.pop(match_id, None)
        return b"F", str(error)
    matches[match_id] = match
    try:
        return b"A", answer_text(ASKED[asked["what"]](match, asked["said"]))
    except TapelineError as error:
        return b"E", json.dumps(error_said(error))


def _followed(known: Match | None, asked: dict[str, Any]) -> Match:
    lines = asked.get("lines", [])
    if asked.get("anew") or known is None:
        return Match.replay(lines)
    known.follow(lines)
    return known


if __name__ == "__main__":
    # Ctrl-C is for the server, which ends its judges itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main(sys.stdin.buffer, sys.stdout.buffer)
