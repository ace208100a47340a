"""Every error that this package raises on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .generated.types import Run


class LedgerlineError(Exception):
    """The base of all errors of this package."""


class APIConnectionError(LedgerlineError):
    """No whole answer came, also after retries: the name, the route or the connection failed."""


class APITimeoutError(APIConnectionError):
    """No answer came in time."""


class APIError(LedgerlineError):
    """An answer that is not a success. `code` is for programs, the message for people, `request_id` for support."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Any) -> None:
        refusal = _refusal_in(body)
        text = refusal if isinstance(refusal, str) else f"The service answered {status}."
        # Those of a proxy may be anything.
        fields = {name: _text(value) for name, value in refusal.items()} if isinstance(refusal, dict) else {}
        super().__init__(fields.get("message") or text)
        self.status = status
        self.headers = headers
        self.body = body
        self.code: str | None = fields.get("code")
        self.type: str | None = fields.get("type")
        self.param: str | None = fields.get("param")
        self.request_id: str | None = headers.get("x-request-id")

    def __str__(self) -> str:
        named = [self.code, self.request_id]
        return f"{super().__str__()} ({', '.join([str(self.status), *filter(None, named)])})"


class InvalidRequestError(APIError):
    """400, 413, 415 and 422: the request is wrong; `param` names the place."""


class AuthenticationError(APIError):
    """401: no key, or one that no longer counts."""


class InsufficientBalanceError(APIError):
    """402: the balance, a ceiling or a budget does not cover the request."""


class PermissionDeniedError(APIError):
    """403: the key may not do this."""


class NotFoundError(APIError):
    """404 and 410."""


class ConflictError(APIError):
    """409 and 412: another request, or the state of the resource, is in the way."""


class RateLimitError(APIError):
    """429: too many requests at once or in a minute."""


class ServerError(APIError):
    """5xx: a fault of the service or of its upstreams. Nothing was billed."""


class RunError(LedgerlineError):
    """A run that did not complete. `run` is the whole run, with its cost in `run["usage"]`."""

    def __init__(self, run: Run) -> None:
        error = run["error"]
        reason = error["message"] if error else run["status_reason"]
        super().__init__(f"{run['id']} of {run['agent']}: {run['status']}" + (f" ({reason})" if reason else ""))
        self.run = run
        self.code: str | None = error["code"] if error else None


class RunFailedError(RunError):
    """The run failed and costs nothing. `code` is that of its error."""


class RunCancelledError(RunError):
    """The run was cancelled; its usage so far is paid."""


class RunLimitReachedError(RunError):
    """
    The run met its cost, time, step or output limit: `run["limit"]` says which, `run["output"]` has what it wrote.
    """


class RunRequiresActionError(RunError):
    """
    The run waits for answers to `run["required_actions"]`: `client.runs.answer(...)`, then `client.runs.wait(...)`.
    """


class WebhookVerificationError(LedgerlineError):
    """A request that is not a webhook of the holder of the secret, or an old one."""


class ProofError(LedgerlineError):
    """A receipt or a statement that its signatures do not prove."""


_CLASSES: dict[int, type[APIError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: InsufficientBalanceError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    412: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}

_RUN_CLASSES: dict[str, type[RunError]] = {
    "failed": RunFailedError,
    "cancelled": RunCancelledError,
    "limit_reached": RunLimitReachedError,
    "requires_action": RunRequiresActionError,
}


def error_of(status: int, headers: Mapping[str, str], body: Any) -> APIError:
    """The error of an answer, by its status."""
    return _CLASSES.get(status, ServerError if status >= 500 else APIError)(status, headers, body)


def run_error_of(run: Run) -> RunError | None:
    """The error of a run that has not completed, by its status."""
    kind = _RUN_CLASSES.get(run["status"])
    return kind(run) if kind else None


def _text(value: Any) -> str | None:
    return str(value) if isinstance(value, (str, int)) else None


def _refusal_in(body: Any) -> Any:
    if not isinstance(body, dict):
        return None
    return body.get("error") or body.get("detail")
