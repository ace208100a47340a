from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx

from ..errors import APIConnectionError, APIError, APITimeoutError, AuthenticationError, error_of
from ..io import async_io
from ..wire import (
    VERSION,
    Attempts,
    Reply,
    checked_key,
    checked_url,
    data_of,
    fill,
    form_of,
    headers_of,
    query_of,
    record,
)

LOCAL = "http://127.0.0.1:4000"


class AsyncTransport:
    """Sends requests with the key, repeats what may be repeated, and turns refusals into errors."""

    path = staticmethod(fill)

    def __init__(
        self,
        api_key: str | None,
        base_url: str | None,
        timeout: float,
        max_retries: int,
        http_client: httpx.AsyncClient | None,
    ) -> None:
        self.api_key = checked_key(api_key or os.environ.get("LEDGERLINE_API_KEY"))
        self.base_url = checked_url(base_url or os.environ.get("LEDGERLINE_BASE_URL") or LOCAL)
        self.max_retries = max_retries
        self.timeout = timeout
        self._is_own = http_client is None
        self.http = http_client or httpx.AsyncClient(timeout=httpx.Timeout(timeout, connect=10))

    async def aclose(self) -> None:
        if self._is_own:
            await self.http.aclose()

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        json: Any = None,
        form: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,
        headers: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        repeatable: bool = True,
        expect: str = "json",
    ) -> Reply:
        """One call with its retries: all of them with one idempotency key, so that none of them costs twice."""
        attempts = Attempts(self.max_retries, self.timeout, repeatable)
        sent_headers = headers_of(method, headers, idempotency_key, expect)
        while True:
            body: dict[str, Any] = {"json": json} if json is not None else {}
            if form is not None:
                body["data"], body["files"] = form_of(form() if callable(form) else form)
            try:
                async with self.open(method, path, query=query, headers=sent_headers, **body) as response:
                    content = await response.aread()
                    data = data_of(content, response.headers, expect)
                    reply = Reply(method, str(response.url), response.status_code, response.headers, data)
                record(reply)
                return reply
            except (APIError, APIConnectionError) as failure:
                was_sent = not isinstance(
                    failure.__cause__, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
                )
                delay_s = attempts.delay_after(failure, was_sent)
            await async_io.sleep(delay_s)

    @asynccontextmanager
    async def open(self, method: str, path: str, **request: Any) -> AsyncIterator[httpx.Response]:
        """One attempt, as an answer whose body is not read yet. Raises an `APIError` for a refusal."""
        request["headers"] = {**self._own_headers(), **(request.get("headers") or {})}
        request["params"] = query_of(request.pop("query", None))
        try:
            async with self.http.stream(method, self.base_url + path, **request) as response:
                if response.status_code >= 300:
                    content = await response.aread()
                    said = data_of(content, response.headers, "json")
                    refusal = error_of(response.status_code, response.headers, said)
                    if isinstance(refusal, AuthenticationError) and "authorization" not in response.request.headers:
                        refusal.args = ("No key: give api_key, or set LEDGERLINE_API_KEY.",)
                    raise refusal
                yield response
        except httpx.TimeoutException as error:
            raise APITimeoutError(f"{method} {path}: no answer in time ({type(error).__name__})") from error
        except httpx.RequestError as error:
            raise APIConnectionError(f"{method} {path}: {error or type(error).__name__}") from error

    def iterate(
        self,
        path: str,
        items: str,
        parameter: str,
        following: str,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[Any]:
        """
        The items of a list over all its pages: `parameter` asks for the one that `following` names, of the page or of
        its last item.
        """
        return self._pages(path, items, parameter, following, dict(query or {}), headers)

    async def _pages(
        self,
        path: str,
        items: str,
        parameter: str,
        following: str,
        query: dict[str, Any],
        headers: Mapping[str, Any] | None,
    ) -> AsyncIterator[Any]:
        while True:
            page = (await self.send("GET", path, query=query, headers=headers)).data
            for item in page[items]:
                yield item
            if page.get("has_more") is False or not page[items]:
                return
            query[parameter] = page.get(following) or page[items][-1].get(following)
            if not query[parameter]:
                return

    def _own_headers(self) -> dict[str, str]:
        headers = {"user-agent": f"ledgerline-python/{VERSION}"}
        if self.api_key:
            headers["authorization"] = f"Bearer {self.api_key}"
        return headers
