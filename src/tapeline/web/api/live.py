"""The live connection: who is there, how the match stands, verdicts while a ghost is dragged.

What is to be sent is state, not a queue: a slow page gets the newest of everything, and what waits
for it never grows.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, TypeAlias
from urllib.parse import urlsplit

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import Field, TypeAdapter, ValidationError

from tapeline.errors import DocumentError, TapelineError, in_one_line
from tapeline.table.json_documents import parse_json
from tapeline.web.api.guard import address_of
from tapeline.web.documents import live as messages
from tapeline.web.documents.base import Document
from tapeline.web.hub.hub import Hub
from tapeline.web.hub.rates import Rate
from tapeline.web.hub.room import Room, Seat
from tapeline.web.store.connection import StoreError
from tapeline.web.work.faults import MissingError, TooMuchWorkError, TooOftenError
from tapeline.web.work.kinds import Holder
from tapeline.web.work.pool import Wanted

__all__ = ["router"]

router = APIRouter()

_Said: TypeAlias = messages.Hello | messages.Try | messages.Commit | messages.Reveal | messages.Ping
_Message: TypeAlias = Annotated[_Said, Field(discriminator="type")]
_MESSAGES: TypeAdapter[_Said] = TypeAdapter(_Message)

#: How a trial begins as pages write it; written otherwise it is read like any other message.
_TRIES = '{"type":"try"'

#: Codes for closing, of the private range: as the statuses of HTTP, plus 4000.
NOT_THERE, TOO_OFTEN, UNUSABLE, FULL = 4404, 4429, 4422, 4503

#: Seconds until what could not be told is tried again.
AWAY_S = 0.5


class _Closed(Exception):
    """The connection is to be closed, with a code and why."""

    def __init__(self, code: int, why: str) -> None:
        self.code = code
        super().__init__(why)


def _read(text: str) -> _Said:
    """A message. Raises DocumentError or ValidationError."""
    return _MESSAGES.validate_python(parse_json(text, "message"))


def _why(error: DocumentError | ValidationError) -> str:
    if isinstance(error, DocumentError):
        return in_one_line(error)
    faults = [
        ".".join(map(str, f["loc"])) + ": " + f["msg"] for f in error.errors(include_url=False)[:3]
    ]
    return "; ".join(faults)[:400]


class Connection(Seat):
    """One page connected to one match."""

    def __init__(self, hub: Hub, room: Room, holder: Holder, socket: WebSocket, has: int) -> None:
        super().__init__(holder)
        self.hub = hub
        self.room = room
        self._socket = socket
        self._has = has
        self._sending = asyncio.Lock()
        self._heard = 0
        self._trial: str | messages.Try | None = None
        self._trials = asyncio.Event()

    def offer(self, trial: str | messages.Try) -> None:
        """A trial, read or as it came; one that still waits is given up for it."""
        self._trial = trial
        self._trials.set()

    async def send(self, message: Document) -> None:
        """Send a message, one at a time."""
        await self._say(message.model_dump_json())

    async def _say(self, text: str) -> None:
        async with self._sending:
            await self._socket.send_text(text)

    async def tell(self) -> None:
        """Send what is new, for ever. Raises _Closed once the link is taken away."""
        while True:
            now, hear = self.now, self.to_hear
            try:
                await self._tell_next()
            except (StoreError, TooMuchWorkError):
                # What could not be read is told when the database, or a worker, is there again.
                self.now, self.to_hear = self.now or now, self.to_hear or hear
                await asyncio.sleep(AWAY_S)

    async def _tell_next(self) -> None:
        if self.dismissed:
            raise _Closed(NOT_THERE, "This link does not open the match any longer.")
        if self.now:
            self.now, self.to_greet = False, False
            self._has, match = await self.hub.show(self.room, self.holder, self._has)
            await self._say(f'{{"type":"now","match":{match}}}')
        elif self.to_greet:
            self.to_greet = False
            room = self.room
            await self.send(messages.Present(present=room.present, commitments=room.committed))
        elif self.pointed is not None:
            pointed, self.pointed = self.pointed, None
            await self.send(messages.LookHere(pointed=pointed))
        elif self.drawn:
            await self.send(messages.Sketch(drawn=self.drawn.pop(next(iter(self.drawn)))))
        elif self.to_hear:
            self.to_hear = False
            if remarks := await self.hub.talk.since(self.room, self._heard):
                self._heard = remarks[-1].n
                await self.send(messages.Talk(remarks=remarks))
        else:
            self.news.clear()
            await self.news.wait()

    async def judge(self) -> None:
        """Answer the newest trial, for ever."""
        while True:
            await self._trials.wait()
            await self._say(await self._tried())

    async def _tried(self) -> str:
        """The answer, as JSON, to the trial that is the newest when its turn comes."""
        room = self.room
        answer, seq, version = "", 0, 0

        def pick() -> Wanted | None:
            nonlocal answer, seq, version
            self._trials.clear()
            trial, self._trial = self._trial, None
            version = room.version
            try:
                message = _read(trial) if isinstance(trial, str) else trial
            except (DocumentError, ValidationError) as error:
                answer = messages.Refused(why=_why(error)).model_dump_json()
                return None
            assert isinstance(message, messages.Try)
            seq = message.seq
            if message.version != version:
                answer = messages.Tried(seq=seq, version=version, stale=True).model_dump_json()
                return None
            room.touch()
            return self._wanted(message)

        try:
            verdict = await self.hub.pool.newest(room, self.holder.address, pick)
        except TapelineError as error:
            fault = in_one_line(error)[:1000]
            return messages.Tried(seq=seq, version=version, fault=fault).model_dump_json()
        if verdict is None:
            return answer
        if room.version != version:
            # Asked again of another worker, it may have been judged on what came after.
            return messages.Tried(seq=seq, version=version, stale=True).model_dump_json()
        # The verdict is JSON already; taking it apart again would cost more than making it.
        head = f'{{"type":"tried","seq":{seq},"version":{version},"stale":false'
        return f'{head},"verdict":{verdict.decode()},"fault":""}}'

    def _wanted(self, trial: messages.Try) -> Wanted:
        if trial.action is not None:
            said = {"action": trial.action, "nearest": trial.nearest}
            return Wanted("try", {**said, "seen_by": [*self.holder.sides]})
        by = self.holder.said()
        return Wanted("try answer", {"path": trial.path or [], "by": by, "seen_by": by["sides"]})

    async def listen(self) -> None:
        """Take messages until the page goes. Raises _Closed, WebSocketDisconnect."""
        settings = self.hub.settings
        rate = Rate(settings.tries_rate, settings.tries_burst)
        while True:
            text = await _text(self._socket)
            try:
                rate.take("")
            except TooOftenError as error:
                raise _Closed(TOO_OFTEN, str(error)) from None
            if len(text) > settings.message_bytes:
                raise _Closed(UNUSABLE, f"a message may have {settings.message_bytes} bytes")
            if text.startswith(_TRIES):
                # Most are overtaken before anybody looks at them: read when their turn comes.
                self.offer(text)
                continue
            try:
                message = _read(text)
            except (DocumentError, ValidationError) as error:
                await self.send(messages.Refused(why=_why(error)))
                continue
            if isinstance(message, messages.Ping):
                await self.send(messages.Pong())
            elif isinstance(message, messages.Hello):
                await self.send(messages.Refused(why="hello has been said"))
            elif isinstance(message, messages.Try):
                self.offer(message)
            else:
                await self._share(message)

    async def _share(self, message: messages.Commit | messages.Reveal) -> None:
        """Take part in the dice."""
        draws, room, holder = self.hub.draws, self.room, self.holder
        try:
            self.hub.link_rate.take(holder.key)
            if isinstance(message, messages.Reveal):
                await draws.reveal(room, holder, message)
            else:
                await draws.commit(room, self, message.commitment)
        except TapelineError as error:
            await self.send(messages.Refused(why=in_one_line(error)))


async def _text(socket: WebSocket) -> str:
    """The next message. Raises WebSocketDisconnect, and _Closed for one that is no text."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005, message.get("reason"))
    text = message.get("text")
    if text is None:
        raise _Closed(UNUSABLE, "messages are text")
    return str(text)


async def _hello(socket: WebSocket, hub: Hub) -> messages.Hello:
    try:
        async with asyncio.timeout(hub.settings.hello_seconds):
            text = await _text(socket)
    except TimeoutError:
        raise _Closed(UNUSABLE, "say hello first") from None
    if len(text) > hub.settings.message_bytes:
        raise _Closed(UNUSABLE, "say hello first")
    try:
        message = _read(text)
    except (DocumentError, ValidationError) as error:
        raise _Closed(UNUSABLE, _why(error)) from None
    if not isinstance(message, messages.Hello):
        raise _Closed(UNUSABLE, "say hello first")
    return message


@router.websocket("/api/matches/{match_id}/live")
async def live(socket: WebSocket, match_id: str) -> None:
    """The live connection of a match."""
    hub: Hub = socket.app.state.hub
    origin = socket.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != socket.headers.get("host"):
        # A page of another site.
        await socket.close(NOT_THERE)
        return
    await socket.accept()
    try:
        await _serve(socket, hub, match_id)
    except _Closed as closed:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_text(messages.Refused(why=str(closed)).model_dump_json())
            await socket.close(closed.code, str(closed)[:100])
    except WebSocketDisconnect:
        pass


async def _serve(socket: WebSocket, hub: Hub, match_id: str) -> None:
    settings, address = hub.settings, address_of(socket.scope)
    if hub.connections.total() >= settings.connections:
        raise _Closed(FULL, "The server has as many connections as it takes.")
    if hub.connections[address] >= settings.connections_an_address:
        raise _Closed(FULL, "This address has as many connections as it takes.")
    hub.connections[address] += 1
    try:
        try:
            hub.address_rate.take(address)
            hello = await _hello(socket, hub)
            room, holder = await hub.enter(match_id, hello.token, address, hello.side)
            await hub.renew(room, holder)
            # It may have left memory meanwhile, as nobody was seen to look at it.
            room = hub.rooms.setdefault(match_id, room)
        except MissingError as error:
            raise _Closed(NOT_THERE, str(error)) from None
        except TooOftenError as error:
            raise _Closed(TOO_OFTEN, str(error)) from None
        except (StoreError, TooMuchWorkError) as error:
            raise _Closed(FULL, str(error)) from None
        if len(room.seats) >= settings.connections_a_match:
            raise _Closed(FULL, "This match has as many connections as it takes.")
        if sum(seat.holder.key == holder.key for seat in room.seats) >= settings.connections_a_link:
            raise _Closed(FULL, "This link has as many connections as it takes.")
        connection = Connection(hub, room, holder, socket, hello.version)
        await _attend(connection)
    finally:
        hub.connections[address] -= 1
        if not hub.connections[address]:
            del hub.connections[address]


async def _attend(connection: Connection) -> None:
    room = connection.room
    room.join(connection)
    tasks = [
        asyncio.create_task(work)
        for work in (connection.listen(), connection.tell(), connection.judge())
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        room.leave(connection)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(TapelineError):
            await connection.hub.draws.leave(room, connection)
