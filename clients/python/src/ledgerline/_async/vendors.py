from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from ..errors import LedgerlineError
from ..wire import Reply, record
from .transport import AsyncTransport

if TYPE_CHECKING:
    from elevenlabs.client import AsyncElevenLabs
    from openai import AsyncOpenAI


def openai_of(transport: AsyncTransport) -> AsyncOpenAI:
    try:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    except ImportError as error:
        raise LedgerlineError("client.openai() needs OpenAI's package: pip install openai") from error
    client = DefaultAsyncHttpxClient(event_hooks={"response": [_record]})
    base_url = f"{transport.base_url}/textapi/v1"
    return AsyncOpenAI(base_url=base_url, api_key=_key_of(transport), http_client=client)


def elevenlabs_of(transport: AsyncTransport) -> AsyncElevenLabs:
    try:
        from elevenlabs.client import AsyncElevenLabs
    except ImportError as error:
        raise LedgerlineError("client.elevenlabs() needs ElevenLabs' package: pip install elevenlabs") from error
    client = httpx.AsyncClient(timeout=transport.timeout, follow_redirects=True, event_hooks={"response": [_record]})
    return AsyncElevenLabs(base_url=f"{transport.base_url}/voiceapi", api_key=_key_of(transport), httpx_client=client)


def _key_of(transport: AsyncTransport) -> str:
    """The key. Without one the vendors' clients would send their own vendor's key, from the environment, to this service."""
    if not transport.api_key:
        raise LedgerlineError("A vendor's client needs a key: set LEDGERLINE_API_KEY, or pass api_key.")
    return transport.api_key


async def _record(response: httpx.Response) -> None:
    record(Reply(response.request.method, str(response.url), response.status_code, response.headers))
