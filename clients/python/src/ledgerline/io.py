"""What the two clients do differently: waiting, and going on while the caller is being cancelled."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext

import anyio


class async_io:
    sleep = staticmethod(anyio.sleep)

    @staticmethod
    def shielded() -> AbstractContextManager[object]:
        """A last word within a cancelled task, of at most ten seconds."""
        return anyio.move_on_after(10, shield=True)


class sync_io:
    sleep = staticmethod(time.sleep)

    @staticmethod
    def shielded() -> AbstractContextManager[object]:
        return nullcontext()
