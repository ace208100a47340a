"""Files on their way: what is sent, in which pieces, and how far it is."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Union

#: A path, the bytes of a file, an open file, or its name with one of these.
Uploadable = Union[str, "os.PathLike[str]", bytes, IO[bytes], "tuple[str, bytes | IO[bytes]]"]
#: Called with the bytes so far and the bytes of the whole.
OnProgress = Callable[[int, int], object]

PART_BYTES = 32 * 1024 * 1024
_FILE_ID = re.compile(r"file_[0-9A-Za-z]{1,60}")


def file_id_in(value: object) -> str | None:
    """The id of a file that is there already."""
    return value if isinstance(value, str) and _FILE_ID.fullmatch(value) else None


class Upload:
    """The bytes of a file, which each attempt reads from their beginning."""

    def __init__(self, source: Uploadable, filename: str | None, on_progress: OnProgress | None) -> None:
        name, content = source if isinstance(source, tuple) else (None, source)
        self._file: IO[bytes] = (
            Path(content).open("rb") if isinstance(content, (str, os.PathLike)) else _seekable(content)
        )
        self._closes = isinstance(content, (str, os.PathLike))
        self._begin = self._file.tell()
        self._on_progress = on_progress
        self.name = filename or name or os.path.basename(getattr(self._file, "name", "") or "file")
        self.size = self._file.seek(0, os.SEEK_END) - self._begin
        self._file.seek(self._begin)

    def form(self, field: str, at: int = 0, length: int | None = None, **fields: str) -> dict[str, Any]:
        """A form with the file, or a piece of it, as each attempt sends it."""
        piece = _Piece(self._file, self._begin + at, self.size if length is None else length, self._report(at))
        return {**fields, field: (self.name, piece)}

    def pieces(self) -> list[tuple[int, int]]:
        """Where each part of a file in parts begins, and its length."""
        return [(at, min(PART_BYTES, self.size - at)) for at in range(0, self.size, PART_BYTES)]

    def close(self) -> None:
        if self._closes:
            self._file.close()

    def _report(self, at: int) -> Callable[[int], None]:
        def report(done: int) -> None:
            if self._on_progress:
                self._on_progress(at + done, self.size)

        return report


class _Piece(io.RawIOBase):
    """A window on a file, which reports how much of it was read."""

    def __init__(self, file: IO[bytes], begin: int, length: int, report: Callable[[int], None]) -> None:
        self._open_file, self._begin, self._length, self._report = file, begin, length, report
        self._at = 0

    def read(self, size: int = -1) -> bytes:
        left = self._length - self._at
        self._open_file.seek(self._begin + self._at)
        data = self._open_file.read(left if size < 0 else min(size, left))
        self._at += len(data)
        if data:
            self._report(self._at)
        return data

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._length}[whence] + offset
        return self._at

    def tell(self) -> int:
        return self._at


def _seekable(content: bytes | IO[bytes]) -> IO[bytes]:
    if isinstance(content, bytes):
        return io.BytesIO(content)
    return content if content.seekable() else io.BytesIO(content.read())
