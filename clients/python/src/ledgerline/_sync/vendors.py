# Written from _async/vendors.py by clients/python/generate: change that one.
from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from ..errors import LedgerlineError
from ..wire import Reply, record
from .transport import Transport

if TYPE_CHECKING:
    from elevenlabs.client import ElevenLabs
    from openai import OpenAI


def openai_of(transport: Transport) -> OpenAI:
    try:
        from openai import OpenAI, DefaultHttpxClient
    except ImportError as error:
        raise LedgerlineError("client.openai() needs OpenAI's package: pip install openai") from error
    client = DefaultHttpxClient(event_hooks={"response": [_record]})
    base_url = f"{transport.base_url}/textapi/v1"
    return OpenAI(base_url=base_url, api_key=_key_of(transport), http_client=client)


def elevenlabs_of(transport: Transport) -> ElevenLabs:
    try:
        from elevenlabs.client import ElevenLabs
    except ImportError as error:
        raise LedgerlineError("client.elevenlabs() needs ElevenLabs' package: pip install elevenlabs") from error
    client = httpx.Client(timeout=transport.timeout, follow_redirects=True, event_hooks={"response": [_record]})
    return ElevenLabs(base_url=f"{transport.base_url}/voiceapi", api_key=_key_of(transport), httpx_client=client)


def _key_of(transport: Transport) -> str:
    """The key. Without one the vendors' clients would send their own vendor's key, from the environment, to this service."""
    if not transport.api_key:
        raise LedgerlineError("A vendor's client needs a key: set LEDGERLINE_API_KEY, or pass api_key.")
    return transport.api_key


def _record(response: httpx.Response) -> None:
    record(Reply(response.request.method, str(response.url), response.status_code, response.headers))
