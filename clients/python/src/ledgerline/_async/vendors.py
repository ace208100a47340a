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
    return AsyncOpenAI(base_url=base_url, api_key=transport.api_key, http_client=client)


def elevenlabs_of(transport: AsyncTransport) -> AsyncElevenLabs:
    try:
        from elevenlabs.client import AsyncElevenLabs
    except ImportError as error:
        raise LedgerlineError("client.elevenlabs() needs ElevenLabs' package: pip install elevenlabs") from error
    client = httpx.AsyncClient(timeout=transport.timeout, follow_redirects=True, event_hooks={"response": [_record]})
    return AsyncElevenLabs(base_url=f"{transport.base_url}/voiceapi", api_key=transport.api_key, httpx_client=client)


async def _record(response: httpx.Response) -> None:
    record(Reply(response.request.method, str(response.url), response.status_code, response.headers))
