from __future__ import annotations

import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from ..errors import APIConnectionError, APIError, LedgerlineError
from ..io import async_io
from ..uploads import PART_BYTES, OnProgress, Upload, Uploadable
from ..wire import Attempts
from .transport import AsyncTransport

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..generated import types
    from .api import AsyncApi


class AsyncFiles:
    """Files: upload, download, list and delete them."""

    def __init__(self, transport: AsyncTransport, api: Callable[[], AsyncApi]) -> None:
        self._transport = transport
        self._api = api

    async def upload(
        self,
        file: Uploadable,
        *,
        purpose: str = "agent_input",
        filename: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> types.File:
        """Sends a file; a large one in parts, of which each is repeated by itself when the connection is lost."""
        upload = Upload(file, filename, on_progress)
        try:
            if upload.size > PART_BYTES:
                return await self._upload_parts(upload, purpose)
            form = partial(upload.form, "file", purpose=purpose)
            reply = await self._transport.send("POST", "/v1/files", form=form)
            return cast("types.File", reply.data)
        finally:
            upload.close()

    async def download(
        self, file_id: str, to: str | os.PathLike[str] | IO[bytes], *, on_progress: OnProgress | None = None
    ) -> None:
        """
        Writes a file to a path, where it appears when it is whole, or into an open file. A lost connection is
        resumed.
        """
        if not isinstance(to, (str, os.PathLike)):
            return await self._write(file_id, to, on_progress)
        part = Path(f"{os.fspath(to)}.part")
        try:
            with part.open("wb") as file:
                await self._write(file_id, file, on_progress)
            os.replace(part, to)
        finally:
            part.unlink(missing_ok=True)

    async def read(self, file_id: str) -> bytes:
        """The bytes of a file."""
        return b"".join([chunk async for chunk, _ in self._chunks(file_id)])

    async def get(self, file_id: str) -> types.File:
        return await self._api().get_files_file_id(file_id)

    async def delete(self, file_id: str) -> types.Deleted:
        return await self._api().delete_files_file_id(file_id)

    def list(self, **filters: Unpack[types.FileFilters]) -> AsyncIterator[types.File]:
        """The files that fit all filters, over all pages."""
        return self._api().iter_files(**filters)

    async def _upload_parts(self, upload: Upload, purpose: str) -> types.File:
        # Repeated, these make an upload or a part more, which nothing uses and which is gone after an hour.
        order = {
            "filename": upload.name,
            "purpose": purpose,
            "bytes": upload.size,
            "mime_type": "application/octet-stream",
        }
        begun = (await self._transport.send("POST", "/v1/uploads", json=order)).data
        path = self._transport.path("/v1/uploads/{upload_id}", upload_id=begun["id"])
        part_ids = []
        for at, length in upload.pieces():
            part = await self._transport.send("POST", f"{path}/parts", form=partial(upload.form, "data", at, length))
            part_ids.append(part.data["id"])
        ended = await self._transport.send("POST", f"{path}/complete", json={"part_ids": part_ids})
        return cast("types.File", ended.data["file"])

    async def _write(self, file_id: str, file: IO[bytes], on_progress: OnProgress | None) -> None:
        done = 0
        async with aclosing(self._chunks(file_id)) as chunks:
            async for chunk, total in chunks:
                file.write(chunk)
                done += len(chunk)
                if on_progress:
                    on_progress(done, total)

    async def _chunks(self, file_id: str) -> AsyncGenerator[tuple[bytes, int], None]:
        """
        The bytes of a file with its size, over lost connections: each goes on where the last one ended, in the same
        state of the file.
        """
        path = self._transport.path("/v1/files/{file_id}/content", file_id=file_id)
        attempts = Attempts(self._transport.max_retries, self._transport.timeout)
        done, total, etag = 0, 0, None
        while True:
            headers = {"accept-encoding": "identity"}
            if etag:
                headers.update({"range": f"bytes={done}-", "if-range": etag})
            try:
                async with self._transport.open("GET", path, headers=headers) as response:
                    if done and response.status_code != 206:
                        raise LedgerlineError(f"{file_id} was changed while it was read.")
                    etag = response.headers.get("etag") if not done else etag
                    total = done + int(response.headers.get("content-length", 0))
                    async for chunk in response.aiter_bytes():
                        done += len(chunk)
                        attempts = Attempts(self._transport.max_retries, self._transport.timeout)
                        yield chunk, total
                return
            except (APIError, APIConnectionError) as failure:
                if done and done == total:
                    return
                if done and not etag:
                    raise
                delay_s = attempts.delay_after(failure)
            await async_io.sleep(delay_s)
