"""What a run gives: its texts while it runs, and its result when it has ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from .generated.types import Run, RunEvent

T = TypeVar("T")

TERMINAL = {"completed", "limit_reached", "cancelled", "failed"}
_BETWEEN = "\n\n"


@dataclass(frozen=True)
class OutputFile:
    """A file that an agent wrote: `client.files.download(file.id)`."""

    id: str
    filename: str
    media_type: str
    size_bytes: int


@dataclass(frozen=True)
class RunResult(Generic[T]):
    """The result of a completed run. `data` is the output of a typed agent, else None."""

    run: Run
    data: T

    @property
    def id(self) -> str:
        return self.run["id"]

    @property
    def session_id(self) -> str:
        return self.run["session_id"]

    @property
    def output(self) -> str:
        """Its texts, with an empty line between them."""
        return _BETWEEN.join(item["text"] for item in self.run["output"] if item["type"] == "output_text")

    @property
    def files(self) -> list[OutputFile]:
        return [
            OutputFile(item["file_id"], item["filename"], item["media_type"], item["size_bytes"])
            for item in self.run["output"]
            if item["type"] == "output_file"
        ]

    @property
    def cost_usd(self) -> float:
        """What the run and the runs that it started have cost."""
        return self.run["usage"]["total_usd"] + self.run["usage"]["children_usd"]

    def __str__(self) -> str:
        return self.output


def result_of(run: Run, output_type: type[T] | None = None) -> RunResult[T]:
    """The result of a run, with its data as `output_type` when that is a pydantic model."""
    found = [item["data"] for item in run["output"] if item["type"] == "output_data"]
    data: Any = found[-1] if found else None
    validate = getattr(output_type, "model_validate", None)
    return RunResult(run, cast(T, validate(data) if validate else data))


class Transcript:
    """
    The texts of a run from its events. A delta is put at its `offset` (in UTF-16 units), a done text replaces its
    deltas, and the item of a step's later attempt replaces that of the attempt before. The same event again changes
    nothing.
    """

    def __init__(self) -> None:
        self.items: dict[str, str] = {}
        self._firsts: set[str] = set()

    @property
    def text(self) -> str:
        return _BETWEEN.join(text for text in self.items.values() if text)

    def add(self, event: RunEvent) -> None:
        if event["type"] == "run.step.started":
            self._firsts.add(event["data"]["step_id"].replace("step_", "item_", 1))
        elif event["type"] == "run.output_text.done":
            self._write(event["data"]["item_id"], event["data"]["text"])
        elif event["type"] == "run.output_text.delta":
            item, offset = event["data"]["item_id"], event["data"]["offset"]
            kept = self.items.get(item, "").encode("utf-16-le", "surrogatepass")[: offset * 2]
            self._write(item, kept.decode("utf-16-le", "surrogatepass") + event["data"]["delta"])

    def _write(self, item: str, text: str) -> None:
        if item not in self.items:
            first = self._first_of(item)
            for other in [one for one in self.items if self._first_of(one) == first]:
                del self.items[other]
            self._firsts.add(first)
        self.items[item] = text

    def _first_of(self, item: str) -> str:
        """
        The item of a step's first attempt: those of later ones are named after it, with `r2`, `r3` and so on at the
        end.
        """
        return next((first for first in self._firsts if item.startswith(first + "r")), item)


def input_of(value: Any, file_ids: list[str]) -> Any:
    """The `input` of an order: a text or items as they are, a dict or a pydantic model as data; with files as items."""
    dump = getattr(value, "model_dump", None)
    if dump:
        value = dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        value = [{"type": "input_data", "data": value}]
    if not file_ids:
        return value
    texts = [{"type": "input_text", "text": value}] if isinstance(value, str) else list(value)
    return [*texts, *({"type": "input_file", "file_id": file_id} for file_id in file_ids)]
