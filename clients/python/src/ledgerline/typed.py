"""What the modules call that `python -m ledgerline add` writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ._async.client import AsyncLedgerline
from ._sync.client import Ledgerline
from .results import RunResult

if TYPE_CHECKING:
    from .options import CallOptions

T = TypeVar("T")


def run_typed(
    client: Ledgerline | None, agent: str, input: Any, output_type: type[T], options: CallOptions
) -> RunResult[T]:
    """Runs an agent with a client, or with one of the environment's."""
    if client:
        return client.agents.run(agent, input, output_type=output_type, **options)
    with Ledgerline() as own:
        return own.agents.run(agent, input, output_type=output_type, **options)


async def run_typed_async(
    client: AsyncLedgerline | None, agent: str, input: Any, output_type: type[T], options: CallOptions
) -> RunResult[T]:
    if client:
        return await client.agents.run(agent, input, output_type=output_type, **options)
    async with AsyncLedgerline() as own:
        return await own.agents.run(agent, input, output_type=output_type, **options)


def data_of(required: Mapping[str, Any], optional: Mapping[str, Any]) -> dict[str, Any]:
    """The data of an order: what is optional and None is not sent, and models are sent as their JSON."""
    given = {**required, **{name: value for name, value in optional.items() if value is not None}}
    return {name: _plain(value) for name, value in given.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    dump = getattr(value, "model_dump", None)
    return dump(mode="json", by_alias=True, exclude_unset=True) if dump else value
