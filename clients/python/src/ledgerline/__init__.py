"""The client of Ledgerline: agents, runs, files, webhooks and bills, synchronous and asynchronous."""

from ._async.client import AsyncLedgerline
from ._async.streams import AsyncRunStream
from ._sync.client import Ledgerline
from ._sync.streams import RunStream
from .errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    ConflictError,
    InsufficientBalanceError,
    InvalidRequestError,
    LedgerlineError,
    NotFoundError,
    PermissionDeniedError,
    ProofError,
    RateLimitError,
    RunCancelledError,
    RunError,
    RunFailedError,
    RunLimitReachedError,
    RunRequiresActionError,
    ServerError,
    WebhookVerificationError,
)
from .results import OutputFile, RunResult
from .wire import VERSION as __version__
from .wire import Reply, recorded

__all__ = [
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AsyncLedgerline",
    "AsyncRunStream",
    "AuthenticationError",
    "ConflictError",
    "InsufficientBalanceError",
    "InvalidRequestError",
    "Ledgerline",
    "LedgerlineError",
    "NotFoundError",
    "OutputFile",
    "PermissionDeniedError",
    "ProofError",
    "RateLimitError",
    "Reply",
    "RunCancelledError",
    "RunError",
    "RunFailedError",
    "RunLimitReachedError",
    "RunRequiresActionError",
    "RunResult",
    "RunStream",
    "ServerError",
    "WebhookVerificationError",
    "__version__",
    "recorded",
]
