"""What a request and its retries look like, without any input or output: shared by both clients."""

from __future__ import annotations

import json
import random
import re
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import monotonic, time
from typing import Any
from urllib.parse import quote

from .errors import APIConnectionError, APIError, LedgerlineError

VERSION = "0.1.0"
_RETRIED = {408, 429, 500, 502, 503, 504}
_DELAY_FIRST_S, _DELAY_MAX_S, _RETRY_AFTER_MAX_S = 0.5, 8.0, 60.0


@dataclass(frozen=True)
class Reply:
    """An answer with what its headers say about it."""

    method: str
    url: str
    status: int
    headers: Mapping[str, str]
    data: Any = None

    @property
    def request_id(self) -> str | None:
        return self.headers.get("x-request-id")

    @property
    def cost_usd(self) -> float | None:
        """What the call cost: of each whole answer of a model, or of an agent in its place."""
        usage = self.data.get("usage") if isinstance(self.data, dict) else None
        said = self.headers.get("x-cost-usd") or (usage.get("cost") if isinstance(usage, dict) else None)
        return None if said is None else float(said)


class Calls(list[Reply]):
    """The calls within `recorded()`, with their answers' headers."""

    @property
    def cost_usd(self) -> float:
        return sum(call.cost_usd or 0.0 for call in self)


_recorders: ContextVar[tuple[Calls, ...]] = ContextVar("ledgerline_recorders", default=())


@contextmanager
def recorded() -> Iterator[Calls]:
    """
    Records each call made within it, with its cost and request id, also of vendors' clients: `with recorded() as
    calls: ...`, then `calls.cost_usd`, `calls[-1].request_id`.
    """
    calls = Calls()
    token = _recorders.set((*_recorders.get(), calls))
    try:
        yield calls
    finally:
        _recorders.reset(token)


def record(reply: Reply) -> None:
    for calls in _recorders.get():
        calls.append(reply)


def checked_key(key: str | None) -> str | None:
    """A key that can be a header: the error of one that cannot would show it."""
    key = key and key.strip()
    if key and not re.fullmatch("[!-~]+", key):
        raise LedgerlineError("The key has characters that no key has, such as spaces or new lines.")
    return key


def checked_url(url: str) -> str:
    if re.match(r"\w+://[^/?#]*@", url):
        raise LedgerlineError(
            "The address of the installation has a user or a password, which cannot be sent beside a key."
        )
    return url.rstrip("/")


def fill(path: str, **values: str) -> str:
    """A path with its parameters, each as one segment. An agent's name keeps its slash."""
    for name, value in values.items():
        if value in ("", ".", ".."):
            raise LedgerlineError(f"{name} is {value!r}: a path cannot have it.")
        path = path.replace("{" + name + "}", quote(value, safe="@:"))
    return path


def query_of(values: Mapping[str, Any] | None) -> dict[str, str | list[str]]:
    """Parameters as the service reads them: None is not sent, a dict as `name[key]=value`."""
    query: dict[str, str | list[str]] = {}
    for name, value in (values or {}).items():
        if isinstance(value, Mapping):
            query.update({f"{name}[{key}]": _text(one) for key, one in value.items()})
        elif isinstance(value, (list, tuple)):
            query[name] = [_text(one) for one in value]
        elif value is not None:
            query[name] = _text(value)
    return query


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def headers_of(
    method: str, extra: Mapping[str, Any] | None, idempotency_key: str | None, expect: str
) -> dict[str, str]:
    headers = {"accept": "application/json" if expect == "json" else "*/*"}
    headers.update({name.lower(): str(value) for name, value in (extra or {}).items() if value is not None})
    if method == "POST":
        headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
    return headers


def form_of(form: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields and the files of a form. A file is bytes, an open file, or `(name, content[, type])`."""
    fields, files = {}, {}
    for name, value in form.items():
        if isinstance(value, (bytes, tuple)) or hasattr(value, "read"):
            files[name] = value
        elif value is not None:
            fields[name] = _text(value)
    return fields, files


def data_of(content: bytes, headers: Mapping[str, str], expect: str) -> Any:
    """An answer's body: bytes where they are expected, else what its JSON says, else its text."""
    if expect == "bytes":
        return content
    if not content:
        return None
    if "json" in headers.get("content-type", ""):
        try:
            return json.loads(content)
        except ValueError as error:
            raise APIConnectionError(f"The answer is not whole JSON: {error}") from error
    return content.decode(errors="replace")


class Attempts:
    """Decides, after each failure of one request, how long to wait until the next attempt, or that there is none."""

    def __init__(self, max_retries: int, timeout_s: float, repeatable: bool = True) -> None:
        self._left = max_retries
        self._retries = 0
        self._deadline = monotonic() + timeout_s
        self._repeatable = repeatable

    def delay_after(self, failure: APIError | APIConnectionError, was_sent: bool = True) -> float:
        """Seconds to wait before the next attempt. Raises the failure when there is none."""
        if isinstance(failure, APIError) and failure.code == "idempotency_in_progress":
            # The first attempt still runs: its answer is worth waiting for, however many times it says so.
            if (left_s := self._deadline - monotonic()) > 0:
                return min(_said_delay(failure.headers) or 1.0, left_s)
            raise failure
        if self._left <= 0 or not self._may_retry(failure, was_sent):
            raise failure
        said = _said_delay(failure.headers) if isinstance(failure, APIError) else None
        if said is not None and said > _RETRY_AFTER_MAX_S:
            raise failure
        self._left -= 1
        self._retries += 1
        return said if said is not None else delay_of(self._retries)

    def _may_retry(self, failure: APIError | APIConnectionError, was_sent: bool) -> bool:
        if isinstance(failure, APIConnectionError):
            return self._repeatable or not was_sent
        said = failure.headers.get("x-should-retry")
        if said is not None:
            return said == "true"
        # Without a key a repeat could do it twice, unless the service says that it did nothing.
        return failure.status in (_RETRIED if self._repeatable else {429, 503})


def delay_of(retry: int) -> float:
    """A growing delay with jitter; `retry` counts from 1."""
    return min(_DELAY_FIRST_S * 2.0 ** (retry - 1), _DELAY_MAX_S) * random.uniform(0.75, 1.0)


def _said_delay(headers: Mapping[str, str]) -> float | None:
    ms, after = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if ms is not None:
            return max(0.0, float(ms) / 1000)
        if after is None:
            return None
        return max(0.0, float(after) if after.isdigit() else parsedate_to_datetime(after).timestamp() - time())
    except ValueError:
        return None


class EventDecoder:
    """Frames of `text/event-stream`, from its bytes. A frame counts only when it is whole."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[str] = []
        self._id: str | None = None

    def feed(self, chunk: bytes) -> Iterator[tuple[str | None, str]]:
        """The frames that end within a chunk, each with its id and its data."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            name, _, value = line.decode(errors="replace").rstrip("\r").partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "data":
                self._data.append(value)
            elif name == "id":
                self._id = value
            elif name == "" and not value:
                data, one_id = self._data, self._id
                self._data, self._id = [], None
                if data:
                    yield one_id, "\n".join(data)
