from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ..errors import APIConnectionError, APIError, APITimeoutError, ServerError
from ..io import async_io
from ..results import Transcript
from ..wire import EventDecoder, delay_of
from .transport import AsyncTransport

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..generated.types import Run, RunEvent

E = TypeVar("E")

_LAST_TYPES = {"run.completed", "run.failed", "run.cancelled", "run.limit_reached"}
_FAILURES_MAX = 10
# A keep-alive comes every ten seconds: a connection that is silent for longer is lost.
_SILENCE_S = 40.0


class AsyncEventStream(Generic[E]):
    """Events of a resumable stream, each once and in order, over any number of lost connections."""

    def __init__(
        self,
        transport: AsyncTransport,
        path: str,
        query: Mapping[str, Any] | None = None,
        starting_after: str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.last_event_id = starting_after
        self._transport = transport
        self._path = path
        self._query = query
        self._ends_at = None if timeout is None else monotonic() + timeout
        self._has_all = False
        self._events = self._follow()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> E:
        return await self._events.__anext__()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends the stream. What it tells of goes on."""
        await self._events.aclose()

    def _read(self, event: E) -> bool:
        """Takes an event. Returns whether it is the last one."""
        return False

    async def _follow(self) -> AsyncGenerator[E, None]:
        failures = 0
        while True:
            before = self.last_event_id
            lost: APIConnectionError | APIError | None = None
            try:
                async with aclosing(self._connect()) as events:
                    async for event in events:
                        self._has_all = self._read(event)
                        yield event
                        if self._has_all:
                            return
            except (APIConnectionError, APIError) as failure:
                if isinstance(failure, APIError) and not isinstance(failure, ServerError) and failure.status != 429:
                    raise
                lost = failure
            if self._has_all:
                return
            failures = failures if self.last_event_id == before else 0
            if self._left_s() <= 0:
                raise lost or APITimeoutError(f"{self._path} has not ended in time.")
            if failures >= _FAILURES_MAX:
                raise lost or APIConnectionError(f"{self._path} ended {failures} times without its last event.")
            failures += 1
            await async_io.sleep(delay_of(failures))

    async def _connect(self) -> AsyncGenerator[E, None]:
        """The events of one connection: an error frame, which has no id, is no event."""
        headers = {"accept": "text/event-stream"}
        if self.last_event_id:
            headers["last-event-id"] = self.last_event_id
        decoder, silence_s = EventDecoder(), max(0.1, min(_SILENCE_S, self._left_s()))
        async with self._transport.open(
            "GET", self._path, query=self._query, headers=headers, timeout=silence_s
        ) as response:
            self._has_all = response.status_code == 204
            async for chunk in response.aiter_bytes():
                if self._left_s() <= 0:
                    raise APITimeoutError(f"{self._path} has not ended in time.")
                for event_id, data in decoder.feed(chunk):
                    if not event_id:
                        continue
                    if data == "[DONE]":
                        self.last_event_id, self._has_all = event_id, True
                        return
                    event = _event_in(data)
                    self.last_event_id = event_id
                    yield cast(E, event)

    def _left_s(self) -> float:
        return _SILENCE_S if self._ends_at is None else self._ends_at - monotonic()


def _event_in(data: str) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise APIConnectionError(f"An event is not whole JSON: {error}") from error


class AsyncRunStream(AsyncEventStream["RunEvent"]):
    """
    The events of a run until its end. `text` is the text so far, `items` the texts by item, and `run`, after the last
    event, the run. It does not end while the run waits for an answer (`run.requires_action`).
    """

    def __init__(
        self,
        transport: AsyncTransport,
        run_id: str,
        starting_after: str | None = None,
        include: str | None = None,
        timeout: float | None = None,
    ) -> None:
        path = transport.path("/v1/runs/{run_id}/events", run_id=run_id)
        super().__init__(transport, path, {"include": include}, starting_after, timeout)
        self.run_id = run_id
        self.run: Run | None = None
        self._transcript = Transcript()

    @property
    def text(self) -> str:
        return self._transcript.text

    @property
    def items(self) -> dict[str, str]:
        return self._transcript.items

    def _read(self, event: RunEvent) -> bool:
        self._transcript.add(event)
        if event["type"] not in _LAST_TYPES:
            return False
        self.run = cast("Run", event["data"])
        return True
