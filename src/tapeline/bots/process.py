"""The process of a program: begun, held to what it may use, ended with all that it has begun."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tapeline.errors import TapelineError

__all__ = ["GoneError", "Limits", "begin_process", "end_process", "how_ended"]

#: What a program held to limits learns of the environment: no setting of a server, no secret.
_TOLD = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT")

#: Seconds until a process whose pipes are closed has ended.
_A_MOMENT_S = 1.0

#: Of prctl(2): the signal that a process gets when whoever began it dies.
_PR_SET_PDEATHSIG = 1


class GoneError(TapelineError):
    """The program has ended, or does not keep to the protocol; it plays no more.

    side: that it was to play, where it did not begin. why: what it did, without its name.
    """

    side = ""

    def __init__(self, name: str, why: str) -> None:
        self.why = why
        super().__init__(f"{name}: {why}")


class Limits(NamedTuple):
    """What a process may use: seconds of a processor, bytes of memory."""

    seconds: float
    memory: int


def begin_process(command: Sequence[str], limits: Limits | None = None) -> subprocess.Popen[str]:
    """The process of a command, its pipes open; with limits in a session of its own, which knows
    nothing of the environment but where programs are, and ends with whoever began it.

    Limits hold where the system has them (POSIX). Raises GoneError if it cannot be started.
    """
    environment = None
    if limits is not None:
        environment = {name: os.environ[name] for name in _TOLD if name in os.environ}
    try:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if limits is None else subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=environment,
            start_new_session=limits is not None,
            preexec_fn=None if limits is None else _held_to(limits),
        )
    except (OSError, subprocess.SubprocessError) as error:
        why = getattr(error, "strerror", None) or error
        raise GoneError(command[0], f"it could not be started: {why}") from None


def end_process(process: subprocess.Popen[str], limits: Limits | None = None) -> None:
    """End a process at once; one that was held to limits with all that it has begun."""
    if limits is None or not hasattr(os, "killpg"):
        process.kill()
    elif process.returncode is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


def how_ended(process: subprocess.Popen[str]) -> str:
    """In words, of a process whose pipes are closed."""
    try:
        status = process.wait(_A_MOMENT_S)
    except subprocess.TimeoutExpired:
        return "it says no more"
    if hasattr(signal, "SIGXCPU") and status == -signal.SIGXCPU:
        return "it used up its time of the processor"
    if status < 0:
        return f"it was ended by signal {-status}"
    return f"it ended with status {status}" if status else "it ended"


def _held_to(limits: Limits) -> Callable[[], None] | None:
    """What a process does to itself between fork and exec; None where there is no such thing."""
    if sys.platform == "win32":
        return None
    import resource

    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    seconds = max(1, round(limits.seconds))

    wanted = {
        resource.RLIMIT_CPU: (seconds, seconds + 1),
        resource.RLIMIT_DATA: (limits.memory, limits.memory),
        resource.RLIMIT_CORE: (0, 0),
    }

    def hold() -> None:
        for what, most in wanted.items():
            # Where it is held to less already, that stays.
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(what, most)
        if library is not None:
            library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    return hold
