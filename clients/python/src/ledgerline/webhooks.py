"""Webhooks, signed according to Standard Webhooks (standardwebhooks.com)."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Mapping, Sequence
from time import time
from typing import TYPE_CHECKING, cast

from .errors import LedgerlineError, WebhookVerificationError

if TYPE_CHECKING:
    from .generated.types import Event


class Webhooks:
    @staticmethod
    def unwrap(
        body: str | bytes, headers: Mapping[str, str], secret: str | Sequence[str], *, tolerance_seconds: float = 300
    ) -> Event:
        """
        The event of a request, when it is signed with one of the secrets and not older or newer than the tolerance.
        `body` is the body as it arrived. Raises `WebhookVerificationError` otherwise: answer 400 then.
        """
        named = {name.lower(): value for name, value in headers.items()}
        try:
            event_id, sent_at, signatures = (
                named[f"webhook-{name}"].encode() for name in ("id", "timestamp", "signature")
            )
            age = time() - int(sent_at)
        except (KeyError, ValueError, OverflowError, AttributeError) as error:
            raise WebhookVerificationError("The headers of a webhook are missing or malformed.") from error
        if abs(age) > tolerance_seconds:
            raise WebhookVerificationError(f"The webhook was sent {age:.0f} seconds ago: is a clock wrong?")
        content = body.encode() if isinstance(body, str) else body
        signed = b".".join([event_id, sent_at, content])
        wanted = [_signature(signed, one) for one in ([secret or ""] if isinstance(secret, str | None) else secret)]
        # All are compared: how long it takes says nothing about which one fits.
        fits = [
            hmac.compare_digest(own, value)
            for version, _, value in (one.partition(b",") for one in signatures.split(b" "))
            for own in wanted
            if version == b"v1"
        ]
        if not any(fits):
            raise WebhookVerificationError("No signature of the webhook fits the secret.")
        return cast("Event", json.loads(content))


def _signature(signed: bytes, secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not key:
        # Anybody can sign with an empty key.
        raise LedgerlineError("The secret of a webhook endpoint is missing or malformed: it is whsec_ and base64.")
    return base64.b64encode(hmac.digest(key, signed, "sha256"))
