from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..proofs import Receipts, Statements
from ..webhooks import Webhooks
from ..wire import Reply, recorded
from .files import AsyncFiles
from .runs import AsyncAgents, AsyncRuns
from .transport import AsyncTransport

if TYPE_CHECKING:
    import httpx
    from elevenlabs.client import AsyncElevenLabs
    from openai import AsyncOpenAI

    from .api import AsyncApi


class AsyncLedgerline:
    """
    The client of an installation of Ledgerline. `api_key` and `base_url`, the origin of the installation, come from
    `LEDGERLINE_API_KEY` and `LEDGERLINE_BASE_URL` otherwise. `timeout` is how long an answer may take, in seconds;
    `max_retries` how often a request is repeated that may be repeated. A repeat never costs twice.
    """

    #: Verifies webhooks: `client.webhooks.unwrap(body, headers, secret)`.
    webhooks = Webhooks
    #: Verifies receipts offline: `client.receipts.verify(receipt, keys)`.
    receipts = Receipts
    #: Verifies verifiable statements offline: `client.statements.verify(lines, keys)`.
    statements = Statements
    #: Records the calls within it with their costs: `with client.recorded() as calls: ...`.
    recorded = staticmethod(recorded)

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 600.0,
        max_retries: int = 2,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._transport = AsyncTransport(api_key, base_url, timeout, max_retries, http_client)
        self._api: AsyncApi | None = None
        self.runs = AsyncRuns(self._transport, lambda: self.api)
        self.files = AsyncFiles(self._transport, lambda: self.api)
        self.agents = AsyncAgents(self._transport, lambda: self.api, self.runs, self.files)

    @property
    def api(self) -> AsyncApi:
        """The plain calls: one method for each operation of /openapi.json."""
        if self._api is None:
            from .api import AsyncApi

            self._api = AsyncApi(self._transport)
        return self._api

    @property
    def base_url(self) -> str:
        return self._transport.base_url

    async def request(self, method: str, path: str, **request: Any) -> Reply:
        """
        A call of any path with the same key, retries and errors: `query`, `json`, `form`, `headers`. Its answer has
        `data` and `cost_usd`.
        """
        return await self._transport.send(method, path, **request)

    def openai(self) -> AsyncOpenAI:
        """OpenAI's client with the same key and address. It needs the package `openai`."""
        from .vendors import openai_of

        return openai_of(self._transport)

    def elevenlabs(self) -> AsyncElevenLabs:
        """ElevenLabs' client with the same key and address. It needs the package `elevenlabs`."""
        from .vendors import elevenlabs_of

        return elevenlabs_of(self._transport)

    async def aclose(self) -> None:
        """Closes the connections, unless they are those of your own `http_client`."""
        await self._transport.aclose()

    async def __aenter__(self) -> AsyncLedgerline:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()
