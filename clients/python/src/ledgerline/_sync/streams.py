# Written from _async/streams.py by clients/python/generate: change that one.
from __future__ import annotations

import json
from time import monotonic
from collections.abc import Generator
from contextlib import closing
from typing import TYPE_CHECKING, cast



from ..errors import APIConnectionError, APIError, APITimeoutError, ServerError
from ..io import sync_io
from ..results import Transcript
from ..wire import EventDecoder, delay_of
from .transport import Transport

if TYPE_CHECKING:
    from ..generated.types import Run, RunEvent

_LAST_TYPES = {"run.completed", "run.failed", "run.cancelled", "run.limit_reached"}
_FAILURES_MAX = 10
# A keep-alive comes every ten seconds: a connection that is silent for longer is lost.
_SILENCE_S = 40.0


class RunStream:
    """
    The events of a run until its end, each once and in order, over any number of lost connections. `text` is the text so far, `items` the
    texts by item, and `run`, after the last event, the run. It does not end while the run waits for an answer (`run.requires_action`).
    """

    def __init__(
        self,
        transport: Transport,
        run_id: str,
        starting_after: str | None = None,
        include: str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.run_id = run_id
        self.last_event_id = starting_after
        self.run: Run | None = None
        self._transcript = Transcript()
        self._transport = transport
        self._query = {"include": include}
        self._ends_at = None if timeout is None else monotonic() + timeout
        self._has_all = False
        self._events = self._follow()

    @property
    def text(self) -> str:
        return self._transcript.text

    @property
    def items(self) -> dict[str, str]:
        return self._transcript.items

    def __iter__(self) -> RunStream:
        return self

    def __next__(self) -> RunEvent:
        return self._events.__next__()

    def __enter__(self) -> RunStream:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the stream. The run goes on."""
        self._events.close()

    def _follow(self) -> Generator[RunEvent, None]:
        failures = 0
        while True:
            before = self.last_event_id
            try:
                with closing(self._connect()) as events:
                    for event in events:
                        yield event
                        if event["type"] in _LAST_TYPES:
                            return
            except (APIConnectionError, APIError) as failure:
                failures = failures if self.last_event_id == before else 0
                is_lasting = isinstance(failure, APIError) and not isinstance(failure, ServerError) and failure.status != 429
                if is_lasting or self._left_s() <= 0 or failures >= _FAILURES_MAX:
                    raise
            else:
                if self._has_all:
                    return
                failures = failures if self.last_event_id == before else 0
            failures += 1
            sync_io.sleep(delay_of(failures))

    def _connect(self) -> Generator[RunEvent, None]:
        """The events of one connection: an error frame, which has no id, is no event."""
        headers = {"accept": "text/event-stream"}
        if self.last_event_id:
            headers["last-event-id"] = self.last_event_id
        path = self._transport.path("/v1/runs/{run_id}/events", run_id=self.run_id)
        decoder = EventDecoder()
        silence_s = max(0.1, min(_SILENCE_S, self._left_s()))
        with self._transport.open("GET", path, query=self._query, headers=headers, timeout=silence_s) as response:
            self._has_all = response.status_code == 204
            for chunk in response.iter_bytes():
                if self._left_s() <= 0:
                    raise APITimeoutError(f"{self.run_id} has not ended in time.")
                for event_id, data in decoder.feed(chunk):
                    if not event_id:
                        continue
                    event = cast("RunEvent", json.loads(data))
                    self.last_event_id = event["id"]
                    self._transcript.add(event)
                    if event["type"] in _LAST_TYPES:
                        self.run = cast("Run", event["data"])
                    yield event

    def _left_s(self) -> float:
        return _SILENCE_S if self._ends_at is None else self._ends_at - monotonic()
