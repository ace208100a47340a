"""What an order, and waiting for its end, can be told beside the input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import TypedDict

from .generated.types import RunEvent, RunOptions, RunRequiredAction1
from .uploads import Uploadable


class WaitOptions(TypedDict, total=False):
    on_event: Callable[[RunEvent], Any]
    """Called with each event; it may be a coroutine function in the asynchronous client."""
    on_action: Callable[[RunRequiredAction1], Any]
    """
    Gets each question and approval; returns its answer as for `POST /v1/runs/{run_id}/input`, or None to leave it
    open.
    """
    timeout: float
    """Seconds, after which `APITimeoutError` is raised. The run goes on."""
    cancel_on_abort: bool
    """Cancels the run when the caller is interrupted or its task is cancelled."""


class OrderOptions(RunOptions, total=False):
    files: Sequence[Uploadable]
    """Files for the agent: ids, paths, or anything that `client.files.upload` takes."""
    idempotency_key: str
    """A key of your own: the same order with the same key is one run."""


class CallOptions(OrderOptions, WaitOptions, total=False):
    """All of them."""
